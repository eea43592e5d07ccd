"""What programs try in the sandbox, each for real: nothing outside is read, written, reached or ended."""

import os
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from dealer.sandbox.folders import program_folders
from dealer.sandbox.sandbox import Limits
from tests.dealer.sandbox.sandboxed import (
    become_nobody,
    needs_sandbox,
    open_folder,
    processes_with,
    python_program,
    run,
    wrapped,
)
from tests.patience import PATIENCE

HOST = "127.0.0.1"


@pytest.fixture
def tmp_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that everybody can read; its subfolder ``cwd`` is the current one."""
    with open_folder() as folder:
        (folder / "cwd").mkdir()
        monkeypatch.chdir(folder / "cwd")
        yield folder


@pytest.fixture(autouse=True, params=["", "ordinary user"])
def _sandbox(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        become_nobody(tmp_path, monkeypatch)
    needs_sandbox()


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@contextmanager
def server(greeting: bytes = b"login") -> Iterator[int]:
    """A port of this machine that greets everybody who connects."""
    with socket.create_server((HOST, 0)) as door:
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                with door.accept()[0] as guest:
                    guest.sendall(greeting)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield door.getsockname()[1]
        finally:
            ended.set()
            socket.create_connection(door.getsockname()).close()
            thread.join()


def test_program_runs_with_its_arguments_folder_and_exit_code(own: Path) -> None:
    own.mkdir()
    (own / "data.txt").write_text("weights")
    code = "import sys; print(open(sys.argv[1]).read(), sys.argv[2]); sys.exit(7)"
    ended = run(own, code, own / "data.txt", "and 'quotes'")
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "weights and 'quotes'\n", "")


def test_names_of_its_own_machine_are_known_and_those_of_others_are_not(own: Path) -> None:
    code = """
        import socket
        print(*(socket.gethostbyname(name) for name in ("localhost", socket.gethostname())), open("/etc/hosts").read())
    """
    ended = run(own, code)
    assert (ended.stdout, ended.stderr) == ("127.0.0.1 127.0.0.1 127.0.0.1 localhost casino\n\n", "")


def test_program_is_told_apart_from_a_sandbox_that_cannot_start_it() -> None:
    words = wrapped(["no-such-program"])
    ended = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "cannot run 'no-such-program' in the sandbox: No such file or directory\n"


def test_it_reads_neither_journal_nor_home_nor_other_programs(own: Path, tmp_path: Path) -> None:
    secrets = [tmp_path / "day.journal", tmp_path / "other" / "bot.py"]
    (tmp_path / "other").mkdir()
    for secret in secrets:
        secret.write_text("the seed")
    code = """
        import os, sys
        for path in sys.argv[1:]:
            for root in ("", "/proc/1/root", "/proc/self/root", "/proc/1/cwd/../.."):
                try:
                    print(open(root + path).read())
                except OSError as error:
                    assert error.errno in (2, 13, 20), error
        print(sorted(os.listdir("/")))
    """
    ended = run(own, code, *secrets, "/etc/shadow", "/etc/passwd", Path.home() / ".bashrc")
    assert ended.returncode == 0, ended.stderr
    assert "seed" not in ended.stdout
    # The program, its Python and the (empty) current folder lie where they lie outside, which differs.
    needed = {path.parts[1] for path in (own, Path.cwd(), *program_folders([sys.executable, str(own)]))}
    assert set(eval(ended.stdout)) <= needed | {
        *(".inside.py", "bin", "dev", "etc", "gnu", "home", "lib", "lib32", "lib64", "libx32", "nix", "opt"),
        *("proc", "root", "sbin", "tmp", "usr"),
    }


def test_it_sees_no_process_but_its_own(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CASINO_SECRET", "the desk's token")
    code = """
        import os, pathlib
        for process in pathlib.Path("/proc").iterdir():
            if process.name.isdecimal():
                for name in ("cmdline", "environ"):
                    try:
                        print(process.name, name, (process / name).read_bytes())
                    except OSError:
                        pass
    """
    ended = run(own, code)
    assert ended.returncode == 0, ended.stderr
    assert "token" not in ended.stdout
    assert "CASINO_SECRET" not in ended.stdout
    assert len({line.split()[0] for line in ended.stdout.splitlines()}) == 2  # bubblewrap's own, and itself


def test_it_writes_nowhere_that_lasts(own: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("whole")
    code = """
        import os, sys
        for path in sys.argv[2:]:
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT))  # and writes nothing, should it succeed
            except OSError as error:
                continue
            if not path.startswith("/tmp/"):  # which is its own
                print("wrote", path)
        for name in ("null", "zero", "full", "random", "urandom", "tty", "stdin"):
            try:
                os.chmod("/dev/" + name, 0o666)
            except OSError as error:
                continue
            print("changed", name)
        open(sys.argv[1], "w").write("x")
        print(open(sys.argv[1]).read())
    """
    places = [own / "new", own / "program.py", tmp_path / "victim", "/new", "/usr/new", "/etc/new", "/.inside.py"]
    places += ["/dev/new", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/irq/default_smp_affinity"]
    mine = Path("/tmp", uuid.uuid4().hex)
    ended = run(own, code, mine, *places, Path.home() / "new", sys.executable, Path(sys.base_prefix) / "new")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "x\n", "")
    assert (tmp_path / "victim").read_text() == "whole"
    assert [path.name for path in own.iterdir()] == ["program.py"]
    assert not mine.exists()


def test_it_reaches_the_dealers_port_and_no_other(own: Path) -> None:
    code = """
        import socket, sys
        dealer, other = map(int, sys.argv[1:3])
        with socket.create_connection(("127.0.0.1", dealer)) as connection:
            print(connection.recv(100).decode())
        places = [("127.0.0.1", other), ("localhost", other), (sys.argv[3], other), (sys.argv[3], dealer)]
        for place in [*places, ("192.0.2.1", 80), ("2001:db8::1", 80)]:
            try:
                socket.create_connection(place, timeout=5)
            except OSError as error:
                assert not isinstance(error, TimeoutError), place
                continue
            print("reached", place)
        for path in ("\\0" + sys.argv[4], "/run/docker.sock", "/var/run/dbus/system_bus_socket"):
            try:
                socket.socket(socket.AF_UNIX).connect(path)
            except OSError:
                continue
            print("reached", path)
    """
    name = uuid.uuid4().hex
    with server() as dealer, server(b"secret") as other, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        ended = run(own, code, dealer, other, socket.gethostname(), name, port=dealer)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "login\n", "")


def test_without_a_port_there_is_no_network(own: Path) -> None:
    code = """
        import socket, sys
        try:
            socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        except ConnectionRefusedError:
            print("refused")
    """
    with server() as other:
        assert run(own, code, other).stdout == "refused\n"


def test_it_has_so_many_connections_at_the_same_time(own: Path) -> None:
    code = """
        import socket, sys
        alive = []
        for _ in range(10):
            alive.append(socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
        print([connection.recv(1) for connection in alive].count(b"!"))
    """
    with socket.create_server((HOST, 0)) as door:
        port = door.getsockname()[1]
        door.settimeout(PATIENCE)
        guests = []

        def accept() -> None:
            for _ in range(3):
                guests.append(door.accept()[0])
                guests[-1].sendall(b"!")

        thread = threading.Thread(target=accept)
        thread.start()
        ended = run(own, code, port, limits=Limits(connections=3), port=port)
        thread.join()
        for guest in guests:
            guest.close()
    assert (ended.stdout, ended.stderr) == ("3\n", "")


def test_it_gives_no_signal_to_others(own: Path) -> None:
    code = """
        import os, signal, sys
        for pid in [*map(int, sys.argv[1:]), -int(sys.argv[1])]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                print("no such process")
        sys.stdout.flush()
        os.kill(-1, signal.SIGTERM)
    """
    victim = subprocess.Popen(["sleep", str(PATIENCE)])
    try:
        ended = run(own, code, victim.pid, os.getpid() + 4_000_000)
        assert ended.stdout == "no such process\n" * 3
        assert victim.poll() is None
    finally:
        victim.kill()
        victim.wait()


def test_it_leaves_no_process_behind(own: Path) -> None:
    marker = uuid.uuid4().hex
    code = """
        import os, subprocess, sys
        command = [sys.executable, "-c", "import time; time.sleep(100)", sys.argv[1]]
        for _ in range(3):
            subprocess.Popen(command, start_new_session=True)
        print(len([pid for pid in os.listdir("/proc") if pid.isdecimal()]))
    """
    ended = run(own, code, marker)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "5\n", "")
    psutil.wait_procs(processes_with(marker), timeout=PATIENCE)
    assert not processes_with(marker)


def test_all_of_it_ends_with_the_process_outside(own: Path) -> None:
    marker = uuid.uuid4().hex
    command = python_program(own, "import time; print('up', flush=True); time.sleep(100)")
    words = wrapped([*command, marker], folders=program_folders(command))
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as outside:
        assert outside.stdout is not None
        assert outside.stdout.readline() == "up\n"
        alive = processes_with(marker)
        assert alive
        outside.kill()
    _, left = psutil.wait_procs(alive, timeout=PATIENCE)
    assert not left


#: Forks many times more than it may, but not for ever: other tests run on the same machine.
FORK_BOMB = """
    import os, time
    try:
        for _ in range(200):
            if os.fork() == 0:
                time.sleep(100)
        time.sleep(100)
    except BlockingIOError:
        print("no more")
"""


def test_fork_bomb_is_stopped(own: Path) -> None:
    """The kernel refuses the fork, or where the dealer runs as root, which it does not limit, the sandbox ends."""
    marker = uuid.uuid4().hex
    ended = run(own, FORK_BOMB, marker, limits=Limits(processes=30))
    said = (ended.stdout, ended.stderr)
    assert said in [("no more\n", ""), ("", "stopped in the sandbox: it used more than 30 processes and threads\n")]
    psutil.wait_procs(processes_with(marker), timeout=PATIENCE)
    assert not processes_with(marker)


def test_fork_bomb_that_breeds_is_stopped(own: Path) -> None:
    marker = uuid.uuid4().hex
    code = """
        import os, time
        first = os.getpid()
        for _ in range(8):
            try:
                os.fork()
            except BlockingIOError:
                if os.getpid() != first:
                    os._exit(3)
        time.sleep(1 if os.getpid() == first else 100)
    """
    ended = run(own, code, marker, limits=Limits(processes=60))
    assert ended.returncode in (0, 1)
    psutil.wait_procs(processes_with(marker), timeout=PATIENCE)
    assert not processes_with(marker)


MEMORY = Limits(memory=100 << 20)


def test_memory_of_one_process_is_limited(own: Path) -> None:
    code = """
        try:
            bytearray(200 << 20)
        except MemoryError:
            print("refused")
        print(len(bytearray(50 << 20)))
    """
    ended = run(own, code, limits=MEMORY)
    assert (ended.stdout, ended.stderr) == (f"refused\n{50 << 20}\n", "")


#: Reads a byte of every 2 MB of much address space: each costs a page of page tables, and no memory of the process.
PAGE_TABLES = """
kept, no_reserve = [], 0x4000  # which Python's mmap names since 3.12
while True:
    kept.append(mmap.mmap(-1, 8 << 30, mmap.MAP_PRIVATE | no_reserve, mmap.PROT_READ))
    kept[-1].madvise(mmap.MADV_NOHUGEPAGE)
    for i in range(0, 8 << 30, 2 << 20): kept[-1][i]
"""


@pytest.mark.parametrize(
    "code",
    [
        "children = [os.fork() for _ in range(2)]; mine = bytearray(b'x') * (60 << 20); time.sleep(100)",
        "mine = mmap.mmap(-1, 300 << 20)\nfor i in range(0, 300 << 20, 4096): mine[i] = 1\ntime.sleep(100)",
        PAGE_TABLES,
    ],
    ids=["several processes", "shared memory", "page tables"],
)
def test_memory_of_all_processes_is_limited(own: Path, code: str) -> None:
    ended = run(own, "import mmap, os, time\n" + code, limits=MEMORY)
    assert (ended.returncode, ended.stderr) == (1, "stopped in the sandbox: it used more than 100 MB of memory\n")


def test_memory_that_processes_share_counts_once(own: Path) -> None:
    """After a fork the memory is the parent's until one of the two writes to it."""
    code = """
        import mmap, os, time
        mine = mmap.mmap(-1, 60 << 20)
        for i in range(0, 60 << 20, 4096): mine[i] = 1
        children = [os.fork() for _ in range(2)]
        print(sum(mine[i] for i in range(0, 60 << 20, 4096)), flush=True)
        time.sleep(0.5)
    """
    ended = run(own, code, limits=MEMORY)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_disk_is_limited(own: Path, place: str) -> None:
    code = """
        import sys
        written = 0
        try:
            for number in range(20):
                with open(f"{sys.argv[1]}/{number}", "wb", buffering=0) as file:
                    written += file.write(bytes(1 << 20))
        except OSError as error:
            print(error.strerror)
        print(written)
    """
    ended = run(own, code, place, limits=Limits(disk=5 << 20))
    assert (ended.stdout, ended.stderr) == (f"No space left on device\n{5 << 20}\n", "")


def test_output_to_a_file_is_limited(own: Path, tmp_path: Path) -> None:
    with (tmp_path / "stderr").open("wb") as file:
        code = "import sys\nfor _ in range(20): sys.stderr.write('x' * (1 << 20))"
        run(own, code, limits=Limits(disk=5 << 20), stderr=file)
    assert (tmp_path / "stderr").stat().st_size <= 5 << 20


def test_time_on_the_processor_is_limited(own: Path) -> None:
    ended = run(own, "while True: pass", limits=Limits(cpu_seconds=1))
    assert ended.returncode == 128 + 9


def test_the_dealer_comes_first_on_the_processor(own: Path) -> None:
    code = "import os; print(os.nice(0), len(os.sched_getaffinity(0)))"
    before = os.nice(0)
    assert run(own, code, limits=Limits(cores=1, niceness=4)).stdout == f"{min(before + 4, 19)} 1\n"


def test_it_cannot_make_itself_more_powerful(own: Path) -> None:
    """No user namespace, no mount, no debugger for the first process; no uncounted memory, no strange socket."""
    code = """
        import ctypes, errno, os, platform
        libc = ctypes.CDLL(None, use_errno=True)
        def tried(name, *arguments):
            ctypes.set_errno(0)
            return errno.errorcode.get(ctypes.get_errno(), "") if getattr(libc, name)(*arguments) == -1 else "worked"
        print(tried("unshare", 0x10000000), tried("mount", b"none", b"/tmp", b"tmpfs", 0, None))
        print(tried("umount2", b"/tmp", 2), tried("setuid", 1), tried("sethostname", b"x", 1))
        print(tried("memfd_create", b"x", 0), tried("shmget", 0, 1 << 20, 0o1600), tried("msgget", 0, 0o1600))
        print(tried("vmsplice", 1, None, 0, 0))
        keyctl = {"x86_64": 250, "aarch64": 219}[platform.machine()]
        print(tried("syscall", keyctl, 0, -3, 0))
        vsock, alg = 40, 38
        print(tried("socket", vsock, 1, 0), tried("socket", alg, 5, 0))
        try:
            open("/dev/tty")
        except OSError as error:
            print("no terminal")
        print(sorted(map(int, os.listdir("/proc/self/fd")))[:3])
    """
    ended = run(own, code)
    lines = ended.stdout.splitlines()
    assert "worked" not in ended.stdout, ended.stdout
    refused = ["ENOSYS ENOSYS ENOSYS", "ENOSYS", "ENOSYS", "ENOSYS ENOSYS"]
    assert lines[2:] == [*refused, "no terminal", "[0, 1, 2]"], ended.stderr


def test_it_inherits_no_open_file(own: Path, tmp_path: Path) -> None:
    code = """
        import os
        for number in sorted(map(int, os.listdir("/proc/self/fd")))[3:]:
            try:
                print(os.readlink(f"/proc/self/fd/{number}"))
            except OSError:  # the folder that was just listed
                pass
    """
    with (tmp_path / "day.journal").open("w") as journal:
        os.set_inheritable(journal.fileno(), True)
        assert run(own, code).stdout == ""
