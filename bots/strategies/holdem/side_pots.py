"""What a player collects at the end of a hand that was played out."""

from collections.abc import Sequence


def chips_collected(me: int, live: Sequence[int], strengths: Sequence[int], spent: Sequence[int], pot: int) -> float:
    """Chips that a player wins at a showdown; odd ones are divided.

    Args:
        me: the player.
        live: the players who have not folded.
        strengths: of the cards of each player.
        spent: chips that each player has put in in the hand; those of players who are not counted are dead.
        pot: all chips put in.
    """
    dead, below, won = pot - sum(spent), 0, 0.0
    for level in sorted({spent[player] for player in live if spent[player] <= spent[me]}):
        chips = sum([min(max(chips - below, 0), level - below) for chips in spent]) + dead
        best = [strengths[player] for player in live if spent[player] >= level]
        top = max(best)
        if strengths[me] == top:
            won += chips / best.count(top)
        dead, below = 0, level
    return won
