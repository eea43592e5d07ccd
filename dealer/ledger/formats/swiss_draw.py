"""Swiss tournaments: in every round, players meet others with as many points, and nobody twice.

The basic rules are those of FIDE (Handbook C.04.1), and the order of wishes that of its Dutch system (C.04.3): score
groups are paired from the top; in each of them the top half meets the bottom half; who cannot be paired in its group
floats down to the next. Each player in turn gets its first wish that leaves everybody else a partner, which for one
score group is the first of the Dutch system's transpositions. Simpler than there: who floated in the last round may
float again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, log2
from typing import NamedTuple

from dealer.ledger.formats.matching import Matching

#: Two players by number; the first sits in seat 0 of their first game.
Pair = tuple[int, int]

#: How many times more often a player may be first than second, or second than first (C.04.1).
MOST_AHEAD = 2


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, as the draw knows it.

    Attributes:
        number: of the player in the order of the tournament, from 0; of equals the lower number ranks higher.
        points: in half points.
        met: numbers of its opponents so far.
        byes: it has had.
        firsts: for each pairing it has played, in order, whether it was the one named first.
    """

    number: int
    points: int = 0
    met: tuple[int, ...] = ()
    byes: int = 0
    firsts: tuple[bool, ...] = ()

    @property
    def balance(self) -> int:
        """Rounds in which it was first, less those in which it was second."""
        return 2 * sum(self.firsts) - len(self.firsts)

    def strained(self, first: bool) -> bool:
        """True if it should not be first, or second, again: too often, or three times in a row."""
        balance = self.balance + (1 if first else -1)
        return abs(balance) > MOST_AHEAD or self.firsts[-2:] == (first, first)


class Draw(NamedTuple):
    """A round of a Swiss tournament: the pairs, best first, and who has a bye, by number."""

    pairs: tuple[Pair, ...]
    bye: int | None


def swiss_rounds(players: int) -> int:
    """The usual number of rounds of such a tournament: ceil(log2(players)) + 2, or all that a round robin has.

    After ceil(log2(players)) rounds without draws one player is left who won everything. That settles a tournament in
    which the better one always wins; between card players one result says less, so there are two rounds more.
    """
    return min(ceil(log2(players)) + 2, players - 1 + players % 2)


def swiss_draw(entrants: Iterable[Entrant]) -> Draw:
    """Pair everybody; of an odd number, one has a bye.

    In this order: the bye goes to an entrant with the fewest byes; as few pairs as possible meet again; the bye goes to
    the lowest in rank; then pairs as the module says. An entrant that was first too often, or twice in a row, meets one
    that can be first now, if its score group allows. The same entrants make the same draw in any order.
    """
    ranked = sorted(entrants, key=lambda entrant: (-entrant.points, entrant.number))
    strangers = {
        one.number: [two.number for two in ranked if two is not one and two.number not in one.met] for one in ranked
    }
    rest = Matching(strangers, strangers)
    bye = None
    if len(ranked) % 2:
        bye, rest = _choose_bye(ranked, rest)
        ranked = [entrant for entrant in ranked if entrant.number != bye]
    return Draw(_Pairing(strangers, rest).pair(ranked), bye)


def _choose_bye(ranked: Sequence[Entrant], everybody: Matching) -> tuple[int, Matching]:
    """The player who has the bye, and a matching of the others."""
    fewest = min(entrant.byes for entrant in ranked)
    candidates = [entrant.number for entrant in reversed(ranked) if entrant.byes == fewest]
    rests = ((number, everybody.without(number)) for number in candidates)
    best = everybody.unmatched - 1
    return next((choice for choice in rests if choice[1].unmatched == best), None) or (
        candidates[0],
        everybody.without(candidates[0]),
    )


class _Pairing:
    """A round being drawn, from the top.

    Args:
        strangers: for each player by number those it has not met.
        rest: a matching of strangers among all who are to be paired.
    """

    def __init__(self, strangers: dict[int, list[int]], rest: Matching) -> None:
        self._strangers = {number: frozenset(others) for number, others in strangers.items()}
        self._rest = rest
        self._rematches = rest.unmatched // 2
        """Pairs still to come that have met."""
        self._pairs: list[Pair] = []

    def pair(self, ranked: Sequence[Entrant]) -> tuple[Pair, ...]:
        floaters: list[Entrant] = []
        for _, group in groupby(ranked, lambda entrant: entrant.points):
            floaters = self._pair_bracket(floaters, list(group))
        return tuple(self._pairs)

    def _pair_bracket(self, floaters: list[Entrant], group: list[Entrant]) -> list[Entrant]:
        """Pair who came down and then the group; returns who floats down from here."""
        bracket = _Bracket(self._strangers, floaters, group)
        down = []
        while entrant := bracket.next():
            partner = self._partner(entrant, bracket)
            if partner is None:
                down.append(entrant)
                bracket.take(entrant)
            else:
                self._fix(entrant, partner)
                bracket.take(entrant, partner)
        return down

    def _partner(self, entrant: Entrant, bracket: "_Bracket") -> Entrant | None:
        """The first wish that can be granted; None for who floats down.

        In the last bracket that is nobody: everybody's partner is there, or the rest could not be completed.
        """
        wishes = bracket.wishes(entrant)
        strangers = [other for other in wishes if other.number in self._strangers[entrant.number]]
        for other in strangers:
            if bracket.can_spare(entrant, other) and self._completes(entrant, other):
                return other
        for other in sorted(wishes, key=lambda other: entrant.met.count(other.number)) if self._rematches else ():
            if other not in strangers and self._completes(entrant, other):
                return other
        return next((other for other in strangers if self._completes(entrant, other)), None)

    def _completes(self, one: Entrant, two: Entrant) -> bool:
        """True if everybody else can be paired without more rematches than there must be."""
        left = self._rematches - self._met(one, two)
        return left >= 0 and self._rest.without(one.number, two.number).unmatched <= 2 * left

    def _fix(self, one: Entrant, two: Entrant) -> None:
        self._rest = self._rest.without(one.number, two.number)
        self._rematches -= self._met(one, two)
        self._pairs.append((one.number, two.number) if goes_first(one, two) else (two.number, one.number))

    def _met(self, one: Entrant, two: Entrant) -> bool:
        return two.number not in self._strangers[one.number]


class _Bracket:
    """A score group with those who floated down to it, as long as they are not paired."""

    def __init__(
        self, strangers: dict[int, frozenset[int]], floaters: Sequence[Entrant], group: Sequence[Entrant]
    ) -> None:
        self._floaters = list(floaters)
        self._group = list(group)
        self._bottom: list[Entrant] | None = None
        self._matching = Matching(strangers, [entrant.number for entrant in (*floaters, *group)])

    def next(self) -> Entrant | None:
        """The highest in rank, floaters being above the group; None if nobody is left."""
        if self._floaters:
            return self._floaters[0]
        if self._bottom is None:
            self._bottom = self._group[len(self._group) // 2 :]
        return self._group[0] if self._group else None

    def take(self, *entrants: Entrant) -> None:
        """These are paired, or float down."""
        self._matching = self._matching.without(*(entrant.number for entrant in entrants))
        for entrants_left in (self._floaters, self._group, self._bottom or []):
            entrants_left[:] = [entrant for entrant in entrants_left if entrant not in entrants]

    def wishes(self, entrant: Entrant) -> list[Entrant]:
        """Everybody else, best first: before all others those with whom neither is ``strained``.

        Then a floater wants the group from its top, and a player of the group the bottom half from its top, followed by
        the top half upwards.
        """
        bottom = self._bottom or []
        top = (other for other in reversed(self._group) if other not in bottom)
        preferred = [*self._group, *self._floaters] if self._floaters else [*bottom, *top]
        others = [other for other in preferred if other is not entrant]
        return sorted(others, key=lambda other: min(_strains(entrant, other), _strains(other, entrant)))

    def can_spare(self, one: Entrant, two: Entrant) -> bool:
        """True if no more of the others would have to float if these two met."""
        return self._matching.without(one.number, two.number).unmatched <= self._matching.unmatched


def goes_first(one: Entrant, two: Entrant) -> bool:
    """True if ``one``, the higher in rank, is named first.

    It is if that strains fewer of the two; else if it was first less often; else if it was second when they were last
    on different sides; else if its number is even, so that the top half of the first round takes turns.
    """
    if _strains(one, two) != _strains(two, one):
        return _strains(one, two) < _strains(two, one)
    if one.balance != two.balance:
        return one.balance < two.balance
    for mine, other in zip(reversed(one.firsts), reversed(two.firsts), strict=False):
        if mine != other:
            return other
    return one.number % 2 == 0


def _strains(first: Entrant, second: Entrant) -> int:
    return first.strained(True) + second.strained(False)
