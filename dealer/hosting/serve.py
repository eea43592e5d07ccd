"""A hosted tournament: open the ports, fill the lobby, play, and refuse latecomers until it is over."""

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import trio
from rich.console import Console

from dealer.cli.flags import AcpcFlags, HostFlags, PageFlags, RunFlags, ShowFlags, TournamentFlags
from dealer.cli.options import default_journal, lan_addresses, seed_or_chance
from dealer.cli.output import configure_logs
from dealer.cli.roster import read_roster, roster_in_words
from dealer.errors import INTERRUPTED, NobodyPlayedError, OptionError
from dealer.hosting.acpc import acpc_terms, check_no_acpc, time_words
from dealer.hosting.control import Control, begin_as_told, host_keys
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.outputs import Outputs, kept_journal
from dealer.hosting.pace_keys import PaceKeys
from dealer.hosting.progress import announce_page, run_with_progress
from dealer.hosting.results import Results, show_results
from dealer.hosting.start import MIN_PLAYERS, StartConditions, wait_for_start
from dealer.hosting.tournament_settings import Options, agree, most_players
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.people_door import PeopleDoor
from dealer.net.admission import Admission
from dealer.net.limits import USUAL, Limits, fit_descriptors
from dealer.net.watchdog import open_watchdog
from dealer.settings import OpenPorts, Settings
from dealer.tournament.first_orders import NO_ORDERS, FirstOrders
from dealer.tournament.hand_player import HandPlayers
from dealer.tournament.opening import NewTournament, Opening
from dealer.tournament.scene import Scene
from dealer.tournament.show_plan import DEFAULT_MINUTES
from dealer.tournament.tournament import Tournament
from dealer.web.admin.host_desk import Desk
from dealer.workers.workers import check_procs
from protocol.shuffle import commitment
from protocol.wire.wrong_port import expected


async def serve_tournament(
    game: str,
    options: Options,
    host: HostFlags,
    flags: TournamentFlags,
    run: RunFlags,
    limits: Limits,
    page: PageFlags,
    acpc: AcpcFlags,
    show: ShowFlags,
) -> int:
    """Host a tournament as ``casino serve`` describes it, print the results, and return the exit code.

    Args:
        game: the name of the game.
        options: of the game, as they were given.
        host: who may play, and at which ports.
        flags: what is agreed for the tournament.
        run: journal, feed and results.
        limits: what programs may use.
        page: the page for browsers.
        acpc: how programs of the ACPC take part, if they have a port.
        show: how long it is to take.

    Raises:
        OptionError, NoStartError, PortError, JournalError, NobodyPlayedError: with a text for the host.
    """
    if host.acpc_port is None:
        check_no_acpc(acpc, "--acpc-port")
    terms = None if host.acpc_port is None else acpc_terms(acpc)
    settings = agree(game, options, flags, seed_or_chance(flags.seed), terms)
    settings = replace(settings, rejoin=host.rejoin, secrets=host.secrets)
    most = most_players(settings)
    _check_host(game, host, flags, most)
    check_page(page)
    check_procs(run.procs)
    _check_show(show)
    roster = None if host.roster is None else read_roster(host.roster)
    configure_logs(run.log_level)
    outputs = Outputs(Console(stderr=run.json), run, page)
    opening = NewTournament(settings, host.seats or most, roster)
    orders = FirstOrders(length=show_seconds(show, page, run))
    hosting = Hosting(host.ports, host.seats, host.wait, fit_descriptors(limits), orders)
    if roster is not None:
        outputs.say(roster_in_words(roster))
    if flags.seed is not None:
        outputs.say("Anyone who guesses the text of --seed knows every card. Leave it out when it counts.")
    # Created last, so that a mistake in another flag leaves no empty file behind.
    file = None if host.no_journal else AppendFile.create(flags.journal or default_journal(game))
    return await play_guests(hosting, opening, file, outputs)


def _check_host(game: str, host: HostFlags, flags: TournamentFlags, most: int) -> None:
    """Check the flags of a host.

    Raises:
        OptionError: too few or too many seats, or flags that contradict each other.
    """
    if host.seats is not None and not MIN_PLAYERS <= host.seats <= most:
        raise OptionError(f"--seats takes {MIN_PLAYERS} to {most}, as many as can play {game}; got {host.seats}")
    if host.no_journal and flags.journal is not None:
        raise OptionError("--journal and --no-journal contradict each other; give one of them")
    if host.acpc_port is not None and host.secrets:
        raise OptionError("--acpc-port and --secrets contradict each other: programs of the ACPC give no secret")
    ports = {
        "--port": host.ports.port,
        "--line-port": host.ports.line_port,
        "--people-port": host.ports.people_port,
        "--acpc-port": host.ports.acpc_port,
    }
    for (one, port), (other, same) in combinations(ports.items(), 2):
        if port == same and port:
            raise OptionError(f"{one} and {other} are both {port}; each needs its own port")


def check_page(page: PageFlags) -> None:
    """Check the flags of the page.

    Raises:
        OptionError: they contradict each other.
    """
    if page.desk and page.no_page:
        raise OptionError("--desk and --no-page contradict each other; the desk is part of the page")


def _check_show(show: ShowFlags) -> None:
    """Check how long the tournament is to take.

    Raises:
        OptionError: the flags contradict each other.
    """
    if show.fast and show.show is not None:
        raise OptionError("--show and --fast contradict each other; give one of them")


def show_seconds(show: ShowFlags, page: PageFlags, run: RunFlags) -> float | None:
    """Seconds that the tournament is to take; None for as fast as it goes.

    Without a flag it is a show where people watch: where there is a page, and no program waits for the results.
    """
    if show.show is not None:
        return 60 * show.show
    return None if show.fast or page.no_page or run.json else 60 * DEFAULT_MINUTES


@dataclass(frozen=True, slots=True)
class Hosting:
    """How a tournament is hosted.

    Attributes:
        ports: where to listen; port 0 takes a free one.
        seats: start with this many players; None waits for another reason.
        wait: start after this many seconds; None waits for another reason.
        limits: what one program, one address and all together may use.
        orders: what the host sets before the first hand.
    """

    ports: OpenPorts
    seats: int | None
    wait: float | None
    limits: Limits = USUAL
    orders: FirstOrders = NO_ORDERS


async def play_guests(hosting: Hosting, opening: Opening, file: AppendFile | None, outputs: Outputs) -> int:
    """Host a new or resumed tournament to its end, print the results, and return the exit code."""
    if file is not None:
        outputs.say(f"journal: {file.path}")
    scene, host = outputs.scene(opening), hosting.ports.host
    scene.orders = hosting.orders
    scene.people_limit = hosting.ports.people_limit
    people = hosting.ports.people_port is not None
    desk = Desk(scene, least_players(opening)) if outputs.page.desk else None
    with outputs.owned(file):
        async with outputs.open_page(scene, host, desk, people=people):
            async with outputs.open_journal(file) as journal, outputs.open_feed(scene, journal, host):
                asked = None if desk is None else desk.asked
                async with outputs.open_hand_players() as hand_players:
                    with host_keys(scene, outputs.console) as keys:
                        tournament, cut_short = await host_tournament(
                            hosting, scene, journal, outputs.console, asked, keys, hand_players
                        )
            results = Results(tournament, opening.settings, kept_journal(file), (), cut_short)
            show_results(results, outputs.run.json)
    return INTERRUPTED if cut_short and not tournament.suspended else 0


async def host_tournament(
    hosting: Hosting,
    scene: Scene,
    journal: Journal,
    console: Console,
    asked: trio.Event | None = None,
    keys: PaceKeys | None = None,
    hand_players: HandPlayers | None = None,
) -> tuple[Tournament, bool]:
    """Host one tournament, from the open ports to the last ``done:``.

    The first interrupt closes the lobby, or stops the tournament as ``Control`` describes it. The second leaves at
    once, with the standings as they are.

    Args:
        hosting: where to listen, and when to start.
        scene: filled in with everything that can be seen of the tournament.
        journal: where it is recorded.
        console: for the host.
        asked: set when the desk is told to start; None if there is no desk.
        keys: of the host; None where there are none.
        hand_players: who plays the hands; None is this process.

    Returns:
        The tournament, and whether it can go on: the host suspended it, or a second interrupt cut it short.

    Raises:
        PortError: a port cannot be opened.
        NobodyPlayedError: interrupted before the start.
    """
    # ``filling`` is the time in the lobby: until play begins, a gentle interrupt means to stop waiting.
    opening, admission, filling = scene.opening, Admission(hosting.limits), trio.CancelScope()
    lobby = opening.lobby
    tournament: Tournament | None = None
    async with open_interrupts(filling.cancel) as interrupts, open_watchdog() as watchdog:
        listeners = await _open_listeners(hosting, opening.settings)
        async with trio.open_nursery() as nursery:
            for listener in listeners:
                nursery.start_soon(accept_players, listener, lobby, watchdog, admission)
            _set_scene(scene, hosting, listeners)
            _announce(scene, hosting, console)
            with filling:
                # A resumed tournament whose players are all out has nobody to wait for, only standings to tell.
                if opening.wanted is None or opening.wanted:
                    resumed = opening.wanted is not None
                    least = least_players(opening)
                    conditions = StartConditions(hosting.seats, hosting.wait, least, asked, resumed)
                    await wait_for_start(lobby, conditions, console, watchdog.stalls.sleep, keys)
            if filling.cancelled_caught:
                await _close_lobby(opening, console)
            else:
                origin = _with_ports(hosting.ports, listeners)
                scene.tournament = tournament = opening.begin(journal, lobby.players, origin)
                tournament.hand_players = hand_players or tournament.hand_players
                tournament.heed_stalls(watchdog.stalls)
                tournament.services = scene.services(origin)
                tournament.log_steps = scene.log_steps
                control = Control(tournament, console, interrupts, asks=True, keys=keys)
                console.print(_beginning(opening, len(lobby.players)))
                begin_as_told(tournament, scene.orders, control, console, scene)
                await run_with_progress(tournament, console, control)
            nursery.cancel_scope.cancel()
    if tournament is None:
        raise NobodyPlayedError(_why_nobody_played(opening))
    return tournament, not tournament.ended


def least_players(opening: Opening) -> int:
    """Players that the host needs to start before the lobby is full; a resumed tournament may have one left."""
    return MIN_PLAYERS if opening.wanted is None else 1


def _beginning(opening: Opening, count: int) -> str:
    begins = "starts" if opening.wanted is None else "goes on"
    players = "one player" if count == 1 else f"{count} players"
    return f"The tournament {begins} with {players}."


def _why_nobody_played(opening: Opening) -> str:
    if opening.wanted is None:
        return "the lobby was closed before the tournament started"
    return "the lobby was closed before play went on; nothing is lost, the journal can be resumed again"


async def _open_listeners(hosting: Hosting, settings: Settings) -> list[PlayerListener]:
    """Listen for frames, and for lines, people and programs of the ACPC if they have ports, in this order.

    Raises:
        PortError: a port cannot be opened.
    """
    where, frame_bytes = hosting.ports, hosting.limits.frame_bytes
    open_port = partial(open_listener, where.host, frame_bytes=frame_bytes)
    listeners = [await open_port(where.port, settings.limit, flag="--port")]
    if where.line_port is not None:
        listeners.append(await open_port(where.line_port, settings.limit, lines=True, flag="--line-port"))
    if where.people_port is not None:
        opened = await open_port(where.people_port, where.people_limit, flag="--people-port")
        listeners.append(replace(opened, door=PeopleDoor()))
    listeners = [_with_directions(listener, listeners) for listener in listeners]
    if where.acpc_port is not None and settings.acpc is not None:
        opened = await open_port(where.acpc_port, settings.acpc.limit, lines=True, flag="--acpc-port")
        listeners.append(replace(opened, acpc=settings.acpc))
    return listeners


def _with_directions(listener: PlayerListener, listeners: list[PlayerListener]) -> PlayerListener:
    """The listener, which can tell programs of the other framing their port."""
    for other in listeners:
        spoken = expected(other.framing)
        if spoken is not expected(listener.framing):
            return replace(listener, elsewhere=f"; programs that use {spoken} connect to port {other.port}")
    return listener


def _set_scene(scene: Scene, hosting: Hosting, listeners: list[PlayerListener]) -> None:
    """Tell the scene where programs connect, and when the tournament starts."""
    host = hosting.ports.host
    scene.addresses = tuple(lan_addresses()) if host in ("", "0.0.0.0") else (host,)
    opened = _with_ports(hosting.ports, listeners)
    scene.port, scene.line_port, scene.people_port = opened.port, opened.line_port, opened.people_port
    scene.acpc_port = opened.acpc_port
    scene.people = next((listener.door for listener in listeners if listener.door is not None), None)
    scene.seats = hosting.seats
    scene.starts_at = None if hosting.wait is None else trio.current_time() + hosting.wait


def _with_ports(wanted: OpenPorts, listeners: list[PlayerListener]) -> OpenPorts:
    """The same addresses with the ports that were opened, where 0 asked for any."""
    ports = [listener.port for listener in listeners]
    acpc = ports.pop() if listeners[-1].acpc is not None else None
    people = None if wanted.people_port is None else ports.pop()
    line = ports[1] if ports[1:] else None
    return replace(wanted, port=ports[0], line_port=line, people_port=people, acpc_port=acpc)


def _announce(scene: Scene, hosting: Hosting, console: Console) -> None:
    """Print what the host writes on the board: addresses, ports and the commitment to the seed."""
    console.print(f"Casino Day: {scene.settings.game.title}. Write on the board:")
    for address in scene.addresses:
        console.print(f"  address {address}  port {scene.port}", highlight=False)
    if scene.line_port is not None:
        line = f"  (programs that send lines of text instead of writeUTF: port {scene.line_port})"
        console.print(line, highlight=False)
    if scene.people_port is not None:
        minutes = hosting.ports.people_limit / 60
        line = f"  (people at `casino play`, with {minutes:g} min a reply: port {scene.people_port})"
        console.print(line, highlight=False)
    if scene.acpc_port is not None:
        line = f"  (programs of the Annual Computer Poker Competition: port {scene.acpc_port})"
        console.print(line, highlight=False)
        if scene.settings.acpc is not None:
            console.print(f"  ({time_words(scene.settings.acpc)})", highlight=False)
    console.print(f"  commitment {commitment(scene.settings.seed)}", highlight=False, soft_wrap=True)
    announce_page(scene, console)
    if scene.opening.wanted:
        names = ", ".join(f"{player.avatar} (id {player.id})" for player in scene.opening.wanted)
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
