"""Hands of stud for a check: quiet ones, of all kinds, such that end without a question, and such on short stacks."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from dealer.checker.cases.deals import TEMPERS, Deal, RandomPlayers, call, shuffled
from dealer.checker.cases.stud.cards import (
    dealt,
    high_cards,
    junk,
    one_pair,
    others,
    seated,
    spade_in_the_hole,
    three_of_a_kind,
)
from protocol.cards import DECK, Card, Rank
from protocol.games.base import FOLD, Action, Bet, Hand, Turn
from protocol.games.stud import DEFAULT_ANTE, SEATS, StudHand, deal

#: Chips of the program before the ante, one by chance; with few of them a raise is cut, or a bet cannot be paid.
STACKS = (500, 60, 208, 12, 25, 5, 500, 100)

#: Hands in which another player raises by more than the program has.
TOO_DEAR = 6

#: Chips of the raises in quiet hands.
QUIET_RAISE = 5


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
            behind = RaiseBehind()
            yield Deal(hand, seat, behind, watch=behind.watch)


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
        yield Deal(deal(shuffled(rng), stacks), seat, RandomPlayers(rng, *TEMPERS[index % len(TEMPERS)]))


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
    yield Deal(deal(shuffled(rng), [500] * 4), 2, call, stop_after=1)


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
        hand = deal(shuffled(rng), stacks)
        if hand.to_act != seat:
            return Deal(hand, seat, lambda hand: Bet(10) if hand.legal().to_call == 0 else FOLD)


# Short stacks: a raise must then be smaller than 10, and programs get that wrong in one branch and right in the others.
# A pair may be cut to the stack where a high spade is not, so every strength is dealt equally often.

#: Own cards of every strength.
STRENGTHS = (three_of_a_kind, one_pair, spade_in_the_hole, high_cards, junk)

#: Chips of the program beyond the ante, at most, and chips of each of the others.
FEW, RICH = 30, 300


def short_stacks(rng: Random, number: int) -> Iterator[Deal]:
    """Hands in which the program has few chips."""
    for index in range(number):
        own = STRENGTHS[index % len(STRENGTHS)](rng)
        hands, seat = seated(rng, own, others(rng, own, rng.randint(1, 4)))
        stacks = [RICH] * len(hands)
        stacks[seat] = DEFAULT_ANTE + rng.randint(1, FEW)
        yield Deal(deal(dealt(hands), stacks), seat, RandomPlayers(rng, *TEMPERS[index % len(TEMPERS)]))
