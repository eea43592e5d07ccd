"""The sandbox for one program: a command goes in, the command that runs it in bubblewrap comes out.

What a program in the sandbox has, and what it has not:

* files: /usr and parts of /etc, its own folder and interpreter, all read-only; an empty /tmp that vanishes with it
* network: one port of its own loopback, which ``outside.py`` connects to the dealer's port
* processes: its own only; all of them end with the first
* limits: ``Limits``, held by the kernel where it can (rlimits, sizes of file systems, a cgroup) and else by
  ``outside.py``, which looks every ``WATCH_SECONDS``

The command that comes out is ``outside.py``: it runs on this side, starts bubblewrap, and ends with the program's exit
code. Inside, ``inside.py`` opens the port, sets the limits of the process, and becomes the program.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

from dealer.errors import OptionError
from dealer.sandbox.cgroups import memory_cgroup
from dealer.sandbox.forbidden_calls import call_filter

#: The oldest bubblewrap that can limit the size of a file system and forbid user namespaces inside.
OLDEST = (0, 8)

#: Seconds between two looks at the memory and the processes of a sandbox.
WATCH_SECONDS = 0.05

#: Seconds that ``check_sandbox`` waits for an empty sandbox.
TRIAL_SECONDS = 30

#: Variables that a program keeps; all others may hold secrets.
KEPT_VARIABLES = re.compile(r"PATH|LANG|LC_\w+|TZ|JAVA_HOME|PYENV_(ROOT|VERSION)")

#: What is seen of /etc: where Debian and others keep Java's settings, the linker's cache and the time zone.
ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "ssl/certs", "pki/java")

#: Folders of the system that hold programs and libraries, and no data of users.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")

_INSIDE = "/.inside.py"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use, with all processes that it starts.

    Attributes:
        memory: bytes, in all processes together.
        processes: that run at the same time, each thread counted.
        descriptors: open files, pipes and sockets of one process.
        sockets: in all processes together; each connection to the dealer needs two.
        cpu_seconds: of each process; the kernel ends a process that has used more.
        cores: on which it may run.
        disk: bytes in /tmp, as many in /dev/shm, and in one file.
        files: in /tmp, and as many in /dev/shm.
        connections: to the dealer at the same time.
        niceness: added to its processes, so that the dealer comes first.
    """

    memory: int = 1 << 30
    processes: int = 64
    descriptors: int = 128
    sockets: int = 32
    cpu_seconds: int = 3600
    cores: int = 2
    disk: int = 64 << 20
    files: int = 10_000
    connections: int = 8
    niceness: int = 5


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a program may see and use. ``folders.program_folders`` finds the folders of a command.

    Attributes:
        folders: absolute paths of folders and files that it can read, beside the system's.
        limits: of it and its processes together.
    """

    folders: tuple[Path, ...] = ()
    limits: Limits = Limits()

    def wrap(self, words: Sequence[str], host: str = "127.0.0.1", port: int | None = None) -> list[str]:
        """The command that runs ``words`` in the sandbox, in the current folder, with the streams it is given.

        Args:
            words: the program and its arguments.
            host: a loopback address, on both sides.
            port: that the program can connect to, on both sides; None for a program without any network.
        """
        inside = {
            "command": list(words),
            "host": host,
            "port": port,
            "user": next(_USERS) if _is_root() else None,
            "limits": asdict(self.limits),
        }
        plan = {
            "bwrap": [*_bubblewrap(self.folders, self.limits, Path.cwd()), *_inside()],
            "environment": _environment(os.environ),
            "inside": inside,
            "calls": call_filter().hex(),
            "watch_seconds": WATCH_SECONDS,
            "cgroup": memory_cgroup(self.limits.memory),
        }
        return [_python(), "-I", "-S", str(_HERE / "outside.py"), json.dumps(plan)]


def check_sandbox() -> None:
    """Try an empty sandbox, which takes less than a second.

    Raises:
        OptionError: there can be none on this machine; the text says why and what to do.
    """
    if sys.platform != "linux":
        raise OptionError("--sandbox needs Linux; run the dealer there, or in a virtual machine, or leave it out")
    found = shutil.which("bwrap")
    if found is None:
        raise OptionError("--sandbox needs bubblewrap: install it with 'apt install bubblewrap' (dnf, pacman likewise)")
    _check_version(found)
    try:
        trial = subprocess.run(
            Sandbox().wrap(["true"]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TRIAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OptionError(f"--sandbox: bubblewrap did not start a program within {TRIAL_SECONDS} s") from None
    if trial.returncode:
        raise OptionError(f"--sandbox: bubblewrap cannot start a program here: {_reason(trial.stderr)}")


def _check_version(found: str) -> None:
    text = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.search(r"(\d+)\.(\d+)", text)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        raise OptionError(f"--sandbox needs bubblewrap {wanted} or newer, and {found} says {text.strip()!r}")


def _reason(stderr: str) -> str:
    """What bubblewrap complained of, and what to do about it."""
    lines = stderr.strip().splitlines()
    said = lines[-1] if lines else "it gave no reason"
    if re.search(r"uid map|new namespace|user namespace|Operation not permitted|Permission denied", stderr):
        return (
            f"{said}. User namespaces are forbidden on this machine. Its administrator can allow them with "
            "'sysctl -w user.max_user_namespaces=10000', on Ubuntu with 'sysctl -w "
            "kernel.apparmor_restrict_unprivileged_userns=0'; a container must be started with "
            "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"
        )
    return said


def _inside() -> list[str]:
    return ["--", _python(), "-I", "-S", _INSIDE]


def _python() -> str:
    """The interpreter without the virtual environment around it, whose folder the sandbox does not see."""
    return str(Path(sys.executable).resolve())


def _environment(dealer: Mapping[str, str]) -> dict[str, str]:
    """The variables of a program, and of bubblewrap, whose own it can read in /proc."""
    kept = {name: value for name, value in dealer.items() if KEPT_VARIABLES.fullmatch(name)}
    return {**kept, "HOME": "/tmp", "TMPDIR": "/tmp"}


def _bubblewrap(folders: Sequence[Path], limits: Limits, cwd: Path) -> list[str]:
    """The bubblewrap command line, up to the program."""
    empty = ["--size", str(limits.disk), "--perms", "1777", "--tmpfs"]
    seen = sorted({*folders, Path(sys.base_prefix)}, key=lambda path: len(path.parts))  # outer folders first
    return [
        "bwrap",
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
        *(_AS_ROOT if _is_root() else _AS_USER),
        *("--die-with-parent", "--new-session", "--hostname", "casino"),
        *system_folders(),
        *("--proc", "/proc", "--dev", "/dev", *empty, "/dev/shm", "--remount-ro", "/dev"),
        *(*empty, "/tmp"),
        *(word for path in seen if not in_system(path) for word in _shown(path)),
        *("--ro-bind", str(_HERE / "inside.py"), _INSIDE),
        # Many programs connect to "localhost", whatever they are told, and Java's also look up their machine's name.
        *("--ro-bind", str(_HERE / "hosts"), "/etc/hosts"),
        *("--dir", str(cwd), "--chdir", str(cwd), "--remount-ro", "/"),
    ]


# Root in a user namespace of its own still owns root's files: it could write the kernel's settings in /proc/sys, and
# change the mode of /dev/null for the whole machine. So if root runs the dealer, a program becomes another user, one
# that exists nowhere else, and whose processes the kernel counts apart from those of other programs.


_AS_ROOT = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
_AS_USER = ("--unshare-user", "--disable-userns", "--cap-drop", "ALL")


def _is_root() -> bool:
    return os.geteuid() == 0


#: Users that no system gives to anybody: above those of containers, below the largest there can be.
_USERS = count(0x78000000 + os.getpid() % 100_000 * 1000)


def _shown(path: Path) -> list[str]:
    """Show a path where it is. Without ``--dir``, folders around it that are closed outside, such as /root, stay so."""
    around = [word for folder in reversed(path.parents[:-1]) for word in ("--perms", "0755", "--dir", str(folder))]
    return [*around, "--ro-bind", str(path), str(path)]


def system_folders() -> list[str]:
    """The words that show the folders of the system in bubblewrap, and what linkers and languages look for in /etc."""
    words = []
    for folder in map(Path, SYSTEM):
        if folder.is_symlink():
            words += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.exists():
            words += _shown(folder)
    etc = [Path("/etc", name) for name in ETC] + sorted(Path("/etc").glob("java*"))
    return words + [word for path in etc if path.exists() for word in _shown(path)]


def in_system(path: Path) -> bool:
    """Whether a path lies in a folder of the system, which every sandbox sees."""
    return any(path.is_relative_to(folder) for folder in SYSTEM)
