"""One person's seat, kept while browsers come and go: what the page shows, put together from the news of the game."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import structlog
import trio

from bots.human.answers import CallsToTheEnd
from bots.human.coach.review import Decision
from bots.human.game_seat import GameSeat, load_seat
from bots.human.narration import stopping_text
from bots.human.play_statistics import Rows
from bots.human.seat_names import NO_NAMES, Around, Company, InLobby, SeatNames, seat_names
from bots.human.session_record import SessionRecord
from bots.human.thread_bridge import LatePlay, ThreadBridge
from bots.human.updates import (
    CUT_OFF,
    TOO_LATE,
    Asked,
    Begun,
    Chips,
    CutOff,
    Ended,
    News,
    Said,
    Scene,
    Shown,
    Spot,
    TooLate,
    Waiting,
)
from bots.human.web.assistance import Assistance, Workshop
from bots.human.web.facts import game_facts, question_facts, scene_facts
from bots.human.web.orders import Act, refused
from bots.human.web.room import Table
from protocol.games.base import Action

#: Lines that are kept.
HISTORY_LINES = 500


class History:
    """The history of the game under way.

    Attributes:
        said: how many lines there have been, those of earlier games included.
        first: what ``said`` was when this game began.
        names: of the seats, as the lines have them.
    """

    def __init__(self) -> None:
        self.said = 0
        self.clear()

    def clear(self) -> None:
        """Begin that of the next game."""
        self._lines: deque[str] = deque(maxlen=HISTORY_LINES)
        self._held: list[str] = []
        self.said += 1  # a browser that has the lines of the last game is told those of the next from its first on
        self.first = self.said
        self.names: SeatNames = NO_NAMES

    def say(self, line: str) -> None:
        self._lines.append(line)
        self.said += 1

    def hold(self, line: str) -> None:
        """Keep a line until the next scene: with the scene it is known which names the seats have."""
        self._held.append(line)

    def tell_held(self) -> None:
        """Add the lines that were kept."""
        for line in self._held:
            self.say(self.names.in_line(line))
        self._held.clear()

    def since(self, known: int) -> Sequence[str]:
        """The lines behind the first ``known`` ones, as far as they are kept."""
        return list(self._lines)[max(len(self._lines) - (self.said - known), 0) :]


class GameThread:
    """Plays at a table, one game after the other.

    Args:
        table: where the seat is.
        hear: takes news, in the event loop.

    Attributes:
        bridge: takes the person's answers to the thread.
    """

    def __init__(self, table: Table, hear: Callable[[News], None]) -> None:
        self._hear = hear
        self._loop = trio.lowlevel.current_trio_token()
        counting = table.counting
        self.bridge = ThreadBridge(self._post if counting is None else counting.telling(self._post))
        self._play = LatePlay(table.seat, self.bridge)

    async def run(self, threads: trio.CapacityLimiter) -> None:
        await trio.to_thread.run_sync(self._play.run, abandon_on_cancel=True, limiter=threads)

    def leave(self) -> None:
        """Leave the table; the game ends soon."""
        self._play.leave()

    def _post(self, news: News) -> None:
        """Take news from the thread that plays; none after the end of the event loop."""
        with suppress(trio.RunFinishedError):
            self._loop.run_sync_soon(self._hear, news)


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

#: Seconds between two looks at who waits for the start.
LOOK_SECONDS = 1.0

#: Seconds for which a person's turn waits for names.
NAMES_SECONDS = 0.5

#: What a person reads whose game failed by a mistake of this program.
FAILED = "The game cannot go on; the log of the program that serves this page says why."


class Known(NamedTuple):
    """How much of what only grows a browser has: lines of the history, and numbers of the chip curve."""

    lines: int = 0
    chips: int = 0


class Session:
    """A seat. All methods are called in the event loop; the game plays in a thread of its own.

    Args:
        token: by which a browser finds it again.
        table: where the seat is.
        workshop: where chances, advice and reviews are worked out.

    Attributes:
        record: of the game under way, or of the last one.
        viewer: the browser that shows the seat.
        assistance: what is worked out for the person in the game under way, or in the last one.
        ended: how the game ended; None before that.
    """

    def __init__(self, token: str, table: Table, workshop: Workshop) -> None:
        self.token = token
        self._workshop = workshop
        self.table = table
        self.record = SessionRecord(table.title, elsewhere=table.elsewhere)
        self.viewer = Viewer()
        self._thread = GameThread(table, self.hear)
        self._seat: GameSeat | None = None
        self._history = History()
        self._clear()

    def _clear(self) -> None:
        """Forget the last game."""
        self._game: dict[str, Any] | None = None
        self._here: InLobby | None = None
        self._taken = False
        self._scene: Scene | None = None
        self._last: Scene | None = None
        self._unnamed: Scene | None = None  # the first turn of a hand, until the dealer has told names
        self._turns = trio.Event()
        self._asked: Asked | None = None
        self._due = 0.0
        self._hurried = 0
        self._waiting: int | None = None
        self.assistance = Assistance(self._workshop, lambda: self._asked, self._history.say, self.viewer.wake)
        self._calls = CallsToTheEnd()
        self._statistics: Rows | None = None
        self.ended: Ended | None = None

    async def run(self, threads: trio.CapacityLimiter) -> None:
        """Play one game. A mistake of this program ends the game and nothing else."""
        if self.ended is not None:
            self.record = SessionRecord(self.table.title)
            self.assistance.stop_review()
            self._history.clear()
            self._clear()
            self.viewer.wake()
        try:
            async with trio.open_nursery() as nursery:
                if self.table.around is not None:
                    nursery.start_soon(self._watch_dealer, self.table.around)
                await self._thread.run(threads)
                nursery.cancel_scope.cancel()
        except Exception:
            log.exception("a person's game failed")
        if self.ended is None:
            self.hear(Ended(FAILED))

    async def _watch_dealer(self, ask: Callable[[], Awaitable[Around]]) -> None:
        """Show who is around at a dealer's table, and that less time is left than usual.

        The dealer is asked every second, and at each turn of the person: then nobody else moves, so what it answers is
        about the hand that the person sees.
        """
        while True:
            unnamed, around = self._unnamed, Around()
            with trio.move_on_after(NAMES_SECONDS):
                around = await ask()
            if unnamed is not None and unnamed is self._unnamed:
                self._name_seats(unnamed, around.hand)
            here = around.lobby
            taken = self._taken or here is not None or around.hand is not None
            if (here, taken) != (self._here, self._taken):
                self._here, self._taken = here, taken
                self.viewer.wake()
            self._hurry(around.hurry)
            if around.left is not None:
                self._correct_clock(trio.current_time() + around.left)
            with trio.move_on_after(LOOK_SECONDS):
                await self._turns.wait()
            self._turns = trio.Event()

    def _name_seats(self, scene: Scene, company: Company | None) -> None:
        """Tell the person's turn, and what was held back until then, with the names of the hand."""
        self._unnamed = None
        self._history.names = names = seat_names(scene, company)
        self._scene = self._scene and names.in_scene(self._scene)
        self._history.tell_held()
        self.viewer.wake()

    def _correct_clock(self, due: float) -> None:
        """Show when the answer is due to a question that was asked again, perhaps at another page before."""
        if self._asked is not None and abs(due - self._due) > LOOK_SECONDS:
            self._due = due
            self.viewer.wake()

    def _hurry(self, seconds: float | None) -> None:
        """Tell the person once for each question that only so many seconds are left; None if the dealer goes on."""
        asked = self._asked
        if seconds is not None and asked is not None and asked.number != self._hurried:
            self._hurried = asked.number
            self._due = trio.current_time() + seconds
            self._history.say(stopping_text(seconds))
            self.viewer.wake()

    def hear(self, news: News) -> None:
        """Take over what has happened."""
        match news:
            case Begun(game):
                self._seat = load_seat(game.name)
                self._game = game_facts(game, self._seat)
            case Shown(scene, spot):
                self._show(scene, spot)
            case Said(line):
                self._history.hold(line)
            case Chips(stack):
                self._calls.stop()
                self.record.chips.append(stack)
                self.record.stack = stack
            case Asked() as asked:
                self._ask(asked)
            case CutOff():
                self._asked = None
                self._history.say(CUT_OFF)
            case TooLate():
                self._asked = None
                self._history.say(TOO_LATE)
            case Waiting(number):
                self._waiting = number
            case Ended() as ended:
                self._asked = self._waiting = None
                self.ended = ended
                self.record.reason = ended.reason
        if not isinstance(news, Said) and (self._unnamed is None or isinstance(news, Ended)):
            self._history.tell_held()
            self.viewer.wake()

    def _ask(self, asked: Asked) -> None:
        """The person's turn; one who calls to the end of the hand has answered already."""
        self._asked = asked
        self.assistance.forget_advice()
        self._due = trio.current_time() + (self.table.limit or 0.0)
        if action := self._calls.answer(asked):
            self._answer(asked, action)

    def _show(self, scene: Scene, spot: Spot | None) -> None:
        history = self._history
        self._scene = scene = history.names.in_scene(scene)
        if self.table.elsewhere and scene.to_act == scene.me and scene.hand != history.names.hand:
            self._unnamed = scene
            self._turns.set()
        if scene.headline:
            self._last = scene
        self.record.hand = scene.hand
        if scene.seats[scene.me].stack is not None:
            self.record.stack = scene.seats[scene.me].stack
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
        self._thread.bridge.answer(asked.number, action)

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
            self._thread.bridge.answer(number, None)
            self.viewer.wake()

    def hurry(self) -> None:
        """No more pauses until the person is asked again."""
        self._thread.bridge.hurry()

    def leave(self) -> None:
        """Leave the table; the game ends soon."""
        self._asked = self._waiting = None
        self._thread.leave()
        self.viewer.wake()

    def close(self) -> None:
        """End the game because the page ends. A dealer keeps the person's seat for a while."""
        self._thread.bridge.stays = True
        self.leave()

    @property
    def left(self) -> bool:
        """Whether the person has left."""
        return self._thread.bridge.left

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
        asked, table = None if self._unnamed else self._asked, self.table
        return {
            "type": "state",
            "token": self.token,
            "title": table.title,
            "id": table.id,
            "avatar": table.avatar,
            "elsewhere": table.elsewhere,
            "taken": self._taken or self._scene is not None,
            "game": self._game,
            "here": self._here if self._scene is None else None,
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
