"""Programs at the wrong port: what they speak, and that each hears the reason in its own framing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.wire.codec import encode
from protocol.wire.connection import DealerConnection, State, WrongFraming
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done, Login, Name
from protocol.wire.wrong_port import Speech, in_the_other_framing, recognise
from tests.protocol.strategies import names

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
