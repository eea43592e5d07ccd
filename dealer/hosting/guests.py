"""One tournament between players from elsewhere: open the ports, fill the lobby, play, and refuse latecomers."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import trio
from rich.console import Console

from dealer.cli.options import lan_addresses
from dealer.errors import NobodyPlayedError, NoStartError
from dealer.hosting.acpc import time_words
from dealer.hosting.control import Control, begin_as_told
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.keyboard import read_line
from dealer.hosting.outputs import Outputs
from dealer.hosting.pace_keys import PaceKeys, hint
from dealer.hosting.progress import announce_page, run_with_progress
from dealer.journal.writer import Journal
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.net.admission import Admission
from dealer.net.limits import USUAL, Limits
from dealer.net.ports import ACPC, PEOPLE, directions, open_kinds
from dealer.net.watchdog import open_watchdog
from dealer.settings import OpenPorts, Settings
from dealer.tournament.opening import MIN_PLAYERS, Opening
from dealer.tournament.scene import NO_ORDERS, FirstOrders, Scene
from dealer.tournament.tournament import Tournament
from protocol.shuffle import commitment


@dataclass(frozen=True, slots=True)
class StartConditions:
    """What starts a tournament: whichever of these comes first. Enter on standard input is always one of them.

    Attributes:
        seats: start with this many players; None does not.
        wait: start after this many seconds, or with the second player if there are fewer then; None does not.
        least: players that Enter, or the end of the wait, needs to start.
        asked: set when the desk is told to start; None if there is no desk.
        resumed: whether a tournament goes on that had begun.
    """

    seats: int | None = None
    wait: float | None = None
    least: int = MIN_PLAYERS
    asked: trio.Event | None = None
    resumed: bool = False

    @property
    def needs_enter(self) -> bool:
        """Whether only Enter can start the tournament."""
        return self.seats is None and self.wait is None and self.asked is None

    def in_words(self) -> str:
        """A sentence for the host: when the tournament starts."""
        ways = [f"when {_players(self.seats)} here"] if self.seats is not None else []
        if self.wait is not None:
            ways.append(f"after {self.wait:g} s")
        if sys.stdin is not None and sys.stdin.isatty():
            ways.append("when you press Enter")
        if self.asked is not None:
            ways.append("when the desk says so")
        begins = "goes on" if self.resumed else "starts"
        return f"The tournament {begins} {', or '.join(ways) or 'on a line of input'}."


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a tournament is hosted.

    Attributes:
        ports: where to listen; port 0 takes a free one.
        start: what starts it.
        limits: what one program, one address and all together may use.
        orders: what the host sets before the first hand.
        roster: the file of who was expected; None if there is none.
        seed: the text that the host gave for the cards; None if they are left to chance.
    """

    ports: OpenPorts
    start: StartConditions
    limits: Limits = USUAL
    orders: FirstOrders = NO_ORDERS
    roster: Path | None = None
    seed: str | None = None


async def host_tournament(
    hosting: Hosting,
    scene: Scene,
    journal: Journal,
    outputs: Outputs,
    keys: PaceKeys | None = None,
) -> tuple[Tournament, bool]:
    """Host one tournament, from the open ports to the last ``done:``.

    The first interrupt closes the lobby, or stops the tournament as ``Control`` describes it. The second leaves at
    once, with the standings as they are.

    Returns:
        The tournament, and whether it can go on: the host suspended it, or a second interrupt cut it short.

    Raises:
        PortError: a port cannot be opened.
        NobodyPlayedError: interrupted before the start.
    """
    # ``filling`` is the time in the lobby: until play begins, a gentle interrupt means to stop waiting.
    opening, admission, filling = scene.opening, Admission(hosting.limits), trio.CancelScope()
    lobby, console = opening.lobby, outputs.console
    tournament: Tournament | None = None
    async with open_interrupts(filling.cancel) as interrupts, open_watchdog() as watchdog:
        listeners, ports = await _open_listeners(hosting.ports, opening.settings, scene.page_token)
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(accept_players, listener, lobby, watchdog, admission)
            _set_scene(scene, hosting, ports)
            _announce(scene, ports, console)
            with filling:
                # A resumed tournament whose players are all out has nobody to wait for, only standings to tell.
                if opening.wanted is None or opening.wanted:
                    conditions = replace(
                        hosting.start,
                        least=opening.least,
                        asked=scene.start_asked if outputs.page.desk else None,
                        resumed=opening.wanted is not None,
                    )
                    await wait_for_start(lobby, conditions, console, watchdog.stalls.sleep, keys)
            if filling.cancelled_caught:
                await _close_lobby(opening, console)
            else:
                tournament = scene.begin(journal, lobby.players, ports, watchdog.stalls)
                control = Control(tournament, console, interrupts, asks=True, keys=keys)
                console.print(_beginning(opening, len(lobby.players)))
                begin_as_told(tournament, scene.orders, control, console, scene)
                await run_with_progress(tournament, console, control)
            nursery.cancel_scope.cancel()
    if tournament is None:
        raise NobodyPlayedError(_why_nobody_played(opening))
    return tournament, not tournament.ended


def _beginning(opening: Opening, count: int) -> str:
    begins = "starts" if opening.wanted is None else "goes on"
    players = "one player" if count == 1 else f"{count} players"
    return f"The tournament {begins} with {players}."


def _why_nobody_played(opening: Opening) -> str:
    if opening.wanted is None:
        return "the lobby was closed before the tournament started"
    return "the lobby was closed before play went on; nothing is lost, the journal can be resumed again"


async def _open_listeners(
    where: OpenPorts, settings: Settings, page_token: str | None
) -> tuple[list[PlayerListener], OpenPorts]:
    """Listen at all ports that are wanted.

    Returns:
        The listeners, and the ports that were opened, where 0 asked for any.

    Raises:
        PortError: a port cannot be opened.
    """
    opened: list[PlayerListener] = []
    acpc = settings.acpc
    for kind, number in open_kinds(where):
        limit = where.people_limit if kind is PEOPLE else settings.limit
        if kind is ACPC and acpc is not None:
            limit = acpc.limit
        terms, token = (acpc if kind is ACPC else None), (page_token if kind is PEOPLE else None)
        listener = await open_listener(where.host, number, limit, kind, acpc=terms, flag=kind.flag)
        opened.append(replace(listener, token=token))
    ports = replace(where, numbers={listener.kind.name: listener.port for listener in opened})
    way = partial(directions, ports.numbers, settings.game.name)
    return [replace(listener, elsewhere=partial(way, listener.kind)) for listener in opened], ports


def _set_scene(scene: Scene, hosting: Hosting, ports: OpenPorts) -> None:
    """Tell the scene where programs connect, and when the tournament starts."""
    scene.addresses = tuple(lan_addresses()) if ports.host in ("", "0.0.0.0") else (ports.host,)
    scene.ports = ports
    scene.lobby.seats = hosting.start.seats
    scene.starts_at = None if hosting.start.wait is None else trio.current_time() + hosting.start.wait


def _announce(scene: Scene, ports: OpenPorts, console: Console) -> None:
    """Print what the host writes on the board: addresses, ports and the commitment to the seed."""
    console.print(f"Casino Day: {scene.settings.game.title}. Write on the board:")
    remarks = {PEOPLE: f", with {ports.people_limit / 60:g} min a reply"}
    if scene.settings.acpc is not None:
        remarks[ACPC] = f", {time_words(scene.settings.acpc)}"
    (_, usual), *others = open_kinds(ports)
    for address in scene.addresses:
        console.print(f"  address {address}  port {usual}", highlight=False)
    for kind, number in others:
        console.print(f"  ({kind.who}{remarks.get(kind, '')}: port {number})", highlight=False, soft_wrap=True)
    console.print(f"  commitment {commitment(scene.settings.seed)}", highlight=False, soft_wrap=True)
    announce_page(scene, console)
    if scene.opening.expected:
        names = ", ".join(f"{player.avatar} (id {player.id})" for player in scene.opening.expected)
        console.print(f"Players who are expected back: {names}.", highlight=False, markup=False, emoji=False)


async def _close_lobby(opening: Opening, console: Console) -> None:
    """Tell the host that the lobby closes, and close the connections of all who waited there, with a reason."""
    reason = "the dealer closed the lobby before the tournament started"
    if opening.wanted is not None:
        reason = "the dealer closed the lobby before play went on; the tournament can be resumed again"
    seats = [player.seat for player in opening.lobby.close(lambda: reason) if player.seat is not None]
    console.print(_closing(opening, len(seats)), highlight=False, soft_wrap=True)
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.close, reason)


def _closing(opening: Opening, count: int) -> str:
    """A sentence for a host who has closed the lobby with ``count`` players in it."""
    played = "nothing has been played yet" if opening.wanted is None else "play has not gone on yet"
    told = "no player is here" if count == 0 else "the player who is here is told"
    if count > 1:
        told = f"the {count} players who are here are told"
    return f"Closing the lobby: {played}, and {told}."


async def wait_for_start(
    lobby: Lobby,
    conditions: StartConditions,
    console: Console,
    sleep: Callable[[float], Awaitable[None]] = trio.sleep,
    keys: PaceKeys | None = None,
) -> None:
    """Show who comes and goes, until the first of the conditions holds.

    Args:
        lobby: where players gather.
        conditions: what starts the tournament.
        console: for the host.
        sleep: waits for so many seconds.
        keys: of the host; None where only lines are read.

    Raises:
        NoStartError: (in a group) only Enter could start it, and standard input is closed.
    """

    async def players_here(count: int) -> None:
        while len(lobby.players) < count:
            await lobby.changed()

    async def enter() -> None:
        while await (enter_pressed() if keys is None else _enter_among(keys)):
            if len(lobby.players) >= conditions.least:
                return
            console.print(f"Not before {_players(conditions.least)} here.")
        if conditions.needs_enter:
            raise NoStartError("nobody can press Enter here (standard input is closed): give --seats or --wait")
        await trio.sleep_forever()  # one of the other conditions will hold

    async def wait_over(seconds: float) -> None:
        await sleep(seconds)
        if len(lobby.players) < conditions.least:
            console.print("The wait is over; the tournament starts as soon as two players are here.")
            await players_here(MIN_PLAYERS)

    async with trio.open_nursery() as nursery:

        async def start_after(condition: Callable[[], Awaitable[None]]) -> None:
            await condition()
            nursery.cancel_scope.cancel()

        nursery.start_soon(_show_lobby, lobby, console)
        nursery.start_soon(start_after, enter)
        if conditions.seats is not None:
            nursery.start_soon(start_after, partial(players_here, conditions.seats))
        if conditions.wait is not None:
            nursery.start_soon(start_after, partial(wait_over, conditions.wait))
        if conditions.asked is not None:
            nursery.start_soon(start_after, conditions.asked.wait)
        console.print(conditions.in_words(), highlight=False)
        if keys is not None:
            console.print(f"Now and during play: {hint(paused=False)}.", highlight=False)


async def _enter_among(keys: PaceKeys) -> bool:
    """Wait for Enter; the other keys do what they stand for. False if standard input is closed."""
    while (pressed := await keys.keys.pressed()) is not None:
        for key in pressed:
            keys.take(key)
        if "\n" in pressed:
            return True
    return False


def _players(count: int) -> str:
    return "one player is" if count == 1 else f"{count} players are"


async def enter_pressed() -> bool:
    """Wait for a line on standard input; False if it is closed."""
    return await read_line() is not None


async def _show_lobby(lobby: Lobby, console: Console) -> None:
    """Print a line for every player who comes or leaves, until cancelled."""
    shown: tuple[Player, ...] = ()
    while True:
        here = lobby.players
        for player in here:
            if player not in shown:
                _say(console, f"  + {player.avatar} ({len(here)} here), id {player.id}")
        for player in shown:
            if player not in here:
                _say(console, f"  - {player.avatar} left ({len(here)} here), id {player.id}")
        shown = here
        await lobby.changed()


def _say(console: Console, text: str) -> None:
    """Print a line with a name in it exactly as it is: a name may look like markup."""
    console.print(text, highlight=False, markup=False, emoji=False)
