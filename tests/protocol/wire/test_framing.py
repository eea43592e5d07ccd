"""Where a message begins and ends, under any split of the bytes, and programs at the wrong port."""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.wire.codec import encode
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
from protocol.wire.messages import Done, Login, Name, ProtocolError
from protocol.wire.wrong_port import Speech, in_the_other_framing, recognise
from tests.protocol.helpers import messages_in
from tests.protocol.strategies import cut, names, texts


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
