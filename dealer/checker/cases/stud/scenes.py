"""Hands of stud that lead to a question one wants: chosen cards, and others who raise as they are told."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from dealer.checker.cases.deals import Deal
from protocol.cards import DECK, Card
from protocol.games.base import Action, Bet, Hand
from protocol.games.stud import StudHand, StudTurn, deal

TRIES = 3000
"""Deals tried until the question is as it should be; a few dozen are enough."""

Cards = tuple[Card, Card, Card]
"""Of one seat: hole, first up, second up."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The question that is judged, and the action; or a fold before it came to that question."""

    turn: StudTurn
    action: Action | None


@dataclass(slots=True)
class Script:
    """The others' part: on a street the first of them to act raise by these chips, one each; all others call."""

    raises: Mapping[int, Sequence[int]]
    made: dict[int, int] = field(default_factory=dict)

    def __call__(self, hand: Hand) -> Action:
        """The action of the seat to act."""
        planned, made = self.raises.get(hand.number, ()), self.made.get(hand.number, 0)
        legal = hand.legal()
        if made < len(planned) and legal.to_call + planned[made] in legal.raises:
            self.made[hand.number] = made + 1
            return Bet(legal.to_call + planned[made])
        return Bet(legal.to_call)


@dataclass(frozen=True, slots=True)
class Scene:
    """A hand that leads to the question that is judged, if the program does not fold before.

    Attributes:
        hands: the cards of each seat.
        seat: the program's.
        stack: everybody's chips before the ante.
        raises: see ``Script``.
        street: of the question; the first one there is judged.
    """

    hands: tuple[Cards, ...]
    seat: int
    stack: int
    raises: Mapping[int, Sequence[int]]
    street: int

    def deal(self) -> StudHand:
        """The hand before its first action."""
        known = [card for cards in self.hands for card in cards]
        return deal([*known, *[card for card in DECK if card not in known]], [self.stack] * len(self.hands))

    def question(self) -> StudTurn | None:
        """The question that is judged, to a program that calls until then; None if it is not asked there."""
        hand, others = self.deal(), Script(self.raises)
        while (seat := hand.to_act) is not None:
            if seat == self.seat and hand.number == self.street:
                return hand.view(seat)
            hand = hand.apply(others(hand) if seat != self.seat else Bet(hand.legal().to_call))
        return None

    def to_play(self, seen: Callable[[Seen], None]) -> Deal:
        """The same as a deal that tells ``seen`` what came of it, once."""
        told = False

        def watch(turn: object, action: Action | None) -> None:
            nonlocal told
            assert isinstance(turn, StudTurn)
            if not told and (turn.street == self.street or not isinstance(action, Bet)):
                told = True
                seen(Seen(turn, action))

        return Deal(self.deal(), self.seat, Script(self.raises), watch=watch)


def search(rng: Random, make: Callable[[Random], Scene | None], wanted: Callable[[StudTurn], bool]) -> Scene:
    """The first scene made whose question is as wanted.

    Raises:
        LookupError: none was, which is a mistake of whoever wrote the situation.
    """
    for _ in range(TRIES):
        scene = make(rng)
        if scene is not None and (question := scene.question()) is not None and wanted(question):
            return scene
    raise LookupError("no deal leads to this question")


def seated(rng: Random, own: Cards, others: Sequence[Cards]) -> tuple[tuple[Cards, ...], int]:
    """Everybody's cards with the program at a seat by chance, and that seat."""
    seat = rng.randrange(len(others) + 1)
    return (*others[:seat], own, *others[seat:]), seat
