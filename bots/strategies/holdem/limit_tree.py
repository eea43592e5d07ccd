"""The betting of fixed-limit hold'em between two players, as a tree of all decisions.

A street's betting is told by two numbers: whether its first player began with a check (before the flop, with a call of
the big blind), and how many bets were made since. The betting of a hand is one such pair for each street so far, and
the street under way has the last one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from bots.strategies.holdem.limit_cards import HOLE_BUCKETS, TEXTURES

#: Raises a street, by street from 0; before the flop the big blind is the first of four bets.
MOST_RAISES = (3, 4, 4, 4)
#: Big blinds of a bet, by street.
BET_SIZES = (1, 1, 2, 2)
#: Buckets of cards, by street.
BUCKETS = tuple(textures * buckets for textures, buckets in zip(TEXTURES, HOLE_BUCKETS, strict=True))
STREETS = 4
#: The last street, which is solved at the table.
RIVER = 3
#: Moves by their number.
FOLD, CALL, RAISE = range(3)

Betting = tuple[tuple[bool, int], ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A decision.

    Attributes:
        betting: of each street so far: whether it began with a check, and the bets made.
        first_acts: whether the player who acts first on this street is to act.
        put: big blinds that each player had put in before this street.
        row: where its rows begin in a table that has one for each bucket of each node, those of the river last.
    """

    betting: Betting
    first_acts: bool
    put: float
    row: int

    @property
    def street(self) -> int:
        """The street under way, from 0."""
        return len(self.betting) - 1

    @property
    def loss(self) -> float:
        """Big blinds that the player to act has put in, which a fold loses."""
        checked, bets = self.betting[-1]
        if self.street == 0:
            return 0.5 if not (checked or bets) else float(max(bets, 1))
        return self.put + BET_SIZES[self.street] * max(bets - 1, 0)

    @property
    def owes(self) -> bool:
        """Whether there is something to call."""
        checked, bets = self.betting[-1]
        return bets > 0 or (self.street == 0 and not checked)

    @property
    def may_raise(self) -> bool:
        """Whether another bet is allowed."""
        return self.betting[-1][1] < MOST_RAISES[self.street]

    @property
    def after_call(self) -> Betting | None:
        """The betting after a check or call; None if that is the showdown."""
        checked, bets = self.betting[-1]
        if not (checked or bets):
            return (*self.betting[:-1], (True, 0))
        return (*self.betting, (False, 0)) if self.street < STREETS - 1 else None

    @property
    def after_raise(self) -> Betting:
        """The betting after a bet or raise."""
        checked, bets = self.betting[-1]
        return (*self.betting[:-1], (checked, bets + 1))

    @property
    def stake(self) -> float:
        """Big blinds that each player has put in after a call."""
        base = self.put if self.street else 1.0
        return base + BET_SIZES[self.street] * self.betting[-1][1]


@cache
def tree() -> dict[Betting, Node]:
    """All decisions, each before those that follow it."""
    nodes: dict[Betting, Node] = {}
    row = 0
    starts: list[tuple[Betting, float]] = [(((False, 0),), 0.0)]
    for _ in range(STREETS):
        waiting, starts = starts, []
        for betting, put in waiting:
            checked, bets = betting[-1]
            node = Node(betting, (bets % 2 == 0) != checked, put, row)
            nodes[betting] = node
            row += BUCKETS[node.street]
            if node.may_raise:
                waiting.append((node.after_raise, put))
            called = node.after_call
            if called is not None and len(called) == len(betting):
                waiting.append((called, put))
            elif called is not None:
                starts.append((called, node.stake))
    return nodes


@cache
def rows(streets: int = STREETS) -> int:
    """Rows of a table with one for each bucket of each node of the first ``streets`` streets."""
    return sum(BUCKETS[node.street] for node in tree().values() if node.street < streets)


def path(ended: Betting) -> Iterator[tuple[Node, int]]:
    """The decisions that led through streets that ended, each with the move that was made."""
    for street, (checked, bets) in enumerate(ended):
        before = ended[:street]
        if checked:
            yield tree()[(*before, (False, 0))], CALL
        for made in range(bets):
            yield tree()[(*before, (checked, made))], RAISE
        yield tree()[(*before, (checked, bets))], CALL
