"""Chips that players won from each other, per hand dealt together."""

from collections import defaultdict
from collections.abc import Mapping
from copy import deepcopy
from itertools import combinations
from math import isfinite, sqrt

from dealer.audit.hands import ReplayedHand
from dealer.journal.records import Record
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.report.journal_pass import Watcher
from protocol.estimates.intervals import half_width
from protocol.events import GameBegun

#: Units from which on the mean is about normal, as its interval assumes.
ENOUGH_UNITS = 30


class Exchange:
    """Chips that one player won from another, in *units* that do not depend on each other.

    A unit is a hand, a game or a deal. With chips ``S`` and hands ``N`` of each of ``K`` units the mean per hand is
    ``m = sum(S) / sum(N)``, and its variance ``K / (K - 1) * sum((S - m N)**2) / sum(N)**2`` (the ratio estimator; for
    units of one hand this is the usual variance of a mean).

    Attributes:
        hands: dealt to both.
        chips: won in all of them.
    """

    def __init__(self) -> None:
        self.hands = 0
        self.chips = 0.0
        # Chips and hands of each unit of several hands, which may still grow; and of the units of one hand only sums,
        # because there may be millions of them: units, chips squared, chips times hands, hands squared.
        self._open: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._closed = [0.0, 0.0, 0.0, 0.0]

    def add(self, chips: float, hands: int, unit: int | None) -> None:
        """Count ``chips`` won in ``hands`` of a unit; ``unit`` is None where each hand is a unit of its own."""
        self.chips += chips
        self.hands += hands
        if unit is None:
            self._closed = _with_unit(self._closed, chips, hands)
        else:
            sums = self._open[unit]
            sums[0] += chips
            sums[1] += hands

    @property
    def units(self) -> int:
        return round(self._closed[0]) + len(self._open)

    @property
    def per_hand(self) -> float:
        """Chips won per hand, of which there must be one."""
        return self.chips / self.hands

    @property
    def clear(self) -> bool:
        """True if the interval leaves little doubt about the sign, from enough units to be believed."""
        half = self.half_width
        return half is not None and self.units >= ENOUGH_UNITS and abs(self.per_hand) > half

    def turned(self) -> "Exchange":
        """The same as the other player sees it."""
        other = deepcopy(self)
        other.chips *= -1
        other._closed[2] *= -1
        for sums in other._open.values():
            sums[0] *= -1
        return other

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % confidence interval of that; None for a single unit, and where all units are alike."""
        sums = self._closed
        for chips, hands in self._open.values():
            sums = _with_unit(sums, chips, hands)
        units, chips_squared, mixed, hands_squared = sums
        if units < 2 or not self.hands:
            return None
        mean = self.per_hand
        squares = max(0.0, chips_squared - 2 * mean * mixed + mean * mean * hands_squared)
        half = half_width(round(units), sqrt(units / (units - 1) * squares) / self.hands)
        return half if isfinite(half) else None


def _with_unit(sums: list[float], chips: float, hands: float) -> list[float]:
    return [sums[0] + 1, sums[1] + chips * chips, sums[2] + chips * hands, sums[3] + hands * hands]


def transfers(paid: Mapping[Player, int], shares: Mapping[Player, int]) -> dict[tuple[Player, Player], float]:
    """Chips that the first of each pair won from the second.

    Each player's contribution to the pot is shared among the winners in proportion to their shares of it. So of two
    players with contributions ``c`` and shares ``s`` of a pot ``P`` the first won ``(c2 s1 - c1 s2) / P`` from the
    second, and what a player won from all others adds up to what it won in the hand: ``s1 - c1``. Without antes and
    blinds a pot may stay empty; then nothing was won.
    """
    pot = sum(paid.values()) or 1
    return {
        (one, two): (paid[two] * shares.get(one, 0) - paid[one] * shares.get(two, 0)) / pot
        for one, two in combinations(paid, 2)
    }


class HeadToHead(Watcher):
    """The exchanges of all pairs of players who were dealt in together, at all tables.

    Contributions to a pot that is carried over count in the hand in which it is won. Units are deals in a
    duplicate tournament, games where the game is played in games, and hands otherwise.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._settings = ledger.settings
        self._order = {player: index for index, player in enumerate(ledger.players)}
        self._pairs: dict[tuple[Player, Player], Exchange] = defaultdict(Exchange)
        self._waiting: dict[int, dict[Player, int]] = defaultdict(dict)

    def won(self, player: Player, other: Player) -> Exchange | None:
        """The result of ``player`` against ``other``; None if they were never dealt in together."""
        first = self._order[player] < self._order[other]
        exchange = self._pairs.get((player, other) if first else (other, player))
        if exchange is None or not exchange.hands:
            return None
        return exchange if first else exchange.turned()

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        if isinstance(record, GameBegun):
            self._waiting[record.table] = {}
        if hand is not None:
            self._add(hand)

    def _add(self, hand: ReplayedHand) -> None:
        last, unit = hand.last, self._unit(hand)
        paid = dict(self._waiting[hand.table])
        # `starting` is before antes, so this is all that a player put in, antes included
        for seat, player in enumerate(hand.players):
            paid[player] = paid.get(player, 0) + last.starting[seat] - last.stacks[seat]
        shares = dict(zip(hand.players, hand.settlement.shares, strict=True))
        for (one, two), chips in transfers(paid, shares).items():
            together = one in shares and two in shares
            if self._order[one] < self._order[two]:
                self._pairs[one, two].add(chips, together, unit)
            else:
                self._pairs[two, one].add(-chips, together, unit)
        self._waiting[hand.table] = paid if hand.settlement.carried else {}

    def _unit(self, hand: ReplayedHand) -> int | None:
        settings = self._settings
        if settings.duplicate:
            return (hand.game - 1) % settings.games
        return hand.game if settings.game.in_games else None
