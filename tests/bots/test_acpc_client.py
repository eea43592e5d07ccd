"""House bots as programs of the ACPC, at a dealer whose rules are the competition's own, and what ends a match."""

import socket
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random

import pytest

from bots.client import ClientError, ConnectionLostError, connect, play_acpc
from bots.strategy import StrategyError, load_maker
from protocol.games.base import FOLD, Action, Bet
from protocol.wire.acpc_program import read_definition
from tests.acpc_client.dealer import DEFINITIONS, CompetitionDealer
from tests.bots.helpers import Scripted
from tests.patience import PATIENCE


def play_match(
    name: str, bots: Sequence[str], hands: int, answers: int = 10**9
) -> tuple[list[float], list[Future[str]]]:
    """What each seat has won, and how each bot's match ended."""
    definition = read_definition(DEFINITIONS[name])

    def play(bot: str, port: int) -> str:
        with connect("127.0.0.1", port, PATIENCE, print) as sock:
            return play_acpc(sock, definition, load_maker(bot)(Random(port)))

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
