"""The bot's end of a real socket, and house bots as programs of the ACPC.

The dealer never waits for a reply before it says the next thing: a bot takes commands one by one, so whatever
it must do follows from their order, and no test depends on speed.
"""

import socket
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random

import pytest

from bots import client
from bots.client import ClientError, ConnectionLostError, connect, play, play_acpc
from bots.strategies.caller import Caller
from bots.strategies.tight import Tight
from bots.strategy import StrategyError
from protocol.games.base import FOLD, Action, Bet
from protocol.installed_bots import load_bot
from protocol.wire.acpc_program import read_definition
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Name
from tests.acpc_client.dealer import DEFINITIONS, CompetitionDealer
from tests.bots.helpers import Ends, Scripted, connected_pair
from tests.patience import PATIENCE
from tests.protocol.helpers import messages_in

UTF = UtfFraming()
ADA = Name("ada-l", "Ada")
TURN = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C"
TURN_2 = "bet2:183:66:0:KS:10D:10S:up:AS:AH:10D:10S"
STATUS = "status:win:10S:9C:AD"


def session(ends: Ends, *messages: str, framing: Framing = UTF) -> tuple[str, list[str]]:
    """What ``play`` returns when the dealer says ``messages`` in one go, and what the bot replies to them."""
    dealer, bot = ends
    dealer.sendall(b"".join(framing.encode(message) for message in messages))
    dealer.shutdown(socket.SHUT_WR)
    reason = play(bot, framing, ADA, Caller(Random(1)))
    return reason, replies(ends, framing)


def replies(ends: Ends, framing: Framing = UTF) -> list[str]:
    """Everything the bot has sent; it can send nothing after this."""
    dealer, bot = ends
    bot.close()
    received = b"".join(iter(lambda: dealer.recv(4096), b""))
    return list(messages_in(framing, [received]))


@pytest.mark.parametrize("framing", [UTF, LineFraming()])
def test_a_session_from_login_to_done(ends: Ends, framing: Framing) -> None:
    reason, said = session(ends, "login", TURN, STATUS, TURN_2, STATUS, "done:you won", framing=framing)
    assert (reason, said) == ("you won", ["ada-l:Ada", "bet:12", "bet:0"])


def test_messages_byte_by_byte(ends: Ends) -> None:
    dealer, bot = ends
    stream = iter(b"".join(map(UTF.encode, ["login", TURN, STATUS, "done:you won"])))

    class OneByte(socket.socket):
        def recv(self, _size: int, _flags: int = 0) -> bytes:
            dealer.send(bytes([next(stream)]))
            return super().recv(1)

    with OneByte(fileno=bot.detach()) as slow:
        assert play(slow, UTF, ADA, Caller(Random(1))) == "you won"
    assert replies(ends) == ["ada-l:Ada", "bet:12"]


def test_done_in_the_first_read_or_with_a_turn(ends: Ends) -> None:
    """As from a dealer that refuses a login, or that stopped waiting for this bot while it was busy."""
    assert session(ends, "login", TURN, "done:too late") == ("too late", ["ada-l:Ada", "bet:12"])
    with connected_pair() as others:
        assert session(others, "done:all seats are taken") == ("all seats are taken", [])


def test_the_strategy_is_asked_and_told_in_order(ends: Ends) -> None:
    dealer, bot = ends
    dealer.sendall(b"".join(map(UTF.encode, ["login", TURN, STATUS, TURN_2, "done:bye"])))
    strategy = Scripted(lambda turn: Bet(turn.owed + 1))
    play(bot, UTF, ADA, strategy)
    assert [turn.stack for turn in strategy.turns] == [208, 183]
    assert [status.won for status in strategy.statuses] == [True]
    assert replies(ends) == ["ada-l:Ada", "bet:13", "bet:1"]


def test_reason_is_read_after_a_failed_reply(ends: Ends) -> None:
    dealer, bot = ends

    class Deaf(socket.socket):
        def sendall(self, _data: object, _flags: int = 0) -> None:
            raise BrokenPipeError

    dealer.sendall(UTF.encode("login") + UTF.encode("done:come back tomorrow"))
    with Deaf(fileno=bot.detach()) as deaf:
        assert play(deaf, UTF, ADA, Caller(Random(1))) == "come back tomorrow"


@pytest.mark.parametrize("said", [[], ["login"], ["login", TURN, STATUS]])
def test_closed_connection_is_an_error(ends: Ends, said: list[str]) -> None:
    with pytest.raises(ClientError, match="closed the connection without saying why"):
        session(ends, *said)


def test_a_broken_connection_is_an_error(ends: Ends) -> None:
    dealer, bot = ends
    dealer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # close with a reset
    dealer.close()
    with pytest.raises(ClientError, match="the connection to the dealer broke: Connection reset"):
        play(bot, UTF, ADA, Caller(Random(1)))


@pytest.mark.parametrize(
    ("framing", "garbage", "complaint"),
    [
        (UTF, UTF.encode("hello"), "does not speak this protocol: expected login, game"),
        (UTF, UTF.encode("login") * 2, "does not speak this protocol: the dealer sent 'login' when"),
        (UTF, UTF.encode("login") + UTF.encode("bet1:200:x"), "does not speak this protocol: bet1 needs stack, pot"),
        (UTF, b"\0\1\xff", "does not speak this protocol: the message is not modified UTF-8"),
        (UTF, b"HTTP/1.1 400 Bad Request\r\n\r\n", r"greeting b'HTTP/1.1 400 .*' makes no sense here: another port"),
        (UTF, b"login\ndone:too late\n", r"greeting b'login\\ndone:too late\\n' makes no sense here"),
        (LineFraming(), UTF.encode("login"), r"greeting b'\\x00\\x05login' makes no sense here"),
    ],
)
def test_garbage_from_the_dealer_is_an_error(ends: Ends, framing: Framing, garbage: bytes, complaint: str) -> None:
    dealer, bot = ends
    dealer.sendall(garbage)
    dealer.shutdown(socket.SHUT_WR)
    with pytest.raises(ClientError, match=complaint):
        play(bot, framing, ADA, Caller(Random(1)))


def test_a_strategy_that_raises_ends_the_session(ends: Ends) -> None:
    def lost(turn: object) -> Bet:
        raise ZeroDivisionError

    dealer, bot = ends
    dealer.sendall(UTF.encode("login") + UTF.encode(TURN))
    with pytest.raises(StrategyError, match="decide raised ZeroDivisionError"):
        play(bot, UTF, ADA, Scripted(lost))
    assert replies(ends) == ["ada-l:Ada"]


def test_the_house_bots_remember_hands_by_their_status(ends: Ends) -> None:
    """Three raises with a pair in one hand are one too many for ``tight``; in three hands they are not."""
    pair = "bet1:400:24:0:KS:KD:up:KD:8H"
    dealer, bot = ends
    dealer.sendall(b"".join(map(UTF.encode, ["login", *[pair] * 3, STATUS, *[pair, STATUS] * 3, "done:bye"])))
    play(bot, UTF, ADA, Tight(Random(1)))
    assert replies(ends)[1:] == ["bet:10", "bet:10", "bet:0", "bet:10", "bet:10", "bet:10"]


class FakeTime:
    """A clock that only ``sleep`` moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.naps = 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.naps += 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(client, "time", fake)
    return fake


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A port that is taken and refuses every connection until a program listens on it."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        yield sock


def test_early_bot_waits_for_the_dealer(clock: FakeTime, silent: socket.socket) -> None:
    told: list[str] = []

    def open_the_door(text: str) -> None:
        told.append(text)
        silent.listen()

    host, port = silent.getsockname()
    with connect(host, port, 30, open_the_door) as sock:
        assert sock.getpeername() == (host, port)
        assert sock.gettimeout() is None, "a dealer may take its time between questions"
    assert told == [f"no dealer at {host}:{port} yet (Connection refused); trying for 30 s"]
    assert clock.naps == 1


@pytest.mark.parametrize("patience", [5, 0])
def test_patience_has_an_end(patience: int, clock: FakeTime, silent: socket.socket) -> None:
    """And without it there is one attempt."""
    told: list[str] = []
    host, port = silent.getsockname()
    with pytest.raises(ClientError, match=f"^no dealer at {host}:{port}: Connection refused$"):
        connect(host, port, patience, told.append)
    assert (len(told), clock.naps > 0) == ((1, True) if patience else (0, False)), "said once, not at every attempt"
    assert 1000 + patience - client.RETRY_SECONDS <= clock.now <= 1000 + patience


def test_each_attempt_to_connect_is_bounded(monkeypatch: pytest.MonkeyPatch, clock: FakeTime) -> None:
    timeouts: list[float] = []

    def nobody(_address: object, timeout: float) -> socket.socket:
        timeouts.append(timeout)
        clock.now += timeout
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket, "create_connection", nobody)
    with pytest.raises(ClientError, match=r"no dealer at 10\.0\.0\.1:4000: timed out"):
        connect("10.0.0.1", 4000, 100, lambda _text: None)
    assert timeouts == [60, pytest.approx(100 - 60 - client.RETRY_SECONDS)]


def test_impossible_address(clock: FakeTime) -> None:
    with pytest.raises(ClientError, match=r"'casino\.\.local' is no address"):
        connect("casino..local", 4000, 30, lambda _text: None)
    assert clock.naps == 0


def play_match(
    name: str, bots: Sequence[str], hands: int, answers: int = 10**9
) -> tuple[list[float], list[Future[str]]]:
    """What each seat has won, and how each bot's match ended."""
    definition = read_definition(DEFINITIONS[name])

    def play(bot: str, port: int) -> str:
        with connect("127.0.0.1", port, PATIENCE, print) as sock:
            return play_acpc(sock, definition, load_bot(bot)(Random(port)))

    with ThreadPoolExecutor() as pool, CompetitionDealer(DEFINITIONS[name]) as dealer:
        ends = [pool.submit(play, bot, port) for bot, port in zip(bots, dealer.ports, strict=True)]
        return dealer.play(hands, answers), ends


@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("limit-2", ("equilibrium", "random")),
        ("limit-3", ("random", "caller", "maniac")),
        ("nolimit-2", ("random", "cornell")),
        ("nolimit-3", ("random", "maniac", "simple")),
    ],
)
def test_match_by_the_rules_of_the_competition(name: str, bots: Sequence[str]) -> None:
    """The dealer fails at the first action that is not allowed, and at an answer to another match state."""
    won, ends = play_match(name, bots, 25)
    assert sum(won) == pytest.approx(0)
    assert any(won)
    assert [end.result() for end in ends] == ["the match is over after 25 hands"] * len(bots)


def test_dealer_that_closes_during_a_hand() -> None:
    _, ends = play_match("nolimit-3", ("caller", "caller", "caller"), 60, answers=40)
    for end in ends:
        with pytest.raises(ConnectionLostError, match=r"closed the connection during hand \d+: .*; the slowest answer"):
            end.result()


def always(action: Action) -> Scripted:
    return Scripted(lambda _: action)


def ended(strategy: Scripted, *lines: str) -> str:
    """How the match ends for a bot that is sent these lines, with all that it has sent."""
    near, far = socket.socketpair()
    with near, far:
        far.sendall("".join(f"{line}\r\n" for line in lines).encode())
        far.shutdown(socket.SHUT_WR)
        reason = play_acpc(near, read_definition(DEFINITIONS["nolimit-2"]), strategy)
        near.close()
        return f"{far.makefile().read()}{reason}"


FIRST = "MATCHSTATE:1:0::|JdTc"


def test_answers_and_the_last_comment() -> None:
    said = ended(always(Bet(250)), "# hello", FIRST, "MATCHSTATE:1:0:r300f:|JdTc", "", "# the tournament is over")
    assert said == f"VERSION:2.0.0\n{FIRST}:r300\nthe tournament is over"
    needless = "MATCHSTATE:0:0:c:JdTc|"
    assert f"{needless}:c\n" in ended(always(FOLD), needless, "MATCHSTATE:0:0:cr300f:JdTc|")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "the dealer closed the connection before the first hand"),
        ([FIRST, "# you are out: late"], "closed the connection during hand 0: you are out: late"),
        (["MATCHSTATE:0:0::JdTc||"], "expected a match state for 2 players, as the definition says"),
        (["login"], "expected 'MATCHSTATE:<position>"),
        (["MATCHSTATE:1:0:r150:|JdTc"], "'r150' is no raise that is allowed there"),
        (["MATCHSTATE:1:0:fc:|JdTc"], "an action follows after the end of the hand"),
        (["MATCHSTATE:1:0:cc/:|JdTc"], "expected a match state like"),
        (["MATCHSTATE:1:0:r20000c///:|JdTc/2c3c4c/5c/6c"], "expected the cards of all who are in the showdown"),
        (["MATCHSTATE:1:0::|JdTcAs"], "expected at most 2 cards such as Td"),
        (["#" * 5000], "does not speak this protocol: a line of more than"),
    ],
)
def test_what_cannot_be_played_is_said(lines: Sequence[str], said: str) -> None:
    with pytest.raises(ClientError) as told:
        ended(always(Bet(50)), *lines)
    assert said in str(told.value)


def test_action_that_is_not_allowed() -> None:
    with pytest.raises(StrategyError, match="not allowed: you bet 120, which is less than a raise may be"):
        ended(always(Bet(120)), FIRST)
