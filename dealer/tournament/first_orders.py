"""Orders of the host that are given before the first hand: by flags, at the desk, or by keys while players gather."""

from dataclasses import dataclass, replace
from typing import Self

from dealer.tournament.show_plan import DEFAULT_MINUTES
from dealer.tournament.tempo import LONGEST_SHOW, SLOWEST_PACE, tempo_in_words
from dealer.tournament.tournament import Tournament

#: What faster divides the time by, and slower multiplies it with.
HURRY = 1.5


@dataclass(frozen=True, slots=True)
class FirstOrders:
    """What the host wants of a tournament that has not begun, or not gone on.

    Attributes:
        pace: the least seconds of a hand; None leaves the pace as it is.
        paused: whether the tournament is paused; None leaves that as it is.
        length: seconds that it should take; None leaves that as it is.
    """

    pace: float | None = None
    paused: bool | None = None
    length: float | None = None

    def hurried(self, factor: float) -> Self:
        """The orders with a show that takes ``factor`` times as long. Without a show a slower one gets the usual."""
        if self.length is not None:
            return replace(self, length=min(self.length * factor, 60 * LONGEST_SHOW))
        if self.pace:
            return replace(self, pace=min(self.pace * factor, SLOWEST_PACE))
        return replace(self, pace=None, length=60 * DEFAULT_MINUTES) if factor > 1 else self

    @property
    def pace_in_words(self) -> str:
        """How fast the tournament will be, as the end of a sentence."""
        return tempo_in_words(self.length, self.pace or 0.0)

    def give(self, tournament: Tournament) -> None:
        """Give them. Called before the first hand, when orders of the host can be recorded."""
        if self.pace is not None:
            tournament.set_pace(self.pace)
        if self.length is not None:
            tournament.set_length(self.length)
        if self.paused is True and not tournament.tempo.paused:
            tournament.pause()
        if self.paused is False and tournament.tempo.paused:
            tournament.resume()


#: Leaves everything as it is.
NO_ORDERS = FirstOrders()
