"""What came out of a journal that was played again with a new version of one player."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dealer.faults import Fault
from dealer.lobby.player import Player
from dealer.versions.changes import Change, LargestChanges
from dealer.versions.paired_chips import PairedChips, chips_won
from dealer.versions.second_hand import PlayedAgain
from dealer.versions.version import Version
from protocol.games.game import Game


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays whom.

    Attributes:
        player: whose hands are played again.
        version: its new version.
        stand_ins: who stands in for each of the others.
    """

    player: Player
    version: Version
    stand_ins: dict[Player, Version]


@dataclass(frozen=True, slots=True)
class HandFault:
    """A fault in a hand that was played again.

    Attributes:
        player: for whom it was made.
        table: from 0.
        hand: its number at the table, from 1.
        fault: what went wrong.
    """

    player: Player
    table: int
    hand: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class NotDealt:
    """An imported hand that cannot be dealt again.

    Attributes:
        table: from 0.
        hand: its number at the table, from 1.
        why: in words.
    """

    table: int
    hand: int
    why: str


@dataclass(slots=True)
class Outcome:
    """What came out.

    Attributes:
        path: of the journal.
        game: what was played.
        players: of the journal, by number.
        plan: who played whom.
        chips: of the player, as recorded and with the new version.
        changes: the hands that changed most.
        changed: hands in which any action was another one.
        from_record: decisions that others took as recorded.
        by_version: decisions of the new version.
        by_stand_ins: decisions of stand-ins.
        faults: of the new version and of stand-ins.
        left_out: hands that the new version could not play because it had ended.
        gave_up: why it could not, as the rest of a sentence.
        not_dealt: imported hands that cannot be dealt again.
    """

    path: Path
    game: Game
    players: Sequence[Player]
    plan: Plan
    changes: LargestChanges
    chips: PairedChips = field(default_factory=PairedChips)
    changed: int = 0
    from_record: int = 0
    by_version: int = 0
    by_stand_ins: int = 0
    faults: list[HandFault] = field(default_factory=list)
    left_out: int = 0
    gave_up: str = ""
    not_dealt: list[NotDealt] = field(default_factory=list)

    def add(self, deal: Hashable, seat: int, played: PlayedAgain) -> None:
        """Count a hand in which the player had this seat."""
        recorded, again = played.recorded, played.again
        before, after = (chips_won(hand.settlement, seat) for hand in (recorded, again))
        self.chips.add(deal, before, after)
        self.from_record += played.from_record
        self.by_version += played.by_version
        self.by_stand_ins += played.by_stand_ins
        for at, fault in played.faults:
            self.faults.append(HandFault(recorded.players[at], recorded.table, recorded.number, fault))
        if played.first_change is not None:
            self.changed += 1
            self.changes.add(Change(before, after, seat, recorded, again))

    @property
    def own_faults(self) -> Sequence[HandFault]:
        """The faults of the new version."""
        return [fault for fault in self.faults if fault.player is self.plan.player]
