"""Tables as viewers see them: the newest hand of the table they watch, or a hand that is worth seeing again."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any, NamedTuple

from dealer.audit.hands import ReplayedHand, play_so_far
from dealer.audit.win_chances import WinChances, run_outs
from dealer.feed.told import Played
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.telling.hand_events import HandEvents
from dealer.telling.moments import Moment
from dealer.telling.scene import (
    ACTION_SECONDS,
    DEAL_SECONDS,
    END_SECONDS,
    RUN_OUT_SECONDS,
    VISIBLE_SECONDS,
    TableScene,
)
from dealer.telling.seen_hand import seen_hand
from dealer.web.chance_worker import ChanceWorker
from protocol.events import Acted, AtTable, Dealt, Figures, HandOver, StreetDealt
from protocol.games.game import Game
from protocol.games.run_out import RunOut

#: Seconds for which a finished hand stays, so that it can be read where hundreds are played in a second.
HOLD_SECONDS = 3.0

#: Lines about what happened last.
LINES = 10


@dataclass(frozen=True, slots=True)
class CardVisibility:
    """Which hidden cards the page shows.

    Attributes:
        during: hole cards while a hand is played.
        after: hole cards when it is over.
    """

    during: bool
    after: bool


class Skipped(NamedTuple):
    """Hands of a table that were not shown.

    Attributes:
        hands: how many.
        player: who won most in them, by number; None if nobody won a chip.
        chips: won in them by that player.
    """

    hands: int
    player: int | None
    chips: int


class Shown(NamedTuple):
    """The hand that is shown.

    Attributes:
        hand: its number at the table.
        events: of the hand as far as it is shown; those of one that is over follow from its record.
        ended: the record of a hand whose end is shown, street by street; None for one under way.
        streets: those before the last on which all cards of a finished hand were shown.
        stage: which of them is shown now; their number when the end of the hand is shown.
        skipped: the hands of the table since the one that was shown before; None if there are none.
    """

    hand: int
    events: Sequence[AtTable] = ()
    ended: HandRecord | None = None
    streets: tuple[RunOut, ...] = ()
    stage: int = 0
    skipped: Skipped | None = None

    @property
    def street(self) -> RunOut | None:
        """The street that is shown of a finished hand; None for its end, and for a hand under way."""
        return self.streets[self.stage] if self.stage < len(self.streets) else None


class DisplayedHand:
    """Chooses the hand of a table that is shown: one hand to its end, and then for a while as it ended.

    On a fast table a look would otherwise show a different hand each time, and never how one ends.

    Args:
        game: that is played.
        shows_cards: whether hole cards may be seen after a hand. Then a hand whose betting ended early is shown street
            by street.
    """

    def __init__(self, game: Game, shows_cards: bool) -> None:
        self._game = game
        self._shows_cards = shows_cards
        self._under_way: list[AtTable] = []
        self._last: HandRecord | None = None
        self._shown: Shown | None = None
        self._ended: float | None = None
        self._later = 0
        self._won = Counter[int]()
        self._latest: tuple[int, Counter[int]] = (0, Counter())

    def hear(self, event: AtTable) -> None:
        """Take an event of a hand of the table that is told while it is played."""
        if isinstance(event, Dealt):
            self._under_way = []
        self._under_way.append(event)

    def end(self, record: HandRecord, payoffs: Sequence[int]) -> None:
        """Take a hand of the table that is over, and what each seat won in it.

        A fast table may play many hands between two looks, so the end of the hand that is shown is found here, and what
        was won in later ones.
        """
        self._last, number = record, record.deal.number
        if self._under_way and self._under_way[0].hand <= number:
            self._under_way = []
        if self._shown is None:
            return
        if number > self._shown.hand:
            self._later += 1
            self._latest = number, Counter(dict(zip(record.deal.players, payoffs, strict=True)))
            self._won.update(self._latest[1])
        elif number == self._shown.hand and self._shown.ended is None:
            self._shown = self._shown._replace(ended=record)

    def at(self, now: float, hold: float) -> Shown | None:
        """The hand to show; None before there is one.

        Args:
            now: a time in seconds.
            hold: seconds for which a finished hand is shown.
        """
        if self._shown is not None and self._shown.ended is not None:
            self._let_end(self._shown, self._shown.ended, now)
        newest = self._newest()
        if newest is not None and not self._stays(newest.hand, now, hold):
            self._shown, self._ended = newest._replace(skipped=self._skipped(newest.hand)), None
            if newest.ended is not None:
                self._let_end(self._shown, newest.ended, now)
        return self._shown

    def _newest(self) -> Shown | None:
        """The hand under way, if it is told, or else the last one."""
        if self._under_way:
            return Shown(self._under_way[0].hand, [*self._under_way])
        return None if self._last is None else Shown(self._last.deal.number, ended=self._last)

    def _skipped(self, newest: int) -> Skipped | None:
        """Sum up the finished hands between the one that is shown and the newest, and begin to count anew."""
        if self._shown is not None and self._shown.hand == newest:
            return self._shown.skipped
        hands, won = self._later, self._won
        if self._latest[0] == newest:  # it is over already, and shown now
            hands -= 1
            won.subtract(self._latest[1])
        self._later, self._won = 0, Counter()
        if not hands:
            return None
        player, chips = won.most_common(1)[0]
        return Skipped(hands, player, chips) if chips > 0 else Skipped(hands, None, 0)

    def _let_end(self, shown: Shown, ended: HandRecord, now: float) -> None:
        """Show a finished hand as far as it may be seen by now."""
        if self._ended is None:
            self._ended = now
            if self._shows_cards:
                steps, last = play_so_far(ended.deal.begin(self._game), ended)
                shown = shown._replace(streets=tuple(run_outs(steps, last, self._game)))
        stage = min(int((now - self._ended) / RUN_OUT_SECONDS), len(shown.streets))
        self._shown = shown._replace(stage=stage)

    def _stays(self, newest: int, now: float, hold: float) -> bool:
        """True if the hand that is shown stays: it is over, and either the newest one or not shown for long."""
        if self._shown is None or self._ended is None:
            return False
        stays = hold + RUN_OUT_SECONDS * len(self._shown.streets)
        return self._shown.hand == newest or now < self._ended + stays


#: Seconds for all actions, at most.
ACTIONS_SECONDS = 10.0

#: Seconds from one hand that is shown again to the next, at least.
BETWEEN_SECONDS = 25.0


class Highlight(NamedTuple):
    """A finished hand that is worth seeing again, and why."""

    record: HandRecord
    moment: Moment


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

    def at(self, now: float) -> tuple[Shown, Moment] | None:
        """A hand that is shown again as it is shown at a time in seconds, and why; None if none is."""
        if self._highlight is None:
            return None
        (record, moment), streets = self._highlight, self._streets
        number, actions = record.deal.number, len(record.actions)
        each = min(ACTION_SECONDS, ACTIONS_SECONDS / max(actions, 1))
        elapsed = now - self._began - DEAL_SECONDS
        if elapsed < actions * each:
            done = max(0, floor(elapsed / each) + 1)
            return Shown(number, [*after_actions(self._events, done)]), moment
        rest = elapsed - actions * each
        if rest > len(streets) * RUN_OUT_SECONDS + END_SECONDS:
            self._highlight = None
            return None
        stage = min(int(rest / RUN_OUT_SECONDS), len(streets))
        return Shown(number, ended=record, streets=streets, stage=stage), moment


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
    """

    def __init__(self, game: Game, visible: CardVisibility, chances: ChanceWorker) -> None:
        self._newest: Highlight | None = None
        self.visible = visible
        self._game = game
        self._chances = chances
        self._displayed: dict[int, DisplayedHand] = {}
        self._slow: dict[int | None, SlowMotion] = {}
        self._leaders_table: int | None = None
        self._chosen = float("-inf")

    def hear(self, event: AtTable) -> None:
        """Take an event of a hand that is told while it is played."""
        self._table(event.table).hear(event)

    def hear_end(self, played: Played) -> None:
        """Take a finished hand."""
        self._table(played.table).end(played.record, played.payoffs)

    def see_again(self, hand: HandOver | None, moment: Moment) -> None:
        """Show a hand again for a moment, if its cards may be seen; a second time only for a player who is out."""
        if isinstance(hand, Played) and self.visible.after:
            seen = self._newest is not None and self._newest.moment[1:3] == (hand.table, hand.hand)
            if not seen or moment.kind == "out":
                self._newest = Highlight(hand.record, moment)

    def _table(self, number: int) -> DisplayedHand:
        if number not in self._displayed:
            self._displayed[number] = DisplayedHand(self._game, self.visible.after)
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
        if slow is not None:  # with its hole cards from the first action on
            (again, moment), open_ = slow, CardVisibility(during=True, after=True)
            why = [moment.kind, moment.player, moment.words]
            return {**self._shown_facts(again, open_), "table": moment.table, "slow": why, "auto": auto}
        facts: dict[str, Any] = {"table": table, "auto": auto}
        shown = self._table(table).at(now, 0.0 if figures.pace >= VISIBLE_SECONDS else HOLD_SECONDS)
        if shown is None:
            return facts
        if ended:  # the page shows the final standings
            shown = shown._replace(stage=len(shown.streets))
        return facts | self._shown_facts(shown, self.visible)

    def _shown_facts(self, shown: Shown, visible: CardVisibility) -> dict[str, Any]:
        return table_facts(shown, self._game, visible, self._chances_on(shown))

    def _replayed(self, view: int | None, table: int, figures: Figures, now: float) -> tuple[Shown, Moment] | None:
        """The hand that a view shows again instead of the newest one of ``table``; None usually."""
        newest = self._newest
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

    def _chances_on(self, shown: Shown) -> WinChances | None:
        """The chances on the street that is shown of a hand; those of its later streets are asked for as well."""
        if shown.ended is None:
            return None
        seats = len(shown.ended.deal.players)
        known = [self._chances.chances(street, seats) for street in shown.streets[shown.stage :]]
        return known[0] if known else None

    def _leaders(self, figures: Figures, now: float) -> int:
        """The table of the best player who still plays, or 0; a while still the one before, or the view would flicker.

        See ``AUTO_SECONDS``.
        """
        if self._leaders_table is None or now >= self._chosen + AUTO_SECONDS:
            table_of = {player: table.table for table in figures.tables for player, _ in table.seats}
            playing = (table_of[row.player] for row in figures.rows if row.state != "out" and row.player in table_of)
            self._leaders_table = next(playing, figures.tables[0].table if figures.tables else 0)
            self._chosen = now
        return self._leaders_table


def table_facts(shown: Shown, game: Game, visible: CardVisibility, chances: WinChances | None = None) -> dict[str, Any]:
    """A hand in progress or at its end, as JSON facts for the page; players are called by their numbers.

    Args:
        shown: the hand.
        game: that is played.
        visible: what may be seen.
        chances: to win on the street that is shown of a finished hand, if they are known.
    """
    if shown.ended is None:
        scene = _told(shown.events, show_holes=visible.during)
    else:
        scene = _ended(shown.ended, shown.street, game, visible, chances)
    return {**scene.facts(), "log": scene.lines[-LINES:], "skipped": shown.skipped}


def _told(events: Sequence[AtTable], *, show_holes: bool) -> TableScene:
    """A hand as far as its events go."""
    first, *rest = events
    assert isinstance(first, Dealt)
    scene = TableScene(first)
    if show_holes:
        scene.show_holes()
    for event in rest:
        scene.hear(event)
    return scene


def _ended(
    record: HandRecord,
    street: RunOut | None,
    game: Game,
    visible: CardVisibility,
    chances: WinChances | None,
) -> TableScene:
    """A finished hand on a street on which nobody could act any more; at its end for None."""
    deal = record.deal
    steps, hand = play_so_far(deal.begin(game), record)
    *events, last = HandEvents.of_deal(deal).steps(steps, hand)
    shows_holes = visible.during or visible.after
    if street is not None and isinstance(last, StreetDealt):  # the last street has the whole board
        scene = _told(events, show_holes=shows_holes)
        scene.run_out(street, last, chances)
        return scene
    scene = _told([*events, last], show_holes=shows_holes)
    players = [Player("", "", "")] * (max(deal.players) + 1)  # the page knows the names that belong to their numbers
    replayed = ReplayedHand.of(PlayedHand(record, *deal.settle(game, hand)), steps, players)
    scene.end(seen_hand(replayed, game, end_only=True), visible.after)
    return scene
