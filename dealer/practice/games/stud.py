"""What practice needs to know of three-card stud: the teacher, opponents of roll-outs, and situations."""

from dealer.practice.game_practice import GamePractice
from protocol.cards import Suit
from protocol.games.stud import StudTurn


def _pair(turn: StudTurn) -> bool:
    ranks = [card.rank for card in (turn.hole, *turn.up)]
    return len(set(ranks)) < len(ranks)


PRACTICE = GamePractice(
    teacher="stud",
    quick=("tight", "pair-or-fold", "caller", "maniac", "random"),
    company=("tight", "pair-or-fold"),
    streets=(1, 2),
    situations={
        "a pair, or three of a kind": _pair,
        "high card": lambda turn: not _pair(turn),
        "a spade in the hole": lambda turn: turn.hole.suit is Suit.SPADES,
        # the first bet of a street is a raise, too: after it there is something to pay
        "facing a raise": lambda turn: turn.owed > 0,
    },
)
