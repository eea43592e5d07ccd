"""Win rates of hole cards before the flop against one to nine others: ``python -m bots.train.preflop_win_rates``.

Boards are drawn by chance. On a board that a share ``s`` of all other hole cards is worse, ties half, ``k`` others with
any cards are beaten with the chance ``s ** k``; that they cannot hold the same cards is left out, which changes the
rates by about one in a hundred. The file that is written holds, class by class, 255ths of the rates by number of others.
A few seconds.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.preflop import CLASSES, RATES_PATH, RIVALS, class_cards
from protocol.cards import DECK
from protocol.games.kernels.holdem import BOARD, CARDS, PAIRS, percentiles_of

BOARDS, SEED = 40_000, 1
PARTS = 255


def classes_of_pairs() -> NDArray[np.int64]:
    """The class of each pair of cards, by the pair's number."""
    places = {card: index for index, card in enumerate(DECK)}
    found = np.zeros(PAIRS, np.int64)
    for index in range(CLASSES):
        for hole in class_cards(index):
            low, high = sorted(places[card] for card in hole)
            found[high * (high - 1) // 2 + low] = index
    return found


def percentiles(boards: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """By pair, the share of other pairs that are worse, on boards drawn by chance; -1 for pairs on the board."""
    rng, found = np.random.default_rng(seed), np.empty(PAIRS)
    for _ in range(boards):
        percentiles_of(rng.choice(CARDS, BOARD, replace=False).astype(np.int8), found)
        yield found


def win_rates(boards: int, seed: int) -> NDArray[np.float64]:
    """The win rates by class and number of others less one."""
    sums, counts = np.zeros((PAIRS, RIVALS)), np.zeros(PAIRS)
    for found in percentiles(boards, seed):
        free = found >= 0
        counts += free
        sums += np.where(free, found, 0.0)[:, None] ** np.arange(1, RIVALS + 1)
    of_pairs = classes_of_pairs()
    totals = np.stack([np.bincount(of_pairs, column, CLASSES) for column in sums.T], axis=1)
    shares: NDArray[np.float64] = totals / np.bincount(of_pairs, counts, CLASSES)[:, None]
    return shares


def main() -> None:
    """Write the file."""
    RATES_PATH.write_bytes(np.rint(win_rates(BOARDS, SEED) * PARTS).astype(np.uint8).tobytes())
    print(f"{RATES_PATH}: {RATES_PATH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
