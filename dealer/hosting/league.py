"""A whole league on one machine: the dealer and every bot in a process of its own, over real sockets.

Each program gets a loopback port of its own, so the league knows which one is which without trusting an id,
and players sit in the order in which their programs were named.
"""

import hmac
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import IO

import trio
from rich.console import Console

from dealer.errors import NobodyPlayedError, OptionError
from dealer.hosting.progress import announce_page, open_interrupts, run_with_progress, stop_gently
from dealer.hosting.start import MIN_PLAYERS
from dealer.journal.writer import Journal
from dealer.lobby.listener import accept_players, open_listener
from dealer.lobby.player import Player
from dealer.net.watchdog import Watchdog, open_watchdog
from dealer.settings import LeagueWords
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament

HOST = "127.0.0.1"
STARTUP_SECONDS = 30.0
"""How long a program may take to log in; a Java machine under load needs several seconds."""

EXIT_SECONDS = 3.0
"""How long a program may run on after its ``done:``."""

ERROR_LINES = 8


@dataclass(frozen=True, slots=True)
class Program:
    """A bot to start: its name in the standings, and its command with ``{host}`` and ``{port}`` to be filled in.

    One without a command is started by somebody else, who is told to let it connect to ``port``.
    """

    name: str
    command: tuple[str, ...]
    port: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A program that did not do what it should: what happened, and the last lines of its standard error."""

    program: str
    what: str
    stderr: tuple[str, ...]


def house_bots(names: Sequence[str], seed: str) -> list[Program]:
    """The commands that run house bots, each with an id, an avatar and a seed of its own."""
    copies: Counter[str] = Counter()
    programs = []
    for bot in names:
        copies[bot] += 1
        name, id_ = (bot, bot) if copies[bot] == 1 else (f"{bot} {copies[bot]}", f"{bot}-{copies[bot]}")
        # Made of the tournament's seed one way only: anybody on this machine can read a command line.
        bot_seed = hmac.new(seed.encode(), id_.encode(), "sha256").hexdigest()
        # Its listener is open before it starts: one that finds it closed has no dealer any more, and must not wait
        # for whoever gets that port next.
        flags = ("--id", id_, "--avatar", name.replace("-", " ").title(), "--seed", bot_seed, "--patience", "0")
        # -P: the installed package, whatever the folder the command was typed in
        command = (sys.executable, "-P", "-m", "dealer.main", "bot", bot, "{host}", "{port}", *flags)
        programs.append(Program(name, command))
    return programs


def guest_bots(commands: Sequence[str]) -> list[Program]:
    """Programs given as command lines such as ``java Poker {host} {port}``.

    Raises:
        OptionError: a line has no ``{port}``, or quotes that do not close.
    """
    copies: Counter[str] = Counter()
    programs = []
    for command in commands:
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise OptionError(f"cannot read the command {command!r}: {error}") from None
        if not any("{port}" in word for word in words):
            raise OptionError(f"the command {command!r} has no {{port}}; write it like 'java Poker {{host}} {{port}}'")
        copies[command] += 1
        programs.append(Program(command if copies[command] == 1 else f"{command} ({copies[command]})", words))
    return programs


@dataclass(slots=True)
class _Running:
    """A started program; ``reported`` once its failure is known."""

    program: Program
    process: trio.Process
    stderr: IO[bytes]
    reported: bool = False

    async def stop(self) -> None:
        """Kill the program, and what it has started itself, if it still runs; see it gone."""
        if self.process.poll() is None:
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)  # it leads a session of its own
            else:
                self.process.kill()
        await self.process.wait()
        self.stderr.close()


class League:
    """Programs, the lobby they log in to, and the tournament they play.

    Args:
        programs: all there were at the start; only those whose players are still wanted are started.
        scene: how the tournament begins; it is told when it has.
        words: what the league was started with, for the journal.
        journal: of the tournament.
        console: where progress is shown.
        least: players without whom there is no tournament.
        patience: seconds a program may take to log in.

    Attributes:
        tournament: once enough programs have logged in.
        failures: programs that did not start, did not log in, failed, or had to be stopped.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        scene: Scene,
        words: LeagueWords,
        journal: Journal,
        console: Console,
        least: int = MIN_PLAYERS,
        patience: float = STARTUP_SECONDS,
    ) -> None:
        opening = scene.opening
        self.tournament: Tournament | None = None
        self.failures: list[Failure] = []
        wanted = None if opening.wanted is None else {player.program for player in opening.wanted}
        self._programs = [program for program in programs if wanted is None or program.name in wanted]
        self._scene = scene
        self._opening = opening
        self._words = words
        self._journal = journal
        self._console = console
        self._least = least
        self._patience = patience
        self._running: list[_Running] = []

    async def play(self) -> bool:
        """Play the league, and see every program end; whether a second interrupt cut it short.

        Without enough players there is no tournament, only failures.

        Raises:
            PortError: a port cannot be opened.
            NobodyPlayedError: interrupted before the start.
        """
        try:
            async with open_interrupts(lambda: None) as interrupts, open_watchdog() as watchdog:
                async with trio.open_nursery() as nursery:
                    interrupts.gently = nursery.cancel_scope.cancel
                    announce_page(self._scene, self._console)
                    with self._console.status("starting the bots"):
                        await self._start_all(nursery, watchdog)
                        players = await self._gather()
                    if len(players) >= min(self._least, len(self._programs)):
                        self.tournament = self._opening.begin(self._journal, players, self._words)
                        self._scene.tournament = self.tournament
                        interrupts.gently = partial(stop_gently, self.tournament, self._console)
                        await run_with_progress(self.tournament, self._console)
                        await self._finish()
                    nursery.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                for running in self._running:
                    await running.stop()
        if self.tournament is None and interrupts.count:
            raise NobodyPlayedError("interrupted before the tournament started")
        return interrupts.count > 1 and not (self.tournament and self.tournament.ended)

    async def _start_all(self, nursery: trio.Nursery, watchdog: Watchdog) -> None:
        for program in self._programs:
            listener = await open_listener(HOST, program.port, self._opening.settings.limit, program=program.name)
            nursery.start_soon(accept_players, listener, self._opening.lobby, watchdog)
            if program.command:
                await self._start(program, listener.port)
            else:
                self._console.print(f"start your program now, with {HOST} and port {listener.port}")

    async def _start(self, program: Program, port: int) -> None:
        words = [word.replace("{host}", HOST).replace("{port}", str(port)) for word in program.command]
        stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by _Running.stop
        try:
            process = await trio.lowlevel.open_process(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=os.name == "posix",  # a Ctrl-C at the terminal is the dealer's alone
            )
        except OSError as error:
            stderr.close()
            self.failures.append(Failure(program.name, f"could not be started: {error.strerror}", ()))
        else:
            self._running.append(_Running(program, process, stderr))

    async def _gather(self) -> list[Player]:
        """Wait until every program is logged in, dead, or too slow; the players in the order of their programs."""
        with trio.move_on_after(self._patience):
            async with trio.open_nursery() as nursery:
                for running in self._running:
                    nursery.start_soon(self._logged_in_or_dead, running)
                for program in self._started_elsewhere:
                    nursery.start_soon(self._logged_in, program)
        players = self._opening.lobby.players
        arrived = {player.program for player in players}
        slow = f"did not log in within {self._patience:g} s"
        missing = [program.name for program in self._started_elsewhere if program.name not in arrived]
        self.failures += [Failure(name, slow, ()) for name in missing]
        for running in self._running:
            if running.program.name not in arrived:
                code = running.process.poll()
                self._report(running, slow if code is None else f"ended with exit code {code} before it logged in")
        order = [program.name for program in self._programs]
        return sorted(players, key=lambda player: order.index(player.program))

    async def _finish(self) -> None:
        """Give every program a moment to end after its ``done:``, and report those that ended badly."""
        with trio.move_on_after(EXIT_SECONDS):
            for running in self._running:
                await running.process.wait()
        for running in self._running:
            code = running.process.poll()
            if code != 0 and not running.reported:
                self._report(running, "did not end by itself" if code is None else f"ended with exit code {code}")

    async def _logged_in_or_dead(self, running: _Running) -> None:
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                await running.process.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(watch)
            await self._logged_in(running.program)
            nursery.cancel_scope.cancel()

    async def _logged_in(self, program: Program) -> None:
        lobby = self._opening.lobby
        while all(player.program != program.name for player in lobby.players):
            await lobby.changed()

    @property
    def _started_elsewhere(self) -> list[Program]:
        return [program for program in self._programs if not program.command]

    def _report(self, running: _Running, what: str) -> None:
        running.reported = True
        running.stderr.seek(0)
        lines = running.stderr.read().decode(errors="replace").splitlines()
        self.failures.append(Failure(running.program.name, what, tuple(lines[-ERROR_LINES:])))
