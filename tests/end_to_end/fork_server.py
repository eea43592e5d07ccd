"""Forks processes that run ``casino``: the modules of its commands are imported once, not for each test.

``python -m tests.end_to_end.fork_server N`` takes orders from the socket with descriptor N: the working directory,
variables of the environment and the words of a command line as JSON, with the descriptors of standard input, standard
output, standard error, and of a pipe for the process id and the exit code. Each process begins as a fresh one does, but
for the hash seed, which all of them share.
"""

import gc
import json
import os
import runpy
import socket
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path

#: What the commands import when they run, except what starts threads: numpy does, and a fork would not have them.
MODULES = (
    "bots.client",
    "bots.commands",
    "bots.human.commands",
    "dealer.audit.verify",
    "dealer.checker.check",
    "dealer.commands",
    "dealer.hosting.hosted",
    "dealer.hosting.league",
    "dealer.hosting.serve",
    "dealer.replay.show",
    "dealer.web.admin.remote_desk",
)


def obey(orders: socket.socket) -> list[str]:
    """Fork a process for each order. Return in these processes alone, with the words of the command line."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(orders, 1 << 16, 4)
        if not data:
            orders.close()
            sys.exit()
        if os.fork() == 0:
            orders.close()
            folder, variables, *words = json.loads(data)
            os.chdir(folder)
            os.environ.update(variables)
            return _process(words, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _process(words: list[str], descriptors: list[int]) -> list[str]:
    """Fork again, and return in the child; wait for it, and tell its process id and exit code."""
    *streams, report = descriptors
    child = os.fork()
    if child == 0:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        return words
    for stream in streams:
        os.close(stream)
    os.write(report, f"{child}\n".encode())
    _, status = os.waitpid(child, 0)
    with suppress(BrokenPipeError):  # nobody waits after a cancelled run
        os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    warnings.filterwarnings("error", module=r"(protocol|dealer|bots)\.")  # of our own modules; others may warn
    for module in MODULES:
        import_module(module)
    gc.freeze()
    sys.argv[1:] = obey(socket.socket(fileno=int(sys.argv[1])))
    sys.path[0] = str(Path.cwd())
    runpy.run_module("dealer.main", run_name="__main__", alter_sys=True)
