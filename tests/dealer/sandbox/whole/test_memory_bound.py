"""Sandboxes that use too much memory together, and machines that can have none."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer.errors import OptionError
from dealer.sandbox import cgroups, outside
from dealer.sandbox.sandbox import Limits, Sandbox, check_sandbox
from tests.dealer.sandbox.sandboxed import become_nobody, needs_sandbox, open_folder, run

#: Fills the buffers of socket pairs until it is ended: more than a gigabyte, if nothing holds it.
SOCKETS = """
    import os, socket, time
    for _ in range(3):
        os.fork()
    pairs = []
    try:
        while len(pairs) < 400:
            pairs.append(socket.socketpair())
            for end in pairs[-1]:
                end.setblocking(False)
                try:
                    while end.send(bytes(1 << 16)):
                        pass
                except BlockingIOError:
                    pass
    except OSError:
        pass
    time.sleep(100)
"""

#: As before, but of each pair nothing is open: one end is on its way in the other.
HIDDEN_SOCKETS = """
    import array, socket, time
    last = None
    for _ in range(100):
        one, other = socket.socketpair()
        if last is not None:
            one.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [last.fileno()]))])
            last.close()
        one.close()
        last = other
    time.sleep(100)
"""

FILES = """
    import time
    for number in range(2000):
        open(f"{place}/{number}", "w").close()
    time.sleep(100)
"""


@pytest.fixture(params=["", "ordinary user"])
def own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a program, that everybody can read."""
    monkeypatch.delenv(cgroups.VARIABLE, raising=False)
    with open_folder() as folder:
        if request.param:
            become_nobody(folder, monkeypatch)
        needs_sandbox()
        yield folder / "own"


@pytest.mark.parametrize("code", [SOCKETS, HIDDEN_SOCKETS], ids=["open", "on their way"])
def test_sockets_of_all_processes_are_limited(own: Path, code: str) -> None:
    ended = run(own, code)
    assert (ended.returncode, ended.stderr) == (1, "stopped in the sandbox: it used more than 32 sockets\n")


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_number_of_files_is_limited(own: Path, place: str) -> None:
    ended = run(own, FILES.replace("{place}", place), limits=Limits(files=1000))
    assert ended.stderr == f"stopped in the sandbox: it used more than 1000 files in {place}\n"


def test_descriptors_are_few(own: Path) -> None:
    code = "import os\nwhile True:\n    last = os.dup(0)\n    print(last, flush=True)"
    ended = run(own, code)
    assert ended.stdout.split()[-1] == "127"
    assert "Too many open files" in ended.stderr


@pytest.fixture
def group() -> Path:
    """A cgroup that is given to the dealer. Tests make none: root may write to groups that belong to somebody else."""
    if cgroups.VARIABLE not in os.environ:
        pytest.skip(f"{cgroups.VARIABLE} names no memory cgroup in which groups can be made")
    return Path(os.environ[cgroups.VARIABLE])


def test_cgroup_bounds_all_memory(group: Path, tmp_path: Path) -> None:
    needs_sandbox()
    tmp_path.chmod(0o755)
    limits = Limits(memory=100 << 20, sockets=10_000, descriptors=1000)
    ended = run(tmp_path / "own", SOCKETS, limits=limits)
    assert (ended.returncode, ended.stderr) == (1, "stopped in the sandbox: it used more than 100 MB of memory\n")


def test_cgroup_left_by_a_killed_process_is_removed(group: Path, tmp_path: Path) -> None:
    needs_sandbox()
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = group / f"casino-{ended.pid}"
    left.mkdir()
    run(tmp_path / "own", "")
    assert not left.exists()


def test_group_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        monkeypatch.setenv(cgroups.VARIABLE, str(folder))
        with pytest.raises(OptionError, match=r"CASINO_CGROUP: no memory cgroup can be made below .*: No such file"):
            Sandbox().wrap(["true"])
    assert list(tmp_path.iterdir()) == []


def test_group_of_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in the place of systemd's starts the rest of its words, and gives the bound that it was asked for."""
    needs_sandbox()
    fake = tmp_path / "systemd-run"
    fake.write_text(f"""#!/bin/sh
echo "$@" >>{tmp_path}/said
for word; do case $word in MemoryMax=*) bound=${{word#*=}};; esac; done
while [ "$1" != -- ]; do shift; done; shift
case "$*" in *memory.max*) echo "$bound";; *) exec "$@";; esac
""")
    fake.chmod(0o755)
    monkeypatch.delenv(cgroups.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    cgroups._prints.cache_clear()
    try:
        ended = run(tmp_path / "own", "import os; print(sorted(os.environ))", limits=Limits(memory=123 << 20))
    finally:
        cgroups._prints.cache_clear()
    assert ended.returncode == 0, ended.stderr
    assert "XDG_RUNTIME_DIR" not in ended.stdout
    assert (
        f"--scope --quiet --collect -p MemoryMax={123 << 20} -p MemorySwapMax=0 -- env -i"
        in (tmp_path / "said").read_text()
    )


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


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is found as ``bwrap``."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    file = tmp_path / "bwrap"
    file.touch(0o755)
    return file


def test_bubblewrap_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OptionError, match="needs bubblewrap: install it with 'apt install bubblewrap'"):
        check_sandbox()


def test_bubblewrap_that_is_too_old(fake: Path) -> None:
    fake.write_text("#!/bin/sh\necho bubblewrap 0.6.1\n")
    with pytest.raises(OptionError, match=r"needs bubblewrap 0\.8 or newer, and .*/bwrap says 'bubblewrap 0\.6\.1'"):
        check_sandbox()


def script(complaint: str) -> str:
    """A program that says a version, and else fails."""
    return f'#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit\necho "{complaint}" >&2\nexit 1\n'


@pytest.mark.parametrize(
    "complaint",
    [
        "bwrap: setting up uid map: Permission denied",
        "bwrap: No permissions to create a new namespace, likely because the kernel does not allow it",
        "bwrap: Creating new namespace failed: Operation not permitted",
    ],
)
def test_user_namespaces_that_are_forbidden(fake: Path, complaint: str) -> None:
    fake.write_text(script(complaint))
    with pytest.raises(OptionError, match=r"User namespaces are forbidden on this machine.*sysctl") as refused:
        check_sandbox()
    assert complaint in str(refused.value)


def test_other_failure_is_told_as_it_is(fake: Path) -> None:
    fake.write_text(script("bwrap: no luck"))
    with pytest.raises(OptionError, match=r"bubblewrap cannot start a program here: bwrap: no luck$"):
        check_sandbox()


def test_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(OptionError, match="needs Linux"):
        check_sandbox()
