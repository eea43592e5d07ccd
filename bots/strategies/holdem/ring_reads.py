"""What opponents at a no-limit table may hold and of which kind they are, as likely as what was seen makes them."""

from collections.abc import Sequence

from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import KIND_COUNT, Floats, add_up, add_weights, floats, weigh
from bots.strategies.holdem.ring_kinds import curves
from bots.strategies.holdem.ring_watch import Deed
from protocol.cards import Card

#: How much of what one hand tells about an opponent is believed, since kinds fit nobody quite.
TRUST = 0.95
#: Kinds that are less likely are left out when cards are drawn.
RARE = 0.003


class RingRead:
    """What is thought of one opponent's cards in one hand, for each kind of player."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._weights = floats([1 / pool.size] * (KIND_COUNT * pool.size))
        self._seen: list[Deed] = []

    def saw(self, deed: Deed) -> None:
        """Take into account what the opponent did on the street of the pool."""
        self._seen.append(deed)
        weigh(self._weights, self._pool.now, curves(), deed.ask, -1 if deed.chips is None else deed.chips)

    def _totals(self) -> list[float]:
        totals = floats([0.0] * KIND_COUNT)
        add_weights(self._weights, self._pool.holes, self._pool.scene.board, totals)
        return list(totals)

    def add_up(self, limits: Floats, player: int, trust: Sequence[float]) -> None:
        """Write how likely each kind and cards are together, as sums from the first on.

        Args:
            limits: is written to, see ``ring_kernel.Known``.
            player: the place of the opponent in it.
            trust: how likely each kind is before this hand.
        """
        shares = [share * total for share, total in zip(trust, self._totals(), strict=True)]
        least = RARE * sum(shares)
        parts = [part if share > least else 0.0 for part, share in zip(trust, shares, strict=True)]
        add_up(limits, player, self._weights, floats(parts), self._pool.holes, self._pool.scene.board)

    def evidence(self, shown: Sequence[Card] | None) -> list[float]:
        """How likely each kind of player would have acted as was seen, with the cards it showed if it did."""
        if shown is None:
            return self._totals()
        found = floats([1.0] * KIND_COUNT)
        looks = {street: self._pool.seen_in(street, shown) for street in {deed.ask.street for deed in self._seen}}
        for deed in self._seen:
            look = looks[deed.ask.street]
            if look is not None:
                weigh(found, look, curves(), deed.ask, -1 if deed.chips is None else deed.chips)
        return list(found)


class Company:
    """How likely each opponent is of each kind, from all hands that were seen.

    Args:
        alike: how much the others tell of the kind of one, from 0 to 1.
    """

    def __init__(self, alike: float) -> None:
        self._alike = alike
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
        guess = _even()
        if others:
            columns = zip(*others, strict=True)
            guess = [(1 - self._alike) / KIND_COUNT + self._alike * sum(column) / len(column) for column in columns]
        joint = [share * prior for share, prior in zip(own, guess, strict=True)]
        total = sum(joint)
        return [share / total for share in joint]


def _even() -> list[float]:
    return [1 / KIND_COUNT] * KIND_COUNT
