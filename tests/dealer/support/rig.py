"""A whole dealer on loopback, with players that are tasks of the test."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from math import inf
from random import Random
from typing import Any

import trio

from dealer.journal.writer import Journal
from dealer.ledger.standings import Standing
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.net.admission import Admission
from dealer.net.limits import USUAL, Limits
from dealer.net.ports import ACPC, FRAMES, PEOPLE, PortKind
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament, Opening
from dealer.tournament.tournament import Tournament
from protocol.games.base import FOLD, Action, Bet, Status, Turn
from protocol.games.stud import StudTurn
from protocol.wire.connection import BotConnection, State
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Command, Done, Login, Name
from tests.bad_bots.peer import Peer
from tests.patience import PATIENCE

HOST = "127.0.0.1"
SEED = bytes(range(32))

Decide = Callable[[Any], Action]
BadBot = Callable[[Peer], Awaitable[None]]


def call(turn: Turn) -> Action:
    return Bet(turn.owed)


def raise_once(turn: StudTurn) -> Action:
    """Open with a chip, then call: a bet is always open."""
    return Bet(1) if turn.owed == 0 and turn.stack else Bet(turn.owed)


def fold(turn: StudTurn) -> Action:
    return FOLD


def by_chance(seed: int) -> Decide:
    """Any legal action, but seldom a fold."""
    rng = Random(seed)

    def decide(turn: Turn) -> Action:
        folds = rng.random() < 0.1 and FOLD in turn.legal()
        return FOLD if folds else rng.choice([action for action in turn.legal() if action != FOLD])

    return decide


@dataclass(eq=False)
class Client:
    """A program that keeps to the protocol.

    Attributes:
        heard: every command, in order.
        longest_silence: seconds between two commands, at most.
    """

    name: Name
    decide: Decide = raise_once
    heard: list[Command] = field(default_factory=list)
    longest_silence: float = 0.0

    @property
    def done(self) -> str | None:
        """The reason of the ``done:`` that ended the session."""
        last = self.heard[-1] if self.heard else None
        return last.reason if isinstance(last, Done) else None

    @property
    def statuses(self) -> list[Status]:
        return [command for command in self.heard if isinstance(command, Status)]

    async def play(self, stream: trio.abc.Stream) -> None:
        """Log in and answer until ``done:``."""
        connection = BotConnection(UtfFraming())
        last = inf
        while self.done is None:
            while (command := connection.next_command()) is None:
                data = await stream.receive_some(65536)
                assert data, "the dealer hung up without a word"
                connection.receive(bytes(data))
            now = trio.current_time()
            self.longest_silence, last = max(self.longest_silence, now - last), now
            self.heard.append(command)
            if isinstance(command, Login):
                await stream.send_all(connection.send(self.name))
            elif connection.state is State.ASKED:
                await stream.send_all(connection.send(self.decide(command)))
        await stream.aclose()


def good_clients(count: int, decide: Decide = raise_once) -> list[Client]:
    """Clients ``good-1``, ``good-2`` and so on."""
    return [Client(Name(f"good-{number}", f"Good {number}"), decide) for number in range(1, count + 1)]


@dataclass(frozen=True)
class Thinker:
    """Calls, but takes so many seconds for each reply of a hand, which it counts from 1."""

    hand: int
    seconds: float

    async def __call__(self, peer: Peer) -> None:
        await peer.log_in("slow:Slow")
        hand = 1
        while (text := await peer.hear()) is not None:
            hand += text.startswith("status")
            if text.startswith("bet"):
                await trio.sleep(self.seconds if hand == self.hand else 0)
                await peer.say(f"bet:{text.split(':')[3]}")


@dataclass
class Rig:
    """An open dealer.

    Attributes:
        peers: the ends of the bad bots that were let in, in order.
        acpc_listener: for programs of the ACPC; None if none can take part.
    """

    nursery: trio.Nursery
    watchdog: Watchdog
    opening: Opening
    listener: PlayerListener
    journal: Journal
    peers: list[Peer] = field(default_factory=list)
    acpc_listener: PlayerListener | None = None

    @property
    def lobby(self) -> Lobby:
        return self.opening.lobby

    async def connect(self, source: str = HOST) -> trio.SocketStream:
        """A new connection, from any address of the loopback network."""
        return await trio.open_tcp_stream(HOST, self.listener.port, local_address=source)

    async def admit(self, *players: Client | BadBot) -> None:
        """Let players in one after the other, each with its own seat in the lobby before the next one comes."""
        for player in players:
            expected = len(self.lobby.players) + 1
            await self.start(player)
            while len(self.lobby.players) < expected:
                await self.lobby.changed()

    async def start(self, player: Client | BadBot, source: str = HOST) -> Peer:
        """Connect a player, which need not get a seat; its end, which a good client does not use."""
        peer = Peer(await self.connect(source))

        async def run() -> None:
            async with peer.stream:
                await (player.play(peer.stream) if isinstance(player, Client) else player(peer))
            peer.finished.set()

        if not isinstance(player, Client):
            self.peers.append(peer)
        self.nursery.start_soon(run)
        return peer

    def begin(self) -> Tournament:
        """Close the lobby; the tournament between those in it."""
        tournament = self.opening.begin(self.journal, self.opening.lobby.players, None)
        tournament.heed_stalls(self.watchdog.stalls)
        return tournament


@asynccontextmanager
async def open_rig(
    settings: Settings,
    roster: Mapping[str, str] | None = None,
    journal: Journal | None = None,
    capacity: int = 99,
    limits: Limits = USUAL,
    opening: Opening | None = None,
    page_token: str | None = None,
    people: bool = False,
    kind: PortKind = FRAMES,
) -> AsyncIterator[Rig]:
    """A dealer whose lobby is open; everything in it ends with the block. With a token its port is one for people.

    The dealer has no token where it has no page.
    """
    opening = opening or NewTournament(settings, capacity, roster)
    with trio.fail_after(PATIENCE):
        async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
            kind = PEOPLE if people or page_token is not None else kind
            listener = replace(await open_listener(HOST, 0, settings.limit, kind), token=page_token)
            nursery.start_soon(accept_players, listener, opening.lobby, watchdog, Admission(limits))
            rig = Rig(nursery, watchdog, opening, listener, journal or Journal(None))
            if settings.acpc is not None:
                rig.acpc_listener = await open_listener(HOST, 0, settings.acpc.limit, ACPC, acpc=settings.acpc)
                nursery.start_soon(accept_players, rig.acpc_listener, opening.lobby, watchdog, Admission(limits))
            yield rig
            nursery.cancel_scope.cancel()


@dataclass(frozen=True)
class Played:
    tournament: Tournament
    standings: list[Standing]
    peers: list[Peer]

    @property
    def chips(self) -> dict[str, int]:
        return {standing.player.id: standing.chips for standing in self.standings}

    def faults(self, id: str) -> list[str]:
        """The kinds of fault of a player, in order."""
        (player,) = (player for player in self.tournament.players if player.id == id)
        return [fault.kind.value for fault in player.faults]


async def play(players: Sequence[Client | BadBot], settings: Settings, journal: Journal | None = None) -> Played:
    """Seat ``players`` in this order and play a tournament to its end."""
    async with open_rig(settings, journal=journal) as rig:
        await rig.admit(*players)
        tournament = rig.begin()
        standings = await tournament.run()
        return Played(tournament, standings, rig.peers)
