"""Situations to which only some replies are sensible: they are dealt several times, and judged when the part is over.

A program may fold before the question that is judged, or be lost. So a situation is dealt again until the program has
met it often enough, as long as there is hope.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from dealer.checker.cases.deals import Deal, Part, chance_of
from dealer.checker.scoring.findings import Findings, Played
from protocol.games.base import Action, Turn
from protocol.wire.codec import encode, encode_action

#: How many variants of a situation may be played oddly: a program may bluff, and chance is a part of good play.
ODD = 1

#: How often a situation is dealt to a program that folds before it, in multiples of the variants that are wanted; and
#: if it has never come so far.
TRIES, TRIES_IN_VAIN = 8, 3


@dataclass(frozen=True, slots=True)
class Seen:
    """What a program did at a question that is judged.

    Attributes:
        turn: the question.
        action: the reply; None if it was not legal.
    """

    turn: Turn
    action: Action | None

    @property
    def text(self) -> str:
        """The question and the reply to it, as they go over the wire."""
        reply = "no legal reply" if self.action is None else encode_action(self.action, self.turn)
        return f"{encode(self.turn)} -> {reply}"


#: Makes the hand that leads to a question, and calls its argument with what the program did there.
ToPlay = Callable[[Callable[[Seen], None]], Deal]

#: Whether the play makes sense, and examples of play that does not; it is given what was seen in each variant.
Verdict = Callable[[Sequence[Sequence[Seen]]], tuple[bool, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Situation:
    """A kind of position to which only some replies are sensible.

    Attributes:
        line: the id of the line of the rubric.
        name: what the situation is, and what is expected; it decides the cards.
        reason: why this is sensible; the assignment's words where it has some.
        wanted: how many variants the program has to meet.
        deal: the hands of a variant, from its chance and its number; each leads to one question that is judged.
        verdict: judges what was seen.
        questions: of each variant.
    """

    line: str
    name: str
    reason: str
    wanted: int
    deal: Callable[[Random, int], Sequence[ToPlay]]
    verdict: Verdict
    questions: int = 1


@dataclass(slots=True)
class Judged:
    """A situation in one check, with what the program did in each of its variants.

    Attributes:
        situation: that is judged.
        seed: decides the cards of all variants, those too that are dealt only to programs that fold before.
        dealt: how many variants were dealt.
    """

    situation: Situation
    seed: str
    dealt: int = 0
    _seen: list[dict[int, Seen]] = field(default_factory=list)

    @property
    def met(self) -> list[list[Seen]]:
        """What the program did in the variants of which it has met all questions."""
        whole = (seen for seen in self._seen if len(seen) == self.situation.questions)
        return [[seen[place] for place in sorted(seen)] for seen in whole]

    def deals(self) -> list[Deal]:
        """Hands for the variants that the program has not met yet; none if it folds before too often."""
        met, wanted = len(self.met), self.situation.wanted
        if met >= wanted or self.dealt >= (TRIES if met else TRIES_IN_VAIN) * wanted:
            return []
        return [deal for _ in range(wanted - met) for deal in self._variant()]

    def _variant(self) -> list[Deal]:
        chance = chance_of(self.seed, f"{self.situation.name}/{self.dealt}")
        hands = self.situation.deal(chance, self.dealt)
        seen: dict[int, Seen] = {}
        self._seen.append(seen)
        self.dealt += 1
        return [to_play(partial(seen.__setitem__, place)) for place, to_play in enumerate(hands)]

    def write_down(self, findings: Findings) -> None:
        """Add how the situation was played; it is not judged if the program met it too seldom."""
        if not self.dealt:
            return
        good: bool | None = None
        examples: tuple[str, ...] = (f"it came to this question in {len(self.met)} of {self.dealt} hands",)
        one = self.situation
        if len(self.met) >= one.wanted:
            good, examples = one.verdict(self.met)
        findings.played.append(Played(one.line, one.name, good, one.reason, examples))


def seldom_odd(sensible: Callable[[Any, Action], bool]) -> Verdict:
    """The verdict on variants of one question each: all replies but ``ODD`` have to be sensible."""

    def verdict(met: Sequence[Sequence[Seen]]) -> tuple[bool, tuple[str, ...]]:
        odd = [seen for (seen,) in met if seen.action is None or not sensible(seen.turn, seen.action)]
        return len(odd) <= ODD, tuple([seen.text for seen in odd])

    return verdict


def given_situations(situations: Sequence[Situation], seed: str) -> Part:
    """The part in which situations are dealt, mixed, so that no two questions of a kind follow each other.

    It has as many hands as a program that folds none of them too early is dealt; the seed decides their order, too.
    """
    judged = [Judged(situation, seed) for situation in situations]
    hands = sum(one.wanted * one.questions for one in situations)

    def over(findings: Findings) -> None:
        for one in judged:
            one.write_down(findings)

    mixed = _mixed(judged, chance_of(seed, "situations"))
    return Part("given situations", mixed, hands, "the tournament is over", over=over)


def _mixed(judged: Sequence[Judged], rng: Random) -> Iterator[Deal]:
    while deals := [deal for one in judged for deal in one.deals()]:
        rng.shuffle(deals)
        yield from deals
