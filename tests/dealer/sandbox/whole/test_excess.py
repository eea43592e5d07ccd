"""When the processes of a sandbox use too much together."""

from pathlib import Path

import pytest

from dealer.sandbox import outside

MEGABYTE = 1 << 20
LIMITS = {"processes": 10, "memory": MEGABYTE, "sockets": 10, "files": 10}


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    """A process whose pages are more than the limit, if those that it shares are counted in full."""
    (tmp_path / "proc" / "7" / "task" / "7").mkdir(parents=True)
    (tmp_path / "proc" / "7" / "status").write_text("Name:\tbot\nVmRSS:\t    2048 kB\nThreads:\t1\n")
    return tmp_path / "proc"


@pytest.mark.parametrize(
    ("readings", "excess"), [([2], "1 MB of memory"), ([1], ""), ([2, 1, 2], ""), ([2, 2, 1], ""), ([1, 2, 2], "")]
)
def test_memory_is_too_much_if_each_reading_says_so(
    readings: list[int], excess: str, proc: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may end, and leave what it shared to another, between the readings of the two."""
    left = list(readings)
    monkeypatch.setattr(outside, "_memory", lambda _: MEGABYTE * (left.pop(0) if len(left) > 1 else left[0]))
    assert outside.excess_of(proc, LIMITS) == excess


def test_processes_of_the_machine_are_not_those_of_the_sandbox() -> None:
    """Until bubblewrap has its own file system, what looks like that of the sandbox is ours."""
    assert outside.excess_of(Path("/proc/self/root/proc"), dict.fromkeys(LIMITS, 0)) == ""


def test_process_that_ended_uses_nothing(proc: Path) -> None:
    (proc / "8").mkdir()
    assert outside.excess_of(proc, LIMITS) == ""
