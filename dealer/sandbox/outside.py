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
from contextlib import suppress
from pathlib import Path
from typing import Any

PAGE = os.sysconf("SC_PAGE_SIZE")

#: How often in a row memory must be too much: one reading may be wrong while processes start, end or write.
READINGS = 3


def main(plan: dict[str, Any]) -> int:
    """Run the program to its end; its exit code, or 1 if it had to be stopped."""
    inside, limits = plan["inside"], plan["inside"]["limits"]
    ours, theirs = socket.socketpair()
    told, telling = os.pipe()
    with ours, theirs, os.fdopen(told) as info, tempfile.TemporaryFile() as calls:
        calls.write(bytes.fromhex(plan["calls"]))
        calls.seek(0)
        words = ["bwrap", "--info-fd", str(telling), *(["--seccomp", str(calls.fileno())] if plan["calls"] else [])]
        process = subprocess.Popen(
            [*words, *plan["bwrap"][1:], json.dumps(inside), str(theirs.fileno())],
            env=plan["environment"],
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
            if excess := _watch(process, Path(f"/proc/{first}/root/proc"), limits, plan["watch_seconds"]):
                with suppress(ProcessLookupError):
                    os.kill(first, signal.SIGKILL)
                process.wait()
                print(f"stopped in the sandbox: it used more than {excess}", file=sys.stderr)
                return 1
        return process.wait()


def _watch(process: "subprocess.Popen[bytes]", proc: Path, limits: dict[str, int], seconds: float) -> str:
    """Wait for the end of the program, or until it uses too much; what that is, or nothing."""
    end = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(end, select.POLLIN)
    try:
        while not poll.poll(seconds * 1000):
            if excess := excess_of(proc, limits):
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
    with suppress(OSError):  # the sandbox ends just now
        processes = [path for path in proc.iterdir() if path.name.isdecimal()]
        for path in processes:
            with suppress(OSError):  # one process ends just now
                threads += sum(1 for _ in (path / "task").iterdir())
                shared_counted += int((path / "statm").read_text().split()[1]) * PAGE
        if threads > limits["processes"] + 2:  # bubblewrap's own and the thread that may just be starting
            return f"{limits['processes']} processes and threads"
        # Pages that processes share are in the sum once for each; counting them right takes longer.
        if shared_counted > limits["memory"] and all(_use(processes) > limits["memory"] for _ in range(READINGS)):
            return f"{limits['memory'] >> 20} MB of memory"
    return ""


def _use(processes: list[Path]) -> int:
    """Bytes of memory of processes together.

    They are read one after the other, so the sum is too large if they share less, or more, by the time of the last.
    """
    return sum(map(_memory, processes))


def _memory(process: Path) -> int:
    """Bytes of memory of a process; what n processes share counts 1/n for each."""
    with suppress(OSError):
        for line in (process / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


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
