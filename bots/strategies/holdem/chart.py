"""A chart of strong and fair cards in hold'em: groups before the flop, and what the cards make with the board after."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from protocol.cards import Card, Rank
from protocol.games.poker_strength import FOUR, PAIR, THREE, TWO_PAIR, poker_strength

#: The group of the worst cards, which the table leaves out.
WORST = 9
#: The table as the source prints it, rows and columns from the ace down: suited cards above the diagonal, others below.
_TABLE = """
1 1 2 2 3 5 5 5 5 5 5 5 5
2 1 2 3 4 6 7 7 7 7 7 7 7
3 4 1 3 4 5 7 . . . . . .
4 5 5 1 3 4 6 8 . . . . .
6 6 6 5 2 4 5 . . . . . .
8 8 8 7 7 3 4 5 8 . . . .
. . . 8 8 7 4 5 6 8 . . .
. . . . . . 8 5 5 7 8 . .
. . . . . . . 8 6 5 7 . .
. . . . . . . . 8 6 6 8 .
. . . . . . . . . 8 7 7 8
. . . . . . . . . . . 7 8
. . . . . . . . . . . . 7
"""
_GROUPS = [[WORST if word == "." else int(word) for word in line.split()] for line in _TABLE.split("\n") if line]


def starting_hand_group(first: Card, second: Card) -> int:
    """The group of two hole cards, from 1 (best) to 9."""
    high, low = sorted((first.rank, second.rank), reverse=True)
    row, column = Rank.ACE - high, Rank.ACE - low
    return _GROUPS[row][column] if first.suit == second.suit else _GROUPS[column][row]


Strength = Literal["strong", "fair", "weak"]

#: Opening groups up to which cards are strong or fair.
STRONG_GROUP, FAIR_GROUP = 2, 4
_CATEGORY_BITS = 40


def chart_of(hole: tuple[Card, Card], board: Sequence[Card]) -> Strength:
    """What two hole cards are worth beside the board.

    After the flop, a pair of the highest card on the board or of a higher one is strong, and all that beats it. Another
    pair is fair, and before the river four cards to a flush are too. What the board has alone counts for nothing.
    """
    if not board:
        group = starting_hand_group(*hole)
        return "strong" if group <= STRONG_GROUP else "fair" if group <= FAIR_GROUP else "weak"
    category = poker_strength((*hole, *board)) >> _CATEGORY_BITS
    if category > max(PAIR, _category_of(board)):
        return "strong"
    top = max(card.rank for card in board)
    first, second = hole
    if first.rank == second.rank:
        return "strong" if first.rank > top else "fair"
    paired = [card.rank for card in hole if any(card.rank == other.rank for other in board)]
    if paired:
        return "strong" if max(paired) == top else "fair"
    return "fair" if len(board) < 5 and _draws_to_flush(hole, board) else "weak"


def _category_of(board: Sequence[Card]) -> int:
    """The category that cards on the board give everybody, where a pair counts as two: any other pair makes those."""
    made = poker_strength(board) >> _CATEGORY_BITS if len(board) == 5 else 0
    equal = max(Counter(card.rank for card in board).values())
    return max(made, {1: 0, 2: TWO_PAIR, 3: THREE, 4: FOUR}[equal])


def _draws_to_flush(hole: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether both hole cards belong to four of one suit."""
    suit = hole[0].suit
    return hole[1].suit == suit and sum(card.suit == suit for card in board) == 2
