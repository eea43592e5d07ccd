"""Programs that a league starts: each bot is a process of its own on this machine."""

import hmac
import os
import shlex
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

import trio

from dealer.cli.house_bots import bot_command, run_bot_file
from dealer.errors import OptionError
from dealer.sandbox.folders import folders_of_each
from dealer.sandbox.sandbox import Sandbox, check_sandbox
from dealer.settings import AcpcTerms
from protocol.installed_bots import title_of
from protocol.plurals import counted
from protocol.wire.messages import ID_PATTERN

#: Lines of a program's standard error that are shown when it fails.
ERROR_LINES = 8


@dataclass(frozen=True, slots=True)
class Program:
    """A bot to start.

    Attributes:
        name: in the standings.
        command: with ``{host}`` and ``{port}`` to be filled in; empty if the user starts the program.
        port: where it connects; 0 takes any free one.
        house: whether it is a house bot.
        sandbox: in which it runs; None if it may do what the user may.
        acpc: how it takes part, with the one name it has, if it is a program of the ACPC; else None.
    """

    name: str
    command: tuple[str, ...]
    port: int = 0
    house: bool = False
    sandbox: Sandbox | None = None
    acpc: AcpcTerms | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A program that did not do what it should.

    Attributes:
        program: its name.
        what: what happened, as the rest of a sentence.
        stderr: the last lines of its standard error.
    """

    program: str
    what: str
    stderr: tuple[str, ...]


def house_bots(names: Sequence[str], seed: str) -> list[Program]:
    """The commands that run house bots, each with its own id, avatar and seed.

    Args:
        names: of the bots; a name may come several times.
        seed: of the tournament, from which the bots' own seeds follow.

    Raises:
        OptionError: the name of a file with a bot cannot be the id of a player.
    """
    copies: Counter[str] = Counter()
    programs = []
    for bot in names:
        name, id_ = _numbered(bot, copies)
        # Any user of this machine can read a command line, so the tournament's seed, which tells every card, must not
        # follow from a bot's seed: a keyed hash works in one direction only.
        bot_seed = hmac.new(seed.encode(), id_.encode(), "sha256").hexdigest()
        # No patience: the port is open before the bot starts, so a bot that finds it closed has lost its dealer. It
        # must not wait there for another process that gets the same port next.
        flags = (*_named(name, id_), "--seed", bot_seed, "--patience", "0")
        programs.append(Program(name, (*bot_command(bot), *flags), house=True))
    return programs


def _numbered(bot: str, copies: Counter[str]) -> tuple[str, str]:
    """The name and the id of a bot that is called as it is installed, or as its file; further copies have a number.

    Args:
        bot: the name of the bot, or of its file.
        copies: how many bots are called so already; this one is counted.

    Raises:
        OptionError: the name of the file cannot be the id of a player.
    """
    title = title_of(bot)
    if not ID_PATTERN.fullmatch(title):
        raise OptionError(
            f"the name of the file {bot!r} becomes the id of a player, and needs letters, digits, '-' or '_' only; "
            "rename it"
        )
    copies[title] += 1
    number = copies[title]
    return (title, title) if number == 1 else (f"{title} {number}", f"{title}-{number}")


def _named(name: str, id_: str) -> tuple[str, ...]:
    """The flags that give a bot its id and its avatar."""
    return ("--id", id_, "--avatar", name.replace("-", " ").title())


def guest_bots(commands: Sequence[str], house: Sequence[str] = ()) -> list[Program]:
    """Programs given as command lines such as ``java Poker {host} {port}``, or as files with bots.

    Args:
        commands: as they were typed.
        house: the names of the house bots that play with them: no file gets the id of one.

    Raises:
        OptionError: a line has no ``{port}``, or quotes that do not close, or a file holds no bot.
    """
    copies: Counter[str] = Counter()
    titles = Counter(title_of(bot) for bot in house)
    programs = []
    for command in commands:
        try:
            typed = tuple(shlex.split(command))
        except ValueError as error:
            raise OptionError(f"cannot read the command {command!r}: {error}") from None
        words = run_bot_file(typed)
        if words is not typed:
            words += _named(*_numbered(typed[0], titles))
        if not any("{port}" in word for word in words):
            raise OptionError(f"the command {command!r} has no {{port}}; write it like 'java Poker {{host}} {{port}}'")
        copies[command] += 1
        programs.append(Program(command if copies[command] == 1 else f"{command} ({copies[command]})", words))
    return programs


def acpc_programs(commands: Sequence[str], terms: AcpcTerms) -> list[Program]:
    """Programs of the ACPC, each with its name.

    Raises:
        OptionError: a command line cannot be used, or there are not as many names as programs.
    """
    if terms.names and len(terms.names) != len(commands):
        given = counted(len(terms.names), "name")
        raise OptionError(f"--acpc-names has {given} for {len(commands)} --acpc-cmd; give one for each")
    names = terms.names or [f"acpc-{number}" for number in range(1, len(commands) + 1)]
    return [
        # A program may play in both protocols, and each is known by its name.
        replace(program, name=f"{program.name} (ACPC)", acpc=replace(terms, names=(name,)))
        for program, name in zip(guest_bots(commands), names, strict=True)
    ]


def in_sandboxes(programs: Sequence[Program], journal: Path | None, pythons: Sequence[Path]) -> list[Program]:
    """The same programs, each in a sandbox that hides the journal and the other programs.

    Args:
        programs: to be started, each with its command.
        journal: to be hidden; None if there is none.
        pythons: installations of Python that programs may use beside the one that runs the dealer.

    Raises:
        OptionError: there can be no sandbox here, or a program cannot run without seeing what is hidden from it.
    """
    check_sandbox()
    folders = folders_of_each([program.command for program in programs], journal, pythons)
    return [replace(program, sandbox=Sandbox(seen)) for program, seen in zip(programs, folders, strict=True)]


@dataclass(slots=True)
class RunningProgram:
    """A started program.

    Attributes:
        program: what was started.
        process: its process, which leads a session of its own.
        stderr: a temporary file with its standard error.
        reported: whether its failure has been told.
    """

    program: Program
    process: trio.Process
    stderr: IO[bytes]
    reported: bool = False

    def failure(self, what: str) -> Failure:
        """The failure of this program, with the end of its standard error."""
        self.reported = True
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").splitlines()
        return Failure(self.program.name, what, tuple(lines[-ERROR_LINES:]))

    async def stop(self) -> None:
        """Kill the program, and every process it has started, if it still runs; wait until it is gone."""
        await end_process(self.process)
        self.stderr.close()


async def start_program(program: Program, host: str, port: int) -> RunningProgram:
    """Start a program that is to connect to a port. The caller must ``stop`` it.

    Raises:
        OSError: it cannot be started.
    """
    # A file and not a pipe: a pipe that nobody reads would fill up and stop the program.
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by RunningProgram.stop
    try:
        process = await open_process(program.command, host, port, program.sandbox, subprocess.DEVNULL, stderr)
    except BaseException:
        stderr.close()
        raise
    return RunningProgram(program, process, stderr)


async def open_process(
    command: Sequence[str], host: str, port: int, sandbox: Sandbox | None, stdout: int, stderr: IO[bytes] | int
) -> trio.Process:
    """Start a command, with ``{host}`` and ``{port}`` in it filled in, as the leader of a session of its own.

    Args:
        command: the program and its arguments.
        host: a local address, where it finds the port.
        port: where it connects.
        sandbox: in which it runs; None if it may do what the user may.
        stdout: where its standard output goes, as ``subprocess`` takes it.
        stderr: the same of its standard error.

    Raises:
        OSError, ValueError: it cannot be started.
    """
    words = [word.replace("{host}", host).replace("{port}", str(port)) for word in command]
    return await trio.lowlevel.open_process(
        words if sandbox is None else sandbox.wrap(words, host, port),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        start_new_session=os.name == "posix",  # so that Ctrl-C at the terminal interrupts only the dealer
    )


async def end_process(process: trio.Process) -> None:
    """Kill a process of ``open_process``, and all that it has started, if it still runs; wait until it is gone."""
    if process.poll() is None:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)  # the group of its session
        else:
            process.kill()
    await process.wait()
