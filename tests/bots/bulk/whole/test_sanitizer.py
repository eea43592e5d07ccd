"""The compiler of an author's file: what it may see, and the line that ``--sanitize`` names."""

from pathlib import Path

import pytest

from bots.bulk import compile as compiling
from bots.bulk import confine
from bots.bulk.compile import compile_all
from bots.bulk.confine import can_confine, confined, limited, readable, why_ended
from bots.bulk.failures import read_report
from bots.bulk.plan import BulkError
from bots.bulk.played import Played, PlayerMeasures
from bots.bulk.round_robin import make_plan
from bots.bulk.standings import make_standings
from bots.commands import round_robin
from tests.bots.bulk.authors import cpp, write
from tests.compiled import needs

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


@pytest.mark.long
def test_sanitizer_names_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("g++")
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
    needs("g++")
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
    needs("g++")
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


def refused(folder: Path, source: Path) -> str:
    """What is said of a file that is not compiled."""
    made = folder / "made"
    made.mkdir()
    with pytest.raises(BulkError) as error:
        compile_all(make_plan([], [source, source], [], 10, 1, "x").entrants, made)
    return str(error.value)


def test_command_is_limited_without_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    can_confine.cache_clear()
    try:
        assert confined(["g++", "x.cpp"], [], tmp_path) == limited(["g++", "x.cpp"])
    finally:
        can_confine.cache_clear()


def test_limits_are_explained() -> None:
    assert why_ended("x.cpp:1: error: 'y' was not declared") == ""
    assert "2 GB of memory and 120 s" in why_ended("g++: fatal error: Killed signal terminated program cc1plus")


def test_headers_beside_a_file_are_seen_and_nothing_else(tmp_path: Path) -> None:
    for name in ("mine.cpp", "mine.h", "other.cpp", "secret.txt"):
        write(tmp_path, name, "")
    (tmp_path / "near.h").symlink_to("mine.h")
    (tmp_path / "far.h").symlink_to("/etc/passwd")
    assert readable(tmp_path / "mine.cpp") == [tmp_path / name for name in ("mine.cpp", "mine.h", "near.h")]


def test_file_that_is_a_link_to_that_of_another_author(tmp_path: Path) -> None:
    bob, eve = tmp_path / "bob.cpp", tmp_path / "eve" / "eve.cpp"
    write(tmp_path, "bob.cpp", "")
    eve.parent.mkdir()
    eve.symlink_to(bob)
    for natives, pythons in (([eve], []), ([], [eve])):
        with pytest.raises(BulkError, match=r"eve.cpp is a link to .*bob.cpp; name that file if it is meant"):
            make_plan(["caller"], natives, pythons, 1, 1, "x")


def test_compiler_sees_no_other_files(tmp_path: Path) -> None:
    needs("g++")
    if not can_confine():
        pytest.skip("there is no bubblewrap, or it cannot start a program here")
    write(tmp_path, "secret.txt", "the cards of everybody\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "leads_out.h").symlink_to(tmp_path / "secret.txt")
    named = ("/etc/passwd", "../secret.txt", f"{tmp_path}/secret.txt", "leads_out.h")
    sources = "".join(f'#if __has_include("{name}")\n#error it reads {name}\n#endif\n' for name in named)
    sources += '#include "/etc/group"\n'
    said = refused(tmp_path, write(tmp_path / "own", "curious.cpp", sources))
    assert "/etc/group: No such file or directory" in said
    assert "the compiler is not shown links to files of other folders: leads_out.h" in said
    assert "it reads" not in said


def test_compiler_that_runs_out_of_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("g++")
    monkeypatch.setattr(confine, "_LIMITED", confine._LIMITED.replace(str(confine.MEMORY >> 10), str(256 << 10)))
    bomb = "template <int n, int m> struct B { typename B<n - 1, 2 * m>::T a; typename B<n - 1, 2 * m + 1>::T b; };"
    end = "template <int m> struct B<0, m> { typedef int T; };"
    deep = bomb.replace("{ typename", "{ typedef int T; typename", 1)
    said = refused(tmp_path, cpp(tmp_path, "bomb", "return sizeof(B<25, 1>);", f"{deep}\n{end}"))
    assert "this file takes more" in said
