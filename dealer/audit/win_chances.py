"""The chances of the seats in a hand whose betting is over before its last street, as the table could work them out."""

from collections.abc import Sequence
from typing import NamedTuple

from dealer.audit.hands import Step
from protocol.games.base import Hand
from protocol.games.game import Game
from protocol.games.run_out import RunOut


class WinChances(NamedTuple):
    """The chances on one street, over all boards that may follow; by seat, with 0 for those who have folded.

    Attributes:
        wins: the chance to win the main pot (0 to 1); winners who tie share it.
        chips: expected to be collected from all pots.
    """

    wins: tuple[float, ...]
    chips: tuple[float, ...]


def run_outs(steps: Sequence[Step], last: Hand, game: Game) -> list[RunOut]:
    """The streets of a finished hand, but the last one, on which the cards of all who were in were shown."""
    first = steps[-1].before.number if steps else 1
    shown = (game.run_out(last, street) for street in range(first, last.number))
    return [one for one in shown if one is not None]


def win_chances(run_out: RunOut, seats: int) -> WinChances:
    """The chances on a street of a hand with so many seats; it takes a tenth of a second before the flop."""
    wins, chips = [0.0] * seats, [0.0] * seats
    counted = run_out.pots_won()
    boards = sum(counted.values())
    for pots, times in counted.items():
        for number, (pot, winners) in enumerate(pots):
            for seat in winners:
                part = times / boards / len(winners)
                chips[seat] += part * pot
                wins[seat] += 0 if number else part
    return WinChances(tuple(wins), tuple(chips))
