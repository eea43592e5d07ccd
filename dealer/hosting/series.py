"""Tournaments one after another: the same page, ports and players, each with a lobby, cards and journal of its own."""

from dataclasses import replace
from itertools import count
from pathlib import Path

from dealer.cli.flags import PageFlags, RunFlags, ShowFlags
from dealer.cli.options import seed_or_chance
from dealer.errors import INTERRUPTED, NobodyPlayedError
from dealer.feed.feed import Feed
from dealer.hosting.control import host_keys
from dealer.hosting.guests import Hosting, host_tournament
from dealer.hosting.outputs import Outputs, kept_journal
from dealer.hosting.results import Results, show_results
from dealer.hosting.tournament_settings import most_players
from dealer.journal.file import AppendFile
from dealer.lobby.player import Player
from dealer.tournament.opening import NewTournament, Opening
from dealer.tournament.scene import FirstOrders, Scene
from dealer.tournament.show_plan import DEFAULT_MINUTES
from protocol.shuffle import seed_from_text


async def play_guests(hosting: Hosting, opening: Opening, file: AppendFile | None, outputs: Outputs) -> int:
    """Host a new or resumed tournament to its end, and then as many more as the host wants, with the same page.

    Returns:
        The exit code of the last tournament. Closing the lobby of a further tournament does not change it.
    """
    scene, base = outputs.scene(opening), None if file is None else file.path
    with outputs.owned(file):
        async with outputs.open_stream(scene, hosting.ports.host, hosting.roster) as feed:
            code = await _play_one(hosting, scene, file, outputs, feed)
            while code == 0 and await outputs.stay(scene, again=True):
                hosting = next_hosting(hosting, scene, outputs)
                scene.open_again(next_opening(hosting, scene))
                outputs.say(f"Tournament {scene.number}, with the same players: their programs must be started again.")
                file = None if base is None else AppendFile.create(next_journal(base, scene.number))
                try:
                    code = await _play_one(hosting, scene, file, outputs, feed)
                except* NobodyPlayedError:  # the host was told when the lobby closed
                    pass
    return code


async def _play_one(
    hosting: Hosting, scene: Scene, file: AppendFile | None, outputs: Outputs, feed: Feed | None
) -> int:
    """Host the tournament of a scene to its end, print the results, and return the exit code.

    Raises:
        PortError, NoStartError, NobodyPlayedError: see ``host_tournament``.
    """
    if file is not None:
        outputs.say(f"journal: {file.path}")
    scene.orders = hosting.orders
    settings = scene.settings
    with outputs.owned(file):
        async with outputs.open_journal(scene, file, feed) as journal:
            with host_keys(scene, outputs.console) as keys:
                tournament, cut_short = await host_tournament(hosting, scene, journal, outputs, keys)
        show_results(Results(tournament, settings, kept_journal(file), (), cut_short), outputs.run.json)
    return INTERRUPTED if cut_short and not tournament.suspended else 0


def next_hosting(hosting: Hosting, scene: Scene, outputs: Outputs) -> Hosting:
    """How the next tournament is hosted: as the first was, at the ports that are known by now.

    Nobody remembers how a resumed one was started. What follows it starts when all its players are here.
    """
    assert scene.ports is not None
    if scene.opening.wanted is None:
        return replace(hosting, ports=scene.ports)
    orders = FirstOrders(length=show_seconds(ShowFlags(), outputs.page, outputs.run))
    start = replace(hosting.start, seats=len(scene.opening.lobby.players))
    return replace(hosting, ports=scene.ports, start=start, orders=orders)


def show_seconds(show: ShowFlags, page: PageFlags, run: RunFlags) -> float | None:
    """Seconds that the tournament is to take; None for as fast as it goes.

    Without a flag it is a show where people watch: where there is a page, and no program waits for the results.
    """
    if show.show is not None:
        return 60 * show.show
    return None if show.fast or page.no_page or run.json else 60 * DEFAULT_MINUTES


def next_opening(hosting: Hosting, scene: Scene) -> NewTournament:
    """The lobby of the next tournament, with other cards. It expects all who have played so far."""
    text = seed_or_chance(None if hosting.seed is None else f"{hosting.seed}-{scene.number + 1}")
    settings = replace(scene.settings, seed=seed_from_text(text), seed_text=text)
    lobby = scene.lobby
    capacity = lobby.capacity if scene.opening.wanted is None else most_players(settings)
    return NewTournament(settings, capacity, lobby.roster, _former(scene))


def _former(scene: Scene) -> list[Player]:
    """All who have played so far, in the order of their first tournament, which is that of their colours."""
    known = {player.id: player for player in scene.opening.former}
    for player in scene.begun[-1].players:
        known.setdefault(player.id, player)
    return list(known.values())


def next_journal(first: Path, number: int) -> Path:
    """The path of the journal of a further tournament: friday.journal is followed by friday-2.journal.

    A number that is taken is left out: a journal is never overwritten. What follows friday-2.journal, when that was
    resumed, is friday-3.journal: the journal without a number stands beside it.
    """
    base, _, last = first.stem.rpartition("-")
    if last.isdecimal() and base and first.with_name(f"{base}{first.suffix}").exists():
        number = max(number, int(last) + 1)
    else:
        base = first.stem
    paths = (first.with_name(f"{base}-{free}{first.suffix}") for free in count(number))
    return next(path for path in paths if not path.exists())
