"""A guest of a league whose moves a test makes: its process only tells the test on which port to play."""

import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from tests.bad_bots.peer import Peer

RELAY = Path(__file__).with_name("relay.py")


@dataclass
class Guest:
    """A program that a league may start, and the test's hand on it.

    Attributes:
        command: what ``--bot-cmd`` takes.
    """

    command: str
    _listener: trio.SocketListener
    _open: AsyncExitStack
    _relay: trio.SocketStream | None = None

    async def started(self) -> int:
        """Wait for the league to start the program: the port it should play on."""
        self._relay = await self._open.enter_async_context(await self._listener.accept())
        return int(await self._relay.receive_some(100))

    async def log_in(self) -> Peer:
        """Play for the program, once it has been started."""
        stream = await trio.open_tcp_stream("127.0.0.1", await self.started())
        peer = Peer(await self._open.enter_async_context(stream))
        await peer.log_in("guest:Guest")
        return peer

    async def call_to_the_end(self) -> None:
        """Play for the program, once it has been started, and let its process end."""
        peer = await self.log_in()
        await call(peer)
        await peer.stream.aclose()
        await self.end()

    async def end(self) -> None:
        """Let the program's process end by itself."""
        assert self._relay is not None
        await self._relay.aclose()


async def call(peer: Peer, questions: int | None = None) -> None:
    """Call to the end, or so many questions, and hear another one."""
    while (question := await peer.hear_question()) is not None and questions != 0:
        await peer.say(f"bet:{question[3]}")
        questions = None if questions is None else questions - 1


@asynccontextmanager
async def open_guest() -> AsyncIterator[Guest]:
    """A guest for one league."""
    async with AsyncExitStack() as stack:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        await stack.enter_async_context(listener)
        port = listener.socket.getsockname()[1]
        yield Guest(shlex.join([sys.executable, str(RELAY), str(port)]) + " {port}", listener, stack)
