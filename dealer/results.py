"""What is left when a tournament is over: standings and scores, for people or for scripts."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from dealer.league import Failure
from dealer.scores import Scores, scores_table
from dealer.standings import Standing, standings_table
from dealer.tournament import Settings, Tournament


@dataclass(frozen=True, slots=True)
class Results:
    """A tournament's end.

    Attributes:
        tournament: what was played; None if nothing was.
        settings: what was agreed.
        seed: the text that deals the same cards again.
        journal: where every hand was recorded, if it was.
        failures: programs that did not do what they should.
    """

    tournament: Tournament | None
    settings: Settings
    seed: str
    journal: Path | None
    failures: Sequence[Failure] = ()


def show_results(results: Results, as_json: bool) -> None:
    """Print the results; what went wrong with programs goes to standard error either way."""
    complaints = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)
    for failure in results.failures:
        complaints.print(f"{failure.program}: {failure.what}")
        for line in failure.stderr:
            complaints.print(f"    {line}")
    if as_json:
        print(json.dumps(_facts(results), indent=2))
    elif results.tournament is None:
        complaints.print("No tournament: fewer than two bots logged in.")
    else:
        _show_tables(results, results.tournament)


def _show_tables(results: Results, tournament: Tournament) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    standings = tournament.standings()
    if tournament.scores:
        console.print(scores_table(tournament.scores))
    else:
        console.print(standings_table(standings))
    for standing in standings:
        if standing.player.faults:
            console.print(f"{standing.player.avatar}: {standing.player.faults[-1].reason}")
    console.print(f"{tournament.hand_number} hands; the same cards again: --seed {results.seed}", soft_wrap=True)
    if results.journal:
        console.print(f"journal: {results.journal}", soft_wrap=True)


def _facts(results: Results) -> dict[str, Any]:
    tournament, settings = results.tournament, results.settings
    standings = tournament.standings() if tournament else []
    scores = tournament.scores if tournament else None
    return {
        "game": settings.game.name,
        "agreed": settings.game.facts,
        "seed": results.seed,
        "games": settings.games,
        "hands": tournament.hand_number if tournament else 0,
        "standings": [_standing(standing, scores) for standing in standings],
        "failures": [asdict(failure) for failure in results.failures],
        "journal": str(results.journal) if results.journal else None,
    }


def _standing(standing: Standing, scores: Scores | None) -> dict[str, Any]:
    facts = standing.as_dict()
    return facts if scores is None else {**facts, "score": scores.by_player[standing.player].as_dict()}
