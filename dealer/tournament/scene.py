"""What can be watched of a dealer: its lobby, its tournament, its journal and its addresses; and the first orders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import trio

from dealer.journal.writer import Journal
from dealer.lobby.failed_logins import failed_login
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.net.stalls import Stalls
from dealer.settings import LeagueWords, OpenPorts, Services, Settings
from dealer.tournament.opening import Opening
from dealer.tournament.show_plan import DEFAULT_MINUTES
from dealer.tournament.tempo import LONGEST_SHOW, SLOWEST_PACE, tempo_in_words
from dealer.tournament.tournament import Tournament

#: What faster divides the time by, and slower multiplies it with.
HURRY = 1.5


@dataclass(frozen=True, slots=True)
class FirstOrders:
    """What the host wants of a tournament that has not begun, or not gone on: by flags, keys, or at the desk.

    Attributes:
        pace: the least seconds of a hand; None leaves the pace as it is.
        paused: whether the tournament is paused; None leaves that as it is.
        length: seconds that it should take; None leaves that as it is.
    """

    pace: float | None = None
    paused: bool | None = None
    length: float | None = None

    def hurried(self, factor: float) -> Self:
        """The orders with a show that takes ``factor`` times as long. Without a show a slower one gets the usual."""
        if self.length is not None:
            return replace(self, length=min(self.length * factor, 60 * LONGEST_SHOW))
        if self.pace:
            return replace(self, pace=min(self.pace * factor, SLOWEST_PACE))
        return replace(self, pace=None, length=60 * DEFAULT_MINUTES) if factor > 1 else self

    @property
    def pace_in_words(self) -> str:
        """How fast the tournament will be, as the end of a sentence."""
        return tempo_in_words(self.length, self.pace or 0.0)

    def give(self, tournament: Tournament) -> None:
        """Give them. Called before the first hand, when orders of the host can be recorded."""
        if self.pace is not None:
            tournament.set_pace(self.pace)
        if self.length is not None:
            tournament.set_length(self.length)
        if self.paused is True and not tournament.tempo.paused:
            tournament.pause()
        if self.paused is False and tournament.tempo.paused:
            tournament.resume()


#: Leaves everything as it is.
NO_ORDERS = FirstOrders()


@dataclass(eq=False, slots=True)
class Scene:
    """What page, feed and metrics read. The hosting code fills in what is not known at first.

    A dealer may host tournaments one after another: ``open_again`` begins with the next.

    Attributes:
        opening: how the tournament begins; before that, its lobby is all that can be watched.
        open_cards: whether the page shows hole cards during a hand.
        addresses: of this machine, where programs connect; none in a league, which starts its own programs.
        ports: at which players connect; None in a league, and before they are open.
        page_token: of this run of the dealer, by which a page of the host may speak for the browsers of people; None
            without a page.
        pages: where browsers find the page.
        page_port: its port; None without a page.
        feed_port: of the spectator feed; None without one.
        desk: whether the host was told the token, and can give orders.
        starts_at: the trio time at which it starts with those who are here; None if it does not.
        orders: of the host before the start.
        message: of the host to all who watch; None if there is none.
        log_steps: whether every step of a hand goes to the log.
        tournament: None before it begins.
        journal: where it is recorded; None before it is open.
        listeners: counts the programs that listen to the feed; None without a feed.
        earlier: tournaments that were hosted before this one.
        start_asked: set when the desk is told to start.
        next_asked: set when the host wants another tournament after this one.
    """

    opening: Opening
    open_cards: bool = False
    addresses: tuple[str, ...] = ()
    ports: OpenPorts | None = None
    page_token: str | None = field(default=None, repr=False)
    pages: tuple[str, ...] = ()
    page_port: int | None = None
    feed_port: int | None = None
    desk: bool = False
    starts_at: float | None = None
    orders: FirstOrders = NO_ORDERS
    message: str | None = None
    log_steps: bool = False
    tournament: Tournament | None = None
    journal: Journal | None = None
    listeners: Callable[[], int] | None = None
    earlier: list[Tournament] = field(default_factory=list)
    start_asked: trio.Event = field(default_factory=trio.Event)
    next_asked: trio.Event = field(default_factory=trio.Event)

    def open_again(self, opening: Opening) -> None:
        """Show the lobby of the next tournament. Addresses, ports and the page stay; all else begins anew."""
        if self.tournament is not None:
            self.earlier.append(self.tournament)
        self.opening, self.tournament, self.journal, self.message = opening, None, None, None
        self.start_asked, self.next_asked = trio.Event(), trio.Event()

    def hurry(self, factor: float) -> str:
        """Let the rest of the tournament take ``factor`` times as long, also before it begins; how fast it is now."""
        if self.tournament is None:
            self.orders = self.orders.hurried(factor)
            return f"The tournament will be {self.orders.pace_in_words}."
        self.tournament.hurry(factor)
        return f"The tournament is now {self.tournament.tempo.in_words}."

    def note_misdirected(self, peer: str, port: int, kind: str, reason: str, sent: bytes) -> None:
        """Tell the host of a program of a player that connected to a page.

        Args:
            peer: its address and port.
            port: of the page.
            kind: why it is refused, in a word, see ``FailedLogin``.
            reason: what it was told.
            sent: its first bytes.
        """
        secrets = self.lobby.salt is not None
        self.lobby.failed_logins.note(failed_login(peer, port, kind, reason, sent, program=None, secrets=secrets))

    @property
    def number(self) -> int:
        """Which tournament of this dealer it is, from 1."""
        return len(self.earlier) + 1

    @property
    def begun(self) -> Sequence[Tournament]:
        """All tournaments that have begun, the last one at the end."""
        return self.earlier if self.tournament is None else [*self.earlier, self.tournament]

    @property
    def players(self) -> Sequence[Player]:
        """All players. Messages to pages call a player by its place in this sequence."""
        return self.tournament.players if self.tournament else self.lobby.players

    @property
    def awaited(self) -> list[Player]:
        """The players who are expected, before a tournament is resumed or the next one starts, and are not here yet."""
        here = {player.id for player in self.lobby.players}
        return [] if self.tournament else [player for player in self.opening.expected if player.id not in here]

    def begin(
        self, journal: Journal, players: Sequence[Player], origin: LeagueWords | OpenPorts, stalls: Stalls
    ) -> Tournament:
        """Begin the tournament, which is then ready to run.

        Args:
            journal: where it is recorded.
            players: those in the lobby, in the order in which they sit.
            origin: where they come from, which the journal keeps so that the tournament can be resumed.
            stalls: tells when the dealer stands still.
        """
        self.tournament = tournament = self.opening.begin(journal, players, origin)
        tournament.heed_stalls(stalls)
        tournament.services = Services(self.ports, self.page_port, self.open_cards, self.desk, self.feed_port)
        tournament.log_steps = self.log_steps
        return tournament

    @property
    def settings(self) -> Settings:
        return self.opening.settings

    @property
    def lobby(self) -> Lobby:
        """The lobby in which players wait for the start."""
        return self.opening.lobby
