"""State the result of a simulation: a winner, or how large a difference may be that was not found.

Where a game is played in games, who wins more of them is better; else who wins more chips.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p

from bots.simulation.plan import Plan
from bots.simulation.tally import PairTally, Tally
from protocol.estimates.exact_mean import ExactMean, sign_test
from protocol.estimates.intervals import CONFIDENCE, Estimate
from protocol.plurals import listed

#: How often, at most, two players that are even may be called different.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the player ahead is better than the others.

    Attributes:
        words: for people.
        decided: whether the leader beats everybody else.
        p_value: of the leader against its rival, corrected for all comparisons; null: they are even.
        leader: the player who won most games, or most chips.
        rival: the player it is hardest to tell from the leader.
        comparisons: of every two players, in all simulations that hold together; the p-value of one of them was
            multiplied by this number.
        unlikely_above: a difference that is larger would probably have been found: the end of its interval at 95 %, as
            a share of deals, or in chips a hand. None if it is decided, or not known.
    """

    words: str
    decided: bool
    p_value: float
    leader: str
    rival: str
    comparisons: int
    unlikely_above: float | None


def judge(tally: Tally, plan: Plan, level: float = LEVEL, always_valid: Sequence[float] = ()) -> Verdict:
    """Compare the player who leads with everybody else.

    The leader is picked after the games, so every two players are taken as compared (Bonferroni).

    Args:
        level: of the whole comparison.
        always_valid: a p-value for each pair of ``tally.pairs``, if the plays were looked at while they were played.
    """
    names, in_games = plan.names, plan.in_games
    found = always_valid or [p_value_of(pair, plan) for pair in tally.both]
    p_values = dict(zip(tally.pairs, found, strict=True))
    count = len(tally.pairs) * plan.tests
    scores = [player.won if in_games else player.gains.total for player in tally.players]
    leader = scores.index(max(scores))
    beaten, open_, above = [], [], 0.0
    against: dict[int, float] = {}
    for (first, second), pair in tally.pairs.items():
        if leader not in (first, second):
            continue
        other, sign = (second, 1) if leader == first else (first, -1)
        against[other] = p_value = count * p_values[first, second]
        if p_value <= level and sign * (pair.ahead - pair.behind if in_games else pair.deals.total) > 0:
            beaten.append(names[other])
        else:
            open_.append(names[other])
            difference = difference_of(pair, plan)
            above = max(above, -difference.low, difference.high)
    rival = max(against, key=lambda player: against[player])
    unlikely = above if 0 < above < inf else None
    words = _words(names[leader], beaten, open_, _amount(unlikely, plan))
    return Verdict(words, not open_, min(1.0, against[rival]), names[leader], names[rival], count, unlikely)


def p_value_of(pair: PairTally, plan: Plan) -> float:
    """How often chance alone makes two players differ as much; two-sided.

    Of a few deals that are nearly equal, Student's t would promise more than their signs do.
    """
    if plan.in_games:
        return sign_test(pair.ahead, pair.behind)
    return max(pair.deals.p_value, sign_test(pair.deals.count, 0))


def difference_of(pair: PairTally, plan: Plan) -> Estimate:
    """By how much the first is ahead of the second: as a share of the deals, or in chips a hand.

    The intervals of all ``plan.tests`` hold together (Bonferroni).
    """
    if not plan.in_games:
        return pair.deals.estimate_at(1 - (1 - CONFIDENCE) / plan.tests).scaled(1 / plan.seatings)
    return ExactMean(pair.deals.count, pair.ahead - pair.behind, pair.ahead + pair.behind).estimate_within(-1, 1)


def _amount(difference: float | None, plan: Plan) -> str | None:
    if difference is None or plan.in_games:
        return None if difference is None else f"{100 * difference:.1f} % of deals"
    name, factor = plan.game.unit
    return f"{difference * factor:,.2f} {name}"


def _words(leader: str, beaten: Sequence[str], open_: Sequence[str], amount: str | None) -> str:
    won = f"{leader} beats {listed(beaten)}" if beaten else ""
    if not open_:
        return won
    none = f"{won}; no difference found against {listed(open_)}" if won else "no difference found"
    return none if amount is None else f"{none}, and one above {amount} is unlikely"


# Tests that may be looked at after every deal and stopped at any time: their p-values are always valid.
#
# Under the null hypothesis each is a martingale with mean 1, or less, so that it *ever* reaches ``1 / p`` with a
# probability of at most ``p``, however often one looks (Ville, Etude critique de la notion de collectif, 1939; as
# p-values that may be peeked at: Johari, Koomen, Pekelis and Walsh, Always valid inference, Operations Research 70,
# 2022). Unlike tests made of intervals for means they are exact, also for the first deals.


def log_evidence(ahead: int, behind: int) -> float:
    """The natural logarithm of the evidence that the player ahead at the end of a deal is no toss of a fair coin.

    It is the likelihood of the results, averaged over all other coins (uniformly), divided by that of a fair one
    (Robbins, Statistical methods related to the law of the iterated logarithm, Annals of Mathematical Statistics 41,
    1970, section 4)::

        evidence = 2 ** n * ahead! * behind! / (n + 1)!        with n = ahead + behind

    Drawn deals say nothing.
    """
    trials = ahead + behind
    return trials * log(2) + lgamma(ahead + 1) + lgamma(behind + 1) - lgamma(trials + 2)


#: Stakes of the bets in ``log_evidence_of_mean``, each as a part of all that can be lost: for differences of any size.
_STAKES = [0.9 / 4**power for power in range(9)]


def log_evidence_of_mean(values: ExactMean, bound: int) -> float:
    """The natural logarithm of the evidence that the mean of values from ``-bound`` to ``bound`` is not 0.

    Whoever bets a part of what he has on each value, and so has ``1 + stake * value / bound`` times as much after it,
    wins nothing on average if the mean is 0. This is what such bets bring at least, averaged over stakes of both signs,
    since ``log(1 + y) >= y + (log(1 - s) + s) * (y / s) ** 2`` where ``y >= -s`` (Fan, Grama and Liu, Exponential
    inequalities for martingales with applications, Electronic Journal of Probability 20, 2015, lemma 4.1).
    """
    mean, square = values.total / bound, values.squares / bound**2
    found = [sign * stake * mean + (log1p(-stake) + stake) * square for stake in _STAKES for sign in (1, -1)]
    most = max(found)
    return float(most + log(sum([exp(one - most) for one in found]) / len(found)))


class AlwaysValid:
    """The p-value of a pair in a simulation that is looked at while it runs.

    Attributes:
        p_value: may be compared to a level after any deal; it never rises again.
    """

    def __init__(self) -> None:
        self.p_value = 1.0

    def look(self, pair: PairTally, plan: Plan) -> None:
        """Take the deals so far into account: all of them, not only the new ones."""
        if plan.in_games:
            found = log_evidence(pair.ahead, pair.behind)
        else:  # in a hand one player wins what all others have, at most
            found = log_evidence_of_mean(pair.deals, plan.game.stack * plan.players * plan.seatings)
        self.p_value = min(self.p_value, exp(min(-found, 0.0)))
