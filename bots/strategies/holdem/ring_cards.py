"""Hole cards that players of a hand may hold, what each kind of player sees in them, and boards that chance deals."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

from bots.strategies.holdem.chances import RIVER, chances
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

#: Hole cards that are drawn before the flop, and about how many are held after it; those of opponents are taken to be
#: among them.
POOL, NARROW = 400, 200
#: Boards that are drawn on a street.
RUNOUTS = 16
#: How many cards of the pool say what a place is worth on a board that chance dealt.
RUNGS = 20
#: How many hole cards say how many are worse than others at the end.
MANY = 70

_CHART = {"weak": WEAK, "fair": FAIR, "strong": STRONG}


class Pool:
    """Hole cards of one hand that opponents may hold, and the own ones behind them.

    Before the flop they are drawn by chance. From the flop on they are those that fit how opponents have played.

    Attributes:
        cards: of each place.
        holes: the same as bits.
        any: cards that the board leaves possible, drawn by chance no matter who played how, as bits.
        counts: for how many each stands.
        own: the place of the own cards.
        free: whether the board leaves each possible, without the own ones.
        spot: the street and board under way.
        runouts: boards that chance dealt on this street, after the flop; they are enough for the street.
    """

    def __init__(self, hole: Sequence[Card], rng: Random) -> None:
        self._rng, self._hole = rng, tuple(hole)
        self._unseen = [card for card in DECK if card not in hole]
        self.runouts: list[Runout] = []
        cards = rng.sample(list(combinations(self._unseen, 2)), POOL)
        self.any = [card_bits(pair) for pair in cards]
        self._hold(cards, [1.0] * POOL)
        self.spot: Spot = Spot(self, 1, ())
        self._spots = {1: self.spot}

    def _hold(self, cards: Sequence[Sequence[Card]], counts: Sequence[float]) -> None:
        self.cards, self.counts = [*cards, self._hole], counts
        self.holes = [card_bits(pair) for pair in self.cards]
        self.own = len(cards)
        self.free = [True] * self.own

    def turn_to(
        self, street: int, board: Sequence[Card], fit: Callable[[Sequence[Sequence[Card]]], Sequence[float]]
    ) -> bool:
        """Deal boards for a new street, and find what cards are worth on it; whether other cards are held from now on.

        Args:
            street: under way.
            board: its cards.
            fit: gives for hole cards how well each fits how opponents have played.
        """
        if street == self.spot.street:
            return False
        first = self.spot.street == 1
        self._unseen = [card for card in self._unseen if card not in board]
        bits = card_bits(board)
        self.any = [hole for hole in self.any if not hole & bits]
        if first:
            self._narrow(list(combinations(self._unseen, 2)), fit)
        self.free = [not hole & bits for hole in self.holes[: self.own]]
        self.spot = self._spots[street] = Spot(self, street, board)
        self.runouts = [self.deal() for _ in range(RUNOUTS if street < RIVER else 1)]
        for runout in self.runouts:
            runout.spots[RIVER].measure([runout])
        self.spot.measure(self.runouts)
        return first

    def _narrow(
        self, holes: Sequence[Sequence[Card]], fit: Callable[[Sequence[Sequence[Card]]], Sequence[float]]
    ) -> None:
        """Hold mostly cards that fit; what is held seldom stands for more."""
        fits = fit(holes)
        most = NARROW / sum(fits)
        kept = [(hole, min(1.0, one * most)) for hole, one in zip(holes, fits, strict=True)]
        kept = [(hole, often) for hole, often in kept if self._rng.random() < often]
        self._hold([hole for hole, _ in kept], [1 / often for _, often in kept])

    def deal(self) -> "Runout":
        """The rest of the board as chance deals it."""
        board = self.spot.board
        return Runout(self, self.spot, self._rng.sample(self._unseen, BOARD[RIVER] - len(board)))

    def spot_on(self, street: int) -> "Spot | None":
        """The street and board of an earlier street; None if there was no question on it."""
        return self._spots.get(street)


class Spot:
    """A street with its board: what each kind of player sees in hole cards there."""

    def __init__(self, pool: Pool, street: int, board: Sequence[Card]) -> None:
        self._pool, self.street, self.board = pool, street, board
        self.bits = card_bits(board)
        self._shares: Sequence[Sequence[float]] = ()
        self._runouts: Sequence[Runout] = ()
        self._ladder: Ladder | None = None
        self._places: dict[int, int] = {}
        self._known: dict[int, int] = {}

    def measure(self, runouts: "Sequence[Runout]") -> None:
        """Take the win rates from boards that may follow."""
        self._runouts, self._shares = runouts, [runout.shares() for runout in runouts]

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
        return self._rate_of(hole, looks_at)

    def _rate_of(self, hole: Sequence[Card], rivals: int) -> int:
        if self.street == 1:
            return _step(win_rates()[class_of(hole[0], hole[1])][rivals])
        bits = card_bits(hole)
        shares = [runout.share_of(bits) for runout in self._runouts if not bits & runout.final]
        if shares:
            return _mean_step(shares, rivals)
        return _step(chances(self.street, rivals)[self._place_of(bits)])

    def _place_of(self, hole: int) -> int:
        """The step of the place of cards among any others on this board."""
        found = self._places.get(hole)
        if found is None:
            if self._ladder is None:
                holes = [other for other in self._pool.any[: 2 * RUNGS] if not other & self.bits][:RUNGS]
                self._ladder = Ladder([strength_of_bits(other | self.bits) for other in holes])
            found = self._places[hole] = self._ladder.step(strength_of_bits(hole | self.bits))
        return found

    def _value(self, looks_at: int, place: int) -> int:
        if self._shares and 1 <= looks_at <= MOST_RIVALS:
            return _mean_step([shares[place] for shares in self._shares], looks_at)
        if self.street > 1 and 1 <= looks_at <= MOST_RIVALS:
            return _step(chances(self.street, looks_at)[self._place_of(self._pool.holes[place])])
        return self.value_of(looks_at, self._pool.cards[place])


def _step(rate: float) -> int:
    return min(STEPS - 1, int(rate * STEPS))


def _mean_step(shares: Sequence[float], rivals: int) -> int:
    """The step of the win rate against so many others where that share of cards is worse in the end."""
    return _step(sum([share**rivals for share in shares]) / len(shares))


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
        self._beaten: dict[int, float] = {0: 1.0}
        self._ordered: list[int] = []
        self._shares: list[float] = []

    def beats(self, rivals: int) -> float:
        """The share of the pot that the own cards win against so many others with any cards, on average over some."""
        found = self._beaten.get(rivals)
        if found is None:
            found = self._beaten[rivals] = self._beat_groups(rivals)
        return found

    def beats_any_board(self, rivals: int) -> float:
        """The same on average over all boards, before the flop."""
        first, second = self._pool.cards[self._pool.own]
        return win_rates()[class_of(first, second)][rivals]

    def _beat_groups(self, rivals: int) -> float:
        """The mean over groups of that many hole cards that can be held at once."""
        own, final = self.strength(self._pool.own), self.final
        groups, won = 0, 0.0
        used, count, top, sharing = final, 0, 0, 1
        for hole in self._pool.any[:MANY]:
            if hole & used:
                continue
            strength = strength_of_bits(hole | final)
            used, count, top, sharing = used | hole, count + 1, max(top, strength), sharing + (strength == own)
            if count == rivals:
                groups, won = groups + 1, won + (1 / sharing if top <= own else 0.0)
                used, count, top, sharing = final, 0, 0, 1
        return won / groups

    def _any_strengths(self) -> list[int]:
        """Strengths of some hole cards at the end."""
        final = self.final
        return [strength_of_bits(hole | final) for hole in self._pool.any[:MANY] if not hole & final]

    def strength(self, place: int) -> int:
        """The strength of the cards of a place at the end."""
        found = self._strengths.get(place)
        if found is None:
            found = self._strengths[place] = strength_of_bits(self._pool.holes[place] | self.final)
        return found

    def shares(self) -> list[float]:
        """By place, the share of any cards that are worse at the end, ties half."""
        if not self._shares:
            self._ordered = sorted(self._any_strengths())
            final = self.final
            strengths = [0 if hole & final else strength_of_bits(hole | final) for hole in self._pool.holes]
            self._strengths = dict(enumerate(strengths))
            self._shares = [self._share(strength) for strength in strengths]
        return self._shares

    def share_of(self, hole: int) -> float:
        """The same for cards that were shown."""
        return self._share(strength_of_bits(hole | self.final))

    def _share(self, strength: int) -> float:
        ordered = self._ordered
        return (bisect_left(ordered, strength) + bisect_right(ordered, strength)) / (2 * len(ordered))
