"""The chances of the seats in a hand whose betting is over before its last street, as the table could work them out.

Where few boards can follow, all are counted; else a sample of them, which depends on the cards alone, so that replay,
page and report show the same figures.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from math import comb
from operator import itemgetter
from random import Random
from typing import NamedTuple

from dealer.audit.hands import Step
from protocol.cards import Card
from protocol.games.base import Hand
from protocol.games.game import Game
from protocol.games.run_out import RunOut

#: Boards that are all counted, at most: two cards are missing behind a flop (45 unseen cards make 990 pairs).
MOST_COUNTED = 1000

#: Boards in a sample. A chance of one half has a 95 % interval of 2.2 per cent points.
SAMPLE = 2000


class WinChances(NamedTuple):
    """The chances on one street; by seat, with 0 for those who have folded.

    Attributes:
        street: its number, from 1.
        board: the cards on the board.
        live: the seats that are in.
        wins: the chance to win the main pot (0 to 1); winners who tie share it.
        chips: expected to be collected from all pots.
        exact: whether all boards were counted; else the figures come from a sample.
    """

    street: int
    board: tuple[Card, ...]
    live: tuple[int, ...]
    wins: tuple[float, ...]
    chips: tuple[float, ...]
    exact: bool


def run_outs(steps: Sequence[Step], last: Hand, game: Game) -> list[RunOut]:
    """The streets of a finished hand, but the last one, on which the cards of all who were in were shown."""
    first = steps[-1].before.number if steps else 1
    shown = (game.run_out(last, street) for street in range(first, last.number))
    return [one for one in shown if one is not None]


def win_chances(run_out: RunOut, seats: int) -> WinChances:
    """The chances on a street of a hand with so many seats."""
    count = ChanceCount(run_out, seats)
    while not count.add(MOST_COUNTED):
        pass
    return count.chances


class ChanceCount:
    """Counts the boards that may follow, some at a time, so that others can run in between."""

    def __init__(self, run_out: RunOut, seats: int) -> None:
        boards = comb(len(run_out.unseen), run_out.missing)
        self._exact = boards <= MOST_COUNTED
        self._left = boards if self._exact else SAMPLE
        self._run_out = run_out
        self._boards = _all_boards(run_out) if self._exact else _random_boards(run_out)
        self._counted = 0
        self._wins, self._chips = [0.0] * seats, [0.0] * seats

    def add(self, boards: int) -> bool:
        """Count up to so many boards more; whether all are counted."""
        counted = list(islice(self._boards, boards))
        self._counted += len(counted)
        for pots, times in self._run_out.pots_won(counted).items():
            for number, (chips, winners) in enumerate(pots):
                for seat in winners:
                    self._chips[seat] += times * chips / len(winners)
                    if not number:
                        self._wins[seat] += times / len(winners)
        return self._counted == self._left

    @property
    def chances(self) -> WinChances:
        """The chances by what has been counted; at least one board must be."""
        run_out, counted = self._run_out, self._counted
        wins, chips = (tuple([total / counted for total in totals]) for totals in (self._wins, self._chips))
        return WinChances(run_out.street, run_out.board, run_out.live, wins, chips, self._exact)


def _all_boards(run_out: RunOut) -> Iterator[int]:
    return map(sum, combinations(run_out.codes, run_out.missing))


def _random_boards(run_out: RunOut) -> Iterator[int]:
    """A sample of the boards: the cards are shuffled, and then dealt from the same random places for all hands."""
    cards = sorted(zip(run_out.unseen, run_out.codes, strict=True))
    Random(" ".join(card.text for card, _ in cards)).shuffle(cards)
    codes = [code for _, code in cards]
    return (sum(take(codes)) for take in _random_places(len(codes), run_out.missing))


@cache
def _random_places(cards: int, missing: int) -> Sequence[Callable[[Sequence[int]], Sequence[int]]]:
    """What takes the codes of a board from so many, for each board of a sample; two are missing or more."""
    chance = Random(0)
    return [itemgetter(*chance.sample(range(cards), missing)) for _ in range(SAMPLE)]
