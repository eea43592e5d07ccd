"""Hands between strategies in one process."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.arena import ArenaError, PlayedHand, play_hand, play_hands
from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategies.random_bettor import RandomBettor
from bots.strategy import Strategy
from protocol.games.base import FOLD, Bet
from protocol.games.game import Game
from protocol.games.stud import StudGame, StudMatch
from protocol.shuffle import seed_from_text
from tests.bots.helpers import Scripted

SEED = seed_from_text("arena")


def gamblers(count: int, seed: str = "luck") -> list[Strategy]:
    return [RandomBettor(Random(f"{seed}/{seat}")) for seat in range(count)]


def played(game: Game, strategies: Sequence[Strategy], hands: int, reset: bool = False) -> list[PlayedHand]:
    return list(play_hands(game, strategies, SEED, hands, reset))


def test_the_same_seed_plays_the_same_hands() -> None:
    game = StudGame(60)
    match = game.start(5)
    assert played(game, gamblers(5), 50) == played(game, gamblers(5), 50)
    assert played(game, gamblers(5), 50) != played(game, gamblers(5, "other"), 50)
    assert play_hand(StudGame(), match, gamblers(5), SEED, 1) != play_hand(
        StudGame(), match, gamblers(5), seed_from_text("other"), 1
    )


@settings(max_examples=40)
@given(st.integers(2, 17), st.integers(1, 90), st.integers(0, 2**32))
def test_no_chip_is_lost_from_hand_to_hand(seats: int, stack: int, seed: int) -> None:
    stacks = [stack] * seats
    for hand in played(StudGame(stack), gamblers(seats, str(seed)), 30):
        assert sum(hand.settlement.payoffs) == 0
        if sum(left >= 1 for left in stacks) < 2:
            stacks = [stack] * seats
        assert hand.players == tuple(player for player, left in enumerate(stacks) if left >= 1)
        for player, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            stacks[player] += payoff
        assert min(stacks) >= 0
        assert sum(stacks) == seats * stack


def test_busted_players_return_when_one_is_left() -> None:
    counts = [len(hand.players) for hand in played(StudGame(20), [Maniac(Random(1)) for _ in range(3)], 40)]
    assert counts[0] == 3
    assert 2 in counts
    assert 3 in counts[counts.index(2) :]


def test_with_reset_every_hand_is_the_first() -> None:
    match, strategies = StudMatch.start(3, 20), [Maniac(Random(1)) for _ in range(3)]
    for number, hand in enumerate(played(StudGame(20), strategies, 40, reset=True), 1):
        assert hand == play_hand(StudGame(), match, strategies, SEED, number)
        assert len(hand.players) == 3


def test_all_players_dealt_in_are_told_the_status() -> None:
    quitter, caller = Scripted(lambda _turn: FOLD), Scripted(lambda turn: Bet(turn.owed))
    hand = play_hand(StudGame(), StudMatch.start(2), [quitter, caller], SEED, 1)
    assert [status.won for status in quitter.statuses + caller.statuses] == [False, True]
    assert len(hand.actions) == len(quitter.turns) + len(caller.turns)
    assert hand.settlement.payoffs == (-1, 1)


def test_strategies_stay_with_their_players() -> None:
    match = StudMatch((0, 50, 50), (1, 2), 1)
    strategies = [Scripted(lambda turn: Bet(turn.owed)) for _ in range(3)]
    assert play_hand(StudGame(), match, strategies, SEED, 1).players == (1, 2)
    assert [len(strategy.statuses) for strategy in strategies] == [0, 1, 1]
    assert [bool(strategy.turns) for strategy in strategies] == [False, True, True]


def test_an_illegal_action_names_player_and_hand() -> None:
    with pytest.raises(ArenaError, match="you bet 30, more than 10 above the 0 you owe") as raised:
        played(StudGame(), [Scripted(lambda turn: Bet(turn.owed + 30)) for _ in range(2)], 3)
    assert raised.value.number == 1
    assert raised.value.player in (0, 1)


def test_a_strategy_that_raises_is_the_cause() -> None:
    def lost(turn: object) -> Bet:
        raise ZeroDivisionError

    with pytest.raises(ArenaError, match="decide raised ZeroDivisionError") as raised:
        played(StudGame(), [Caller(Random(1)), Scripted(lost)], 3)
    assert raised.value.player == 1
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
