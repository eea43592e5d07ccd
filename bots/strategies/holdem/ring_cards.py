"""Hole cards that players of a hand may hold, what each kind of player sees in them, and boards that chance deals."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import combinations
from random import Random

from bots.strategies.holdem.chances import RIVER, chances
from bots.strategies.holdem.chances import STEPS as PLACES
from bots.strategies.holdem.chart import chart_of
from bots.strategies.holdem.preflop import class_of, win_rates
from bots.strategies.holdem.reads import Ladder
from bots.strategies.holdem.ring_kinds import (
    CHART,
    FAIR,
    GROUP,
    HIGH,
    LOW,
    MOST_RIVALS,
    NOTHING,
    POCKET_PAIR,
    POWER,
    SHARED,
    STEPS,
    STRONG,
    WEAK,
)
from bots.strategies.holdem.royale import power_index
from bots.strategies.holdem.starting_hands import starting_hand_group
from protocol.cards import DECK, Card, Rank
from protocol.games.holdem_hand import BOARD
from protocol.games.poker_strength import card_bits, strength_of_bits

#: Hole cards that are drawn in a hand; those of opponents are taken to be among them.
POOL = 200
#: The place of the own cards, behind those of the pool.
OWN = POOL
#: Boards that are drawn on a street.
RUNOUTS = 16
#: How many cards of the pool say what a place is worth on a board that chance dealt.
RUNGS = 30

_CHART = {"weak": WEAK, "fair": FAIR, "strong": STRONG}


class Pool:
    """Hole cards of one hand: those that opponents may hold, drawn by chance, and the own ones behind them.

    Attributes:
        cards: of each place.
        holes: the same as bits.
        street: under way.
        spot: the street and board under way.
        runouts: boards that chance dealt on this street, after the flop; they are enough for the street.
    """

    def __init__(self, hole: Sequence[Card], rng: Random) -> None:
        self._rng = rng
        unseen = [card for card in DECK if card not in hole]
        self.cards: list[Sequence[Card]] = [*rng.sample(list(combinations(unseen, 2)), POOL), tuple(hole)]
        self.holes = [card_bits(pair) for pair in self.cards]
        self._unseen, self.board = unseen, ()
        self._classes = [class_of(first, second) for first, second in self.cards]
        self.spot: Spot = Spot(self, 1, ())
        self.runouts: list[Runout] = []
        self.free = [True] * POOL
        self._spots = {1: self.spot}

    def turn_to(self, street: int, board: Sequence[Card]) -> None:
        """Deal boards for a new street, and find what cards are worth on it."""
        if street == self.spot.street:
            return
        self._unseen = [card for card in self._unseen if card not in board]
        bits = card_bits(board)
        self.free = [not hole & bits for hole in self.holes[:POOL]]
        self.spot = self._spots[street] = Spot(self, street, board)
        self.runouts = [self.deal() for _ in range(RUNOUTS if street < RIVER else 1)]
        shares = [runout.shares() for runout in self.runouts]
        for runout, found in zip(self.runouts, shares, strict=True):
            runout.spots[RIVER].measure([found])
        self.spot.measure(shares)

    def deal(self) -> "Runout":
        """The rest of the board as chance deals it."""
        board = self.spot.board
        return Runout(self, self.spot, self._rng.sample(self._unseen, BOARD[RIVER] - len(board)))

    def spot_on(self, street: int) -> "Spot | None":
        """The street and board of an earlier street; None if there was no question on it."""
        return self._spots.get(street)

    def group(self, place: int) -> int:
        """The group of starting hands."""
        return starting_hand_group(*self.cards[place])

    def first_rate(self, place: int, rivals: int) -> int:
        """The step of the win rate before the flop."""
        return _step(win_rates()[self._classes[place]][rivals])


class Spot:
    """A street with its board: what each kind of player sees in hole cards there."""

    def __init__(self, pool: Pool, street: int, board: Sequence[Card]) -> None:
        self._pool, self.street, self.board = pool, street, board
        self.bits = card_bits(board)
        self._shares: Sequence[Sequence[float]] = ()
        self._ladder: Ladder | None = None
        self._known: dict[int, int] = {}

    def measure(self, shares: Sequence[Sequence[float]]) -> None:
        """Take the win rates from boards that may follow: for each, by place, the share of cards that are worse."""
        self._shares = shares

    def value(self, looks_at: int, place: int) -> int:
        """What a player that looks at something sees in the cards of a place."""
        key = place << 4 | looks_at
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._value(looks_at, place)
        return found

    def values(self, looks_at: int) -> list[int]:
        """The same for all cards of the pool; those that the board excludes have any value."""
        return [self.value(looks_at, place) if free else 0 for place, free in enumerate(self._pool.free)]

    def value_of(self, looks_at: int, hole: Sequence[Card]) -> int:
        """The same for cards that were shown."""
        if looks_at == NOTHING:
            return 0
        if looks_at == GROUP:
            return starting_hand_group(hole[0], hole[1])
        if looks_at == CHART:
            return _CHART[chart_of((hole[0], hole[1]), self.board)]
        if looks_at == POWER:
            return power_of(hole, self.board)
        if self.street == 1:
            return _step(win_rates()[class_of(hole[0], hole[1])][looks_at])
        return self._rate_at(self._place_of(card_bits(hole)), looks_at)

    def _value(self, looks_at: int, place: int) -> int:
        if 1 <= looks_at <= MOST_RIVALS:
            if self.street == 1:
                return self._pool.first_rate(place, looks_at)
            if self._shares:
                return _step(sum([shares[place] ** looks_at for shares in self._shares]) / len(self._shares))
            return self._rate_at(self._place_of(self._pool.holes[place]), looks_at)
        return self.value_of(looks_at, self._pool.cards[place])

    def _place_of(self, hole: int) -> int:
        if self._ladder is None:
            holes = [other for other in self._pool.holes[:POOL] if not other & self.bits][:RUNGS]
            self._ladder = Ladder([strength_of_bits(other | self.bits) for other in holes])
        return self._ladder.step(strength_of_bits(hole | self.bits))

    def _rate_at(self, place: int, rivals: int) -> int:
        return _step(chances(self.street, rivals)[place])


def _step(rate: float) -> int:
    return min(STEPS - 1, int(rate * STEPS))


def power_of(hole: Sequence[Card], board: Sequence[Card]) -> int:
    """What ``simple`` sees in two cards: see ``ring_kinds.POWER``."""
    if not board:
        first, second = hole
        return POCKET_PAIR if first.rank == second.rank else HIGH if max(first.rank, second.rank) > Rank.NINE else LOW
    power = power_index((*hole, *board))
    if power == 1:
        return 0
    return min(3, power - 1) + SHARED * (power == power_index(tuple(board)))


class Runout:
    """The rest of a board as chance deals it.

    Attributes:
        final: all cards of the board as bits.
        spots: the streets from the one under way on, by number.
    """

    def __init__(self, pool: Pool, now: Spot, rest: Sequence[Card]) -> None:
        cards = (*now.board, *rest)
        self._pool = pool
        self.final = card_bits(cards)
        later = [Spot(pool, street, cards[: BOARD[street]]) for street in range(now.street + 1, RIVER + 1)]
        self.spots = [now] * (now.street + 1) + later
        self._strengths: dict[int, int] = {}

    def strength(self, place: int) -> int:
        """The strength of the cards of a place at the end."""
        found = self._strengths.get(place)
        if found is None:
            found = self._strengths[place] = strength_of_bits(self._pool.holes[place] | self.final)
        return found

    def shares(self) -> list[float]:
        """By place, the share of the cards of the pool that are worse at the end, ties half."""
        final = self.final
        strengths = [0 if hole & final else strength_of_bits(hole | final) for hole in self._pool.holes[:POOL]]
        own = strength_of_bits(self._pool.holes[OWN] | final)
        ordered = sorted([strength for strength in strengths if strength])
        strengths.append(own)
        self._strengths = dict(enumerate(strengths))
        return [(bisect_left(ordered, one) + bisect_right(ordered, one)) / (2 * len(ordered)) for one in strengths]
