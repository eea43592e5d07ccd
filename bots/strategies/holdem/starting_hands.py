"""Starting hands: how good two hole cards are, by the groups of David Sklansky and Mason Malmuth (1 is best)."""

from protocol.cards import Card, Rank

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
