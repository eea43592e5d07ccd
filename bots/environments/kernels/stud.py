"""Three-card stud for two at many tables, compiled: single hands with equal stacks.

The rules are those of the first hand of ``StudGame()``, and the observation is that of ``StudEncoding(2)``. Compiled
code knows no names of other files, so their numbers are written here again.
"""

import numpy as np
from numpy.typing import NDArray

from bots.environments.kernels.dealing import Cards, draw_hand
from protocol.games.kernels.compiling import compiled

State = NDArray[np.int32]

GAME = "stud"
STACK, ANTE, MAX_RAISE, SPADES = 500, 1, 10, 3
#: Of a seat; and of a hand.
OWN, CARDS = 3, 6

#: Columns of the state: who acts, who opened the street, the street, chips left by seat, chips put in on this street by
#: seat, and how often a seat has acted on it.
TO_ACT, OPENER, STREET, LEFT, PUT, ACTS = 0, 1, 2, 3, 5, 7
FIELDS = 8

ACTIONS = 12
#: Where cards begin in an observation.
FACE = 4
SIZE = FACE + 3 * 52


@compiled
def opener(cards: Cards, street: int) -> int:
    """The seat with the highest up card; suits break ties, as cards order."""
    best, highest = 0, -1
    for seat in range(2):
        for number in range(OWN * seat + 1, OWN * seat + 1 + street):
            if cards[number] > highest:
                best, highest = seat, cards[number]
    return best


@compiled
def deal(state: State, cards: Cards, dealt: NDArray[np.bool_], deck: Cards, chance: NDArray[np.uint64]) -> None:
    """Begin a hand at each table of ``dealt``."""
    for table in range(len(state)):
        if dealt[table]:
            draw_hand(deck, cards[table], chance)
            row = state[table]
            row[:] = 0
            row[OPENER] = row[TO_ACT] = opener(cards[table], 1)
            row[STREET] = 1
            row[LEFT] = row[LEFT + 1] = STACK - ANTE


@compiled
def strength(cards: Cards, seat: int) -> int:
    """How strong a seat's three cards are."""
    first, second, third = cards[OWN * seat] // 4, cards[OWN * seat + 1] // 4, cards[OWN * seat + 2] // 4
    high, low = max(first, second, third), min(first, second, third)
    middle = first + second + third - high - low
    kind = 0
    if high == low:
        kind = 2
    elif middle in (high, low):
        kind, high, low = 1, middle, high + low - middle
    return int(((kind * 16 + high) * 16 + middle) * 16 + low)


@compiled
def share(row: NDArray[np.int32], cards: Cards) -> int:
    """Chips that seat 0 collects at a showdown."""
    pot = 2 * STACK - row[LEFT] - row[LEFT + 1]
    first, second = cards[0], cards[OWN]
    own_spade = first if first & 3 == SPADES else -1
    other_spade = second if second & 3 == SPADES else -1
    half = pot // 2 if max(own_spade, other_spade) >= 0 else 0
    collected = half if own_spade > other_spade else 0
    rest = pot - half
    odd = rest % 2 if row[OPENER] == 0 else 0  # the odd chip goes to the seat that opened
    difference = strength(cards, 0) - strength(cards, 1)
    won = rest if difference > 0 else 0 if difference < 0 else rest // 2 + odd
    return int(collected + won)


@compiled
def moved_on(row: NDArray[np.int32], cards: Cards) -> bool:
    """Go on to the next real choice; whether it comes to a showdown instead. Equal stacks can pay every raise."""
    while True:
        seat = row[TO_ACT]
        owed = row[PUT + 1 - seat] - row[PUT + seat]
        if row[ACTS] >= 2 and owed == 0:
            if row[STREET] == 2:
                return True
            row[STREET] = 2
            row[PUT] = row[PUT + 1] = row[ACTS] = 0
            row[OPENER] = row[TO_ACT] = opener(cards, 2)
        elif row[LEFT + seat]:
            return False
        else:
            row[ACTS] += 1
            row[TO_ACT] = 1 - seat


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
            payoffs[table, seat] = row[LEFT + seat] - STACK
            payoffs[table, 1 - seat] = -payoffs[table, seat]
            continue
        amount = row[PUT + 1 - seat] - row[PUT + seat] + action - 1
        row[PUT + seat] += amount
        row[LEFT + seat] -= amount
        row[ACTS] += 1
        row[TO_ACT] = 1 - seat
        ended[table] = moved_on(row, cards[table])
        if ended[table]:
            payoffs[table, 0] = row[LEFT] + share(row, cards[table]) - STACK
            payoffs[table, 1] = -payoffs[table, 0]


@compiled
def tell(state: State, cards: Cards, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> None:
    """Write what the seat to act of every table is told, and what it may do."""
    for table in range(len(state)):
        row, hand, told, mask = state[table], cards[table], observations[table], masks[table]
        seat = row[TO_ACT]
        left, owed = row[LEFT + seat], row[PUT + 1 - seat] - row[PUT + seat]
        told[:] = 0
        told[0], told[1], told[2], told[3] = row[STREET], left, 2 * STACK - row[LEFT] - row[LEFT + 1], owed
        told[FACE + hand[OWN * seat]] = 1
        for number in range(1, 1 + row[STREET]):
            told[FACE + 52 + hand[OWN * seat + number]] = 1
            told[FACE + 104 + hand[OWN * (1 - seat) + number]] = 1
        mask[0] = mask[1] = 1
        for raised in range(1, MAX_RAISE + 1):
            mask[1 + raised] = owed + raised <= left
