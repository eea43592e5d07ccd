"""What each player did, in figures: replies, faults, pots, and by what they were won."""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from math import ceil

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import Fault, FaultKind
from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.report.explain import NO_MISTAKES, allowed_words
from dealer.report.strengths import cards_seen, ways_of_winning
from protocol.cards import Card
from protocol.wire.codec import TURNS

POTS = 10
"""How many of the largest pots are kept for each player."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hand was played: the number of the table from 0, of the hand from 1, and the player's seat from 0."""

    table: int
    hand: int
    seat: int


@dataclass(frozen=True, slots=True)
class FaultFact:
    """One fault, with the question it belongs to.

    Attributes:
        fault: what was wrong.
        place: where; None for a hand that does not count.
        question: as wire text.
        allowed: the replies that were allowed, in words.
    """

    fault: Fault
    place: Place | None = None
    question: str | None = None
    allowed: str | None = None


@dataclass(frozen=True, slots=True)
class Pot:
    """One pot, as a player saw it.

    Attributes:
        place: where.
        pot: chips in it at the end.
        chips: that the player won, or lost if negative.
        own: the player's cards, hole card first.
        winning: cards that everybody was told.
    """

    place: Place
    pot: int
    chips: int
    own: tuple[Card, ...]
    winning: tuple[Card, ...]


class LargestPots:
    """The ``POTS`` pots with the largest merit; of equals the first ones."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Pot]] = []
        self._count = 0

    def takes(self, merit: int) -> bool:
        """Whether a pot of that merit would be among them."""
        return len(self._heap) < POTS or merit > self._heap[0][0]

    def add(self, merit: int, pot: Pot) -> None:
        """Consider one."""
        self._count += 1
        put = heappush if len(self._heap) < POTS else heappushpop
        put(self._heap, (merit, -self._count, pot))

    @property
    def pots(self) -> list[Pot]:
        """The largest first."""
        return [pot for _, _, pot in sorted(self._heap, reverse=True)]


@dataclass(slots=True)
class Figures:
    """What one player did.

    Attributes:
        micros: microseconds of every reply, as they came.
        faults: in order.
        ways: how often it collected something of a pot, by the kind of its cards.
        won, lost: its largest pots.
    """

    micros: "array[int]" = field(default_factory=lambda: array("q"))
    faults: list[FaultFact] = field(default_factory=list)
    ways: Counter[str] = field(default_factory=Counter)
    won: LargestPots = field(default_factory=LargestPots)
    lost: LargestPots = field(default_factory=LargestPots)

    @property
    def legal_share(self) -> float | None:
        """The share of questions that got a legal reply in time; None if nothing was asked. To quit is no mistake."""
        wrong = sum(fact.fault.kind not in NO_MISTAKES for fact in self.faults)
        asked = len(self.micros) + wrong
        return len(self.micros) / asked if asked else None

    def faults_by_kind(self) -> Counter[FaultKind]:
        """How many of each."""
        return Counter(fact.fault.kind for fact in self.faults)

    def milliseconds(self, *shares: float) -> list[float | None]:
        """Quantiles of the reply times, each the time within which at least that share (0 to 1) of replies came."""
        if not self.micros:
            return [None for _ in shares]
        ordered = sorted(self.micros)
        return [ordered[max(ceil(share * len(ordered)), 1) - 1] / 1000 for share in shares]


class Tally:
    """The figures of all players."""

    def __init__(self, fold: LedgerRebuild) -> None:
        self._fold = fold
        self.by_player: Mapping[Player, Figures] = {}

    def before(self, record: Record) -> None:
        """See ``Watcher``."""

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """See ``Watcher``."""
        match record["type"]:
            case "start":
                self.by_player = {player: Figures() for player in self._fold.ledger.players}
            case "void":
                self._add_lost_faults()
        if hand is not None:
            self._add_replies(hand)
            self._add_pots(hand)

    def _add_lost_faults(self) -> None:
        """The faults of a hand that does not count are all that is left of it."""
        for player, figures in self.by_player.items():
            figures.faults += [FaultFact(fault) for fault in player.faults[len(figures.faults) :]]

    def _add_replies(self, hand: ReplayedHand) -> None:
        for step in hand.steps:
            figures = self.by_player[hand.players[step.seat]]
            if step.seconds is not None:
                figures.micros.append(round(step.seconds * 1e6))
            if step.fault is not None:
                turn, place = step.before.view(step.seat), Place(hand.table, hand.number, step.seat)
                figures.faults.append(
                    FaultFact(step.fault, place, TURNS[type(turn)](turn), allowed_words(turn.legal()))
                )

    def _add_pots(self, hand: ReplayedHand) -> None:
        for seat, way in ways_of_winning(hand).items():
            self.by_player[hand.players[seat]].ways[way] += 1
        for seat, (player, chips) in enumerate(zip(hand.players, hand.settlement.payoffs, strict=True)):
            figures = self.by_player[player]
            largest = figures.won if chips > 0 else figures.lost
            if chips and largest.takes(abs(chips)):
                place, winning = Place(hand.table, hand.number, seat), hand.settlement.cards
                largest.add(abs(chips), Pot(place, hand.last.pot, chips, cards_seen(hand, seat), winning))
