"""The compiled kernels play by the rules: Blockhead move by move, and the strengths and roll-outs of hold'em."""

import math
from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import sqrt
from random import Random
from typing import Any

import numba
import numpy as np
import pytest

from bots.strategies.alpha import Alpha
from bots.strategies.balance import Balance
from bots.strategies.blockhead import turn_numbers
from bots.strategies.blockhead.near_equilibrium import PLACES
from bots.strategies.blockhead.near_equilibrium import READ_BIG as READ_BIG_AT_THE_TABLE
from bots.strategies.blockhead.policy import balance_policy
from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategy import Maker, Strategy
from protocol.cards import DECK, Card, parse_cards
from protocol.estimates.intervals import mean
from protocol.games import blockhead as rules
from protocol.games.base import Action, Bet, Settlement
from protocol.games.kernels import blockhead as kernel
from protocol.games.kernels.blockhead import (
    ALPHA,
    BALANCE,
    CALLER,
    FOLD,
    FOLDS_0,
    FOLDS_1,
    GAIN,
    KINDS,
    MANIAC,
    MOST_MOVES,
    NO_MOVE,
    POTS,
    deal_cards,
    draw_chance,
    new_chance,
    play_games,
    trace_hands,
)
from protocol.games.kernels.compiling import compiled, compiled_fast
from protocol.games.kernels.holdem import RANK_KEYS, STRENGTHS, Cards, rank_counts, roll_outs, strengths
from protocol.games.poker_strength import poker_strength

SEED = 11
TWINS: dict[int, Maker] = {ALPHA: Alpha, CALLER: Caller, MANIAC: Maniac, BALANCE: Balance}
POLICY = balance_policy()


class KernelChance(Random):
    """The kernel's own random numbers for a bot: what is drawn from it has to be drawn in the same order."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._state = new_chance(np.uint64(seed))

    def random(self) -> float:
        return draw_chance(self._state)


def values_of(deck: Sequence[Card]) -> list[int]:
    return [rules.card_value(card) for card in deck[: 2 * rules.CARDS]]


def play(
    hand: rules.BlockheadHand, strategies: Sequence[Strategy]
) -> tuple[list[int], rules.BlockheadHand, Settlement]:
    """The moves of a hand by the rules, and how it ends."""
    moves = []
    while (seat := hand.to_act) is not None:
        owed = hand.legal().to_call
        action = strategies[seat].decide(hand.view(seat))
        hand = hand.apply(action)
        moves.append(move_of(action, owed))
    settlement = hand.settle()
    for strategy, status in zip(strategies, settlement.statuses(), strict=True):
        strategy.hand_over(status)
    return moves, hand, settlement


def move_of(action: Action, owed: int) -> int:
    return action.amount - owed if isinstance(action, Bet) else FOLD


def game_by_the_rules(decks: Sequence[Sequence[Card]], strategies: Sequence[Strategy]) -> list[int]:
    """A row of ``play_games`` for a game on given decks."""
    match, row = rules.BlockheadGame(hands=len(decks)).start(2), [0] * 4
    for deck in decks:
        moves, _, settlement = play(match.deal(deck), strategies)
        carried = match.carried
        match = match.record(settlement)
        if moves[-1] == FOLD:
            row[FOLDS_0 if settlement.shares[1] else FOLDS_1] += 1
        row[POTS] += sum(settlement.shares) + settlement.carried
        assert carried % 2 == 0, "what tied players have put in is even"
    assert sum(match.stacks) == 2000
    row[GAIN] = match.stacks[0] - 1000
    return row


#: Every two strategies of the kernel, and pairs in which each of them plays.
PAIRS = list(combinations_with_replacement(KINDS.values(), 2))


@pytest.mark.parametrize("hands", [200, pytest.param(10_000, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kinds", PAIRS)
def test_hands_go_move_by_move_as_by_the_rules(kinds: tuple[int, int], hands: int) -> None:
    luck = Random(str(kinds))
    decks = [luck.sample(DECK, 52) for _ in range(hands)]
    openers = [luck.randrange(2) for _ in range(hands)]
    carried = [luck.choice((0, 0, 0, 20, 54, 100, 138, 300)) for _ in range(hands)]
    cards = np.array([values_of(deck) for deck in decks], np.int8)
    traces = trace_hands(kinds, cards, np.array(openers), np.array(carried), SEED, POLICY)
    chance = KernelChance(SEED)
    strategies = [TWINS[kind](chance) for kind in kinds]
    for deck, opener, pot, trace in zip(decks, openers, carried, traces, strict=True):
        moves, _, _ = play(rules.deal(deck, (1000, 1000), opener, carried=pot), strategies)
        assert moves == [move for move in trace.tolist() if move != NO_MOVE]


@pytest.mark.parametrize("kinds", [(ALPHA, ALPHA), (MANIAC, CALLER), (CALLER, ALPHA), (BALANCE, ALPHA)])
@pytest.mark.parametrize("hands", [20, 7])
def test_whole_games_end_as_by_the_rules(kinds: tuple[int, int], hands: int) -> None:
    luck = Random(4)
    decks = [[luck.sample(DECK, 52) for _ in range(hands)] for _ in range(100)]
    # ties are rare, so every fifth deck is made one: the two hands have cards of the same values
    for game in decks:
        for number in range(0, hands, 5):
            game[number] = tied_deck(luck)
        game[-1] = tied_deck(luck)
    cards = np.array([[values_of(deck) for deck in game] for game in decks], np.int8)
    chance = KernelChance(SEED)
    strategies = [TWINS[kind](chance) for kind in kinds]
    expected = [game_by_the_rules(game, strategies) for game in decks]
    assert play_games(*kinds, cards, SEED, POLICY).tolist() == expected


def tied_deck(luck: Random) -> list[Card]:
    """A deck whose first two hands are of the same ranks."""
    ranks = luck.sample(range(13), 5)
    first = [DECK[4 * rank] for rank in ranks]
    second = [DECK[4 * rank + 1] for rank in luck.sample(ranks, 5)]
    rest = [card for card in DECK if card not in (*first, *second)]
    return [*first, *second, *luck.sample(rest, 42)]


def test_the_numbers_of_the_rules_are_those_of_the_game() -> None:
    assert kernel.BUY_IN == rules.BUY_IN
    assert kernel.MAX_RAISE == rules.MAX_RAISE
    assert kernel.MAX_RAISES == rules.MAX_RAISES
    assert kernel.STREETS == rules.STREETS
    assert kernel.CARDS == rules.CARDS
    assert kernel.READ_BIG == READ_BIG_AT_THE_TABLE
    for name in ("KNOWN_BIG", "CLEAR_LEAD", "BEHIND", "LEVEL", "AHEAD"):
        assert getattr(kernel, name) == getattr(turn_numbers, name)
    deck = kernel.new_deck().tolist()
    assert sorted(deck) == sorted(map(rules.card_value, DECK))


def test_kernel_deals_evenly_from_one_deck() -> None:
    cards = deal_cards(1000, 20, seed=3)
    assert cards.shape == (1000, 20, 10)
    assert cards.dtype == np.int8
    hands = cards.reshape(-1, 10)
    for value in range(1, 11):
        copies = 16 if value == 10 else 4
        held = (hands == value).sum(axis=1)
        assert held.max() <= copies
        # each place shows the value in copies/52 of the hands, within five standard deviations
        share = copies / 52
        off = np.abs((hands == value).mean(axis=0) - share)
        assert off.max() < 5 * sqrt(share * (1 - share) / len(hands))
    assert np.array_equal(cards, deal_cards(1000, 20, seed=3))
    assert not np.array_equal(cards, deal_cards(1000, 20, seed=4))


def test_balance_is_even_against_itself_and_seeded() -> None:
    cards = deal_cards(10_000, 20, seed=6)
    first = play_games(BALANCE, BALANCE, cards, 1, POLICY)
    gain = mean(first[:, GAIN].tolist())
    assert gain is not None
    assert gain.low < 0 < gain.high
    assert np.array_equal(first, play_games(BALANCE, BALANCE, cards, 1, POLICY))
    assert not np.array_equal(first, play_games(BALANCE, BALANCE, cards, 2, POLICY))


def test_what_cannot_be_played_is_refused() -> None:
    cards = deal_cards(1, 20, seed=1)
    with pytest.raises(ValueError, match="cards are"):
        play_games(ALPHA, ALPHA, cards[0])
    with pytest.raises(ValueError, match="no kind of strategy"):
        play_games(ALPHA, 7, cards)
    with pytest.raises(ValueError, match="needs a policy"):
        play_games(BALANCE, ALPHA, cards)


@pytest.mark.parametrize("compile_one", [compiled, compiled_fast])
def test_kernels_compile_without_a_writable_cache(compile_one: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_it = numba.njit

    def njit(*, cache: bool = False, fastmath: bool) -> Any:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return compile_it(fastmath=fastmath)

    monkeypatch.setattr(numba, "njit", njit)
    assert compile_one(lambda one: one + 1)(1) == 2


def test_the_longest_hand_fits() -> None:
    """All check first, raise while they may, and call: five moves on each street."""
    weights = np.zeros((POLICY.weights.size // (40 * len(PLACES)), len(PLACES), 10, 4), np.uint8)
    for (_, raises), place in PLACES.items():
        weights[:, place, :, 3 if raises or place == PLACES[1, ()] else 1] = 1
        if len(raises) == kernel.MAX_RAISES:
            weights[:, place] = (0, 1, 0, 0)
    stubborn = POLICY._replace(weights=weights.reshape(-1))
    cards = deal_cards(1, 500, seed=9)[0]
    zeros = np.zeros(500, np.int64)
    traces = trace_hands((BALANCE, BALANCE), cards, zeros, zeros, policy=stubborn)
    assert (traces == [0, 10, 10, 10, 0] * kernel.STREETS).all()
    assert traces.shape == (500, MOST_MOVES)


# The compiled strengths and roll-outs of hold'em against the pure evaluator and known equities.


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
