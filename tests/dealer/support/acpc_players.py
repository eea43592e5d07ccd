"""Programs of the ACPC as tasks of a test, and a journal of a tournament between two of them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
import trio

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.listener import accept_players, open_listener
from dealer.net.ports import ACPC as ACPC_PORT
from dealer.net.watchdog import open_watchdog
from dealer.replay.journal_reader import Choice
from dealer.replay.show import export_histories
from dealer.settings import AcpcTerms, Settings
from dealer.tournament.opening import ResumedTournament, reopen_journal
from dealer.tournament.tournament import Tournament
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.wire.framing import LineFraming
from tests.acpc_client.competition import Competition
from tests.acpc_client.player import answer
from tests.bad_bots.peer import Peer
from tests.dealer.support.recorded import read_records
from tests.dealer.support.rig import HOST, SEED, Rig, open_rig

GAME = HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1})
ACPC = Settings(SEED, GAME, hands=12, limit=1.0, acpc=AcpcTerms())

#: Seconds of each answer of ``slow``.
SLOW_SECONDS = 0.22

#: Changes the answer to a match state: it is given the line, and what a sound program answers.
Change = Callable[[str, str], str]


def unchanged(line: str, reply: str) -> str:
    """What a sound program answers."""
    return reply


def forbidden(line: str, reply: str) -> str:
    """Folds with nothing owed, and raises by a chip."""
    action = reply[len(line) + 1 :]
    return f"{line}:{'r1' if action.startswith('r') else 'f'}"


class JudgedPeer(Peer):
    """A program's end of a connection, where the competition's own code reads every match state."""

    def __init__(self, stream: trio.abc.Stream, game: Game) -> None:
        super().__init__(stream, LineFraming())
        assert isinstance(game, HoldemGame)
        self._competition = Competition.of(game)

    async def hear(self) -> str | None:
        line = await super().hear()
        if line is not None and line.startswith("MATCHSTATE:"):
            self._competition.check(line)
        return line


async def connect(rig: Rig) -> Peer:
    """A new connection to the port for programs of the ACPC."""
    assert rig.acpc_listener is not None
    stream = await trio.open_tcp_stream(HOST, rig.acpc_listener.port)
    return JudgedPeer(stream, rig.opening.settings.game)


async def play_on(peer: Peer, change: Change = unchanged, seed: int = 1) -> None:
    """Answer match states until the dealer ends the connection."""
    chance = Random(seed)
    while (line := await peer.hear()) is not None:
        reply = answer(line, chance) if line.startswith("MATCHSTATE:") else None
        if reply is not None:
            await peer.send(f"{change(line, reply)}\r\n".encode())


def player(change: Change = unchanged, seed: int = 1) -> Callable[[Peer], Awaitable[None]]:
    """A program that logs in and plays."""

    async def run(peer: Peer) -> None:
        await peer.say("VERSION:2.0.0")
        await play_on(peer, change, seed)

    return run


async def slow(peer: Peer) -> None:
    """A program that calls, and takes its time."""
    await peer.say("VERSION:2.0.0")
    chance = Random(1)
    while (line := await peer.hear()) is not None:
        if line.startswith("MATCHSTATE:") and answer(line, chance) is not None:
            await trio.sleep(SLOW_SECONDS)
            await peer.say(f"{line}:c")


async def admit(rig: Rig, *programs: Callable[[Peer], Awaitable[None]]) -> list[Peer]:
    """Let programs in, one after the other."""
    peers = []
    for program in programs:
        expected = len(rig.lobby.players) + 1
        peer = await connect(rig)
        rig.nursery.start_soon(_run, program, peer)
        while len(rig.lobby.players) < expected:
            await rig.lobby.changed()
        peers.append(peer)
    return peers


async def _run(program: Callable[[Peer], Awaitable[None]], peer: Peer) -> None:
    async with peer.stream:
        await program(peer)


async def play_acpc_on(path: Path, *programs: Callable[[Peer], Awaitable[None]]) -> Tournament:
    """Play on from a journal, with these programs in the order of their names."""
    reopened = reopen_journal(path)
    opening = ResumedTournament(reopened.rebuild, reopened.cut)
    terms = opening.settings.acpc
    assert terms is not None
    async with open_journal(reopened.file) as journal, open_watchdog() as watchdog, trio.open_nursery() as nursery:
        listener = await open_listener(HOST, 0, terms.limit, ACPC_PORT, acpc=terms)
        nursery.start_soon(accept_players, listener, opening.lobby, watchdog)
        rig = Rig(nursery, watchdog, opening, listener, journal, acpc_listener=listener)
        await admit(rig, *programs)
        tournament = rig.begin()
        await tournament.run()
        nursery.cancel_scope.cancel()
    return tournament


async def play_acpc(path: Path) -> None:
    """Play a tournament of two programs, of which one wants what is forbidden, and keep a journal."""
    async with open_journal(AppendFile.create(path)) as journal, open_rig(ACPC, journal=journal) as rig:
        await admit(rig, player(), player(forbidden, seed=2))
        await rig.begin().run()


def exported(path: Path, capsys: pytest.CaptureFixture[str], choice: Choice | None = None) -> list[str]:
    """The lines of the log of a journal, which the competition's own code reads."""
    capsys.readouterr()
    export_histories(path, choice or Choice(), "acpc")
    lines = capsys.readouterr().out.splitlines()
    competition = Competition.of(HoldemGame.from_facts(read_records(path)[0]))
    for line in lines[:-1]:
        competition.check(line)
    return lines
