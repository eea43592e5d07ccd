"""State the result of a simulation: a winner, or how many more games are needed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, isfinite, lgamma, log

from bots.simulation.tally import PairTally, Tally
from bots.statistics import ExactMean, sign_test, trials_needed
from protocol.plurals import counted, listed

#: How often, at most, two players that are even may be called different.
LEVEL = 0.05

#: Games; a difference that takes more to be seen does not matter.
FEW_ENOUGH = 10**9


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the player ahead is better than the others.

    Attributes:
        words: for people.
        decided: whether the leader beats everybody else.
        p_value: of the leader against its rival, corrected for all comparisons; null: each is ahead as often.
        leader: the player who won most games.
        rival: the player it is hardest to tell from the leader.
        comparisons: of every two players; the p-value of one of them was multiplied by this number.
        more: games to play until it is probably decided; None if it is, or if no difference is in sight.
    """

    words: str
    decided: bool
    p_value: float
    leader: str
    rival: str
    comparisons: int
    more: int | None


def judge(tally: Tally, names: Sequence[str], level: float = LEVEL, always_valid: Sequence[float] = ()) -> Verdict:
    """Compare who won most games with everybody else.

    The leader is picked after the games, so every two players are taken as compared (Bonferroni).

    Args:
        level: of the whole comparison.
        always_valid: a p-value for each pair of ``tally.pairs``, if the games were looked at while they were played.
    """
    found = always_valid or [sign_test(pair.ahead, pair.behind) for pair in tally.pairs.values()]
    p_values = dict(zip(tally.pairs, found, strict=True))
    count = len(tally.pairs)
    leader = max(range(len(names)), key=lambda player: (tally.players[player].won, -player))
    beaten, open_, more = [], [], 0.0
    against: dict[int, float] = {}
    for (first, second), pair in tally.pairs.items():
        if leader not in (first, second):
            continue
        other, sign = (second, 1) if leader == first else (first, -1)
        against[other] = p_value = count * p_values[first, second]
        if p_value <= level and sign * (pair.ahead - pair.behind) > 0:
            beaten.append(names[other])
        else:
            open_.append(names[other])
            more = max(more, _more_games(pair, tally))
    needed = ceil(more) if open_ and more < FEW_ENOUGH else None
    rival = max(against, key=lambda player: against[player])
    words = _words(names[leader], beaten, open_, needed)
    return Verdict(words, not open_, min(1.0, against[rival]), names[leader], names[rival], count, needed)


def _words(leader: str, beaten: Sequence[str], open_: Sequence[str], more: int | None) -> str:
    if not open_:
        return f"{leader} beats {listed(beaten)}"
    advice = f"play about {counted(more, 'more game')}" if more is not None else "no difference is in sight"
    if beaten:
        return f"{leader} beats {listed(beaten)}; not decided against {listed(open_)}: {advice}"
    return f"not decided: {advice}"


def _more_games(pair: PairTally, tally: Tally) -> float:
    """Games beyond those played until the difference seen is significant four times in five."""
    scores = ExactMean(tally.deals, pair.ahead - pair.behind, pair.ahead + pair.behind)
    if not isfinite(scores.variance):
        return float(FEW_ENOUGH)
    needed = trials_needed(scores.mean, scores.variance)
    return max((needed - tally.deals) * tally.seatings, float(tally.seatings))


# A test that may be looked at after every game and stopped at any time: its p-value is always valid.
#
# Under the null hypothesis the player ahead at the end of a game is the toss of a fair coin. The evidence against
# it is the likelihood of the results, averaged over all other coins (uniformly), divided by that of a fair one:
#
#     evidence = 2 ** n * ahead! * behind! / (n + 1)!        with n = ahead + behind
#
# Under the null it is a martingale with mean 1, so that it *ever* reaches ``1 / p`` with a probability of at most
# ``p``, however often one looks (Ville, Etude critique de la notion de collectif, 1939; this mixture: Robbins,
# Statistical methods related to the law of the iterated logarithm, Annals of Mathematical Statistics 41, 1970,
# section 4; as p-values that may be peeked at: Johari, Koomen, Pekelis and Walsh, Always valid inference, Operations
# Research 70, 2022). Unlike tests made of intervals for means it is exact, also for the first games.


def log_evidence(ahead: int, behind: int) -> float:
    """The natural logarithm of the evidence against a fair coin; drawn games say nothing."""
    trials = ahead + behind
    return trials * log(2) + lgamma(ahead + 1) + lgamma(behind + 1) - lgamma(trials + 2)


class AlwaysValid:
    """The p-value of a simulation that is looked at while it runs.

    Attributes:
        p_value: may be compared to a level after any game; it never rises again.
    """

    def __init__(self) -> None:
        self.p_value = 1.0

    def look(self, ahead: int, behind: int) -> None:
        """Take the games so far into account: all of them, not only the new ones."""
        self.p_value = min(self.p_value, exp(-log_evidence(ahead, behind)))
