"""What the coach needs to know of one game; each file of ``bots/human/games`` says it in its ``GameSeat``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bots.human.coach.situation import Situation
from protocol.games.base import Action


def nobody(_seats: int) -> tuple[str, ...]:
    """The bots of a game whose chips are computed exactly."""
    return ()


@dataclass(frozen=True, slots=True)
class CoachPlan:
    """How a game is coached.

    Attributes:
        best: the name of the house's best bot, which says what it would do.
        company: the names of the bots that play the hand to its end, by the number of seats in the hand. The first
            one also plays for the person after the action that is looked at. They must be quick.
        hands: how many hands one advice plays, over all actions and divided by the seats still in: what takes about
            half a second of processor time.
        depth: the big blinds that the person and the largest opponent play for, in a game in which seats can be all in;
            None in others, where no raise is too large.
        exact: the expected chips of each legal action, in a game in which they can be computed; None to deal and play.
    """

    best: str
    company: Callable[[int], tuple[str, ...]] = nobody
    hands: int = 3000
    depth: Callable[[Situation], float] | None = None
    exact: Callable[[Situation], Mapping[Action, float]] | None = None
