"""The bridge between the thread that plays and the thread of the screen.

Questions are numbered, and an answer names its question. So a key pressed twice cannot answer the next question.
"""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Event
from typing import Any, Protocol

import anyio
import anyio.to_thread

from bots.human.updates import Asked, News, Waiting
from bots.strategy import StrategyError
from dealer.audit.decision_value.situation import Situation
from protocol.games.base import FOLD, Action, Turn
from protocol.wire.messages import GameInfo


class LeftError(StrategyError):
    """The person has left the table."""


class ThreadBridge:
    """Carries news to the screen, and the person's answers back.

    Args:
        post: takes news to the screen, from any thread, and does not wait.

    Attributes:
        put: see ``Asked``; set by the game before each question.
        situation: what the coach may know at the next question; set by a game that has a coach.
    """

    def __init__(self, post: Callable[[News], object]) -> None:
        self.post = post
        self.put: int | None = None
        self.situation: Situation | None = None
        self._left = Event()
        self._hurried = Event()
        self._answers: SimpleQueue[tuple[int, Action | None]] = SimpleQueue()
        self._number = 0

    def ask(self, turn: Turn) -> Action:
        """Wait for the person's answer; called by the game.

        Raises:
            LeftError: the person has left.
        """
        self.pause(0)
        self._number += 1
        self.post(Asked(self._number, turn, self.put, self.situation))
        action = self._wait()
        return FOLD if action is None else action

    def wait_for_next_hand(self) -> None:
        """Wait until the person wants to go on; called by the game.

        Raises:
            LeftError: the person has left.
        """
        self.pause(0)
        self._number += 1
        self.post(Waiting(self._number))
        self._wait()

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

    def leave(self) -> None:
        """Leave; called by the screen, as often as it likes."""
        self._left.set()
        self._hurried.set()
        self._answers.put((0, None))

    @property
    def left(self) -> bool:
        """Whether the person has left."""
        return self._left.is_set()

    def _wait(self) -> Action | None:
        self._hurried.clear()  # "no more pauses" ends with the next question
        while True:
            number, action = self._answers.get()
            self.pause(0)  # raises if the person has left
            if number == self._number:
                return action


class Human:
    """A person as a strategy like any other: it decides as soon as the person at the screen has decided."""

    def __init__(self, bridge: ThreadBridge) -> None:
        self._bridge = bridge

    def game_begins(self, info: GameInfo) -> None:
        """Nothing to do: the program that runs the game shows this on the screen."""

    def decide(self, turn: Turn) -> Action:
        """Ask the person, however long it takes.

        Raises:
            LeftError: the person has left.
        """
        return self._bridge.ask(turn)

    def hand_over(self, status: Any) -> None:
        """Nothing to do: the program that runs the game shows this on the screen."""


class BlockingGame(Protocol):
    """A game that plays in a thread of its own."""

    def run(self) -> None:
        """Play until it ends, which it reports over the bridge."""


class ThreadPlay:
    """A person's seat in a game that blocks its thread.

    Args:
        seat: makes the game that a bridge leads to, in that thread, since its bots may take seconds to load.
        post: takes news from any thread, and does not wait.
    """

    def __init__(self, seat: Callable[[ThreadBridge], BlockingGame], post: Callable[[News], object]) -> None:
        self._seat = seat
        self._bridge = ThreadBridge(post)
        self._game: BlockingGame | None = None
        self._thread = anyio.CapacityLimiter(1)
        self.answer = self._bridge.answer
        self.hurry = self._bridge.hurry

    @property
    def left(self) -> bool:
        """Whether the person has left."""
        return self._bridge.left

    def leave(self, *, stays: bool = False) -> None:
        """See ``Play.leave``. Nobody keeps a seat here."""
        self._bridge.leave()

    async def run(self) -> None:
        """Play one game; the next call plays another between the same players."""
        await anyio.to_thread.run_sync(self._run, abandon_on_cancel=True, limiter=self._thread)

    def _run(self) -> None:
        self._game = self._game or self._seat(self._bridge)
        self._game.run()


class Play(Protocol):
    """A person's seat in a game, as a screen uses it. All methods are called in its event loop."""

    @property
    def left(self) -> bool:
        """Whether the person has left."""

    async def run(self) -> None:
        """Play until the game ends; news tell what happens, and the last one that it has ended."""

    def answer(self, number: int, action: Action | None) -> None:
        """Answer question ``number``, or (None) go on to the next hand; nothing if that is not open any more."""

    def hurry(self) -> None:
        """No more pauses until the person is asked again, or the hand is over."""

    def leave(self, *, stays: bool = False) -> None:
        """Leave the table; the game ends soon.

        Args:
            stays: whether only the page ends, and the person keeps the seat where a dealer keeps it for a while.
        """


#: Makes a person's seat, which posts news from any thread.
MakePlay = Callable[[Callable[[News], object]], Play]
