"""Messages as text, there and back: the assignment's own examples, what may be said, and what is refused."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.cards import parse_card, parse_cards
from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_action, decode_command, decode_name, encode
from protocol.wire.messages import Command, Done, Login, Name, ProtocolError
from tests.protocol.strategies import actions, commands, names, texts

BET1 = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C"
BET1_AGAIN = "bet1:188:68:5:KS:10D:up:AS:8H:10D:QD:2C"
BET2_WITH_THE_MISTAKE = "bet2:183:66:0:KS:10D:10S:up:AS:AQ:8H:6D:10D:4S:QD:JC:2C:4H"
BET2 = BET2_WITH_THE_MISTAKE.replace("AQ", "AH")


def one_up_each(cards: str) -> tuple[tuple[object, ...], ...]:
    return tuple((card,) for card in parse_cards(cards))


def test_the_assignments_first_question_is_read_field_by_field() -> None:
    turn = decode_command(BET1)
    assert isinstance(turn, StudTurn)
    assert (turn.street, turn.stack, turn.pot, turn.owed) == (1, 208, 24, 12)
    assert (turn.hole, turn.up) == (parse_card("KS"), parse_cards("10D"))
    assert turn.shown == one_up_each("AS 8H 10D QD 2C")


def test_the_assignments_reply_is_chips_put_in_now() -> None:
    """Of 208 chips 20 are bet, and "the 188 reflects the 20 that you bet previously (208 - 20 = 188)"."""
    first, again = decode_command(BET1), decode_command(BET1_AGAIN)
    assert isinstance(first, StudTurn)
    assert isinstance(again, StudTurn)
    reply = decode_action("bet:20")
    assert reply == Bet(20)
    assert reply in first.legal()
    assert again.stack == first.stack - 20
    assert again.owed == 5
    assert list(again.legal()) == [FOLD, *(Bet(amount) for amount in range(5, 16))]


def test_assignment_example_of_street_2_is_read_corrected() -> None:
    turn = decode_command(BET2)
    assert isinstance(turn, StudTurn)
    assert (turn.street, turn.stack, turn.pot, turn.owed) == (2, 183, 66, 0)
    assert (turn.hole, turn.up) == (parse_card("KS"), parse_cards("10D 10S"))
    assert turn.shown == tuple(parse_cards(cards) for cards in ("AS AH", "8H 6D", "10D 4S", "QD JC", "2C 4H"))
    assert encode(turn) == BET2


def test_aq_in_the_assignment_example_is_no_card() -> None:
    with pytest.raises(ProtocolError, match="bet2: 'AQ' is no card"):
        decode_command(BET2_WITH_THE_MISTAKE)


def test_the_assignments_other_examples_are_read() -> None:
    assert decode_command("login") == Login()
    assert decode_name("StephenCurry:Steph") == Name("StephenCurry", "Steph")
    assert decode_action("fold") is FOLD


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (Login(), "login"),
        (Name("StephenCurry", "Steph"), "StephenCurry:Steph"),
        (Bet(0), "bet:0"),
        (Bet(20), "bet:20"),
        (FOLD, "fold"),
        (Status(True, parse_cards("10S 9C AD")), "status:win:10S:9C:AD"),
        (Status(False, parse_cards("10S 9C AD")), "status:lose:10S:9C:AD"),
        (Done("you are out of chips"), "done:you are out of chips"),
    ],
)
def test_each_message_is_written_as_the_assignment_has_it(message: Command | Name | Action, text: str) -> None:
    assert encode(message) == text


@given(commands, names, actions)
def test_every_message_comes_back_as_it_was_sent(command: Command, name: Name, action: Action) -> None:
    assert decode_command(encode(command)) == command
    assert decode_name(encode(name)) == name
    assert decode_action(encode(action)) == action


def test_a_name_is_split_at_its_first_colon_and_trimmed() -> None:
    assert decode_name(" steph :  a: b ") == Name("steph", "a: b")


@pytest.mark.parametrize("text", ["", "steph", "steph:", ":Steph", "ste ph:Steph", "steph:a\nb"])
def test_a_name_without_colon_id_or_avatar_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        decode_name(text)


@pytest.mark.parametrize(
    "text",
    [
        *["", "Fold", "fold ", "fold:", "bet", "bet:", "bet: 5", "bet:5 ", "bet:-1", "bet:+5", "bet:5.0", "bet:five"],
        *["bet:٣", "bet:1_0", "bet:5:", "bet1:5", "BET:5", "5", "call", "bet:1234567890", "bet:5\n", "\0fold"],
    ],
)
def test_only_fold_and_bet_with_a_plain_number_are_actions(text: str) -> None:
    with pytest.raises(ProtocolError, match="expected 'fold' or 'bet:<chips>', got "):
        decode_action(text)


def test_a_long_bad_reply_is_quoted_in_part() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_action("x" * 5000)
    assert str(caught.value) == f"expected 'fold' or 'bet:<chips>', got '{'x' * 60}'... (5000 characters)"


@pytest.mark.parametrize("text", ["", "hello", "LOGIN", " login", "bet", "bet3:1:2:3:AS:KS:up:AS", "fold", "a:b"])
def test_a_bot_refuses_what_is_no_command(text: str) -> None:
    with pytest.raises(ProtocolError, match="expected login, game, bet1, bet2, status or done, got "):
        decode_command(text)


@pytest.mark.parametrize(
    "text",
    [
        "bet1",
        "bet1:208:24:12:KS:10D:up",
        "bet1:208:24:12:KS:10D:AS:8H",
        "bet1:208:24:12:KS:10D:2C:up:AS:8H",
        "bet1:208:24:KS:10D:up:AS:8H",
        "bet1:208:24:twelve:KS:10D:up:AS:8H",
        "bet1:208:24:12:KS:10D:up:AS:8H:",
        "bet1:208:24:12:KS:10D:up:AS::8H",
        BET2.rsplit(":", 1)[0],
        BET2.replace("10S:", ""),
        BET1.replace("bet1", "bet2"),
        BET2.replace("bet2", "bet1"),
        f"bet1:{'9' * 5000}:24:12:KS:10D:up:AS:8H",
    ],
)
def test_a_bot_refuses_a_question_with_fields_missing_or_wrong(text: str) -> None:
    with pytest.raises(ProtocolError, match=r"bet[12]"):
        decode_command(text)


@pytest.mark.parametrize("number", ["-1", "+1", " 1", "1_0", "٣", "²", "1.0", ""])
@pytest.mark.parametrize("field", ["208", "24", "12"])
def test_a_bot_reads_only_plain_decimal_numbers(field: str, number: str) -> None:
    with pytest.raises(ProtocolError, match="is no number of chips"):
        decode_command(BET1.replace(f":{field}:", f":{number}:"))


@pytest.mark.parametrize("text", ["status", "status:draw:10S:9C:AD", "status:win:10S:9C", "status:win:1S:9C:AD"])
def test_a_bot_refuses_a_status_without_outcome_and_three_cards(text: str) -> None:
    with pytest.raises(ProtocolError, match="status"):
        decode_command(text)


@given(st.sampled_from(["", "bet:", "bet1:", "bet2:1:2:3:", "status:", "status:win:", "login", "done:"]), texts)
def test_no_text_raises_anything_but_a_protocol_error(start: str, rest: str) -> None:
    for decode in (decode_name, decode_action, decode_command):
        with suppress(ProtocolError):
            decode(start + rest)


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


@given(st.text())
def test_the_only_colon_of_a_done_is_the_first(reason: str) -> None:
    """Real clients show only what comes before the second one."""
    assert encode(Done(reason)).count(":") == 1


@pytest.mark.parametrize(
    ("reason", "sent"),
    [
        ("you owe 12; bet 12 to call, or fold — 谢谢", "you owe 12; bet 12 to call, or fold — 谢谢"),
        ("you are out: broke", "you are out; broke"),
        ("you bet 9 but owe 10: bet 10 to call", "you bet 9 but owe 10; bet 10 to call"),
        ("expected 'fold' or 'bet:<chips>', got 'bet:x'", "expected 'fold' or 'bet(colon)<chips>', got 'bet(colon)x'"),
        ("fold, bet:4 (a call)", "fold, bet 4 (a call)"),
        ("got 'bet:4 '", "got 'bet(colon)4 '"),
        ("expected '<id>:<avatar>', got ':'", "expected '<id>(colon)<avatar>', got '(colon)'"),
        ("no login in time", "no log-in in time"),
        ("Bet1 and BET2", "Bet-1 and BET-2"),
        ("STATUS", "STAT-US"),
        ("two\nlines", "two?lines"),
        ("", "the end"),
        ("x" * 1000, "x" * 1000),
        ("x" * 5000, "x" * 1000),
        ("login" * 400, ("log-in" * 400)[:1000]),
    ],
)
def test_a_reason_stays_readable_without_colons_and_words_of_commands(reason: str, sent: str) -> None:
    """And it is cut to 1000 characters."""
    assert Done(reason).reason == sent


@pytest.mark.parametrize("id", ["a", "StephenCurry", "a-b_C9", "7" * 39])
def test_an_id_is_1_to_39_letters_digits_dashes_and_underscores(id: str) -> None:
    assert Name(id, "Steph").id == id


@pytest.mark.parametrize("id", ["", "a b", "a:b", "7" * 40, "é", "a\n", "٣", "a.b"])
def test_any_other_id_is_refused(id: str) -> None:
    with pytest.raises(ProtocolError, match="is not 1 to 39 letters, digits, '-' or '_'"):
        Name(id, "Steph")


@pytest.mark.parametrize(
    "avatar",
    [
        *["S", "Steph the 30th", "a:b", "é谢🂡😀", "😀" * 32, "bet1"],
        *["👩\u200d💻", "new \U0001fae9", "not assigned yet \U0001faff"],
    ],
)
def test_an_avatar_is_1_to_32_printable_characters(avatar: str) -> None:
    assert Name("id", avatar).avatar == avatar


@pytest.mark.parametrize(
    ("reason", "avatars"),
    [
        ("it needs 1 to 32", ["", "a" * 33]),
        ("begins or ends with a blank", [" ", " a", "a "]),
        ("control character", ["a\0b", "a\nb", "a\x1b[2Jb", "a\u202eb", "a\x7fb", "a\u2028b"]),
        ("control character", ["a\u200bb", "a\u200cb", "a\ufeffb", "a\u00adb", "a\ue000b"]),  # for formatting
    ],
)
def test_any_other_avatar_is_refused(reason: str, avatars: list[str]) -> None:
    for avatar in avatars:
        with pytest.raises(ProtocolError, match=reason):
            Name("id", avatar)
