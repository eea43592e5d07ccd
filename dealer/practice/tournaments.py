"""The tournaments themselves: a league that does without the others once the program is out for good."""

from collections.abc import Sequence
from dataclasses import dataclass

import trio
from rich.console import Console

from dealer.hosting.league import League
from dealer.hosting.programs import Failure, Program
from dealer.hosting.progress import REFRESH_SECONDS
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.player import Player
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

JOURNAL_BYTES = 10**9
"""No practice comes to that; and a disk is not to be filled."""


@dataclass(frozen=True, slots=True)
class Team:
    """Who plays: the program, the house bots, and the words that started them, for the journal."""

    own: Program
    house: Sequence[Program]
    words: LeagueWords


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it.

    Attributes:
        tournament: all that was played; None if somebody did not log in.
        player: that the program was; None likewise.
        failures: programs that did not do what they should.
        cut_short: whether it was stopped in the middle of a hand.
    """

    tournament: Tournament | None
    player: Player | None
    failures: Sequence[Failure]
    cut_short: bool


async def play(team: Team, settings: Settings, file: AppendFile, patience: float, console: Console) -> Played:
    """Play all tournaments, or until the program is out.

    Args:
        team: who plays.
        settings: what is agreed.
        file: the journal, to be written.
        patience: seconds a program may take to log in.
        console: where progress is shown.

    Raises:
        PortError, JournalError, NobodyPlayedError: it could not be played.
    """
    programs = [team.own, *team.house]
    scene = Scene(NewTournament(settings, len(programs)))
    async with open_journal(file, console.print, JOURNAL_BYTES) as journal:
        league = League(programs, scene, team.words, journal, console, len(programs), patience)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_without, team.own, scene)
            cut_short = await league.play()
            nursery.cancel_scope.cancel()
    return Played(league.tournament, _player_of(team.own, scene), league.failures, cut_short)


def _player_of(program: Program, scene: Scene) -> Player | None:
    players = scene.tournament.players if scene.tournament else ()
    return next((player for player in players if player.program == program.name), None)


async def _stop_without(program: Program, scene: Scene) -> None:
    """Nobody wants to wait for the tournaments that house bots play among themselves."""
    while (player := _player_of(program, scene)) is None or not player.faults:
        await trio.sleep(REFRESH_SECONDS)
    assert scene.tournament is not None
    scene.tournament.stop_after_hand()
