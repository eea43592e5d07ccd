"""Scenes: hands of stud with chosen cards and scripted opponents, which lead to the question that is judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dealer.checker.cases.deals import Deal
from dealer.checker.cases.judged import Seen
from dealer.checker.cases.stud.cards import Cards, dealt
from protocol.games.base import Action, Bet, Fold, Hand, Turn
from protocol.games.stud import StudHand, StudTurn, deal

Made = TypeVar("Made")

#: Deals tried until the question is as it should be; a few dozen are enough.
MOST_DEALS = 3000


def boldness(turn: Turn, action: Action) -> int:
    """How much an action risks: -1 for a fold, 0 for a call or a check, else the chips of the raise."""
    return -1 if isinstance(action, Fold) else action.amount - turn.owed


@dataclass(slots=True)
class Script:
    """What the opponents do: the first of them to act on a street raise, one each, and the others call.

    Attributes:
        street: on which they raise.
        raises: chips of these raises.
        made: raises made so far.
    """

    street: int
    raises: Sequence[int]
    made: int = 0

    def __call__(self, hand: Hand) -> Action:
        """The action of the seat to act."""
        legal = hand.legal()
        if hand.number == self.street and self.made < len(self.raises):
            raised = legal.to_call + self.raises[self.made]
            if raised in legal.raises:
                self.made += 1
                return Bet(raised)
        return Bet(legal.to_call)


@dataclass(frozen=True, slots=True)
class Scene:
    """A hand that leads to the question that is judged, if the program does not fold before.

    Attributes:
        hands: the cards of each seat.
        seat: the program's.
        stack: chips of every player before the ante.
        raises: chips of the raises on the street of the question.
        street: of the question that is judged, which is the first one there.
    """

    hands: tuple[Cards, ...]
    seat: int
    stack: int
    raises: Sequence[int]
    street: int

    @property
    def owed(self) -> int:
        """Chips owed at the question."""
        return sum(self.raises)

    def is_asked(self) -> bool:
        """Whether the question is asked, with as much owed as it should be."""
        question = self.question()
        return question is not None and question.owed == self.owed

    def deal(self) -> StudHand:
        """The hand before its first action."""
        return deal(dealt(self.hands), [self.stack] * len(self.hands))

    def question(self) -> StudTurn | None:
        """The question that is judged, to a program that calls until then; None if it is not asked there."""
        hand, others = self.deal(), Script(self.street, self.raises)
        while (seat := hand.to_act) is not None:
            if seat == self.seat and hand.number == self.street:
                return hand.view(seat)
            hand = hand.apply(others(hand) if seat != self.seat else Bet(hand.legal().to_call))
        return None

    def __call__(self, seen: Callable[[Seen], None]) -> Deal:
        """The hand to be played; ``seen`` is called with what the program did at the question.

        It is not called for a program that has folded before, or has made a mistake there.
        """
        done = False

        def watch(turn: Turn, action: Action | None) -> None:
            nonlocal done
            assert isinstance(turn, StudTurn)
            if not done and turn.street == self.street:
                done = True
                seen(Seen(turn, action))

        return Deal(self.deal(), self.seat, Script(self.street, self.raises), watch=watch)


def search(make: Callable[[], Made | None], wanted: Callable[[Made], bool]) -> Made:
    """The first of what ``make`` deals that is as wanted.

    Raises:
        LookupError: none was in many tries: the situation is written wrongly.
    """
    for _ in range(MOST_DEALS):
        made = make()
        if made is not None and wanted(made):
            return made
    raise LookupError("no deal leads to this question")
