"""Compiled tables play by the rules, step by step, and say what is wrong with an action."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bots.environments.encoding import CALL_ACTION, FOLD_ACTION, mask_of, observe
from bots.environments.vector import GAMES, VectorTables
from protocol.cards import DECK
from protocol.games import blockhead, holdem_deal, stud
from protocol.games.base import Hand, IllegalAction
from protocol.games.holdem import HoldemGame
from protocol.games.registry import load_game

TABLES = 48
STEPS = 250
MORE = pytest.mark.parametrize("seed", [1, *[pytest.param(seed, marks=pytest.mark.heavy) for seed in range(2, 12)]])


def deal_by_the_rules(game: str, cards: NDArray[np.int8], to_act: int) -> Hand:
    """The hand that a compiled table has dealt, whose first seat to act is that of its opener or button."""
    first = [DECK[card] for card in cards]
    deck = (*first, *[card for card in DECK if card not in first])
    stack = load_game(game)().stack
    if game == "stud":
        return stud.deal(deck, (stack, stack))
    if game == "blockhead":
        return blockhead.deal(deck, (stack, stack), to_act, last=True)
    rules = HoldemGame()
    blinds = (rules.small_blind, rules.big_blind) if to_act == 0 else (rules.big_blind, rules.small_blind)
    return holdem_deal.deal(deck, (stack, stack), rules.bets, button=to_act, blinds=blinds)


def random_actions(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """Legal actions: at half of the tables folds are rare, so that hands come to a showdown."""
    weights = chance.random(masks.shape) * masks
    weights[::2, FOLD_ACTION] *= 0.3
    weights[1::2, CALL_ACTION] *= 3
    weights[::8, -1] *= 30  # the largest raise, until stacks are gone
    return np.asarray(weights.argmax(axis=1))


@MORE
@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_that_of_the_rules(game: str, seed: int) -> None:
    tables = VectorTables(game, TABLES, seed)
    encoding, chance = tables.encoding, np.random.default_rng(seed)
    hands = [deal_by_the_rules(game, tables.cards[table], tables.to_act[table]) for table in range(TABLES)]
    ended_hands, showdowns = 0, 0
    for _ in range(STEPS):
        for table, hand in enumerate(hands):
            seat = hand.to_act
            assert seat is not None
            assert seat == tables.to_act[table]
            turn = hand.view(seat)
            np.testing.assert_array_equal(tables.observations[table], observe(encoding, turn, seat))
            np.testing.assert_array_equal(tables.masks[table], mask_of(encoding.choices(turn)))
        actions = random_actions(tables.masks, chance)
        chosen: list[Any] = [
            encoding.choices(hand.view(hand.to_act or 0))[action] for hand, action in zip(hands, actions, strict=True)
        ]
        hands = [hand.apply(action) for hand, action in zip(hands, chosen, strict=True)]
        _, _, payoffs, ended = tables.step(actions)
        for table, hand in enumerate(hands):
            assert ended[table] == (hand.to_act is None)
            settled = hand.settle().payoffs if ended[table] else (0, 0)
            assert tuple(payoffs[table]) == settled
            if ended[table]:
                ended_hands += 1
                showdowns += len(hand.live) > 1
                hands[table] = deal_by_the_rules(game, tables.cards[table], tables.to_act[table])
    assert showdowns > 100
    assert ended_hands - showdowns > 100


@pytest.mark.parametrize("game", GAMES)
def test_same_seed_deals_the_same_cards(game: str) -> None:
    one, other = VectorTables(game, 8, seed=5), VectorTables(game, 8, seed=6)
    assert not np.array_equal(one.cards, other.cards)
    one.step(np.ones(8, np.int8))
    observations, masks = one.reset(6)
    np.testing.assert_array_equal(one.cards, other.cards)
    np.testing.assert_array_equal(observations, other.observations)
    np.testing.assert_array_equal(masks, other.masks)


def test_cards_are_dealt_evenly() -> None:
    tables = VectorTables("blockhead", 5000, seed=3)
    counts = np.zeros(len(DECK))
    for _ in range(20):
        counts += np.bincount(tables.cards.ravel(), minlength=len(DECK))
        tables.reset()
        assert all(len(set(hand)) == len(hand) for hand in tables.cards[:50].tolist())
    expected = counts.sum() / len(DECK)
    # the sum is distributed as chi-squared with 51 degrees of freedom, which has 5 times its standard deviation at 102
    assert ((counts - expected) ** 2 / expected).sum() < 102


def test_each_seat_opens_half_of_the_hands() -> None:
    tables = VectorTables("holdem", 100, seed=3)
    assert tables.to_act.sum() == 50
    before = tables.to_act.copy()
    tables.step(np.full(100, FOLD_ACTION))
    np.testing.assert_array_equal(tables.to_act, 1 - before)


def test_illegal_actions_are_named_and_change_nothing() -> None:
    tables = VectorTables("blockhead", 3, seed=1)
    before = tables.observations.copy()
    with pytest.raises(IllegalAction, match=r"^table 1: action 0 \(fold\) is not legal now; legal are 1 \(check or"):
        tables.step(np.array([1, 0, 1]))
    with pytest.raises(IllegalAction, match=r"^table 2: action 12 is not legal now"):
        tables.step(np.array([1, 1, 12]))
    np.testing.assert_array_equal(tables.observations, before)


def test_what_cannot_be_played_so() -> None:
    for actions in (np.ones(2, np.int64), np.ones(3), [[1, 1, 1]]):
        with pytest.raises(ValueError, match=r"^expected whole numbers of shape \(3,\), got "):
            VectorTables("blockhead", 3).step(actions)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^there are vectorised tables of blockhead, holdem, stud, not of dice$"):
        VectorTables("dice", 3)
    with pytest.raises(ValueError, match=r"^expected at least one table, got 0$"):
        VectorTables("stud", 0)
