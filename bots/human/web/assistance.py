"""What is worked out for a person who asks for it: chances to win, the coach's advice, and a review of decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from bots.human.coach.advice import Advice
from bots.human.coach.review import METHOD, NOTHING_DECIDED, Decision
from bots.human.odds import Chances, Spot
from bots.human.updates import Asked
from bots.human.web.computing import count_chances, find_advice, find_dearest
from bots.human.web.facts import advice_facts, chances_facts
from dealer.audit.decision_value.situation import Situation
from protocol.games.base import Action

#: What a person reads whose review failed by a mistake of this program.
FAILED = "Your decisions could not be reviewed; the log of the program that serves this page says why."


class ReviewState:
    """The review of one game. All methods are called in the event loop.

    Attributes:
        scope: in which the review under way is computed.
    """

    def __init__(self) -> None:
        self.scope = trio.CancelScope()
        self._wanted = 0
        self._progress = (0, 0)
        self._lines: Sequence[str] | None = None

    def begin(self, decisions: Sequence[Decision]) -> bool:
        """Whether a review of these decisions is to be computed now: it is not, if it is known or under way."""
        if not decisions:
            self._lines = [NOTHING_DECIDED]
            return False
        if self._is_under_way or self._wanted == len(decisions):
            return False
        self._wanted, self._progress, self._lines = len(decisions), (0, 0), None
        self.scope = trio.CancelScope()
        return True

    @property
    def _is_under_way(self) -> bool:
        return self._wanted > 0 and self._lines is None

    def progress(self, done: int, looks: int) -> None:
        """So many of so many looks are done."""
        self._progress = (done, looks)

    def done(self, lines: Sequence[str] | None) -> None:
        """Take the sentences; None if the review failed, and may be tried again."""
        self._lines = [FAILED] if lines is None else lines
        self._wanted = 0 if lines is None else self._wanted

    @property
    def facts(self) -> dict[str, Any] | None:
        """The same as values for JSON; None before anybody has asked."""
        if self._is_under_way:
            return {"done": self._progress[0], "looks": self._progress[1], "lines": [], "method": ""}
        if self._lines is None:
            return None
        return {"done": 0, "looks": 0, "lines": list(self._lines), "method": METHOD if self._wanted else ""}


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where it is worked out: in processes of their own, few of them at a time.

    Attributes:
        nursery: for what waits for these processes.
        processes: that compute chances and advice.
        reviews: that review decisions, beside those. A long session takes many seconds.
        seed: all chance of the coach follows from it.
    """

    nursery: trio.Nursery
    processes: trio.CapacityLimiter
    reviews: trio.CapacityLimiter
    seed: str


class Assistance:
    """All that is worked out in one game of a seat.

    Args:
        asked: returns the open question.
        say: adds a line to the history.
        wake: lets the browser look at what is new.
    """

    def __init__(
        self,
        workshop: Workshop,
        asked: Callable[[], Asked | None],
        say: Callable[[str], None],
        wake: Callable[[], None],
    ) -> None:
        self._workshop = workshop
        self._asked = asked
        self._say = say
        self._wake = wake
        self._spot: Spot | None = None
        self._chances: Chances | None = None
        self._counting = False
        self._review = ReviewState()
        self.forget_advice()

    def show(self, spot: Spot | None) -> None:
        """Take the spot that the person sees; with the same cards the chances stay what they are."""
        if spot is None or self._spot is None or spot.cards != self._spot.cards:
            self._chances, self._counting = None, False
        self._spot = spot

    def count(self) -> None:
        """Begin to count the person's chances, unless they are known or counted already."""
        if self._spot is not None and not self._counting and self._chances is None:
            self._counting = True
            self._wake()
            self._workshop.nursery.start_soon(self._count, self._spot)

    async def _count(self, spot: Spot) -> None:
        chances = await count_chances(spot, self._workshop.processes)
        if self._spot is not None and self._spot.cards == spot.cards:  # else a card has changed meanwhile
            self._chances, self._counting = chances, False
            self._wake()

    def forget_advice(self) -> None:
        """The question is closed, or another one is open."""
        self._advice: Advice | None = None
        self._advising = False

    def advise(self) -> None:
        """Let the coach look at the open question, unless it has, or does so already, or there is no coach."""
        asked = self._asked()
        if asked is not None and asked.situation is not None and not self._advising and self._advice is None:
            self._advising = True
            self._wake()
            self._workshop.nursery.start_soon(self._advise, asked, asked.situation)

    async def _advise(self, asked: Asked, situation: Situation) -> None:
        advice = await find_advice(situation, self._workshop.seed, self._workshop.processes)
        if asked is not self._asked():
            return  # the person has answered meanwhile
        self._advising = False
        if isinstance(advice, Advice):
            self._advice = advice
        else:
            self._say(advice or "The coach could not look at this question.")
        self._wake()

    def cost_line(self, action: Action) -> str:
        """What an action against the advice costs, as a line of the history; empty if nothing is known."""
        return "" if self._advice is None else self._advice.cost_line(action)

    def review(self, decisions: Sequence[Decision]) -> None:
        """Begin to review the person's decisions so far, unless they are reviewed or there are none."""
        if self._review.begin(decisions):
            self._workshop.nursery.start_soon(self._find_dearest, [*decisions])
        self._wake()

    async def _find_dearest(self, decisions: Sequence[Decision]) -> None:
        state, workshop = self._review, self._workshop

        def progress(done: int, looks: int) -> None:
            state.progress(done, looks)
            self._wake()

        with state.scope:
            state.done(await find_dearest(decisions, workshop.seed, workshop.reviews, progress))
        self._wake()

    def stop_review(self) -> None:
        """Stop the review under way; nobody waits for it."""
        self._review.scope.cancel()

    def facts(self) -> dict[str, Any]:
        """What the page shows."""
        asked = self._asked()
        return {
            "canCount": self._spot is not None,
            "counting": self._counting,
            "chances": self._chances and chances_facts(self._chances),
            "canAsk": asked is not None and asked.situation is not None,
            "advising": self._advising,
            "advice": self._advice and advice_facts(self._advice),
            "review": self._review.facts,
        }
