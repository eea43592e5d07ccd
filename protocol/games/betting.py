"""One betting street: who has put in what, and who still has to act.

"Betting continues until every player has bet the same total amount or folded." Seats act in a queue:
acting takes a seat off its front, and a raise puts every other live seat back in.
"""

from typing import NamedTuple, Self

from protocol.games.base import made


class Street(NamedTuple):
    """A betting round between ``live`` seats; the values after each action are a new ``Street``.

    Attributes:
        live: seats that have not folded, in acting order from the opener.
        queue: seats that still have to act, in order; the street is over when it is empty.
        put: chips each seat of the table has put in on this street, indexed by seat.
        highest: the most chips that any seat has put in on this street.
    """

    live: tuple[int, ...]
    queue: tuple[int, ...]
    put: tuple[int, ...]
    highest: int = 0

    @classmethod
    def open(cls, live: tuple[int, ...], opener: int, seats: int) -> Self:
        """A street nobody has bet on, opened by ``opener`` at a table of ``seats``."""
        first = live.index(opener)
        order = live[first:] + live[:first]
        return cls(order, order, (0,) * seats)

    def owed(self, seat: int) -> int:
        """Chips ``seat`` must put in to stay."""
        return self.highest - self.put[seat]

    def bet(self, amount: int) -> Self:
        """The first seat of the queue puts in ``amount``: what it owes, or more.

        More than it owes is a raise, which puts every other live seat back in the queue.
        """
        seat, put = self.queue[0], self.put
        total = put[seat] + amount
        if amount:
            put = (*put[:seat], total, *put[seat + 1 :])
        if total <= self.highest:
            return made(self.__class__, (self.live, self.queue[1:], put, self.highest))
        turn = self.live.index(seat)
        return made(self.__class__, (self.live, self.live[turn + 1 :] + self.live[:turn], put, total))

    def fold(self) -> Self:
        """The first seat of the queue is out; the last seat left has nobody to bet against."""
        seat = self.queue[0]
        turn = self.live.index(seat)
        live = self.live[:turn] + self.live[turn + 1 :]
        return self.__class__(live, self.queue[1:] if len(live) > 1 else (), self.put, self.highest)
