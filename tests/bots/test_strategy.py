"""Finding bots by name, what is said of a strategy that fails, and hands between strategies in one process."""

from collections.abc import Sequence
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.arena import ArenaError, PlayedHand, play_hand, play_hands
from bots.catalogue import catalogue, entry, playing, show_bots
from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategies.random_bettor import RandomBettor
from bots.strategy import Level, Strategy, StrategyError, answer, tell
from protocol import installed_bots
from protocol.games.base import FOLD, Bet, Status
from protocol.games.game import Game
from protocol.games.registry import game_names
from protocol.games.stud import StudGame, StudMatch
from protocol.installed_bots import bot_names, load_bot
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.helpers import Scripted, asked, offer

YARDSTICKS = {"caller", "pair-or-fold", "tight", "maniac", "random"}
TURN = asked("bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C")


def test_the_house_bots_are_installed() -> None:
    assert set(bot_names()) >= YARDSTICKS
    assert bot_names() == sorted(bot_names())


@pytest.mark.parametrize("name", sorted(YARDSTICKS))
def test_an_installed_bot_answers(name: str) -> None:
    assert load_bot(name)(Random(1)).decide(TURN) in TURN.legal()


def test_unknown_bot_lists_the_installed_ones() -> None:
    with pytest.raises(LookupError) as raised:
        load_bot("nobody")
    assert "no bot 'nobody'" in str(raised.value)
    assert all(name in str(raised.value) for name in bot_names())


def test_bot_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, installed_bots, guest="bots.strategies.caller:Caller")
    assert bot_names() == ["guest"]
    assert load_bot("guest") is Caller


@pytest.mark.parametrize("value", ["no_such_module:Bot", "bots.strategies.caller:Nobody"])
def test_a_bot_that_cannot_be_loaded_says_why(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    offer(monkeypatch, installed_bots, guest=value)
    with pytest.raises(LookupError, match=r"the bot 'guest' \(.*\) cannot be loaded: .*(no_such_module|Nobody)"):
        load_bot("guest")


def test_answer_is_an_action_legal_or_not_or_an_error_that_names_turn_and_cause() -> None:
    def lost(turn: object) -> Bet:
        raise ZeroDivisionError("no chips")

    assert answer(Scripted(lambda _turn: Bet(9999)), TURN) == Bet(9999)
    with pytest.raises(StrategyError, match=r"decide raised ZeroDivisionError: no chips; .*stack=208") as raised:
        answer(Scripted(lost), TURN)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    with pytest.raises(StrategyError, match="decide gave 20 instead of a Bet or a Fold"):
        answer(Scripted(lambda _turn: 20), TURN)  # type: ignore[arg-type, return-value]


def test_error_in_hand_over() -> None:
    class Deaf(Caller):
        def hand_over(self, status: Status) -> None:
            raise KeyError("win")

    with pytest.raises(StrategyError, match="hand_over raised KeyError: 'win'"):
        tell(Deaf(Random(1)), Status(True, ()))


@pytest.mark.parametrize("name", ["stud", "pair-or-fold"])
def test_bot_of_stud_refuses_blockhead(name: str) -> None:
    with pytest.raises(StrategyError, match=r"^this bot plays stud, not blockhead$"):
        tell(load_bot(name)(Random(1)), GameInfo("blockhead"))


def test_strategy_error_is_passed_on_unchanged() -> None:
    with pytest.raises(StrategyError, match=r"^this bot plays blockhead, not stud$") as caught:
        answer(load_bot("alpha")(Random(1)), TURN)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("name", bot_names())
def test_bots_state_level_and_source(name: str) -> None:
    bot = entry(name)
    assert bot.level in get_args(Level)
    assert bot.source
    assert "\n" not in bot.source
    assert set(bot.games) <= set(game_names())


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("level", get_args(Level))
def test_games_have_opponents_of_every_level(game: str, level: str) -> None:
    assert [bot for bot in playing(game) if bot.level == level]


def test_catalogue_with_silent_and_broken_bots(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offer(monkeypatch, installed_bots, broken="no_such_module:Bot", guest="tests.bots.helpers:Scripted")
    found, broken = catalogue()
    assert [(bot.name, bot.games, bot.level, bot.source) for bot in found] == [
        ("guest", tuple(map(str, game_names())), "", "")
    ]
    assert show_bots(as_json=False) == broken
    assert "guest" in capsys.readouterr().out
    assert "the bot 'broken'" in broken[0]


HOLDEM_LEAGUE = [
    *("holdem", "equity", "caller", "maniac", "tight", "random"),
    *("simple", "sklansky", "rollout-5", "cornell"),
]


@pytest.mark.parametrize(
    ("game", "league"),
    [
        ("stud", ["stud", "tight", "caller", "pair-or-fold", "maniac", "random"]),
        ("blockhead", ["alpha", "beta"]),
        ("holdem", HOLDEM_LEAGUE),
        (
            "dice",
            [
                "dice-adaptive",
                "dice-equilibrium",
                "caller",
                "dice-four",
                "dice-price",
                "dice-luck",
                "dice-memory",
                "random",
            ],
        ),
    ],
)
def test_bots_that_join_a_default_league_in_order(game: str, league: list[str]) -> None:
    makers: dict[str, Any] = {name: load_bot(name) for name in bot_names()}
    places = {name: maker.default_in[game] for name, maker in makers.items() if game in maker.default_in}
    assert sorted(places, key=lambda name: places[name]) == league
    assert sorted(places.values()) == list(range(1, len(league) + 1))
    assert all(game in entry(name).games for name in league)


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
    match, strategies = StudGame(stack=20).start(3), [Maniac(Random(1)) for _ in range(3)]
    for number, hand in enumerate(played(StudGame(20), strategies, 40, reset=True), 1):
        assert hand == play_hand(StudGame(), match, strategies, SEED, number)
        assert len(hand.players) == 3


def test_all_players_dealt_in_are_told_the_status() -> None:
    quitter, caller = Scripted(lambda _turn: FOLD), Scripted(lambda turn: Bet(turn.owed))
    hand = play_hand(StudGame(), StudGame().start(2), [quitter, caller], SEED, 1)
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
