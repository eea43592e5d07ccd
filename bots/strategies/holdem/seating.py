"""Which player sits in which seat: seats are counted anew when a player leaves, and the view names nobody.

Stacks tell who left. A player has no more chips in the next hand than those it had at the last question and those it
collected since, and all chips stay at the table. Where that leaves several answers, players are taken as new ones.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, count

from protocol.games.base import Status
from protocol.games.holdem_turn import HoldemTurn


class Seating:
    """The players at the table, as numbers that stay the same from hand to hand.

    Args:
        keeps_stacks: whether players play on with the chips they have; if not, nobody leaves and seats stay.
    """

    def __init__(self, keeps_stacks: bool) -> None:
        self._keeps_stacks = keeps_stacks
        self._numbers = count()
        self._players: list[int] = []
        self._most: list[int] = []
        self._total = 0
        self._own = 0
        self._asked = False
        self._unseen = False

    def player(self, seat: int) -> int:
        while seat >= len(self._players):
            self._players.append(next(self._numbers))
        return self._players[seat]

    def question(self, turn: HoldemTurn, own: int) -> None:
        """Take in a question; at the first one of a hand, find out who sits where."""
        chips = [seat.stack + seat.put for seat in turn.seats]
        total = turn.pot + sum(seat.stack for seat in turn.seats)
        if self._keeps_stacks and not self._asked and self._most:
            self._players = self._found(chips, total, own)
        self._asked, self._unseen = True, False
        self._most, self._total, self._own = chips, total, own

    def hand_over(self, status: Status) -> None:
        """Take in who collected chips."""
        self._unseen |= not self._asked
        self._asked = False
        for seat, chips in status.collected:
            if seat < len(self._most):
                self._most[seat] += chips

    def _found(self, chips: Sequence[int], total: int, own: int) -> list[int]:
        """The players by seat in a new hand."""
        if total != self._total or len(chips) > len(self._most) or (self._unseen and len(chips) < len(self._most)):
            return self._new(len(chips))
        answers = list(self._answers(chips, own))
        if not answers:
            return self._new(len(chips))
        return [
            self.player(seats[0]) if len(set(seats)) == 1 else next(self._numbers)
            for seats in zip(*answers, strict=True)
        ]

    def _answers(self, chips: Sequence[int], own: int) -> Iterator[tuple[int, ...]]:
        """The old seats, in order, of those who may have stayed."""
        for stayed in combinations(range(len(self._most)), len(chips)):
            if stayed[own] == self._own and all(
                have <= self._most[seat] for have, seat in zip(chips, stayed, strict=True)
            ):
                yield stayed

    def _new(self, players: int) -> list[int]:
        return [next(self._numbers) for _ in range(players)]
