"""The review of a session: which of the person's decisions cost most chips, and what would have been better."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bots.human.card_pictures import words
from bots.human.coach.advice import Advice, Option, advise
from dealer.audit.decision_value.deals import NoLongerWanted
from dealer.audit.decision_value.rollouts import dearest, never
from dealer.audit.decision_value.situation import Situation
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

#: Deals of the first measurement and of the second one, beside those of an advice at the table.
_EFFORT = {"rough": 0.3, "good": 2.0}


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
        where = f"Hand {self.decision.hand}, {situation.game.street_name(turn.street)}, {turn.pot} in the pot"
        better = f"{self.advice.top.words.capitalize()} is worth {cost.chips:.1f}{exact} chips more."
        return f"{where}, with {words(situation.own)}{board}: {self.chosen.words}. {better}"


def review(
    decisions: Sequence[Decision],
    seed: str,
    progress: Callable[[int, int], object] = lambda _done, _all: None,
    stop: Callable[[], bool] = never,
) -> list[Judged]:
    """The decisions that cost most, the dearest first; fewer than ``NAMED`` if no more are shown to cost anything.

    It takes about a quarter of a second of processor time for each decision, so call it in a thread; see ``dearest``.

    Args:
        progress: told how many measurements are done, and how many there are.
        stop: see ``advise``.

    Raises:
        NoLongerWanted: ``stop`` returned True.
        NoCoachError: there is no coach for this game.
        StrategyError: a bot failed.
    """

    def judge(some: Sequence[Decision], effort: str) -> Iterator[Judged]:
        for place, decision in enumerate(some):
            if stop():
                raise NoLongerWanted
            seeded, more = f"{seed}/{effort}/{place}", _EFFORT[effort]
            advice = advise(decision.situation, seeded, also=[decision.action], effort=more, stop=stop)
            yield Judged(decision, advice)

    found = dearest(decisions, judge, lambda judged: judged.chosen.cost.chips, progress)
    return [judged for judged in found if judged.chosen.costs][:NAMED]


def review_lines(dearest: Sequence[Judged]) -> list[str]:
    """The review in sentences."""
    if not dearest:
        return ["Of none of your decisions do the deals show that another one would have won more chips."]
    return [f"{place}. {judged.words}" for place, judged in enumerate(dearest, 1)]
