"""A program's end of a connection, with no scruples: it sends whatever it is told to, at any time."""

import json
from collections import deque
from typing import Any

import trio

from protocol.wire.framing import Framing, UtfFraming


class Peer:
    """The end of a stream, as texts.

    Attributes:
        heard: every message so far, as text, but for events.
        events: that a person's program was told, and nobody has asked for here yet.
        ended: whether the dealer has closed its end.
        finished: set by the runner of the program when it has ended.
    """

    def __init__(self, stream: trio.abc.Stream, framing: Framing | None = None) -> None:
        self.stream = stream
        self.framing = framing or UtfFraming()
        self.heard: list[str] = []
        self.events: deque[dict[str, Any]] = deque()
        self.ended = False
        self.finished = trio.Event()
        self._buffer = b""

    @property
    def done(self) -> str | None:
        """The reason the dealer gave at the end, if it has."""
        reasons = [text.removeprefix("done:") for text in self.heard if text.startswith("done:")]
        return reasons[0] if reasons else None

    async def hear(self) -> str | None:
        """The next message but for events; None when there will be none."""
        while (text := await self._next()) is not None:
            if not text.startswith("event:"):
                self.heard.append(text)
                return text
            self.events.append(json.loads(text.removeprefix("event:")))
        return None

    async def hear_event(self, kind: str) -> dict[str, Any]:
        """The next event of a kind; others are dropped, and nothing else may come before it."""
        while True:
            while self.events:
                if (event := self.events.popleft())["type"] == kind:
                    return event
            text = await self._next()
            assert text is not None, f"no {kind} came"
            assert text.startswith("event:"), f"{text} came before {kind}"
            self.events.append(json.loads(text.removeprefix("event:")))

    async def _next(self) -> str | None:
        while True:
            body, self._buffer = self.framing.split(self._buffer)
            if body is not None:
                return self.framing.decode(body)
            try:
                data = await self.stream.receive_some(65536)
            except trio.BrokenResourceError:
                data = b""
            if not data:
                self.ended = True
                return None
            self._buffer += data

    async def hear_question(self) -> list[str] | None:
        """The fields of the next bet1 or bet2; None when there will be none."""
        while (text := await self.hear()) is not None:
            if text.startswith("bet"):
                return text.split(":")
        return None

    async def hear_out(self) -> None:
        """Listen until the dealer ends the session."""
        while await self.hear() is not None:
            pass

    async def say(self, text: str) -> None:
        await self.send(self.framing.encode(text))

    async def send(self, data: bytes) -> None:
        """Send any bytes; a dealer that has hung up is no error."""
        try:
            await self.stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.ended = True

    async def trickle(self, text: str) -> None:
        """Say something a byte every 0.3 seconds, as long as somebody listens."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.hear_out)
            for byte in self.framing.encode(text):
                if not self.ended:
                    await self.send(bytes([byte]))
                    await trio.sleep(0.3)

    async def reset(self) -> None:
        """End the connection as a killed machine does, without a goodbye."""
        assert isinstance(self.stream, trio.SocketStream)
        self.stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        await self.stream.aclose()

    async def log_in(self, name: str) -> None:
        await self.hear()
        await self.say(name)
