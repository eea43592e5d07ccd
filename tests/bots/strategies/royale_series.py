"""Money and place in the preset ``royale``: ``python -m tests.bots.strategies.royale_series 300``. Minutes.

A tournament has 25 games between ``holdem`` and one each of six other bots, with its own cards and seats, and new
players who know nothing of each other. The roll-outs of the others are compiled, which takes much less time. Intervals
are at 95 %.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

from bots.arena import play_hand
from bots.strategies.holdem import cornell, equity, royale
from bots.strategies.holdem.rollouts import opponents
from bots.strategy import tell
from protocol.cards import DECK
from protocol.estimates.intervals import mean
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import (
    _SUIT_START,
    BOARD,
    CARDS,
    Cards,
    key_of,
    next_random,
    place_of,
    seeded,
)
from protocol.installed_bots import load_bot
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.helpers import positive

_INDEX = {card: index for index, card in enumerate(DECK)}


def win_rate(turn: HoldemTurn, rng: Random, rounds: int) -> float:
    """As ``rollouts.win_rate``, with other chance."""
    hole, board = (np.array([_INDEX[card] for card in cards], np.int8) for cards in (turn.hole, turn.board))
    return float(_win_rate(hole, board, opponents(turn), rounds, np.uint64(rng.getrandbits(63))))


@jit
def _win_rate(hole: Cards, board: Cards, rivals: int, rounds: int, seed: np.uint64) -> float:
    deck, unseen = np.empty(CARDS, np.int8), 0
    for card in range(CARDS):
        known = False
        for other in hole:
            known |= other == card
        for other in board:
            known |= other == card
        if not known:
            deck[unseen] = card
            unseen += 1
    dealt, missing = len(board), BOARD - len(board)
    common, theirs = np.empty(BOARD, np.int8), np.empty(2, np.int8)
    common[:dealt] = board
    own, won, state = key_of(hole) - _SUIT_START, 0.0, seeded(seed)
    for _ in range(rounds):
        for place in range(missing + 2 * rivals):
            state = next_random(state)
            other = place + np.int64(((state >> np.uint64(32)) * np.uint64(unseen - place)) >> np.uint64(32))
            deck[place], deck[other] = deck[other], deck[place]
        common[dealt:] = deck[:missing]
        shared = key_of(common)
        mine, sharing = place_of(shared + own, hole, common), 1
        for rival in range(rivals):
            theirs[:] = deck[missing + 2 * rival : missing + 2 * rival + 2]
            strength = place_of(shared + key_of(theirs) - _SUIT_START, theirs, common)
            if strength > mine:
                sharing = 0
                break
            sharing += strength == mine
        if sharing:
            won += 1 / sharing
    return won / rounds


ROYALE = HoldemGame.from_facts({"preset": "royale"})
#: The players beside the one that is measured.
OTHERS = ("simple", "rollout-1", "rollout-5", "rollout-10", "sklansky", "cornell")


class Ending(NamedTuple):
    """Chips of a player after the last game, and its place."""

    money: int
    place: int


@contextmanager
def compiled_roll_outs() -> Iterator[None]:
    """Let the other bots use compiled roll-outs meanwhile."""
    with ExitStack() as patches:
        for module in (royale, cornell, equity):
            patches.enter_context(patch.object(module, "win_rate", win_rate))
        yield


def endings(bot: str, tournaments: int, seed: str) -> Iterator[Ending]:
    """How a bot ends in each of several tournaments."""
    for number in range(tournaments):
        yield _tournament(bot, f"{seed} {number}")


def _tournament(bot: str, seed: str) -> Ending:
    names = Random(seed).sample((bot, *OTHERS), 1 + len(OTHERS))
    bots = [load_bot(name)(Random(f"{seed} {name}")) for name in names]
    match = ROYALE.start(len(bots))
    for seat, player in enumerate(bots):
        tell(player, GameInfo.about(ROYALE, seat, len(bots)))
    left: dict[int, tuple[int, int]] = {}
    for number in range(1, ROYALE.hands + 1):
        if match.over:
            break
        before = match.stacks
        match = match.record(play_hand(ROYALE, match, bots, seed_from_text(seed), number).settlement)
        left |= {
            player: (number, before[player])
            for player in range(len(bots))
            if before[player] and not match.stacks[player]
        }
    ranked = sorted(range(len(bots)), key=lambda player: (match.stacks[player], left.get(player, (0, 0))), reverse=True)
    me = names.index(bot)
    return Ending(match.stacks[me], ranked.index(me) + 1)


def main() -> None:
    """Play, and print the mean money and place, on the way too."""
    parser = argparse.ArgumentParser(prog="python -m tests.bots.strategies.royale_series", description=main.__doc__)
    parser.add_argument("tournaments", type=positive)
    parser.add_argument("bot", nargs="?", default="holdem", help="that is measured (%(default)s)")
    parser.add_argument("seed", nargs="?", default="royale", help="any text (%(default)s)")
    options = parser.parse_args()
    with compiled_roll_outs():
        play_series(options.tournaments, options.bot, options.seed)


def play_series(tournaments: int, bot: str, seed: str) -> None:
    """Play so many tournaments, and print the mean money and place, on the way too."""
    money: list[float] = []
    places: list[float] = []
    for number, ending in enumerate(endings(bot, tournaments, seed), 1):
        money.append(ending.money)
        places.append(ending.place)
        if number > 1:
            print(
                f"{bot}, {number} tournaments: {_text(money)} chips, place {_text(places)}", end="\r", file=sys.stderr
            )
    print(f"{bot}, {tournaments} tournaments: {_text(money)} chips, place {_text(places)}  ")


def _text(values: Sequence[float]) -> str:
    found = mean(values)
    assert found is not None
    return f"{found.value:.2f} ± {(found.high - found.low) / 2:.2f}"


if __name__ == "__main__":
    main()
