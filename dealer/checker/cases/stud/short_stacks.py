"""Hands on short stacks: the program has 0 to 9 chips more than it owes, with every strength, on both streets.

A raise must then be smaller than 10, and programs get that wrong in one branch and right in the others: a pair may be
cut to the stack where a high spade is not. So each strength is dealt with each number of chips, and in three ways.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from random import Random

from dealer.checker.cases.deals import Deal, call
from dealer.checker.cases.stud.cards import Cards, high_cards, junk, one_pair, spade_in_the_hole, three_of_a_kind
from protocol.cards import DECK, Card, Rank
from protocol.games.base import Action, Bet, Turn
from protocol.games.stud import DEFAULT_ANTE, MAX_RAISE, StudHand, deal

#: The other players; each of them can raise by 10.
RIVALS = 4

#: Their chips.
RICH = 300

#: Chips owed at the question that a hand leads to, one by chance; the more, the more of them raise.
OWED = (3, 10, 14, 25)


class Way(Enum):
    """How the program comes to a question with few chips."""

    #: It acts first, and nothing is owed.
    OPENS = "opens"
    #: It acts last, and the others have bet.
    LAST = "last"
    #: It acts first, and the others raise behind it.
    AGAIN = "again"


#: Own cards by the street on which their strength counts.
STRENGTHS: dict[int, tuple[Callable[[Random], Cards], ...]] = {
    1: (one_pair, spade_in_the_hole, high_cards, junk),
    2: (three_of_a_kind, one_pair, spade_in_the_hole, high_cards, junk),
}

#: Street, strength, way, and chips left; an empty stack is not asked.
_KINDS = [
    (street, strength, way, left)
    for street, strengths in STRENGTHS.items()
    for strength, way, left in product(strengths, Way, range(MAX_RAISE))
    if left or way is not Way.OPENS
]

#: How many kinds of hands on short stacks there are.
KINDS = len(_KINDS)


@dataclass(slots=True)
class Squeeze:
    """Players who raise on one street until the program is left with so many chips more than it owes, and else call.

    Attributes:
        seat: the program's.
        street: on which they raise.
        left: chips that the program shall have beyond what it owes.
        way: when they raise.
        acted: streets on which the program has acted.
    """

    seat: int
    street: int
    left: int
    way: Way
    acted: set[int] = field(default_factory=set)

    def __call__(self, hand: StudHand) -> Action:
        """The action of the seat to act."""
        legal = hand.legal()
        room = hand.stacks[self.seat] - hand.street.owed(self.seat) - self.left
        raised = legal.to_call + min(room, MAX_RAISE)
        if hand.number == self.street and self._now and raised in legal.raises:
            return Bet(raised)
        return call(hand)

    @property
    def _now(self) -> bool:
        acted = self.street in self.acted
        return acted if self.way is Way.AGAIN else self.way is Way.LAST and not acted

    def watch(self, turn: Turn, _: Action | None) -> None:
        """Note that the program has acted."""
        self.acted.add(turn.street)


def short_stacks(rng: Random, number: int) -> Iterator[Deal]:
    """Hands with every strength, street, way and number of chips once, in an order drawn by chance.

    Args:
        rng: the only source of chance.
        number: of hands, at most.
    """
    kinds = list(_KINDS)
    rng.shuffle(kinds)
    for kind in kinds[:number]:
        yield _short_stack(rng, *kind)


def _short_stack(rng: Random, street: int, strength: Callable[[Random], Cards], way: Way, left: int) -> Deal:
    own = strength(rng)
    while max(own[1:]).rank is Rank.ACE or own[1].rank < Rank.FIVE:  # others must find higher and lower up cards
        own = strength(rng)
    rivals = _rivals(rng, own, last=way is Way.LAST)
    seat = rng.randrange(RIVALS + 1)
    hands = [*rivals[RIVALS - seat :], own, *rivals[: RIVALS - seat]]  # the first rival sits behind the program
    known = [card for cards in hands for card in cards]
    stacks = [RICH] * len(hands)
    stacks[seat] = _chips(rng, street, way, left)
    others = Squeeze(seat, street, left, way)
    hand = deal([*known, *[card for card in DECK if card not in known]], stacks)
    return Deal(hand, seat, others, watch=others.watch)  # type: ignore[arg-type]


def _chips(rng: Random, street: int, way: Way, left: int) -> int:
    """The program's stack before the ante, from which the others can bring it to the question."""
    if way is Way.OPENS:
        return DEFAULT_ANTE + left
    # it may have raised by 10 before: then the others raise by less
    before = MAX_RAISE if street == 2 or way is Way.AGAIN else 0
    return DEFAULT_ANTE + before + rng.choice(OWED) + left


def _rivals(rng: Random, own: Cards, *, last: bool) -> list[Cards]:
    """Cards of the others, the seat behind the program first; it opens if the program acts ``last``."""
    lower = [card for card in DECK if card.rank < own[1].rank and card not in own]
    shown = rng.sample(lower, 2 * RIVALS)
    if last:
        shown[0] = rng.choice([card for card in DECK if card.rank is Rank.ACE and card not in own])
    rest: list[Card] = [card for card in DECK if card not in own and card not in shown]
    holes = rng.sample(rest, RIVALS)
    return [(hole, *shown[2 * place : 2 * place + 2]) for place, hole in enumerate(holes)]  # type: ignore[misc]
