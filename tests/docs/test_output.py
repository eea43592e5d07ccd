"""The page about output has every key that commands print with ``--json``, and every column of CSV files, and no other.

``casino check``, ``practice`` and ``desk`` are compared where their own tests run them.
"""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from trio.testing import MockClock

from bots.bulk.collusion import Examination, PairTest, facts
from bots.catalogue import show_bots
from dealer.audit.verify import verify_journal
from dealer.hosting.results import Results, show_results
from dealer.programs import Failure
from dealer.replay.journal_reader import Choice
from dealer.replay.show import replay_journal
from dealer.report.write import ReportOptions, write_report
from dealer.settings import Settings
from protocol.estimates.intervals import Estimate
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.bad_bots.replies import malformed
from tests.dealer.support.feeds import EVENT_TYPES
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.recorded import play_recorded
from tests.dealer.support.rig import SEED, good_clients
from tests.docs.pages import PAGE, assert_keys, names_in, section, told
from tests.end_to_end.casino import run

STUD = Settings(SEED, game=StudGame(60), hands=4, lives=2)
BLOCKHEAD = Settings(SEED, game=BlockheadGame(hands=2), hands=2)

#: One of each kind: with a fault, duplicate, series, games, round robin and Swiss.
TOURNAMENTS = {
    "plain": STUD,
    "duplicate": replace(STUD, hands=1, games=2, duplicate=True),
    "series": replace(STUD, rounds=2),
    "games": replace(BLOCKHEAD, games=2),
    "round-robin": replace(BLOCKHEAD, format="round-robin"),
    "swiss": replace(BLOCKHEAD, format="swiss", rounds=1),
}


class Recorded:
    """The results of every kind of tournament as JSON, and its journal."""

    def __init__(self) -> None:
        self.printed: dict[str, Any] = {}
        self.journals: dict[str, Path] = {}


@pytest.fixture
def tcp_clock() -> MockClock:
    """For TCP, whose bytes may take a moment even on loopback: time jumps when nothing has come for 10 ms."""
    return MockClock(autojump_threshold=0.01)


@pytest.fixture
async def recorded(tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]) -> Recorded:
    """One tournament of every kind."""
    all_of_them = Recorded()
    for name, settings in TOURNAMENTS.items():
        path = tmp_path / f"{name}.journal"
        players: Sequence[Any] = [*good_clients(2), malformed] if name == "plain" else good_clients(3)
        played = await play_recorded(path, players, settings)
        results = Results(played.tournament, settings, path, [Failure("java Poker", "exit code 1", ("oh",))])
        capsys.readouterr()  # what was logged
        show_results(results, True)
        all_of_them.printed[name] = json.loads(capsys.readouterr().out)
        all_of_them.journals[name] = path
    return all_of_them


def columns(path: Path) -> set[str]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return set(next(csv.reader(file)))


async def test_keys_of_results(recorded: Recorded) -> None:
    assert_keys("## casino league, serve and resume", *recorded.printed.values())


async def test_keys_of_verify(recorded: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "no.journal").write_bytes(b"this is no journal")
    printed = []
    for path in (recorded.journals["plain"], tmp_path / "no.journal"):
        verify_journal(path, None, None, True)
        printed.append(json.loads(capsys.readouterr().out))
    assert_keys("## casino verify", *printed)


def test_keys_of_collusion() -> None:
    test = PairTest(0, 1, 0.5, 0.1, Estimate(0.4, 0.3, 0.5), 8, 0.1)
    assert_keys("## casino collusion", facts(Examination(("A", "B", "C"), 2000, 0.1, (test,)), 0.01))


async def test_keys_and_columns_of_report(
    recorded: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, path in recorded.journals.items():
        capsys.readouterr()
        write_report(ReportOptions(path, tmp_path / name, json=True))
        if name == "plain":
            assert_keys("## casino report", json.loads(capsys.readouterr().out))
    assert columns(tmp_path / "plain" / "grades.csv") == told("### grades.csv")
    holdem = write_league(tmp_path / "holdem.journal", Random(5), HoldemGame(stack=100))
    write_report(ReportOptions(holdem, tmp_path / "holdem", json=True))
    assert columns(tmp_path / "holdem" / "holdem.csv") == told("### holdem.csv")
    standings = [columns(tmp_path / name / "standings.csv") for name in recorded.journals]
    assert set.union(*standings) == told("### standings.csv")


async def test_keys_and_columns_of_replay(
    recorded: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = recorded.journals["plain"]
    for journal in (path, write_league(tmp_path / "holdem.journal", Random(5), HoldemGame(stack=100))):
        replay_journal(journal, Choice(), True, False)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert_keys("### Hands", *(line for line in lines if line["type"] == "hand"))
    replay_journal(path, Choice(), False, True)
    assert set(capsys.readouterr().out.splitlines()[0].split(",")) == told("### CSV")


def test_types_of_replay_lines() -> None:
    lines = EVENT_TYPES - {"dealt", "street", "acted", "hand", "figures"}
    assert lines | {"unfinished"} <= {*names_in(section(PAGE, "### Other lines"))}


def test_keys_of_bots(capsys: pytest.CaptureFixture[str]) -> None:
    show_bots(True)
    assert_keys("## casino bots", json.loads(capsys.readouterr().out))


@pytest.mark.heavy  # CI looks at the keys where it looks at the figures
async def test_keys_of_bench() -> None:
    # The bench gives up where nothing is decided in ten times the seconds, so they are not too few for a busy machine.
    outcome = await run("bench", "--seconds", "0.1", "--rounds", "1", "--json")
    assert outcome.code == 0, outcome.err
    assert_keys("## casino bench", json.loads(outcome.out))
