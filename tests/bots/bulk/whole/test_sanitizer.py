"""An honest mistake with memory: ``--sanitize`` names its line."""

from pathlib import Path

import pytest

from bots.bulk import compile as compiling
from bots.bulk.played import Played, PlayerMeasures
from bots.bulk.round_robin import make_plan
from bots.bulk.sanitizer import read_report
from bots.bulk.standings import make_standings
from bots.commands import round_robin
from tests.bots.bulk.authors import cpp, need_compiler, write

#: Bodies of AIs on line 5, what stands before them on line 4, and what is said.
MISTAKES = {
    "it uses index 2 of an array of type int [2][19], whose last index is 1": (
        "bets[op + 2][b] = 1; return d > 3;",
        "static int bets[2][19];",
    ),
    "it writes to memory outside an array or variable, next to 'table' of line 4": (
        "int *place = table; place[b] = 1; return d > 3;",
        "static int table[16];",
    ),
    "it reads memory that it has freed": ('int *p = new int[b]; asm("" : "+r"(p)); delete[] p; return *p;', ""),
    "it uses an index outside a container": ("static std::array<int, 16> a; return a[b]++;", "#include <array>"),
    "it is aborted (an exception that nobody catches": ("throw d;", ""),
}

#: First lines of other reports.
REPORTS = {
    "alloc-dealloc-mismatch (operator new [] vs free) on 0x60": "it frees memory in another way than it was allocated",
    "attempting double-free on 0x602000000010 in thread T0:": "it frees memory that it has freed before",
    "SEGV on unknown address 0x0 (pc 0x7f T0)\n==1==Hint: address points to the zero page.": "it uses a null pointer",
    "SEGV on unknown address 0x123456789000 (pc 0x7f T0)": "it uses memory that is not its own, by a wild pointer",
    "FPE on unknown address 0x7ffff630f262 (pc 0x7f T0)": "it divides by zero",
    "stack-overflow on address 0x7fffff7fe388 (pc 0x7f T0)": "it calls functions within functions without end",
    "negative-size-param: (size=-1)": "AddressSanitizer calls it negative-size-param",
}


def test_reports_are_read_in_words() -> None:
    for report, said in REPORTS.items():
        calls = "    #0 0x7ff in memcpy x.inc:8\n    #1 0x7ff in go(int) /home/ada/parts/go.h:12:3\n"
        found = read_report(f"==1==ERROR: AddressSanitizer: {report}\n{calls}", Path("/home/ada/ai.cpp"))
        assert found is not None
        assert found.sentence.startswith(f"parts/go.h, line 12, in go: {said}")
        assert found.lines[-1] == "#1 go(int) /home/ada/parts/go.h:12:3"
    assert read_report("something else", Path("ai.cpp")) is None


def test_sanitizer_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    need_compiler()
    for said, (body, before) in MISTAKES.items():
        mine = cpp(tmp_path, "mine", body, before)
        assert round_robin("dice", "dice-four", rounds=1000, native=(mine,), sanitize=True) == 1
        told = capsys.readouterr().err
        assert told.startswith(f"casino: mine.cpp, line 5, in AI: {said}"), told
        assert "\nin round " in told
        assert f"{mine}:5" in told.partition("from the report of the sanitizer:\n")[2]
    plain_c = '#include "tournament.h"\nstatic int t[16];\nstatic int AI(int op, int b, int state, int d) {\n'
    plain_c += 'return ++t[b] + op + state > d;\n}\nSOLUTION solution = {"C", "C", NULL, AI};\n'
    mine = write(tmp_path, "mine.c", plain_c)
    assert round_robin("dice", "dice-four", rounds=1000, native=(mine,), sanitize=True) == 1
    assert capsys.readouterr().err.startswith("casino: mine.c, line 4, in AI: it ")


def test_sanitizer_finds_nothing_in_a_sound_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    need_compiler()
    body = "int *p = new int[b]; delete[] p; try { if (rand() % 2) throw d; } catch (int) { return 1; } return 0;"
    mine = cpp(tmp_path, "mine", body, "static char *kept;\nstatic void prepare() { kept = new char[999]; }", "prepare")
    assert round_robin("dice", "dice-four", rounds=1000, native=(mine,), sanitize=True) == 0
    assert capsys.readouterr().out.startswith("no mistake with memory was found in 1,000 rounds")
    ends = cpp(tmp_path, "ends", "exit(3);")
    assert round_robin("dice", "dice-four", rounds=1000, native=(ends,), sanitize=True) == 1
    assert capsys.readouterr().err.startswith("casino: ends.cpp: it ended the program (exit code 3)\nin round 1 ")


def test_sanitizer_is_for_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need_compiler()
    mine = cpp(tmp_path, "mine", "return 1;")
    assert round_robin("dice", "caller", rounds=10, native=(mine, mine), sanitize=True) == 2
    assert round_robin("dice", "caller", rounds=10, native=(mine,), python=(mine,), sanitize=True) == 2
    assert capsys.readouterr().err.count("casino: --sanitize is for one --native file against house bots") == 2
    monkeypatch.setattr(compiling, "_SANITIZE", "-fsanitize=nothing")
    assert round_robin("dice", "caller", rounds=10, native=(mine,), sanitize=True) == 2
    assert "casino: --sanitize needs the AddressSanitizer of g++ (libasan, libubsan)" in capsys.readouterr().err


@pytest.mark.parametrize(("memory", "srands"), [(10_231_808 << 20, 0), (-5, 0), (1000, 10_617_159_158_211)])
def test_impossible_figures_are_told_as_what_they_are(memory: int, srands: int) -> None:
    plan = make_plan(["dice-four", "caller"], [], [], 1, 1, "figures")
    measures = tuple(PlayerMeasures("", "", one, 0.0, 1, 0.0, 0, two) for one, two in ((memory, srands), (1000, 5)))
    rows = make_standings(plan, [Played(0, (0,) * 4, measures, (), 0.1)]).rows
    said = {row.name: row.violations for row in rows}
    assert said["dice-four"][0].startswith("its memory was overwritten: probably an index outside an array")
    assert said["caller"][0].startswith("it called srand 5 times")
    assert [row.memory for row in rows if row.name == "dice-four"] == [None]
