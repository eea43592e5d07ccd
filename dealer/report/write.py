"""``casino report``: from a journal to a folder full of files."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.options import read_roster
from dealer.cli.output import complain, complain_in_words
from dealer.errors import FAILED, CasinoError, JournalError, NotStartedError
from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.report.contents import Findings
from dealer.report.curves import Curves
from dealer.report.figures import plotly
from dealer.report.folder import ReportFolder, check_folder, open_folder
from dealer.report.handout import summary
from dealer.report.head_to_head import HeadToHead
from dealer.report.journal_pass import Survey, follow, survey
from dealer.report.names import Label, label_players
from dealer.report.page import page
from dealer.report.places import everybody
from dealer.report.player_tally import Tally
from dealer.report.sheets import grades_sheet, standings_sheet
from dealer.report.transcript import Transcripts


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for; see ``dealer.commands.report``."""

    file: Path
    out: Path
    roster: Path | None = None
    anonymous: bool = False
    unfinished: bool = False
    json: bool = False


def write_report(order: Order) -> int:
    """Write everything and say what was written; the exit code."""
    try:
        plotly("offline")
        roster = None if order.roster is None else read_roster(order.roster)
        check_folder(order.out)
        found = survey(order.file)
        _check_ended(order, found)
        findings, folder = _write(order, found, roster)
    except CasinoError as error:
        return complain(error)
    print(json.dumps(_facts(order, findings, folder), indent=2) if order.json else _in_words(findings, folder))
    if found.torn is not None:
        complain_in_words(f"{found.torn}; the report holds the {found.records} records before it")
        return FAILED
    return 0


def _check_ended(order: Order, found: Survey) -> None:
    """Hole cards and ids are handed out when it is over; until then somebody could still play by them.

    Raises:
        JournalError: it is not over, and nobody said that this is known.
    """
    if found.records and not found.ended and not order.unfinished:
        raise JournalError(
            f"{order.file}: this tournament has not ended, and a report tells hole cards; play it on with `casino "
            f"resume`, or give --unfinished for a report that nobody but the host should see"
        )


def _write(order: Order, found: Survey, roster: Mapping[str, str] | None) -> tuple[Findings, ReportFolder]:
    fold = LedgerRebuild(order.file)
    if not found.records:
        raise NotStartedError(order.file)
    folder = open_folder(order.out)
    with ExitStack() as unless_complete:
        unless_complete.callback(folder.discard)
        findings = _read(order, fold, found, roster, folder)
        _write_files(order, findings, roster, folder)
        unless_complete.pop_all()
    return findings, folder


class _Labels:
    """Fills ``labels`` as soon as the players are known, before other watchers need them."""

    def __init__(self, fold: LedgerRebuild, roster: Mapping[str, str] | None, anonymous: bool) -> None:
        self.labels: dict[Player, Label] = {}
        self._fold = fold
        self._roster = roster
        self._anonymous = anonymous

    def before(self, record: Record) -> None:
        """See ``Watcher``."""

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """See ``Watcher``."""
        if record["type"] == "start":
            self.labels.update(label_players(self._fold.ledger.players, self._roster, self._anonymous))


def _read(
    order: Order, fold: LedgerRebuild, found: Survey, roster: Mapping[str, str] | None, folder: ReportFolder
) -> Findings:
    known = _Labels(fold, roster, order.anonymous)
    tally, curves, pairs = Tally(fold), Curves(fold), HeadToHead(fold)
    transcripts = Transcripts(fold, known.labels, folder)
    follow(fold, found.records, [known, tally, curves, pairs, transcripts])
    transcripts.finish()
    curves.finish()
    return Findings(fold, found, known.labels, tally.by_player, curves, pairs)


def _write_files(order: Order, findings: Findings, roster: Mapping[str, str] | None, folder: ReportFolder) -> None:
    ledger, labels, figures = findings.fold.ledger, findings.labels, findings.figures
    standings = everybody(ledger)
    for standing in standings:
        label = labels[standing.player]
        text = summary(standing, ledger, label, figures[standing.player], order.file.name)
        folder.append(f"players/{label.folder}/summary.txt", text)
    folder.append("standings.csv", standings_sheet(ledger, labels, figures, order.anonymous))
    folder.append("grades.csv", grades_sheet(standings, labels, figures, roster, order.anonymous))
    folder.append("index.html", page(findings))


def _facts(order: Order, findings: Findings, folder: ReportFolder) -> dict[str, Any]:
    fold, found = findings.fold, findings.survey
    return {
        "game": fold.ledger.settings.game.name,
        "finished": fold.ended,
        "torn": 0 if found.torn is None else found.torn.torn,
        "resumed": found.resumed,
        "voided": found.voided,
        "hands": findings.hands,
        "tables": len(fold.ledger.seating.tables),
        "rounds": fold.ledger.seating.round,
        "standings": _standings(findings, order.anonymous),
        "folder": str(folder.path),
        "files": sorted(folder.files),
    }


def _standings(findings: Findings, anonymous: bool) -> list[dict[str, Any]]:
    facts = []
    for standing in everybody(findings.fold.ledger):
        label = findings.labels[standing.player]
        one = {"number": label.number, **standing.as_dict(), "folder": f"players/{label.folder}"}
        if anonymous:
            for secret in ("id", "bot", "faults", "left"):
                del one[secret]
            one["faults"] = len(standing.player.faults)
        facts.append(one)
    return facts


def _in_words(findings: Findings, folder: ReportFolder) -> str:
    places = [
        f"{standing.place:>3}  {findings.labels[standing.player].short}  {standing.chips}"
        for standing in everybody(findings.fold.ledger)
    ]
    written = f"{len(folder.files)} files in {folder.path}; begin with {folder.path / 'index.html'}"
    return "\n".join([findings.title, *places, written])
