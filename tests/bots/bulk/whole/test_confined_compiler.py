"""What the compiler of an author's file may see and use."""

from pathlib import Path

import pytest

from bots.bulk import confine
from bots.bulk.compile import compile_all
from bots.bulk.confine import can_confine, confined, limited, readable, why_ended
from bots.bulk.plan import BulkError
from bots.bulk.round_robin import make_plan
from tests.bots.bulk.authors import cpp, need_compiler, write


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
    need_compiler()
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
    need_compiler()
    monkeypatch.setattr(confine, "_LIMITED", confine._LIMITED.replace(str(confine.MEMORY >> 10), str(256 << 10)))
    bomb = "template <int n, int m> struct B { typename B<n - 1, 2 * m>::T a; typename B<n - 1, 2 * m + 1>::T b; };"
    end = "template <int m> struct B<0, m> { typedef int T; };"
    deep = bomb.replace("{ typename", "{ typedef int T; typename", 1)
    said = refused(tmp_path, cpp(tmp_path, "bomb", "return sizeof(B<25, 1>);", f"{deep}\n{end}"))
    assert "this file takes more" in said
