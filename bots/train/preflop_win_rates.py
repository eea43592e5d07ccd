"""Win rates of hole cards before the flop against one to nine others: ``python -m bots.train.preflop_win_rates``.

Boards and the others' cards are dealt by chance. The file that is written holds, class by class, 255ths of the share of
the pot that is won, by number of others. A few seconds.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.preflop import CLASSES, RATES_PATH, RIVALS, class_cards
from protocol.cards import DECK
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import _SUIT_START, BOARD, CARDS, key_of, next_random, place_of, seeded

ROUNDS, SEED = 20_000, 1
PARTS = 255


@jit
def _win_rates(hole: Any, rounds: int, seed: Any) -> Any:
    """The share of the pot that two cards win against one to ``RIVALS`` others: float64 (RIVALS,)."""
    deck, unseen = np.empty(CARDS, np.int8), 0
    for card in range(CARDS):
        if card not in (hole[0], hole[1]):
            deck[unseen] = card
            unseen += 1
    won, state = np.zeros(RIVALS), seeded(seed)
    own = key_of(hole) - _SUIT_START
    for _ in range(rounds):
        for place in range(BOARD + 2 * RIVALS):
            state = next_random(state)
            other = place + np.int64(((state >> np.uint64(32)) * np.uint64(unseen - place)) >> np.uint64(32))
            deck[place], deck[other] = deck[other], deck[place]
        common = deck[:BOARD]
        shared = key_of(common)
        mine, sharing = place_of(shared + own, hole, common), 1
        for rival in range(RIVALS):
            theirs = deck[BOARD + 2 * rival : BOARD + 2 * rival + 2]
            strength = place_of(shared + key_of(theirs) - _SUIT_START, theirs, common)
            if strength > mine:
                break
            sharing += strength == mine
            won[rival] += 1 / sharing
    return won / rounds


def win_rates(rounds: int, seed: int) -> NDArray[np.float64]:
    """The win rates by class and number of others less one, from so many deals of each class."""
    rows = []
    for index in range(CLASSES):
        hole = np.array([DECK.index(card) for card in class_cards(index)[0]], np.int8)
        rows.append(_win_rates(hole, rounds, np.uint64(seed * CLASSES + index)))
    return np.array(rows)


def main() -> None:
    """Write the file."""
    RATES_PATH.write_bytes(np.rint(win_rates(ROUNDS, SEED) * PARTS).astype(np.uint8).tobytes())
    print(f"{RATES_PATH}: {RATES_PATH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
