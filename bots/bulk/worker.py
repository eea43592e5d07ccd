"""Play one native tournament, in a process that may do nothing but compute.

A script of the standard library only. It loads the compiled driver and players, forbids itself all system calls that
an AI does not need, and plays. What it finds out stands in the memory that it shares with ``supervisor.py``.
"""

import ctypes
import json
import os
import random
import resource
import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

_DECIDE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)
_PREPARE = ctypes.CFUNCTYPE(None)

#: Flag of ``personality`` (linux/personality.h): the same addresses in each run.
_SAME_ADDRESSES = 0x0040000

#: The generator of ``rand`` for Python players.
_CHANCE = Path(__file__).with_name("chance.py")

#: Exit code if a file holds no AI (``NO_AI`` in ``failures.py``, which a script cannot import).
_NO_AI = 5

#: Lines of a Python player's traceback that are kept.
_TRACEBACK = 12


def main(plan: dict[str, Any]) -> None:
    """Play the tournament of ``plan``, which ``supervisor.py`` made."""
    driver = ctypes.PyDLL(plan["driver"])
    if not plan["sanitized"]:
        _set_limits(plan["memory"])
    count = len(plan["players"])
    numbers = ctypes.c_int64 * count
    deals, states = numbers(*plan["failed_deals"]), numbers(*plan["failed_states"])
    random.seed(plan["key"])
    nowhere = os.open(os.devnull, os.O_RDWR)
    if not driver.tournament_begin(plan["page"], count, deals, states):
        sys.exit("its memory cannot be mapped")
    if os.getppid() != plan["watcher"]:
        os._exit(1)  # it ended before the driver could ask for a signal
    for stream in (0, 1) if plan["sanitized"] else (0, 1, 2):
        os.dup2(nowhere, stream)
    driver.tournament_connect(plan["programs"])
    playing = [number for number in range(count) if plan["failed_deals"][number] >= 0]
    pythons = {number: _PythonPlayer(driver) for number in playing if plan["players"][number]["kind"] == "python"}
    if not plan["sanitized"]:  # whose report reads files and goes to standard error
        _forbid(driver, plan["programs"], readers=True)
    for number in playing:
        player = plan["players"][number]
        if player["kind"] == "program":
            driver.tournament_take_program(number)
        elif number in pythons:
            driver.tournament_loading(number)
            pythons[number].load(player["path"], player["rand"])
            driver.tournament_take(number, pythons[number].decide, pythons[number].prepare)
        elif code := driver.tournament_load(number, player["path"].encode(), ctypes.c_uint64(player["rand"])):
            os._exit(code)
    if not pythons and not plan["sanitized"]:
        _forbid(driver, plan["programs"], readers=False)
    if plan["replaced_decisions"] and plan["failed_deals"][plan["replaced_opening"]] >= 0:
        decisions, coin = ctypes.c_int64(plan["replaced_decisions"]), ctypes.c_uint64(plan["coin"])
        driver.tournament_replace_opening(plan["replaced_opening"], decisions, coin)
    driver.tournament_play(
        ctypes.c_int64(plan["rounds"]),
        ctypes.c_int64(plan["blocks"]),
        ctypes.c_uint64(plan["key"]),
        ctypes.c_int64(plan["timed_every"]),
        ctypes.c_int64(plan["action_parts"]),
    )
    os._exit(0)


def _forbid(driver: Any, programs: int, *, readers: bool) -> None:
    if number := driver.tournament_forbid_calls(int(readers), programs):
        driver.tournament_error(f"the kernel refused a filter of system calls: {os.strerror(number)}".encode())
        os._exit(1)


def _set_limits(memory: int) -> None:
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (limit, limit))


class _PythonPlayer:
    """A Python player, as the driver calls it.

    It is made before system calls are forbidden, because ctypes needs executable memory for it, and must live as long
    as the driver may call it.
    """

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._functions: dict[str, Any] = {}
        self.decide = _DECIDE(self._guarded("AI"))
        self.prepare = _PREPARE(self._guarded("Init"))

    def load(self, path: str, seed: int) -> None:
        """Run its file, which finds ``rand`` and ``RAND_MAX`` as in C."""
        sys.path.insert(0, str(Path(path).parent))
        chance = runpy.run_path(str(_CHANCE))
        try:
            names = runpy.run_path(path, {"rand": chance["Rand"](seed), "RAND_MAX": chance["RAND_MAX"]})
        except BaseException:  # noqa: BLE001 # all that a player raises is its failure, SystemExit too
            _give_up(self._driver)
        finally:
            del sys.path[0]
        if names.get("AI") is None:
            self._driver.tournament_error(b"it has no function AI(op, b, state, d); define one")
            os._exit(_NO_AI)
        self._functions.update(AI=names["AI"], Init=names.get("Init") or (lambda: None))

    def _guarded(self, name: str) -> Callable[..., int]:
        functions = self._functions

        def call(*arguments: int) -> int:
            try:
                return 1 if functions[name](*arguments) else 0
            except BaseException:  # noqa: BLE001 # the same
                _give_up(self._driver)

        return call


def _give_up(driver: Any) -> NoReturn:
    """End this process because of the exception that a player raised."""
    lines = traceback.format_exc().strip().splitlines()
    driver.tournament_error("\n".join(lines[-_TRACEBACK:]).encode())
    os._exit(3)


if __name__ == "__main__":
    libc = ctypes.CDLL(None)
    current = libc.personality(ctypes.c_ulong(0xFFFFFFFF))
    # Where this is refused, as in some containers, only an AI that computes with addresses may differ from run to run.
    if not current & _SAME_ADDRESSES and libc.personality(ctypes.c_ulong(current | _SAME_ADDRESSES)) != -1:
        os.execv(sys.executable, [sys.executable, "-I", *sys.argv])
    main(json.loads(Path(sys.argv[1]).read_text()))
