"""A game in one process: what a person is told and asked, levels, and the bridge between its threads."""

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from queue import SimpleQueue
from random import Random
from threading import Thread

import pytest

from bots.human.game_seat import load_seat
from bots.human.local_table import LocalGame, LocalLevels, Player, Setup
from bots.human.table_order import Order, sit_down
from bots.human.thread_bridge import Human, LeftError, ThreadBridge
from bots.human.updates import Asked, Chips, Ended, News, Said, Shown, Waiting
from bots.strategies.caller import Caller
from bots.strategies.random_bettor import RandomBettor
from bots.strategy import Strategy
from dealer.telling.hand_events import texts
from protocol.games.base import FOLD, Action, Bet, Turn
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.level_table import LevelTable, read_level_table
from protocol.games.match import Match
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text
from tests.bots.helpers import Scripted, asked
from tests.patience import PATIENCE


def call(turn: Turn) -> Action:
    return Bet(turn.owed)


def most(turn: Turn) -> Action:
    return Bet(max(turn.legal().raises, default=turn.owed))


def pay_nothing(turn: Turn) -> Action:
    return FOLD if turn.owed else Bet(0)


def heard(start: Callable[[ThreadBridge], LocalGame], person: Callable[[Turn], Action]) -> list[News]:
    """The news of a game in which the person answers every turn in the same way."""
    news: list[News] = []

    def post(item: News) -> None:
        news.append(item)
        if isinstance(item, Asked):
            bridge.answer(item.number, person(item.turn))
        if isinstance(item, Waiting):
            bridge.answer(item.number, None)

    bridge = ThreadBridge(post)
    start(bridge).run()
    return news


def told(
    game: Game, *others: Strategy, seed: str = "local", hands: int = 20, person: Callable[[Turn], Action] = call
) -> list[News]:
    """The news of a game against ``others``."""

    def start(bridge: ThreadBridge) -> LocalGame:
        players = [Player("you", Human(bridge)), *(Player(f"p{seat}", other) for seat, other in enumerate(others, 1))]
        return LocalGame(Setup(game, load_seat(game.name), players, bridge, seed_from_text(seed), 0.0, hands))

    return heard(start, person)


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(), HoldemGame()])
def test_hole_cards_are_shown_at_a_showdown_only(game: Game) -> None:
    news = told(game, RandomBettor(Random(1)), RandomBettor(Random(2)), Caller(Random(3)))
    news += told(game, RandomBettor(Random(1)), person=pay_nothing)
    scenes = [item.scene for item in news if isinstance(item, Shown)]
    ends = [scene for scene in scenes if scene.headline]
    assert len(ends) == 40
    for scene in scenes:
        showdown = scene.headline and sum(view.live for view in scene.table.seats) > 1
        for seat, view in enumerate(scene.table.seats):
            if seat != scene.me and not (showdown and view.live):
                assert view.hole == ()
    assert any(view.hole for scene in ends for view in scene.table.seats[1:])


@pytest.mark.parametrize("game", [StudGame(), BlockheadGame(), HoldemGame()])
def test_chances_use_only_cards_the_person_sees_and_stacks_and_pot_hold_all_chips(game: Game) -> None:
    for item in told(game, RandomBettor(Random(1)), RandomBettor(Random(2))):
        if not isinstance(item, Shown):
            continue
        views = item.scene.table.seats
        if item.spot is not None:
            up = [tuple(view.up) for seat, view in enumerate(views) if seat != item.scene.me and view.live]
            assert [texts(cards) for cards in item.spot.others] == up
            assert texts(item.spot.own) == (*views[item.scene.me].hole, *views[item.scene.me].up)
            assert {*texts(item.spot.gone)} == {card for view in views if not view.live for card in view.up}
        if not item.scene.headline:
            stacks = [view.stack for view in views if view.stack is not None]
            assert sum(stacks) + item.scene.table.pot == 3 * game.start(2).stacks[0]


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


def test_the_person_is_told_of_each_level() -> None:
    order = Order("holdem", "levels", ("caller", "caller"), hands=4, speed="none", level_table=BLINDS)
    news = heard(partial(sit_down, order), pay_nothing)
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
    end = heard(partial(sit_down, order), pay_nothing)[-1]
    assert isinstance(end, Ended)
    assert end.reason == "You are out: you have no chips left."


TURN = asked("bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C")


class Screen:
    """The other side of the bridge."""

    def __init__(self) -> None:
        self.news: SimpleQueue[News] = SimpleQueue()
        self.bridge = ThreadBridge(self.news.put)

    def question(self) -> Asked:
        news = self.news.get(timeout=PATIENCE)
        assert isinstance(news, Asked)
        return news


def in_thread(work: Callable[[], object]) -> tuple[Thread, list[object]]:
    """Start ``work``; what it returns or raises is put in the list."""
    results: list[object] = []

    def body() -> None:
        try:
            results.append(work())
        except LeftError as left:
            results.append(left)

    thread = Thread(target=body)
    thread.start()
    return thread, results


def decided(screen: Screen, press: Callable[[Asked], None]) -> object:
    """What a person decides who does ``press`` when asked."""
    thread, results = in_thread(lambda: Human(screen.bridge).decide(TURN))
    press(screen.question())
    thread.join(PATIENCE)
    return results[0]


def test_person_is_a_strategy() -> None:
    screen = Screen()
    assert decided(screen, lambda question: screen.bridge.answer(question.number, Bet(15))) == Bet(15)


def test_answer_to_an_older_question_is_ignored() -> None:
    screen = Screen()
    assert decided(screen, lambda question: screen.bridge.answer(question.number, Bet(12))) == Bet(12)
    screen.bridge.answer(1, Bet(22))  # pressed twice

    def press(question: Asked) -> None:
        screen.bridge.answer(1, Bet(22))
        screen.bridge.answer(question.number, FOLD)

    assert decided(screen, press) == FOLD


def test_leaving_ends_open_and_later_questions() -> None:
    screen = Screen()
    assert isinstance(decided(screen, lambda _question: screen.bridge.leave()), LeftError)
    for wait in (screen.bridge.wait_for_next_hand, lambda: screen.bridge.pause(1000), lambda: screen.bridge.ask(TURN)):
        with pytest.raises(LeftError, match="has left"):
            wait()


def test_the_next_hand_waits_for_the_person() -> None:
    screen = Screen()
    thread, results = in_thread(screen.bridge.wait_for_next_hand)
    news = screen.news.get(timeout=PATIENCE)
    assert isinstance(news, Waiting)
    go_on: Action | None = None
    screen.bridge.answer(news.number, go_on)
    thread.join(PATIENCE)
    assert results == [None]
