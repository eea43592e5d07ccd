"""What the host's page is told while it is open: lines of JSON, of which each replaces a part of what it shows."""

import json
import time
from collections.abc import Callable
from typing import Any

import trio

from dealer.lobby.failed_logins import LATEST
from dealer.web.admin.desk_view import DeskView
from dealer.web.board import Board
from dealer.web.stream import PING_SECONDS, LiveResponse, Say

#: Seconds between two looks at the tournament, at least.
LOOK_SECONDS = 0.5

#: Seconds between two looks if nothing has changed that the page shows to all.
QUIET_SECONDS = 1.0

#: The share of the dealer's time that looking for one host may take.
SHARE = 0.02

#: The last line: the dealer closes its page.
BYE = b'{"bye":true}\n'


class HostStream(LiveResponse):
    """All that the host sees, then the parts that change, until the host leaves or the page is closed.

    Args:
        view: what the host sees.
        board: tells when the page is closed, and counts this viewer.
        address: of the host.
        is_open: whether the session has not ended.
        streams: all that are open; this one is among them while it is sent.
    """

    def __init__(
        self, view: DeskView, board: Board, address: str, is_open: Callable[[], bool], streams: set["HostStream"]
    ) -> None:
        super().__init__("application/x-ndjson", BYE)
        self._view = view
        self._board = board
        self._address = address
        self._is_open = is_open
        self._streams = streams
        self._told: dict[str, bytes] = {}

    async def _tell(self, say: Say) -> None:
        self._streams.add(self)
        try:
            with self._board.watched(None, self._address):
                await self._tell_news(say)
        finally:
            self._streams.discard(self)

    async def _tell_news(self, say: Say) -> None:
        said = trio.current_time()
        while self._is_open():
            began = time.perf_counter()
            piece = self._news()
            took = time.perf_counter() - began
            if piece or trio.current_time() > said + PING_SECONDS:
                await say(piece or b"{}\n")
                said = trio.current_time()
            if self._board.over:
                return
            least = max(LOOK_SECONDS, took / SHARE)
            with trio.move_on_after(least):
                await self._closed()
            with trio.move_on_after(max(QUIET_SECONDS - least, 0)):
                await self._board.changed()

    async def _closed(self) -> None:
        while not self._board.over:
            await self._board.changed()

    def _news(self) -> bytes:
        """The parts that have changed since they were told last."""
        parts: dict[str, Any] = {
            "state": self._view.state(),
            "players": self._view.players(),
            "incidents": self._view.faults(LATEST)["incidents"],
            "logins": self._view.failed_logins(LATEST)["failed_logins"],
        }
        lines = {name: _line(name, facts) for name, facts in parts.items()}
        news = [line for name, line in lines.items() if self._told.get(name) != line]
        self._told = lines
        return b"".join(news)


def _line(name: str, facts: Any) -> bytes:
    return json.dumps({name: facts}, separators=(",", ":")).encode() + b"\n"
