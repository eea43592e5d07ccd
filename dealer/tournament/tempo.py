"""How fast the tables of a tournament deal: at the host's pace, as a show needs it, or not at all during a pause."""

from collections.abc import Callable
from math import inf

import trio

from dealer.lobby.reconnect import Changes
from dealer.telling.scene import VISIBLE_SECONDS
from dealer.tournament.show_plan import SLOW_SECONDS, Outlook, ShowPlan

#: The slowest pace that a host can set, in seconds per hand.
SLOWEST_PACE = 5.0

#: Seconds of the shortest pause. A pace that the host makes faster than this plays without pauses.
FASTEST_PACE = 0.1

#: The longest show that a host can ask for, in minutes.
LONGEST_SHOW = 600.0

#: Seconds that a show gets at least which is overdue when the host makes it slower.
SHORTEST_SHOW = 60.0

#: The share of a slow hand in which its actions are shown; in the rest its result is seen.
ACTIONS = 0.7

#: The longest wait before an action, in seconds.
ACTION_SECONDS = 1.2


def tempo_in_words(show_left: float | None, pace: float) -> str:
    """How fast a tournament is, as the end of a sentence: "a show of 8.5 min", "as fast as it goes"."""
    if show_left is not None:
        return f"a show of {max(show_left, 0) / 60:.1f} min"
    return f"at {pace:.3g} s a hand" if pace else "as fast as it goes"


class Tempo:
    """How fast the tables of a tournament deal, as the host has set it.

    Args:
        outlook: tells how far the tournament is; needed for a show.
        clock: returns seconds; by default the trio time.

    Attributes:
        pace: seconds from the beginning of a hand to the beginning of the next one at the same table, at least; 0 is as
            fast as possible. A show plans its hands by itself.
        plan: of the show; None without one.
    """

    def __init__(
        self,
        outlook: Callable[[], Outlook] = lambda: Outlook(0, 0),
        clock: Callable[[], float] = trio.current_time,
    ) -> None:
        self.pace = 0.0
        self.plan: ShowPlan | None = None
        self._outlook = outlook
        self._clock = clock
        self._paused_at: float | None = None
        self._stepped = -inf
        self._ends = 0.0
        self._usual_actions = 6.0

    @property
    def paused(self) -> bool:
        """Whether no table deals, but for single steps. A pause does not shorten a show."""
        return self._paused_at is not None

    @paused.setter
    def paused(self, paused: bool) -> None:
        if paused and self._paused_at is None:
            self._paused_at = self._clock()
        elif not paused and self._paused_at is not None:
            self._ends += self._clock() - self._paused_at
            self._paused_at, self._stepped = None, -inf

    @property
    def may_wait(self) -> bool:
        """Whether ``action_wait`` may be more than 0, which is asked before every action: in a show or a pause."""
        return self.plan is not None or self._paused_at is not None

    @property
    def show_left(self) -> float | None:
        """Seconds that are left of the show, negative if it is overdue; None without one."""
        if self.plan is None:
            return None
        return self._ends - (self._clock() if self._paused_at is None else self._paused_at)

    @property
    def seconds(self) -> float:
        """Seconds that a hand takes now, at least."""
        left = self.show_left
        return self.pace if self.plan is None or left is None else self.plan.hand_seconds(left, self._outlook())

    @property
    def in_words(self) -> str:
        """How fast the tournament is, as the end of a sentence."""
        return tempo_in_words(self.show_left, self.pace)

    def begin_show(self, seconds: float, factor: float = 1.0) -> None:
        """Let what is left of the tournament take about so many seconds.

        Args:
            seconds: of the show.
            factor: multiplies the time of slow hands.
        """
        now = self._clock() if self._paused_at is None else self._paused_at
        self.pace, self.plan, self._ends = 0.0, ShowPlan(seconds, factor), now + seconds

    def end_show(self) -> None:
        """Let hands follow each other at the host's pace again."""
        self.plan = None

    def step(self) -> None:
        """In a pause let every table deal one more hand, slowly."""
        self._stepped = self._clock()

    def due(self, dealt: float) -> float:
        """The time at which a table that dealt at ``dealt`` may deal again; infinite during a pause."""
        if self._paused_at is not None:
            return dealt if dealt < self._stepped else inf
        return dealt + (self.pace if self.plan is None else self.seconds)

    def action_wait(self, dealt: float, acted: int) -> float:
        """Seconds to wait before the next action of a hand, so that it is seen; 0 where hands are fast.

        The actions share a part of the hand's time: the more have been seen, the less is left for each.

        Args:
            dealt: when the hand was dealt.
            acted: how many actions it has had.
        """
        step = self.paused and dealt >= self._stepped > -inf
        if self.plan is None and not step:
            return 0.0
        seconds = SLOW_SECONDS if step else self.seconds
        if seconds < VISIBLE_SECONDS:
            return 0.0
        left = dealt + ACTIONS * seconds - self._clock()
        return max(0.0, min(ACTION_SECONDS, left / (max(self._usual_actions - acted, 1.0) + 1.0)))

    def note_actions(self, count: int) -> None:
        """Note how many actions a hand had, so that those of the next ones can be planned."""
        self._usual_actions += (count - self._usual_actions) / 8


class ActionPauses:
    """The waits of one table between the actions of slow hands. No program's time runs during one.

    Args:
        tempo: says how long they are.
        changes: announced when the host changes the tempo, which may end a wait.
        ends: whether play ends after this hand; then nothing waits.

    Attributes:
        dealt: the trio time at which the hand under way was dealt.
    """

    def __init__(self, tempo: Tempo, changes: Changes, ends: Callable[[], bool]) -> None:
        self.dealt = -inf
        self._tempo = tempo
        self._changes = changes
        self._ends = ends

    def due(self, acted: int) -> bool:
        """Whether there is a wait before the next action of a hand that has had so many."""
        return self._tempo.may_wait and self._seconds(acted) > 0

    async def wait(self, acted: int) -> None:
        """Wait before the next action of a hand that has had so many."""
        began = trio.current_time()
        due = began + self._seconds(acted)
        while trio.current_time() < due:
            with trio.move_on_at(due):
                await self._changes.changed()
            due = min(due, began + self._seconds(acted))

    def hand_over(self, acted: int) -> None:
        """Note how many actions a hand had."""
        self._tempo.note_actions(acted)

    def _seconds(self, acted: int) -> float:
        return 0.0 if self._ends() else self._tempo.action_wait(self.dealt, acted)
