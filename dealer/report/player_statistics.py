"""Statistics of each player: reply times, faults, largest pots, and with what it won."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from math import ceil

from dealer.audit.hands import ReplayedHand
from dealer.faults import NO_MISTAKES, Fault, FaultKind, allowed_words
from dealer.journal.records import CorrectedRecord, Record
from dealer.ledger.ledger import Ledger
from dealer.report.journal_pass import Watcher
from dealer.telling.moments import LargestPots
from protocol.cards import Piece
from protocol.events import Readmitted, RoundBegun, Voided
from protocol.games.base import Hand, Settlement
from protocol.wire.codec import encode

#: The largest pots that are kept for each player, won and lost each.
POTS = 10


@dataclass(frozen=True, slots=True)
class HandSeat:
    """A player's seat in one hand: the number of the table from 0, of the hand from 1, of the seat from 0."""

    table: int
    hand: int
    seat: int


@dataclass(frozen=True, slots=True)
class FaultFact:
    """One fault, with the question it belongs to.

    Attributes:
        fault: its kind and reason.
        at: where it happened; None in a hand that does not count.
        question: as wire text; None in a hand that does not count, and for programs of the ACPC.
        allowed: the replies that were allowed, in words; None likewise.
    """

    fault: Fault
    at: HandSeat | None = None
    question: str | None = None
    allowed: str | None = None


@dataclass(frozen=True, slots=True)
class PotResult:
    """The pot of one hand, as a player saw it.

    Attributes:
        at: the hand, and the player's seat.
        pot: chips in it at the end.
        chips: that the player won, or lost if negative.
        own: the player's cards, hole cards first.
        winning: the winning cards, as all players were told them.
    """

    at: HandSeat
    pot: int
    chips: int
    own: tuple[Piece, ...]
    winning: tuple[Piece, ...]


@dataclass(slots=True)
class PlayerStatistics:
    """The statistics of one player.

    Attributes:
        micros: microseconds until every reply, in the order of the journal.
        faults: in the same order.
        ways: how often it won part of a pot, by the kind of its cards.
        won: the pots in which it won most chips.
        lost: the pots in which it lost most chips.
    """

    micros: "array[int]" = field(default_factory=lambda: array("q"))
    faults: list[FaultFact] = field(default_factory=list)
    ways: Counter[str] = field(default_factory=Counter)
    won: LargestPots[PotResult] = field(default_factory=lambda: LargestPots(POTS))
    lost: LargestPots[PotResult] = field(default_factory=lambda: LargestPots(POTS))

    @property
    def legal_share(self) -> float | None:
        """The share (0 to 1) of questions with a legal reply in time; None without one. To quit is no mistake."""
        kinds = self.faults_by_kind()
        corrected = kinds[FaultKind.CORRECTED]  # these came in time, so their replies are among ``micros``
        asked = len(self.micros) - corrected + sum(kinds[kind] for kind in kinds.keys() - NO_MISTAKES)
        return (len(self.micros) - corrected) / asked if asked else None

    @property
    def mistakes(self) -> list[FaultFact]:
        """The faults that count as mistakes of the program; see ``NO_MISTAKES``."""
        return [fact for fact in self.faults if fact.fault.kind not in NO_MISTAKES]

    def faults_by_kind(self) -> Counter[FaultKind]:
        return Counter(fact.fault.kind for fact in self.faults)

    def milliseconds(self, *shares: float) -> list[float | None]:
        """Quantiles of the reply times: the time within which at least each share (0 to 1) of the replies came."""
        if not self.micros:
            return [None for _ in shares]
        ordered = sorted(self.micros)
        return [ordered[max(ceil(share * len(ordered)), 1) - 1] / 1000 for share in shares]


def winning_kinds(settlement: Settlement) -> dict[int, str]:
    """The kind of cards with which each seat won part of a pot; of the first pot, for a seat that won several."""
    kinds: dict[int, str] = {}
    for pot in settlement.pots:
        for seat in pot.winners:
            kinds.setdefault(seat, pot.kind)
    return kinds


def cards_seen(hand: ReplayedHand, seat: int) -> tuple[Piece, ...]:
    """The cards of a seat as far as it saw them, hole cards first: a seat that folds is not dealt later ones."""
    if seat in hand.last.live:
        return _own(hand.last, seat)
    asked = [step.before for step in hand.steps if step.seat == seat]
    # a seat that never had a choice saw what the first street dealt
    return _own(asked[-1] if asked else hand.steps[0].before, seat)


def _own(hand: Hand, seat: int) -> tuple[Piece, ...]:
    return (*hand.hole(seat), *hand.public().seats[seat].up)


class StatisticsCollector(Watcher):
    """Collects the statistics of all players while the journal is read.

    Attributes:
        by_player: complete when the journal is at its end.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.by_player = {player: PlayerStatistics() for player in ledger.players}

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        match record:
            case CorrectedRecord():
                player = self._ledger.players[record.player]
                table = self._ledger.seating.table_of(player)
                at = HandSeat(table.number, record.hand, table.seated.index(player))
                self.by_player[player].faults.append(FaultFact(player.faults[-1], at))
            case Voided():  # its faults have no other record
                for player, statistics in self.by_player.items():
                    statistics.faults += [FaultFact(fault) for fault in player.faults[len(statistics.faults) :]]
            case Readmitted() | RoundBegun():  # who is let in again is forgiven the last fault
                for player, statistics in self.by_player.items():
                    del statistics.faults[len(player.faults) :]
        if hand is not None:
            self._add_replies(hand)
            self._add_pots(hand)

    def _add_replies(self, hand: ReplayedHand) -> None:
        for step in hand.steps:
            statistics = self.by_player[hand.players[step.seat]]
            if step.seconds is not None:
                statistics.micros.append(round(step.seconds * 1e6))
            if step.fault is not None:
                at = HandSeat(hand.table, hand.number, step.seat)
                if hand.players[step.seat].acpc:
                    statistics.faults.append(FaultFact(step.fault, at))
                else:
                    turn = step.before.view(step.seat)
                    statistics.faults.append(FaultFact(step.fault, at, encode(turn), allowed_words(turn)))

    def _add_pots(self, hand: ReplayedHand) -> None:
        for seat, kind in winning_kinds(hand.settlement).items():
            self.by_player[hand.players[seat]].ways[kind] += 1
        for seat, (player, chips) in enumerate(zip(hand.players, hand.settlement.payoffs, strict=True)):
            statistics = self.by_player[player]
            largest = statistics.won if chips > 0 else statistics.lost
            if chips and largest.takes(abs(chips)):
                at, winning = HandSeat(hand.table, hand.number, seat), hand.settlement.cards
                largest.add(abs(chips), PotResult(at, hand.last.pot, chips, cards_seen(hand, seat), winning))
