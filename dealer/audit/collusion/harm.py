"""How much players harm themselves against one opponent, by not acting as they usually do.

What a player usually does in a situation is what it did in equal situations against all other opponents. The harm of a
decision is what the usual actions would have been worth on average, less the worth of what the player did. A player who
acts by its cards and the table alone has a mean harm of zero against everybody, and one who adapts to opponents to gain
has less. Who gives chips to a partner harms itself against the partner alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import sqrt

from dealer.audit.collusion.decisions import ACTIONS, FOLDS, Decision
from protocol.estimates.intervals import Estimate, half_width
from protocol.estimates.many_tests import one_sided

#: Parts of the pot up to which harm a decision is no evidence.
MARGIN = 0.05

#: Decisions against others in an equal situation that a decision needs to be compared with.
ENOUGH_USUAL = 6

#: Compared decisions, and parts of the hands of a pair with some of them, that a test needs.
ENOUGH_DECISIONS, ENOUGH_PARTS = 16, 12

#: How widely situations are compared: quite equal ones first, then similar ones; see ``Situation.alike``.
LEVELS = 3

#: Parts into which the hands of a pair are divided, at most. They are treated as independent.
PARTS = 24

#: Classes of cards from which on they are strong: they win 65 % of the pot or more.
STRONG = 4

#: Decisions whose weight a less exact figure has, where a more exact one follows from few.
PRIOR = 3

#: How often an opponent folds to a bet, where nothing is known of it.
USUAL_FOLDS = 0.3

#: Which decisions a test looks at: all of them, or those with strong cards.
KINDS = ("all", "strong")

_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PairTest:
    """A test of whether one player gives chips to another.

    Attributes:
        giver, receiver: their numbers.
        kind: one of ``KINDS``.
        harm: of the giver a decision, as parts of the pot, with its 95 % interval.
        decisions: that were compared.
        p_value: how often honest players show as much harm, or more.
        corrected: the same for all tests together.
    """

    giver: int
    receiver: int
    kind: str
    harm: Estimate
    decisions: int
    p_value: float
    corrected: float = 1.0


@dataclass(slots=True)
class _Sum:
    """The compared decisions of a pair.

    Attributes:
        harm: by part of their hands.
        decisions: by part of their hands.
        variance: of the whole harm, if the actions were drawn at random from the usual ones.
        shortfall: how much less the giver won in the end than in equal situations against others.
    """

    harm: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    decisions: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    variance: float = 0.0
    shortfall: float = 0.0


def pair_tests(decisions: Sequence[Decision]) -> tuple[list[PairTest], list[_Pair]]:
    """Test all pairs of players who were alone in hands; and the pairs, giver first, that cannot be judged.

    The p-values are not corrected yet.
    """
    sums: Mapping[str, dict[_Pair, _Sum]] = {kind: defaultdict(_Sum) for kind in KINDS}
    folds, parts = _Folds(decisions), _parts(decisions)
    for compared in _comparisons(decisions):
        pair = compared.player, compared.opponent
        compared.add_to(sums["all"][pair], folds, parts[pair])
        if compared.cards >= STRONG:
            compared.add_to(sums["strong"][pair], folds, parts[pair])
    tests = [
        _test(pair, kind, found) for kind, pairs in sums.items() for pair, found in pairs.items() if _is_enough(found)
    ]
    met = {pair for decision in decisions for pair in permutations((decision.player, decision.opponent))}
    judged = {(test.giver, test.receiver) for test in tests}
    return tests, sorted((giver, receiver) for giver, receiver in met - judged)


def _parts(decisions: Iterable[Decision]) -> dict[_Pair, dict[int, int]]:
    """The part to which each hand of each pair belongs, by the number of the hand."""
    numbers: defaultdict[_Pair, set[int]] = defaultdict(set)
    for decision in decisions:
        numbers[decision.player, decision.opponent].add(decision.number)
    return {
        pair: {number: place * PARTS // max(len(hands), PARTS) for place, number in enumerate(sorted(hands))}
        for pair, hands in numbers.items()
    }


class _Folds:
    """How often players fold to a bet, by street and class of cards."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self._folds: defaultdict[tuple[int, ...], int] = defaultdict(int)
        self._asked: defaultdict[tuple[int, ...], int] = defaultdict(int)
        for decision in decisions:
            if decision.situation.price:
                for key in self._keys(decision.player, decision.situation.street, decision.situation.cards):
                    self._asked[key] += 1
                    self._folds[key] += decision.action == FOLDS

    def rate(self, player: int, street: int, cards: int) -> float:
        """The rate; where there are few decisions, near that of the street, or of the player."""
        rate = USUAL_FOLDS
        for key in self._keys(player, street, cards):
            rate = (self._folds[key] + PRIOR * rate) / (self._asked[key] + PRIOR)
        return rate

    @staticmethod
    def _keys(player: int, street: int, cards: int) -> tuple[tuple[int, ...], ...]:
        return (player,), (player, street), (player, street, cards)


def _comparisons(decisions: Sequence[Decision]) -> Iterator["_Comparison"]:
    """All decisions for which there is enough to compare with: in equal situations, or else in similar ones."""
    left = decisions
    for level in range(LEVELS):
        alike: defaultdict[object, list[Decision]] = defaultdict(list)
        for decision in decisions:
            alike[decision.player, decision.situation.alike()[level]].append(decision)
        to_compare: defaultdict[object, list[Decision]] = defaultdict(list)
        for decision in left:
            to_compare[decision.player, decision.opponent, decision.situation.alike()[level]].append(decision)
        left = []
        for own in to_compare.values():
            one = own[0]
            others = [d for d in alike[one.player, one.situation.alike()[level]] if d.opponent != one.opponent]
            if len(others) >= ENOUGH_USUAL:
                yield _Comparison(own, others)
            else:
                left += own


class _Comparison:
    """What a player does in one situation against one opponent, compared with what it does against all others."""

    def __init__(self, own: Sequence[Decision], others: Sequence[Decision]) -> None:
        self.player, self.opponent, self.cards = own[0].player, own[0].opponent, own[0].situation.cards
        self._own, self._usual_count = own, len(others)
        self._usual, self._both = _frequencies(others), _frequencies([*own, *others])
        self._results = sum(_beyond_call(decision) for decision in others) / len(others)

    def add_to(self, total: _Sum, folds: _Folds, parts: Mapping[int, int]) -> None:
        """Add the harm of the decisions against the opponent, by part of the hands of the pair."""
        values = [_values(decision, folds) for decision in self._own]
        for decision, worth in zip(self._own, values, strict=True):
            part = parts[decision.number]
            total.harm[part] += _mean(self._usual, worth) - worth[decision.action]
            total.decisions[part] += 1
            total.variance += _variance(self._both, worth)
            total.shortfall += self._results - _beyond_call(decision)
        # what is usual is known from few decisions: its error is common to all that are compared with it
        together = [sum(column) for column in zip(*values, strict=True)]
        total.variance += _variance(self._both, together) / self._usual_count


def _frequencies(decisions: Sequence[Decision]) -> list[float]:
    counts = [0] * len(ACTIONS)
    for decision in decisions:
        counts[decision.action] += 1
    return [count / max(len(decisions), 1) for count in counts]


def _values(decision: Decision, folds: _Folds) -> list[float]:
    """What each class of actions is worth; a raise where none is allowed is worth a call."""
    call = decision.call
    if not decision.raised:
        return [0.0, call, call, call]
    rate = folds.rate(decision.opponent, decision.situation.street, decision.facing)
    return [0.0, call, *(rate * won + (1 - rate) * called for won, called in decision.raised)]


def _beyond_call(decision: Decision) -> float:
    """What the player won in the end beyond what its cards alone were worth."""
    return decision.result - decision.call


def _mean(frequencies: Sequence[float], values: Sequence[float]) -> float:
    return sum(frequency * value for frequency, value in zip(frequencies, values, strict=True))


def _variance(frequencies: Sequence[float], values: Sequence[float]) -> float:
    mean = _mean(frequencies, values)
    return sum(frequency * (value - mean) ** 2 for frequency, value in zip(frequencies, values, strict=True))


def _is_enough(found: _Sum) -> bool:
    return sum(found.decisions.values()) >= ENOUGH_DECISIONS and len(found.decisions) >= ENOUGH_PARTS


def _test(pair: _Pair, kind: str, found: _Sum) -> PairTest:
    """Student's t over the parts of the tournament, with the larger of two standard errors."""
    count, parts = sum(found.decisions.values()), len(found.decisions)
    harm = sum(found.harm.values()) / count
    pulls = [found.harm[part] - harm * found.decisions[part] for part in found.decisions]
    between = sqrt(parts / (parts - 1) * sum(pull * pull for pull in pulls)) / count
    error = max(between, sqrt(found.variance) / count)
    p_value = one_sided(harm - MARGIN, error, parts - 1, 0.5**parts) if found.shortfall > 0 else 1.0
    half = half_width(parts, error)
    return PairTest(*pair, kind, Estimate(harm, harm - half, harm + half), count, p_value)
