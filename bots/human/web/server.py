"""Serve tables of house bots to browsers; each browser has its own table."""

import errno
import signal
import socket

import psutil
import trio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from bots.human.play_statistics import StatisticsFile, statistics_path
from bots.human.table_order import Order
from bots.human.web.app import build_app
from bots.human.web.guests import open_guests
from bots.human.web.house import HouseRoom
from protocol.installed import entry_points

#: An installed server of web applications, which limits and cuts off browsers and refuses foreign pages: the entry
#: point of this group.
SERVERS = "casino.page_server"

#: Each browser's game is a thread.
GAMES_AT_ONCE = 32


#: Where the page is.
PATH = "/play"


class ServeError(Exception):
    """The page cannot be served; the text says why."""


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
        trio.run(_serve, order, host, sock)


async def _serve(order: Order, host: str, sock: socket.socket) -> None:
    (point,) = entry_points(group=SERVERS)
    open_server = point.load()
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with open_guests(HouseRoom(order, StatisticsFile(statistics_path())), GAMES_AT_ONCE) as guests:
            app = Starlette(routes=[Route("/", _to_page), Route(PATH, _to_page), Mount(PATH, build_app(guests))])
            async with open_server(app, sock):
                _announce(host, sock.getsockname()[1])
                async for _ in signals:
                    break
                await guests.close()


async def _to_page(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")


def _announce(host: str, port: int) -> None:
    print("Casino Day in a browser; each browser has its own table. Ctrl-C ends it.")
    for address in _addresses(host):
        print(f"  http://{address}:{port}{PATH}/", flush=True)


def _addresses(host: str) -> list[str]:
    """The addresses under which browsers find this machine."""
    if host not in ("", "0.0.0.0", "::"):
        return [f"[{host}]" if ":" in host else host]
    found = [address.address for card in psutil.net_if_addrs().values() for address in card]
    return [address for address in found if address.count(".") == 3 and not address.startswith("127.")] or ["127.0.0.1"]
