"""Who may say what when, at both ends, in a table written down a second time; and logins that ask for a secret."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.cards import parse_card, parse_cards
from protocol.games.base import FOLD, Bet, Status
from protocol.games.dice import DiceTurn
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_name, decode_secret_name, encode
from protocol.wire.connection import BotConnection, DealerConnection, Flood, PeopleConnection, State, UnaskedReply
from protocol.wire.framing import FrameTooLong, Framing, LineFraming, UtfFraming
from protocol.wire.messages import BrowserOf, Command, Done, Login, Name, ProtocolError, QuitGame, Reply, SecretLogin
from tests.protocol.helpers import ConnectionPair, commands_in, cut, names, texts

TURN = StudTurn(1, 208, 24, 12, parse_card("KS"), parse_cards("10D"), (parse_cards("AS"), parse_cards("10D")))
STATUS = Status(True, parse_cards("KS 10D 10S"))
NAME = Name("steph", "Steph")
PATHS: dict[State, list[Command | Reply]] = {
    State.CONNECTED: [],
    State.NAMING: [Login()],
    State.SEATED: [Login(), NAME],
    State.ASKED: [Login(), NAME, TURN],
    State.CLOSED: [Done("over")],
}


def pair_in(state: State, framing: Framing | None = None) -> ConnectionPair:
    pair = ConnectionPair(framing)
    for message in PATHS[state]:
        pair.say(message)
    assert pair.dealer.state is pair.bot.state is state
    return pair


def utf(*texts: str) -> bytes:
    return b"".join(map(UtfFraming().encode, texts))


COMMANDS: list[Command] = [Login(), TURN, STATUS, Done("over")]
REPLIES: list[Reply] = [NAME, Bet(12), FOLD]

ALLOWED: dict[State, dict[Command | Reply, State]] = {
    State.CONNECTED: {Login(): State.NAMING, Done("over"): State.CLOSED},
    State.NAMING: {NAME: State.SEATED, Done("over"): State.CLOSED},
    State.SEATED: {TURN: State.ASKED, STATUS: State.SEATED, Done("over"): State.CLOSED},
    State.ASKED: {Bet(12): State.SEATED, FOLD: State.SEATED, Done("over"): State.CLOSED},
    State.CLOSED: {},
}


def dealer_in(state: State) -> DealerConnection:
    return pair_in(state).dealer


@pytest.mark.parametrize(("state", "message"), [(state, m) for state, row in ALLOWED.items() for m in row])
@pytest.mark.parametrize("framing", [UtfFraming(), LineFraming()])
def test_what_the_table_allows_is_said_and_understood(state: State, message: Command | Reply, framing: Framing) -> None:
    pair = pair_in(state, framing)
    pair.say(message)
    assert pair.dealer.state is ALLOWED[state][message]


@pytest.mark.parametrize(("state", "command"), [(s, c) for s, c in product(ALLOWED, COMMANDS) if c not in ALLOWED[s]])
def test_unexpected_command_is_refused_by_the_bot(state: State, command: Command) -> None:
    pair = pair_in(state)
    with pytest.raises(KeyError):
        pair.dealer.send(command)
    with pytest.raises(ProtocolError, match=f"the dealer sent '{encode(command)}' when the session was {state.name}"):
        commands_in(pair.bot, utf(encode(command)))


@pytest.mark.parametrize(("state", "reply"), [(s, r) for s, r in product(ALLOWED, REPLIES) if r not in ALLOWED[s]])
def test_any_other_reply_is_a_mistake_of_the_bots(state: State, reply: Reply) -> None:
    with pytest.raises(KeyError):
        pair_in(state).bot.send(reply)


@pytest.mark.parametrize("reply", REPLIES)
@pytest.mark.parametrize("state", [State.CONNECTED, State.SEATED, State.CLOSED])
def test_unasked_reply_is_refused_and_not_kept(state: State, reply: Reply) -> None:
    dealer = dealer_in(state)
    with pytest.raises(UnaskedReply, match="send one reply to each question"):
        dealer.receive(utf(encode(reply)))
    assert dealer.state is state
    assert dealer.receive(b"") is None


def test_a_question_is_answered_in_the_terms_of_what_was_asked() -> None:
    """``bet:20`` would be a name and ``steph:Steph`` is no action."""
    assert dealer_in(State.NAMING).receive(utf("bet:20")) == Name("bet", "20")
    with pytest.raises(ProtocolError, match="expected 'fold' or 'bet:<chips>', got 'steph:Steph'"):
        dealer_in(State.ASKED).receive(utf("steph:Steph"))
    with pytest.raises(ProtocolError, match="expected '<id>:<avatar>', got 'fold'"):
        dealer_in(State.NAMING).receive(utf("fold"))


@given(st.data())
def test_a_reply_is_read_once_complete_however_it_is_cut(data: st.DataObject) -> None:
    """Until then the question stays open."""
    dealer = dealer_in(State.ASKED)
    received: list[Reply] = []
    for piece in data.draw(cut(utf("bet:12"))):
        assert received or dealer.state is State.ASKED
        received += filter(None, [dealer.receive(piece)])
    assert received == [Bet(12)]
    assert dealer.state is State.SEATED


@pytest.mark.parametrize("text", ["fold", "bet:0", "bet:12", "bet:99", "bet:100"])
@pytest.mark.parametrize("framing", [UtfFraming(), LineFraming()])
def test_a_reply_that_comes_as_a_whole_is_read_like_one_that_comes_in_two_parts(text: str, framing: Framing) -> None:
    data = framing.encode(text)
    whole, parts = pair_in(State.ASKED, framing).dealer, pair_in(State.ASKED, framing).dealer
    assert parts.receive(data[:1]) is None
    assert whole.receive(data) == parts.receive(data[1:])
    assert whole.state is parts.state is State.SEATED
    with pytest.raises(UnaskedReply):
        whole.receive(data)


@pytest.mark.parametrize(
    ("dealer", "first", "second", "error"),
    [
        (DealerConnection(UtfFraming(), max_frames=1), 12, 12, Flood),
        (DealerConnection(UtfFraming(limit=5)), 9, 99, FrameTooLong),
    ],
    ids=["messages", "bytes"],
)
def test_a_reply_that_comes_as_a_whole_is_counted_and_measured(
    dealer: DealerConnection, first: int, second: int, error: type[ProtocolError]
) -> None:
    dealer.state = State.SEATED
    dealer.send(TURN)
    assert dealer.receive(utf(f"bet:{first}")) == Bet(first)
    dealer.send(TURN)
    with pytest.raises(error):
        dealer.receive(utf(f"bet:{second}"))


def test_a_reply_is_read_in_the_words_of_its_own_game() -> None:
    dealer = pair_in(State.SEATED).dealer
    dealer.send(DiceTurn(bet=7, second=0, die=4, opponent=2))
    with pytest.raises(ProtocolError, match="expected 'fold' or 'bet', got 'bet:12'"):
        dealer.receive(utf("bet:12"))


def test_half_an_unasked_reply_is_refused_and_swallowed() -> None:
    dealer = dealer_in(State.SEATED)
    with pytest.raises(UnaskedReply, match="part of a reply"):
        dealer.receive(utf("bet:50")[:4])
    dealer.send(TURN)
    assert dealer.receive(utf("bet:50")[4:]) is None
    assert dealer.receive(utf("bet:12")) == Bet(12)


def test_half_a_reply_before_the_login_is_asked_is_refused() -> None:
    dealer = dealer_in(State.CONNECTED)
    with pytest.raises(UnaskedReply, match="part of a reply"):
        dealer.receive(utf("steph:Steph")[:4])
    assert dealer.state is State.CONNECTED


@pytest.mark.parametrize("second", [utf("bet:13"), utf("bet:13")[:3]])
def test_more_than_one_reply_to_a_question_is_refused(second: bytes) -> None:
    dealer = dealer_in(State.ASKED)
    with pytest.raises(UnaskedReply):
        dealer.receive(utf("bet:12") + second)
    assert dealer.state is State.SEATED


def test_of_several_faults_the_first_is_told() -> None:
    with pytest.raises(ProtocolError, match="got 'nonsense'"):
        dealer_in(State.ASKED).receive(utf("nonsense", "bet:12"))


@pytest.mark.parametrize(("data", "reason"), [(utf("nonsense"), "got 'nonsense'"), (b"\x00\x01\xff", "modified UTF-8")])
def test_malformed_reply_does_not_spoil_the_next(data: bytes, reason: str) -> None:
    dealer = dealer_in(State.ASKED)
    with pytest.raises(ProtocolError, match=reason):
        dealer.receive(data)
    assert dealer.state is State.SEATED
    dealer.send(TURN)
    assert dealer.receive(utf("bet:12")) == Bet(12)


@pytest.mark.parametrize("late", ["bet:50", "fold", "nonsense", ""])
def test_a_late_reply_is_swallowed_whatever_it_says(late: str) -> None:
    dealer = dealer_in(State.ASKED)
    dealer.give_up()
    dealer.send(TURN)
    assert dealer.receive(utf(late)) is None
    assert dealer.state is State.ASKED
    assert dealer.receive(utf("bet:12")) == Bet(12)


def test_late_reply_before_the_next_question_is_swallowed() -> None:
    dealer = dealer_in(State.ASKED)
    dealer.give_up()
    dealer.send(STATUS)
    assert dealer.receive(utf("bet:50")) is None
    with pytest.raises(UnaskedReply):
        dealer.receive(utf("bet:50"))


def test_one_late_reply_is_swallowed_per_missed_question() -> None:
    dealer = dealer_in(State.ASKED)
    dealer.give_up()
    dealer.send(TURN)
    dealer.give_up()
    dealer.send(TURN)
    assert dealer.receive(utf("bet:50")) is None
    assert dealer.receive(utf("bet:51")[:3]) is None
    assert dealer.receive(utf("bet:51")[3:] + utf("bet:12")) == Bet(12)


def test_half_a_late_reply_is_no_new_fault() -> None:
    dealer = dealer_in(State.ASKED)
    assert dealer.receive(utf("bet:50")[:3]) is None
    dealer.give_up()
    assert dealer.receive(utf("bet:50")[3:5]) is None
    dealer.send(TURN)
    assert dealer.receive(utf("bet:50")[5:]) is None
    assert dealer.receive(utf("bet:12")) == Bet(12)


def test_a_reply_that_announces_too_much_is_refused_at_once_and_nothing_more_is_read() -> None:
    """What follows is the inside of the long reply, and may look like a short one."""
    dealer = DealerConnection(UtfFraming(limit=1024))
    dealer.send(Login())
    for data in (b"\x04\x01", utf("steph:Steph")):
        with pytest.raises(FrameTooLong):
            dealer.receive(data)


@pytest.mark.parametrize("state", ALLOWED)
@pytest.mark.parametrize("framing", [UtfFraming(limit=200), LineFraming(limit=200)])
@given(pieces=st.lists(st.binary(max_size=20) | st.sampled_from([b"\n", b"\0\4fold", b"fold\n", b"\0"]), max_size=8))
def test_any_input_raises_only_protocol_errors(framing: Framing, state: State, pieces: list[bytes]) -> None:
    pair = pair_in(state, framing)
    ends: list[Callable[[bytes], object]] = [pair.dealer.receive, partial(commands_in, pair.bot)]
    for receive in ends:
        for piece in pieces:
            with suppress(ProtocolError):
                receive(piece)


def test_a_bot_receives_what_is_complete_in_order() -> None:
    bot = BotConnection(UtfFraming())
    stream = utf("login")
    assert commands_in(bot, stream[:4]) == []
    assert commands_in(bot, stream[4:]) == [Login()]
    bot.send(NAME)
    stream = utf(encode(STATUS), encode(STATUS), encode(TURN), "done:over")
    assert commands_in(bot, stream[:-1]) == [STATUS, STATUS, TURN]
    assert commands_in(bot, stream[-1:]) == [Done("over")]


@pytest.mark.parametrize("news", [STATUS, Done("you are out")])
def test_bot_reads_commands_that_came_with_a_question(news: Command) -> None:
    """A dealer that has stopped waiting goes on: its next words may be in the same read as the question."""
    bot = pair_in(State.SEATED).bot
    bot.receive(utf(encode(TURN), encode(news)))
    assert bot.next_command() == TURN
    assert bot.send(FOLD) == utf("fold")
    assert bot.next_command() == news
    assert bot.next_command() is None


def test_bot_takes_commands_one_at_a_time() -> None:
    bot = pair_in(State.SEATED).bot
    bot.receive(utf(encode(STATUS), encode(TURN)))
    steps = [(bot.state, bot.next_command()) for _ in range(3)]
    assert steps == [(State.SEATED, STATUS), (State.SEATED, TURN), (State.ASKED, None)]


BROWSERS = st.builds(
    BrowserOf,
    st.from_regex("[A-Za-z0-9_-]{1,128}", fullmatch=True),
    st.ip_addresses().map(str),
    st.integers(0, 65535),
)


@given(BROWSERS, st.sampled_from([Login(), SecretLogin()]))
def test_page_states_a_browser_and_is_asked_once_more(browser: BrowserOf, login: Login | SecretLogin) -> None:
    page, dealer = BotConnection(UtfFraming()), PeopleConnection(UtfFraming())
    name = NAME if isinstance(login, Login) else Name("steph", "Steph", "open")
    replies: list[Reply] = [browser, name]
    for reply in replies:
        page.receive(dealer.send(login))
        assert page.next_command() == Login()
        assert dealer.receive(page.send(reply)) == reply
        assert page.state is dealer.state
    assert dealer.state is State.SEATED
    assert "token" not in repr(browser)


@pytest.mark.parametrize("asked", [False, True])
def test_page_says_that_a_person_leaves_also_when_nothing_is_asked(asked: bool) -> None:
    dealer = PeopleConnection(UtfFraming())
    for reply in BrowserOf("token", "::1", 4711), NAME:
        dealer.send(Login())
        dealer.receive(utf(encode(reply)))
    if asked:
        dealer.send(TURN)
    else:
        with pytest.raises(UnaskedReply):
            dealer.receive(utf("fold"))
    with pytest.raises(QuitGame):
        dealer.receive(utf("quit"))


def test_who_is_no_page_says_nothing_unasked() -> None:
    dealer = PeopleConnection(UtfFraming())
    dealer.send(Login())
    dealer.receive(utf(encode(NAME)))
    with pytest.raises(UnaskedReply):
        dealer.receive(utf("quit"))


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
