"""Blockhead Poker for two at many tables, compiled: single hands in which a tie splits the pot.

The rules are those of ``BlockheadGame(hands=1)``, with the opener changing from hand to hand. The observation is that
of ``BlockheadEncoding(2)``. Compiled code knows no names of other files, so their numbers are written here again.
"""

import numpy as np
from numpy.typing import NDArray

from bots.environments.kernels.dealing import Cards, draw_hand
from protocol.games.kernels.compiling import compiled

State = NDArray[np.int32]

GAME = "blockhead"
STACK, BUY_IN, MAX_RAISE, MAX_RAISES, STREETS = 1000, 10, 10, 3, 3
#: Of a seat; and of a hand.
OWN, CARDS = 5, 10

#: Columns of the state: who acts and opens, the street, what each seat has put into the pot, and on this street the
#: chips owed, the raises, the acts and the chips of each act.
TO_ACT, OPENER, STREET, PUT, OWED, RAISES, ACTS, BETS = 0, 1, 2, 3, 5, 6, 7, 8
MOST_ACTS = 5
FIELDS = BETS + MOST_ACTS

ACTIONS = 12
#: Where cards begin in an observation.
FACE = 6 + MOST_ACTS
SIZE = FACE + 3 * 52


@compiled
def deal(state: State, cards: Cards, dealt: NDArray[np.bool_], deck: Cards, chance: NDArray[np.uint64]) -> None:
    """Begin a hand at each table of ``dealt``; the other seat opens."""
    for table in range(len(state)):
        if dealt[table]:
            draw_hand(deck, cards[table], chance)
            row = state[table]
            opener = 1 - row[OPENER]
            row[:] = 0
            row[OPENER] = row[TO_ACT] = opener
            row[STREET] = 1
            row[PUT] = row[PUT + 1] = BUY_IN


@compiled
def total(cards: Cards, seat: int) -> int:
    """The sum of a seat's card values: ace 1, faces 10."""
    points = 0
    for number in range(OWN * seat, OWN * seat + OWN):
        rank = cards[number] // 4 + 2
        points += 1 if rank == 14 else min(rank, 10)
    return points


@compiled
def play(
    state: State,
    cards: Cards,
    actions: NDArray[np.int64],
    payoffs: NDArray[np.float32],
    ended: NDArray[np.bool_],
) -> None:
    """Let the seat to act of every table choose; all actions are legal."""
    for table in range(len(state)):
        row, action = state[table], actions[table]
        seat = row[TO_ACT]
        ended[table] = False
        payoffs[table] = 0
        if action == 0:
            payoffs[table, seat] = -row[PUT + seat]
            payoffs[table, 1 - seat] = row[PUT + seat]
            ended[table] = True
            continue
        raised = action - 1
        amount = row[OWED] + raised
        row[BETS + row[ACTS]] = amount
        row[ACTS] += 1
        row[PUT + seat] += amount
        row[OWED] = raised
        row[RAISES] += raised > 0
        if raised or row[ACTS] == 1:
            row[TO_ACT] = 1 - seat
        elif row[STREET] < STREETS:
            row[STREET] += 1
            row[TO_ACT] = row[OPENER]
            row[OWED:] = 0
        else:
            difference = total(cards[table], 0) - total(cards[table], 1)
            won = row[PUT] * (1 if difference > 0 else -1 if difference < 0 else 0)
            payoffs[table, 0], payoffs[table, 1] = won, -won
            ended[table] = True


@compiled
def tell(state: State, cards: Cards, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> None:
    """Write what the seat to act of every table is told, and what it may do."""
    for table in range(len(state)):
        row, hand, told, mask = state[table], cards[table], observations[table], masks[table]
        seat = row[TO_ACT]
        may_raise = row[RAISES] < MAX_RAISES
        told[:] = 0
        told[0], told[1], told[2] = row[STREET], STACK - row[PUT + seat], row[PUT] + row[PUT + 1]
        told[3], told[4], told[5] = row[OWED], MAX_RAISE if may_raise else 0, row[ACTS]
        for act in range(row[ACTS]):
            told[6 + act] = row[BETS + act]
        told[FACE + hand[OWN * seat]] = 1
        for number in range(1, 2 + row[STREET]):
            told[FACE + 52 + hand[OWN * seat + number]] = 1
            told[FACE + 104 + hand[OWN * (1 - seat) + number]] = 1
        mask[:] = may_raise
        mask[0], mask[1] = row[OWED] > 0, 1
