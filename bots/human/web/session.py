"""One person's seat, kept while browsers come and go: what the page shows, put together from the news of the game."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import structlog
import trio

from bots.human.calling import CallsToTheEnd
from bots.human.coach.advice import Advice
from bots.human.coach.review import Decision
from bots.human.game_seat import GameSeat, load_seat
from bots.human.narration import stopping_text
from bots.human.odds import Chances
from bots.human.play_statistics import Rows
from bots.human.seat_names import NO_NAMES, InLobby, seat_names
from bots.human.session_record import Play, SessionRecord
from bots.human.thread_bridge import ThreadBridge
from bots.human.updates import Asked, Begun, Chips, Ended, News, Said, Scene, Shown, Spot, TooLate, Waiting
from bots.human.web.facts import advice_facts, chances_facts, game_facts, question_facts, scene_facts
from bots.human.web.orders import Act
from bots.human.web.review_state import ReviewState
from bots.human.web.room import Table
from protocol.games.base import Action, Bet

log = structlog.get_logger()

#: Lines of the history that are kept.
HISTORY_LINES = 500

TOO_LATE = "Too late: the dealer has gone on without you."

#: Seconds between two looks at who waits for the start.
LOOK_SECONDS = 1.0

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

    Attributes:
        token: see above.
        table: see above.
        record: of the game under way, or of the last one.
        absent_since: the trio time since which no browser has been there; None while one is.
    """

    def __init__(self, token: str, table: Table) -> None:
        self.token = token
        self.table = table
        self.record = SessionRecord(table.title, elsewhere=table.elsewhere)
        self._browser: tuple[Callable[[], None], Callable[[], None]] | None = None
        self.absent_since: float | None = trio.current_time()
        self._loop = trio.lowlevel.current_trio_token()
        counting = table.counting
        self._bridge = ThreadBridge(self._post if counting is None else counting.telling(self._post))
        self._play: Play | None = None
        self._seat: GameSeat | None = None
        self._said = 0
        self._clear()

    def _clear(self) -> None:
        """Forget the last game."""
        self._game: dict[str, Any] | None = None
        self._lines: deque[str] = deque(maxlen=HISTORY_LINES)
        self._said += 1  # a browser that has the lines of the last game is told those of the next from its first on
        self._first = self._said
        self._held: list[str] = []
        self._names = NO_NAMES
        self._here: InLobby | None = None
        self._scene: Scene | None = None
        self._last: Scene | None = None
        self._spot: Spot | None = None
        self._asked: Asked | None = None
        self._due = 0.0
        self._hurried = 0
        self._waiting: int | None = None
        self._chances: Chances | None = None
        self._counting = False
        self._advice: Advice | None = None
        self._advising = False
        self._calls = CallsToTheEnd()
        self._review = ReviewState()
        self._statistics: Rows | None = None
        self.ended: Ended | None = None

    async def run(self, threads: trio.CapacityLimiter) -> None:
        """Play one game. A mistake of this program ends the game and nothing else."""
        if self.ended is not None:
            self.record = SessionRecord(self.table.title)
            self._review.scope.cancel()
            self._clear()
            self._changed()
        try:
            async with trio.open_nursery() as nursery:
                if self.table.elsewhere:
                    nursery.start_soon(self._watch_dealer)
                await trio.to_thread.run_sync(self._play_here, abandon_on_cancel=True, limiter=threads)
                nursery.cancel_scope.cancel()
        except Exception:
            log.exception("a person's game failed")
        if self.ended is None:
            self.hear(Ended(FAILED))

    async def _watch_dealer(self) -> None:
        """Show who waits for the start of a dealer's table, and that less time is left once the dealer stops."""
        while True:
            here = self.table.waiting()
            if here != self._here:
                self._here = here
                self._changed()
            self._hurry(self.table.hurry())
            await trio.sleep(LOOK_SECONDS)

    def _hurry(self, seconds: float | None) -> None:
        """Tell the person once for each question that only so many seconds are left; None if the dealer goes on."""
        asked = self._asked
        if seconds is not None and asked is not None and asked.number != self._hurried:
            self._hurried = asked.number
            self._due = trio.current_time() + seconds
            self._say(stopping_text(seconds))
            self._changed()

    def _play_here(self) -> None:
        play = self._play or self._table_play()
        play.run()

    def _table_play(self) -> Play:
        """The game at the table, made at the first hand, since it may take a while to load what its bots need."""
        self._play = play = self.table.seat(self._bridge)
        if self._bridge.left:
            play.leave()
        return play

    def _post(self, news: News) -> None:
        """Take news from the thread that plays; none after the end of the event loop."""
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
                self._held.append(line)
            case Chips(stack):
                self._calls.stop()
                self.record.chips.append(stack)
                self.record.stack = stack
            case Asked() as asked:
                self._ask(asked)
            case TooLate():
                self._asked = None
                self._say(TOO_LATE)
            case Waiting(number):
                self._waiting = number
            case Ended() as ended:
                self._asked = self._waiting = None
                self.ended = ended
                self.record.reason = ended.reason
        if not isinstance(news, Said):
            self._tell_held()
            self._changed()

    def _ask(self, asked: Asked) -> None:
        """The person's turn; one who calls to the end of the hand has answered already."""
        self._asked = asked
        self._forget_advice()
        self._due = trio.current_time() + (self.table.limit or 0.0)
        if action := self._calls.answer(asked):
            self._answer(asked, action)

    def _tell_held(self) -> None:
        """Add the lines that came since the last scene: with the scene it is known which names the seats have."""
        for line in self._held:
            self._say(self._names.in_line(line))
        self._held.clear()

    def _say(self, line: str) -> None:
        self._lines.append(line)
        self._said += 1

    def _show(self, scene: Scene, spot: Spot | None) -> None:
        if scene.to_act == scene.me and scene.hand != self._names.hand:
            self._names = seat_names(scene, self.table.company())
        self._scene = scene = self._names.in_scene(scene)
        if scene.headline:
            self._last = scene
        self.record.hand = scene.hand
        if scene.seats[scene.me].stack is not None:
            self.record.stack = scene.seats[scene.me].stack
        if spot is None or self._spot is None or spot.cards != self._spot.cards:
            self._chances, self._counting = None, False
        self._spot = spot

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

    def _changed(self) -> None:
        if self._browser is not None:
            self._browser[0]()

    def act(self, order: Act) -> str | None:
        """Answer the open question, if it is the one that the order names; returns why that is not allowed, if so."""
        asked = self._asked
        if asked is None or asked.number != order.number:
            return None  # pressed twice, or too late
        legal = asked.turn.legal()
        if order.action not in legal:
            amount = order.action.amount if isinstance(order.action, Bet) else 0
            allowed = [f"{legal.to_call} to call"] if legal.call else []
            allowed += [f"{legal.raises[0]} to {legal.raises[-1]}"] if legal.raises else []
            allowed += ["a fold"] if legal.fold else []
            return f"{amount} chips are not allowed now; allowed are {', '.join(allowed)}"
        if self._advice is not None and (line := self._advice.cost_line(order.action)):
            self._say(line)
        self._answer(asked, order.action)
        self._changed()
        return None

    def _answer(self, asked: Asked, action: Action) -> None:
        if asked.situation is not None:
            self.record.decisions.append(Decision(self.record.hand, asked.situation, action))
        self._asked = None
        self._forget_advice()
        self._bridge.answer(asked.number, action)

    def call_to_the_end(self) -> None:
        """Check and call to the end of the hand; or stop doing so."""
        if self._waiting is not None:
            return
        self._say(self._calls.switch("press it again to stop"))
        if self._asked is not None and (action := self._calls.answer(self._asked)):
            self._answer(self._asked, action)
        self._changed()

    def next_hand(self, number: int) -> None:
        """Go on to the next hand, if the pause is the one that is meant."""
        if self._waiting == number:
            self._waiting = None
            self._bridge.answer(number, None)
            self._changed()

    def hurry(self) -> None:
        """No more pauses until the person is asked again."""
        self._bridge.hurry()

    def leave(self) -> None:
        """Leave the table; the game ends soon."""
        self._asked = self._waiting = None
        if self._play is None:
            self._bridge.leave()
        else:
            self._play.leave()
        self._changed()

    @property
    def left(self) -> bool:
        """Whether the person has left."""
        return self._bridge.left

    def begin_to_count(self) -> Spot | None:
        """What the person's chances are to be counted from; None if they are known, counted already, or there are none.

        Call ``counted`` with the same value when they are.
        """
        if self._spot is None or self._counting or self._chances is not None:
            return None
        self._counting = True
        self._changed()
        return self._spot

    def counted(self, spot: Spot, chances: Chances | None) -> None:
        """Show the chances, unless a card has changed meanwhile; None if they could not be counted."""
        if self._spot is not None and self._spot.cards == spot.cards:
            self._chances, self._counting = chances, False
            self._changed()

    def begin_to_advise(self) -> Asked | None:
        """The question that the coach is to look at; None if it has, if it does so already, or if there is no coach.

        Call ``advised`` with the same question when it has.
        """
        asked = self._asked
        if asked is None or asked.situation is None or self._advising or self._advice is not None:
            return None
        self._advising = True
        self._changed()
        return asked

    def advised(self, asked: Asked, advice: Advice | str | None) -> None:
        """Show the coach's advice, or say why there is none, unless the question is closed.

        ``advice`` is None if its process failed.
        """
        if asked is not self._asked:
            return
        self._forget_advice()
        if isinstance(advice, Advice):
            self._advice = advice
        else:
            self._say(advice or "The coach could not look at this question.")
        self._changed()

    def _forget_advice(self) -> None:
        self._advice, self._advising = None, False

    def begin_to_review(self) -> tuple[Sequence[Decision], ReviewState] | None:
        """The decisions that are to be reviewed; None if they are already, or if there are none.

        Tell the state how far the review is, and call ``reviewed`` after that.
        """
        begins = self._review.begin(self.record.decisions)
        self._changed()
        return ([*self.record.decisions], self._review) if begins else None

    def reviewed(self) -> None:
        """Show what is new of the review."""
        self._changed()

    def stop_review(self) -> None:
        """Stop the review under way; nobody waits for it."""
        self._review.scope.cancel()

    def show_statistics(self, statistics: Rows) -> None:
        """Show what the person has won in this game so far, after its end."""
        self._statistics = statistics
        self._changed()

    def known(self) -> Known:
        """How much there is now of what only grows."""
        return Known(self._said, len(self.record.chips))

    def state(self, known: Known) -> dict[str, Any]:
        """What the page shows, with the lines and chips that a browser does not have yet."""
        fresh = known.lines < self._first  # the browser knows nothing of this game yet
        known = Known(self._first) if fresh else known
        lines, new = list(self._lines), self._said - known.lines
        asked, table = self._asked, self.table
        return {
            "type": "state",
            "token": self.token,
            "title": table.title,
            "id": table.id,
            "avatar": table.avatar,
            "elsewhere": table.elsewhere,
            "game": self._game,
            "here": self._here if self._scene is None else None,
            "scene": self._scene and scene_facts(self._scene),
            "last": self._last and scene_facts(self._last),
            "stack": self.record.stack,
            "asked": asked and self._seat and question_facts(asked, self._seat),
            "secondsLeft": None if asked is None or table.limit is None else self._due - trio.current_time(),
            "seconds": table.limit,
            "waiting": self._waiting,
            "canCount": self._spot is not None,
            "counting": self._counting,
            "chances": self._chances and chances_facts(self._chances),
            "canAsk": asked is not None and asked.situation is not None,
            "advising": self._advising,
            "advice": self._advice and advice_facts(self._advice),
            "calls": self._calls.on,
            "canReview": bool(self.record.decisions),
            "review": self._review.facts,
            "statistics": self._statistics,
            "lines": lines[max(len(lines) - new, 0) :],
            "chips": self.record.chips[known.chips :],
            "fresh": fresh,
            "ended": self.ended and {"words": self.record.words, "again": self.ended.again},
        }
