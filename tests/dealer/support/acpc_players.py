"""Programs of the ACPC as tasks of a test, and a journal of a tournament between two of them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import trio

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import AcpcTerms, Settings
from protocol.games.holdem import HoldemGame
from protocol.wire.framing import LineFraming
from tests.acpc_client.player import answer
from tests.bad_bots.peer import Peer
from tests.dealer.support.rig import HOST, SEED, Rig, open_rig

GAME = HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1})
ACPC = Settings(SEED, GAME, hands=12, limit=1.0, acpc=AcpcTerms())

#: Changes the answer to a match state: it is given the line, and what a sound program answers.
Change = Callable[[str, str], str]


def unchanged(line: str, reply: str) -> str:
    """What a sound program answers."""
    return reply


def forbidden(line: str, reply: str) -> str:
    """Folds with nothing owed, and raises by a chip."""
    action = reply[len(line) + 1 :]
    return f"{line}:{'r1' if action.startswith('r') else 'f'}"


async def connect(rig: Rig) -> Peer:
    """A new connection to the port for programs of the ACPC."""
    assert rig.acpc_listener is not None
    return Peer(await trio.open_tcp_stream(HOST, rig.acpc_listener.port), LineFraming())


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


async def play_acpc(path: Path) -> None:
    """Play a tournament of two programs, of which one wants what is forbidden, and keep a journal."""
    async with open_journal(AppendFile.create(path)) as journal, open_rig(ACPC, journal=journal) as rig:
        await admit(rig, player(), player(forbidden, seed=2))
        await rig.begin().run()
