"""A test that may be looked at after every game and stopped at any time: its p-value is always valid.

Under the null hypothesis the player ahead at the end of a game is the toss of a fair coin. The evidence against
it is the likelihood of the results, averaged over all other coins (uniformly), divided by that of a fair one:

    evidence = 2 ** n * ahead! * behind! / (n + 1)!        with n = ahead + behind

Under the null it is a martingale with mean 1, so that it *ever* reaches ``1 / p`` with a probability of at most
``p``, whenever somebody looks (Ville, Etude critique de la notion de collectif, 1939; this mixture: Robbins,
Statistical methods related to the law of the iterated logarithm, Annals of Mathematical Statistics 41, 1970,
section 4; as p-values that may be peeked at: Johari, Koomen, Pekelis and Walsh, Always valid inference, Operations
Research 70, 2022). Unlike tests made of intervals for means it is exact, also for the first games.
"""

from math import exp, lgamma, log


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
