"""Fixed-limit hold'em between two players: buckets of cards, a tree of all betting, and the table of how it is played.

A bucket on the flop or later tells the *texture* of the board, and of the hole cards how strong they are for it. Those
of the river serve the training alone, since the bot solves the river.

A street's betting is told by two numbers: whether its first player began with a check (before the flop, with a call of
the big blind), and how many bets were made since. The betting of a hand is one such pair for each street so far, and
the street under way has the last one.
"""

import lzma
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgpack

#: Cards on the board, by street from 0.
SEEN = (0, 3, 4, 5)
#: Buckets of hole cards on one texture: before the flop all, then groups by mean square times parts by mean.
HOLE_BUCKETS = (169, 200, 200, 100)
GROUPS, PARTS = 25, 8
RIVER_BUCKETS = HOLE_BUCKETS[3]
#: Kinds of boards that are told apart: by suits, pairs, and high cards (see ``texture``).
TEXTURES = (1, 15, 12, 6)
#: Indices in ``DECK`` from which a card is an ace, at least a king, and at least a queen.
ACE, KING, QUEEN = 48, 44, 40

Thresholds = Sequence[tuple[Sequence[float], Sequence[Sequence[float]]]]


def texture(board: Sequence[int]) -> int:
    """The number of a board's texture among those of its street; cards by their index in ``DECK``.

    It tells how many cards have the same suit (at most 1, 2 or 3 on flop and turn; 2, 3 or 4 on the river) and whether
    there is a pair. On the flop also whether the highest card is an ace, a king or queen, or lower; on the turn whether
    there is an ace or king.
    """
    suited = max(Counter(card & 3 for card in board).values())
    paired = len({card >> 2 for card in board}) < len(board)
    if len(board) == SEEN[3]:
        return 2 * (min(max(suited, 2), 4) - 2) + paired
    kind = 2 * (min(suited, 3) - 1) + paired
    highest = max(board)
    if len(board) == SEEN[2]:
        return 2 * kind + (highest >= KING)
    return 3 * kind + (highest >= QUEEN) + (highest >= ACE)


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


FILE = Path(__file__).with_name("limit_table.msgpack.xz")
#: In how many equal steps the table tells how often to fold and to raise.
LEVELS = 15


@lru_cache(maxsize=1)
def load() -> dict[str, Any]:
    """The table that is shipped, see ``read``; it takes about 0.2 s, once."""
    return read(FILE)


def read(file: Path) -> dict[str, Any]:
    """What ``python -m bots.train.limit_equilibrium`` wrote.

    ``thresholds`` are those of ``limit_board.hole_buckets``. ``moves`` has a byte for each bucket of each node of
    ``tree`` before the river: how often to fold in its upper half and how often to raise in its lower one, in parts of
    ``LEVELS``.
    """
    table: dict[str, Any] = msgpack.unpackb(lzma.decompress(file.read_bytes()), use_list=False)
    return table
