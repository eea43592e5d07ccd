"""A login that asks for a secret: who reads its errors, its values or its bytes never reads the secret."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.wire.codec import decode_name, decode_secret_name, encode
from protocol.wire.connection import DealerConnection
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Login, Name, ProtocolError, SecretLogin
from tests.protocol.strategies import names, texts

SECRET = "open-sesame 7!"

secrets = st.text(
    st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters=":"), min_size=1, max_size=64
)


@given(name=names, secret=secrets.filter(lambda secret: secret == secret.strip()))
@example(Name("steph", "a:b::c"), "x")
def test_secret_login_round_trips_with_colons_in_avatar(name: Name, secret: str) -> None:
    told = Name(name.id, name.avatar, secret)
    assert decode_secret_name(encode(told)) == told
    assert decode_secret_name(encode(told)).secret == secret


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("steph:Steph:x", Name("steph", "Steph", "x")),
        (" steph : Steph : x ", Name("steph", "Steph", "x")),
        ("steph:St:eph:x", Name("steph", "St:eph", "x")),
        ("steph:::x", Name("steph", ":", "x")),
        ("steph:12:30:o'clock: x y ", Name("steph", "12:30:o'clock", "x y")),
    ],
)
def test_the_first_and_the_last_colon_are_the_ones_that_count(text: str, name: Name) -> None:
    assert decode_secret_name(text) == name
    assert decode_secret_name(text).secret == name.secret


def test_avatar_may_hold_colons_without_secrets() -> None:
    assert decode_name("steph:St:eph:x") == Name("steph", "St:eph:x")


@pytest.mark.parametrize(
    "text", ["", "steph", SECRET, "steph:Steph", f"steph:{SECRET}", f"{SECRET}:Steph", ":", "steph:"]
)
def test_a_colon_too_few_is_told_without_repeating_what_came(text: str) -> None:
    """What stands there may be the secret."""
    with pytest.raises(ProtocolError) as told:
        decode_secret_name(text)
    assert str(told.value) == "expected '<id>:<avatar>:<secret>': this dealer asks for a secret of your own choice"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"st eph:Steph:{SECRET}", "the id 'st eph' is not 1 to 39"),
        (f":Steph:{SECRET}", "the id '' is not 1 to 39"),
        (f"steph::{SECRET}", "the avatar has 0 characters"),
        (f"steph:{'x' * 33}:{SECRET}", "the avatar has 33 characters"),
        (f"steph:{SECRET * 3}:{SECRET}", "the avatar has 42 characters"),
        (f"steph:\a:{SECRET}", "the avatar holds a control character"),
        ("steph:Steph:", "the secret is not 1 to 64 ASCII characters"),
        (f"steph:Steph:{SECRET}\t", None),
        (f"steph:Steph:{SECRET}\a", "the secret is not 1 to 64 ASCII characters"),
        (f"steph:Steph:{SECRET}é", "the secret is not 1 to 64 ASCII characters"),
        (f"steph:Steph:{SECRET * 5}", "the secret is not 1 to 64 ASCII characters"),
    ],
)
def test_login_error_does_not_tell_the_secret(text: str, reason: str | None) -> None:
    if reason is None:  # blanks around are dropped, whichever they are
        assert decode_secret_name(text).secret == SECRET
        return
    with pytest.raises(ProtocolError) as told:
        decode_secret_name(text)
    assert reason in str(told.value)
    assert SECRET not in str(told.value)


@given(before=texts, between=texts, after=texts)
def test_no_error_repeats_anything_behind_the_first_colon(before: str, between: str, after: str) -> None:
    try:
        name = decode_secret_name(f"{before}:{between}{SECRET}{after}")
    except ProtocolError as error:
        assert SECRET not in str(error)  # noqa: PT017 - most of these are errors, and some are none
        assert SECRET not in repr(error)  # noqa: PT017
    else:
        assert SECRET in f"{name.avatar}:{name.secret}"


def test_values_do_not_show_their_secret() -> None:
    name = Name("steph", "Steph", SECRET)
    for shown in (repr(name), str(name), f"{name!r:>9}", repr([name]), repr({"name": name})):
        assert SECRET not in shown
        assert "Steph" in shown


@pytest.mark.parametrize("secret", ["", "x" * 65, "a:b", "é", "\n", "\x7f", "x\0"])
def test_malformed_secret_is_refused(secret: str) -> None:
    with pytest.raises(ProtocolError, match=r"^the secret is not 1 to 64 ASCII characters without a colon$"):
        Name("steph", "Steph", secret)


def test_a_program_sees_no_difference_between_the_two_logins() -> None:
    assert encode(SecretLogin()) == encode(Login()) == "login"


@pytest.mark.parametrize("framing", [UtfFraming(), LineFraming()])
def test_in_a_session_the_answer_is_read_by_what_was_asked(framing: Framing) -> None:
    text = framing.encode(f"steph:St:eph:{SECRET}")
    asks_for_it, does_not = DealerConnection(framing), DealerConnection(framing)
    asks_for_it.send(SecretLogin())
    does_not.send(Login())
    assert asks_for_it.receive(text) == Name("steph", "St:eph", SECRET)
    assert does_not.receive(text) == Name("steph", f"St:eph:{SECRET}")


@pytest.mark.parametrize("framing", [UtfFraming(), LineFraming()])
@given(broken=st.binary(max_size=8))
def test_undecodable_bytes_do_not_reveal_the_secret(framing: Framing, broken: bytes) -> None:
    connection = DealerConnection(framing)
    connection.send(SecretLogin())
    body = f"steph:Steph:{SECRET}".encode() + b"\xff" + broken.replace(b"\n", b"")
    frame = body + b"\n" if isinstance(framing, LineFraming) else len(body).to_bytes(2, "big") + body
    with pytest.raises(ProtocolError) as told:
        connection.receive(frame)
    assert SECRET not in str(told.value)
