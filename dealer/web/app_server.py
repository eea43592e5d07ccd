"""Serve an application of another package to browsers, with the limits and headers of the dealer's own page."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from starlette.types import ASGIApp

from dealer.net.limits import descriptors_for
from dealer.web.admin.guard import OwnPageOnly
from dealer.web.app import StrictHeaders
from dealer.web.misdirected import Misdirected
from dealer.web.page_server import CLOSING_SECONDS, CONNECTIONS, PageServer
from dealer.web.serving import end_stalled

_NO_PROGRAMS = "this is a page for browsers; no programs play here"


@asynccontextmanager
async def open_app_server(app: ASGIApp, sock: socket.socket) -> AsyncIterator[None]:
    """Serve an application at a listening socket while the block runs; at its end its connections are cut off."""
    end_stalled(sock)
    with descriptors_for(CONNECTIONS) as descriptors:
        server = PageServer(StrictHeaders(OwnPageOnly(app)), Misdirected(lambda _: _NO_PROGRAMS), descriptors)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.serve, sock)
            try:
                yield
            finally:
                await server.end()
                nursery.cancel_scope.deadline = trio.current_time() + CLOSING_SECONDS
