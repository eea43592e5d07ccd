"""A hosted tournament, and players whose moves a test makes."""

import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import trio

from tests.bad_bots.peer import Peer
from tests.end_to_end.casino import Running, start

PORTS = ("--host", "127.0.0.1", "--port", "0", "--line-port", "0")
AGREED = ("--no-page", "--limit", "30", "--hands", "5")
SERVE = ("serve", "stud", *PORTS, *AGREED)


@contextmanager
def held_ports(*flags: str) -> Iterator[list[str]]:
    """Flags with ports for a dealer that opens them again after its end; until the end of the block nobody gets them.

    A socket that never listens holds each port. The dealer may share it, because both set SO_REUSEADDR.
    """
    with ExitStack() as held:
        words = []
        for flag in flags:
            holder = held.enter_context(socket.socket())
            holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            holder.bind(("127.0.0.1", 0))
            words += [flag, str(holder.getsockname()[1])]
        yield words


@asynccontextmanager
async def open_peer(port: int, name: str) -> AsyncIterator[Peer]:
    """A program that has logged in and whose moves the test makes."""
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        peer = Peer(stream)
        await peer.log_in(name)
        yield peer


async def fold_all(*peers: Peer) -> None:
    """Fold until the tournament is over."""
    async with trio.open_nursery() as nursery:
        for peer in peers:
            nursery.start_soon(fold_to_the_end, peer)


async def finish(running: Running, *peers: Peer) -> None:
    """Fold until the dealer ends."""
    await fold_all(*peers)
    assert (await running.ended()).code == 0


async def fold_to_the_end(peer: Peer) -> None:
    while await peer.hear_question():
        await peer.say("fold")
    await peer.stream.aclose()


async def first_asked(*peers: Peer) -> Peer:
    """Wait for the first question of all; the player asked owes the answer."""
    asked: list[Peer] = []
    async with trio.open_nursery() as nursery:

        async def wait_for(peer: Peer) -> None:
            if await peer.hear_question():
                asked.append(peer)
                nursery.cancel_scope.cancel()

        for peer in peers:
            nursery.start_soon(wait_for, peer)
    return asked[0]


@asynccontextmanager
async def serve(*words: str | Path) -> AsyncIterator[Running]:
    async with start(*SERVE, "--seats", "2", *words, stdin=subprocess.DEVNULL) as running:
        yield running


@asynccontextmanager
async def two_players(running: Running) -> AsyncIterator[tuple[Peer, Peer]]:
    """Both of them, once they have logged in."""
    port = await running.port()
    async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
        yield a, b
