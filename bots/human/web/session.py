"""One person's seat, kept while browsers come and go: what the page shows, put together from the news of the game."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import structlog
import trio
from msgspec import to_builtins

from bots.human.answers import CallsToTheEnd
from bots.human.coach.review import Decision
from bots.human.game_seat import GameSeat, load_seat
from bots.human.narration import stopping_text
from bots.human.odds import Spot
from bots.human.play_statistics import Rows
from bots.human.session_record import SessionRecord
from bots.human.updates import (
    CUT_OFF,
    TOO_LATE,
    Asked,
    Begun,
    Chips,
    CutOff,
    Ended,
    News,
    PersonScene,
    Said,
    Shown,
    TooLate,
    Waiting,
)
from bots.human.web.assistance import Assistance, Workshop
from bots.human.web.facts import game_facts, question_facts, scene_facts
from bots.human.web.orders import Act, refused
from bots.human.web.room import Table
from protocol.games.base import Action
from protocol.person_events import AnswerDue, InLobby

#: Lines that are kept.
HISTORY_LINES = 500


class History:
    """The history of the game under way.

    Attributes:
        said: how many lines there have been, those of earlier games included.
        first: what ``said`` was when this game began.
    """

    def __init__(self) -> None:
        self.said = 0
        self.clear()

    def clear(self) -> None:
        """Begin that of the next game."""
        self._lines: deque[str] = deque(maxlen=HISTORY_LINES)
        self.said += 1  # a browser that has the lines of the last game is told those of the next from its first on
        self.first = self.said

    def say(self, line: str) -> None:
        self._lines.append(line)
        self.said += 1

    def since(self, known: int) -> Sequence[str]:
        """The lines behind the first ``known`` ones, as far as they are kept."""
        return list(self._lines)[max(len(self._lines) - (self.said - known), 0) :]


class Viewer:
    """The browser at a seat, which comes and goes.

    Attributes:
        absent_since: the trio time since which no browser has been there; None while one is.
    """

    def __init__(self) -> None:
        self.absent_since: float | None = trio.current_time()
        self._browser: tuple[Callable[[], None], Callable[[], None]] | None = None

    def attach(self, wake: Callable[[], None], give_up: Callable[[], None]) -> None:
        """Take a browser, which is to show what the person sees; the one before has to give up the seat.

        Args:
            wake: called when something has changed.
            give_up: called when another browser takes the seat.
        """
        if self._browser is not None:
            self._browser[1]()
        self._browser, self.absent_since = (wake, give_up), None

    def detach(self, wake: Callable[[], None]) -> None:
        """Let the browser go that has this ``wake``, unless another one has taken the seat."""
        if self._browser is not None and self._browser[0] == wake:
            self._browser, self.absent_since = None, trio.current_time()

    def wake(self) -> None:
        """Tell the browser, if there is one, that something has changed."""
        if self._browser is not None:
            self._browser[0]()


log = structlog.get_logger()

#: What a person reads whose game failed by a mistake of this program.
FAILED = "The game cannot go on; the log of the program that serves this page says why."


class Known(NamedTuple):
    """How much of what only grows a browser has: lines of the history, and numbers of the chip curve."""

    lines: int = 0
    chips: int = 0


class Session:
    """A seat. All methods are called in the event loop.

    Args:
        token: by which a browser finds it again.
        table: where the seat is.
        workshop: where chances, advice and reviews are worked out.
        host: the address of the browser that sat down.

    Attributes:
        record: of the game under way, or of the last one.
        viewer: the browser that shows the seat.
        assistance: what is worked out for the person in the game under way, or in the last one.
        ended: how the game ended; None before that.
    """

    def __init__(self, token: str, table: Table, workshop: Workshop, host: str) -> None:
        self.token = token
        self.host = host
        self._workshop = workshop
        self.table = table
        self.record = SessionRecord(table.title)
        self.viewer = Viewer()
        self._loop = trio.lowlevel.current_trio_token()
        post = self._post if table.counting is None else table.counting.telling(self._post)
        self._play = table.make_play(post)
        self._seat: GameSeat | None = None
        self._history = History()
        self._ends = trio.Event()  # the game under way
        self._clear()

    def _clear(self) -> None:
        """Forget the last game."""
        self._game: dict[str, Any] | None = None
        self._here: InLobby | None = None
        self._scene: PersonScene | None = None
        self._last: PersonScene | None = None
        self._asked: Asked | None = None
        self._due = 0.0
        self._hurried = False
        self._waiting: int | None = None
        self.assistance = Assistance(self._workshop, lambda: self._asked, self._history.say, self.viewer.wake)
        self._calls = CallsToTheEnd()
        self._statistics: Rows | None = None
        self.ended: Ended | None = None

    async def run(self) -> None:
        """Play one game. A mistake of this program ends the game and nothing else."""
        if self.ended is not None:
            self.record = SessionRecord(self.table.title)
            self.assistance.stop_review()
            self._history.clear()
            self._clear()
            self.viewer.wake()
        self._ends = trio.Event()
        try:
            await self._play.run()
        except Exception:
            log.exception("a person's game failed")
            self.hear(Ended(FAILED))
        await self._ends.wait()

    def _post(self, news: News) -> None:
        """Take news from any thread; none after the end of the event loop."""
        with suppress(trio.RunFinishedError):
            self._loop.run_sync_soon(self.hear, news)

    def hear(self, news: News) -> None:
        """Take over what has happened."""
        match news:
            case Begun(game):
                self._seat = load_seat(game.name)
                self._game = game_facts(game, self._seat)
            case Shown(scene, spot):
                self._show(scene, spot)
            case Said(line):
                self._history.say(line)
            case Chips(stack):
                self._calls.stop()
                self.record.chips.append(stack)
                self.record.stack = stack
            case InLobby():
                self._here = news
            case Asked() | AnswerDue() | CutOff() | TooLate() | Waiting():
                self._hear_of_turn(news)
            case Ended() as ended:
                self._asked = self._waiting = None
                self.ended = ended
                self.record.reason = ended.reason
                self._ends.set()
        if not isinstance(news, Said):  # what it tells comes next
            self.viewer.wake()

    def _hear_of_turn(self, news: Asked | AnswerDue | CutOff | TooLate | Waiting) -> None:
        match news:
            case Asked():
                self._ask(news)
            case AnswerDue(seconds=seconds, stops=stops):
                self._due = trio.current_time() + seconds
                if stops and self._asked is not None and not self._hurried:
                    self._hurried = True
                    self._history.say(stopping_text(seconds))
            case CutOff():
                self._asked = None
                self._history.say(CUT_OFF)
            case TooLate():
                self._asked = None
                self._history.say(TOO_LATE)
            case Waiting(number):
                self._waiting = number

    def _ask(self, asked: Asked) -> None:
        """The person's turn; one who calls to the end of the hand has answered already."""
        self._asked, self._hurried = asked, False
        self.assistance.forget_advice()
        self._due = trio.current_time() + (self.table.limit or 0.0)
        if action := self._calls.answer(asked):
            self._answer(asked, action)

    def _show(self, scene: PersonScene, spot: Spot | None) -> None:
        self._scene = scene
        if scene.headline:
            self._last = scene
        self.record.hand = scene.hand
        if scene.table.seats[scene.me].stack is not None:
            self.record.stack = scene.table.seats[scene.me].stack
        self.assistance.show(spot)

    def act(self, order: Act) -> str | None:
        """Answer the open question, if it is the one that the order names; returns why that is not allowed, if so."""
        asked = self._asked
        if asked is None or asked.number != order.number:
            return None  # pressed twice, or too late
        if refusal := refused(asked.turn.legal(), order.action):
            return refusal
        if line := self.assistance.cost_line(order.action):
            self._history.say(line)
        self._answer(asked, order.action)
        self.viewer.wake()
        return None

    def _answer(self, asked: Asked, action: Action) -> None:
        if asked.situation is not None:
            self.record.decisions.append(Decision(self.record.hand, asked.situation, action))
        self._asked = None
        self.assistance.forget_advice()
        self._play.answer(asked.number, action)

    def call_to_the_end(self) -> None:
        """Check and call to the end of the hand; or stop doing so."""
        if self._waiting is not None:
            return
        self._history.say(self._calls.switch("press it again to stop"))
        if self._asked is not None and (action := self._calls.answer(self._asked)):
            self._answer(self._asked, action)
        self.viewer.wake()

    def next_hand(self, number: int) -> None:
        """Go on to the next hand, if the pause is the one that is meant."""
        if self._waiting == number:
            self._waiting = None
            self._play.answer(number, None)
            self.viewer.wake()

    def hurry(self) -> None:
        """No more pauses until the person is asked again."""
        self._play.hurry()

    def leave(self, *, stays: bool = False) -> None:
        """Leave the table; the game ends soon. See ``Play.leave``."""
        self._asked = self._waiting = None
        self._play.leave(stays=stays)
        self.viewer.wake()

    def close(self) -> None:
        """End the game because the page ends. A dealer keeps the person's seat for a while."""
        self.leave(stays=True)

    @property
    def left(self) -> bool:
        """Whether the person has left."""
        return self._play.left

    def show_statistics(self, statistics: Rows) -> None:
        """Show what the person has won in this game so far, after its end."""
        self._statistics = statistics
        self.viewer.wake()

    def known(self) -> Known:
        """How much there is now of what only grows."""
        return Known(self._history.said, len(self.record.chips))

    def state(self, known: Known) -> dict[str, Any]:
        """What the page shows, with the lines and chips that a browser does not have yet."""
        fresh = known.lines < self._history.first  # the browser knows nothing of this game yet
        known = Known(self._history.first) if fresh else known
        asked, table = self._asked, self.table
        return {
            "type": "state",
            "token": self.token,
            "title": table.title,
            "id": table.name.id if table.name else "",
            "avatar": table.name.avatar if table.name else "",
            "elsewhere": table.elsewhere,
            "taken": self._here is not None or self._scene is not None,
            "game": self._game,
            "here": to_builtins(self._here) if self._here and not self._scene else None,
            "scene": self._scene and scene_facts(self._scene),
            "last": self._last and scene_facts(self._last),
            "stack": self.record.stack,
            "asked": asked and self._seat and question_facts(asked, self._seat),
            "secondsLeft": None if asked is None or table.limit is None else self._due - trio.current_time(),
            "seconds": table.limit,
            "waiting": self._waiting,
            **self.assistance.facts(),
            "calls": self._calls.on,
            "canReview": bool(self.record.decisions),
            "statistics": self._statistics,
            "lines": self._history.since(known.lines),
            "chips": self.record.chips[known.chips :],
            "fresh": fresh,
            "ended": self.ended and {"words": self.record.words, "again": self.ended.again},
        }
