"""``casino round-robin``: from a folder of ``casino new`` to the standings, and what it says about what cannot be."""

import json
from pathlib import Path

import pytest

from bots.bulk.plan import parse_rounds
from bots.bulk.round_robin import HOUSE, house_names, make_plan
from bots.bulk.shared_page import Page, PlayerFacts
from bots.commands import new, round_robin
from dealer.cli.casino_app import build_app
from tests.bots.bulk.authors import cpp, write
from tests.compiled import needs
from tests.docs.pages import assert_keys


@pytest.mark.parametrize(
    ("text", "rounds"), [("1", 1), ("300k", 300_000), ("5M", 5_000_000), ("1.5m", 1_500_000), ("20_000", 20_000)]
)
def test_rounds_can_be_written_short(text: str, rounds: int) -> None:
    assert parse_rounds(text) == rounds


@pytest.mark.parametrize("text", ["", "0", "-5", "1.5", "5x", "many", "2000000000000"])
def test_a_wrong_number_of_rounds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected a number of rounds such as 300k or 5M, up to 10\^12, got"):
        parse_rounds(text)
    with pytest.raises(SystemExit):
        build_app().parse_args(["round-robin", "dice", "dice-four", "dice-luck", "--rounds", text])


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (
            "stud",
            "bulk tournaments are of dice only. In stud everybody meets everybody in `casino simulate stud --cross`",
        ),
        ("poker", "expected dice, got 'poker'"),
    ],
)
def test_another_game_is_refused_with_the_command_that_plays_it(
    game: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        build_app().parse_args(["round-robin", game, "caller", "tight", "--rounds", "10"])
    shown = " ".join(capsys.readouterr().err.replace("│", "").split())
    assert told in shown


def test_standings_of_house_bots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    assert round_robin("dice", "dice-four", "caller", "dice-four", rounds=64_000, seed="house", json=True) == 0
    facts = json.loads(capsys.readouterr().out)
    assert_keys("## casino round-robin", facts)
    assert [row["name"] for row in facts["standings"]][2] == "caller"
    assert {row["name"] for row in facts["standings"]} == {"dice-four", "dice-four-2", "caller"}
    assert facts["deals"] == 3 * 64_000
    assert sum(row["chips"] for row in facts["standings"]) == 0
    for row in facts["standings"]:
        assert 0 <= row["call_seconds"] < 1e-6  # a call may be too short for the clock
        assert row["violations"] == []
        assert row["interval"][0] < row["chips_per_deal"] == row["chips"] / 128_000 < row["interval"][1]
    # Two players by the same rule win from each other by luck alone. Against a caller, a four or better wins 5.25 chips
    # of 10.5 on average, and lower dice lose 1 as the first player and 2 as the second: 1.875 a deal.
    between = {(one["player"], one["against"]): one["interval"] for one in facts["cross"]}
    assert between[0, 2][0] < 0 < between[0, 2][1]
    assert between[0, 1][0] < 1.875 < between[0, 1][1]
    page = tmp_path / "report.html"
    assert round_robin("dice", "dice-four", "caller", "dice-four", rounds=640, seed="the house", report=page) == 0
    assert "<h1>Dice: 640 rounds</h1>" in page.read_text("utf-8")
    shown = capsys.readouterr().out
    assert "Dice: 640 rounds" in shown
    assert "the same again: --seed 'the house'" in shown


def test_samples_play_if_no_house_bot_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    samples = {"caller", "dice-four", "dice-price", "dice-luck", "dice-memory"}
    mine, other = (tmp_path / name for name in ("mine.py", "other.py"))
    for file in (mine, other):
        file.write_text("def AI(op, b, state, d): return d > 3\n")
    for files, names in (((), samples), ((mine,), samples | {"mine"}), ((mine, other), {"mine", "other"})):
        assert {one.name for one in make_plan([], [], files, 10, 1, "any").entrants} == names
    assert round_robin("dice", rounds=640, json=True) == 0
    assert {row["name"] for row in json.loads(capsys.readouterr().out)["standings"]} == samples
    assert build_app().parse_args(["round-robin", "dice"])  # rounds have a default, too


def test_a_file_without_an_ai_is_refused_before_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    head = '#include "tournament.h"\nint AI(int op, int b, int state, int d) { return 1; }\n'
    files = [
        ("a.cpp", head, "it defines no SOLUTION; define one (in C with the name `solution`)"),
        ("b.c", head + 'SOLUTION mine = {"B", "B", NULL, AI};\n', "it defines no SOLUTION; define one (in C with"),
        (
            "c.cpp",
            head + 'SOLUTION x("X", "X", NULL, AI), y("Y", "Y", NULL, AI);\n',
            "it defines several SOLUTIONs",
        ),
        ("d.cpp", head + 'SOLUTION x("X", "X", NULL, NULL);\n', "the AI of its SOLUTION is NULL; name your function"),
        ("e.py", "def ai(op, b, state, d): return 1\n", "it has no function AI(op, b, state, d); define one"),
    ]
    for name, text, said in files:
        path = (write(tmp_path, name, text),)
        native, python = ((), path) if name.endswith("py") else (path, ())
        assert round_robin("dice", "caller", rounds=10, native=native, python=python) == 2
        out, err = capsys.readouterr()
        assert f"casino: {name} cannot play: {said}" in err
        assert out == ""


@pytest.mark.parametrize(
    ("house", "native", "python", "said"),
    [
        (("dice-four",), (), (), "a tournament is for 2 to 256 players, got 1"),
        (
            ("dice-four", "alpha"),
            (),
            (),
            "no house bot 'alpha' plays bulk tournaments; those that do: caller, dice-adaptive",
        ),
        (("dice-four",), ("nowhere.cpp",), (), "there is no C++ or C file nowhere.cpp"),
        (("dice-four",), (), ("nowhere.py",), "there is no Python file nowhere.py"),
    ],
)
def test_players_that_are_not_there_are_told(
    house: tuple[str, ...],
    native: tuple[str, ...],
    python: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = [tuple(map(Path, names)) for names in (native, python)]
    assert round_robin("dice", *house, rounds=10, native=paths[0], python=paths[1]) == 2
    assert said in capsys.readouterr().err


def test_without_a_compiler_the_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("bots.bulk.round_robin.can_confine", lambda: False)
    assert round_robin("dice", "dice-four", rounds=10, native=(cpp(tmp_path, "one", "return 1;"),)) == 2
    said = capsys.readouterr().err
    assert "need g++: install it with 'apt install g++'" in said
    assert "casino: bubblewrap cannot be used here, so files are compiled without a sandbox\n" in said


def test_native_is_for_cpp_and_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert new(tmp_path / "p", lang="java", native=True) == 2
    assert new(tmp_path / "p", lang="cpp", game="stud", native=True) == 2
    assert capsys.readouterr().err == "casino: --native is for --lang cpp and dice only\n" * 2
    assert not (tmp_path / "p").exists()
    assert new(tmp_path / "p", lang="cpp", game="dice", native=True) == 0
    assert (tmp_path / "p" / "ai.cpp").exists()


def test_house_bots_can_be_copied_for_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in house_names():
        assert new(tmp_path / name, lang="cpp", native=True, like=name) == 0
        copied = {path.name for path in (tmp_path / name).iterdir()}
        table = {"equilibrium.h"} if name in {"dice-adaptive", "dice-equilibrium"} else set()
        assert copied == {"ai.cpp", "tournament.h", "README.md"} | table
        assert (tmp_path / name / "ai.cpp").read_bytes() == (HOUSE / f"{name}.cpp").read_bytes()
    capsys.readouterr()
    assert new(tmp_path / "none", lang="cpp", native=True, like="alpha") == 2
    assert "no house bot 'alpha' is written in C++; those that are: caller, dice-adaptive," in capsys.readouterr().err
    assert new(tmp_path / "none", lang="cpp", like="dice-adaptive") == 2
    assert capsys.readouterr().err == "casino: --like is for --native only\n"
    assert not (tmp_path / "none").exists()


def test_a_copied_house_bot_plays_as_the_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    assert new(tmp_path / "mine", lang="cpp", native=True, like="dice-equilibrium") == 0
    capsys.readouterr()
    found = []
    for house, natives in ((("caller",), (tmp_path / "mine" / "ai.cpp",)), (("caller", "dice-equilibrium"), ())):
        assert round_robin("dice", *house, rounds=2000, native=natives, json=True) == 0
        found.append({row["name"]: row["chips"] for row in json.loads(capsys.readouterr().out)["standings"]})
    assert found[0] == found[1]


def test_the_shared_page_has_no_gaps() -> None:
    """So that C++ and ctypes lay it out alike; both compilers align to 8 bytes."""
    for kind in (Page, PlayerFacts):
        names = [name for name, *_ in kind._fields_]
        ends = [getattr(kind, name).offset + getattr(kind, name).size for name in names]
        assert [getattr(kind, name).offset for name in names] == [0, *ends[:-1]]


def test_from_a_new_folder_to_a_place_in_the_standings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    assert new(tmp_path / "mine", lang="cpp", native=True) == 0
    assert "casino round-robin dice dice-four dice-memory --native" in capsys.readouterr().out
    plain_c = write(
        tmp_path,
        "plain.c",
        '#include "tournament.h"\nstatic int decide(int op, int b, int state, int d) { return op + b + state < d; }\n'
        'SOLUTION solution = {"Plain C", "plain", NULL, decide};\n',
    )
    same_names = [cpp(tmp_path, name, "return ++count % 2;", "int count;") for name in ("one", "two")]
    natives = (tmp_path / "mine" / "ai.cpp", plain_c, *same_names)
    assert round_robin("dice", "dice-four", rounds=2000, native=natives, json=True) == 0
    facts = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in facts["standings"]}
    assert set(rows) == {"My Name", "Plain C", "dice-four", "one", "two"}
    assert [row["violations"] for row in rows.values()] == [[]] * 5
    assert all(row["deals"] == 8000 and row["memory"] > 0 and row["call_seconds"] >= 0 for row in rows.values())


def test_the_compiler_is_heard_with_the_lines_of_the_author(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
    broken = write(tmp_path, "broken.cpp", '#include "tournament.h"\n\nint AI() { return unknown; }\n')
    unlinked = cpp(tmp_path, "unlinked", "return elsewhere(d);", "int elsewhere(int);")
    assert round_robin("dice", "dice-four", rounds=10, native=(broken, unlinked)) == 2
    said = capsys.readouterr().err
    assert f"{broken}:3:19: error: " in said
    assert "return unknown;" in said
    assert "elsewhere(int)" in said
