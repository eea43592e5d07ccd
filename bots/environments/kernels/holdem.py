"""Heads-up no-limit hold'em at many tables, compiled: single hands with equal stacks.

The rules are those of a hand of ``HoldemGame()`` between two, with the button changing from hand to hand. The
observation is that of ``HoldemEncoding(2)``. Compiled code knows no names of other files, so their numbers are written
here again.
"""

import numpy as np
from numpy.typing import NDArray

from bots.environments.kernels.dealing import Cards, draw_hand
from protocol.games.kernels.compiling import compiled
from protocol.games.kernels.holdem import _SUIT_START, key_of, place_of

State = NDArray[np.int32]

GAME = "holdem"
STACK, SMALL_BLIND, BIG_BLIND, STREETS = 1000, 5, 10, 4
#: Of a hand: two of each seat, then the board.
CARDS, BOARD = 9, 4

#: Columns of the state: who acts, the button, the street, chips left by seat, chips put in on this street by seat, the
#: last full raise, and which seats still have to act.
TO_ACT, BUTTON, STREET, LEFT, PUT, FULL_RAISE, WAITS = 0, 1, 2, 3, 5, 7, 8
FIELDS = 10

ACTIONS = 7
#: Where cards begin in an observation.
FACE = 14
SIZE = FACE + 2 * 52


@compiled
def deal(state: State, cards: Cards, dealt: NDArray[np.bool_], deck: Cards, chance: NDArray[np.uint64]) -> None:
    """Begin a hand at each table of ``dealt``; the button goes to the other seat."""
    for table in range(len(state)):
        if dealt[table]:
            draw_hand(deck, cards[table], chance)
            row = state[table]
            button = 1 - row[BUTTON]
            row[:] = 0
            row[BUTTON] = row[TO_ACT] = button
            row[STREET] = 1
            row[PUT + button], row[PUT + 1 - button] = SMALL_BLIND, BIG_BLIND
            row[LEFT + button], row[LEFT + 1 - button] = STACK - SMALL_BLIND, STACK - BIG_BLIND
            row[FULL_RAISE] = BIG_BLIND
            row[WAITS] = row[WAITS + 1] = 1


@compiled
def strength(cards: Cards, seat: int) -> int:
    """How strong a seat's cards are on the whole board."""
    own, board = cards[2 * seat : 2 * seat + 2], cards[BOARD:]
    return place_of(key_of(own) + key_of(board) - _SUIT_START, own, board)


@compiled
def least_raise(row: NDArray[np.int32]) -> int:
    """Chips of the least raise of the seat to act; 0 if it may not raise. The largest one is the stack.

    A raise of less than the last one leaves its seat all in. So between two nobody could raise it in any case.
    """
    seat = row[TO_ACT]
    left, owed = row[LEFT + seat], max(row[PUT + 1 - seat] - row[PUT + seat], 0)
    return int(min(left, owed + row[FULL_RAISE])) if left > owed else 0


@compiled
def end_street(row: NDArray[np.int32]) -> None:
    """Begin the next street. With equal stacks every bet was called in full."""
    row[PUT] = row[PUT + 1] = 0
    row[FULL_RAISE] = BIG_BLIND
    row[STREET] += 1
    row[TO_ACT] = 1 - row[BUTTON]
    row[WAITS], row[WAITS + 1] = row[LEFT] > 0, row[LEFT + 1] > 0


@compiled
def moved_on(row: NDArray[np.int32]) -> bool:
    """Go on to the next real choice; whether the hand is over instead, after the last street."""
    while row[STREET] <= STREETS:
        seat = row[TO_ACT]
        if row[WAITS + seat]:
            if row[PUT + seat] < row[PUT + 1 - seat] or least_raise(row):
                return False
            row[WAITS + seat] = 0
        elif row[WAITS + 1 - seat]:
            row[TO_ACT] = 1 - seat
        else:
            end_street(row)
    return True


@compiled
def amount_of(row: NDArray[np.int32], action: int) -> int:
    """Chips that an action of the seat to act puts in; -1 where there is no such raise."""
    seat = row[TO_ACT]
    left = row[LEFT + seat]
    owed = min(max(row[PUT + 1 - seat] - row[PUT + seat], 0), left)
    if action == 1:
        return int(owed)
    least = least_raise(row)
    if least == 0:
        return -1
    pot = 2 * STACK - row[LEFT] - row[LEFT + 1] + owed
    if action == 2:
        return least
    amount = left
    if action == 3:
        amount = owed + pot // 2
    elif action == 4:
        amount = owed + pot
    elif action == 5:
        amount = owed + 2 * pot
    return int(amount) if least <= amount <= left else -1


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
        payoffs[table] = 0
        ended[table] = True
        if action == 0:
            won = row[LEFT + seat] - STACK
            payoffs[table, seat], payoffs[table, 1 - seat] = won, -won
            continue
        amount = amount_of(row, action)
        row[PUT + seat] += amount
        row[LEFT + seat] -= amount
        row[WAITS + seat] = 0
        raised = row[PUT + seat] - row[PUT + 1 - seat]
        if raised > 0:
            row[FULL_RAISE] = max(row[FULL_RAISE], raised)
            row[WAITS + 1 - seat] = row[LEFT + 1 - seat] > 0
        row[TO_ACT] = 1 - seat
        ended[table] = moved_on(row)
        if ended[table]:
            first, second = strength(cards[table], 0), strength(cards[table], 1)  # without a sign: they are compared
            won = (STACK - row[LEFT]) * (1 if first > second else -1 if first < second else 0)
            payoffs[table, 0], payoffs[table, 1] = won, -won


@compiled
def tell(state: State, cards: Cards, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> None:
    """Write what the seat to act of every table is told, and what it may do."""
    for table in range(len(state)):
        row, hand, told, mask = state[table], cards[table], observations[table], masks[table]
        seat = row[TO_ACT]
        other = 1 - seat
        told[:] = 0
        told[0], told[1], told[2] = row[STREET], row[LEFT + seat], 2 * STACK - row[LEFT] - row[LEFT + 1]
        least = least_raise(row)
        told[3], told[4], told[5] = amount_of(row, 1), least, row[LEFT + seat] if least else 0
        told[6], told[7], told[8], told[9] = row[LEFT + seat], row[LEFT + other], row[PUT + seat], row[PUT + other]
        told[10] = told[11] = 1
        told[12], told[13] = row[BUTTON] == seat, row[BUTTON] == other
        for number in range(2):
            told[FACE + hand[2 * seat + number]] = 1
        for number in range(BOARD, BOARD + (row[STREET] + 1 if row[STREET] > 1 else 0)):
            told[FACE + 52 + hand[number]] = 1
        mask[0] = 1
        for action in range(1, ACTIONS):
            mask[action] = amount_of(row, action) >= 0
