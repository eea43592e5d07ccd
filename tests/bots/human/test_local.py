"""What a table in this process tells the person: everything that is public, and nothing else."""

from collections.abc import Callable
from random import Random

import pytest

from bots.human.game_seat import load_seat
from bots.human.local_table import LocalGame, Player, Setup
from bots.human.thread_bridge import Human, ThreadBridge
from bots.human.updates import Asked, Chips, Ended, News, Said, Shown, Waiting
from bots.strategies.caller import Caller
from bots.strategies.maniac import Maniac
from bots.strategies.random_bettor import RandomBettor
from bots.strategy import Strategy
from protocol.games.base import FOLD, Action, Bet, Turn
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text
from tests.bots.helpers import Scripted


def call(turn: Turn) -> Action:
    return Bet(turn.owed)


def most(turn: Turn) -> Action:
    return Bet(max(turn.legal().raises, default=turn.owed))


def pay_nothing(turn: Turn) -> Action:
    return FOLD if turn.owed else Bet(0)


def told(
    game: Game, *others: Strategy, seed: str = "local", hands: int = 20, person: Callable[[Turn], Action] = call
) -> list[News]:
    """The news of a game in which the person answers every turn in the same way."""
    news: list[News] = []

    def post(item: News) -> None:
        news.append(item)
        if isinstance(item, Asked):
            bridge.answer(item.number, person(item.turn))
        if isinstance(item, Waiting):
            bridge.answer(item.number, None)

    bridge = ThreadBridge(post)
    players = [Player("you", Human(bridge)), *(Player(f"p{seat}", other) for seat, other in enumerate(others, 1))]
    all_in = load_seat(game.name).all_in
    LocalGame(Setup(game, players, bridge, seed_from_text(seed), 0.0, 5, hands, all_in)).run()
    return news


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(), HoldemGame()])
def test_hole_cards_are_shown_at_a_showdown_only(game: Game) -> None:
    news = told(game, RandomBettor(Random(1)), RandomBettor(Random(2)), Caller(Random(3)))
    news += told(game, RandomBettor(Random(1)), person=pay_nothing)
    scenes = [item.scene for item in news if isinstance(item, Shown)]
    ends = [scene for scene in scenes if scene.headline]
    assert len(ends) == 40
    for scene in scenes:
        showdown = scene.headline and sum(view.place == "in" for view in scene.seats) > 1
        for seat, view in enumerate(scene.seats):
            if seat != scene.me and not (showdown and view.place == "in"):
                assert view.hole == ()
    assert any(view.hole for scene in ends for view in scene.seats[1:])


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(), HoldemGame()])
def test_chances_use_only_cards_the_person_sees(game: Game) -> None:
    news = told(game, RandomBettor(Random(1)), RandomBettor(Random(2)))
    for item in news:
        if isinstance(item, Shown) and item.spot is not None:
            views = item.scene.seats
            up = [view.up for seat, view in enumerate(views) if seat != item.scene.me and view.place == "in"]
            assert list(item.spot.others) == up
            assert item.spot.own == (*views[item.scene.me].hole, *views[item.scene.me].up)
            assert set(item.spot.gone) == {card for view in views if view.place == "folded" for card in view.up}


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(), HoldemGame()])
def test_shown_stacks_and_pot_hold_all_chips(game: Game) -> None:
    for item in told(game, RandomBettor(Random(1)), Maniac(Random(2))):
        if isinstance(item, Shown) and not item.scene.headline:
            stacks = [view.stack for view in item.scene.seats if view.stack is not None]
            assert sum(stacks) + item.scene.pot == 3 * game.start(2).stacks[0]


def test_history_tells_of_a_forced_fold() -> None:
    others = RandomBettor(Random(0)), Caller(Random(2))
    news = told(StudGame(stack=60), *others, seed="short 0", hands=200, person=most)
    lines = [item.line for item in news if isinstance(item, Said)]
    assert any("cannot pay what is owed, and is folded." in line for line in lines)
    assert isinstance(news[-1], Ended)
    assert news[-1].reason.startswith(("You are out: ", "You have won, with 180 chips."))


def test_chip_curve_has_a_point_for_every_hand() -> None:
    news = told(StudGame(), Caller(Random(1)), hands=7)
    assert len([item for item in news if isinstance(item, Chips)]) == 8


def test_failing_bot_ends_the_game_in_words() -> None:
    def lost(_turn: object) -> Bet:
        raise ZeroDivisionError("no luck")

    assert "decide raised ZeroDivisionError: no luck" in str(told(StudGame(), Scripted(lost))[-1])
    assert "you bet 999" in str(told(StudGame(), Scripted(lambda _turn: Bet(999)))[-1])


def test_bot_that_folds_every_hand() -> None:
    news = told(StudGame(), Scripted(lambda _turn: FOLD), hands=3)
    ended = news[-1]
    assert ended == Ended("You have won, with 503 chips.", again=True)


@pytest.mark.parametrize(("callers", "words"), [(1, "another player has more"), (2, "2 others have more")])
def test_person_that_folds_every_hand_is_told_who_has_more(callers: int, words: str) -> None:
    news = told(StudGame(), *(Caller(Random(seed)) for seed in range(callers)), hands=4, person=lambda _turn: FOLD)
    ended = news[-1]
    assert isinstance(ended, Ended)
    assert ended.reason == f"The game is over: you have 496 chips, and {words}."
