"""The bridge between the thread that plays and the thread of the screen.

Questions are numbered, and an answer names its question. So a key pressed twice cannot answer the next question.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import Any, Protocol

from bots.human.updates import Asked, News, TooLate, Waiting
from bots.strategy import StrategyError
from dealer.decision_value.situation import Situation
from protocol.games.base import FOLD, Action, Turn
from protocol.wire.messages import GameInfo

#: How often a game that waits for the person checks whether the dealer still waits, too.
LOOK_SECONDS = 0.2


class LeftError(StrategyError):
    """The person has left the table."""


class ThreadBridge:
    """Carries news to the screen, and the person's answers back.

    Args:
        post: takes news to the screen, from any thread, and does not wait.

    Attributes:
        situation: what the coach may know at the next question; set by a game that has a coach.
        stays: whether the person keeps the seat at a dealer's table: not the person leaves, but the page ends.
    """

    def __init__(self, post: Callable[[News], object]) -> None:
        self.post = post
        self.situation: Situation | None = None
        self.stays = False
        self._left = Event()
        self._hurried = Event()
        self._answers: SimpleQueue[tuple[int, Action | None]] = SimpleQueue()
        self._number = 0
        self._lock = Lock()
        self._asking = False

    def ask(self, turn: Turn, moved_on: Callable[[], bool] | None = None) -> Action:
        """Wait for the person's answer; called by the game.

        Args:
            moved_on: whether the dealer has stopped waiting. A fold is returned then, which has no effect.

        Raises:
            LeftError: the person has left.
        """
        with self._lock:  # so that `leave` knows for certain whether a question is open
            self.pause(0)
            self._asking = True
        try:
            self._number += 1
            self.post(Asked(self._number, turn, self.situation))
            action = self._wait(moved_on)
        finally:
            self._asking = False
        return FOLD if action is None else action

    def wait_for_next_hand(self) -> None:
        """Wait until the person wants to go on; called by the game.

        Raises:
            LeftError: the person has left.
        """
        self._number += 1
        self.post(Waiting(self._number))
        self._wait(None)

    def pause(self, seconds: float) -> None:
        """Wait, so that the person can follow, unless they asked for no more pauses; called by the game.

        Raises:
            LeftError: the person has left.
        """
        if seconds and not self._left.is_set():
            self._hurried.wait(seconds)
        if self._left.is_set():
            raise LeftError("the person has left")

    def hurry(self) -> None:
        """No more pauses until the person is asked again, or the hand is over; called by the screen."""
        self._hurried.set()

    def answer(self, number: int, action: Action | None) -> None:
        """Answer question ``number``, or (None) go on to the next hand; called by the screen.

        An answer to a question that is no longer open is ignored.
        """
        self._answers.put((number, action))

    def leave(self) -> bool:
        """Leave; called by the screen, as often as it likes. Returns whether a question was open, which that ends."""
        with self._lock:
            self._left.set()
            self._hurried.set()
            self._answers.put((0, None))
            return self._asking

    @property
    def left(self) -> bool:
        """Whether the person has left."""
        return self._left.is_set()

    def _wait(self, moved_on: Callable[[], bool] | None) -> Action | None:
        while True:
            try:
                self._hurried.clear()  # "no more pauses" ends with the next question
                number, action = self._answers.get(timeout=LOOK_SECONDS if moved_on else None)
            except Empty:
                if moved_on is None or not moved_on():
                    continue
                self.post(TooLate())
                return None
            self.pause(0)  # raises if the person has left
            if number == self._number:
                return action


class Human:
    """A person as a strategy like any other: it decides as soon as the person at the screen has decided.

    Args:
        moved_on: see ``ThreadBridge.ask``.
    """

    def __init__(self, bridge: ThreadBridge, moved_on: Callable[[], bool] | None = None) -> None:
        self._bridge = bridge
        self._moved_on = moved_on

    def game_begins(self, info: GameInfo) -> None:
        """Nothing to do: the program that runs the game shows this on the screen."""

    def decide(self, turn: Turn) -> Action:
        """Ask the person, however long it takes.

        Raises:
            LeftError: the person has left.
        """
        return self._bridge.ask(turn, self._moved_on)

    def hand_over(self, status: Any) -> None:
        """Nothing to do: the program that runs the game shows this on the screen."""


class Play(Protocol):
    """A game in a thread of its own."""

    def run(self) -> None:
        """Play until it ends, which it reports over the bridge; in a thread of its own."""

    def leave(self) -> None:
        """Let the person leave; may be called from any thread, more than once."""


class LatePlay:
    """Makes a game when it is first played, in the thread that plays it, since its bots may take seconds to load.

    Args:
        seat: makes the game that a bridge leads to.
    """

    def __init__(self, seat: Callable[[ThreadBridge], Play], bridge: ThreadBridge) -> None:
        self._seat = seat
        self._bridge = bridge
        self._play: Play | None = None

    def run(self) -> None:
        play = self._play or self._make()
        play.run()

    def leave(self) -> None:
        """A game that is not yet made ends as soon as it is."""
        if self._play is None:
            self._bridge.leave()
        if self._play is not None:  # it may have been made in the meantime
            self._play.leave()

    def _make(self) -> Play:
        self._play = play = self._seat(self._bridge)
        if self._bridge.left:
            play.leave()
        return play
