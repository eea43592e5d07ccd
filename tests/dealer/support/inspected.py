"""A tournament in this process whose every deal is inspected: who sits where, and that nobody is forgotten."""

import socket
from collections.abc import Sequence

import trio

from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import Deal
from dealer.ledger.seating import Seating
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.settings import Settings
from dealer.tournament.tournament import Tournament
from protocol.games.match import MIN_PLAYERS
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Login, Name
from tests.dealer.support.rig import Client

LIMIT = 60.0


class InspectedLedger(Ledger):
    """Makes sure of what must hold at every deal.

    Attributes:
        deals: hands dealt.
        moves: players who changed tables.
        broken: tables that everybody has left for another one.
        sizes: players still in at each table, at every deal.
    """

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.begin_inspection()

    def begin_inspection(self) -> None:
        self.deals = 0
        self.moves = 0
        self.broken: set[int] = set()
        self.sizes: list[list[int]] = []
        self._due: dict[Player, TableState] = {}
        self.seating.move = self._move  # type: ignore[method-assign]

    def _move(self, player: Player, to: TableState) -> None:
        """In place of the seating's own."""
        origin = self.seating.table_of(player)
        assert not origin.in_hand, "a player moved in the middle of a hand"
        assert player in origin.players, "a player moved twice between two hands"
        Seating.move(self.seating, player, to)
        self.moves += 1
        self._due[player] = to
        if not self.seating.size(origin):
            self.broken.add(origin.number)

    def deal(self, table: TableState, places: bytes, level: int | None = None) -> Deal:
        deal = super().deal(table, places, level)
        self.deals += 1
        self._check_deal(table)
        return deal

    def _check_deal(self, table: TableState) -> None:
        seated = table.seated
        assert MIN_PLAYERS <= len(seated) <= self.settings.table_size
        assert not table.arriving, "a player waits for longer than one hand"
        assert all(self.seating.table_of(player) is table for player in seated)
        playing = [player for other in self.seating.round_tables if other.in_hand for player in other.seated]
        assert len(playing) == len(set(playing)), "a player plays two hands at once"
        if not self.seating.sends_players:
            return
        assert seated == [player for player in table.players if self.seating.still_in(player)], "a player is left out"
        sizes = [self.seating.size(other) for other in self.seating.round_tables if self._may_still_play(other)]
        self.sizes.append(sizes)
        assert max(sizes) - min(sizes) <= 1, f"tables of {sizes}"
        for player in [player for player, to in self._due.items() if to is table]:
            assert player in seated or not self.seating.still_in(player), "a player who moved misses a deal"
            del self._due[player]

    def _may_still_play(self, table: TableState) -> bool:
        return self.seating.size(table) > 0 and table.played < self.settings.hands


def inspect(ledger: Ledger) -> None:
    """Have every deal of a ledger inspected that is there already."""
    ledger.__class__ = InspectedLedger
    assert isinstance(ledger, InspectedLedger)
    ledger.begin_inspection()


async def play_in_process(settings: Settings, clients: Sequence[Client], journal: Journal) -> "Played":
    """Everybody at the end of a pair of sockets; to the last ``done:``."""
    async with open_watchdog() as watchdog:
        async with trio.open_nursery() as nursery:
            players = [await _connected(client, settings, watchdog, nursery) for client in clients]
            tournament = Tournament(ledger := InspectedLedger(settings, players), journal)
            return Played(tournament, ledger, await tournament.run())


class Played:
    def __init__(self, tournament: Tournament, ledger: InspectedLedger, standings: list[Standing]) -> None:
        self.tournament = tournament
        self.ledger = ledger
        self.standings = standings


async def _connected(client: Client, settings: Settings, watchdog: Watchdog, nursery: trio.Nursery) -> Player:
    ours, theirs = socket.socketpair()
    nursery.start_soon(client.play, trio.SocketStream(trio.socket.from_stdlib_socket(theirs)))
    seat = watchdog.seat(ours, UtfFraming(), settings.limit)
    name = await seat.ask(Login())
    assert isinstance(name, Name)
    return Player(name.id, name.avatar, "in this process", seat, settings.lives)
