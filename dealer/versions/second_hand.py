"""A recorded hand played once more, with another version of one player.

The others act as recorded as long as they see what they saw: a seat that is asked the same questions as in the record
gives the same answers. Once its question is another one, a stand-in answers for it until the hand is over. The
stand-in is asked the questions that the seat has had in this hand first, so that it knows what it could know.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from dealer.audit.hands import ReplayedHand, Step
from dealer.faults import Fault, SeatLost
from dealer.versions.answerer import Answerer, ask, give_up, play_out
from protocol.games.base import Action, Hand

#: Makes who stands in for a seat of the hand and has sat down; raises ``SeatLost`` if nobody can.
StandIn = Callable[[int], Awaitable[Answerer]]


class AskedFault(NamedTuple):
    """A fault of a version or a stand-in in a hand that was played again.

    Attributes:
        seat: that made it.
        fault: what went wrong.
    """

    seat: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class PlayedAgain:
    """A hand that was played again.

    Attributes:
        recorded: as it was played first.
        again: as it was played now.
        from_record: decisions that others took as recorded.
        by_version: decisions of the new version.
        by_stand_ins: decisions of stand-ins.
        faults: of the new version and of stand-ins.
    """

    recorded: ReplayedHand
    again: ReplayedHand
    from_record: int
    by_version: int
    by_stand_ins: int
    faults: tuple[AskedFault, ...]

    @property
    def first_change(self) -> int | None:
        """The place of the first action that is another one; None if there is none."""
        return first_change(self.recorded, self.again)


def first_change(one: ReplayedHand, other: ReplayedHand) -> int | None:
    """The place of the first action in which two plays of a hand differ; None if all are the same."""
    first, second = actions_of(one), actions_of(other)
    for place, (before, after) in enumerate(zip(first, second, strict=False)):
        if before != after:
            return place
    # A hand that is played differently differs in an action: what follows the same actions is the same.
    return None


def actions_of(hand: ReplayedHand) -> list[tuple[int, Action | None]]:
    """The actions of a hand with their seats; None where the dealer folded for the seat."""
    return [(step.seat, step.action) for step in hand.steps]


class SecondHand:
    """A hand that is being played again.

    Args:
        recorded: as it was played first.
        replaced: the seat of the player with the new version.
        version: who answers for that seat.
        stand_in: makes who answers for another one, when it sees something else than in the record.
        dealt: the hand before its first action, if it is not that of the record.
    """

    def __init__(
        self, recorded: ReplayedHand, replaced: int, version: Answerer, stand_in: StandIn, dealt: Hand | None = None
    ) -> None:
        self._recorded = recorded
        self._dealt = dealt or (recorded.steps[0].before if recorded.steps else recorded.last)
        self._replaced = replaced
        self._version = version
        self._stand_in = stand_in
        self._known = [[step for step in recorded.steps if step.seat == seat] for seat in range(len(recorded.players))]
        self._followed = [0] * len(recorded.players)
        self._stand_ins: dict[int, Answerer] = {}
        self._from_record = self._by_version = self._by_stand_ins = 0
        self._faults: list[AskedFault] = []

    async def play(self) -> PlayedAgain:
        """Play it to its end, and tell those who were asked how it ended."""
        recorded = self._recorded
        steps, last = await play_out(self._dealt, self._take)
        settlement = last.settle()
        statuses = settlement.statuses()
        for seat, answerer in {self._replaced: self._version, **self._stand_ins}.items():
            answerer.hand_over(statuses[seat])
        again = replace(recorded, steps=tuple(steps), last=last, settlement=settlement)
        return PlayedAgain(
            recorded, again, self._from_record, self._by_version, self._by_stand_ins, tuple(self._faults)
        )

    async def _take(self, hand: Hand, seat: int) -> tuple[Step, Hand]:
        """The turn of a seat; see ``Take``."""
        if seat == self._replaced:
            self._by_version += 1
            return self._noted(await ask(self._version, hand, seat))
        step = self._recorded_step(hand, seat)
        if step is not None:
            self._followed[seat] += 1
            self._from_record += 1
            return replace(step, before=hand), hand.concede() if step.action is None else hand.apply(step.action)
        self._by_stand_ins += 1
        return self._noted(await self._ask_stand_in(hand, seat))

    def _recorded_step(self, hand: Hand, seat: int) -> Step | None:
        """What the seat did in the record, if it has seen nothing else until now."""
        known, place = self._known[seat], self._followed[seat]
        if seat in self._stand_ins or place == len(known) or known[place].before.view(seat) != hand.view(seat):
            return None
        return known[place]

    async def _ask_stand_in(self, hand: Hand, seat: int) -> tuple[Step, Hand]:
        if seat not in self._stand_ins:
            try:
                self._stand_ins[seat] = await self._stand_in(seat)
                await self._catch_up(seat)
            except SeatLost as lost:
                return give_up(hand, seat, lost.fault)
        return await ask(self._stand_ins[seat], hand, seat)

    async def _catch_up(self, seat: int) -> None:
        """Ask the stand-in what the seat was asked in this hand so far; the answers are those of the record."""
        for step in self._known[seat][: self._followed[seat]]:
            await self._stand_ins[seat].answer(step.before.view(seat))

    def _noted(self, taken: tuple[Step, Hand]) -> tuple[Step, Hand]:
        step, _ = taken
        if step.fault is not None:
            self._faults.append(AskedFault(step.seat, step.fault))
        return taken
