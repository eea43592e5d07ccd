"""The course of a tournament: its largest pots, who fell and by whom, who led, and the rarest winning hand."""

from collections import Counter
from collections.abc import Collection
from heapq import heappush, heappushpop
from typing import NamedTuple

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import FaultKind
from dealer.journal.records import OutRecord, Record
from dealer.lobby.player import Player
from dealer.report.head_to_head import transfers
from dealer.report.journal_pass import Watcher
from dealer.telling.moments import WinningKinds
from protocol.events import Readmitted, RoundBegun

#: Hands with the largest pots that are kept.
LARGEST = 3

#: The last changes of the lead that are kept.
LEADS = 5


class Fall(NamedTuple):
    """A player who was out, of the tournament or of a round.

    Attributes:
        player: who.
        table: where, from 0.
        hand: in which it fell, from 1; 0 before the first.
        by: who won its last chips; None if nobody did.
        fault: why it had to leave; None if it ran out of chips.
    """

    player: Player
    table: int
    hand: int
    by: Player | None
    fault: FaultKind | None


class Lead(NamedTuple):
    """A player who had the most chips from a hand on; ``before`` led until then, if anybody did."""

    player: Player
    table: int
    hand: int
    before: Player | None


class Rarity(NamedTuple):
    """The last hand that was won with the rarest kind of cards, and how often that was."""

    hand: ReplayedHand
    kind: str
    times: int


class Leads:
    """The player with the most chips, alone, hand by hand; players who are out do not lead.

    Attributes:
        changes: how often somebody took the lead from somebody else.
        latest: the last ``LEADS`` times that somebody took it.
        leader: who has it; None if nobody has it alone.
    """

    def __init__(self) -> None:
        self.changes = 0
        self.latest: list[Lead] = []
        self.leader: Player | None = None
        self._chips: Counter[Player] = Counter()
        self._out: set[Player] = set()

    def add(self, hand: ReplayedHand) -> None:
        """Count the chips of a hand."""
        for player, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            self._chips[player] += payoff
        self._look(hand.table, hand.number)

    def leave(self, player: Player) -> None:
        """Note that a player is out; who leads then is seen after the next hand."""
        self._out.add(player)

    def come_back(self, player: Player) -> None:
        """Note that a player was let in again."""
        self._out.discard(player)

    def _look(self, table: int, number: int) -> None:
        most = max((chips for player, chips in self._chips.items() if player not in self._out), default=0)
        first = [player for player, chips in self._chips.items() if chips == most and player not in self._out]
        self.leader = first[0] if len(first) == 1 else None
        before = self.latest[-1].player if self.latest else None
        if self.leader is not None and self.leader is not before:
            self.changes += before is not None
            self.latest = [*self.latest[1 - LEADS :], Lead(self.leader, table, number, before)]


class Course(Watcher):
    """Collects the course of a tournament while its journal is read.

    Attributes:
        falls: in the order in which they happened, of all rounds, without players who were let in again.
        leads: of the last round.
        last: the last hand; None before the first.
    """

    def __init__(self, rebuild: LedgerRebuild) -> None:
        self._rebuild = rebuild
        self._pots: list[tuple[int, int, ReplayedHand]] = []
        self._hands = 0
        self._kinds, self._won_with = WinningKinds(), dict[str, ReplayedHand]()
        self._last_at: dict[int, ReplayedHand] = {}
        self.falls: list[Fall] = []
        self.leads = Leads()
        self.last: ReplayedHand | None = None

    @property
    def largest(self) -> list[ReplayedHand]:
        """The hands with the largest pots, the largest first; of equal ones the first."""
        return [hand for _, _, hand in sorted(self._pots, reverse=True, key=lambda pot: pot[:2])]

    @property
    def rarest(self) -> Rarity | None:
        """The rarest kind of cards that won a pot; None if none was rare."""
        rarest = self._kinds.rarest(self._hands)
        return None if rarest is None else Rarity(self._won_with[rarest[0]], *rarest)

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        match record:
            case RoundBegun():
                self.leads = Leads()
                self._come_back(record.readmitted)
            case OutRecord():
                self._fall(record)
            case Readmitted():
                self._come_back([record.player])
        if hand is not None:
            self._add(hand)

    def _add(self, hand: ReplayedHand) -> None:
        self.last = self._last_at[hand.table] = hand
        self._hands += 1
        put = heappush if len(self._pots) < LARGEST else heappushpop
        if any(hand.settlement.shares):
            put(self._pots, (hand.last.pot, -self._hands, hand))
        for pot in hand.settlement.pots[:1]:
            if pot.shares:
                self._kinds.note(pot.kind, self._hands)
                self._won_with[pot.kind] = hand
        self.leads.add(hand)

    def _fall(self, record: OutRecord) -> None:
        player = self._rebuild.ledger.players[record.player]
        table = self._rebuild.ledger.seating.table_of(player).number
        by = None if record.kind is not None else self._knocked_out_by(player, self._last_at.get(table))
        self.falls.append(Fall(player, table, record.hand, by, record.kind))
        self.leads.leave(player)

    def _come_back(self, numbers: Collection[int]) -> None:
        """Players whom the host has let in again have not fallen."""
        again = {self._rebuild.ledger.players[number] for number in numbers}
        self.falls = [fall for fall in self.falls if fall.player not in again]
        for player in again:
            self.leads.come_back(player)

    @staticmethod
    def _knocked_out_by(player: Player, hand: ReplayedHand | None) -> Player | None:
        """The player who won most of the last chips of another; None if some are left, which do not pay for a hand."""
        if hand is None or player not in hand.players:
            return None
        seat = hand.players.index(player)
        if hand.last.starting[seat] + hand.settlement.payoffs[seat] > 0:
            return None
        paid = {
            one: start - stack
            for one, start, stack in zip(hand.players, hand.last.starting, hand.last.stacks, strict=True)
        }
        won = transfers(paid, dict(zip(hand.players, hand.settlement.shares, strict=True)))
        from_player = {one: chips for (one, two), chips in won.items() if two is player}
        from_player |= {two: -chips for (one, two), chips in won.items() if one is player}
        winner = max(from_player, key=lambda one: from_player[one], default=None)
        return winner if winner is not None and from_player[winner] > 0 else None
