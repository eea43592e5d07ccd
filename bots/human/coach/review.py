"""The review of a session: which of the person's decisions cost most chips, and what would have been better."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bots.human.card_pictures import words
from bots.human.coach.advice import Advice, Option, advise, never
from bots.human.coach.deals import StoppedError
from bots.human.coach.situation import Situation
from protocol.games.base import Action

#: What the figures of a review mean.
METHOD = (
    "Found by dealing the unseen cards many times; each action was played to the end of the hand by quick house bots. "
    "\N{PLUS-MINUS SIGN} is half the 95 % interval."
)

#: What a person reads who has decided nothing.
NOTHING_DECIDED = "You have not decided anything yet."

#: How many decisions a review names.
NAMED = 3

#: Decisions that are looked at a second time, with other deals: those that seemed to cost most.
_CANDIDATES = 6

#: Deals of the first look and of the second one, beside those of an advice at the table.
_FIRST_EFFORT, _SECOND_EFFORT = 0.3, 2.0


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person did.

    Attributes:
        hand: its number in the session, from 1.
    """

    hand: int
    situation: Situation
    action: Action


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, and what it cost.

    Attributes:
        decision: what the person did.
        advice: for its situation; the chosen action is one of the options.
    """

    decision: Decision
    advice: Advice

    @property
    def chosen(self) -> Option:
        """What the person did; its ``cost`` is what it cost."""
        return self.advice.option(self.decision.action)

    @property
    def words(self) -> str:
        """The same in a sentence."""
        situation, cost = self.decision.situation, self.chosen.cost
        turn = situation.questions[-1]
        board = f", the board {words(situation.board)}" if situation.board else ""
        exact = "" if not cost.error else f" ± {cost.error:.1f}"
        where = f"Hand {self.decision.hand}, street {turn.street}, {turn.pot} in the pot"
        better = f"{self.advice.top.words.capitalize()} is worth {cost.chips:.1f}{exact} chips more."
        return f"{where}, with {words(situation.own)}{board}: {self.chosen.words}. {better}"


def review(
    decisions: Sequence[Decision],
    seed: str,
    progress: Callable[[int, int], object] = lambda _done, _all: None,
    stop: Callable[[], bool] = never,
) -> list[Judged]:
    """The decisions that cost most, the dearest first; fewer than ``NAMED`` if no more are shown to cost anything.

    All decisions are looked at with few deals, and those that seem dearest again with many others. What counts is the
    second look alone: the dearest of many estimates are too high, because they were chosen for being high. It takes
    about a quarter of a second of processor time for each decision, so call it in a thread.

    Args:
        progress: told how many looks are done, and how many there are.
        stop: see ``advise``.

    Raises:
        StoppedError: ``stop`` returned True.
        NoCoachError: there is no coach for this game.
        StrategyError: a bot failed.
    """
    looks = len(decisions) + min(len(decisions), _CANDIDATES)
    found: list[Judged] = []
    for decision in decisions:
        progress(len(found), looks)
        found.append(_judge(decision, f"{seed}/{len(found)}", _FIRST_EFFORT, stop))
    candidates = sorted(found, key=_cost, reverse=True)[:_CANDIDATES]
    again: list[Judged] = []
    for judged in candidates:
        progress(len(found) + len(again), looks)
        again.append(_judge(judged.decision, f"{seed}/again/{len(again)}", _SECOND_EFFORT, stop))
    progress(looks, looks)
    return [judged for judged in sorted(again, key=_cost, reverse=True) if judged.chosen.costs][:NAMED]


def _cost(judged: Judged) -> float:
    return judged.chosen.cost.chips


def _judge(decision: Decision, seed: str, effort: float, stop: Callable[[], bool]) -> Judged:
    if stop():
        raise StoppedError
    advice = advise(decision.situation, seed, also=[decision.action], effort=effort, stop=stop)
    return Judged(decision, advice)


def review_lines(dearest: Sequence[Judged]) -> list[str]:
    """The review in sentences."""
    if not dearest:
        return ["Of none of your decisions do the deals show that another one would have won more chips."]
    return [f"{place}. {judged.words}" for place, judged in enumerate(dearest, 1)]
