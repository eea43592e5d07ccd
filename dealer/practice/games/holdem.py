"""What practice needs to know of Texas Hold'em: the teacher, opponents of roll-outs, and situations."""

from dealer.practice.game_practice import GamePractice
from protocol.games.holdem_hand import STREETS
from protocol.games.holdem_turn import HoldemTurn


def _pair_in_the_hole(turn: HoldemTurn) -> bool:
    first, second = turn.hole
    return first.rank == second.rank


def _pair_with_the_board(turn: HoldemTurn) -> bool:
    return bool({card.rank for card in turn.hole} & {card.rank for card in turn.board})


def _heads_up(turn: HoldemTurn) -> bool:
    return sum(seat.state != "folded" for seat in turn.seats) == 2


PRACTICE = GamePractice(
    # bots that take roll-outs themselves would be too slow as players of thousands of hands
    teacher="tight",
    quick=("tight", "simple", "caller", "maniac", "random", "sklansky"),
    company=("tight", "simple"),
    streets=range(1, STREETS + 1),
    situations={
        "a pair in the hole": _pair_in_the_hole,
        "a pair with the board": _pair_with_the_board,
        "no pair": lambda turn: not _pair_in_the_hole(turn) and not _pair_with_the_board(turn),
        # before the flop the big blind is a bet, too: all others have something to pay
        "facing a bet": lambda turn: turn.owed > 0,
        "one opponent left": _heads_up,
    },
    effort=0.15,
)
