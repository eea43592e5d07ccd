"""The course of a tournament: chips and places over the hands of each round, and what is worth telling of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dealer.audit.hands import ReplayedHand
from dealer.journal.records import LevelRecord, OutRecord, Record
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import rank_by
from dealer.lobby.player import Player
from dealer.replayer.recording import Story
from dealer.report.journal_pass import Watcher
from dealer.telling.curves import Curves
from protocol.events import Readmitted, RoundBegun, Voided

#: Points of a curve, at most.
MOST_POINTS = 800


@dataclass(slots=True)
class RoundCurves:
    """The chips that each player of a round had won, hand by hand, at all tables.

    Tables play at their own speed. So hand number ``n`` of the round counts as over when the first table begins hand
    ``n + 1``.

    Attributes:
        players: of the round.
        won: chips won so far, by the numbers of all players.
        levels: the hand after which each level began.
        gone: the hand after which a player was out.
        reached: the number of the last hand so far.
    """

    players: list[Player]
    won: list[int]
    levels: dict[int, int] = field(default_factory=dict)
    gone: dict[Player, int] = field(default_factory=dict)
    reached: int = 0
    _curves: Curves[int] = field(default_factory=lambda: Curves(MOST_POINTS))

    def __post_init__(self) -> None:
        self._curves.note(0, self.won)

    @property
    def hands(self) -> list[int]:
        """The numbers of the hands that have a point, from 0 for the start."""
        return [point.hand for point in self._curves.points]

    def add(self, hand: ReplayedHand) -> None:
        if hand.number > self.reached:
            if self._curves.due(self.reached):
                self._curves.note(self.reached, self.won)
            self.reached = hand.number
        for player, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            self.won[player.number] += payoff

    def finish(self) -> None:
        """Add the last hand as a point, even if it is nearer to the one before than others are."""
        self._curves.note(self.reached, self.won)

    def chips(self, player: Player) -> list[int]:
        """The chips that a player had won at each point."""
        return [point.chips[player.number] or 0 for point in self._curves.points]

    def places(self, number: int) -> dict[Player, int]:
        """The places by chips, at one point, of the players who were still in."""
        point = self._curves.points[number]
        chips = {player: point.chips[player.number] or 0 for player in self.players if not self.out(player, point.hand)}
        return {standing.player: standing.place for standing in rank_by(chips, chips)}

    def out(self, player: Player, hand: int) -> bool:
        """True if a player was out when that hand was over."""
        return player in self.gone and self.gone[player] <= hand


class CourseWatcher(Watcher):
    """Follows the course while the journal is read.

    Attributes:
        round: in progress, or the last one.
        places: of all players at the end of each round; ``finish`` adds the round in progress.
        story: the moments for the replays.
        told: who led, who fell, the largest pots and the rarest hand.
        largest: the hand with the largest pot, with its cards; None before the first.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.round = self._new_round()
        self.places: list[Mapping[Player, int]] = []
        self.story = Story(ledger)
        self.told = self.story.course
        self.largest: ReplayedHand | None = None

    def before(self, record: Record) -> None:
        if isinstance(record, RoundBegun):
            self._end_round()

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """A player who leaves during a hand is out when that hand's record comes."""
        ledger = self._ledger
        match record:
            case RoundBegun():
                self.round = self._new_round()
            case LevelRecord():
                self.round.levels[record.level] = self.round.reached
            case OutRecord():
                player = ledger.players[record.player]
                if record.hand <= ledger.seating.table_of(player).hand_number:
                    self.round.gone.setdefault(player, self.round.reached)
            case Readmitted():
                self.round.gone.pop(ledger.players[record.player], None)
            case Voided():
                self._part(ledger.seating.tables[record.table].players)
        if hand is not None:
            self.round.add(hand)
            self._part(hand.players)
        self.story.take(record, hand)
        for largest in self.told.largest[:1]:
            if hand is not None and (largest.table, largest.hand) == (hand.table, hand.number):
                self.largest = hand

    def finish(self) -> None:
        """Complete the curves after the last record."""
        self.round.finish()
        self._end_round()

    def _new_round(self) -> RoundCurves:
        tables = self._ledger.seating.round_tables
        players = sorted((player for table in tables for player in table.players), key=lambda player: player.number)
        return RoundCurves(players, [0] * len(self._ledger.players))

    def _end_round(self) -> None:
        self.places.append({standing.player: standing.place for standing in self._ledger.standings()})

    def _part(self, players: Iterable[Player]) -> None:
        for player in players:
            if not self._ledger.seating.still_in(player):
                self.round.gone.setdefault(player, self.round.reached)
