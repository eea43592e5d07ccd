"""A hand worth seeing, shown again action by action on the page. The dealer plays on meanwhile, and nothing waits."""

from math import floor
from typing import NamedTuple

from dealer.audit.hands import play_so_far
from dealer.audit.win_chances import run_outs
from dealer.web.highlights import Highlight
from dealer.web.table_view import RUN_OUT_SECONDS, Shown
from protocol.games.game import Game

#: Seconds before the first action, and for which the end of the hand is shown.
DEAL_SECONDS = 1.0
END_SECONDS = 4.0

#: Seconds for each action, and for all of them at most.
ACTION_SECONDS = 1.2
ACTIONS_SECONDS = 10.0

#: Seconds from one hand that is shown again to the next, at least.
BETWEEN_SECONDS = 25.0


class Replayed(NamedTuple):
    """A moment of a hand that is shown again."""

    highlight: Highlight
    shown: Shown


class SlowMotion:
    """The hands that one table on the page shows again."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._highlight: Highlight | None = None
        self._seen: Highlight | None = None
        self._began = float("-inf")

    def offer(self, highlight: Highlight | None, now: float, *, wanted: bool) -> None:
        """Begin to show a hand, unless another is shown or was not long ago.

        Args:
            highlight: the newest; one that was offered before is not shown later.
            now: a time in seconds.
            wanted: whether it may be shown here.
        """
        if highlight is None or highlight is self._seen:
            return
        self._seen = highlight
        if wanted and now >= self._began + BETWEEN_SECONDS:
            self._highlight, self._began = highlight, now

    def stop(self) -> None:
        """Show no hand again now."""
        self._highlight = None

    @property
    def table(self) -> int | None:
        """The number of the table whose hand is shown again; None if none is."""
        return None if self._highlight is None else self._highlight.record.deal.table

    def at(self, now: float) -> Replayed | None:
        """The moment to show at a time in seconds; None if no hand is shown again."""
        if self._highlight is None:
            return None
        record = self._highlight.record
        actions = len(record.actions)
        each = min(ACTION_SECONDS, ACTIONS_SECONDS / max(actions, 1))
        elapsed = now - self._began - DEAL_SECONDS
        if elapsed < actions * each:
            shown = Shown(record._replace(actions=record.actions[: max(0, floor(elapsed / each) + 1)]), over=False)
            return Replayed(self._highlight, shown)
        steps, last = play_so_far(record.deal.begin(self._game), record)
        streets = tuple(run_outs(steps, last, self._game))
        rest = elapsed - actions * each
        if rest > len(streets) * RUN_OUT_SECONDS + END_SECONDS:
            self._highlight = None
            return None
        stage = min(int(rest / RUN_OUT_SECONDS), len(streets))
        return Replayed(self._highlight, Shown(record, over=True, streets=streets, stage=stage))
