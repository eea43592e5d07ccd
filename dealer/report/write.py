"""``casino report``: write the page, sheets and players' folders of a report from one journal."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.output import complain, complain_in_words
from dealer.cli.roster import read_roster
from dealer.errors import CasinoError, JournalError, NotStartedError, ReportError
from dealer.journal.records import Record
from dealer.ledger.columns import facts_of
from dealer.lobby.player import Player
from dealer.replay.journal_reader import Choice, Viewer
from dealer.replayer.document import document
from dealer.replayer.recording import Names, Recording, SharedHands, Story
from dealer.report.contents import Contents
from dealer.report.course import CourseWatcher
from dealer.report.folder import ReportFolder, check_folder, open_folder
from dealer.report.game_report import game_statistics
from dealer.report.head_to_head import HeadToHead
from dealer.report.journal_pass import Survey, Watcher, begin, follow, survey
from dealer.report.labels import Label, label_players
from dealer.report.player_statistics import StatisticsCollector
from dealer.report.report_page import page
from dealer.report.rubric import DEFAULT, check_same_game, read_check_results, read_rubric
from dealer.report.sheets import Grading, game_sheet, grades_sheet, standings_sheet
from dealer.report.story import story
from dealer.report.summary import summary
from dealer.report.transcript import Transcripts
from protocol.charts.html_file import missing
from protocol.plurals import counted


class Replays(Watcher):
    """Records all replays while the journal is read."""

    def __init__(self, rebuild: LedgerRebuild, labels: Mapping[Player, Label]) -> None:
        ledger, shared = rebuild.ledger, SharedHands()
        ids = {player.id: label for player, label in labels.items()}
        short = [labels[player].short for player in ledger.players]
        names = Names(rebuild.path.name, short, lambda name, reason: ids[name].hidden(reason, name))
        viewers = {player: Viewer(player.id, player=player) for player in ledger.players}
        self._labels = labels
        self._recordings: dict[Player | None, Recording] = {
            player: Recording(ledger, Choice(), viewer, names, shared)
            for player, viewer in [(None, None), *viewers.items()]
        }

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        for recording in self._recordings.values():
            recording.take(record, hand)

    def write(self, folder: ReportFolder, story: Story) -> None:
        """Write the file of the host, and one into the folder of each player, with the moments of a story."""
        for player, recording in self._recordings.items():
            label = None if player is None else self._labels[player]
            title = "Replay" if label is None else f"Replay as {label.short} saw it"
            name = "replay.html" if label is None else f"players/{label.folder}/replay.html"
            folder.append(name, document(title, recording.finish(story)))


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The arguments and flags of ``casino report``; see ``dealer.commands.report``.

    Attributes:
        tell: called with the share of the journal that is read.
    """

    file: Path
    out: Path
    roster: Path | None = None
    anonymous: bool = False
    unfinished: bool = False
    json: bool = False
    rubric: Path | None = None
    checks: Path | None = None
    tell: Callable[[float], None] = lambda _: None


def write_report(options: ReportOptions) -> int:
    """Write a report and print what was written; the exit code of the command."""
    try:
        if (lacking := missing()) is not None:
            raise ReportError(lacking)
        roster = None if options.roster is None else read_roster(options.roster)
        rubric = DEFAULT if options.rubric is None else read_rubric(options.rubric)
        checks = None if options.checks is None else read_check_results(options.checks)
        check_folder(options.out)
        found = survey(options.file)
        if not found.records:
            raise NotStartedError(options.file)
        if not found.ended and not options.unfinished:
            # players could still use the hole cards and ids that a report shows
            raise JournalError(
                f"{options.file}: this tournament has not ended, and a report tells hole cards; play it on with "
                f"`casino resume`, or give --unfinished for a report that nobody but the host should see"
            )
        if checks is not None and found.game is not None:
            check_same_game(checks, found.game)
        folder = open_folder(options.out)
        # whatever interrupts the report, Ctrl-C too, deletes what was written of it
        with ExitStack() as unless_complete:
            unless_complete.callback(folder.discard)
            contents = _read(options, found, roster, folder)
            _write(options, contents, roster, Grading(rubric, checks), folder)
            unless_complete.pop_all()
    except CasinoError as error:
        return complain(error)
    print(json.dumps(_facts(options, contents, folder), indent=2) if options.json else _in_words(contents, folder))
    if found.torn is not None:
        return complain_in_words(f"{found.torn}; the report holds the {counted(found.records, 'record')} before it")
    return 0


def _read(options: ReportOptions, found: Survey, roster: Mapping[str, str] | None, folder: ReportFolder) -> Contents:
    """Read the journal, and write the files that are made meanwhile: transcripts and replays."""
    rebuild = begin(options.file)
    ledger = rebuild.ledger
    labels = label_players(ledger.players, roster, options.anonymous)
    statistics, course, pairs = StatisticsCollector(ledger), CourseWatcher(ledger), HeadToHead(ledger)
    game, replays = game_statistics(ledger.settings.game), Replays(rebuild, labels)
    transcripts = [] if rebuild.imported else [Transcripts(ledger, labels, folder)]
    follow(rebuild, found.records, [statistics, course, pairs, game, replays, *transcripts], options.tell)
    folder.flush()
    replays.write(folder, course.story)
    course.finish()
    return Contents(rebuild, found, labels, statistics.by_player, course, pairs, game)


def _write(
    options: ReportOptions,
    contents: Contents,
    roster: Mapping[str, str] | None,
    grading: Grading,
    folder: ReportFolder,
) -> None:
    for standing in contents.standings:
        label, own = contents.labels[standing.player], contents.statistics[standing.player]
        text = summary(standing, contents.ledger, label, own, options.file.name)
        folder.append(f"players/{label.folder}/summary.txt", text)
    folder.append("standings.csv", standings_sheet(contents))
    folder.append("grades.csv", grades_sheet(contents, roster, options.anonymous, grading))
    for name, rows in contents.game.sheets(contents.order).items():
        folder.append(name, game_sheet(rows, contents))
    folder.append("index.html", page(contents, folder.files))  # last: it has links to files that were written


def _facts(options: ReportOptions, contents: Contents, folder: ReportFolder) -> dict[str, Any]:
    rebuild, found = contents.rebuild, contents.survey
    return {
        "game": rebuild.ledger.settings.game.name,
        "finished": rebuild.ended,
        "torn": 0 if found.torn is None else found.torn.torn,
        "resumed": found.resumed,
        "voided": found.voided,
        "hands": contents.hands,
        "tables": len(rebuild.ledger.seating.tables),
        "rounds": rebuild.ledger.seating.round,
        "story": story(contents, lambda player: contents.labels[player].short),
        "standings": _standings(contents, options.anonymous),
        "folder": str(folder.path),
        "files": sorted(folder.files),
    }


def _standings(contents: Contents, anonymous: bool) -> list[dict[str, Any]]:
    facts = []
    for standing in contents.standings:
        label = contents.labels[standing.player]
        one = {"number": label.number, **facts_of(standing), "folder": f"players/{label.folder}"}
        if anonymous:
            for secret in ("id", "bot", "faults", "left"):
                del one[secret]
            one["faults"] = len(standing.player.faults)
        facts.append(one)
    return facts


def _in_words(contents: Contents, folder: ReportFolder) -> str:
    places = [
        f"{standing.place:>3}  {contents.labels[standing.player].short}  {standing.chips}"
        for standing in contents.standings
    ]
    written = f"{len(folder.files)} files in {folder.path}; begin with {folder.path / 'index.html'}"
    return "\n".join([contents.title, *places, written])


# A report as one file to download, made in a process of its own, so that the dealer plays on undisturbed

#: How much this process stands back behind the dealer and the programs of players, as in nice(1).
NICE = 15


def main() -> int:
    """Write and pack a report: ``python -m dealer.report.write JOURNAL REPORT ROSTER``; the exit code.

    It writes the folder REPORT and packs it into REPORT.zip. ROSTER may be empty. On standard output it prints the
    percentage of the journal that is read, a line for each; what stands in its way goes to standard error, as with
    ``casino report``. The tournament may still be played.
    """
    journal, report, roster = sys.argv[1:]
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(NICE)
    told = sys.stdout
    options = ReportOptions(
        Path(journal),
        Path(report),
        Path(roster) if roster else None,
        unfinished=True,
        tell=lambda share: print(round(100 * share), file=told, flush=True),
    )
    with redirect_stdout(sys.stderr):
        code = write_report(options)
    if code == 0:
        folder = Path(report)
        shutil.make_archive(report, "zip", folder.parent, folder.name)
    return code


if __name__ == "__main__":
    sys.exit(main())
