"""The page with tables of house bots, served in the event loop of a test."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio
from starlette.applications import Starlette
from starlette.routing import Mount

from bots.human.table_order import Order
from bots.human.web.app import build_app
from bots.human.web.guests import Guests, open_guests
from bots.human.web.server import HouseRoom
from dealer.web.app_server import open_app_server
from tests.bots.human.web.peer import HOST
from tests.patience import PATIENCE

#: A game against one bot that always calls, without pauses.
AGAINST_CALLER = Order("stud", "page", ("caller",), speed="none")


@asynccontextmanager
async def open_house(
    order: Order = AGAINST_CALLER, most: int = 8, statistics: Path | None = None
) -> AsyncIterator[tuple[int, Guests]]:
    """The port of the page, and who plays there; hands are added to the file of ``statistics``."""
    room = HouseRoom(order, statistics)
    with trio.fail_after(PATIENCE), socket.create_server((HOST, 0)) as sock:
        async with open_guests(room, most) as guests:
            async with open_app_server(Starlette(routes=[Mount("/play", build_app(guests))]), sock):
                yield sock.getsockname()[1], guests
