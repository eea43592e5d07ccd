"""Serve the table as a web page that needs no other machine; each browser plays its own game."""

import errno
import json
import os
import shlex
import socket
import sys
from dataclasses import asdict
from pathlib import Path
from subprocess import list2cmdline

import psutil
from aiohttp import WSCloseCode, web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from bots.human.table_order import Order

#: After so long without a sign a browser counts as gone.
HEARTBEAT_SECONDS = 15.0

SHUTDOWN_SECONDS = 5.0

#: Each browser's game is a process of some 60 MB.
GAMES_AT_ONCE = 32


class ServeError(Exception):
    """The page cannot be served; the text says why."""


class _Game(AppService):
    """One browser's game."""

    async def stop(self) -> None:
        """End it, and wait until its process has ended."""
        await super().stop()
        if self._process is not None:
            await self._process.wait()


class Tables(Server):
    """Starts a game for each browser. Its page names no address, so it works under every address of this machine.

    Args:
        command: that plays one game.
        port: where the page is.
    """

    def __init__(self, command: str, port: int) -> None:
        super().__init__(command, port=port, title="Casino Day", templates_path=Path(__file__).with_name("page"))
        self._browsers: set[web.WebSocketResponse] = set()

    async def on_startup(self, app: web.Application) -> None:
        """Print nothing: ``serve``, which opened the port, prints its addresses."""

    async def on_shutdown(self, app: web.Application) -> None:
        """Close the connection of every browser, which ends its game."""
        for browser in [*self._browsers]:
            await browser.close(code=WSCloseCode.GOING_AWAY)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Play with one browser, unless too many play already."""
        if len(self._browsers) >= GAMES_AT_ONCE:
            raise web.HTTPServiceUnavailable(text=f"{GAMES_AT_ONCE} games are being played, as many as there may be")
        width, height = (to_int(request.query.get(name, ""), usual) for name, usual in (("width", 80), ("height", 24)))
        browser = web.WebSocketResponse(heartbeat=HEARTBEAT_SECONDS)
        await browser.prepare(request)

        async def close() -> None:
            await browser.close()

        game = _Game(
            self.command,
            write_bytes=browser.send_bytes,
            write_str=browser.send_str,
            close=close,
            download_manager=self.download_manager,
        )
        self._browsers.add(browser)
        try:
            await game.start(width, height)
            await self._process_messages(browser, game)
        finally:
            self._browsers.discard(browser)
            await game.stop()
        return browser

    def run(self, sock: socket.socket) -> None:
        """Serve until interrupted."""
        web.run_app(self._make_app(), sock=sock, print=None, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)


def serve(order: Order, host: str, port: int) -> None:
    """Serve tables to browsers until interrupted.

    Raises:
        ServeError: the port cannot be opened.
    """
    try:
        sock = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        instead = "; choose another port with --web-port" if taken else ""
        raise ServeError(f"cannot listen on port {port} of {host}: {error.strerror or error}{instead}") from None
    with sock:
        port = sock.getsockname()[1]
        print("Casino Day in a browser; each browser has its own table. Ctrl-C ends it.")
        for address in _addresses(host):
            print(f"  http://{address}:{port}/", flush=True)
        Tables(_command([sys.executable, "-m", "bots.human", json.dumps(asdict(order))]), port).run(sock)


def _command(words: list[str]) -> str:
    """A line for the system's shell."""
    return list2cmdline(words) if os.name == "nt" else shlex.join(["exec", *words])


def _addresses(host: str) -> list[str]:
    """The addresses under which browsers find this machine."""
    if host not in ("", "0.0.0.0", "::"):
        return [f"[{host}]" if ":" in host else host]
    found = [address.address for card in psutil.net_if_addrs().values() for address in card]
    return [address for address in found if address.count(".") == 3 and not address.startswith("127.")] or ["127.0.0.1"]
