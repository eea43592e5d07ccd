"""Blockhead Poker: one card in the hole, two to four up, three streets; the largest sum of card values wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

from protocol.cards import Card, Rank
from protocol.games.base import (
    FOLDED,
    Action,
    Bet,
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
from protocol.games.match import MatchOfHands
from protocol.games.poker_strength import poker_strength
from protocol.games.pot import split_evenly
from protocol.games.ranks import FIVE_CARD_KINDS, five_card_kind, five_cards_in_words

NAME = "blockhead"
#: Two players in the source's game; "how might the AI be changed if the game was played with 6 players?"
SEATS = range(2, 7)

STREETS = 3
#: Cards of the deck that belong to each seat: the hole card, then the up cards in the order they are dealt.
CARDS = 5

DEFAULT_HANDS = 20
DEFAULT_STACK = 1000
#: Chips. "Each player will contribute 10 chips (the buy in) into the pot."
BUY_IN = 10

MAX_RAISE = 10
#: Raises a street: "a player may not raise if there have been three (3) prior raises in the bidding round".
MAX_RAISES = 3

#: What decides a showdown: the sum of card values, or real poker hands.
Ranks = Literal["blockhead", "poker"]


def card_value(card: Card) -> int:
    """Ace 1, two to ten their number, jack, queen and king 10."""
    return 1 if card.rank == Rank.ACE else min(card.rank, 10)


def cards_value(cards: Sequence[Card]) -> int:
    """The sum of the card values; at most 50 for five cards."""
    return sum([card_value(card) for card in cards])


@lru_cache(maxsize=256)  # asked for twice a decision, and few of them differ
def _legal(owed: int, raises_left: int) -> Legal:
    """ "A player cannot fold unless the previous bet was a raise"; stacks set no limit, since chips may be borrowed."""
    raises = range(owed + 1, owed + MAX_RAISE + 1) if raises_left else range(0)
    return Legal(owed, raises, fold=owed > 0)


#: What five cards of Blockhead add up to, in groups for figures; 50 is the most.
SUMS = ("up to 34", "35 to 39", "40 to 44", "45 to 49", "50")
#: What a tied pot is won with after the last hand.
SPLIT = "a tie that was split"


def _kind(ranks: Ranks, strength: int) -> str:
    return SUMS[max(0, strength // 5 - 6)] if ranks == "blockhead" else five_card_kind(strength)


def _in_words(ranks: Ranks, strength: int) -> str:
    return f"sum {strength}" if ranks == "blockhead" else five_cards_in_words(strength)


class BlockheadTurn(NamedTuple):
    """All that the seat to act may know.

    Attributes:
        street: 1, 2 or 3, with two, three or four cards up.
        stack: chips left; may be negative.
        pot: chips in the pot, with what earlier hands carried over.
        owed: the raises since this seat last acted; 0 when there were none.
        hole: the card only this seat sees.
        up: the own up cards.
        others: the up cards of each opponent still in, from the left neighbour on.
        bets: the bets of this street in order, as (seat, chips put in).
        max_raise: chips a raise may have, at most; 0 when no raise is left.
    """

    street: int
    stack: int
    pot: int
    owed: int
    hole: Card
    up: tuple[Card, ...]
    others: tuple[tuple[Card, ...], ...]
    bets: tuple[tuple[int, int], ...]
    max_raise: int

    @property
    def own(self) -> tuple[Card, ...]:
        """The hole card and the own up cards."""
        return (self.hole, *self.up)

    def legal(self) -> Legal:
        """What may be answered."""
        return _legal(self.owed, self.max_raise)


class BlockheadHand(NamedTuple):
    """One deal. Seat ``i`` owns the cards from ``5 i`` on: the hole card, then the up cards.

    Attributes:
        carried: chips in the pot from earlier ties.
        last: whether a tied pot is split now, because no hand follows.
        number: of the street, from 1.
        bets: of this street, as (seat, chips put in).
        raises: made on this street.
    """

    deck: tuple[Card, ...]
    starting: tuple[int, ...]
    stacks: tuple[int, ...]
    pot: int
    carried: int
    last: bool
    ranks: Ranks
    opener: int
    number: int
    street: Street
    bets: tuple[tuple[int, int], ...]
    raises: int

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
        return _legal(self.street.owed(self.street.queue[0]), MAX_RAISES - self.raises)

    def view(self, seat: int) -> BlockheadTurn:
        """What ``seat`` may know: its own cards and everybody's up cards."""
        live = self.street.live
        place = live.index(seat)
        others = tuple([self._up(other) for other in live[place + 1 :] + live[:place]])
        return BlockheadTurn(
            self.number,
            self.stacks[seat],
            self.pot,
            self.street.owed(seat),
            self.deck[CARDS * seat],
            self._up(seat),
            others,
            self.bets,
            MAX_RAISE if self.raises < MAX_RAISES else 0,
        )

    def apply(self, action: Action) -> Self:
        """The hand after the seat to act has checked, called, raised or folded.

        Raises:
            IllegalAction: a fold with nothing owed, a bet below what is owed or more than 10 above it, or a
                fourth raise on the street.
        """
        legal = self.legal()
        if action not in legal:
            raise IllegalAction(_why_illegal(action, legal))
        if isinstance(action, Fold):
            return self.concede()
        seat, amount = self.street.queue[0], action.amount
        # all by position: _replace would take three times as long, and this is every decision of every simulation
        after = self.__class__(
            self.deck,
            self.starting,
            (*self.stacks[:seat], self.stacks[seat] - amount, *self.stacks[seat + 1 :]),
            self.pot + amount,
            self.carried,
            self.last,
            self.ranks,
            self.opener,
            self.number,
            self.street.bet(amount),
            (*self.bets, (seat, amount)),
            self.raises + (amount > legal.to_call),
        )
        return after if after.street.queue else after._next_street()

    def concede(self) -> Self:
        """The hand after the seat to act has given it up, as a fold does, even if it owes nothing."""
        after = self._replace(street=self.street.fold())
        return after if after.street.queue else after._next_street()

    def public(self) -> PublicHand:
        """What everybody sees: up cards of live seats, stacks and bets."""
        live, put = self.street.live, self.street.put
        seats = [
            PublicSeat(stack, put[seat], seat in live, self._up(seat) if seat in live else (), 1)
            for seat, stack in enumerate(self.stacks)
        ]
        return PublicHand(self.number, self.pot, ((self.pot, self.live),), (), tuple(seats), None, self.to_act)

    def hole(self, seat: int) -> tuple[Card, ...]:
        """The one card that only ``seat`` sees."""
        return self.deck[CARDS * seat : CARDS * seat + 1]

    def settle(self) -> Settlement:
        """The pot goes to the best hand; a tie carries it to the next hand, or splits it if there is none.

        Cards are turned up at a showdown only; a pot won by a fold is not shown.
        """
        live = self.street.live
        strengths = [self._strength(seat) for seat in live] if len(live) > 1 else [0]
        winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == max(strengths)]
        tied = len(winners) > 1
        shares = [0] * len(self.stacks)
        if not tied or self.last:
            # The odd chip goes to the player who did not open.
            order = sorted(winners, key=lambda seat: (seat - self.opener - 1) % len(self.stacks))
            for seat, share in split_evenly(self.pot, order).items():
                shares[seat] = share
        after = zip(self.starting, self.stacks, shares, strict=True)
        payoffs = tuple([stack + share - start for start, stack, share in after])
        shown = tuple([(seat, self.hole(seat)) for seat in sorted(live)]) if len(live) > 1 else ()
        cards = self._cards(winners[0]) if shown else self._up(winners[0])
        pots = (self._pot(winners, shares, max(strengths)),) if any(shares) else ()
        return Settlement(payoffs, tuple(shares), cards, tied, self.pot - sum(shares), shown, pots)

    def _pot(self, winners: Sequence[int], shares: Sequence[int], strength: int) -> Pot:
        """Who won the pot, and why."""
        collected = tuple([(seat, shares[seat]) for seat in winners])
        if len(self.street.live) == 1:
            return Pot(self.pot, collected, FOLDED, FOLDED)
        words = _in_words(self.ranks, strength)
        if len(winners) > 1:
            return Pot(self.pot, collected, SPLIT, f"{SPLIT}: {words}")
        return Pot(self.pot, collected, _kind(self.ranks, strength), words)

    def _next_street(self) -> Self:
        """The next street after one that is over, unless the hand is too; its opener opens every street."""
        if self.number == STREETS or len(self.street.live) == 1:
            return self
        live = tuple(sorted(self.street.live))
        # The next one clockwise, if the opener is out.
        opener = min(live, key=lambda seat: (seat - self.opener) % len(self.stacks))
        street = Street.open(live, opener, len(self.stacks))
        return self._replace(number=self.number + 1, street=street, bets=(), raises=0)

    def _up(self, seat: int) -> tuple[Card, ...]:
        return self.deck[CARDS * seat + 1 : CARDS * seat + 2 + self.number]

    def _cards(self, seat: int) -> tuple[Card, ...]:
        return self.deck[CARDS * seat : CARDS * (seat + 1)]

    def _strength(self, seat: int) -> int:
        cards = self._cards(seat)
        return cards_value(cards) if self.ranks == "blockhead" else poker_strength(cards)


def deal(
    deck: Sequence[Card],
    stacks: Sequence[int],
    opener: int = 0,
    *,
    carried: int = 0,
    last: bool = False,
    ranks: Ranks = "blockhead",
) -> BlockheadHand:
    """The hand after the buy-ins and the first three cards, ``opener`` to act.

    Args:
        deck: all 52 cards, shuffled.
        stacks: chips of each seat before the buy-in; may be negative.
        opener: the seat that opens every street.
        carried: chips from earlier tied hands, already in the pot.
        last: whether a tie splits the pot instead of carrying it over.
        ranks: what decides a showdown.

    Raises:
        ValueError: too few or too many seats.
    """
    if len(stacks) not in SEATS:
        raise ValueError(f"blockhead needs {SEATS[0]}-{SEATS[-1]} seats, got {len(stacks)}")
    left = tuple(stack - BUY_IN for stack in stacks)
    pot = carried + BUY_IN * len(stacks)
    street = Street.open(tuple(range(len(stacks))), opener, len(stacks))
    return BlockheadHand(tuple(deck), tuple(stacks), left, pot, carried, last, ranks, opener, 1, street, (), 0)


def _why_illegal(action: Action, legal: Legal) -> str:
    owed, most = legal.to_call, max(legal.raises, default=legal.to_call)
    allowed = f"bet {owed} to {'call' if owed else 'check'}" + (
        f", {owed + 1} to {most} to raise" if legal.raises else ""
    )
    allowed += ", or fold" if legal.fold else ""
    if not isinstance(action, Bet):
        return f"you folded although you owe nothing: {allowed}"
    if action.amount < owed:
        return f"you bet {action.amount} but owe {owed}: {allowed}"
    if not legal.raises:
        return f"you bet {action.amount}, but {MAX_RAISES} raises were made on this street: {allowed}"
    return f"you bet {action.amount}, more than {MAX_RAISE} above the {owed} you owe: {allowed}"


@dataclass(frozen=True, slots=True)
class BlockheadMatch(MatchOfHands):
    """A game of 20 hands. "The first player will open the bidding in the first round and subsequent odd numbered
    rounds. The second player will open the bidding in the second round and all even number rounds."

    "A player may have negative number of chips (i.e. he borrows from the bank)".

    Attributes:
        carried: chips of tied pots that the next hand is played for.
        ranks: what decides a showdown.
    """

    carried: int = 0
    ranks: Ranks = "blockhead"

    @property
    def total(self) -> int:
        """All chips of the game, those of tied pots included."""
        return sum(self.stacks) + self.carried

    def deal(self, deck: Sequence[Card]) -> BlockheadHand:
        """The next hand; each player in turn opens one."""
        stacks = [self.stacks[player] for player in self.seated]
        last = self.played + 1 >= self.hands
        opener = self.played % len(self.seated)
        return deal(deck, stacks, opener, carried=self.carried, last=last, ranks=self.ranks)

    def _after(self, settlement: Settlement) -> dict[str, Any]:
        """A tied pot waits for the next hand."""
        return {**MatchOfHands._after(self, settlement), "carried": settlement.carried}


@dataclass(frozen=True, slots=True)
class BlockheadGame(Game):
    """What is agreed about games of Blockhead."""

    stack: int = option(DEFAULT_STACK, "Chips everybody starts with.")
    hands: int = option(DEFAULT_HANDS, "Hands to play, unless one player has won before.")
    ranks: Ranks = option(
        "blockhead", "What wins a hand: the sum of card values, or real poker hands.", choices=get_args(Ranks)
    )

    name: ClassVar = NAME
    title: ClassVar = "Blockhead Poker"
    seats: ClassVar = SEATS
    in_games: ClassVar = True
    constants: ClassVar = {"buyin": BUY_IN, "raise": MAX_RAISE, "raises": MAX_RAISES}
    kinds: ClassVar = (FOLDED, *FIVE_CARD_KINDS, *SUMS, SPLIT)

    def start(self, players: int) -> BlockheadMatch:
        """All players seated with equal stacks."""
        return BlockheadMatch((self.stack,) * players, tuple(range(players)), self.hands, ranks=self.ranks)

    @property
    def fee(self) -> str:
        return f"the buy-in of {BUY_IN}"

    def layout(self, outcome: Sequence[Card], seats: int) -> Layout:
        """Each seat owns five cards in a row."""
        return Layout(tuple(tuple(outcome[CARDS * seat : CARDS * (seat + 1)]) for seat in range(seats)))

    def describe(self, cards: Sequence[Card]) -> str:
        strength = cards_value(cards) if self.ranks == "blockhead" else poker_strength(cards)
        return _in_words(self.ranks, strength)
