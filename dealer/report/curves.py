"""Chips and places over the hands of a round, in a number of points that a page can hold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.journal.records import Record
from dealer.lobby.player import Player

#: Points of a curve while it grows; beyond that every second one is dropped.
MOST_POINTS = 800


@dataclass(slots=True)
class RoundCurves:
    """What everybody in a round had won, hand by hand, at whatever table.

    Tables play at their own speed, so a hand of the round is over when the first table begins the next one.

    Attributes:
        players: of the round.
        won: chips won in all hands so far.
        hands: the numbers of the hands that have a point, from 0 for the start.
        points: ``won`` behind each of them.
        levels: behind which hand each level began.
        gone: behind which hand a player was out.
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
        """Count a hand."""
        if hand.number > self._reached:
            if self._reached:
                self._end_hand()
            self._reached = hand.number
        for player, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            self.won[self._place[player]] += payoff

    def begin_level(self, level: int) -> None:
        """Antes have risen."""
        self.levels[level] = self._reached

    def leave(self, player: Player) -> None:
        """A player is out, if it was not yet."""
        self.gone.setdefault(player, self._reached)

    def finish(self) -> None:
        """The last hand has a point, whatever the distance of the others."""
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
            self.hands, self.points = self.hands[::2], self.points[::2]
            self._stride *= 2

    def chips(self, player: Player) -> list[int]:
        """What a player had won at each point."""
        place = self._place[player]
        return [point[place] for point in self.points]

    def places(self, point: int) -> dict[Player, int]:
        """The place by chips of everybody who was still in at one point."""
        hand, chips = self.hands[point], self.points[point]
        still_in = [place for place, player in enumerate(self.players) if not self.out(player, hand)]
        best: dict[int, int] = {}
        for rank, amount in enumerate(sorted((chips[place] for place in still_in), reverse=True), 1):
            best.setdefault(amount, rank)
        return {self.players[place]: best[chips[place]] for place in still_in}

    def out(self, player: Player, hand: int) -> bool:
        """Whether a player had left when that hand was over."""
        return player in self.gone and self.gone[player] <= hand


class Curves:
    """The curves of the last round, and everybody's place at the end of each.

    Attributes:
        places: of everybody in a round, round by round; that under way is added by ``finish``.
    """

    def __init__(self, rebuild: LedgerRebuild) -> None:
        self._rebuild = rebuild
        self._round: RoundCurves | None = None
        self.places: list[Mapping[Player, int]] = []

    def before(self, record: Record) -> None:
        """See ``Watcher``."""
        if record["type"] == "round":
            self._end_round()

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """See ``Watcher``. Who left in a hand is out when that is over: its record comes later."""
        ledger = self._rebuild.ledger
        match record["type"]:
            case "start" | "round":
                self._begin_round()
            case "level":
                self.round.begin_level(record["level"])
            case "out":
                player = ledger.players[record["player"]]
                if record["hand"] <= ledger.seating.table_of(player).hand_number:
                    self.round.leave(player)
            case "void":
                self._part(ledger.seating.tables[record["table"]].players)
        if hand is not None:
            self.round.add(hand)
            self._part(hand.players)

    @property
    def round(self) -> RoundCurves:
        """The round under way, or the last one."""
        assert self._round is not None
        return self._round

    def finish(self) -> None:
        """The journal is at its end."""
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
