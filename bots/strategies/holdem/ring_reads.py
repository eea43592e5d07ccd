"""What opponents at a no-limit table may hold and of which kind they are, as likely as what was seen makes them."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

from bots.strategies.holdem.ring_cards import Pool, Spot
from bots.strategies.holdem.ring_kinds import KINDS, NOTHING, likelihoods
from bots.strategies.holdem.ring_watch import Deed
from protocol.cards import Card

#: How much of what one hand tells about an opponent is believed, since kinds fit nobody quite.
TRUST = 0.95
#: How much the other opponents tell of the kind of one: those of a table are often the same.
ALIKE = 0.7
#: Kinds that are less likely are left out when cards are drawn.
RARE = 0.003


class RingRead:
    """What is thought of one opponent's cards in one hand, for each kind of player."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._weights = [list(pool.counts) for _ in KINDS]
        self._seen: list[Deed] = []

    def saw(self, deed: Deed) -> None:
        """Take into account what the opponent did on the street of the pool."""
        self._seen.append(deed)
        self._weigh(deed, self._pool.spot)

    def _weigh(self, deed: Deed, spot: Spot) -> None:
        for kind, weights in enumerate(self._weights):
            looks_at, often = likelihoods(kind, deed.ask, deed.chips)
            if looks_at == NOTHING:
                self._weights[kind] = [weight * often[0] for weight in weights]
            else:
                values = spot.values(looks_at)
                self._weights[kind] = [weight * often[value] for weight, value in zip(weights, values, strict=True)]

    def begin_anew(self) -> None:
        """Weigh the cards that the pool holds since the flop by what was seen before it."""
        self._weights = [list(self._pool.counts) for _ in KINDS]
        before = Spot(self._pool, 1, ())
        for deed in self._seen:
            self._weigh(deed, before)

    def fit(self, trust: Sequence[float], holes: Sequence[Sequence[Card]]) -> list[float]:
        """How well hole cards fit what was seen before the flop, on average over the likely kinds; sums up to 1."""
        shares = [share * sum(weights) for share, weights in zip(trust, self._weights, strict=True)]
        total, before = [0.0] * len(holes), Spot(self._pool, 1, ())
        for kind, share in enumerate(shares):
            if share < 0.05 * sum(shares):
                continue
            weights = [1.0] * len(holes)
            for deed in self._seen:
                looks_at, often = likelihoods(kind, deed.ask, deed.chips)
                weights = [
                    weight * often[before.value_of(looks_at, hole)] for weight, hole in zip(weights, holes, strict=True)
                ]
            scale = share / sum(weights)
            total = [one + weight * scale for one, weight in zip(total, weights, strict=True)]
        return [one / sum(total) for one in total]

    def draws(self, trust: Sequence[float], rng: Random) -> Iterator[tuple[int, int]]:
        """Kinds and places in the pool without end, drawn as likely as they are together.

        Args:
            trust: how likely each kind is before this hand.
            rng: draws.
        """
        shares = [share * sum(weights) for share, weights in zip(trust, self._weights, strict=True)]
        least = RARE * sum(shares)
        kinds = [kind for kind, share in enumerate(shares) if share > least]
        free = self._pool.free
        limits = list(
            accumulate(
                trust[kind] * weight if may else 0.0
                for kind in kinds
                for weight, may in zip(self._weights[kind], free, strict=True)
            )
        )
        total, last = limits[-1], len(limits) - 1
        while True:
            at, place = divmod(bisect_right(limits, rng.random() * total, 0, last), len(free))
            yield kinds[at], place

    def evidence(self, shown: Sequence[Card] | None) -> list[float]:
        """How likely each kind of player would have acted as was seen, with the cards it showed if it did."""
        if shown is None:
            return [sum(weights) / self._pool.own for weights in self._weights]
        found = [1.0] * len(KINDS)
        for deed in self._seen:
            spot = self._pool.spot_on(deed.ask.street)
            if spot is None:
                continue
            for kind in range(len(KINDS)):
                looks_at, often = likelihoods(kind, deed.ask, deed.chips)
                found[kind] *= often[spot.value_of(looks_at, shown)]
        return found


class Company:
    """How likely each opponent is of each kind, from all hands that were seen."""

    def __init__(self) -> None:
        self._trust: dict[int, list[float]] = {}

    def learn(self, player: int, evidence: Sequence[float]) -> None:
        """Take the evidence of one hand about a player into account."""
        mean = sum(evidence) / len(evidence)
        if not mean:
            return
        before = self._trust.get(player, _even())
        after = [share * (TRUST * told + (1 - TRUST) * mean) for share, told in zip(before, evidence, strict=True)]
        total = sum(after)
        self._trust[player] = [max(share / total, 1e-6) for share in after]

    def trust(self, player: int) -> list[float]:
        """How likely a player is of each kind."""
        own = self._trust.get(player, _even())
        others = [trust for other, trust in self._trust.items() if other != player]
        guess = [
            (1 - ALIKE) / len(KINDS) + ALIKE * sum(column) / len(column) if column else 1 / len(KINDS)
            for column in (zip(*others, strict=True) if others else [()] * len(KINDS))
        ]
        joint = [share * prior for share, prior in zip(own, guess, strict=True)]
        total = sum(joint)
        return [share / total for share in joint]


def _even() -> list[float]:
    return [1 / len(KINDS)] * len(KINDS)
