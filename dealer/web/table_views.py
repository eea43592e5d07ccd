"""Viewers' views of tables: the newest hand of the table they watch, or a hand that is worth seeing again."""

from collections.abc import Iterable, Iterator, Sequence
from math import floor
from typing import Any, NamedTuple

from dealer.audit.hands import play_so_far
from dealer.audit.win_chances import WinChances, run_outs
from dealer.feed.told import Played
from dealer.telling.hand_events import HandEvents
from dealer.telling.scene import ACTION_SECONDS, DEAL_SECONDS, END_SECONDS, RUN_OUT_SECONDS, VISIBLE_SECONDS
from dealer.web.chance_worker import ChanceWorker
from dealer.web.highlights import Highlight, Highlights, honours
from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, Shown, table_facts
from protocol.events import Acted, AtTable, Figures
from protocol.games.game import Game
from protocol.games.run_out import RunOut

#: Seconds for all actions, at most.
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
        self._events: Sequence[AtTable] = ()
        self._streets: tuple[RunOut, ...] = ()
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
            record = highlight.record
            steps, last = play_so_far(record.deal.begin(self._game), record)
            self._events = [*HandEvents.of_deal(record.deal).steps(steps, last)]
            self._streets = tuple(run_outs(steps, last, self._game))

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
        record, streets = self._highlight.record, self._streets
        number, actions = record.deal.number, len(record.actions)
        each = min(ACTION_SECONDS, ACTIONS_SECONDS / max(actions, 1))
        elapsed = now - self._began - DEAL_SECONDS
        if elapsed < actions * each:
            return Replayed(
                self._highlight, Shown(number, [*after_actions(self._events, max(0, floor(elapsed / each) + 1))])
            )
        rest = elapsed - actions * each
        if rest > len(streets) * RUN_OUT_SECONDS + END_SECONDS:
            self._highlight = None
            return None
        stage = min(int(rest / RUN_OUT_SECONDS), len(streets))
        return Replayed(self._highlight, Shown(number, ended=record, streets=streets, stage=stage))


def after_actions(events: Iterable[AtTable], actions: int) -> Iterator[AtTable]:
    """The events of a hand up to the one before the next action, after so many of them."""
    for event in events:
        if isinstance(event, Acted) and event.action != "forced":  # the rules', which belongs to the action before it
            actions -= 1
            if actions < 0:
                return
        yield event


#: Seconds for which the table of one leader is shown, at least.
AUTO_SECONDS = 12.0


class TableViews:
    """The tables of a tournament as viewers see them.

    A view is the number of a table, or None for the table of the leader, which shows hands of other tables again, too.

    Args:
        game: that is played.
        visible: which hole cards are shown.
        chances: counts chances to win.
        hands: that were played before.

    Attributes:
        highlights: chooses hands that are shown again.
    """

    def __init__(self, game: Game, visible: CardVisibility, chances: ChanceWorker, hands: int = 0) -> None:
        self.highlights = Highlights(game, hands)
        self._visible = visible
        self._game = game
        self._chances = chances
        self._displayed: dict[int, DisplayedHand] = {}
        self._slow: dict[int | None, SlowMotion] = {}
        self._leaders_table: int | None = None
        self._chosen = float("-inf")

    def hear(self, event: AtTable) -> None:
        """Take an event of a hand that is told while it is played."""
        self._table(event.table).hear(event)

    def hear_end(self, played: Played, *, is_show: bool, eliminates: bool) -> None:
        """Take a finished hand.

        Args:
            played: the hand.
            is_show: whether it is one of a show, where hands may be shown again.
            eliminates: whether a player without chips is out.
        """
        record, hand = played.record, played.hand
        if played.why != "best":
            self._table(record.table).end(hand, record.payoffs)
        if played.why == "news":
            self.highlights.hear(record, hand, is_show=is_show and self._visible.after, eliminates=eliminates)
        else:
            self.highlights.keep(record, hand)

    def honours(self, figures: Figures) -> dict[str, Any]:
        """The honours of a tournament that has ended with these figures."""
        return honours(figures, self.highlights, self._game, told=self._visible.after)

    def _table(self, number: int) -> DisplayedHand:
        if number not in self._displayed:
            self._displayed[number] = DisplayedHand(self._game, self._visible.after)
        return self._displayed[number]

    def leave(self, view: int | None) -> None:
        """Forget what is shown again in a view that nobody watches any more."""
        self._slow.pop(view, None)

    def facts(self, view: int | None, figures: Figures, now: float, *, ended: bool) -> dict[str, Any]:
        """The table of a view as JSON facts; ``auto`` if the viewer has not chosen one.

        Args:
            view: see the class.
            figures: of the tournament.
            now: a time in seconds.
            ended: whether the tournament has ended.
        """
        auto = view is None
        table = self._leaders(figures, now) if view is None else view
        if table not in self._displayed and all(table != open_.table for open_ in figures.tables):
            return {"table": view, "auto": False, "closed": True}
        slow = None if ended else self._replayed(view, table, figures, now)
        if slow is not None:
            return {**self._replayed_facts(slow), "auto": auto}
        facts: dict[str, Any] = {"table": table, "auto": auto}
        shown = self._table(table).at(now, 0.0 if figures.pace >= VISIBLE_SECONDS else HOLD_SECONDS)
        if shown is None:
            return facts
        if ended:  # the page shows the final standings
            shown = shown._replace(stage=len(shown.streets))
        return facts | self._shown_facts(shown, self._visible)

    def _shown_facts(self, shown: Shown, visible: CardVisibility) -> dict[str, Any]:
        return table_facts(shown, self._game, visible, self._chances_on(shown))

    def _replayed(self, view: int | None, table: int, figures: Figures, now: float) -> Replayed | None:
        """The hand that a view shows again instead of the newest one of ``table``; None usually."""
        newest = self.highlights.newest
        slow = self._slow.setdefault(view, SlowMotion(self._game))
        # what is seen live, action by action, is not shown again
        seen_live = table if figures.pace >= VISIBLE_SECONDS else None
        if slow.table == seen_live:
            slow.stop()
        if newest is not None:
            its_table = newest.record.deal.table
            wanted = figures.show_left is not None and view in (None, its_table) and its_table != seen_live
            slow.offer(newest, now, wanted=wanted)
        return slow.at(now)

    def _replayed_facts(self, slow: Replayed) -> dict[str, Any]:
        """A finished hand that is shown again, with its hole cards from the first action on."""
        record, kind, player, words = slow.highlight
        facts = self._shown_facts(slow.shown, CardVisibility(during=True, after=True))
        return {**facts, "table": record.deal.table, "slow": [kind, player, words]}

    def _chances_on(self, shown: Shown) -> WinChances | None:
        """The chances on the street that is shown of a hand; those of its later streets are asked for as well."""
        if shown.ended is None:
            return None
        seats = len(shown.ended.deal.players)
        known = [self._chances.chances(street, seats) for street in shown.streets[shown.stage :]]
        return known[0] if known else None

    def _leaders(self, figures: Figures, now: float) -> int:
        """The table of the leader; for ``AUTO_SECONDS`` still that of the leader before, or the view would flicker."""
        if self._leaders_table is None or now >= self._chosen + AUTO_SECONDS:
            self._leaders_table, self._chosen = _leaders_table(figures), now
        return self._leaders_table


def _leaders_table(figures: Figures) -> int:
    """The table of the best player who still plays; 0 if nobody does."""
    table_of = {player: table.table for table in figures.tables for player, _ in table.seats}
    playing = (table_of[row.player] for row in figures.rows if row.state != "out" and row.player in table_of)
    return next(playing, figures.tables[0].table if figures.tables else 0)
