"""The hands that two versions played most differently."""

from dataclasses import dataclass
from heapq import nsmallest

from dealer.audit.hands import ReplayedHand, Step
from dealer.versions.second_hand import first_change
from protocol.wire.codec import encode_action


@dataclass(frozen=True, slots=True)
class Change:
    """A hand that two versions played differently.

    Attributes:
        first: chips that the first version won.
        second: chips that the second one won.
        seat: of the version.
        before: as the first version played it.
        after: as the second one played it.
    """

    first: int
    second: int
    seat: int
    before: ReplayedHand
    after: ReplayedHand

    @property
    def difference(self) -> int:
        """Chips that the second version won more."""
        return self.second - self.first

    @property
    def place(self) -> int:
        """The number of the first action that is another one, from 0."""
        return first_change(self.before, self.after) or 0

    @property
    def actions(self) -> tuple[str, str]:
        """The first actions that differ, as they stand in replies."""
        return _in_words(self.before.steps[self.place]), _in_words(self.after.steps[self.place])

    @property
    def street(self) -> int:
        """On which they differ, from 1."""
        return self.before.steps[self.place].before.public().street


def _in_words(step: Step) -> str:
    """An action as a reply, or the fault for which the dealer acted."""
    if step.action is not None and step.fault is None:
        return encode_action(step.action, step.before.view(step.seat))
    return "folded by the dealer" if step.fault is None else f"fault: {step.fault.kind.value}"


class LargestChanges:
    """The changes with the largest differences, of as many as are added.

    Args:
        most: how many are kept.
        only_losses: whether only those are kept in which the second version won less.
    """

    def __init__(self, most: int, *, only_losses: bool = False) -> None:
        self.kept: list[Change] = []
        self._most = most
        self._only_losses = only_losses

    def add(self, change: Change) -> None:
        """Keep a change, if it is one of the largest so far; of equal ones, the earlier."""
        if change.difference < 0 or (change.difference and not self._only_losses):
            self.kept = nsmallest(self._most, [*self.kept, change], key=lambda one: -abs(one.difference))
