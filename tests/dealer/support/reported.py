"""Tournaments that are played, recorded and reported."""

import csv
import json
import re
from pathlib import Path
from typing import Any

from dealer.report.contents import Contents
from dealer.report.course import CourseWatcher
from dealer.report.folder import open_folder
from dealer.report.game_report import game_statistics
from dealer.report.head_to_head import HeadToHead
from dealer.report.journal_pass import begin, follow, survey
from dealer.report.labels import label_players
from dealer.report.player_statistics import StatisticsCollector
from dealer.report.write import ReportOptions, _read, write_report
from tests.dealer.support.raw_records import chained, pack_raw, read_raw


def report(journal: Path, out: Path, *, anonymous: bool = False, unfinished: bool = False, **files: Path) -> None:
    """Write a report; fails unless that succeeds."""
    assert write_report(ReportOptions(journal, out, files.get("roster"), anonymous, unfinished)) == 0


def transcribe(journal: Path, out: Path) -> None:
    """Read a journal as a report does, but write only the replays and transcripts.

    To draw the page takes longer than all the rest, and tells a program nothing.
    """
    _read(ReportOptions(journal, out), survey(journal), None, open_folder(out))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def charts(page: str) -> dict[str, Any]:
    """The data of the charts of a page, by the name of their element."""
    found = re.findall(r'<div class="chart" id="([\w-]+)"><script type="application/json">(.*?)</script>', page)
    return {name: json.loads(data) for name, data in found}


def cut_journal(path: Path, into: Path, records: int) -> None:
    """The first ``records`` of a journal, each in a batch of its own."""
    kept = [dict(record) for record in list(read_raw(path))[:records]]
    into.write_bytes(b"".join(chained(pack_raw(facts.pop("type"), facts) for facts in kept)))


def sent(out: Path, folder: str) -> list[str]:
    """What a player was sent, as its transcript has it."""
    lines = (out / "players" / folder / "transcript.txt").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("dealer:  ") for line in lines if line.startswith("dealer:  ") and "what the" not in line]


def contents_of(path: Path) -> Contents:
    """What a report is made of, read from a journal without writing anything."""
    rebuild, found = begin(path), survey(path)
    ledger = rebuild.ledger
    statistics, course, pairs = StatisticsCollector(ledger), CourseWatcher(ledger), HeadToHead(ledger)
    game = game_statistics(ledger.settings.game)
    follow(rebuild, found.records, [statistics, course, pairs, game])
    course.finish()
    labels = label_players(rebuild.ledger.players, None, False)
    return Contents(rebuild, found, labels, statistics.by_player, course, pairs, game)
