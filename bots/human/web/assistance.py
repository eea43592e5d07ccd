"""What is worked out for a person who asks for it: chances to win, the coach's advice, and a review of decisions."""

from collections.abc import Callable, Sequence
from typing import Any

from bots.human.coach.advice import Advice
from bots.human.coach.review import Decision
from bots.human.odds import Chances
from bots.human.updates import Asked, Spot
from bots.human.web.facts import advice_facts, chances_facts
from bots.human.web.review_state import ReviewState
from protocol.games.base import Action


class ChancesState:
    """The chances in the spot that the person sees.

    Attributes:
        spot: what they are counted from; None if there is nothing to count.
    """

    def __init__(self) -> None:
        self.spot: Spot | None = None
        self._chances: Chances | None = None
        self._counting = False

    def show(self, spot: Spot | None) -> None:
        """Take the next spot; with the same cards the chances stay what they are."""
        if spot is None or self.spot is None or spot.cards != self.spot.cards:
            self._chances, self._counting = None, False
        self.spot = spot

    def begin(self) -> Spot | None:
        """What is to be counted from now; None if the chances are known, counted already, or there are none."""
        if self.spot is None or self._counting or self._chances is not None:
            return None
        self._counting = True
        return self.spot

    def take(self, spot: Spot, chances: Chances | None) -> bool:
        """Take the chances, None if they could not be counted; False if a card has changed meanwhile."""
        if self.spot is None or self.spot.cards != spot.cards:
            return False
        self._chances, self._counting = chances, False
        return True

    def facts(self) -> dict[str, Any]:
        """What the page shows."""
        chances = self._chances and chances_facts(self._chances)
        return {"canCount": self.spot is not None, "counting": self._counting, "chances": chances}


class AdviceState:
    """The coach's advice on the open question."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The question is closed, or another one is open."""
        self._advice: Advice | None = None
        self._advising = False

    def begin(self, asked: Asked | None) -> Asked | None:
        """The question to look at now; None if that has been done, is being done, or there is no coach."""
        if asked is None or asked.situation is None or self._advising or self._advice is not None:
            return None
        self._advising = True
        return asked

    def take(self, advice: Advice | str | None) -> str | None:
        """Take the advice, which is None if its process failed; a sentence to say if there is none."""
        self.forget()
        if isinstance(advice, Advice):
            self._advice = advice
            return None
        return advice or "The coach could not look at this question."

    def cost_line(self, action: Action) -> str | None:
        """What an action against the advice costs, as a line of the history; None if nothing is known."""
        return None if self._advice is None else self._advice.cost_line(action)

    def facts(self, asked: Asked | None) -> dict[str, Any]:
        """What the page shows; ``asked`` is the open question."""
        advice = self._advice and advice_facts(self._advice)
        can_ask = asked is not None and asked.situation is not None
        return {"canAsk": can_ask, "advising": self._advising, "advice": advice}


class Assistance:
    """All that is worked out in one game of a seat. Who works it out begins with ``begin_to``, and then tells it.

    Args:
        asked: returns the open question.
        say: adds a line to the history.
        wake: lets the browser look at what is new.

    Attributes:
        chances: to win.
        advice: on the open question.
    """

    def __init__(self, asked: Callable[[], Asked | None], say: Callable[[str], None], wake: Callable[[], None]) -> None:
        self.chances = ChancesState()
        self.advice = AdviceState()
        self._review = ReviewState()
        self._asked = asked
        self._say = say
        self._wake = wake

    def begin_to_count(self) -> Spot | None:
        """What the person's chances are to be counted from; None if they are known, counted already, or there are none.

        Call ``counted`` with the same value when they are.
        """
        spot = self.chances.begin()
        if spot is not None:
            self._wake()
        return spot

    def counted(self, spot: Spot, chances: Chances | None) -> None:
        """Show the chances, unless a card has changed meanwhile; None if they could not be counted."""
        if self.chances.take(spot, chances):
            self._wake()

    def begin_to_advise(self) -> Asked | None:
        """The question that the coach is to look at; None if it has, if it does so already, or if there is no coach.

        Call ``advised`` with the same question when it has.
        """
        asked = self.advice.begin(self._asked())
        if asked is not None:
            self._wake()
        return asked

    def advised(self, asked: Asked, advice: Advice | str | None) -> None:
        """Show the coach's advice, or say why there is none, unless the question is closed.

        ``advice`` is None if its process failed.
        """
        if asked is not self._asked():
            return
        if line := self.advice.take(advice):
            self._say(line)
        self._wake()

    def begin_to_review(self, decisions: Sequence[Decision]) -> tuple[Sequence[Decision], ReviewState] | None:
        """The decisions that are to be reviewed; None if they are already, or if there are none.

        Tell the state how far the review is, and wake the browser after that.
        """
        begins = self._review.begin(decisions)
        self._wake()
        return ([*decisions], self._review) if begins else None

    def stop_review(self) -> None:
        """Stop the review under way; nobody waits for it."""
        self._review.scope.cancel()

    def facts(self) -> dict[str, Any]:
        """What the page shows."""
        return {**self.chances.facts(), **self.advice.facts(self._asked()), "review": self._review.facts}
