"""Hosting: open the doors, fill the lobby, play the tournament, send latecomers away until it is over."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import trio
from rich.console import Console

from dealer.gate import Gate
from dealer.journal import Journal
from dealer.limits import USUAL, Limits
from dealer.lobby import Lobby
from dealer.options import lan_addresses
from dealer.run import open_interrupts, run_with_progress, stop_gently
from dealer.server import Door, keep_door, open_door
from dealer.starting import NobodyPlayedError, wait_for_start
from dealer.tournament import Settings, Tournament
from dealer.watchdog import open_watchdog


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a tournament is hosted.

    Attributes:
        host: the local address to listen on.
        port: for writeUTF frames; 0 takes a free one.
        line_port: for lines; None opens no such door.
        seats: start as soon as this many are here; None waits for another reason.
        wait: seconds after which to start; None waits for another reason.
        roster: names of the ids that may play; None lets all play.
        capacity: how many can play.
        limits: what a program, an address and all together may use.
    """

    host: str
    port: int
    line_port: int | None
    seats: int | None
    wait: float | None
    roster: Mapping[str, str] | None
    capacity: int
    limits: Limits = USUAL


async def host_tournament(
    hosting: Hosting, settings: Settings, journal: Journal, console: Console
) -> tuple[Tournament, bool]:
    """Host one tournament from the open doors to the last ``done:``; whether a second interrupt cut it short.

    The first interrupt closes the lobby, or ends the tournament after the hand under way; the second leaves
    at once, with the standings as they are.

    Raises:
        DoorError: a port cannot be opened.
        NobodyPlayedError: interrupted before the start.
        JournalError: the journal cannot be written.
    """
    lobby = Lobby(hosting.capacity, settings.lives, hosting.roster)
    gate = Gate(hosting.limits)
    filling = trio.CancelScope()
    tournament: Tournament | None = None
    async with open_interrupts(filling.cancel) as interrupts, open_watchdog() as watchdog:
        doors = await _open_doors(hosting, settings.limit)
        async with trio.open_nursery() as nursery:
            for door in doors:
                nursery.start_soon(keep_door, door, lobby, watchdog, gate)
            _announce(settings.game.title, hosting, doors, console)
            with filling:
                await wait_for_start(lobby, hosting.seats, hosting.wait, console)
            if filling.cancelled_caught:
                await _send_home(lobby)
            else:
                tournament = Tournament(settings, lobby.players, journal)
                lobby.close(partial(_tell_latecomer, tournament, trio.current_time()))
                interrupts.gently = partial(stop_gently, tournament, console)
                console.print(f"The tournament starts with {len(tournament.players)} players.")
                await run_with_progress(tournament, console)
            nursery.cancel_scope.cancel()
    if tournament is None:
        raise NobodyPlayedError("the lobby was closed before the tournament started")
    return tournament, interrupts.count > 1


async def _open_doors(hosting: Hosting, limit: float) -> list[Door]:
    frame_bytes = hosting.limits.frame_bytes
    doors = [await open_door(hosting.host, hosting.port, limit, frame_bytes=frame_bytes)]
    if hosting.line_port is not None:
        doors.append(await open_door(hosting.host, hosting.line_port, limit, lines=True, frame_bytes=frame_bytes))
    return doors


def _announce(game: str, hosting: Hosting, doors: list[Door], console: Console) -> None:
    addresses = lan_addresses() if hosting.host in ("", "0.0.0.0") else [hosting.host]
    console.print(f"Casino Day: {game}. Write on the board:")
    for address in addresses:
        console.print(f"  address {address}  port {doors[0].port}", highlight=False)
    for door in doors[1:]:
        console.print(f"  (programs that send lines of text instead of writeUTF: port {door.port})", highlight=False)


async def _send_home(lobby: Lobby) -> None:
    """Say goodbye to all who waited in vain."""
    reason = "the dealer closed the lobby before the tournament started"
    async with trio.open_nursery() as nursery:
        for player in lobby.close(lambda: reason):
            nursery.start_soon(player.seat.close, reason)


def _tell_latecomer(tournament: Tournament, started: float) -> str:
    """What a program hears that connects during the tournament: how far it is, and when to come back."""
    hand, hands = tournament.hand_number, tournament.hands_planned
    elapsed = trio.current_time() - started
    minutes, seconds = divmod(round(elapsed / max(hand, 1) * (hands - hand)), 60)
    left = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    return f"the tournament is at hand {hand} of {hands}; come back for the next one, in {left} at the latest"
