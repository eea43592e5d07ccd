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

from bots.arena import play_hand
from bots.strategies.holdem import cornell, equity, royale
from bots.strategy import load_maker, tell
from protocol.estimates.intervals import mean
from protocol.games.holdem import HoldemGame
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.amounts import positive
from tests.bots.strategies.compiled_win_rate import win_rate

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
    bots = [load_maker(name)(Random(f"{seed} {name}")) for name in names]
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
