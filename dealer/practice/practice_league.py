"""Play the tournaments of a practice: a league that stops when the program is out for good."""

from collections.abc import Sequence
from dataclasses import dataclass

import trio
from rich.console import Console

from dealer.hosting.league_run import League
from dealer.hosting.programs import Failure, Program
from dealer.hosting.progress import REFRESH_SECONDS
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.player import Player
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

#: The journal ends at this size, so that a practice cannot fill the disk. No practice reaches it.
JOURNAL_BYTES = 10**9


@dataclass(frozen=True, slots=True)
class Team:
    """The programs that play.

    Attributes:
        own: the program that practises.
        house: the house bots.
        words: what the league was started with, for the journal.
    """

    own: Program
    house: Sequence[Program]
    words: LeagueWords


@dataclass(frozen=True, slots=True)
class Played:
    """The end of a practice.

    Attributes:
        tournament: all that was played; None if a program did not log in.
        player: the program's; None if a program did not log in.
        failures: programs that failed, and what happened.
        cut_short: whether the practice was stopped in the middle of a hand.
    """

    tournament: Tournament | None
    player: Player | None
    failures: Sequence[Failure]
    cut_short: bool


async def play(team: Team, settings: Settings, file: AppendFile, patience: float, console: Console) -> Played:
    """Play all tournaments, or until the program is out.

    Args:
        team: the programs that play.
        settings: of the tournaments.
        file: the journal to be written.
        patience: seconds a program may take to log in.
        console: shows progress.

    Raises:
        PortError, JournalError, NobodyPlayedError: it could not be played.
    """
    programs = [team.own, *team.house]
    scene = Scene(NewTournament(settings, len(programs)))
    async with open_journal(file, console.print, JOURNAL_BYTES) as journal:
        league = League(programs, scene, team.words, journal, console, len(programs), patience)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_when_out, team.own, scene)
            cut_short = await league.play()
            nursery.cancel_scope.cancel()
    return Played(league.tournament, _player_of(team.own, scene), league.failures, cut_short)


def _player_of(program: Program, scene: Scene) -> Player | None:
    players = scene.tournament.players if scene.tournament else ()
    return next((player for player in players if player.program == program.name), None)


async def _stop_when_out(program: Program, scene: Scene) -> None:
    """Stop the tournaments once the program is out: what house bots play among themselves teaches nothing."""
    while (player := _player_of(program, scene)) is None or not player.faults:
        await trio.sleep(REFRESH_SECONDS)
    assert scene.tournament is not None
    scene.tournament.stop_after_hand()
