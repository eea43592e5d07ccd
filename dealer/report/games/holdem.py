"""The report of Texas Hold'em: how each player plays, its chips by position, its pots, and its luck when all in.

The statistics are those of the field: VPIP ("voluntarily put in pot"), PFR ("preflop raise") and the aggression factor,
as players' tracking programs count them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dealer.audit.hands import ReplayedHand, Step
from dealer.audit.win_chances import run_outs, win_chances
from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.report.game_report import Cell, GameStatistics, PlayersTable, Row
from dealer.report.labels import DASHES, Style
from dealer.telling.curves import Curves
from protocol.charts.chart import Axis, Chart, Series
from protocol.games.base import Bet
from protocol.games.game import Game
from protocol.games.holdem import HoldemMatch
from protocol.games.holdem_hand import HoldemHand

#: Seats by their place to the button, in the order of acting from the flop on.
POSITIONS = ("small blind", "big blind", "others", "cutoff", "button")

#: Points of the all-in curves of a player, at most; beyond that every second one is dropped.
MOST_POINTS = 400

#: Players in the chart of all-in curves, and those of them that are shown at once.
CURVES, SHOWN = 12, 4


@dataclass(slots=True)
class PositionResult:
    """Hands that a player was dealt in one position, and chips won in them."""

    hands: int = 0
    chips: int = 0


@dataclass(slots=True)
class AllInCurve:
    """The chips that a player won in hands that were all in early, and those that its chances were worth.

    Attributes:
        hands: how many such hands there were.
        won: chips won in them.
        expected: chips that it would have won on average, given the cards that were shown.
    """

    hands: int = 0
    won: int = 0
    expected: float = 0.0
    _curves: Curves[float] = field(default_factory=lambda: Curves(MOST_POINTS))

    def add(self, won: int, expected: float) -> None:
        """Count a hand."""
        if not self.hands:
            self._curves.note(0, (0, 0.0))
        self.hands += 1
        self.won += won
        self.expected += expected
        self._curves.note(self.hands, (self.won, self.expected))

    @property
    def line(self) -> list[tuple[float | None, ...]]:
        """Hands, chips won and chips expected, at each point."""
        return [(point.hand, *point.chips) for point in self._curves.points]


@dataclass(slots=True)
class HoldemStatistics:
    """The figures of one player's hold'em.

    Attributes:
        hands: in which it was dealt in.
        acted: those of them in which it had a choice before the flop.
        put_in: those of them in which it put chips into the pot of its own will before the flop.
        raised: those of them in which it raised before the flop.
        bets: bets and raises from the flop on.
        calls: calls from the flop on.
        flops: hands in which it saw the flop.
        showdowns: hands in which it showed its cards at the end.
        showdowns_won: those of them in which it won part of a pot.
        pots: pots of which it won a part, side pots included.
        side_pots: side pots of which it won a part.
        collected: chips collected from pots.
        largest: chips of the largest pot in whose hand it won a part.
        positions: by the names of ``POSITIONS``.
        all_in: hands in which the cards were shown before the river.
    """

    hands: int = 0
    acted: int = 0
    put_in: int = 0
    raised: int = 0
    bets: int = 0
    calls: int = 0
    flops: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    pots: int = 0
    side_pots: int = 0
    collected: int = 0
    largest: int = 0
    positions: dict[str, PositionResult] = field(
        default_factory=lambda: {position: PositionResult() for position in POSITIONS}
    )
    all_in: AllInCurve = field(default_factory=AllInCurve)

    @property
    def vpip(self) -> float | None:
        """The share (0 to 1) of hands in which it put chips in of its own will; None without a choice."""
        return self.put_in / self.acted if self.acted else None

    @property
    def pfr(self) -> float | None:
        """The share (0 to 1) of hands that it raised before the flop; None without a choice."""
        return self.raised / self.acted if self.acted else None

    @property
    def aggression(self) -> float | None:
        """Bets and raises for each call, from the flop on; None without a call."""
        return self.bets / self.calls if self.calls else None


def position_of(seat: int, hand: HoldemHand, match: HoldemMatch) -> str:
    """The position of a seat, one of ``POSITIONS``.

    Between two players the button has the small blind and counts as the button. The cutoff is the seat right of the
    button, from four players on. In a game without blinds there are only button, cutoff and others.
    """
    count = len(hand.starting)
    if seat == hand.button:
        return "button"
    blinds, straddle = match.forced_bets().blinds, match.blinds.straddle
    order = [(hand.button + step) % count for step in range(1, count + 1)]
    posted = [other for other in order if blinds[other] > 0]
    if straddle and count > 2 and len(posted) > 1:
        posted.pop()  # the straddle stands behind the big blind
    if posted and seat == (posted[0] if count == 2 else posted[-1]):
        return "big blind"
    if seat in posted:
        return "small blind"
    return "cutoff" if count > 3 and seat == order[-2] else "others"


class HoldemCollector(GameStatistics):
    """Collects the statistics of all players."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._by_player: dict[Player, HoldemStatistics] = {}
        self._course: Counter[str] = Counter()

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        if hand is not None:
            self.add(hand)

    def add(self, hand: ReplayedHand) -> None:
        """Count a finished hand."""
        last, match = hand.last, hand.match
        assert isinstance(last, HoldemHand)
        assert isinstance(match, HoldemMatch)
        seats = [self._by_player.setdefault(player, HoldemStatistics()) for player in hand.players]
        self._count_course(hand)
        for seat, statistics in enumerate(seats):
            steps = [step for step in hand.steps if step.seat == seat]
            _count_actions(statistics, steps)
            _count_pots(statistics, hand, seat)
            in_position = statistics.positions[position_of(seat, last, match)]
            in_position.hands += 1
            in_position.chips += hand.settlement.payoffs[seat]
            gave_up = any(not isinstance(step.action, Bet) and step.before.number == 1 for step in steps)
            statistics.flops += last.number > 1 and not gave_up
        self._count_all_in(hand, seats)

    def _count_course(self, hand: ReplayedHand) -> None:
        self._course["hands"] += 1
        self._course["flop"] += hand.last.number > 1
        self._course["showdown"] += len(hand.last.live) > 1
        self._course["side pots"] += len(hand.settlement.pots) > 1
        self._course["chips"] += hand.last.pot

    def _count_all_in(self, hand: ReplayedHand, seats: Sequence[HoldemStatistics]) -> None:
        streets = run_outs(hand.steps, hand.last, self.game)
        self._course["all in"] += bool(streets)
        if not streets:
            return
        chances, settlement = win_chances(streets[0], len(seats)), hand.settlement
        for seat in hand.last.live:
            paid = settlement.shares[seat] - settlement.payoffs[seat]
            seats[seat].all_in.add(settlement.payoffs[seat], chances.chips[seat] - paid)

    def statistics(self, player: Player) -> HoldemStatistics:
        """The statistics of a player; of one who was never dealt in, they are empty."""
        return self._by_player.get(player, HoldemStatistics())

    def tables(self, order: Sequence[Player]) -> list[PlayersTable]:
        players = [(player, self.statistics(player)) for player in order]
        in_positions = [(player, [own.positions[position] for position in POSITIONS]) for player, own in players]
        return [
            PlayersTable(
                "How they play",
                "VPIP: hands in which the player put chips in before the flop of its own will. PFR: hands that it "
                "raised before the flop. Both are shares of the hands in which it had a choice before the flop. "
                "Aggression: bets and raises for each call, from the flop on. Showdowns: shares of the hands in which "
                "it saw the flop, and of them those in which it won part of a pot.",
                ("Hands", "VPIP", "PFR", "Aggression", "Showdowns", "Won there"),
                [(player, _style_cells(own)) for player, own in players],
            ),
            PlayersTable(
                "Pots",
                self._course_note(),
                ("Pots won", "Side pots won", "Chips collected", "Largest"),
                [
                    (player, [Cell(f"{number:,}") for number in (own.pots, own.side_pots, own.collected, own.largest)])
                    for player, own in players
                ],
            ),
            PlayersTable(
                "Positions",
                "Chips won per hand, and in brackets the number of hands. Between two players the button has the small "
                "blind. The cutoff is the seat right of the button, from four players on.",
                [position.capitalize() for position in POSITIONS],
                [(player, [_position_cell(result) for result in results]) for player, results in in_positions],
            ),
        ]

    def _course_note(self) -> str:
        hands = self._course["hands"]
        if not hands:
            return "No hand was finished."
        share = {what: f"{count / hands:.1%}".replace("%", " %") for what, count in self._course.items()}
        return (
            f"Of all hands, {share['flop']} saw a flop, {share['showdown']} went to a showdown, {share['all in']} were "
            f"all in before the river, and {share['side pots']} had side pots. A hand had "
            f"{self._course['chips'] / hands:,.1f} chips in its pots on average. A pot that is shared counts for each "
            "of its winners; the largest has the chips of all pots of a hand."
        )

    def charts(self, order: Sequence[Player], styles: Mapping[Player, Style]) -> list[Chart]:
        """No chart if nobody was all in before the river."""
        players = [player for player in order if self.statistics(player).all_in.hands][:CURVES]
        if not players:
            return []
        note = (
            "Hands in which nobody could bet any more before the river: chips won in them (solid), and chips that the "
            "shown cards were worth then (dotted). The distance is luck. Behind a flop all boards are counted; before "
            "it a sample of 2,000 boards a hand. Tap a name to hide or show both curves."
        )
        series = [one for player in players for one in self._all_in_curves(player, styles[player])]
        hands, chips = Axis("the player's all-in hands", "all-in hand {}"), Axis("chips", "{} chips", digits=1)
        return [Chart("equity", "All-in equity", note, "curves", hands, chips, series, (), SHOWN, CURVES)]

    def _all_in_curves(self, player: Player, style: Style) -> Iterator[Series]:
        """The chips that a player won, and those that it would have won on average."""
        hands, won, expected = zip(*self.statistics(player).all_in.line, strict=True)
        yield Series(f"{style.name}, won", style.color, hands, won, group=style.name)
        yield Series(f"{style.name}, expected", style.color, hands, expected, dash=DASHES[-1], group=style.name)

    def sheets(self, order: Sequence[Player]) -> Mapping[str, Mapping[Player, Row]]:
        cells = {player: _cells(self.statistics(player)) for player in order}
        return {"holdem.csv": {player: dict(zip(SHEET, own, strict=True)) for player, own in cells.items()}}


#: The columns of ``holdem.csv`` behind those that say who the player is.
SHEET = (
    "hands", "acted_preflop", "vpip", "pfr", "aggression", "bets", "calls", "flops", "showdowns", "showdowns_won",
    "pots", "side_pots", "collected", "largest_pot",
    *(f"{position.replace(' ', '_')}_{what}" for position in POSITIONS for what in ("hands", "chips")),
    "all_in_hands", "all_in_won", "all_in_expected",
)  # fmt: skip


def _count_actions(statistics: HoldemStatistics, steps: Sequence[Step]) -> None:
    """Count the actions of a seat in one hand."""
    statistics.hands += 1
    first = [step for step in steps if step.before.number == 1]
    statistics.acted += bool(first)
    statistics.put_in += any(isinstance(step.action, Bet) and step.action.amount > 0 for step in first)
    statistics.raised += any(_is_raise(step) for step in first)
    for step in steps:
        if step.before.number > 1 and isinstance(step.action, Bet) and step.action.amount:
            statistics.bets += _is_raise(step)
            statistics.calls += not _is_raise(step)


def _is_raise(step: Step) -> bool:
    return isinstance(step.action, Bet) and step.action.amount > step.before.view(step.seat).legal().to_call


def _count_pots(statistics: HoldemStatistics, hand: ReplayedHand, seat: int) -> None:
    """Count what a seat won in one hand."""
    pots, last = hand.settlement.pots, hand.last
    shown = len(last.live) > 1 and seat in last.live
    share = hand.settlement.shares[seat]
    statistics.showdowns += shown
    statistics.showdowns_won += shown and share > 0
    statistics.pots += sum(seat in pot.winners for pot in pots)
    statistics.side_pots += sum(seat in pot.winners for pot in pots[1:])
    statistics.collected += share
    if share:
        statistics.largest = max(statistics.largest, last.pot)


def _cells(own: HoldemStatistics) -> Iterator[object]:
    """The row of a player in ``holdem.csv``."""
    rates = (own.vpip, own.pfr, own.aggression)
    yield from (own.hands, own.acted, *(None if rate is None else round(rate, 4) for rate in rates))
    yield from (own.bets, own.calls, own.flops, own.showdowns, own.showdowns_won)
    yield from (own.pots, own.side_pots, own.collected, own.largest)
    for position in POSITIONS:
        yield from (own.positions[position].hands, own.positions[position].chips)
    yield from (own.all_in.hands, own.all_in.won, round(own.all_in.expected, 1))


def _style_cells(own: HoldemStatistics) -> list[Cell]:
    aggression = "-" if own.aggression is None else f"{own.aggression:.2f}"
    showdowns = own.showdowns / own.flops if own.flops else None
    won = own.showdowns_won / own.showdowns if own.showdowns else None
    texts = (f"{own.hands:,}", _percent(own.vpip), _percent(own.pfr), aggression, _percent(showdowns), _percent(won))
    return [Cell(text) for text in texts]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}".replace("%", " %")


def _position_cell(result: PositionResult) -> Cell:
    if not result.hands:
        return Cell("-")
    return Cell(f"{result.chips / result.hands:+,.1f} ({result.hands:,})".replace("-", "\N{MINUS SIGN}"))


REPORT = HoldemCollector
