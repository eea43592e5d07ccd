"""Chips and places over the hands of a round, with no more points than a page can hold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.journal.records import LevelRecord, OutRecord, Record, StartRecord
from dealer.lobby.player import Player
from dealer.report.journal_pass import Watcher
from protocol.events import Readmitted, RoundBegun, Voided

#: Points of a curve while it grows; beyond that every second one is dropped.
MOST_POINTS = 800


@dataclass(slots=True)
class RoundCurves:
    """The chips that each player of a round had won, hand by hand, at all tables.

    Tables play at their own speed. So hand number ``n`` of the round counts as over when the first table begins hand
    ``n + 1``.

    Attributes:
        players: of the round.
        won: chips won so far, in the order of ``players``.
        hands: the numbers of the hands that have a point, from 0 for the start.
        points: ``won`` after each of them.
        levels: the hand after which each level began.
        gone: the hand after which a player was out.
    """

    players: list[Player]
    won: list[int]
    hands: list[int] = field(default_factory=lambda: [0])
    points: list[tuple[int, ...]] = field(default_factory=list)
    levels: dict[int, int] = field(default_factory=dict)
    gone: dict[Player, int] = field(default_factory=dict)
    _place: dict[Player, int] = field(default_factory=dict)
    _stride: int = 1
    _seen: int = 0
    _reached: int = 0

    def __post_init__(self) -> None:
        self.points.append(tuple(self.won))
        self._place = {player: place for place, player in enumerate(self.players)}

    def add(self, hand: ReplayedHand) -> None:
        if hand.number > self._reached:
            if self._reached:
                self._end_hand()
            self._reached = hand.number
        for player, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            self.won[self._place[player]] += payoff

    def begin_level(self, level: int) -> None:
        """Note that a level has begun."""
        self.levels[level] = self._reached

    def leave(self, player: Player) -> None:
        """Note that a player is out; later calls change nothing."""
        self.gone.setdefault(player, self._reached)

    def come_back(self, player: Player) -> None:
        """Note that a player who was out is in again."""
        self.gone.pop(player, None)

    def finish(self) -> None:
        """Add the last hand as a point, even if it is nearer to the one before than others are."""
        if self.hands[-1] != self._reached:
            self._keep()

    def _end_hand(self) -> None:
        self._seen += 1
        if self._seen % self._stride == 0:
            self._keep()

    def _keep(self) -> None:
        self.hands.append(self._reached)
        self.points.append(tuple(self.won))
        if len(self.hands) > MOST_POINTS:
            # dropping every second point keeps them evenly spaced, and hand 0 stays the first
            self.hands, self.points = self.hands[::2], self.points[::2]
            self._stride *= 2

    def chips(self, player: Player) -> list[int]:
        """The chips that a player had won at each point."""
        place = self._place[player]
        return [point[place] for point in self.points]

    def places(self, point: int) -> dict[Player, int]:
        """The places by chips, at one point, of the players who were still in."""
        hand, chips = self.hands[point], self.points[point]
        still_in = [place for place, player in enumerate(self.players) if not self.out(player, hand)]
        best: dict[int, int] = {}
        for rank, amount in enumerate(sorted((chips[place] for place in still_in), reverse=True), 1):
            best.setdefault(amount, rank)
        return {self.players[place]: best[chips[place]] for place in still_in}

    def out(self, player: Player, hand: int) -> bool:
        """True if a player was out when that hand was over."""
        return player in self.gone and self.gone[player] <= hand


class Curves(Watcher):
    """The curves of the last round, and the places of all players at the end of each round.

    Attributes:
        places: of the players, round by round; ``finish`` adds the round in progress.
    """

    def __init__(self, rebuild: LedgerRebuild) -> None:
        self._rebuild = rebuild
        self._round: RoundCurves | None = None
        self.places: list[Mapping[Player, int]] = []

    def before(self, record: Record) -> None:
        if isinstance(record, RoundBegun):
            self._end_round()

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """A player who leaves during a hand is out when that hand's record comes."""
        ledger = self._rebuild.ledger
        match record:
            case StartRecord() | RoundBegun():
                self._begin_round()
            case LevelRecord():
                self.round.begin_level(record.level)
            case OutRecord():
                player = ledger.players[record.player]
                if record.hand <= ledger.seating.table_of(player).hand_number:
                    self.round.leave(player)
            case Readmitted():
                self.round.come_back(ledger.players[record.player])
            case Voided():
                self._part(ledger.seating.tables[record.table].players)
        if hand is not None:
            self.round.add(hand)
            self._part(hand.players)

    @property
    def round(self) -> RoundCurves:
        """The round in progress, or the last one."""
        assert self._round is not None
        return self._round

    def finish(self) -> None:
        """Complete the curves after the last record."""
        self.round.finish()
        self._end_round()

    def _begin_round(self) -> None:
        tables = self._rebuild.ledger.seating.round_tables
        players = sorted((player for table in tables for player in table.players), key=lambda player: player.number)
        self._round = RoundCurves(players, [0] * len(players))

    def _end_round(self) -> None:
        self.places.append({standing.player: standing.place for standing in self._rebuild.ledger.standings()})

    def _part(self, players: Iterable[Player]) -> None:
        for player in players:
            if not self._rebuild.ledger.seating.still_in(player):
                self.round.leave(player)
