"""Two threads at a bridge: no answer reaches another question than its own."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

import pytest

from bots.human.thread_bridge import Human, LeftError, ThreadBridge
from bots.human.updates import Asked, News, TooLate, Waiting
from protocol.games.base import FOLD, Action, Bet
from tests.bots.helpers import asked
from tests.patience import PATIENCE

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


def decided(screen: Screen, press: Callable[[Asked], None], moved_on: Callable[[], bool] | None = None) -> object:
    """What a person decides who does ``press`` when asked."""
    thread, results = in_thread(lambda: Human(screen.bridge, moved_on).decide(TURN))
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
    was_asked: list[bool] = []
    assert isinstance(decided(screen, lambda _question: was_asked.append(screen.bridge.leave())), LeftError)
    assert was_asked == [True]
    assert not screen.bridge.leave()
    for wait in (screen.bridge.wait_for_next_hand, lambda: screen.bridge.pause(1000), lambda: screen.bridge.ask(TURN)):
        with pytest.raises(LeftError, match="has left"):
            wait()


def test_question_ends_when_the_dealer_goes_on() -> None:
    screen = Screen()
    assert decided(screen, lambda _question: None, lambda: True) == FOLD
    assert screen.news.get(timeout=PATIENCE) == TooLate()


def test_the_next_hand_waits_for_the_person() -> None:
    screen = Screen()
    thread, results = in_thread(screen.bridge.wait_for_next_hand)
    news = screen.news.get(timeout=PATIENCE)
    assert isinstance(news, Waiting)
    go_on: Action | None = None
    screen.bridge.answer(news.number, go_on)
    thread.join(PATIENCE)
    assert results == [None]
