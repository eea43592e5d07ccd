"""``casino check``: test a program against the rules, and show its points."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from rich.console import Console
from rich.status import Status

from dealer.checker.cases.deals import Part
from dealer.checker.cases.game_cases import GameCases, find_cases, missing_cases
from dealer.checker.check_flags import CheckFlags
from dealer.checker.output.check_report import Results, as_json, check_junit, show, write_junit
from dealer.checker.output.transcript import create_transcript, write_transcript
from dealer.checker.scoring.verdict import judge
from dealer.checker.session.examiner import Examiner
from dealer.checker.session.program_run import Launch, run_program
from dealer.cli.game_flags import game_with
from dealer.cli.logs import configure_logs
from dealer.cli.options import lan_addresses
from dealer.cli.output import complain
from dealer.errors import FAILED, CasinoError, OptionError
from dealer.hosting.interrupts import until_interrupted
from dealer.lobby.listener import PlayerListener, open_listener
from dealer.net.ports import FRAMES, LINES
from dealer.programs import HOST, STARTUP_SECONDS, Program, in_sandboxes, program_of

NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})

#: The address for a program that is started elsewhere: all of this machine's.
EVERYWHERE = "0.0.0.0"

#: What is said of a program with which only a part of the check was made.
EARLY = "the first replies were all wrong in the same way, so the check ended early; mend this first: {}"


async def check_program(
    game: str, command: Sequence[str], flags: CheckFlags, options: Mapping[str, Any] = NO_OPTIONS
) -> int:
    """Check a program as the flags say, and show the results.

    Args:
        game: its name.
        command: that starts the program; empty with ``flags.listen``.
        flags: of the command line.
        options: of the game, by name, as far as they were given.

    Returns:
        The exit code.
    """
    configure_logs("error")  # the time of a stall is given back, so nobody needs to be told of it
    return await until_interrupted(_check(game, command, flags, options))


async def _check(game: str, command: Sequence[str], flags: CheckFlags, options: Mapping[str, Any]) -> int:
    try:
        if flags.junit is not None:
            check_junit(flags.junit)
        results = await examine_program(game, command, flags, options)
        if flags.junit is not None:
            write_junit(results, flags.junit)
    except CasinoError as error:
        return complain(error)
    if flags.json:
        print(as_json(results))
    else:
        show(results)
    return 0 if results.passed else FAILED


async def examine_program(
    game: str, command: Sequence[str], flags: CheckFlags, options: Mapping[str, Any] = NO_OPTIONS
) -> Results:
    """Judge the program that ``command`` starts, or that connects to the port ``flags.listen``.

    Raises:
        OptionError: flags contradict each other, the command cannot be used, the game is not known, an option of it
            cannot be used, or a file cannot be written.
        PortError: the port cannot be opened.
    """
    program = program_of(command, flags.listen, sandbox=flags.sandbox)
    cases = find_cases(game)
    parts = parts_for(cases, game, options, flags)
    if flags.save is not None:
        create_transcript(flags.save)
    where = EVERYWHERE if flags.listen is not None else HOST
    if flags.sandbox:
        (program,) = in_sandboxes([program], None, flags.sandbox_python)
    kind = LINES if flags.lines else FRAMES
    listener = await open_listener(where, flags.listen or 0, flags.limit, kind, flag="--listen")
    console = Console(stderr=True)
    if missing := missing_cases(game):
        console.print(missing, highlight=False, markup=False, soft_wrap=True)
    status = console.status("starting the program")
    launch = _launch(listener, program, flags, console, status)
    examiner = Examiner(partial(run_program, launch), cases, flags.limit, partial(_progress, status))
    try:
        with status:
            await examiner.examine(parts)
    finally:
        for sock in listener.sockets:
            sock.socket.close()
        if flags.save is not None:
            write_transcript(flags.save, examiner.tapes, flags.lines)
    what = " ".join(command) if command else f"the program that connected to port {listener.port}"
    findings = examiner.findings
    remark = EARLY.format(findings.always_wrong) if findings.always_wrong else ""
    return Results(game, what, flags.seed, flags.needed, findings, judge(findings, cases.rubric), remark)


def parts_for(cases: GameCases, game: str, options: Mapping[str, Any], flags: CheckFlags) -> list[Part]:
    """What is played with the program.

    Raises:
        OptionError: an option is another game's, has a value that does not fit, or does not go with the check.
    """
    if not options:
        return cases.parts(flags.seed, flags.hands)
    agreed = game_with(game, options)
    if cases.parts_of is None:
        first = next(iter(options)).replace("_", "-")
        raise OptionError(f"{game} is checked with its usual options, which its situations need; leave out --{first}")
    return cases.parts_of(agreed, flags.seed, flags.hands)


def _launch(listener: PlayerListener, program: Program, flags: CheckFlags, console: Console, status: Status) -> Launch:
    """How the program is started, and how to tell the user that the check waits for it."""
    if flags.listen is None:
        return Launch(listener, program, flags.patience or STARTUP_SECONDS, status.update)

    def say(text: str) -> None:
        addresses = " or ".join(lan_addresses())
        console.print(f"{text} to {addresses} port {listener.port}", highlight=False, markup=False, soft_wrap=True)

    return Launch(listener, program, flags.patience or math.inf, say)


def _progress(status: Status, part: str, number: int, hands: int) -> None:
    # hands beyond the planned ones replace those in which the program folded too early
    status.update(f"{part}: hand {number} of {max(number, hands)}" if number else part)
