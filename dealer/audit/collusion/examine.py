"""``casino collusion`` of a journal: read it, test all pairs, and print the evidence."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType

import trio
from rich.console import Console
from rich.progress import Progress

from dealer.audit.collusion.cards.sampling import PotShare
from dealer.audit.collusion.decisions import Decision, decisions
from dealer.audit.collusion.evidence import Examination, examine, facts, in_words
from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.installed import load_installed
from dealer.cli.output import complain
from dealer.errors import CasinoError, OptionError, TornError
from dealer.journal.records import read_journal

#: The entry point group of functions that say what cards of a game win (``PotShare``).
POT_SHARES = "casino.pot_shares"

#: Exit code: there is evidence.
EVIDENCE = 3

#: Columns, where no terminal says how many.
PAGE = 120

#: Hands after which a running tournament is examined first; then after twice as many, and so on.
FIRST_LOOK = 500

#: Seconds between two glances at the journal of a running tournament.
GLANCE_SECONDS = 5.0


@dataclass
class _Read:
    """What was read from a journal."""

    rebuild: LedgerRebuild
    hands: int = 0
    decisions: list[Decision] = field(default_factory=list)
    torn: TornError | None = None

    def examine(self, look: int | None = None) -> Examination:
        """Test all pairs."""
        ledger = self.rebuild.ledger
        names = [player.avatar for player in ledger.players]
        return examine(ledger.settings.game.name, names, self.hands, self.decisions, look)


def examine_journal(path: Path, level: float, as_json: bool, live: bool) -> int:
    """Examine a journal, print what was found, and return the exit code of the command.

    Args:
        path: of the journal.
        level: how often any pair is named in a tournament of honest players, at most.
        as_json: print the facts as JSON.
        live: go on until the tournament ends, and print what was found after 500 hands, 1,000, 2,000 and so on.
    """
    try:
        if not 0 < level < 1:
            raise OptionError(f"--level is a probability between 0 and 1, got {level:g}")
        if live:
            return trio.run(watch_journal, path, level, as_json)
        read = read_decisions(path)
        found = read.examine()
        show(found, level, as_json)
        if read.torn is not None:
            return max(complain(read.torn), EVIDENCE if found.named(level) else 0)
        return EVIDENCE if found.named(level) else 0
    except CasinoError as error:
        return complain(error)


async def watch_journal(path: Path, level: float, as_json: bool) -> int:
    """Examine the journal of a running tournament until it ends; the exit code of the command.

    Raises:
        CasinoError: the journal cannot be used.
    """
    look, next_look, evidence = 0, FIRST_LOOK, False
    while True:
        hands, ended = _count_hands(path)
        if ended or hands >= next_look:
            look += 1
            found = read_decisions(path).examine(look)
            show(found, level, as_json)
            evidence = evidence or bool(found.named(level))
            next_look = FIRST_LOOK * 2**look
        if ended:
            return EVIDENCE if evidence else 0
        await trio.sleep(GLANCE_SECONDS)


def _count_hands(path: Path) -> tuple[int, bool]:
    """How many hands the journal has so far, and whether the tournament is over."""
    hands, ended = 0, False
    try:
        for record in read_journal(path):
            hands += record["type"] == "hand"
            ended |= record["type"] == "end"
    except TornError:
        pass  # the dealer is writing
    return hands, ended


def read_decisions(path: Path) -> _Read:
    """Play a journal again, and keep the decisions that can be compared.

    Raises:
        JournalError: it is damaged or wrong; a torn end is no error.
        OptionError: players of its game cannot be judged.
    """
    read = _Read(LedgerRebuild(path))
    pot_share: PotShare | None = None
    try:
        for hand in _with_progress(read.rebuild, path):
            game = read.rebuild.ledger.settings.game
            pot_share = pot_share or _pot_share(game.name, game.title)
            numbers = [player.number for player in hand.players]
            steps = [(step.before, step.seat, None if step.by_dealer else step.action) for step in hand.steps]
            read.decisions.extend(decisions(game, pot_share, read.hands, numbers, steps, hand.last))
            read.hands += 1
    except TornError as error:
        read.torn = error
    read.rebuild.ledger  # noqa: B018 # raises if there is no start record
    return read


def _pot_share(game: str, title: str) -> PotShare:
    loaded = load_installed(POT_SHARES, game, f"what cards of {title} win", FunctionType)
    if loaded is None:
        raise OptionError(
            f"players of {title} are not judged by a journal: there is no sound test of its decisions. The checkpoint "
            "of a bulk tournament (casino round-robin --checkpoint) can be examined"
        )
    return loaded


def _with_progress(rebuild: LedgerRebuild, path: Path) -> Iterator[ReplayedHand]:
    """The hands of a journal, with a progress bar on a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading", total=path.stat().st_size if path.exists() else None)
        for hand in rebuild.hands():
            yield hand
            bar.update(task, completed=rebuild.end)


def show(found: Examination, level: float, as_json: bool) -> None:
    """Print what was found; as one line of JSON while a tournament is watched."""
    if as_json:
        print(json.dumps(facts(found, level), indent=None if found.look else 2), flush=True)
        return
    console = Console()
    (console if console.is_terminal else Console(width=PAGE)).print(in_words(found, level))
