"""Decisions of players who are alone with one opponent in a hand, and what each action is worth to the one to act.

The journal tells all hidden cards, but players do not know which cards come. So an action is valued by what the cards
of both win on average, as if nobody bet after it: the opponent folds or calls, and both check to the end. Values are
parts of the pot before the action, compared with a fold.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dealer.audit.collusion.cards.sampling import Known, PotShare
from protocol.cards import Piece
from protocol.games.base import Action, Bet, Fold, Hand, Legal
from protocol.games.game import Game

#: Classes of actions: a raise is large if it adds more than ``LARGE`` of the pot with the call in it.
FOLDS, CALLS, RAISES, RAISES_MUCH = ACTIONS = range(4)
LARGE = 0.75

#: The raises that stand for the two classes, as parts of the same pot.
SIZES = (0.5, 1.25)

#: Bounds between classes of cards, by the part of the pot that they win against unknown ones.
STRENGTHS = (0.2, 0.35, 0.5, 0.65, 0.8)

#: Bounds between classes of prices: chips of a call, as parts of the pot.
PRICES = (0.001, 0.25, 0.45, 0.75, 1.2)

#: Stacks above so many pots are deep, because what is left then hardly limits a raise.
DEEP = 2

#: Raises on a street that are told apart, at most.
RAISES_COUNTED = 2


class Situation(NamedTuple):
    """What a player knows when it acts, in classes. Two decisions with equal situations can be compared.

    Attributes:
        street: from 1.
        cards: the class of the own cards, from 0.
        price: the class of what a call costs, 0 for nothing.
        raises: on this street so far.
        first: whether the player acts before the opponent on this street.
        deep: whether its stack is ``DEEP``.
        more: whether others were dealt in.
    """

    street: int
    cards: int
    price: int
    raises: int
    first: bool
    deep: bool
    more: bool

    def alike(self) -> tuple[tuple[object, ...], ...]:
        """The situation, and two larger classes of situations for comparisons where too few are quite equal."""
        return (
            self,
            (self.street, self.cards, self.price, self.first, self.more),
            (self.cards, self.price > 0, self.more),
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a player who was alone with one opponent.

    Attributes:
        number: of the hand among those that were read.
        player, opponent: their numbers.
        situation: of the player.
        facing: the class of the opponent's cards, as the opponent knew them.
        action: its class.
        pot: chips in the pot before.
        call: what a check or call is worth.
        raised: for each of ``SIZES``, what that raise is worth if the opponent folds, and if it calls.
        result: what the player won in the end.
    """

    number: int
    player: int
    opponent: int
    situation: Situation
    facing: int
    action: int
    pot: int
    call: float
    raised: tuple[tuple[float, float], ...]
    result: float


def decisions(
    game: Game,
    pot_share: PotShare,
    number: int,
    players: Sequence[int],
    steps: Sequence[tuple[Hand, int, Action | None]],
    last: Hand,
) -> Iterator[Decision]:
    """The decisions of a finished hand.

    Args:
        game: that was played.
        pot_share: what cards of this game are worth.
        number: of the hand.
        players: their numbers, by seat.
        steps: each hand before an action, the seat to act, and what it did; None if the dealer acted for it.
        last: the hand after them.
    """
    payoffs = last.settle().payoffs
    street, raises, order = 0, 0, list[int]()
    for hand, seat, action in steps:
        if hand.number != street:
            street, raises, order = hand.number, 0, []
        order.append(seat)
        legal = hand.legal()
        if len(hand.live) == 2 and action is not None:
            (other,) = (live for live in hand.live if live != seat)
            spot = _Spot(game, pot_share, hand, legal, seat, other)
            first = other not in order or order.index(seat) < order.index(other)
            yield Decision(
                number,
                players[seat],
                players[other],
                spot.situation(min(raises, RAISES_COUNTED), first),
                spot.cards_of(other, seat),
                class_of(action, legal.to_call, hand.pot),
                hand.pot,
                spot.worth(spot.checked_down(Bet(legal.to_call)) if legal.call else spot.given_up),
                tuple([spot.raised(size) for size in SIZES if legal.raises]),
                spot.worth(payoffs[seat]),
            )
        raises += isinstance(action, Bet) and action.amount > legal.to_call


class _Spot:
    """A hand that two seats are left in, one of which has to act."""

    def __init__(self, game: Game, pot_share: PotShare, hand: Hand, legal: Legal, seat: int, other: int) -> None:
        self._game, self._pot_share = game, pot_share
        self._hand, self._legal, self._seat, self._other = hand, legal, seat, other
        self._public = hand.public()
        self._wins = self._share(seat, other, hand.hole(other))
        self.given_up = hand.stacks[seat] - hand.starting[seat]  # chips that a fold loses

    def situation(self, raises: int, first: bool) -> Situation:
        """What the seat to act knows."""
        hand, pot, owed = self._hand, self._hand.pot, self._legal.to_call
        return Situation(
            hand.number,
            self.cards_of(self._seat, self._other),
            _class(owed / pot, PRICES),
            raises,
            first,
            hand.stacks[self._seat] > DEEP * pot,
            len(hand.stacks) > 2,
        )

    def cards_of(self, seat: int, other: int) -> int:
        """The class of a seat's cards, as it knows them."""
        return _class(self._share(seat, other, ()), STRENGTHS)

    def _share(self, seat: int, other: int, hole: Sequence[Piece]) -> float:
        """The part of the pot that a seat's cards win, where these hole cards of the other one are known."""
        own, up, board = self._hand.view(seat).own, self._public.seats[other].up, self._public.board
        return self._pot_share(self._game, Known(tuple(own), tuple(hole), tuple(up), tuple(board)))

    def worth(self, chips: float) -> float:
        """Chips that the seat wins in the hand, as a part of the pot beyond a fold."""
        return (chips - self.given_up) / self._hand.pot

    def raised(self, size: float) -> tuple[float, float]:
        """What the raise nearest to a size is worth if the opponent folds, and if it calls."""
        pot, owed, raises = self._hand.pot, self._legal.to_call, self._legal.raises
        place = round((owed + size * (pot + owed) - raises.start) / raises.step)
        bet = Bet(raises[min(max(place, 0), len(raises) - 1)])
        return self.worth(self.checked_down(bet, called=False)), self.worth(self.checked_down(bet))

    def checked_down(self, action: Bet, *, called: bool = True) -> float:
        """Chips that the seat wins on average if it acts so and nobody bets after it.

        Args:
            action: of the seat.
            called: whether the opponent calls what it owes then.
        """
        hand = self._hand.apply(action)
        while (seat := hand.to_act) is not None:
            legal = hand.legal()
            stays = called or seat == self._seat or not legal.to_call
            hand = hand.apply(Bet(legal.to_call)) if stays and legal.call else hand.concede()
        if len(hand.live) == 1:
            return hand.settle().payoffs[self._seat]
        mine, other = (hand.starting[seat] - hand.stacks[seat] for seat in (self._seat, self._other))
        back = max(mine - other, 0)  # chips that the opponent cannot call go back to the seat, and the other way round
        return self._wins * (hand.pot - abs(mine - other)) + back - mine


def class_of(action: Action, to_call: int, pot: int) -> int:
    """The class of an action, where a call costs ``to_call`` and there are ``pot`` chips in the pot."""
    if isinstance(action, Fold):
        return FOLDS
    if action.amount <= to_call:
        return CALLS
    return RAISES_MUCH if action.amount - to_call > LARGE * (pot + to_call) else RAISES


def _class(value: float, bounds: Sequence[float]) -> int:
    return sum([value >= bound for bound in bounds])
