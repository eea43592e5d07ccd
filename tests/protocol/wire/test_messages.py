"""What a message may hold, on both ends."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.wire.codec import encode
from protocol.wire.messages import Done, Name, ProtocolError
from tests.protocol.strategies import texts

WORDS = ("login", "bet1", "bet2", "status")

wordy = st.lists(st.sampled_from([*WORDS, "LOGIN", "bEt1", "Status", "log", "in", "bet", "1", " ", "\n", "-"])).map(
    "".join
)


@given(texts | wordy)
@example("")
@example(" \t\n")
@example("\0")
@example("statstatusus")
@example("you sent 'bet1:20', but a bet1 is answered by bet:<chips>")
@example("no such status: LOGIN first")
@example("half an emoji \ud83d")
def test_done_reason_holds_no_command_words(text: str) -> None:
    reason = Done(text).reason
    assert reason
    assert reason.isprintable()
    assert not [word for word in WORDS if word in reason.lower()]
    assert Done(reason).reason == reason


def test_a_harmless_reason_is_left_alone() -> None:
    assert Done("you owe 12; bet 12 to call, or fold — 谢谢").reason == "you owe 12; bet 12 to call, or fold — 谢谢"


@given(st.text())
def test_the_only_colon_of_a_done_is_the_first(reason: str) -> None:
    """Real clients show only what comes before the second one."""
    assert encode(Done(reason)).count(":") == 1


@pytest.mark.parametrize(
    ("reason", "sent"),
    [
        ("you are out: broke", "you are out; broke"),
        ("you bet 9 but owe 10: bet 10 to call", "you bet 9 but owe 10; bet 10 to call"),
        ("expected 'fold' or 'bet:<chips>', got 'bet:x'", "expected 'fold' or 'bet(colon)<chips>', got 'bet(colon)x'"),
        ("fold, bet:4 (a call)", "fold, bet 4 (a call)"),
        ("got 'bet:4 '", "got 'bet(colon)4 '"),
        ("expected '<id>:<avatar>', got ':'", "expected '<id>(colon)<avatar>', got '(colon)'"),
    ],
)
def test_a_reason_stays_readable_without_colons(reason: str, sent: str) -> None:
    assert Done(reason).reason == sent


@pytest.mark.parametrize(
    ("reason", "sent"),
    [
        ("no login in time", "no log-in in time"),
        ("Bet1 and BET2", "Bet-1 and BET-2"),
        ("STATUS", "STAT-US"),
        ("two\nlines", "two?lines"),
        ("", "the end"),
    ],
)
def test_a_word_that_is_a_command_stays_readable(reason: str, sent: str) -> None:
    assert Done(reason).reason == sent


def test_a_long_reason_is_cut_to_1000_characters() -> None:
    assert Done("x" * 1000).reason == "x" * 1000
    assert Done("x" * 5000).reason == "x" * 1000
    assert len(Done("login" * 400).reason) == 1000


@pytest.mark.parametrize("id", ["a", "StephenCurry", "a-b_C9", "7" * 39])
def test_an_id_is_1_to_39_letters_digits_dashes_and_underscores(id: str) -> None:
    assert Name(id, "Steph").id == id


@pytest.mark.parametrize("id", ["", "a b", "a:b", "7" * 40, "é", "a\n", "٣", "a.b"])
def test_any_other_id_is_refused(id: str) -> None:
    with pytest.raises(ProtocolError, match="is not 1 to 39 letters, digits, '-' or '_'"):
        Name(id, "Steph")


@pytest.mark.parametrize("avatar", ["S", "Steph the 30th", "a:b", "é谢🂡😀", "😀" * 32, "bet1"])
def test_an_avatar_is_1_to_32_printable_characters(avatar: str) -> None:
    assert Name("id", avatar).avatar == avatar


@pytest.mark.parametrize("avatar", ["👩\u200d💻", "new \U0001fae9", "not assigned yet \U0001faff"])
def test_avatar_may_hold_composed_and_new_emoji(avatar: str) -> None:
    assert Name("id", avatar).avatar == avatar


@pytest.mark.parametrize("avatar", ["", "a" * 33])
def test_avatar_of_wrong_length_is_refused(avatar: str) -> None:
    with pytest.raises(ProtocolError, match="it needs 1 to 32"):
        Name("id", avatar)


@pytest.mark.parametrize("avatar", [" ", " a", "a "])
def test_avatar_with_a_blank_at_its_edge_is_refused(avatar: str) -> None:
    with pytest.raises(ProtocolError, match="begins or ends with a blank"):
        Name("id", avatar)


@pytest.mark.parametrize("avatar", ["a\0b", "a\nb", "a\x1b[2Jb", "a\u202eb", "a\x7fb", "a\u2028b"])
def test_an_avatar_with_a_control_character_is_refused(avatar: str) -> None:
    with pytest.raises(ProtocolError, match="control character"):
        Name("id", avatar)


@pytest.mark.parametrize("avatar", ["a\u200bb", "a\u200cb", "a\ufeffb", "a\u00adb", "a\ue000b"])
def test_avatar_with_formatting_characters_is_refused(avatar: str) -> None:
    with pytest.raises(ProtocolError, match="control character"):
        Name("id", avatar)
