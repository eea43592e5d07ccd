"""The table as a web page, with everything it needs from this machine alone."""

import json
import shlex
import socket
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psutil
from aiohttp import web
from textual_serve.server import Server

from bots.human.order import Order

GAMES_AT_ONCE = 32
"""Each browser's game is a process of some 60 MB."""


class ServeError(Exception):
    """The page cannot be served; the text says why."""


class Tables(Server):
    """Starts a game for each browser. Its page names no address, so it works under all that lead here.

    Args:
        command: that plays one game.
        port: where the page is.
    """

    def __init__(self, command: str, port: int) -> None:
        super().__init__(command, port=port, title="Casino Day", templates_path=Path(__file__).with_name("page"))
        self._games = 0

    async def on_startup(self, app: web.Application) -> None:
        """The address is printed by whoever opened the port."""

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Play with one browser, unless too many play already."""
        if self._games >= GAMES_AT_ONCE:
            raise web.HTTPServiceUnavailable(text=f"{self._games} games are being played, as many as there may be")
        self._games += 1
        try:
            return await super().handle_websocket(request)
        finally:
            self._games -= 1

    def run(self, sock: socket.socket) -> None:
        """Serve until interrupted."""

        def quiet(*_words: Any) -> None:
            """The address has been printed."""

        web.run_app(self._make_app(), sock=sock, print=quiet, access_log=None)


def serve(order: Order, host: str, port: int) -> None:
    """Serve tables to browsers until interrupted.

    Raises:
        ServeError: the port cannot be opened.
    """
    try:
        sock = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise ServeError(f"cannot listen on port {port} of {host}: {error.strerror or error}") from None
    with sock:
        port = sock.getsockname()[1]
        print("Casino Day in a browser; each browser has its own table. Ctrl-C ends it.")
        for address in _addresses(host):
            print(f"  http://{address}:{port}/", flush=True)
        command = shlex.join([sys.executable, "-m", "bots.human", json.dumps(asdict(order))])
        Tables(command, port).run(sock)


def _addresses(host: str) -> list[str]:
    """Where browsers find this machine."""
    if host not in ("", "0.0.0.0", "::"):
        return [f"[{host}]" if ":" in host else host]
    found = [address.address for card in psutil.net_if_addrs().values() for address in card]
    return [address for address in found if address.count(".") == 3 and not address.startswith("127.")] or ["127.0.0.1"]
