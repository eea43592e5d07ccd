"""Journals with right checksums and links whose numbers nobody can have meant: an error says so, never a traceback."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dealer.errors import JournalError
from dealer.report.write import ReportOptions, write_report
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.dealer.support.altered_journals import Records
from tests.dealer.support.recorded import clients_by_chance, read_records, rebuilt, record, run_at_once, write_records
from tests.dealer.support.rig import SEED

HUGE: list[Any] = [2**63 - 1, 2**63, 2**64 - 1, -(2**63), 2**53 + 1, float("inf"), float("nan"), 1e308]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The journal of a tournament of three."""
    path = tmp_path_factory.mktemp("forged") / "a.journal"
    run_at_once(partial(record, path, clients_by_chance(3), Settings(SEED, StudGame(100), hands=4)))
    return read_records(path)


def number_of(records: Records, type_: str) -> int:
    return next(number for number, told in enumerate(records) if told["type"] == type_)


def forged(told: dict[str, Any], value: Any) -> list[dict[str, Any]]:
    """The record with this value in each of its fields, and in the last place of each list and map there."""
    return [{**told, name: into} for name, fact in told.items() for into in _with(fact, value)]


def _with(fact: Any, value: Any) -> list[Any]:
    deeper: list[Any] = []
    if isinstance(fact, list) and fact:
        deeper = [[*fact[:-1], into] for into in _with(fact[-1], value)]
    if isinstance(fact, dict):
        deeper = [{**fact, key: into} for key in fact for into in _with(fact[key], value)]
    return [value, *deeper]


@pytest.mark.parametrize("value", HUGE, ids=str)
@pytest.mark.parametrize("type_", ["start", "game", "hand"])
def test_huge_number_in_any_field_is_an_error(type_: str, value: Any, records: Records, tmp_path: Path) -> None:
    path, number = tmp_path / "a.journal", number_of(records, type_)
    for told in forged(records[number], value):
        write_records(path, [*records[:number], told, *records[number + 1 :]])
        with pytest.raises(JournalError):
            rebuilt(path)


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("start", {"started": 2**63}),
        ("start", {"started": 1e15}),
        ("hand", {"table": []}),
        ("hand", {"actions": [[0, 0, 2**63]]}),
        ("hand", {"players": None}),
        ("end", {"standings": 2**63}),
    ],
)
def test_report_of_a_forged_journal_is_an_error(
    type_: str, change: dict[str, Any], records: Records, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = number_of(records, type_)
    path = tmp_path / "a.journal"
    write_records(path, [*records[:number], {**records[number], **change}, *records[number + 1 :]])
    assert write_report(ReportOptions(path, tmp_path / "out", None, False, False)) == 1
    assert capsys.readouterr().err.startswith(f"casino: {path}: record {number + 1}: ")
