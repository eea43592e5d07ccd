"""Become the program, inside the sandbox: open its port, set its limits, and replace this process.

A script of the standard library only, because the sandbox sees nothing else of this package. It is started by
``outside.py`` with its part of the plan and a socket, through which it gives back the listener that it has opened.
A listener belongs to the network in which it was made, no matter which process holds it. So ``outside.py`` can accept
connections of a network that it is not in itself.
"""

import json
import os
import random
import resource
import signal
import socket
import sys
from typing import Any


def main(plan: dict[str, Any], door: int) -> None:
    """Open the port, set the limits, and become the program."""
    with socket.socket(fileno=door) as outside:
        if plan["port"] is not None:
            with socket.create_server((plan["host"], plan["port"]), backlog=64) as listener:
                socket.send_fds(outside, [b"."], [listener.fileno()])
    _set_limits(plan["limits"])
    if plan["user"] is not None:
        os.setgroups([])
        os.setgid(plan["user"])
        os.setuid(plan["user"])  # which also gives up all that root may do
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and what is ignored stays so
        signal.signal(number, signal.SIG_DFL)
    command = plan["command"]
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"cannot run {command[0]!r} in the sandbox: {error.strerror}")


def _set_limits(limits: dict[str, int]) -> None:
    """Set what the kernel holds by process, and for the number of processes by user namespace (Linux 5.14)."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, random.sample(cores, min(limits["cores"], len(cores))))
    os.nice(limits["niceness"])
    kinds = {
        # Not RLIMIT_AS: Java, Go and others reserve far more addresses than they ever use.
        resource.RLIMIT_DATA: limits["memory"],
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_CPU: limits["cpu_seconds"],
        resource.RLIMIT_FSIZE: limits["disk"],
        resource.RLIMIT_NOFILE: limits["descriptors"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for kind, wanted in kinds.items():
        hard = resource.getrlimit(kind)[1]
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), int(sys.argv[2]))
