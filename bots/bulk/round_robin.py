"""``casino round-robin``: from the words of the command line to what is printed."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from bots.bulk.checkpoint import Checkpoint
from bots.bulk.compile import CPP, compile_all
from bots.bulk.confine import can_confine, leads_out
from bots.bulk.on_workers import check_sent, play_on_workers
from bots.bulk.output import standings_facts, standings_text
from bots.bulk.plan import LEAST_PLAYERS, BulkError, Entrant, Kind, Plan, check_count
from bots.bulk.standings import Standings, make_standings
from bots.bulk.supervisor import Progress, play_series
from bots.fitting_table import print_found
from bots.workers.computing import Workers
from dealer.cli.tables import working_progress
from protocol.plurals import distinct
from protocol.suggestions import instead

if TYPE_CHECKING:
    from dealer.hosting.bulk_programs import BulkPrograms

#: The house's AIs as authors write theirs.
HOUSE = CPP / "house"

#: The simple players who play if no house bot is named.
SAMPLES = ("dice-four", "dice-price", "caller", "dice-luck", "dice-memory")

#: Columns, where no terminal says how many.
PAGE = 120


def house_names() -> list[str]:
    """The house bots that play bulk tournaments, in alphabetical order."""
    return sorted(path.stem for path in HOUSE.glob("*.cpp"))


def make_plan(
    house: Sequence[str],
    natives: Sequence[Path],
    pythons: Sequence[Path],
    rounds: int,
    series: int,
    seed: str,
    commands: Sequence[str] = (),
) -> Plan:
    """The plan: house bots first, then compiled files, Python files, and programs, each in the order given.

    As in a league, the samples play if no house bot is named, unless several others meet each other.

    Raises:
        BulkError: too few or too many players, one that is not there, or files with the wrong ending.
    """
    if not house and len(natives) + len(pythons) + len(commands) < LEAST_PLAYERS:
        house = SAMPLES
    for name in house:
        if name not in house_names():
            told = instead(name, house_names(), "those that do:")
            raise BulkError(f"no house bot {name!r} plays bulk tournaments; {told}")
    for path, wanted in [*((path, "C++ or C") for path in natives), *((path, "Python") for path in pythons)]:
        if not path.is_file():
            raise BulkError(f"there is no {wanted} file {path}")
        if leads_out(path):  # an author could hand in a link to the file of another
            raise BulkError(f"{path} is a link to {path.resolve()}; name that file if it is meant")
    named: list[tuple[str, Kind, Path]] = [
        *((name, "house", HOUSE / f"{name}.cpp") for name in house),
        *((path.stem, "native", path) for path in natives),
        *((path.stem, "python", path) for path in pythons),
    ]
    check_count(len(named) + len(commands))
    names = distinct([*(name for name, _, _ in named), *commands])
    players = [Entrant(name, kind, source) for name, (_, kind, source) in zip(names, named, strict=False)]
    players += [
        Entrant(name, "program", None, command) for name, command in zip(names[len(named) :], commands, strict=True)
    ]
    return Plan(tuple(players), rounds, series, seed)


def play(
    plan: Plan,
    jobs: int,
    checkpoint: Path | None,
    *,
    sandbox: Sequence[Path] | None = None,
    workers: Workers | None = None,
) -> Standings:
    """Compile the AIs, play the tournament with its progress on standard error, and rank the players.

    Args:
        checkpoint: a file for what is finished, from which to go on if it is there.
        sandbox: the Pythons that programs over TCP may use in sandboxes beside ours; None if they run outside.
        workers: of a cluster, which play in place of processes of this machine.

    Raises:
        BulkError, OptionError: it cannot be played.
        WorkersError: no worker of the cluster can play.
    """
    if workers is not None:
        check_sent(plan)
    asked = open_programs(plan, sandbox) if plan.programs else nullcontext()
    known = None if checkpoint is None else Checkpoint.open(checkpoint, plan)
    if any(entrant.kind == "native" for entrant in plan.entrants) and not can_confine():
        print("casino: bubblewrap cannot be used here, so files are compiled without a sandbox", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="casino-") as folder, _told(plan) as progress:
        compiled = compile_all(plan.entrants, Path(folder))
        if workers is not None:
            return make_standings(plan, play_on_workers(plan, compiled, workers, progress, known))
        with asked as programs:
            played = play_series(plan, compiled, jobs, progress, checkpoint=known, programs=programs)
        return make_standings(plan, played)


def open_programs(plan: Plan, sandbox: Sequence[Path] | None) -> "BulkPrograms":
    """What starts and asks the programs over TCP of a plan.

    Raises:
        OptionError: a command cannot be used, or there can be no sandbox.
    """
    # Few tournaments have programs, and the dealer takes tenths of a second to load.
    from dealer.hosting.bulk_programs import BulkPrograms  # noqa: PLC0415

    commands = {player: plan.entrants[player].command for player in plan.programs}
    return BulkPrograms(commands, len(plan.entrants), plan.rounds, sandbox=sandbox)


def find_mistakes(plan: Plan, jobs: int) -> str:
    """Play with sanitizers that watch the memory of the authors' files; in words, that they found nothing.

    Raises:
        BulkError: it cannot be played.
        MistakeError: they found something.
    """
    with tempfile.TemporaryDirectory(prefix="casino-") as folder, _told(plan) as progress:
        play_series(plan, compile_all(plan.entrants, Path(folder), sanitize=True), jobs, progress)
    rounds = plan.series * plan.rounds
    return f"no mistake with memory was found in {rounds:,} rounds; there may be one that these deals do not reach"


def show(standings: Standings, form: str) -> None:
    """Print the standings; see ``print_found``."""
    print_found(standings_facts(standings), standings_text(standings), form, PAGE, "standings")


@contextmanager
def _told(plan: Plan) -> Iterator[Progress]:
    """Tell on standard error how many rounds are played, and whether a tournament is played again."""
    with working_progress(plan.rounds * plan.series) as tell:
        yield lambda rounds, again: tell(rounds, "playing again without a failed AI" if again else "playing")
