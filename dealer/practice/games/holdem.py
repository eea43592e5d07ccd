"""What practice needs to know of Texas Hold'em: the teacher, situations, and which cards a question shows."""

from dealer.practice.game_practice import GamePractice, shuffle_unseen
from protocol.cards import Card
from protocol.games.holdem_hand import STREETS, HoldemHand
from protocol.games.holdem_turn import HoldemTurn


def _pair_in_the_hole(turn: HoldemTurn) -> bool:
    first, second = turn.hole
    return first.rank == second.rank


def _pair_with_the_board(turn: HoldemTurn) -> bool:
    return bool({card.rank for card in turn.hole} & {card.rank for card in turn.board})


def _heads_up(turn: HoldemTurn) -> bool:
    return sum(seat.state != "folded" for seat in turn.seats) == 2


def _seen(turn: HoldemTurn) -> tuple[Card, ...]:
    return (*turn.hole, *turn.board)


def _deck(hand: HoldemHand) -> tuple[Card, ...]:
    return hand.deck


def _with_deck(hand: HoldemHand, deck: tuple[Card, ...]) -> HoldemHand:
    return hand._replace(deck=deck)


PRACTICE = GamePractice(
    # bots that take roll-outs themselves would be too slow as players of thousands of hands
    teacher="tight",
    streets=range(1, STREETS + 1),
    situations={
        "all": lambda turn: True,
        "a pair in the hole": _pair_in_the_hole,
        "a pair with the board": _pair_with_the_board,
        "no pair": lambda turn: not _pair_in_the_hole(turn) and not _pair_with_the_board(turn),
        # before the flop the big blind is a bet, too: all others have something to pay
        "facing a bet": lambda turn: turn.owed > 0,
        "one opponent left": _heads_up,
    },
    seen=_seen,
    redeal=shuffle_unseen(_deck, _with_deck),
)
