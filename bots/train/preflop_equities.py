"""Exact equities of hole cards that are all in before the flop: ``python -m bots.train.preflop_equities``.

There are 169 classes: 13 pairs, 78 suited and 78 unsuited. All boards are dealt; boards that differ by a change of
suits only are dealt once and weighted.

The file that is written, ``preflop_equities.bin.xz``, holds for each pair of classes (first <= second, in the order of
``class_cards``) how many pots the first class wins, ties counted half, times two, as eight bytes, little-endian; summed
over all boards and over all pairs of hole cards of the two classes that have no card in common.
"""

import lzma
import sys
from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np

from bots.strategies.holdem.preflop import CLASSES, PATH, class_cards
from protocol.cards import DECK
from protocol.games.kernels.compiling import jit
from protocol.games.kernels.holdem import _SUIT_START, BOARD, key_of, place_of


@jit
def _add_board(board: Any, weight: int, holes: Any, bounds: Any, won: Any) -> None:
    """Compare all hole cards on one board, and add what each class wins from each other.

    Args:
        board: five cards, by index in ``DECK``.
        weight: for how many boards it stands.
        holes: all 1,326 hole cards, class by class.
        bounds: where each class begins.
        won: by class and class, two for a pot won and one for a tie; added to.
    """
    hands = np.empty(len(holes), np.int32)
    cards = np.empty(len(holes), np.int64)
    starts = np.empty(len(bounds), np.int64)
    size, on_board, shared = 0, 0, key_of(board)
    for card in board:
        on_board |= 1 << card
    for index in range(len(bounds) - 1):
        starts[index] = size
        for hand in range(bounds[index], bounds[index + 1]):
            hole = holes[hand]
            bits = 1 << hole[0] | 1 << hole[1]
            if not bits & on_board:
                hands[size] = place_of(shared + key_of(hole) - _SUIT_START, hole, board)
                cards[size] = bits
                size += 1
    starts[len(bounds) - 1] = size
    for one in range(len(bounds) - 1):
        for other in range(one, len(bounds) - 1):
            total = 0
            for mine in range(starts[one], starts[one + 1]):
                hand, bits = hands[mine], cards[mine]
                for theirs in range(starts[other], starts[other + 1]):
                    apart = (bits & cards[theirs]) == 0
                    total += apart * ((hand > hands[theirs]) * 2 + (hand == hands[theirs]))
            won[one, other] += total * weight


@jit
def _add_boards(boards: Any, weights: Any, holes: Any, bounds: Any, won: Any) -> None:
    for index in range(len(boards)):
        _add_board(boards[index], weights[index], holes, bounds, won)


def canonical_boards() -> dict[tuple[int, ...], int]:
    """Boards that no change of suits makes equal, by index in ``DECK``, each with how many it stands for."""
    found: Counter[tuple[int, ...]] = Counter()
    for board in combinations(range(len(DECK)), BOARD):
        suits = sorted(tuple(card >> 2 for card in board if card & 3 == suit) for suit in range(4))
        found[tuple(rank << 2 | suit for suit, ranks in enumerate(suits) for rank in ranks)] += 1
    return found


def all_hole_cards() -> tuple[Any, Any]:
    """All 1,326 hole cards class by class, by index in ``DECK``, and where each class begins."""
    holes, bounds = [], [0]
    for index in range(CLASSES):
        holes += [[DECK.index(card) for card in hole] for hole in class_cards(index)]
        bounds.append(len(holes))
    return np.array(holes, np.int8), np.array(bounds)


def main() -> None:
    """Deal all boards, and write the table."""
    boards = canonical_boards()
    keys, weights = np.array(list(boards), np.int8), np.array(list(boards.values()))
    holes, bounds = all_hole_cards()
    won = np.zeros((CLASSES, CLASSES), dtype=np.int64)
    block = 2000
    for start in range(0, len(keys), block):
        part = slice(start, start + block)
        _add_boards(keys[part], weights[part], holes, bounds, won)
        print(f"\r{min(start + block, len(keys)):,} of {len(keys):,} boards", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    upper = won[np.triu_indices(CLASSES)].astype("<i8")
    PATH.write_bytes(lzma.compress(upper.tobytes(), preset=9))
    print(f"wrote {PATH.stat().st_size:,} bytes to {PATH.name}")


if __name__ == "__main__":
    main()
