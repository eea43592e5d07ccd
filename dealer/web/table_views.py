"""Viewers' views of tables: the newest hand of the table they watch, or a hand that is worth seeing again."""

from math import floor
from typing import Any, NamedTuple

from dealer.audit.hands import play_so_far
from dealer.audit.win_chances import WinChances, run_outs
from dealer.journal.records import FinishedHandRecord
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.telling.scene import ACTION_SECONDS, DEAL_SECONDS, END_SECONDS, RUN_OUT_SECONDS
from dealer.tournament.tempo import VISIBLE_SECONDS
from dealer.tournament.tournament import Tournament
from dealer.web import snapshot
from dealer.web.chance_worker import ChanceWorker
from dealer.web.highlights import Highlight, Highlights
from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, Shown, table_facts
from protocol.games.game import Game

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


#: Seconds for which the table of one leader is shown, at least.
AUTO_SECONDS = 12.0


class TableViews:
    """The tables of a tournament as viewers see them.

    A view is the number of a table, or None for the table of the leader, which shows hands of other tables again, too.
    """

    def __init__(self, tournament: Tournament, chances: ChanceWorker, *, open_cards: bool) -> None:
        settings = tournament.settings
        self.highlights = Highlights(settings.game, tournament.ledger.format.eliminates and settings.games == 1)
        # A duplicate tournament deals the same cards again, and programs can read this page too. So its hole cards
        # stay hidden after the hand, unless the host has opened them.
        self.visible = CardVisibility(open_cards, open_cards or not settings.duplicate)
        self._tournament = tournament
        self._chances = chances
        self._displayed: dict[int, DisplayedHand] = {}
        self._slow: dict[int | None, SlowMotion] = {}
        self._leaders_table: int | None = None
        self._chosen = float("-inf")

    def hear(self, record: FinishedHandRecord) -> None:
        """Take a ``hand`` record from the journal."""
        tournament, table = self._tournament, record.table
        if table in self._displayed:
            self._displayed[table].hear(record)
        played = tournament.runs[table].in_play  # still: nobody has been told how it ended
        if played is not None and played.deal.number == record.hand:
            self.highlights.hear(record, played, tournament.tempo.plan is not None and self.visible.after)

    def leave(self, view: int | None) -> None:
        """Forget what is shown again in a view that nobody watches any more."""
        self._slow.pop(view, None)

    def facts(self, view: int | None, standings: list[Standing], now: float) -> dict[str, Any]:
        """The table of a view as JSON facts; ``auto`` if the viewer has not chosen one.

        Args:
            view: see the class.
            standings: of the tournament.
            now: a time in seconds.
        """
        tournament, auto = self._tournament, view is None
        table = self._leaders(standings, now) if view is None else snapshot.table(tournament, view)
        if table is None:
            return {"table": view, "auto": False, "closed": True}
        slow = self._replayed(view, table.number, now)
        if slow is not None:
            return {**self._replayed_facts(slow), "auto": auto}
        facts: dict[str, Any] = {"table": table.number, "auto": auto}
        shown = self._newest(table, now)
        return facts if shown is None else facts | self._shown_facts(shown, self.visible)

    def _newest(self, table: TableState, now: float) -> Shown | None:
        tournament = self._tournament
        hold = 0.0 if tournament.tempo.pace or tournament.tempo.seconds >= VISIBLE_SECONDS else HOLD_SECONDS
        game = tournament.settings.game
        displayed = self._displayed.setdefault(table.number, DisplayedHand(game, self.visible.after))
        shown = displayed.at(tournament.runs.get(table.number), now, hold)
        if shown is not None and tournament.ended:  # the page shows the final standings
            return shown._replace(stage=len(shown.streets))
        return shown

    def _shown_facts(self, shown: Shown, visible: CardVisibility) -> dict[str, Any]:
        tournament = self._tournament
        return table_facts(shown, tournament.settings.game, tournament.players, visible, self._chances_on(shown))

    def _replayed(self, view: int | None, table: int, now: float) -> Replayed | None:
        """The hand that a view shows again instead of the newest one of ``table``; None usually."""
        tournament, newest = self._tournament, self.highlights.newest
        if tournament.ended:
            return None
        slow = self._slow.setdefault(view, SlowMotion(tournament.settings.game))
        tempo = tournament.tempo
        seen_live = table if tempo.seconds >= VISIBLE_SECONDS else None  # action by action, so it is not shown again
        if slow.table == seen_live:
            slow.stop()
        if newest is not None:
            its_table = newest.record.deal.table
            wanted = tempo.plan is not None and view in (None, its_table) and its_table != seen_live
            slow.offer(newest, now, wanted=wanted)
        return slow.at(now)

    def _replayed_facts(self, slow: Replayed) -> dict[str, Any]:
        """A finished hand that is shown again, with its hole cards from the first action on."""
        record, kind, player, words = slow.highlight
        facts = self._shown_facts(slow.shown, CardVisibility(during=True, after=True))
        return {**facts, "table": record.deal.table, "slow": [kind, player, words]}

    def _chances_on(self, shown: Shown) -> WinChances | None:
        """The chances on the street that is shown of a hand; those of its later streets are asked for as well."""
        seats = len(shown.record.deal.players)
        known = [self._chances.chances(street, seats) for street in shown.streets[shown.stage :]]
        return known[0] if known else None

    def _leaders(self, standings: list[Standing], now: float) -> TableState:
        """The table of the leader; for ``AUTO_SECONDS`` still that of the leader before, or the view would flicker."""
        tournament, table = self._tournament, None
        if self._leaders_table is not None and now < self._chosen + AUTO_SECONDS:
            table = snapshot.table(tournament, self._leaders_table)
        if table is None:
            table = snapshot.leaders_table(tournament, standings)
            self._leaders_table, self._chosen = table.number, now
        return table
