"""Exact equities of hole cards that are all in before the flop: ``python -m bots.train.preflop_equities``.

There are 169 classes: 13 pairs, 78 suited and 78 unsuited. All boards are dealt; boards that differ by a change of
suits only are dealt once and weighted. Strengths are those of the rules (a test compares them).

The file that is written, ``preflop_equities.bin.xz``, holds for each pair of classes (first <= second, in the order of
``class_cards``) how many pots the first class wins, ties counted half, times two, as eight bytes, little-endian; summed
over all boards and over all pairs of hole cards of the two classes that have no card in common.
"""

import lzma
import sys
from itertools import combinations
from typing import Any

import numpy as np

from bots.strategies.holdem.preflop import CLASSES, PATH, class_cards
from bots.train.compiling import jit

#: The highest bits of a set of ranks, by how many are kept, and the top of its best straight.
_RANKS = 13
_SETS = 1 << _RANKS


def _highest(ranks: int, count: int) -> int:
    while ranks.bit_count() > count:
        ranks &= ranks - 1
    return ranks


def _straight(ranks: int) -> int:
    with_low_ace = ranks << 1 | ranks >> 12
    return max([top for top in range(4, 14) if with_low_ace >> (top - 4) & 31 == 31], default=0)


HIGHEST = np.array([[_highest(ranks, count) for ranks in range(_SETS)] for count in range(6)], dtype=np.int32)
STRAIGHTS = np.array([_straight(ranks) for ranks in range(_SETS)], dtype=np.int32)
COUNTS = np.array([ranks.bit_count() for ranks in range(_SETS)], dtype=np.int8)


@jit
def strength(first: int, second: int, third: int, fourth: int, highest: Any, straights: Any, counts: Any) -> int:
    """The strength of seven cards, given as a set of ranks (bit 0 the two) for each suit; the stronger has the larger.

    The category lies above bit 26, then the ranks that name it, then the other cards.
    """
    for suit in (first, second, third, fourth):
        if counts[suit] >= 5:
            return (8 << 26) + straights[suit] if straights[suit] else (5 << 26) + highest[5, suit]
    ranks = first | second | third | fourth
    twice = (first & second) | (third & fourth) | ((first | second) & (third | fourth))
    thrice = (first & second & (third | fourth)) | (third & fourth & (first | second))
    four = first & second & third & fourth
    if four:
        return (7 << 26) + (four << 13) + highest[1, ranks & ~four]
    if thrice and counts[twice] > 1:
        three = highest[1, thrice]
        return (6 << 26) + (three << 13) + highest[1, twice & ~three]
    if straights[ranks]:
        return (4 << 26) + straights[ranks]
    if thrice:
        return (3 << 26) + (thrice << 13) + highest[2, ranks & ~thrice]
    if counts[twice] > 1:
        pairs = highest[2, twice]
        return (2 << 26) + (pairs << 13) + highest[1, ranks & ~pairs]
    if twice:
        return (1 << 26) + (twice << 13) + highest[3, ranks & ~twice]
    return highest[5, ranks]


@jit
def _add_board(
    board: Any, weight: int, masks: Any, bounds: Any, won: Any, highest: Any, straights: Any, counts: Any
) -> None:
    """Compare all hole cards on one board, and add what each class wins from each other.

    Args:
        board: the set of ranks of each suit.
        weight: for how many boards it stands.
        masks: the set of ranks of each suit of all 1,326 hole cards, class by class.
        bounds: where each class begins.
        won: by class and class, two for a pot won and one for a tie; added to.
        highest, straights, counts: the tables of this module.
    """
    hands = np.empty(len(masks), np.int32)
    cards = np.empty(len(masks), np.int64)
    starts = np.empty(len(bounds), np.int64)
    size = 0
    on_board = board[0] | board[1] << 13 | board[2] << 26 | board[3] << 39
    for index in range(len(bounds) - 1):
        starts[index] = size
        for hand in range(bounds[index], bounds[index + 1]):
            clubs, diamonds, hearts, spades = masks[hand, 0], masks[hand, 1], masks[hand, 2], masks[hand, 3]
            bits = clubs | diamonds << 13 | hearts << 26 | spades << 39
            if bits & on_board:
                continue
            hands[size] = strength(
                clubs | board[0],
                diamonds | board[1],
                hearts | board[2],
                spades | board[3],
                highest,
                straights,
                counts,
            )
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
def _add_boards(
    boards: Any, weights: Any, masks: Any, bounds: Any, won: Any, highest: Any, straights: Any, counts: Any
) -> None:
    for index in range(len(boards)):
        _add_board(boards[index], weights[index], masks, bounds, won, highest, straights, counts)


def canonical_boards() -> dict[tuple[int, ...], int]:
    """Boards that no change of suits makes equal, as sorted sets of ranks of each suit, each with how many it stands
    for."""
    found: dict[tuple[int, ...], int] = {}
    for board in combinations(range(52), 5):
        suits = [0, 0, 0, 0]
        for card in board:
            suits[card & 3] |= 1 << (card >> 2)
        key = tuple(sorted(suits))
        found[key] = found.get(key, 0) + 1
    return found


def hole_card_masks() -> tuple[Any, Any]:
    """The set of ranks of each suit of all 1,326 hole cards, and where each class begins in it."""
    masks, bounds = [], [0]
    for index in range(CLASSES):
        for hole in class_cards(index):
            suits = [0, 0, 0, 0]
            for rank, suit, _ in hole:
                suits[suit] |= 1 << (rank - 2)
            masks.append(suits)
        bounds.append(len(masks))
    return np.array(masks, dtype=np.int64), np.array(bounds, dtype=np.int64)


def main() -> None:
    """Deal all boards, and write the table."""
    boards = canonical_boards()
    keys = np.array(list(boards), dtype=np.int64)
    weights = np.array(list(boards.values()), dtype=np.int64)
    masks, bounds = hole_card_masks()
    won = np.zeros((CLASSES, CLASSES), dtype=np.int64)
    block = 2000
    for start in range(0, len(keys), block):
        part = slice(start, start + block)
        _add_boards(keys[part], weights[part], masks, bounds, won, HIGHEST, STRAIGHTS, COUNTS)
        print(f"\r{min(start + block, len(keys)):,} of {len(keys):,} boards", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    upper = won[np.triu_indices(CLASSES)].astype("<i8")
    PATH.write_bytes(lzma.compress(upper.tobytes(), preset=9))
    print(f"wrote {PATH.stat().st_size:,} bytes to {PATH.name}")


if __name__ == "__main__":
    main()
