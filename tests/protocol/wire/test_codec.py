"""Messages as text and in frames, there and back: the assignment's own examples, and what is refused."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.cards import parse_card, parse_cards
from protocol.games.base import FOLD, Action, Bet, Status
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_action, decode_command, decode_name, encode
from protocol.wire.connection import DealerConnection, State, WrongFraming
from protocol.wire.framing import (
    MAX_UTF_BYTES,
    FrameTooLong,
    Framing,
    LineFraming,
    UtfFraming,
    decode_modified_utf8,
    encode_modified_utf8,
)
from protocol.wire.messages import Command, Done, Login, Name, ProtocolError
from protocol.wire.wrong_port import Speech, in_the_other_framing, recognise
from tests.protocol.helpers import actions, commands, cut, messages_in, names, texts

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


def test_a_frame_is_two_length_bytes_and_the_text() -> None:
    assert UtfFraming().encode("login") == b"\x00\x05login"
    assert UtfFraming().encode("x" * 258)[:2] == b"\x01\x02"
    assert UtfFraming().encode("") == b"\x00\x00"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("A\x7f", b"A\x7f"),
        ("\0", b"\xc0\x80"),
        ("é", b"\xc3\xa9"),
        ("߿", b"\xdf\xbf"),
        ("ࠀ", b"\xe0\xa0\x80"),
        ("￿", b"\xef\xbf\xbf"),
        ("😀", b"\xed\xa0\xbd\xed\xb8\x80"),  # D83D DE00
        ("\U00010000", b"\xed\xa0\x80\xed\xb0\x80"),  # D800 DC00
        ("\U0010ffff", b"\xed\xaf\xbf\xed\xbf\xbf"),  # DBFF DFFF
    ],
)
def test_modified_utf8_is_what_write_utf_writes(text: str, data: bytes) -> None:
    assert UtfFraming().encode(text) == len(data).to_bytes(2, "big") + data
    assert decode_modified_utf8(data) == text


@given(st.text())
def test_every_text_survives_modified_utf8(text: str) -> None:
    data = encode_modified_utf8(text)
    assert decode_modified_utf8(data) == text
    assert b"\0" not in data


@pytest.mark.parametrize(
    "data",
    [
        b"\xf0\x9f\x98\x80",  # UTF-8's own form of an emoji
        b"\xff",
        b"\x80",
        b"\xc3",
        b"\xc3A",
        b"\xe0\xa0",
        b"\xc0",
        b"\xc0\x81",
        b"\xc1\x81",
        b"\xe0\x80\x80",
        b"\xe2\xc0\x80",
        b"\xed\xa0\xbd",
        b"\xed\xb8\x80",
        b"\xed\xb8\x80\xed\xa0\xbd",
        b"\xed\xa0\xbdA",
    ],
)
def test_bytes_that_are_no_modified_utf8_are_malformed(data: bytes) -> None:
    with pytest.raises(ProtocolError, match="the message is not modified UTF-8"):
        UtfFraming().decode(data)


@pytest.mark.parametrize("data", [b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\xbd\xed\xb8\x80"])
def test_a_line_that_is_no_utf8_is_malformed(data: bytes) -> None:
    with pytest.raises(ProtocolError, match="the line is not UTF-8"):
        LineFraming().decode(data)


@given(st.binary(max_size=40))
def test_no_bytes_raise_anything_but_a_protocol_error(data: bytes) -> None:
    for framing in (UtfFraming(), LineFraming()):
        with suppress(ProtocolError):
            framing.decode(data)


@pytest.mark.parametrize("half", ["\ud83d", "a\ude00", "\ude00\ud83d"])
def test_half_a_surrogate_pair_cannot_be_sent(half: str) -> None:
    for framing in (UtfFraming(), LineFraming()):
        with pytest.raises(ValueError, match="surrogates"):
            framing.encode(half)


@given(st.lists(texts, max_size=6), st.data())
@example(["😀\0", "", "b" * 300], None)
@example(["b\rc"], None)
def test_messages_arrive_as_sent_under_any_split(sent: list[str], data: st.DataObject | None) -> None:
    """Splits drawn from ``data``; without it, every byte on its own."""
    lines = [text.replace("\n", "").rstrip("\r") for text in sent]
    for framing, messages in ((UtfFraming(), sent), (LineFraming(), lines)):
        stream = b"".join(map(framing.encode, messages))
        pieces = data.draw(cut(stream)) if data else [stream[place : place + 1] for place in range(len(stream))]
        assert list(messages_in(framing, pieces)) == messages


def test_an_incomplete_message_is_left_in_the_buffer() -> None:
    assert UtfFraming().split(b"\x00\x05log") == (None, b"\x00\x05log")
    assert UtfFraming().split(b"\x00") == (None, b"\x00")
    assert LineFraming().split(b"log") == (None, b"log")
    assert LineFraming().split(b"login\r\nfo") == (b"login", b"fo"), "a line may end in CR LF"


def test_a_line_break_cannot_be_sent_in_a_line() -> None:
    with pytest.raises(ValueError, match="line break"):
        LineFraming().encode("two\nlines")


def test_oversized_frame_is_refused_at_its_length() -> None:
    """And lines on the port for frames are named."""
    assert UtfFraming(256).split(b"\x01\x00") == (None, b"\x01\x00")
    with pytest.raises(FrameTooLong, match="01 01 announce 257 bytes, more than the 256 accepted"):
        UtfFraming(256).split(b"\x01\x01")
    with pytest.raises(FrameTooLong, match=r"66 6f announce 26223 bytes.*expects messages written with writeUTF"):
        UtfFraming(1024).split(b"fold\n")


def test_oversized_line_is_refused_before_its_end() -> None:
    assert LineFraming(8).split(b"12345678") == (None, b"12345678")
    assert LineFraming(8).split(b"12345678\n9") == (b"12345678", b"9")
    for data in (b"123456789", b"123456789\n"):
        with pytest.raises(FrameTooLong, match="a line of more than the 8 bytes accepted"):
            LineFraming(8).split(data)


def test_a_frame_is_never_longer_than_its_length_bytes_can_say() -> None:
    longest = "é" * (MAX_UTF_BYTES // 2) + "a"
    assert UtfFraming().split(UtfFraming().encode(longest))[1] == b""
    for text in (longest + "a", "\0" * 40000):
        with pytest.raises(ValueError, match="a frame holds 65535 bytes"):
            UtfFraming().encode(text)


REASON = encode(Done("this port is for others"))


@pytest.mark.parametrize(
    ("sent", "speech"),
    [
        (b"", None),
        (b"ks:Steph\n", Speech.LINES),
        (b"k", Speech.LINES),
        (b"\xc3\xa9:x\n", Speech.LINES),
        (b"\0\x08ks:Steph", Speech.FRAMES),
        (b"\0", Speech.FRAMES),
        (b"\x01\x10ks:", Speech.FRAMES),
        (b"GET / HTTP/1.1\r\n", Speech.HTTP),
        (b"PRI * HTTP/2.0\r\n", Speech.HTTP),
        (b"\x16\x03\x01\x02\x00\x01", Speech.TLS),
        (b"VERSION:2.0.0\r\n", Speech.ACPC),
        (b"VERSION:2", Speech.ACPC),
        (b"VERSION:Al\n", Speech.LINES),
        (b"\x05\xff", None),
    ],
)
def test_first_bytes_tell_what_is_spoken(sent: bytes, speech: Speech | None) -> None:
    assert recognise(sent) is speech


@given(names)
def test_every_login_is_recognised(name: Name) -> None:
    assert recognise(UtfFraming().encode(encode(name))) is Speech.FRAMES
    assert recognise(LineFraming().encode(encode(name))) in (Speech.LINES, Speech.HTTP)


@pytest.mark.parametrize("port", [UtfFraming(), LineFraming()])
def test_program_of_the_acpc_is_told_in_a_comment(port: Framing) -> None:
    dealer = DealerConnection(port)
    stream = dealer.send(Login())
    with pytest.raises(WrongFraming, match="the text of the ACPC came; this port expects "):
        dealer.receive(b"VERSION:2.0.0\r\n")
    stream += dealer.send_comment(Done("this port is for others"))
    assert messages(LineFraming(), stream)[-1] == "# this port is for others"
    assert dealer.state is State.CLOSED


def messages(framing: Framing, stream: bytes) -> list[str]:
    """What a program that reads ``framing`` hears, up to the end of the stream."""
    heard: list[str] = []
    while True:
        body, stream = framing.split(stream)
        if body is None:
            return heard
        heard.append(framing.decode(body))


@pytest.mark.parametrize("told", [["login"], ["login", REASON]])
@pytest.mark.parametrize("port", [UtfFraming(), LineFraming()])
def test_reason_is_heard_in_both_framings(port: Framing, told: list[str]) -> None:
    sent = b"".join(port.encode(text) for text in told)
    stream = sent + in_the_other_framing(port, sent, REASON)
    other: Framing = UtfFraming() if isinstance(port, LineFraming) else LineFraming()
    assert messages(other, stream)[-1] == REASON
    assert len(messages(other, stream)) == 2
    right = messages(port, sent)
    assert right == told


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=300))
def test_any_reason_is_heard_at_the_wrong_port(reason: str) -> None:
    dealer = DealerConnection(LineFraming())
    stream = dealer.send(Login()) + dealer.send_done(Done(reason), in_both_framings=True)
    heard = messages(UtfFraming(), stream)[-1].rstrip()
    assert heard.isprintable()
    assert heard == "done:" + "".join(char if ord(char) <= 0xFFFF else "?" for char in Done(reason).reason)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=1000))
def test_frame_of_a_reason_can_be_read_as_text(reason: str) -> None:
    stream = DealerConnection(UtfFraming()).send_done(Done(reason), in_both_framings=True)
    assert stream.decode().splitlines()[-1].startswith("done:")
    assert messages(LineFraming(), stream)[-1].startswith("done:")


def test_long_reason_is_told_at_the_wrong_port() -> None:
    stream = DealerConnection(UtfFraming()).send_done(Done("x" * 150), in_both_framings=True)
    assert stream[:2] == b"\x01\0"
    assert messages(LineFraming(), stream)[-1].rstrip() == "done:" + "x" * 150
