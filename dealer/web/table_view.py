"""One table as the page shows it: the hand that is displayed, its cards and chips, and what happened in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dealer.audit.hands import ReplayedHand, play_so_far
from dealer.audit.win_chances import WinChances, run_outs
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.telling.hand_events import HandEvents
from dealer.telling.scene import RUN_OUT_SECONDS, TableScene
from dealer.telling.seen_hand import seen_hand
from protocol.events import AtTable, Dealt, StreetDealt
from protocol.games.game import Game
from protocol.games.run_out import RunOut

#: Seconds for which a finished hand stays, so that it can be read where hundreds are played in a second.
HOLD_SECONDS = 3.0

#: Lines about what happened last.
LINES = 10


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


#: Stands for every player of a hand: the page knows the names that belong to their numbers.
_UNNAMED = Player("", "", "")


@dataclass(frozen=True, slots=True)
class CardVisibility:
    """Which hidden cards the page shows.

    Attributes:
        during: hole cards while a hand is played.
        after: hole cards when it is over.
    """

    during: bool
    after: bool


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
    players = [_UNNAMED] * (max(deal.players) + 1)
    replayed = ReplayedHand.of(PlayedHand(record, *deal.settle(game, hand)), steps, players)
    scene.end(seen_hand(replayed, game, end_only=True), visible.after)
    return scene
