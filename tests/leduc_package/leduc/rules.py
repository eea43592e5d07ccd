"""Leduc hold'em: jack, queen and king twice, one hole card, one board card, bets of 2 and 4, at most two a street.

The game is that of Southey et al., "Bayes' Bluff" (2005). A pair with the board wins, else the higher card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple, Self

from protocol.cards import DECK, Card, Rank, Suit
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
)
from protocol.games.betting import Street
from protocol.games.game import Game, Layout, option
from protocol.games.match import Match
from protocol.games.pot import split_evenly
from protocol.games.ranks import rank_name, rank_names
from protocol.shuffle import Deck

#: J J Q Q K K; suits never count.
CARDS = tuple(card for card in DECK if card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING) and card.suit >= Suit.HEARTS)

ANTE = 1
#: Chips of a bet or raise on each street.
BET = {1: 2, 2: 4}
#: Bets and raises a street.
MAX_BETS = 2
#: The most a hand can cost: the ante and two bets on each street. Nobody is ever all in.
MOST_A_HAND = ANTE + MAX_BETS * sum(BET.values())


class LeducTurn(NamedTuple):
    """All that the seat to act may know.

    Attributes:
        street: 1 without a board card, 2 with it.
        stack: chips left.
        pot: chips put in by both.
        owed: chips to put in to stay.
        hole: the card only this seat sees.
        board: no card, or one.
        raises_left: bets and raises still allowed on this street.
    """

    street: int
    stack: int
    pot: int
    owed: int
    hole: Card
    board: tuple[Card, ...]
    raises_left: int

    @property
    def own(self) -> tuple[Card, ...]:
        """The hole card."""
        return (self.hole,)

    def legal(self) -> Legal:
        """What may be answered."""
        return _legal(self.street, self.owed, self.raises_left)


def _legal(street: int, owed: int, raises_left: int) -> Legal:
    raised = owed + BET[street]
    return Legal(owed, range(raised, raised + 1) if raises_left else range(0), fold=owed > 0)


class LeducHand(NamedTuple):
    """One deal: the cards are those of seat 0, seat 1 and the board."""

    deck: tuple[Card, ...]
    starting: tuple[int, ...]
    stacks: tuple[int, ...]
    pot: int
    button: int
    number: int
    street: Street
    raises: int

    @property
    def to_act(self) -> int | None:
        return self.street.queue[0] if self.street.queue else None

    @property
    def live(self) -> tuple[int, ...]:
        return tuple(sorted(self.street.live))

    @property
    def _board(self) -> tuple[Card, ...]:
        return self.deck[2:3] if self.number == 2 else ()

    def legal(self) -> Legal:
        return _legal(self.number, self.street.owed(self.street.queue[0]), MAX_BETS - self.raises)

    def view(self, seat: int) -> LeducTurn:
        owed, left = self.street.owed(seat), MAX_BETS - self.raises
        return LeducTurn(self.number, self.stacks[seat], self.pot, owed, self.deck[seat], self._board, left)

    def public(self) -> PublicHand:
        live, put = self.street.live, self.street.put
        seats = tuple(PublicSeat(stack, put[seat], seat in live, (), 1) for seat, stack in enumerate(self.stacks))
        return PublicHand(self.number, self.pot, ((self.pot, self.live),), self._board, seats, self.button, self.to_act)

    def hole(self, seat: int) -> tuple[Card, ...]:
        return self.deck[seat : seat + 1]

    def apply(self, action: Action) -> "LeducHand":
        """See ``Hand``.

        Raises:
            IllegalAction: a fold with nothing owed, another amount than the call or the one raise, or a third bet.
        """
        legal = self.legal()
        if action not in legal:
            allowed = ", ".join(str(choice.amount) for choice in legal if not isinstance(choice, Fold))
            raise IllegalAction(f"you answered {action}: bet one of {allowed}{', or fold' if legal.fold else ''}")
        if isinstance(action, Fold):
            return self.concede()
        seat, amount = self.street.queue[0], action.amount
        stacks = (*self.stacks[:seat], self.stacks[seat] - amount, *self.stacks[seat + 1 :])
        after = self._replace(
            stacks=stacks,
            pot=self.pot + amount,
            street=self.street.bet(amount),
            raises=self.raises + (amount > legal.to_call),
        )
        return after if after.street.queue else after._next_street()

    def concede(self) -> "LeducHand":
        return self._replace(street=self.street.fold())

    def _next_street(self) -> "LeducHand":
        if self.number == 2:
            return self
        return self._replace(number=2, street=Street.open((0, 1), _opener(self.button), 2), raises=0)

    def settle(self) -> Settlement:
        """See ``Hand``: a pair with the board wins, else the higher card; equal cards share."""
        live = self.live
        strengths = {seat: _strength(self.deck[seat], self.deck[2]) for seat in live}
        best = max(strengths.values())
        winners = [seat for seat in live if strengths[seat] == best]
        shares = [0, 0]
        for seat, share in split_evenly(self.pot, winners).items():
            shares[seat] = share
        collected = tuple((seat, shares[seat]) for seat in winners)
        after = zip(self.starting, self.stacks, shares, strict=True)
        payoffs = tuple(stack + share - start for start, stack, share in after)
        if len(live) == 1:
            return Settlement(payoffs, tuple(shares), (), pots=(Pot(self.pot, collected, FOLDED, FOLDED),))
        cards = (self.deck[winners[0]], self.deck[2])
        pot = Pot(self.pot, collected, _kind(best), _in_words(cards))
        shown = tuple((seat, self.hole(seat)) for seat in live)
        return Settlement(payoffs, tuple(shares), cards, len(winners) > 1, 0, shown, (pot,))


def _strength(hole: Card, board: Card) -> int:
    """A pair above every high card."""
    return hole.rank + 20 * (hole.rank == board.rank)


def _kind(strength: int) -> str:
    return "pair" if strength > 20 else "high card"


def _in_words(cards: Sequence[Card]) -> str:
    hole, board = cards
    return f"a pair of {rank_names(hole.rank)}" if hole.rank == board.rank else f"{rank_name(hole.rank)} high"


def _opener(button: int) -> int:
    """The seat behind the button acts first on both streets."""
    return 1 - button


@dataclass(frozen=True, slots=True)
class LeducMatch(Match):
    """Hands until one player cannot pay a whole hand; the button changes sides."""

    def deal(self, outcome: Sequence[Card]) -> LeducHand:
        starting = tuple(self.stacks[player] for player in self.seated)
        assert self.button is not None
        button = self.seated.index(self.button) if self.button in self.seated else 1
        left = tuple(stack - ANTE for stack in starting)
        street = Street.open((0, 1), _opener(button), 2)
        return LeducHand(tuple(outcome), starting, left, 2 * ANTE, button, 1, street, 0)

    def can_play(self, stack: int) -> bool:
        """See ``Match``: whether the stack pays the dearest hand."""
        return stack >= MOST_A_HAND

    def record(self, settlement: Settlement) -> Self:
        after = Match.record(self, settlement)
        return replace(after, button=1 - self.button if self.button is not None else None)


@dataclass(frozen=True, slots=True)
class LeducGame(Game):
    """What is agreed about Leduc hold'em."""

    stack: int = option(200, "Chips everybody starts with.", least=MOST_A_HAND)

    name: ClassVar = "leduc"
    title: ClassVar = "Leduc hold'em"
    seats: ClassVar = range(2, 3)
    chance: ClassVar = Deck(CARDS)
    constants: ClassVar = {"ante": ANTE}
    kinds: ClassVar = (FOLDED, "high card", "pair")

    @property
    def fee(self) -> str:
        return f"the {MOST_A_HAND} chips that a hand may cost"

    def start(self, players: int) -> LeducMatch:
        return LeducMatch((self.stack,) * players, tuple(range(players)), button=1)

    def layout(self, outcome: Sequence[Card], seats: int) -> Layout:
        return Layout(tuple((outcome[seat],) for seat in range(seats)), (outcome[seats],))

    def describe(self, cards: Sequence[Card]) -> str:
        """See ``Game``: a hole card and the board, or the hole card alone."""
        return _in_words(cards) if len(cards) == 2 else f"{rank_name(cards[0].rank)} high"
