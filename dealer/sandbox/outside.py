"""Run one program in bubblewrap: carry its connections to the dealer, watch what it uses, end with its exit code.

A script of the standard library only, so that it starts in a few milliseconds. ``sandbox.py`` makes its plan.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

#: How often in a row memory must be too much: one reading may be wrong while processes start, end or write.
READINGS = 3

#: How often to try to remove a cgroup, every 10 ms; what is left then, the next sandbox removes.
REMOVALS = 500


def main(plan: dict[str, Any]) -> int:
    """Run the program to its end; its exit code, or 1 if it had to be stopped."""
    inside, limits = plan["inside"], plan["inside"]["limits"]
    ours, theirs = socket.socketpair()
    told, telling = os.pipe()
    own_group = group_below(plan["cgroup"].get("parent"), limits["memory"])
    with ours, theirs, os.fdopen(told) as info, tempfile.TemporaryFile() as calls, own_group as made:
        calls.write(bytes.fromhex(plan["calls"]))
        calls.seek(0)
        words = ["bwrap", "--info-fd", str(telling), *(["--seccomp", str(calls.fileno())] if plan["calls"] else [])]
        words += [*plan["bwrap"][1:], json.dumps(inside), str(theirs.fileno())]
        if made is not None:
            words = [*join_words(made), *words]
        if scope := plan["cgroup"].get("scope"):  # systemd's command needs variables that the program must not see
            words = [*scope, "env", "-i", *(f"{name}={value}" for name, value in plan["environment"].items()), *words]
        process = subprocess.Popen(
            words,
            env=None if scope else plan["environment"],
            pass_fds=(telling, theirs.fileno(), calls.fileno()),
        )
        theirs.close()
        os.close(telling)
        about = info.read()
        if about and inside["port"] is not None:
            carrier = Carrier(ours, (inside["host"], inside["port"]), limits["connections"])
            threading.Thread(target=carrier.run, daemon=True).start()
        if about:
            first = json.loads(about)["child-pid"]  # all others in the sandbox end with it
            group = _scope_of(first) if scope else made
            proc = Path(f"/proc/{first}/root/proc")
            if excess := _watch(process, proc, group, limits, plan["watch_seconds"]) or _refused(group, limits):
                with suppress(ProcessLookupError):
                    os.kill(first, signal.SIGKILL)
                process.wait()
                print(f"stopped in the sandbox: it used more than {excess}", file=sys.stderr)
                return 1
        return process.wait()


def join_words(group: Path) -> list[str]:
    """The words that start a command in a cgroup."""
    return ["/bin/sh", "-c", 'echo $$ >"$0" && exec "$@"', str(group / "cgroup.procs")]


@contextmanager
def group_below(parent: str | None, memory: int) -> Iterator[Path | None]:
    """A cgroup for so many bytes of memory below another, in either version of cgroups; None without a parent."""
    if parent is None:
        yield None
        return
    for left in Path(parent).glob("casino-*"):  # by a process that was killed
        if not Path("/proc", left.name.partition("-")[2]).exists():
            with suppress(OSError):
                left.rmdir()
    group = Path(parent, f"casino-{os.getpid()}")
    group.mkdir()
    try:
        second = (group / "memory.max").exists()
        with (group / ("memory.max" if second else "memory.limit_in_bytes")).open("r+") as bound:  # never a new file
            bound.write(str(memory))
        with suppress(FileNotFoundError):  # the kernel does not count swap
            with (group / ("memory.swap.max" if second else "memory.memsw.limit_in_bytes")).open("r+") as bound:
                bound.write(str(0 if second else memory))
        yield group
    finally:
        for _ in range(REMOVALS):
            with suppress(OSError):  # a process in it is still ending
                group.rmdir()
                break
            time.sleep(0.01)


def _scope_of(process: int) -> Path | None:
    """The cgroup in which systemd has started a process (version 2)."""
    with suppress(OSError):
        for line in Path(f"/proc/{process}/cgroup").read_text().splitlines():
            if line.startswith("0::/"):
                return Path("/sys/fs/cgroup", line[4:])
    return None


def _refused(group: Path | None, limits: dict[str, int]) -> str:
    """The bound of memory in words, if the kernel has ended a process of the cgroup for it; else empty."""
    if group is None:
        return ""
    for name in ("memory.events", "memory.oom_control"):
        with suppress(OSError):
            for line in (group / name).read_text().splitlines():
                if line.startswith("oom_kill ") and line != "oom_kill 0":
                    return f"{limits['memory'] >> 20} MB of memory"
    return ""


def _watch(
    process: "subprocess.Popen[bytes]", proc: Path, group: Path | None, limits: dict[str, int], seconds: float
) -> str:
    """Wait for the end of the program, or until it uses too much; what that is, or nothing."""
    end = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(end, select.POLLIN)
    try:
        while not poll.poll(seconds * 1000):
            if excess := _refused(group, limits) or excess_of(proc, limits):
                return excess
    finally:
        os.close(end)
    return ""


def excess_of(proc: Path, limits: dict[str, int]) -> str:
    """The limit that the processes of a sandbox exceed together, in words; empty if there is none.

    Args:
        proc: the file system with one folder for each of its processes.
        limits: by name.
    """
    threads, shared_counted = 0, 0
    with suppress(OSError):  # the sandbox begins or ends just now
        if proc.stat().st_dev == Path("/proc").stat().st_dev:
            return ""  # bubblewrap has not left our file system yet: these are all processes of the machine
        processes = [path for path in proc.iterdir() if path.name.isdecimal()]
        for path in processes:
            with suppress(OSError):  # one process ends just now
                threads += sum(1 for _ in (path / "task").iterdir())
                shared_counted += _kilobytes(path / "status", "VmRSS:", "VmPTE:") * 1024
        if threads > limits["processes"] + 2:  # bubblewrap's own and the thread that may just be starting
            return f"{limits['processes']} processes and threads"
        # Pages that processes share are in the sum once for each; counting them right takes longer.
        if shared_counted > limits["memory"] and all(_use(processes) > limits["memory"] for _ in range(READINGS)):
            return f"{limits['memory'] >> 20} MB of memory"
    # Sockets and files keep memory that is counted for no process.
    with suppress(OSError):
        used = (proc / "1" / "net" / "sockstat").read_text().split(maxsplit=3)[2]  # also those that nobody has open
        if int(used) > limits["sockets"]:
            return f"{limits['sockets']} sockets"
    for name in ("tmp", "dev/shm"):
        with suppress(OSError):
            system = os.statvfs(proc.parent / name)
            if system.f_files - system.f_ffree > limits["files"]:
                return f"{limits['files']} files in /{name}"
    return ""


def _use(processes: list[Path]) -> int:
    """Bytes of memory of processes together.

    They are read one after the other, so the sum is too large if they share less, or more, by the time of the last.
    """
    return sum(map(_memory, processes))


def _memory(process: Path) -> int:
    """Bytes of memory of a process and of its page tables; what n processes share counts 1/n for each."""
    with suppress(OSError):
        return (_kilobytes(process / "smaps_rollup", "Pss:") + _kilobytes(process / "status", "VmPTE:")) * 1024
    return 0


def _kilobytes(file: Path, *names: str) -> int:
    """The sum of the lines that begin with these names."""
    lines = [line.split() for line in file.read_text(errors="replace").splitlines()]
    return sum(int(words[1]) for words in lines if words and words[0] in names)


class Carrier:
    """Connects what connects to the port inside to the same port outside.

    Args:
        inside: a socket through which the listener inside comes.
        dealer: address and port outside.
        most: connections at the same time; a further one is closed at once.
    """

    def __init__(self, inside: socket.socket, dealer: tuple[str, int], most: int) -> None:
        self._inside = inside
        self._dealer = dealer
        self._free = threading.Semaphore(most)

    def run(self) -> None:
        """Accept connections as long as this process lives."""
        _, fds, _, _ = socket.recv_fds(self._inside, 1, 1)
        if not fds:  # the program could not be started
            return
        with socket.socket(fileno=fds[0]) as listener:
            while True:
                guest, _ = listener.accept()
                if self._free.acquire(blocking=False):
                    threading.Thread(target=self._carry, args=[guest], daemon=True).start()
                else:
                    guest.close()

    def _carry(self, guest: socket.socket) -> None:
        """Carry one connection, in both directions, until both sides have ended it."""
        try:
            with guest, socket.create_connection(self._dealer) as dealer:
                for sock in (guest, dealer):
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                back = threading.Thread(target=_pump, args=[dealer, guest], daemon=True)
                back.start()
                _pump(guest, dealer)
                back.join()
        except OSError:  # the dealer does not listen any more
            pass
        finally:
            self._free.release()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Carry bytes in one direction until that side ends; a connection that breaks is ended on both sides."""
    try:
        while data := source.recv(65_536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        for sock in (source, sink):
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
