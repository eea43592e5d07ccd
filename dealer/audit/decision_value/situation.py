"""What a seat knows of a hand under way: public facts and its own cards, and never a card of another seat."""

from dataclasses import dataclass, replace
from typing import Self

from protocol.cards import Piece
from protocol.games.base import Action, Hand, PublicHand, Turn
from protocol.games.game import Game
from protocol.games.match import Match
from protocol.games.pot import within_reach


@dataclass(frozen=True, slots=True)
class Situation:
    """A hand as one seat knows it. Hands that differ only in hidden cards give equal situations.

    It is begun with a hand that has been dealt, and told of each action after that:

        situation = Situation.begin(game, match, hand, seat)
        after = hand.apply(action)
        situation = situation.acted(action, after)

    Attributes:
        match: before the hand, with the stakes of the hand: stacks, seats and button are public.
        seat: whose knowledge it is.
        own: the cards of the seat, hole cards first.
        hidden: how many cards of each seat lie face down.
        ups: the face-up cards of each seat that were seen in this hand, also those of seats that have folded.
        board: the cards that belong to all seats.
        questions: what the seat was asked in this hand, the open question last.
        actions: of all seats, in order; None where the dealer gave up the hand for a seat.
        live: how many seats are still in.
        put: chips that the seat has put in on this street.
        reach: chips that the seat can still lose or win, see ``pot.within_reach``; 0 without an open question.
        opened: whether a seat has put in chips on this street, so that more than a call is a raise and not a bet.
    """

    game: Game
    match: Match
    seat: int
    own: tuple[Piece, ...]
    hidden: tuple[int, ...]
    ups: tuple[tuple[Piece, ...], ...]
    board: tuple[Piece, ...]
    questions: tuple[Turn, ...]
    actions: tuple[Action | None, ...]
    live: int
    put: int
    reach: int
    opened: bool

    @classmethod
    def begin(cls, game: Game, match: Match, hand: Hand, seat: int) -> Self:
        """What ``seat`` knows before the first action of a hand that ``match`` has dealt."""
        public = hand.public()
        hidden = tuple(view.hidden for view in public.seats)
        own = (*hand.hole(seat), *public.seats[seat].up)
        ups = tuple(view.up for view in public.seats)
        questions, live, put = _question(hand, seat), len(hand.live), public.seats[seat].put
        reach, opened = _reach(hand, seat), _opened(public)
        return cls(game, match, seat, own, hidden, ups, public.board, questions, (), live, put, reach, opened)

    def acted(self, action: Action | None, hand: Hand) -> Self:
        """The situation after an action of the seat to act, which has led to ``hand``."""
        public = hand.public()
        ups = tuple(max(seen, view.up, key=len) for seen, view in zip(self.ups, public.seats, strict=True))
        return replace(
            self,
            own=(*self.own[: self.hidden[self.seat]], *ups[self.seat]),
            ups=ups,
            board=max(self.board, public.board, key=len),
            questions=(*self.questions, *_question(hand, self.seat)),
            actions=(*self.actions, action),
            live=len(hand.live),
            put=public.seats[self.seat].put,
            reach=_reach(hand, self.seat),
            opened=_opened(public),
        )


def _question(hand: Hand, seat: int) -> tuple[Turn, ...]:
    return (hand.view(seat),) if hand.to_act == seat else ()


def _reach(hand: Hand, seat: int) -> int:
    return within_reach(hand, seat) if hand.to_act == seat else 0


def _opened(public: PublicHand) -> bool:
    return any(view.put for view in public.seats)
