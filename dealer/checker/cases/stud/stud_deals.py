"""Hands of stud for a check: quiet ones, of all kinds, such that end without a question, and such on short stacks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from random import Random

from dealer.checker.cases.deals import TEMPERS, Deal, RandomPlayers, call
from dealer.checker.cases.stud.cards import Cards, high_cards, junk, one_pair, spade_in_the_hole, three_of_a_kind
from protocol.cards import DECK, Card, Rank
from protocol.games.base import FOLD, Action, Bet, Hand, Turn
from protocol.games.stud import DEFAULT_ANTE, MAX_RAISE, SEATS, StudHand, deal

#: Chips of the program before the ante, one by chance; with few of them a raise is cut, or a bet cannot be paid.
STACKS = (500, 60, 208, 12, 25, 5, 500, 100)

#: Hands in which another player raises by more than the program has.
TOO_DEAR = 6

#: Chips of the raises in quiet hands.
QUIET_RAISE = 5


def _shuffled(rng: Random) -> list[Card]:
    return rng.sample(DECK, len(DECK))


@dataclass(slots=True)
class RaiseBehind:
    """Players who call, and raise once a street after the program has acted, so that it is asked again.

    A program that does not answer then does not know raises; one that answers there but not on street 2 does not know
    street 2. If it were asked there only after street 1, a read too many would look like that.

    Attributes:
        acted: streets on which the program has acted.
        raised: streets on which one of them has raised.
    """

    acted: set[int] = field(default_factory=set)
    raised: set[int] = field(default_factory=set)

    def __call__(self, hand: Hand) -> Action:
        """The action of the seat to act."""
        legal, street = hand.legal(), hand.number
        if street in self.acted - self.raised and legal.to_call + QUIET_RAISE in legal.raises:
            self.raised.add(street)
            return Bet(legal.to_call + QUIET_RAISE)
        return call(hand)

    def watch(self, turn: Turn, _: Action | None) -> None:
        """Note that the program has acted."""
        self.acted.add(turn.street)


def quiet_hands(rng: Random, number: int) -> Iterator[Deal]:
    """Hands of three players who bet little, without tens: a program that fails here fails at the simplest hands.

    In the first and every second hand the program is raised, and holds no pair; in the others it holds one, and
    everybody calls. So a branch that fails with a pair, or without one, does not fail in all of them.
    """
    for index in range(number):
        hand, seat = _before_others(rng, pair=index % 2 == 1)
        if index % 2:
            yield Deal(hand, seat, call)
        else:
            others = RaiseBehind()
            yield Deal(hand, seat, others, watch=others.watch)


def _before_others(rng: Random, *, pair: bool) -> tuple[StudHand, int]:
    """A hand without tens in which the program opens, and does not act last on street 2 either; and its seat.

    Args:
        rng: the only source of chance.
        pair: whether its first two cards are a pair; if not, it has none on street 2 either.
    """
    tens = [card for card in DECK if card.rank is Rank.TEN]
    while True:
        # the tens lie at the end of the deck, behind all cards that three players are dealt
        deck = rng.sample([card for card in DECK if card not in tens], len(DECK) - len(tens)) + tens
        first = hand = deal(deck, [500, 500, 500])
        seat = first.to_act
        assert seat is not None
        hole, up, last = (card.rank for card in deck[3 * seat : 3 * seat + 3])
        if (hole == up) is not pair or (not pair and last in (hole, up)):
            continue
        while hand.number == 1:
            hand = hand.apply(call(hand))
        if hand.to_act != (seat + 1) % 3:
            return first, seat


def hands_of_all_kinds(rng: Random, number: int) -> Iterator[Deal]:
    """Hands with all that can happen: 2 to 17 seats, few and many chips, quiet and wild players."""
    seats = list(SEATS)
    for index in range(number):
        if index % len(seats) == 0:  # every number of seats once, before any comes again
            rng.shuffle(seats)
        players = seats[index % len(seats)]
        seat = rng.randrange(players)
        stacks = [rng.randint(DEFAULT_ANTE, 600) for _ in range(players)]
        stacks[seat] = STACKS[rng.randrange(len(STACKS))]
        yield Deal(deal(_shuffled(rng), stacks), seat, RandomPlayers(rng, *TEMPERS[index % len(TEMPERS)]))


def hands_without_questions(rng: Random) -> Iterator[Deal]:
    """Hands that the program only hears the result of, and whose results show every card of the deck.

    The last one has a question, and stops in the middle of the hand.
    """
    # The player with the highest up card opens. A low card up keeps the program from opening, so all others can fold.
    low, middle, high = (rng.sample(DECK[first : first + 17], 17) for first in (0, 17, 34))
    for up, last, hole in zip(low, middle, high, strict=True):
        yield _all_others_fold(rng, [hole, up, last])
    yield _all_others_fold(rng, [DECK[-1], *low[:2]])  # three times 17 cards are 51: this is the last one
    for _ in range(TOO_DEAR):
        yield _too_dear(rng)
    yield Deal(deal(_shuffled(rng), [500] * 4), 2, call, stop_after=1)


def _all_others_fold(rng: Random, own: list[Card]) -> Deal:
    """A hand in which the program acts last, and wins because all others have folded before its turn."""
    rest = [card for card in DECK if card not in own]
    while True:
        players = rng.randint(SEATS[0], SEATS[-1])
        seat = rng.randrange(players)
        deck = rng.sample(rest, len(rest))
        deck[3 * seat : 3 * seat] = own
        hand = deal(deck, [rng.randint(20, 500) for _ in range(players)])
        if hand.to_act == (seat + 1) % players:
            return Deal(hand, seat, lambda _: FOLD)


def _too_dear(rng: Random) -> Deal:
    """A hand in which the opener raises by more than the program has; "a player may be forced to fold"."""
    while True:
        players = rng.randint(SEATS[0], SEATS[-1])
        seat = rng.randrange(players)
        stacks = [100] * players
        stacks[seat] = DEFAULT_ANTE + rng.randint(1, 9)
        hand = deal(_shuffled(rng), stacks)
        if hand.to_act != seat:
            return Deal(hand, seat, lambda hand: Bet(10) if hand.legal().to_call == 0 else FOLD)


# Short stacks: the program has 0 to 9 chips more than it owes, with every strength, on both streets. A raise must then
# be smaller than 10, and programs get that wrong in one branch and right in the others: a pair may be cut to the stack
# where a high spade is not. So each strength is dealt with each number of chips, and in three ways.

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
