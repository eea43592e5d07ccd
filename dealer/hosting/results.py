"""What is left when a tournament is over: standings and scores, for people or for scripts."""

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from dealer.cli.output import plain
from dealer.cli.tables import coloured
from dealer.hosting.programs import Failure
from dealer.ledger.columns import facts_of
from dealer.ledger.ledger import Ledger
from dealer.settings import Settings
from dealer.tournament.tournament import Tournament
from protocol.plurals import counted
from protocol.shuffle import commitment


@dataclass(frozen=True, slots=True)
class Results:
    """A tournament's end.

    Attributes:
        tournament: what was played; None if nothing was.
        settings: what was agreed.
        journal: where every hand was recorded, if it was.
        failures: programs that did not do what they should.
        cut_short: whether it was stopped in the middle of a hand.
    """

    tournament: Tournament | None
    settings: Settings
    journal: Path | None
    failures: Sequence[Failure] = ()
    cut_short: bool = False

    @property
    def can_go_on(self) -> bool:
        """Whether the journal can be played on, so that its seed must stay secret."""
        return self.cut_short and self.journal is not None

    @property
    def why_early(self) -> str | None:
        """Why the tournament ended although there was more to play; None if it did not, or if its host ended it."""
        tournament = self.tournament
        if tournament is None or self.cut_short or not tournament.journal.outgrown or not tournament.unfinished:
            return None
        return "ended early: the journal is as large as --journal-limit allows"


def show_results(results: Results, as_json: bool) -> None:
    """Print the results; what went wrong with programs goes to standard error either way."""
    complaints = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)
    show_failures(results.failures, complaints)
    if results.journal and not results.journal.exists():
        complaints.print(f"the journal {results.journal} is no longer there: it was moved or deleted during play")
    if as_json:
        print(json.dumps(_facts(results), indent=2))
    elif results.tournament is None:
        complaints.print("No tournament: fewer than two bots logged in.")
    else:
        _show_tables(results, results.tournament)


def show_failures(failures: Sequence[Failure], complaints: Console) -> None:
    """Print what went wrong with programs, and their last words."""
    for failure in failures:
        complaints.print(coloured("failed", f"{failure.program}: {failure.what}"))
        for line in failure.stderr:
            complaints.print("    " + plain(line, kept="\t"))


def _show_tables(results: Results, tournament: Tournament) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    standings = tournament.standings()
    format_ = tournament.ledger.format
    for table in format_.tables(standings):
        console.print(table)
    for standing in standings:
        if standing.player.mistakes:
            console.print(f"{standing.player.avatar}: {standing.player.mistakes[-1].reason}")
    settings, journal = results.settings, shlex.quote(str(results.journal))
    console.print(_extent(tournament))
    if results.why_early:
        console.print(results.why_early)
    for note in format_.notes():
        console.print(note)
    console.print(f"commitment {commitment(settings.seed)}", soft_wrap=True)
    if results.can_go_on:
        _show_head(tournament, console)
        if tournament.journal.lost:
            console.print("stopped in the middle; casino resume plays on with the journal as it was before it was lost")
        else:
            console.print(f"stopped in the middle; play on with: casino resume {journal}", soft_wrap=True)
        return
    console.print(f"seed       {settings.seed.hex()}", soft_wrap=True)
    if settings.seed_text is not None:
        console.print(f"the same cards again: --seed {shlex.quote(settings.seed_text)}", soft_wrap=True)
    if results.journal:
        _show_head(tournament, console)
        console.print(f"check it with: casino verify {journal}", soft_wrap=True)


def _show_head(tournament: Tournament, console: Console) -> None:
    """Print the head of the journal, if there is one: who writes it down sees later whether the journal was altered."""
    if tournament.journal.head is not None:
        console.print(f"head       {tournament.journal.head.hex()}", soft_wrap=True)


def _extent(tournament: Tournament) -> str:
    """How much was played, in words."""
    seating, hands = tournament.ledger.seating, counted(tournament.hands_finished, "hand")
    tables = len(seating.tables)
    if seating.rounds > 1:
        return f"{hands} in {seating.rounds_played} of {seating.rounds} rounds, which count; {tables} tables"
    return hands if tables == 1 else f"{hands} at {tables} tables"


def _facts(results: Results) -> dict[str, Any]:
    tournament, settings = results.tournament, results.settings
    return {
        "game": settings.game.name,
        "agreed": settings.game.facts,
        "seed": None if results.can_go_on else settings.seed_text,
        "seed_hex": None if results.can_go_on else settings.seed.hex(),
        "commitment": commitment(settings.seed),
        "head": tournament.journal.head.hex() if tournament and tournament.journal.head else None,
        "games": settings.games,
        "format": settings.format,
        "rounds": tournament.ledger.seating.rounds if tournament else 0,
        "tables": len(tournament.ledger.seating.tables) if tournament else 0,
        "duplicate": tournament.ledger.format.progress() if tournament else None,
        "hands": tournament.hands_finished if tournament else 0,
        "ended_early": results.why_early,
        "standings": _standings(tournament.ledger) if tournament else [],
        "failures": [asdict(failure) for failure in results.failures],
        "journal": str(results.journal) if results.journal else None,
    }


def _standings(ledger: Ledger) -> list[dict[str, Any]]:
    return [{**facts_of(standing), **ledger.format.facts(standing.player)} for standing in ledger.standings()]
