"""Three-card stud: one card in the hole, two up, two streets, and half the pot to the highest spade in the hole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from protocol.cards import Card, Suit
from protocol.games.base import (
    FOLDED,
    Action,
    Fold,
    IllegalAction,
    Legal,
    Pot,
    PublicHand,
    PublicSeat,
    Settlement,
    made,
)
from protocol.games.betting import Street
from protocol.games.game import Game, Layout, option
from protocol.games.match import Match
from protocol.games.pot import split_evenly
from protocol.games.ranks import THREE_CARD_KINDS, THREE_CARD_WORDS, three_card_strength
from protocol.games.stakes import Antes, Stakes
from protocol.plurals import plural

NAME = "stud"
#: How many can sit at one table: 17 seats take 51 of the 52 cards.
SEATS = range(2, 18)

#: Chips. "The maximum bet or raise shall be $10."
MAX_RAISE = 10

#: Chips. "Every round begins with every player putting a $1 bet - the 'ante' - into the pot."
DEFAULT_ANTE = 1

#: Chips each player starts a tournament with.
DEFAULT_STACK = 500


def legal_bets(owed: int, stack: int) -> Legal:
    """ "Your bet must be at least as large as the current bet, and no more than $10 larger"; nor than the stack."""
    return Legal(owed, range(owed + 1, min(owed + MAX_RAISE, stack) + 1), call=owed <= stack)


#: Looked up here, because an enum takes several times as long to find a member.
_SPADES = Suit.SPADES

#: What the second half of a pot is won with.
SPADE = "the highest spade in the hole"


class StudTurn(NamedTuple):
    """All that the seat to act may know. Cards are the seat's own unless said otherwise.

    Turn, hand and street are made anew at every decision; a named tuple costs a third of a frozen dataclass.

    Attributes:
        street: 1 with one card up, 2 with two.
        stack: chips left, after the ante and earlier bets.
        pot: chips put in by everybody so far.
        owed: chips to put in to stay; 0 when nobody has bet more.
        hole: the card only this seat sees.
        up: one card on street 1, two on street 2.
        shown: the up cards of each seat in seat order, own included; on street 2 of live seats only.
    """

    street: int
    stack: int
    pot: int
    owed: int
    hole: Card
    up: tuple[Card, ...]
    shown: tuple[tuple[Card, ...], ...]

    @property
    def own(self) -> tuple[Card, ...]:
        """The hole card and the own up cards."""
        return (self.hole, *self.up)

    def legal(self) -> Legal:
        """What may be answered; a fold always may."""
        return legal_bets(self.owed, self.stack)


class StudHand(NamedTuple):
    """One deal. Seat ``i`` owns cards ``3 i`` (hole), ``3 i + 1`` and ``3 i + 2`` (up) of the deck.

    A fold moves nobody's card, so that the same deck can be dealt again to other players.
    """

    deck: tuple[Card, ...]
    starting: tuple[int, ...]
    stacks: tuple[int, ...]
    pot: int
    number: int
    street: Street
    shown: tuple[tuple[Card, ...], ...]

    @property
    def to_act(self) -> int | None:
        """The seat that must choose now, or None when the hand is over."""
        queue = self.street.queue
        return queue[0] if queue else None

    @property
    def live(self) -> tuple[int, ...]:
        """The seats that have not given up, in seat order."""
        return tuple(sorted(self.street.live))

    def legal(self) -> Legal:
        """What the seat to act may do."""
        seat = self.street.queue[0]
        return legal_bets(self.street.owed(seat), self.stacks[seat])

    def view(self, seat: int) -> StudTurn:
        """What ``seat`` may know: its own cards and everybody's up cards, never a hole card of another."""
        number, first = self.number, 3 * seat
        own = self.deck[first + 1 : first + 1 + number]
        owed = self.street.owed(seat)
        return made(StudTurn, (number, self.stacks[seat], self.pot, owed, self.deck[first], own, self.shown))

    def apply(self, action: Action) -> "StudHand":
        """The hand after the seat to act has bet or folded, moved on to the next real choice.

        Raises:
            IllegalAction: the bet is under what is owed, more than 10 above it, or beyond the stack.
        """
        street, stacks = self.street, self.stacks
        if isinstance(action, Fold):
            return self.concede()
        seat, amount = street.queue[0], action.amount
        owed, stack = street.highest - street.put[seat], stacks[seat]
        if not owed <= amount <= owed + MAX_RAISE or amount > stack:
            raise IllegalAction(_why_illegal(amount, owed, stack))
        if amount:
            stacks = (*stacks[:seat], stack - amount, *stacks[seat + 1 :])
        return self._moved_on(street.bet(amount), stacks, self.pot + amount)

    def concede(self) -> "StudHand":
        """The hand after the seat to act has folded."""
        return self._moved_on(self.street.fold(), self.stacks, self.pot)

    def public(self) -> PublicHand:
        """What everybody sees: up cards, stacks and bets. Folded seats show no card on street 2, as in ``view``."""
        live, put, number = self.street.live, self.street.put, self.number
        seats = []
        for seat, stack in enumerate(self.stacks):
            up = number if number == 1 or seat in live else 0
            seats.append(PublicSeat(stack, put[seat], seat in live, self.deck[3 * seat + 1 : 3 * seat + 1 + up], 1))
        return PublicHand(number, self.pot, ((self.pot, self.live),), (), tuple(seats), None, self.to_act)

    def hole(self, seat: int) -> tuple[Card, ...]:
        """The one card that only ``seat`` sees."""
        return self.deck[3 * seat : 3 * seat + 1]

    def settle(self) -> Settlement:
        """Half the pot to the best hand, half to the highest spade in the hole; the odd chip to the best hand."""
        deck, live = self.deck, self.street.live
        strengths = [three_card_strength(deck[3 * seat : 3 * seat + 3]) for seat in live]
        best = max(strengths)
        winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
        spades = [(deck[3 * seat], seat) for seat in live if deck[3 * seat].suit is _SPADES]
        spade_half = self.pot // 2 if spades else 0
        shares = [0] * len(self.stacks)
        for seat, share in split_evenly(self.pot - spade_half, winners).items():
            shares[seat] = share
        if len(live) == 1:
            shares[live[0]] = self.pot
            pots: tuple[Pot, ...] = (Pot(self.pot, ((live[0], self.pot),), FOLDED, FOLDED),)
        else:
            pots = (_best_hand(best, winners, shares, self.pot - spade_half),)
            if spade_half:
                owner = max(spades)[1]
                shares[owner] += spade_half
                # Its card is not turned up: at the table it may still be taken for an equal best hand.
                pots += (Pot(spade_half, ((owner, spade_half),), SPADE, SPADE, False),)
        after = zip(self.starting, self.stacks, shares, strict=True)
        payoffs = [stack + share - start for start, stack, share in after]
        return Settlement(tuple(payoffs), tuple(shares), self._cards(winners[0]), pots=pots)

    def _cards(self, seat: int) -> tuple[Card, ...]:
        """Hole card first. The third card is there even if the hand ended before it was dealt to anybody."""
        return self.deck[3 * seat : 3 * seat + 3]

    def _moved_on(self, street: Street, stacks: tuple[int, ...], pot: int) -> "StudHand":
        """Act for seats without a choice and open street 2, until a seat has a choice or the hand is over.

        "A player is not permitted to bet more money than remains in her stack, so a player may be forced to fold."
        """
        number, shown = self.number, self.shown
        while True:
            if street.queue:
                seat = street.queue[0]
                owed, stack = street.highest - street.put[seat], stacks[seat]
                if stack and stack >= owed:
                    break
                street = street.fold() if owed > stack else street.bet(0)
            elif number == 1 and len(street.live) > 1:
                number = 2
                street = Street.open(tuple(sorted(street.live)), _opener(self.deck, street.live, number), len(stacks))
            else:
                break
        if number > self.number or (number == 2 and len(shown) > len(street.live)):  # "if you have not folded"
            shown = _shown(self.deck, sorted(street.live), number)
        return made(StudHand, (self.deck, self.starting, stacks, pot, number, street, shown))


def _best_hand(strength: int, winners: Sequence[int], shares: Sequence[int], chips: int) -> Pot:
    """The part of the pot that the best cards win."""
    kind, words = THREE_CARD_WORDS[strength]
    if len(winners) == 1:
        return Pot(chips, ((winners[0], chips),), kind, words)
    return Pot(chips, tuple([(seat, shares[seat]) for seat in winners]), kind, f"a tie with {words}")


def deal(deck: Sequence[Card], stacks: Sequence[int], ante: int = DEFAULT_ANTE) -> StudHand:
    """The hand after the antes and the first two cards, at its first real choice.

    Args:
        deck: all 52 cards, shuffled.
        stacks: chips of each seat before the ante, at least the ante each.
        ante: chips every seat puts in.

    Raises:
        ValueError: too few or too many seats, or a stack below the ante.
    """
    if len(stacks) not in SEATS or min(stacks) < ante:
        raise ValueError(f"stud needs {SEATS[0]}-{SEATS[-1]} seats with at least the ante of {ante}, got {stacks}")
    cards, seats = tuple(deck), tuple(range(len(stacks)))
    street = Street.open(seats, _opener(cards, seats, 1), len(seats))
    left = tuple([stack - ante for stack in stacks])
    start = StudHand(cards, tuple(stacks), left, ante * len(seats), 1, street, _shown(cards, seats, 1))
    return start._moved_on(street, left, start.pot)


def _opener(deck: Sequence[Card], live: Sequence[int], number: int) -> int:
    """The live seat with the highest single up card; suits break ties (cards order so)."""
    return max([(card, seat) for seat in live for card in deck[3 * seat + 1 : 3 * seat + 1 + number]])[1]


def _shown(deck: tuple[Card, ...], seats: Sequence[int], number: int) -> tuple[tuple[Card, ...], ...]:
    return tuple([deck[3 * seat + 1 : 3 * seat + 1 + number] for seat in seats])


def _why_illegal(amount: int, owed: int, stack: int) -> str:
    most = min(owed + MAX_RAISE, stack)
    raises = f", up to {most} to raise," if most > owed else ""
    allowed = f"bet {owed} to call{raises} or fold"
    if amount < owed:
        return f"you bet {amount} but owe {owed}: {allowed}"
    if amount > stack:
        return f"you bet {amount} but have only {plural(stack, 'chip')}: {allowed}"
    return f"you bet {amount}, more than {MAX_RAISE} above the {owed} you owe: bet {owed} to {most}, or fold"


@dataclass(frozen=True, slots=True)
class StudMatch(Match):
    """Hands of stud until one player is left: "When a player [...] has no money left to ante, then she is out"."""

    ante: int = DEFAULT_ANTE

    def deal(self, deck: Sequence[Card]) -> StudHand:
        """The next hand between the players seated."""
        return deal(deck, [self.stacks[player] for player in self.seated], self.ante)

    def can_play(self, stack: int) -> bool:
        """Whether the stack pays the ante."""
        return stack >= self.ante

    def charge(self, stakes: Stakes) -> "StudMatch":
        if not isinstance(stakes, Antes):
            raise ValueError(f"stud is played for antes, not for {stakes.text}")  # noqa: TRY004 - a wrong value of a right sort
        ante = stakes.ante
        return replace(self, seated=tuple(player for player in self.seated if self.stacks[player] >= ante), ante=ante)


@dataclass(frozen=True, slots=True)
class StudGame(Game):
    """What is agreed about a tournament of stud."""

    stack: int = option(DEFAULT_STACK, "Chips everybody starts with.")
    ante: int = option(DEFAULT_ANTE, "Chips everybody puts in before each hand.")

    name: ClassVar = NAME
    title: ClassVar = "three-card stud"
    seats: ClassVar = SEATS
    announced: ClassVar = False
    kinds: ClassVar = (FOLDED, *THREE_CARD_KINDS, SPADE)

    def check(self) -> None:
        Game.check(self)  # super() does not work in a dataclass with slots
        if self.stack < self.ante:
            raise ValueError(f"a stack of {plural(self.stack, 'chip')} does not pay the ante of {self.ante}")

    def start(self, players: int) -> StudMatch:
        """All players seated with equal stacks."""
        return StudMatch((self.stack,) * players, tuple(range(players)), ante=self.ante)

    @property
    def stakes(self) -> Antes:
        return Antes(self.ante)

    @property
    def fee(self) -> str:
        return self.stakes.text

    def layout(self, outcome: Sequence[Card], seats: int) -> Layout:
        """Each seat owns three cards in a row."""
        return Layout(tuple(tuple(outcome[3 * seat : 3 * (seat + 1)]) for seat in range(seats)))

    def describe(self, cards: Sequence[Card]) -> str:
        return THREE_CARD_WORDS[three_card_strength(cards)][1]
