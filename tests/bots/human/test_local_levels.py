"""Levels at a table of house bots: they begin after hands or minutes, and the person is told."""

import json
from dataclasses import asdict

import pytest

from bots.human.local_levels import LocalLevels
from bots.human.local_table import LocalGame
from bots.human.table_order import Order, sit_down
from bots.human.thread_bridge import ThreadBridge
from bots.human.updates import Asked, Ended, News, Said, Shown, Waiting
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.level_file import read_level_table
from protocol.games.level_table import LevelTable
from protocol.games.match import Match
from protocol.games.stud import StudGame

BLINDS = [
    {"hands": 2, "small_blind": 5, "big_blind": 10},
    {"hands": 1, "small_blind": 10, "big_blind": 20},
    {"small_blind": 50, "big_blind": 100, "ante": 25},
]


class Hands:
    """Plays hands in which everybody folds to the last seat."""

    def __init__(self, match: Match, levels: LocalLevels) -> None:
        self.match = levels.charge(match)
        self._levels = levels

    def play(self, payoffs_to: int = 0) -> None:
        """Play a hand that one seat wins by folds, if it is still in when the others have folded."""
        hand = self.match.deal(StudGame().chance.outcome(bytes(range(52))))
        while (seat := hand.to_act) is not None:
            hand = hand.apply(Bet(hand.legal().to_call) if seat == payoffs_to else FOLD)
        self.match = self._levels.settle(self.match, hand.settle())


def test_levels_begin_after_their_hands() -> None:
    game = HoldemGame()
    levels = LocalLevels(game, LevelTable.from_facts(BLINDS))
    hands = Hands(game.start(3), levels)
    seen = []
    for _ in range(6):
        seen.append((levels.level, hands.match.deal(game.chance.outcome(bytes(range(52)))).pot))
        hands.play()
    assert seen == [(1, 15), (1, 15), (2, 30), (3, 225), (3, 225), (3, 225)]


def test_levels_begin_after_their_minutes() -> None:
    game, now = StudGame(), 100.0
    table = LevelTable.from_facts([{"minutes": 2, "ante": 1}, {"minutes": 1, "ante": 3}, {"ante": 5}])
    levels = LocalLevels(game, table, lambda: now)
    hands = Hands(game.start(2), levels)
    seen = []
    for now in (219.9, 220.0, 279.0, 280.0, 1000.0):  # noqa: B007 - the clock reads it
        hands.play()
        seen.append(levels.level)
    assert seen == [1, 2, 2, 3, 3]


def test_a_level_costs_what_two_players_can_pay() -> None:
    game = StudGame(stack=60)
    levels = LocalLevels(game, LevelTable.from_facts([{"hands": 1, "ante": 1}, {"ante": 50}]))
    hands = Hands(game.start(3), levels)
    assert hands.match.deal(game.chance.outcome(bytes(range(52)))).pot == 3
    hands.play()
    assert hands.match.deal(game.chance.outcome(bytes(range(52)))).pot == 150
    hands.play()
    assert sorted(hands.match.stacks) == [9, 9, 162]
    assert hands.match.deal(game.chance.outcome(bytes(range(52)))).pot == 27


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ({"hands": 1, "small_blind": 5, "big_blind": 10}, "Level 1: blinds of 5 and 10, for 1 hand."),
        ({"hands": 9, "small_blind": 5, "big_blind": 10}, "Level 1: blinds of 5 and 10, for 9 hands."),
        ({"minutes": 1, "small_blind": 5, "big_blind": 10}, "Level 1: blinds of 5 and 10, for 1 minute."),
        (
            {"minutes": 7, "small_blind": 5, "big_blind": 10, "ante": 2},
            "Level 1: blinds of 5 and 10 and an ante of 2, for 7 minutes.",
        ),
    ],
)
def test_a_level_is_told_in_words(level: dict[str, int], text: str) -> None:
    levels = LocalLevels(HoldemGame(), LevelTable.from_facts([level, BLINDS[-1]]))
    assert levels.text == text
    assert LocalLevels(HoldemGame(), LevelTable.from_facts([level])).text.endswith(", until the end.")


def news_of(order: Order) -> list[News]:
    """The news of a game in which the person folds or checks."""
    news: list[News] = []

    def post(item: News) -> None:
        news.append(item)
        if isinstance(item, Asked):
            bridge.answer(item.number, FOLD if item.turn.owed else Bet(0))
        if isinstance(item, Waiting):
            bridge.answer(item.number, None)

    bridge = ThreadBridge(post)
    sit_down(order, bridge).run()
    return news


def test_the_person_is_told_of_each_level() -> None:
    order = Order("holdem", "levels", ("caller", "caller"), hands=4, speed="none", level_table=BLINDS)
    news = news_of(order)
    assert [item.line for item in news if isinstance(item, Said) and item.line.startswith("Level")] == [
        "Level 1: blinds of 5 and 10, for 2 hands.",
        "Level 2: blinds of 10 and 20, for 1 hand.",
        "Level 3: blinds of 50 and 100 and an ante of 25, until the end.",
    ]
    shown = {(item.scene.hand, item.scene.level) for item in news if isinstance(item, Shown)}
    assert sorted(shown) == [
        (1, "level 1 (5/10)"),
        (2, "level 1 (5/10)"),
        (3, "level 2 (10/20)"),
        (4, "level 3 (50/100/25)"),
    ]


def test_playing_again_begins_at_the_first_level() -> None:
    news: list[News] = []
    order = Order("holdem", "levels", ("caller",), speed="none", level_table=BLINDS)
    game = sit_down(order, bridge := ThreadBridge(news.append))
    assert isinstance(game, LocalGame)
    bridge.leave()
    for _ in range(2):
        game.run()
    assert [item.line for item in news if isinstance(item, Said) and item.line.startswith("Level")] == [
        "Level 1: blinds of 5 and 10, for 2 hands."
    ] * 2


def test_a_browsers_game_has_the_levels_of_the_order() -> None:
    table, _ = read_level_table("sit-and-go", HoldemGame(), {})
    order = Order("holdem", "web", ("caller",), level_table=table.record)
    again = Order(**json.loads(json.dumps(asdict(order))))
    assert again.levels == table
    assert again.agreed == HoldemGame()


def test_a_game_with_levels_ends() -> None:
    order = Order("holdem", "end", ("caller", "maniac"), speed="none", level_table=BLINDS)
    end = news_of(order)[-1]
    assert isinstance(end, Ended)
    assert end.reason == "You are out: you have no chips left."
