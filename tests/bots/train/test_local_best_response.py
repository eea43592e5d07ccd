"""The local best response: against players whose values are known, on a river by hand, and what it learns of tables."""

import argparse
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from bots.strategies.holdem.equilibrium import LimitPlayer
from bots.strategies.holdem.limit_board import HOLES, LIVE, BoardStrategy
from bots.strategies.holdem.limit_tree import BET_SIZES, FILE, SEEN, TEXTURES, Betting, Node, load, texture, tree
from bots.strategies.moves import call
from bots.train import limit_equilibrium
from bots.train.limit_equilibrium import pack, sample_boards
from bots.train.limit_learning import Learner
from bots.train.limit_ranges import Rivers, mean_margin, opening_margins, rivers_after, unblocked
from bots.train.local_best_response import (
    OTHERS,
    Responder,
    Strategy,
    deal,
    main,
    measure,
    off,
    winnings,
)
from protocol.cards import DECK, parse_cards
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.kernels.holdem import PAIRS, Cards, seeded, strengths
from tests.protocol.helpers import shuffled_deck

Array = NDArray[np.float64]

#: Cards in common, by pair and pair.
SHARED = (HOLES[:, None, :, None] == HOLES[None, :, None, :]).any(axis=(2, 3))
RIVER: Betting = ((True, 0), (True, 0), (True, 0), (False, 0))


class Mixed(Strategy):
    """Fold, call and raise in fixed parts, of those that are allowed."""

    def __init__(self, fold: int, call: int, more: int) -> None:
        self._parts = fold, call, more

    def shares(self, node: Node) -> Array:
        fold, check, more = self._parts
        parts = np.array([fold * node.owes, check, more * node.may_raise])
        return np.tile(parts[:, None] / parts.sum(), PAIRS)


class Folds(Strategy):
    """Folds to every bet, and never bets."""

    def shares(self, node: Node) -> Array:
        return np.repeat([[float(node.owes)], [float(not node.owes)], [0.0]], PAIRS, axis=1)


def won_by_response(strategy: Strategy, dealt: tuple[Cards, list[Rivers]]) -> float:
    return winnings(strategy, *dealt, np.random.default_rng(1))


def cards(text: str) -> Cards:
    """Cards by their index, from their names, such as "AS 10D"."""
    return np.array([DECK.index(card) for card in parse_cards(text)], np.int8)


def pair(text: str) -> int:
    first, second = sorted(cards(text).tolist())
    return int(second * (second - 1) // 2 + first)


def places(board: Cards) -> Array:
    """How strong each pair is on a board of five, by the rules; 0 for pairs on it."""
    alive = off(board) > 0
    result = np.zeros(PAIRS)
    sevens = np.hstack([HOLES[alive].astype(np.int8), np.tile(board, (LIVE, 1))])
    result[alive] = strengths(sevens).astype(float) + 1
    return result


def compared(board: Cards) -> Array:
    """By pair and pair on a board of five: 1 if the first wins, -1 if it loses, 0 if they tie or cannot be."""
    strong = places(board)
    possible = (strong > 0)[:, None] & (strong > 0) & ~SHARED
    return np.asarray(np.sign(strong[:, None] - strong) * possible)


def test_margins_are_those_of_all_pairs_compared() -> None:
    rng = np.random.default_rng(5)
    weights = rng.random(PAIRS) * (rng.random(PAIRS) < 0.5)
    board = cards("AH 7C 7D 2S 10H")
    assert unblocked(weights) == pytest.approx(~SHARED @ weights)
    river = rivers_after(board, 1, rng)
    assert mean_margin(river, weights * off(board)) == pytest.approx(compared(board) @ weights)


def test_margins_on_the_turn_are_means_over_all_rivers() -> None:
    rng = np.random.default_rng(6)
    board = cards("AH 7C 7D 2S")
    weights = rng.random(PAIRS) * off(board)
    rivers = rivers_after(board, 1, rng)
    assert len(rivers.order) == 48
    boards = [np.append(board, card).astype(np.int8) for card in range(52) if card not in board.tolist()]
    won = sum(compared(board) @ weights for board in boards)
    assert mean_margin(rivers, weights) == pytest.approx(won / 44)


def test_margins_before_the_flop_know_the_famous_equities() -> None:
    one = np.zeros(PAIRS)
    one[pair("KS KD")] = 1.0
    assert opening_margins()[pair("AS AD")] @ one == pytest.approx(2 * 0.8195 - 1, abs=0.002)
    assert opening_margins()[pair("KS 2D")] @ one == 0.0
    for hole, equity in (("AS KS", 0.6705), ("AS KD", 0.6532), ("7S 2S", 0.3815), ("7S 2H", 0.3458)):
        assert opening_margins()[pair(hole)].sum() / 1225 == pytest.approx(2 * equity - 1, abs=0.002)


@pytest.fixture(scope="module")
def some_board() -> tuple[Cards, list[Rivers]]:
    return deal(np.random.default_rng(11))


def test_who_folds_to_every_bet_loses_its_blinds(some_board: tuple[Cards, list[Rivers]]) -> None:
    assert won_by_response(Folds(), some_board) == pytest.approx((1.0 + 0.5) / 2)


def test_who_calls_everything_loses_a_bet_a_street_with_the_weaker_cards(
    some_board: tuple[Cards, list[Rivers]],
) -> None:
    board, rivers = some_board
    everything = np.ones(PAIRS)
    stakes = 1 + BET_SIZES[0] * (opening_margins() @ everything > 0).astype(float)
    for street, seen in enumerate(SEEN[1:], 1):
        ahead = mean_margin(rivers[street - 1], off(board[:seen])) > 0
        stakes += BET_SIZES[street] * ahead
    expected = (stakes * (compared(board) @ everything)).sum() / (LIVE * OTHERS)
    assert won_by_response(Mixed(0, 1, 0), some_board) == pytest.approx(expected)
    assert expected > 0.7


def test_who_plays_at_random_loses_much(some_board: tuple[Cards, list[Rivers]]) -> None:
    assert won_by_response(Mixed(1, 1, 1), some_board) > 0.5


class Polar(Strategy):
    """Bets the best hole cards, and the worst as often as said; never raises, and folds all but the best to a bet."""

    def __init__(self, best: int, worst: int, bluffs: float) -> None:
        self._raises = np.zeros(PAIRS)
        self._raises[best], self._raises[worst] = 1.0, bluffs
        self._best = best

    def shares(self, node: Node) -> Array:
        raises = self._raises * (not node.owes)
        folds = np.full(PAIRS, float(node.owes))
        folds[self._best] = 0.0
        return np.array([folds, 1 - folds - raises, raises])


@pytest.mark.parametrize("bluffs", [0.0, 0.25, 0.6])
def test_river_with_the_best_or_the_worst_cards(bluffs: float) -> None:
    """The pot is 2. Called, the responder wins 3 from a bluff and loses 3 to the best cards; a fold loses 1.

    If the other has checked, it has the worst cards and gives up against a bet.
    """
    board = cards("AS KS QS JS 2D")
    best, worst, own = pair("10S 4H"), pair("5C 4D"), pair("AH 3D")
    weights = np.zeros(PAIRS)
    weights[best], weights[worst] = 1.0, 2.0
    rivers = [rivers_after(board[:seen], 2, np.random.default_rng(1)) for seen in SEEN[1:]]
    left = [off(board[:seen]) for seen in SEEN]
    responder = Responder(Polar(best, worst, bluffs), left, rivers, True, np.random.default_rng(1))
    mine = np.zeros(PAIRS, np.bool_)
    mine[own] = True
    facing_a_bet = max(-1 * (1 + 2 * bluffs), 3 * (2 * bluffs - 1))
    expected = facing_a_bet + 1 * 2 * (1 - bluffs)
    value = responder.at(tree()[RIVER], weights, mine)
    assert value[own] == pytest.approx(expected)
    assert value.sum() == value[own]


def test_gains_of_a_bet_count_folds() -> None:
    board = cards("AS KS QS JS 2D")
    best, worst, own = pair("10S 4H"), pair("5C 4D"), pair("AH 3D")
    weights = np.zeros(PAIRS)
    weights[best], weights[worst] = 1.0, 2.0
    rivers = [rivers_after(board[:seen], 2, np.random.default_rng(1)) for seen in SEEN[1:]]
    left = [off(board[:seen]) for seen in SEEN]
    responder = Responder(Polar(best, worst, 0.0), left, rivers, True, np.random.default_rng(1))
    gains = responder.gains(tree()[(*RIVER[:3], (True, 0))], weights)[:, own]
    assert gains.tolist() == [-np.inf, pytest.approx(2 - 1), pytest.approx(2 * 1 - 1 * 3)]


class Noting(LimitPlayer):
    """Keeps the decision at which it was asked last, and how often it would fold, call and raise there."""

    asked: Node | None = None
    chances: list[float]

    def _node(self, turn: HoldemTurn) -> Node | None:
        self.asked = super()._node(turn)
        return self.asked

    def _chances(self, turn: HoldemTurn, node: Node) -> list[float]:
        self.chances = super()._chances(turn, node)
        return self.chances


def test_measured_strategy_is_what_the_bot_plays() -> None:
    player = Noting(Random(3))
    match = HoldemGame(betting="fixed-limit", reset_stacks=1).start(2)
    streets = set()
    for number in range(12):
        deck = shuffled_deck(b"measured", 0, number)
        hand = match.deal(deck)
        asked = []
        while (seat := hand.to_act) is not None:
            turn = hand.view(seat)
            action = player.decide(turn) if seat == 0 else call(turn)
            if seat == 0 and player.asked:
                asked.append((turn, player.asked, player.chances))
            hand = hand.apply(action)
        player.hand_over(hand.settle().statuses()[0])
        if len(hand.board) < 5:
            continue
        strategy = BoardStrategy(load(), cards(" ".join(map(str, hand.board))))
        for turn, node, chances in asked:
            assert strategy.shares(node)[:, pair(" ".join(map(str, turn.hole)))] == pytest.approx(chances)
            streets.add(node.street)
    assert streets == {0, 1, 2, 3}


def test_every_board_has_a_texture_and_every_texture_a_board() -> None:
    rng = np.random.default_rng(2)
    for seen, textures in zip(SEEN[1:], TEXTURES[1:], strict=True):
        found = {texture(rng.choice(52, seen, replace=False).tolist()) for _ in range(5000)}
        assert found == set(range(textures))


def test_command_prints_the_mean_and_its_interval(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = argparse.Namespace(tables=[FILE], boards=2, seed=3)
    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", lambda _: options)
    main()
    assert capsys.readouterr().out.startswith("limit_table.msgpack.xz: 0.")


@pytest.mark.heavy
def test_learning_lowers_what_the_local_best_response_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_equilibrium, "BOUNDS_FROM", 20)
    boards, thresholds = sample_boards(150, 1)
    learner = Learner(boards, seeded(np.uint64(1)))
    won = []
    for boards_seen in (20, 700):
        learner.learn(boards_seen)
        *_, (mean, _) = measure({"thresholds": thresholds, "moves": pack(learner.averages)}, 2, 1)
        won.append(mean)
    assert won[1] < won[0] - 0.1
