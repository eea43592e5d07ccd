"""Two versions of a program in one game against one opponent, and whether the new one is worse."""

from dataclasses import dataclass, field

from dealer.faults import Fault
from dealer.versions.changes import LargestChanges
from dealer.versions.paired_chips import PairedChips
from dealer.versions.version import Version
from protocol.estimates.intervals import CONFIDENCE
from protocol.games.game import Game


@dataclass(frozen=True, slots=True)
class Contest:
    """One game against one opponent.

    Attributes:
        game: what is played, with its usual options.
        new: the new version.
        old: the old version.
        opponent: the house bot in the other seats.
    """

    game: Game
    new: Version
    old: Version
    opponent: str


@dataclass(frozen=True, slots=True)
class DealFault:
    """A fault of a version.

    Attributes:
        deal: its number, from 1.
        seat: in which it was made.
        fault: what went wrong.
    """

    deal: int
    seat: int
    fault: Fault


@dataclass(slots=True)
class Compared:
    """Two versions in one game against one opponent.

    Attributes:
        contest: who played whom.
        tests: how many there are in all, for which the intervals and verdicts are corrected.
        chips: of the old version, and of the new one.
        changed: hands in which any action was another one.
        losses: the hands with the largest losses.
        new_faults: of the new version.
        old_faults: of the old version.
    """

    contest: Contest
    tests: int
    losses: LargestChanges
    chips: PairedChips = field(default_factory=PairedChips)
    changed: int = 0
    new_faults: list[DealFault] = field(default_factory=list)
    old_faults: list[DealFault] = field(default_factory=list)

    @property
    def wins_less(self) -> bool:
        """Whether the new version won significantly less, in view of all comparisons."""
        return self.chips.p_worse() * self.tests <= (1 - CONFIDENCE) / 2

    @property
    def breaks(self) -> bool:
        """Whether the new version made faults, and the old one none."""
        return bool(self.new_faults) and not self.old_faults

    @property
    def worse(self) -> bool:
        """Whether the new version is worse."""
        return self.wins_less or self.breaks
