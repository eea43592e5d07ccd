"""A seed and strategies without chance make the same games over sockets and in one process."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots.arena import PlayedHand, play_game
from bots.strategy import load_maker
from dealer.journal.records import FOLDED
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame, Ranks
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.dealer.support.raw_records import read_raw
from tests.end_to_end.casino import run

GAMES, SEED = 3, "x"


async def over_sockets(journal: Path, *words: str) -> list[tuple[Any, ...]]:
    """What the journal says about each hand: stacks before it, who bet what, and the payoffs."""
    games = ("--games", str(GAMES), "--seed", SEED, "--journal", journal, "--limit", "60", "--json")
    outcome = await run("league", "blockhead", *words, *games)
    assert (outcome.code, outcome.err) == (0, "")
    return [
        (hand["stacks"], [[seat, chips] for seat, chips, _ in hand["actions"]], hand["payoffs"])
        for hand in read_raw(journal)
        if hand["type"] == "hand"
    ]


def in_process(game: BlockheadGame, *bots: str) -> list[tuple[Any, ...]]:
    """The same of hands played in the arena."""
    strategies = [load_maker(bot)(Random(seat)) for seat, bot in enumerate(bots)]
    hands = []
    for number in range(GAMES):
        stacks = [game.stack] * len(bots)
        for hand in play_game(game, strategies, seed_from_text(SEED), number * game.hands + 1):
            hands.append((list(stacks), _chips(hand), list(hand.settlement.payoffs)))
            stacks = [stack + payoff for stack, payoff in zip(stacks, hand.settlement.payoffs, strict=True)]
    return hands


def _chips(hand: PlayedHand) -> list[list[int]]:
    return [[seat, action.amount if isinstance(action, Bet) else FOLDED] for seat, action in hand.actions]


@pytest.mark.parametrize(
    ("bots", "hands", "ranks"),
    [
        (("alpha", "alpha"), 20, "blockhead"),
        (("alpha", "maniac"), 7, "blockhead"),
        (("caller", "tight", "maniac"), 7, "poker"),
    ],
)
async def test_hand_by_hand(bots: tuple[str, ...], hands: int, ranks: Ranks, tmp_path: Path) -> None:
    tcp = await over_sockets(tmp_path / "journal", *bots, "--hands", str(hands), "--ranks", ranks)
    assert len(tcp) == GAMES * hands
    assert tcp == in_process(BlockheadGame(1000, hands, ranks), *bots)


LISTENER = """
import sys
from random import Random

from bots.client import connect, play
from bots.strategies.caller import Caller
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name


class Listener(Caller):
    def game_begins(self, info):
        with open(sys.argv[1], "a", encoding="utf-8") as file:
            print(info, file=file)


play(connect(sys.argv[2], int(sys.argv[3]), 30.0, print), UtfFraming(), Name("ear", "Ear"), Listener(Random(1)))
"""


async def test_a_strategy_hears_the_same_words_before_a_game(tmp_path: Path) -> None:
    program, heard = tmp_path / "listener.py", tmp_path / "heard"
    program.write_text(LISTENER, encoding="utf-8")
    command = f"{sys.executable} {program} {heard} {{host}} {{port}}"
    outcome = await run(
        *("league", "blockhead", "caller", "maniac", "--bot-cmd", command),
        *("--games", "2", "--hands", "3", "--seed", SEED, "--limit", "60"),
    )
    assert outcome.code == 0
    assert heard.read_text(encoding="utf-8").splitlines() == [str(GameInfo.about(BlockheadGame(hands=3), 2, 3))] * 2
