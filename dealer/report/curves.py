"""Chips and places over the hands of each table, in a number of points that a page can hold."""

from dataclasses import dataclass, field

from dealer.journal.records import Record
from dealer.player import Player
from dealer.refold import Refold
from dealer.refolded import RefoldedHand

MOST_POINTS = 800
"""Of a curve while it grows; beyond that every second one is dropped."""


@dataclass(slots=True)
class TableCurves:
    """What everybody at one table had won, hand by hand.

    Attributes:
        players: of the table.
        won: chips won in all hands so far.
        hands: the numbers of the hands that have a point, from 0 for the start.
        points: ``won`` behind each of them.
    """

    players: list[Player]
    won: list[int]
    hands: list[int] = field(default_factory=lambda: [0])
    points: list[tuple[int, ...]] = field(default_factory=list)
    _stride: int = 1
    _seen: int = 0
    _last: int = 0

    def add(self, hand: RefoldedHand) -> None:
        """Count a hand."""
        if not self.points:
            self.points.append(tuple(self.won))
        for player, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            self.won[self.players.index(player)] += payoff
        self._seen += 1
        self._last = hand.number
        if self._seen % self._stride == 0:
            self._keep()

    def finish(self) -> None:
        """The last hand has a point, whatever the distance of the others."""
        if not self.points:
            self.points.append(tuple(self.won))
        if self.hands[-1] != self._last:
            self._keep()

    def _keep(self) -> None:
        self.hands.append(self._last)
        self.points.append(tuple(self.won))
        if len(self.hands) > MOST_POINTS:
            self.hands, self.points = self.hands[::2], self.points[::2]
            self._stride *= 2

    def places(self, point: int) -> list[int | None]:
        """Everybody's place at the table at one point, as ``standings.rank`` gives them; None once a player is out."""
        merits = [self._merit(seat, point) for seat in range(len(self.players))]
        return [
            None if self.out(seat, self.hands[point]) else 1 + sum(other > merit for other in merits)
            for seat, merit in enumerate(merits)
        ]

    def out(self, seat: int, hand: int) -> bool:
        """Whether a player had left when that hand was over."""
        player = self.players[seat]
        return player.left is not None and player.left_in <= hand

    def _merit(self, seat: int, point: int) -> tuple[bool, int, int]:
        player = self.players[seat]
        if self.out(seat, self.hands[point]):
            return False, player.left_in, player.left_with
        return True, self.points[point][seat], 0


class Curves:
    """The curves of all tables."""

    def __init__(self, fold: Refold) -> None:
        self._fold = fold
        self.tables: list[TableCurves] = []

    def before(self, record: Record) -> None:
        """See ``Watcher``."""

    def after(self, record: Record, hand: RefoldedHand | None) -> None:
        """See ``Watcher``."""
        if record["type"] == "start":
            tables = self._fold.ledger.tables
            self.tables = [TableCurves(table.players, [0] * len(table.players)) for table in tables]
        elif hand is not None:
            self.tables[hand.table].add(hand)

    def finish(self) -> list[TableCurves]:
        """All tables, complete."""
        for table in self.tables:
            table.finish()
        return self.tables
