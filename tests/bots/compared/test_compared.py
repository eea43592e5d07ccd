"""The comparison with other libraries: its arithmetic, that all make the same decisions, and that our rows play."""

import json
import subprocess
import sys
from collections import Counter
from importlib import import_module
from random import Random

import pytest

from bots.environments.aec import TableEnv
from tests.bots.compared import __main__ as command
from tests.bots.compared import versions
from tests.bots.compared.contest import Contestant, choose
from tests.bots.compared.measure import measure, timed, warm_up
from tests.bots.compared.show import facts, show, times_our_rules
from tests.docs.pages import ROOT, names_in, page, section, tables
from tests.patience import PATIENCE


class Machine:
    """A machine on which time passes only while hands are played."""

    def __init__(self) -> None:
        self.now = 0.0

    def clock(self) -> float:
        """Seconds so far."""
        return self.now

    def contestant(self, library: str, part: str, *seconds: float, counts: bool = True) -> Contestant:
        """One that needs so many seconds a hand, and others in each later run; with three decisions a hand."""
        left = list(seconds)

        def run(hands: int) -> int | None:
            self.now += hands * (left.pop(0) if len(left) > 1 else left[0])
            return 3 * hands if counts else None

        return Contestant(library, part, "leduc", "calls", run)


def test_warm_up_finds_how_many_hands_fill_a_turn() -> None:
    machine = Machine()
    assert warm_up(machine.contestant("a", "b", 0.01).run, 0.5, machine.clock) == 50
    assert warm_up(machine.contestant("a", "b", 7.0).run, 0.5, machine.clock) == 1
    assert warm_up(machine.contestant("a", "b", 9.0, 0.25).run, 0.5, machine.clock) == 2  # the first hand was a warm-up


def test_time_and_decisions_of_a_run() -> None:
    machine = Machine()
    assert timed(machine.contestant("a", "b", 0.5).run, 4, machine.clock) == (2.0, 12)


def test_medians_and_ratios() -> None:
    machine = Machine()
    ours = machine.contestant("casino-day", "rules", 0.25)
    other = machine.contestant("other", "game", 0.5, 0.5, 0.5, 0.125, 0.0625, counts=False)
    rules, theirs = measure([ours, other], 3, 1.0, machine.clock)
    assert (rules.hands, rules.rates, rules.rate, rules.decisions) == (4, (4.0, 4.0, 4.0), 4.0, 3.0)
    assert (theirs.hands, theirs.rates, theirs.rate, theirs.decisions) == (2, (2.0, 8.0, 16.0), 8.0, None)
    assert times_our_rules(theirs, [rules, theirs]) == 2.0
    assert times_our_rules(theirs, [theirs]) is None


def test_facts_and_tables_have_all_rows(capsys: pytest.CaptureFixture[str]) -> None:
    machine = Machine()
    names = ("casino-day", "other")
    measured = measure([machine.contestant(name, "rules", 0.25) for name in names], 1, 1.0, machine.clock)
    told = json.loads(json.dumps(facts(measured, 1.0)))
    assert [row["library"] for row in told["rows"]] == list(names)
    assert (told["turns"], told["rows"][1]["hands_per_second"], told["rows"][1]["times_our_rules"]) == (1, 4.0, 1.0)
    show(measured, 1.0)
    printed = capsys.readouterr().out
    assert all(f"{name}, rules" in printed for name in names)
    assert "Leduc hold'em, checks and calls" in printed


def test_choices_are_equally_likely_and_a_fold_only_where_chips_are_owed() -> None:
    chance = Random(5)
    chosen = Counter(choose("chance", chance, "call", "fold", ["raise"]) for _ in range(3000))
    assert all(900 < chosen[action] < 1100 for action in ("call", "fold", "raise"))
    assert {choose("chance", chance, "call", None, ["raise"]) for _ in range(100)} == {"call", "raise"}
    assert {choose("chance", chance, "call", "fold", []) for _ in range(100)} == {"call", "fold"}
    assert {choose("calls", chance, "call", "fold", ["raise"]) for _ in range(100)} == {"call"}


def test_every_compared_library_is_pinned() -> None:
    assert {*command.MODULES, *command.BELOW["pettingzoo"]} - {"casino-day"} <= versions.pinned().keys()


def test_the_page_states_the_pinned_versions() -> None:
    measured = section(page("bots/docs/other-libraries.md"), "## How it was measured")
    assert {names_in(name)[0]: version for name, version in next(tables(measured))} == versions.pinned()


def test_another_version_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(versions, "installed", {"rlcard": "0.1"}.get)
    assert command.compare(only=("rlcard",)) == 2
    assert "rlcard 1.2.0 is wanted, but 0.1 is installed: pip install -r" in capsys.readouterr().err


def test_an_unknown_library_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.compare(only=("chess",)) == 2
    assert "got chess" in capsys.readouterr().err


#: What is imported there warns of things that are none of ours.
not_in_ci = [pytest.mark.heavy, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize(
    "library",
    [
        "casino-day",
        "open-spiel",
        "pokerkit",
        pytest.param("rlcard", marks=not_in_ci),
        pytest.param("pettingzoo", marks=not_in_ci),
        pytest.param("PyPokerEngine", marks=not_in_ci),
    ],
)
def test_all_make_the_same_decisions(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two who check and call to the end make two decisions a street; by chance a hand is shorter."""
    for package in (library, *command.BELOW.get(library, ())):
        if versions.installed(package) is None:
            pytest.skip(f"{package} is not installed, see tests/bots/compared/requirements.txt")
    monkeypatch.setattr(sys, "path", [*sys.path])  # loading adds a folder
    contestants = command.load(command.MODULES[library][:1])  # without the kernel, which is slow to compile
    assert len({(one.part, one.game, one.play) for one in contestants}) == len(contestants) > 1
    for one in contestants:
        decisions = one.run(20)
        if decisions is not None and one.play == "calls":
            assert decisions == 20 * (4 if one.game == "leduc" else 8), one
        elif decisions is not None:
            assert 20 <= decisions < 20 * 8, one


def test_our_environment_makes_the_same_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(command.LEDUC)
    our_environment = import_module("tests.bots.compared.our_environment")
    for name, game in our_environment.GAMES.items():
        environment = TableEnv(game)
        assert our_environment.play_hands(environment, "calls", Random(1), 20) == 20 * (4 if name == "leduc" else 8)
        assert 20 <= our_environment.play_hands(environment, "chance", Random(1), 20) < 20 * 8


def test_the_command_measures_our_rows() -> None:
    line = [sys.executable, "-m", "tests.bots.compared", "--only", "casino-day", "--turns", "1", "--seconds", "0.01"]
    done = subprocess.run([*line, "--json"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    assert {(row["part"], row["game"]) for row in rows} >= {
        ("rules", "limit"),
        ("arena", "leduc"),
        ("environment", "leduc"),
        ("compiled", "no-limit"),
        ("kernel", "roll-outs"),
    }
    assert all(row["hands_per_second"] > 0 for row in rows)
