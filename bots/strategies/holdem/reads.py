"""What opponents may hold and of which kind they are: both as likely as what was seen makes them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

from bots.strategies.holdem.chances import STEPS
from bots.strategies.holdem.habits import KINDS, Spot, table_of
from bots.strategies.holdem.preflop import place_of
from protocol.cards import DECK, Card
from protocol.games.poker_strength import card_bits, strength_of_bits

#: Hole cards that are drawn in a hand; those of opponents are taken to be among them.
POOL = 100
#: How much of what one hand tells about an opponent is believed, since kinds fit nobody quite.
TRUST = 0.9


def step_of(below: int, among: int) -> int:
    """The step of a place that has so many of ``among`` others below it, halves counted twice."""
    return min(STEPS - 1, below * STEPS // (2 * among))


class Ladder:
    """Strengths of many hole cards on a board, to find the place of others."""

    def __init__(self, strengths: Sequence[int]) -> None:
        self._sorted = sorted(strengths)

    def step(self, strength: int) -> int:
        """The step of the place of a strength; equal strengths count half."""
        rungs = self._sorted
        return step_of(bisect_left(rungs, strength) + bisect_right(rungs, strength), len(rungs))


class Pool:
    """Hole cards that opponents may hold in one hand, with the steps of their places on each street.

    Attributes:
        holes: as bits.
        steps: of each, on the street under way.
        free: whether the board leaves each possible.
    """

    def __init__(self, hole: Sequence[Card], rng: Random) -> None:
        unseen = [card for card in DECK if card not in hole]
        pairs = [rng.sample(unseen, 2) for _ in range(POOL)]
        self.holes = [card_bits(pair) for pair in pairs]
        self.steps = [int(place_of(*pair) * STEPS) for pair in pairs]
        self.free = [True] * POOL
        self._own = card_bits(hole)
        self.own_step = int(place_of(hole[0], hole[1]) * STEPS)
        self._street = 1
        self._ladders: dict[int, tuple[int, Ladder]] = {}

    def turn_to(self, street: int, board: Sequence[Card]) -> None:
        """Find the places of all cards on the board of a street."""
        if street == self._street:
            return
        self._street = street
        bits = card_bits(board)
        self.free = [not hole & bits for hole in self.holes]
        strengths = [
            strength_of_bits(hole | bits) if free else 0 for hole, free in zip(self.holes, self.free, strict=True)
        ]
        ladder = Ladder([strength for strength in strengths if strength])
        self.steps = [ladder.step(strength) for strength in strengths]
        self.own_step = ladder.step(strength_of_bits(self._own | bits))
        self._ladders[street] = bits, ladder

    def step_on(self, street: int, hole: Sequence[Card]) -> int:
        """The step of cards that were shown, on a street that was played."""
        if street == 1:
            return int(place_of(hole[0], hole[1]) * STEPS)
        bits, ladder = self._ladders[street]
        return ladder.step(strength_of_bits(card_bits(hole) | bits))


class Read:
    """What is thought of one opponent's cards in one hand, for each kind of player."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._weights = [[1.0] * POOL for _ in KINDS]
        self._seen: list[tuple[Spot, int]] = []

    def saw(self, spot: Spot, choice: int) -> None:
        """Take into account that the opponent chose to fold, call or raise."""
        self._seen.append((spot, choice))
        steps = self._pool.steps
        for kind, weights in enumerate(self._weights):
            often = [entry[choice] for entry in table_of(kind, spot)]
            self._weights[kind] = [weight * often[step] for weight, step in zip(weights, steps, strict=True)]

    def draws(self, trust: Sequence[float], rng: Random) -> Iterator[tuple[int, int]]:
        """Kinds and places in the pool without end, drawn as likely as they are together.

        Args:
            trust: how likely each kind is before this hand.
            rng: draws.
        """
        free = self._pool.free
        limits = list(
            accumulate(
                share * weight if may else 0.0
                for share, weights in zip(trust, self._weights, strict=True)
                for weight, may in zip(weights, free, strict=True)
            )
        )
        total, last = limits[-1], len(limits) - 1
        while True:
            yield divmod(bisect_right(limits, rng.random() * total, 0, last), POOL)

    def evidence(self, shown: Sequence[Card] | None) -> list[float]:
        """How likely each kind of player would have acted as was seen, with the cards it showed if it did."""
        if shown is None:
            return [sum(weights) / POOL for weights in self._weights]
        found = [1.0] * len(KINDS)
        for spot, choice in self._seen:
            step = self._pool.step_on(spot.street, shown)
            for kind in range(len(KINDS)):
                found[kind] *= table_of(kind, spot)[step][choice]
        return found


class Character:
    """How likely an opponent is of each kind, from all hands that were seen."""

    def __init__(self) -> None:
        self.trust = [1 / len(KINDS)] * len(KINDS)

    def learn(self, evidence: Sequence[float]) -> None:
        """Take the evidence of one hand into account."""
        mean = sum(evidence) / len(evidence)
        if not mean:
            return
        after = [share * (TRUST * told + (1 - TRUST) * mean) for share, told in zip(self.trust, evidence, strict=True)]
        total = sum(after)
        self.trust = [share / total for share in after]
