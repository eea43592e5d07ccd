"""Serve tables of house bots to browsers; each browser has its own table."""

import errno
import secrets
import signal
import socket
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import trio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from bots.catalogue import playing
from bots.human.play_statistics import Counting, Rows, opponents_text, rows_in, statistics_path
from bots.human.table_order import LEVELS, SPEEDS, Order, check, of_level, sit_down
from bots.human.thread_bridge import ThreadPlay
from bots.human.web.app import build_app
from bots.human.web.guests import open_guests
from bots.human.web.room import RoomError, Table
from dealer.cli.options import addresses_of
from dealer.errors import OptionError, PortError
from dealer.web.serving import open_app_server
from protocol.plurals import distinct
from protocol.wire.messages import Name


class HouseRoom:
    """Tables of one game.

    Args:
        order: what was asked for on the command line; without a seed, each table draws its own.
        statistics: the file of the person whose machine this is; None to keep none.
    """

    def __init__(self, order: Order, statistics: Path | None = None) -> None:
        self._order = order
        self._statistics = statistics
        self._bots = playing(order.game)
        self._stack = next(entry for entry in order.agreed.options() if entry.name == "stack")

    @property
    def facts(self) -> Mapping[str, Any]:
        order, agreed = self._order, self._order.agreed
        return {
            "kind": "house",
            "title": agreed.title,
            "levels": list(LEVELS),
            "level": order.level,
            "speeds": list(SPEEDS),
            "speed": order.speed,
            "opponents": len(order.seats),
            "mostOpponents": order.most_opponents,
            "chips": [agreed.stack, self._stack.least, self._stack.most],
            "bots": [{"name": bot.name, "level": bot.level, "source": bot.source} for bot in self._bots],
            "chosen": list(order.against or of_level(self._bots, order.level)),
        }

    @property
    def usual(self) -> Mapping[str, Any] | None:
        """A person who is to play against bots that were named sits down at once."""
        return {} if self._order.against else None

    async def statistics(self, host: str) -> Rows | None:
        if self._statistics is None or not is_this_machine(host):
            return None
        return await trio.to_thread.run_sync(rows_in, self._statistics, self._order.game)

    def name(self, wishes: Mapping[str, Any]) -> None:
        """No dealer asks for one."""

    async def table(self, wishes: Mapping[str, Any], name: Name | None, peer: tuple[str, int]) -> Table:
        """Wishes that are not named are those of the command line."""
        order = self._ordered(wishes)
        try:
            await trio.to_thread.run_sync(check, order)  # which loads the bots
            company = ", ".join(distinct(order.seats, " "))
        except (OptionError, LookupError) as error:
            raise RoomError(str(error)) from None
        title, counting = order.agreed.title, None
        if self._statistics is not None and is_this_machine(peer[0]):
            counting = Counting(self._statistics, order.game, opponents_text(order.seats))
        return Table(
            f"{title[0].upper()}{title[1:]} against {company}",
            partial(ThreadPlay, partial(sit_down, order)),
            counting=counting,
        )

    def _ordered(self, wishes: Mapping[str, Any]) -> Order:
        """The order that a browser's wishes make."""
        order = self._order
        against = wishes.get("against", order.against)
        if not isinstance(against, list | tuple) or not all(isinstance(name, str) for name in against):
            raise RoomError("against: expected a list of names of bots")
        if wishes and not against:
            raise RoomError("choose at least one opponent from the list")
        level, speed = wishes.get("level", order.level), wishes.get("speed", order.speed)
        if level not in LEVELS:
            raise RoomError(f"level: expected one of {', '.join(LEVELS)}")
        if speed not in SPEEDS:
            raise RoomError(f"speed: expected one of {', '.join(SPEEDS)}")
        options = dict(order.options)
        if "chips" in wishes:
            options["stack"] = _whole(wishes, "chips", self._stack.least, self._stack.most)
        opponents = order.opponents
        if "opponents" in wishes:
            opponents = _whole(wishes, "opponents", 1, order.most_opponents)
        seed = order.seed or secrets.token_hex(8)
        return replace(
            order, seed=seed, against=tuple(against), opponents=opponents, level=level, options=options, speed=speed
        )


def is_this_machine(host: str) -> bool:
    """Whether an address is one of this machine: who comes from another one is somebody else."""
    return host in {address.address for card in psutil.net_if_addrs().values() for address in card}


def _whole(wishes: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = wishes[name]
    if type(value) is not int or not least <= value <= most:
        raise RoomError(f"{name}: expected a whole number from {least} to {most}")
    return value


#: Each browser's game is a thread.
GAMES_AT_ONCE = 32


#: Where the page is.
PATH = "/play"


def serve(order: Order, host: str, port: int) -> None:
    """Serve tables to browsers until interrupted.

    Raises:
        PortError: the port cannot be opened.
    """
    try:
        sock = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        instead = "; choose another port with --web-port" if taken else ""
        raise PortError(f"cannot listen on port {port} of {host}: {error.strerror or error}{instead}") from None
    with sock:
        trio.run(_serve, order, host, sock)


async def _serve(order: Order, host: str, sock: socket.socket) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with open_guests(HouseRoom(order, statistics_path()), GAMES_AT_ONCE) as guests:
            app = Starlette(routes=[Route("/", _to_page), Route(PATH, _to_page), Mount(PATH, build_app(guests))])
            async with open_app_server(app, sock):
                _announce(host, sock.getsockname()[1])
                async for _ in signals:
                    break
                await guests.close()


async def _to_page(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")


def _announce(host: str, port: int) -> None:
    print("Casino Day in a browser; each browser has its own table. Ctrl-C ends it.")
    for address in addresses_of(host):
        print(f"  http://{address}:{port}{PATH}/", flush=True)
