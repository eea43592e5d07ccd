"""The moments of a tournament that a viewer may want to jump to: large pots, knock-outs, new leaders, faults."""

from collections.abc import Sequence
from typing import NamedTuple

from dealer.audit.hands import ReplayedHand
from dealer.journal.records import OutRecord, Record
from dealer.ledger.ledger import Ledger
from dealer.telling.moments import EARLY_HANDS, WinningKinds
from dealer.telling.phrases import OUT
from protocol.events import Voided

#: Hands from one new leader that is told to the next, at least: at the beginning the lead changes all the time.
LEADER_HANDS = 10


class Moment(NamedTuple):
    """A moment to jump to.

    Attributes:
        kind: "out", "leader", "fault", "corrected", "rare", "void"; files add "pot".
        table: from 0.
        hand: its number at the table, from 1.
        frame: of the hand, from 0, which is the deal.
        player: whom it is about, by number; None for nobody.
        amount: chips of the leader; else 0.
        words: what everybody may know: the kind of a fault, what a rare hand was won with.
        reason: of a fault or of leaving, for the host and the player itself.
    """

    kind: str
    table: int
    hand: int
    frame: int
    player: int | None
    amount: int = 0
    words: str = ""
    reason: str | None = None


class Story:
    """Finds the moments while a journal is read."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []
        self._rare = WinningKinds()
        self._hands = 0
        self._leader: int | None = None
        self._led = 0

    @property
    def moments(self) -> Sequence[Moment]:
        """All that were found, in the order of the journal. A fault that put its player out is told once."""
        gone = {(moment.table, moment.hand, moment.player) for moment in self._moments if moment.kind == "out"}
        return [
            moment
            for moment in self._moments
            if moment.kind != "fault" or (moment.table, moment.hand, moment.player) not in gone
        ]

    def take(self, record: Record, hand: ReplayedHand | None, ledger: Ledger) -> None:
        """Take a record."""
        if hand is not None:
            self._hands += 1
            self._note_faults(hand)
            self._note_rare(hand)
            self._note_leader(hand, ledger)
        elif isinstance(record, OutRecord):
            table = ledger.seating.table_of(ledger.players[record.player]).number
            told = record.reason.removeprefix(OUT)
            words, reason = (told, None) if record.kind is None else (record.kind, told)
            self._add("out", table, record.hand, 0, record.player, words=words, reason=reason)
        elif isinstance(record, Voided):
            self._add("void", record.table, record.hand, 0, None)  # the hand is dealt again with this number

    def _note_faults(self, hand: ReplayedHand) -> None:
        for number, step in enumerate(hand.steps, 1):
            player = hand.players[step.seat].number
            if step.fault is not None:
                kind, reason = step.fault.kind.value, step.fault.reason
                self._add("fault", hand.table, hand.number, number, player, words=kind, reason=reason)
            if step.asked is not None:
                self._add("corrected", hand.table, hand.number, number, player, words=f"asked to {step.asked}")

    def _note_rare(self, hand: ReplayedHand) -> None:
        for pot in hand.settlement.pots[:1]:
            if self._rare.note(pot.kind, self._hands) and pot.shown:
                self._add("rare", hand.table, hand.number, 0, hand.players[pot.winners[0]].number, words=pot.kind)

    def _note_leader(self, hand: ReplayedHand, ledger: Ledger) -> None:
        standings = ledger.standings()
        leader = standings[0].player.number
        if leader == self._leader or (len(standings) > 1 and standings[1].place == 1):
            return
        if self._leader is None or self._hands <= EARLY_HANDS:
            self._leader = leader
        elif self._hands >= self._led + LEADER_HANDS:
            self._leader, self._led = leader, self._hands
            self._add("leader", hand.table, hand.number, 0, leader, amount=standings[0].chips)

    def _add(
        self, kind: str, table: int, hand: int, frame: int, player: int | None, *,
        amount: int = 0, words: str = "", reason: str | None = None,
    ) -> None:  # fmt: skip
        self._moments.append(Moment(kind, table, hand, frame, player, amount, words, reason))
