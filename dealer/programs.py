"""Programs that the dealer starts: from the words of a command to how each ended, and why.

A ``Program`` is what was typed, and a ``RunningProgram`` its process. A ``Participant`` is a program that logs in at a
port of its own, so that it is known which program is which without trusting an id. League, practice, regress and bulk
tournaments have participants; a check talks to the program itself.
"""

import hmac
import os
import shlex
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import trio

from dealer.cli.house_bots import bot_command, run_bot_file
from dealer.cli.output import harmless
from dealer.errors import OptionError, ProgramError
from dealer.faults import Fault, FaultKind
from dealer.lobby.failed_logins import FailedLogin
from dealer.lobby.listener import PlayerListener, accept_players, open_listener
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.net.ports import ACPC, FRAMES
from dealer.net.stalls import Stalls
from dealer.net.watchdog import Watchdog
from dealer.sandbox.folders import folders_of_each
from dealer.sandbox.sandbox import Sandbox, check_sandbox
from dealer.settings import AcpcTerms
from protocol.installed_bots import title_of
from protocol.plurals import counted
from protocol.wire.messages import ID_PATTERN

#: Where programs connect that are started here: nobody else can reach it.
HOST = "127.0.0.1"

#: Lines of a program's last words that are shown.
SAID_LINES = 8

#: Bytes of its output that are kept; a program may print without end.
SAID_BYTES = 100_000

#: Seconds between two reads of what a program writes during play: one that writes without end waits, not the dealer.
READ_PAUSE = 0.01

#: Seconds a program may take to log in; a Java machine under load needs several.
STARTUP_SECONDS = 30.0

#: Seconds a house bot may take: on a slow laptop some compile or load for longer than ``STARTUP_SECONDS``.
HOUSE_STARTUP_SECONDS = 180.0

#: Seconds for which a program whose login failed may try again.
RETRY_SECONDS = 3.0

#: Seconds for a program that has closed its connection to end, so that its exit code and last words can be told.
CRASH_SECONDS = 1.0

#: Seconds a program may take to exit after its ``done:``. On a busy laptop a room full of them takes more than three.
EXIT_SECONDS = 10.0


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


def program_of(
    command: Sequence[str], port: int | None, house: Sequence[str] = (), *, sandbox: bool = False
) -> Program:
    """The one program that a command such as ``casino check`` is about.

    Args:
        command: that starts it; empty if the user does.
        port: of ``--listen``, where the user's program connects; None without that flag.
        house: see ``guest_bots``.
        sandbox: whether it is to run in a sandbox.

    Raises:
        OptionError: there is no command, or one that cannot be used; or it contradicts a flag.
    """
    if port is None:
        if not command:
            raise OptionError(
                "give the program's command behind --, like: -- java Poker {host} {port}; or --listen PORT"
            )
        (program,) = guest_bots([shlex.join(command)], house)
        return program
    if command:
        raise OptionError("--listen waits for a program that you start yourself; leave out the command, or --listen")
    if sandbox:
        raise OptionError("--sandbox is for a program that is started here; leave out --listen, or --sandbox")
    return Program("your program", (), port)


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


class _Output:
    """The end of what a program writes to one of its streams, read as it comes; nothing of a stream that is not kept.

    Read from a pipe, not from a file: a program may write without end, which would fill the disk.
    """

    def __init__(self, stream: trio.abc.ReceiveStream | None, pause: float) -> None:
        self._stream = stream
        self._pause = pause
        self._data = b""
        #: Bytes written so far.
        self.size = 0
        #: Set when no process can write any more.
        self.over = trio.Event()

    async def collect(self) -> None:
        """Read until no process can write any more, and keep the end."""
        if self._stream is not None:
            async with self._stream:
                async for data in self._stream:
                    self._data = (self._data + data)[-SAID_BYTES:]
                    self.size += len(data)
                    await trio.sleep(self._pause)
        self.over.set()

    @property
    def text(self) -> str:
        """What was kept."""
        return self._data.decode(errors="replace")

    @property
    def lines(self) -> list[str]:
        """The lines of ``text`` that are not blank, as a terminal can show them."""
        return [harmless(line) for line in self.text.splitlines() if line.strip()]

    def since(self, size: int) -> str:
        """What was kept of the bytes after the first ``size``."""
        new = self.size - size
        return self._data[-new:].decode(errors="replace") if new else ""


class RunningProgram:
    """A program that ``start_program`` has started. The caller must ``stop`` it.

    Args:
        process: the leader of a session of its own; None if the user has started the program, so that nothing is known
            of it but its connection.
        pause: seconds between two reads of its output.

    Attributes:
        here: whether it was started here.
    """

    def __init__(self, process: trio.Process | None = None, pause: float = 0.0) -> None:
        self.here = process is not None
        self._process = process
        self._out, self._err = _Output(process and process.stdout, pause), _Output(process and process.stderr, pause)

    async def collect(self) -> None:
        """Read its output until no process can write any more."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._out.collect)
            nursery.start_soon(self._err.collect)

    @property
    def code(self) -> int | None:
        """Its exit code; None while it runs, or where it is not known."""
        return self._process and self._process.poll()

    async def wait(self) -> None:
        """Wait for its end and the end of its output, to which processes it has started may still write."""
        if self._process is None:
            await trio.sleep_forever()
        else:
            await self._process.wait()
            await self._out.over.wait()
            await self._err.over.wait()

    async def ended(self, seconds: float, stalls: Stalls) -> bool:
        """Give it so many seconds to end by itself, stalls left out; whether it is known to have ended."""
        if self.here:
            async with stalls.move_on_after(seconds):
                await self.wait()
        return self.code is not None

    @property
    def printed(self) -> str:
        """The end of its standard output, if that is kept."""
        return self._out.text

    @property
    def complained(self) -> str:
        """The end of its standard error."""
        return self._err.text

    @property
    def mark(self) -> tuple[int, int]:
        """How many bytes it has written to its standard output and error so far; for ``since``."""
        return self._out.size, self._err.size

    def since(self, mark: tuple[int, int]) -> str:
        """What it has written after ``mark`` was taken."""
        return self._out.since(mark[0]) + self._err.since(mark[1])

    @property
    def last_lines(self) -> tuple[str, ...]:
        """The last lines of its standard error; of its standard output if its standard error is empty."""
        return tuple((self._err.lines or self._out.lines)[-SAID_LINES:])

    async def stop(self) -> None:
        """Kill it and the processes it has started, if it still runs; wait until it is gone, even when cancelled."""
        if self._process is None:
            return
        if self.code is None:
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)  # the group of its session
            else:
                self._process.kill()
        with trio.CancelScope(shield=True):
            await self._process.wait()


async def start_program(program: Program, port: int, nursery: trio.Nursery, *, listens: bool = False) -> RunningProgram:
    """Start a program, with ``{host}`` and ``{port}`` in its command filled in. The caller must ``stop`` it.

    Args:
        program: what is started, unless its command is empty.
        port: of this machine, where it connects.
        nursery: in which its output is read.
        listens: whether its standard output is kept too, and all is read as soon as it comes. A dealer that plays has
            no time for that: many programs print every message.

    Raises:
        ProgramError: it cannot be started; the text is the system's reason.
    """
    if not program.command:
        return RunningProgram()
    words = [word.replace("{host}", HOST).replace("{port}", str(port)) for word in program.command]
    try:
        process = await trio.lowlevel.open_process(
            words if program.sandbox is None else program.sandbox.wrap(words, HOST, port),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if listens else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=os.name == "posix",  # so that Ctrl-C at the terminal interrupts only the dealer
        )
    except (OSError, ValueError) as error:
        raise ProgramError(getattr(error, "strerror", None) or str(error)) from None
    running = RunningProgram(process, 0.0 if listens else READ_PAUSE)
    nursery.start_soon(running.collect)
    return running


class Participant:
    """A program that logs in at a port of its own, from there to its end. The caller must ``stop`` it.

    Args:
        program: to start; one without a command is started by the user.
        lobby: which it enters, with others or alone.
        limit: seconds within which each reply is due; programs of the ACPC have their own.
        patience: seconds it may take to log in; a house bot may take longer.

    Attributes:
        running: the program, once it is started.
        failure: what it did that it should not; None as long as there is nothing.
        lobby: which it enters.
    """

    def __init__(self, program: Program, lobby: Lobby, limit: float, patience: float = STARTUP_SECONDS) -> None:
        self.program = program
        self.patience = max(patience, HOUSE_STARTUP_SECONDS) if program.house else patience
        self.running = RunningProgram()
        self.failure: Failure | None = None
        self.lobby = lobby
        self._limit = limit
        self._accepts = trio.CancelScope()

    async def start(self, nursery: trio.Nursery, watchdog: Watchdog, say: Callable[[str], None]) -> None:
        """Open the port, then start the program; the port must be open before the program looks for it.

        Args:
            nursery: in which connections are accepted, and the program's output is read.
            watchdog: owns the socket of the player.
            say: tells the user which program to start.

        Raises:
            PortError: the port cannot be opened.
        """
        program, acpc = self.program, self.program.acpc
        kind, limit = (FRAMES, self._limit) if acpc is None else (ACPC, acpc.limit)
        listener = await open_listener(HOST, program.port, limit, kind, acpc=acpc, program=program.name)
        nursery.start_soon(self._accept, listener, watchdog)
        if not program.command:
            say(f"start your program now, with {HOST} and port {listener.port}")
        try:
            self.running = await start_program(program, listener.port, nursery)
        except ProgramError as error:
            self.fail(f"could not be started: {error}")

    async def _accept(self, listener: PlayerListener, watchdog: Watchdog) -> None:
        with self._accepts:
            await accept_players(listener, self.lobby, watchdog)

    @property
    def player(self) -> Player | None:
        """Its player; None if it is not logged in."""
        return next((player for player in self.lobby.players if player.program == self.program.name), None)

    async def arrive(self, stalls: Stalls) -> None:
        """Wait until it is logged in, dead, or too slow."""
        if self.failure is not None:
            return
        async with stalls.move_on_after(self.patience), trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, nursery.cancel_scope)
            await self._log_in()
            nursery.cancel_scope.cancel()

    async def _watch(self, waiting: trio.CancelScope) -> None:
        await self.running.wait()
        waiting.cancel()

    async def _log_in(self) -> None:
        """Wait for the login; also return when it has failed and the program does not try again at once."""
        while self.player is None:
            failed = self._failed_login
            with trio.move_on_after(inf if failed is None else RETRY_SECONDS):
                while self._failed_login is failed and self.player is None:
                    await self.lobby.changed()
                continue
            return

    @property
    def _failed_login(self) -> FailedLogin | None:
        """Its last failed login; None before there is one."""
        return self.lobby.failed_logins.by_program.get(self.program.name)

    def fail(self, what: str) -> Failure:
        """Note what it did, as the rest of a sentence, with its last words."""
        self.failure = Failure(self.program.name, what, self.running.last_lines)
        return self.failure

    def note_missing(self) -> None:
        """Note why it is not there, if it is not logged in."""
        if self.player is not None or self.failure is not None:
            return
        failed, code = self._failed_login, self.running.code
        if failed is not None and (code is None or failed.kind != FaultKind.GONE):
            self.fail(f"got no seat: {failed.reason}")
        elif code is not None:
            self.fail(f"ended with exit code {code} before it logged in")
        else:
            self.fail(f"did not log in within {self.patience:g} s")

    async def explain(self, fault: Fault, stalls: Stalls) -> Failure:
        """A fault that ended its connection, and how the program ended if it did."""
        if fault.kind is FaultKind.GONE and await self.running.ended(CRASH_SECONDS, stalls):
            return self.fail(f"{fault.reason} and ended with exit code {self.running.code}")
        return Failure(self.program.name, fault.reason, ())

    async def stop(self) -> None:
        """Close the port, and kill the program if it still runs, even when cancelled."""
        self._accepts.cancel()
        await self.running.stop()


async def gather(participants: Sequence[Participant], stalls: Stalls) -> None:
    """Wait until every program is logged in, dead, or too slow, and note why those are missing that are."""
    async with trio.open_nursery() as nursery:
        for one in participants:
            nursery.start_soon(one.arrive, stalls)
    for one in participants:  # only now: one that was too slow may have come while others were waited for
        one.note_missing()


async def all_ended(participants: Sequence[Participant], stalls: Stalls) -> None:
    """Give the programs that have not failed a moment to exit, after they were told that it is over."""
    async with stalls.move_on_after(EXIT_SECONDS):
        for one in participants:
            if one.running.here and one.failure is None:
                await one.running.wait()
