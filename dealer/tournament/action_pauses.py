"""Waits between the actions of a slow hand, so that each can be seen. No program's time runs during a wait."""

from collections.abc import Callable
from math import inf

import trio

from dealer.lobby.reconnect import Changes
from dealer.tournament.tempo import Tempo


class ActionPauses:
    """The waits of one table.

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
