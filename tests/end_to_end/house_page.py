"""The page with tables of house bots, a game each, served in a thread of the test, so that no process has to start."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager

import trio
from starlette.applications import Starlette
from starlette.routing import Mount

from bots.human.table_order import Order
from bots.human.web.app import build_app
from bots.human.web.guests import open_guests
from bots.human.web.server import HouseRoom
from dealer.web.serving import open_app_server
from tests.patience import PATIENCE

HOST = "127.0.0.1"


@contextmanager
def served_tables(orders: Sequence[Order]) -> Iterator[str]:
    """The address under which the page of each game is at its name."""
    begun, stop, trio_token = threading.Event(), trio.Event(), []

    async def serve(sock: socket.socket) -> None:
        trio_token.append(trio.lowlevel.current_trio_token())
        async with AsyncExitStack() as stack:
            routes = []
            for order in orders:
                guests = await stack.enter_async_context(open_guests(HouseRoom(order), 8))
                routes.append(Mount(f"/{order.game}", build_app(guests)))
            await stack.enter_async_context(open_app_server(Starlette(routes=routes), sock))
            begun.set()
            await stop.wait()

    with socket.create_server((HOST, 0)) as sock:
        thread = threading.Thread(target=trio.run, args=(serve, sock))
        thread.start()
        assert begun.wait(PATIENCE)
        try:
            yield f"http://{HOST}:{sock.getsockname()[1]}/"
        finally:
            trio_token[0].run_sync_soon(stop.set)
            thread.join()
