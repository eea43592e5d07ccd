"""How long a league waits for its programs, and what it says meanwhile; in virtual time."""

import sys
from io import StringIO
from typing import ClassVar

import trio
from rich.console import Console, RenderableType
from rich.status import Status
from trio.testing import MockClock

from dealer.hosting.arrivals import HOUSE_STARTUP_SECONDS, STARTUP_SECONDS
from dealer.hosting.league_run import League
from dealer.hosting.programs import Program, start_program
from dealer.journal.writer import Journal
from dealer.net.stalls import Stalls
from dealer.settings import LeagueWords, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED

#: Runs and never connects.
SLEEPER = (sys.executable, "-c", "import time; time.sleep(1000)")


class Shown(Status):
    """A status line whose texts a test can read; a real one is drawn a few times a second of the true clock."""

    texts: ClassVar[list[str]] = []

    def update(self, status: RenderableType | None = None, **_: object) -> None:
        self.texts.append(str(status))


async def started(*programs: Program) -> tuple[League, list[str]]:
    """A league in vain, and what its host saw at a terminal."""
    Shown.texts.clear()
    console = Console(file=StringIO())
    console.status = lambda text, **_: Shown(text, console=console)  # type: ignore[method-assign]
    scene = Scene(NewTournament(Settings(SEED, StudGame()), len(programs)))
    league = League(programs, scene, LeagueWords((), ()), Journal(None), console)
    assert await league.play() is False
    assert league.tournament is None
    return league, Shown.texts


async def test_house_bot_that_compiles_has_more_time_than_a_guest(jumping_clock: MockClock) -> None:
    league, _ = await started(Program("guest", SLEEPER), Program("house", SLEEPER, house=True))
    assert [(failure.program, failure.what) for failure in league.failures] == [
        ("guest", f"did not log in within {STARTUP_SECONDS:g} s"),
        ("house", f"did not log in within {HOUSE_STARTUP_SECONDS:g} s"),
    ]


async def test_program_that_never_logged_in_is_not_awaited_at_the_end(jumping_clock: MockClock) -> None:
    """It is told nothing at which it would end by itself."""
    program = Program("guest", SLEEPER)
    scene = Scene(NewTournament(Settings(SEED, StudGame()), 1))
    league = League([program], scene, LeagueWords((), ()), Journal(None), Console(file=StringIO()))
    running = await start_program(program, "", 0)
    try:
        running.failure("did not log in")
        league._arrivals.running.append(running)
        began = trio.current_time()
        await league._finish(Stalls())
        assert trio.current_time() == began
    finally:
        await running.stop()


async def test_host_is_told_who_is_awaited(jumping_clock: MockClock) -> None:
    _, told = await started(Program("java Poker", SLEEPER), Program("yours", ()), Program("none", ("no-such-file",)))
    assert told[0] == "waiting for the login of java Poker, yours (2 s, at most 30 s)"
