"""Hosting: open the doors, fill the lobby, play the tournament, send latecomers away until it is over."""

from dataclasses import dataclass, replace
from functools import partial

import trio
from rich.console import Console

from dealer.cli.options import lan_addresses
from dealer.errors import NobodyPlayedError
from dealer.hosting.progress import announce_page, open_interrupts, run_with_progress, stop_gently
from dealer.hosting.start import MIN_PLAYERS, wait_for_start
from dealer.journal.writer import Journal
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.net.admission import Admission
from dealer.net.limits import USUAL, Limits
from dealer.net.watchdog import open_watchdog
from dealer.settings import OpenDoors
from dealer.tournament.opening import Opening
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.shuffle import commitment


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a tournament is hosted.

    Attributes:
        doors: where to listen; port 0 takes a free one.
        seats: start as soon as this many are here; None waits for another reason.
        wait: seconds after which to start; None waits for another reason.
        limits: what a program, an address and all together may use.
    """

    doors: OpenDoors
    seats: int | None
    wait: float | None
    limits: Limits = USUAL


async def host_tournament(
    hosting: Hosting, scene: Scene, journal: Journal, console: Console, asked: trio.Event | None = None
) -> tuple[Tournament, bool]:
    """Host one tournament from the open doors to the last ``done:``; whether a second interrupt cut it short.

    The first interrupt closes the lobby, or ends the tournament after the hand under way; the second leaves
    at once, with the standings as they are. All that can be seen of it is in the ``scene``. When ``asked`` is set, it
    starts with whoever is here.

    Raises:
        PortError: a port cannot be opened.
        NobodyPlayedError: interrupted before the start.
    """
    opening, admission, filling = scene.opening, Admission(hosting.limits), trio.CancelScope()
    lobby = opening.lobby
    tournament: Tournament | None = None
    async with open_interrupts(filling.cancel) as interrupts, open_watchdog() as watchdog:
        doors = await _open_listeners(hosting, opening.settings.limit)
        async with trio.open_nursery() as nursery:
            for listener in doors:
                nursery.start_soon(accept_players, listener, lobby, watchdog, admission)
            _set_scene(scene, hosting, doors)
            _announce(scene, hosting, console)
            with filling:
                if opening.wanted is None or opening.wanted:
                    await wait_for_start(lobby, hosting.seats, hosting.wait, console, least_players(opening), asked)
            if filling.cancelled_caught:
                await _send_home(lobby)
            else:
                origin = _opened(hosting.doors, doors)
                scene.tournament = tournament = opening.begin(journal, lobby.players, origin)
                interrupts.gently = partial(stop_gently, tournament, console)
                begins = "starts" if opening.wanted is None else "goes on"
                players = "one player" if len(lobby.players) == 1 else f"{len(lobby.players)} players"
                console.print(f"The tournament {begins} with {players}.")
                await run_with_progress(tournament, console)
            nursery.cancel_scope.cancel()
    if tournament is None:
        raise NobodyPlayedError(_why_nobody_played(opening))
    return tournament, interrupts.count > 1 and not tournament.ended


def least_players(opening: Opening) -> int:
    """With how many players a host who is tired of waiting can begin; of those who play on one may be left."""
    return MIN_PLAYERS if opening.wanted is None else 1


def _why_nobody_played(opening: Opening) -> str:
    if opening.wanted is None:
        return "the lobby was closed before the tournament started"
    return "the lobby was closed before play went on; nothing is lost, the journal can be resumed again"


async def _open_listeners(hosting: Hosting, limit: float) -> list[PlayerListener]:
    """The doors for frames, for lines and for people, as far as they are wanted."""
    where, frame_bytes = hosting.doors, hosting.limits.frame_bytes
    doors = [await open_listener(where.host, where.port, limit, frame_bytes=frame_bytes)]
    if where.line_port is not None:
        doors.append(await open_listener(where.host, where.line_port, limit, lines=True, frame_bytes=frame_bytes))
    if where.people_port is not None:
        doors.append(await open_listener(where.host, where.people_port, where.people_limit, frame_bytes=frame_bytes))
    return doors


def _set_scene(scene: Scene, hosting: Hosting, doors: list[PlayerListener]) -> None:
    host = hosting.doors.host
    scene.addresses = tuple(lan_addresses()) if host in ("", "0.0.0.0") else (host,)
    opened = _opened(hosting.doors, doors)
    scene.port, scene.line_port, scene.people_port = opened.port, opened.line_port, opened.people_port


def _opened(wanted: OpenDoors, doors: list[PlayerListener]) -> OpenDoors:
    """The same doors with the ports they got."""
    ports = [listener.port for listener in doors]
    people = None if wanted.people_port is None else ports.pop()
    return replace(wanted, port=ports[0], line_port=ports[1] if ports[1:] else None, people_port=people)


def _announce(scene: Scene, hosting: Hosting, console: Console) -> None:
    console.print(f"Casino Day: {scene.settings.game.title}. Write on the board:")
    for address in scene.addresses:
        console.print(f"  address {address}  port {scene.port}", highlight=False)
    if scene.line_port is not None:
        line = f"  (programs that send lines of text instead of writeUTF: port {scene.line_port})"
        console.print(line, highlight=False)
    if scene.people_port is not None:
        minutes = hosting.doors.people_limit / 60
        line = f"  (people at `casino play`, with {minutes:g} min a reply: port {scene.people_port})"
        console.print(line, highlight=False)
    console.print(f"  commitment {commitment(scene.settings.seed)}", highlight=False, soft_wrap=True)
    announce_page(scene, console)
    if scene.opening.wanted:
        names = ", ".join(player.avatar for player in scene.opening.wanted)
        console.print(f"Players who are expected back: {names}.", highlight=False, markup=False, emoji=False)


async def _send_home(lobby: Lobby) -> None:
    """Say goodbye to all who waited in vain."""
    reason = "the dealer closed the lobby before the tournament started"
    async with trio.open_nursery() as nursery:
        for player in lobby.close(lambda: reason):
            if player.seat is not None:
                nursery.start_soon(player.seat.close, reason)
