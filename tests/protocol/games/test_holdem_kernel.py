"""The compiled strengths and roll-outs of hold'em against the pure evaluator and known equities."""

import math
from random import Random

import numpy as np
import pytest

from protocol.cards import DECK, parse_cards
from protocol.games.kernels.holdem import RANK_KEYS, STRENGTHS, Cards, rank_counts, roll_outs, strengths
from protocol.games.poker_strength import poker_strength

ROUNDS = 100_000
NO_BOARD = np.zeros(0, np.int8)


def indices(text: str) -> Cards:
    return np.array([DECK.index(card) for card in parse_cards(text)], np.int8)


def random_sevens(count: int) -> Cards:
    rng = np.random.default_rng(7)
    return rng.permuted(np.tile(np.arange(52, dtype=np.int8), (count, 1)), axis=1)[:, :7].copy()


def strengths_in_words(cards: Cards) -> list[int]:
    return [poker_strength([DECK[card] for card in seven]) for seven in cards]


def test_random_cards_have_the_strength_of_the_pure_evaluator() -> None:
    cards = random_sevens(20_000)
    assert STRENGTHS[strengths(cards)].tolist() == strengths_in_words(cards)


def test_cards_of_one_suit_have_the_strength_of_the_pure_evaluator() -> None:
    rng = Random(3)
    cards = np.array(
        [
            [*rng.sample(range(suit, 52, 4), of_suit), *rng.sample(range((suit + 1) % 4, 52, 4), 7 - of_suit)]
            for suit in range(4)
            for of_suit in (5, 6, 7)
            for _ in range(200)
        ],
        np.int8,
    )
    assert STRENGTHS[strengths(cards)].tolist() == strengths_in_words(cards)


def test_different_ranks_have_different_sums_of_keys() -> None:
    sums = [sum(RANK_KEYS[rank] for rank in ranks) for ranks in rank_counts()]
    assert len(sums) == len(set(sums)) == 49_205


def test_seven_cards_have_all_their_strengths() -> None:
    assert len(STRENGTHS) == 4_824
    assert (np.diff(STRENGTHS) > 0).all()


@pytest.mark.parametrize(
    ("hole", "equity"),
    [("AS AH", 0.8520), ("KS KH", 0.8240), ("AS KS", 0.6705), ("7S 2H", 0.3458), ("2C 2D", 0.5033)],
)
def test_equity_before_the_flop_is_the_known_one(hole: str, equity: float) -> None:
    share = roll_outs(indices(hole), NO_BOARD, ROUNDS, 2026)
    assert abs(share - equity) < 4 * math.sqrt(equity * (1 - equity) / ROUNDS)


def test_equity_on_the_river_is_that_of_all_other_hands() -> None:
    hole, board = indices("AS KD"), indices("AH 7C 7D 9S 2C")
    mine = poker_strength([DECK[card] for card in (*hole, *board)])
    unseen = sorted(set(range(52)) - {*hole.tolist(), *board.tolist()})
    pairs = [(first, second) for first in unseen for second in unseen if first < second]
    shares = []
    for pair in pairs:
        theirs = poker_strength([DECK[card] for card in (*pair, *board)])
        shares.append(0.5 * (1 + (mine > theirs) - (mine < theirs)))
    equity = sum(shares) / len(pairs)
    share = roll_outs(hole, board, ROUNDS, 5)
    assert abs(share - equity) < 4 * math.sqrt(equity * (1 - equity) / ROUNDS)


def test_same_seed_deals_the_same_cards() -> None:
    hole = indices("QS JS")
    assert roll_outs(hole, NO_BOARD, 500, 1) == roll_outs(hole, NO_BOARD, 500, 1)
    assert roll_outs(hole, NO_BOARD, 500, 1) != roll_outs(hole, NO_BOARD, 500, 2)


def test_wrong_numbers_of_cards_are_refused() -> None:
    with pytest.raises(ValueError, match=r"cards are \(n, 7\), got \(2, 6\)"):
        strengths(np.zeros((2, 6), np.int8))
    with pytest.raises(ValueError, match="expected 2 hole cards"):
        roll_outs(indices("QS JS 2C"), NO_BOARD, 10, 1)
