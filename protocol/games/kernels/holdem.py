"""Hold'em, compiled: how strong seven cards are, by the million, and roll-outs between two players.

    places = strengths(cards)                    # int8 (n, 7) to uint16 (n,): the stronger cards have the larger place
    share = roll_outs(hole, board, 10_000, 1)    # the share of the pot that two cards win against any others

A card is its index in ``DECK``. A *place* numbers the different strengths of seven cards from 0 in their order, and
``STRENGTHS[place]`` is the strength that ``poker_strength`` gives.

Seven cards without a flush are worth what their ranks say. Each rank has a key, such that different ranks of seven
cards have different sums of keys, so a place is found by two look-ups: the sum without its last bits gives a row, and
the row says where in one table its last bits are counted from. Rows overlap where their entries leave room. In the
upper bits of the same sum each suit is counted; five or more of one suit are looked up by the set of their ranks.

Everything compiled is in this one file: numba's cache on disk notices no edit anywhere else.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from protocol.cards import DECK, Rank, Suit
from protocol.games.kernels.compiling import compiled
from protocol.games.poker_strength import poker_strength, strength_without_flush

Places = NDArray[np.uint16]
Cards = NDArray[np.int8]

#: Cards of a player and the board together.
SEVEN = 7
BOARD = 5
RANKS, SUITS, CARDS = len(Rank), len(Suit), len(DECK)
#: By rank from the two up: the smallest growing numbers of which all sums of seven, no number more than four times,
#: differ. A test adds them all up.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
#: Bits of a sum of rank keys, and those of them that are counted inside a row.
_KEY_BITS, _ROW_BITS = 23, 9
_KEY_MASK, _ROW_MASK = (1 << _KEY_BITS) - 1, (1 << _ROW_BITS) - 1
#: Suits are counted in four bits each, from 3, so that five cards of a suit set its highest bit.
_SUIT_START = sum(3 << (_KEY_BITS + 4 * suit) for suit in Suit)
_FLUSH_BITS = sum(8 << (_KEY_BITS + 4 * suit) for suit in Suit)


def rank_counts() -> Iterator[tuple[int, ...]]:
    """The ranks of seven cards, from the two (0) to the ace (12), in every way that one deck allows."""
    for ranks in combinations_with_replacement(range(RANKS), SEVEN):
        if all(ranks[place] != ranks[place + SUITS] for place in range(SEVEN - SUITS)):
            yield ranks


def _tables() -> tuple[NDArray[np.int64], NDArray[np.int32], Places, Places]:
    """The strengths by place, the start of each row, the table of all rows, and places of flushes by set of ranks."""
    lowest = int(Rank.TWO)  # a member of an enum takes longer to add
    by_key = {
        sum([RANK_KEYS[rank] for rank in ranks]): strength_without_flush([lowest + rank for rank in ranks])
        for ranks in rank_counts()
    }
    by_set = {}
    for ranks in range(1 << RANKS):
        if SUITS < ranks.bit_count() <= SEVEN:
            by_set[ranks] = poker_strength([DECK[SUITS * rank] for rank in range(RANKS) if ranks >> rank & 1])
    ordered = np.array(sorted({*by_key.values(), *by_set.values()}), np.int64)
    flushes = np.zeros(1 << RANKS, np.uint16)
    flushes[list(by_set)] = np.searchsorted(ordered, list(by_set.values()))
    rows, table = _overlaid(np.array(list(by_key)), np.searchsorted(ordered, list(by_key.values())))
    return ordered, rows, table, flushes


def _overlaid(keys: NDArray[np.int64], places: NDArray[np.int64]) -> tuple[NDArray[np.int32], Places]:
    """The start of each row and the one table in which ``keys`` find their ``places``."""
    row_of = keys >> _ROW_BITS
    sizes = np.bincount(row_of)
    order = np.lexsort((keys, -sizes[row_of]))  # the fullest rows first, each from its least key
    found = _overlay(row_of[order], (keys & _ROW_MASK)[order], np.zeros(4 * len(keys), np.bool_))
    starts = np.zeros(len(sizes), np.int32)
    starts[row_of[order]] = found
    table = np.zeros(int((found + (keys & _ROW_MASK)[order]).max()) + 1, np.uint16)
    table[found + (keys & _ROW_MASK)[order]] = places[order]
    return starts, table


@compiled
def _overlay(rows: NDArray[np.int64], inside: NDArray[np.int64], taken: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The start of each entry's row, such that no two entries meet; entries of a row stand together.

    Rows come the fullest first. Each is tried from where the row before it fitted, or from 0 if that was fuller.
    """
    starts = np.empty(len(rows), np.int64)
    first = start = entries = 0
    while first < len(rows):
        end = first
        while end < len(rows) and rows[end] == rows[first]:
            end += 1
        if end - first != entries:
            start, entries = 0, end - first
        number, fitting = first, 0
        while fitting < entries:
            if taken[start + inside[number]]:
                start += 1
                fitting = 0
            else:
                fitting += 1
                number = number + 1 if number + 1 < end else first
        for number in range(first, end):
            starts[number] = start
            taken[start + inside[number]] = True
        first = end
    return starts


STRENGTHS, _ROWS, _TABLE, _FLUSHES = _tables()
#: What each card adds to a sum.
_CARD_KEYS = np.array(
    [RANK_KEYS[card.rank - Rank.TWO] + (1 << (_KEY_BITS + SUITS * card.suit)) for card in DECK], np.int64
)


@compiled
def key_of(cards: Cards) -> int:
    """The sum of some cards' keys; the sums of two sets of cards add up, less one ``_SUIT_START``."""
    key = _SUIT_START
    for card in cards:
        key += _CARD_KEYS[card]
    return key


@compiled
def flush_place(key: int, first: Cards, second: Cards) -> int:
    """The place of seven cards, in two parts, of which at least five have the same suit."""
    suit = 0
    while not key >> (_KEY_BITS + 4 * suit) & 8:
        suit += 1
    ranks = 0
    for card in first:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    for card in second:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return int(_FLUSHES[ranks])


@compiled
def place_of(key: int, first: Cards, second: Cards) -> int:
    """The place of seven cards, in two parts, whose keys add up to ``key``."""
    if key & _FLUSH_BITS:
        return flush_place(key, first, second)
    ranks = key & _KEY_MASK
    return int(_TABLE[_ROWS[ranks >> _ROW_BITS] + (ranks & _ROW_MASK)])


@compiled
def strengths_of(cards: Cards) -> Places:
    """The kernel of ``strengths``, which checks the shape."""
    places = np.empty(len(cards), np.uint16)
    for number in range(len(cards)):
        seven = cards[number]
        places[number] = place_of(key_of(seven), seven[:2], seven[2:])
    return places


def strengths(cards: Cards) -> Places:
    """The places of seven cards each: uint16 (n,).

    Args:
        cards: int8 (n, 7), seven different cards in each row.

    Raises:
        ValueError: ``cards`` has another shape.
    """
    if cards.ndim != 2 or cards.shape[1] != SEVEN:
        raise ValueError(f"cards are (n, {SEVEN}), got {cards.shape}")
    return strengths_of(cards)


@compiled
def next_random(state: np.uint64) -> np.uint64:
    """The next state of the generator (xorshift, 64 bits), never 0; its upper bits are the random number."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@compiled
def seeded(seed: np.uint64) -> np.uint64:
    """A state of the generator, never 0, that differs in most bits for near seeds."""
    state = (seed + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    return (state ^ (state >> np.uint64(31))) | np.uint64(1)


@compiled
def roll_out_pairs(hole: Cards, board: Cards, rounds: int, seed: np.uint64) -> float:
    """The kernel of ``roll_outs``, which checks the shapes."""
    deck = np.empty(CARDS, np.int8)
    unseen = 0
    for card in range(CARDS):
        known = False
        for other in hole:
            known |= other == card
        for other in board:
            known |= other == card
        if not known:
            deck[unseen] = card
            unseen += 1
    common = np.empty(BOARD, np.int8)
    common[: len(board)] = board
    theirs = np.empty(2, np.int8)
    own_key = key_of(hole) - _SUIT_START
    missing = BOARD - len(board)
    state = seeded(seed)
    won = 0
    for _ in range(rounds):
        for number in range(missing + 2):
            state = next_random(state)
            other = number + np.int64(((state >> np.uint64(32)) * np.uint64(unseen - number)) >> np.uint64(32))
            deck[number], deck[other] = deck[other], deck[number]
            if number < missing:
                common[len(board) + number] = deck[number]
            else:
                theirs[number - missing] = deck[number]
        common_key = key_of(common)
        mine = place_of(common_key + own_key, hole, common)
        other_place = place_of(common_key + key_of(theirs) - _SUIT_START, theirs, common)
        won += 2 * (mine > other_place) + (mine == other_place)
    return won / (2 * rounds)


def roll_outs(hole: Cards, board: Cards, rounds: int, seed: int) -> float:
    """The share of the pot, from 0 to 1, that two cards win against two of the others, all unseen cards by chance.

    Args:
        hole: int8 (2,).
        board: int8 (0,) to (5,).
        rounds: how often the unseen cards are dealt, at least once.
        seed: the same one deals the same cards.

    Raises:
        ValueError: wrong numbers of cards or rounds.
    """
    if hole.shape != (2,) or board.ndim != 1 or len(board) > BOARD or rounds < 1:
        raise ValueError(f"expected 2 hole cards, at most 5 on the board and a round, got {hole}, {board}, {rounds}")
    return float(roll_out_pairs(hole, board, rounds, np.uint64(seed % 2**64)))


#: Pairs of cards: the pair of cards ``a < b`` has the number ``b (b - 1) / 2 + a``.
PAIRS = CARDS * (CARDS - 1) // 2


@compiled
def percentiles_of(board: Cards, percentiles: NDArray[np.float64]) -> None:
    """Fill in, by pair, the part of all pairs off the board that are weaker, ties half; -1 for pairs on the board.

    Args:
        board: int8 (5,).
        percentiles: float64 (PAIRS,), written.
    """
    places = np.full(PAIRS, -1, np.int64)
    counts = np.zeros(len(STRENGTHS) + 1, np.int64)
    on_board = np.zeros(CARDS, np.bool_)
    for card in board:
        on_board[card] = True
    common = key_of(board)
    pair = np.empty(2, np.int8)
    number = 0
    for second in range(1, CARDS):
        for first in range(second):
            if not (on_board[first] or on_board[second]):
                pair[0], pair[1] = first, second
                place = place_of(common + _CARD_KEYS[first] + _CARD_KEYS[second], pair, board)
                places[number] = place
                counts[place + 1] += 1
            number += 1
    for place in range(len(STRENGTHS)):
        counts[place + 1] += counts[place]
    total = 2 * counts[-1]
    for number in range(PAIRS):
        place = places[number]
        percentiles[number] = (counts[place] + counts[place + 1]) / total if place >= 0 else -1.0


@compiled
def mean_percentiles(board: Cards, rounds: int, seed: np.uint64) -> NDArray[np.float64]:
    """Means over the cards to come of each pair's percentile on the river, and of its square: float64 (PAIRS, 2).

    Args:
        board: int8 (3,) to (5,); from the turn on, all rivers are dealt.
        rounds: how often turn and river are dealt on the flop.
        seed: of these cards.
    """
    sums = np.zeros((PAIRS, 3), np.float64)
    percentiles = np.empty(PAIRS, np.float64)
    full = np.empty(BOARD, np.int8)
    full[: len(board)] = board
    state = seeded(seed)
    for number in range(rounds if len(board) < 4 else CARDS if len(board) == 4 else 1):
        for place in range(len(board), BOARD):
            if len(board) == 4:
                full[place] = number
                continue
            fresh = False
            while not fresh:
                state = next_random(state)
                full[place] = np.int64(((state >> np.uint64(32)) * np.uint64(CARDS)) >> np.uint64(32))
                fresh = not (full[:place] == full[place]).any()
        if len(board) == 4 and (board == full[4]).any():
            continue
        percentiles_of(full, percentiles)
        for pair in range(PAIRS):
            value = percentiles[pair]
            if value >= 0:
                sums[pair, 0] += value
                sums[pair, 1] += value * value
                sums[pair, 2] += 1
    for pair in range(PAIRS):
        if sums[pair, 2]:
            sums[pair] /= sums[pair, 2]
    return sums[:, :2]
