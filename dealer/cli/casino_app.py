"""The command line of ``casino``: its commands, what is told of mistakes in it, and the exit code."""

import ast
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Literal

from cyclopts import App, CycloptsError, Group, Parameter, UnknownCommandError, UnusedCliTokensError

from dealer.cli.help import FIRST, HelpfulApp, place
from dealer.cli.interrupts import end_when_interrupted, raise_when_interrupted
from dealer.cli.streams import open_standard_streams, standard_streams
from dealer.errors import BAD_USAGE, FAILED, INTERRUPTED, OptionError
from protocol.installed import entry_points, installed_names
from protocol.installed_bots import bot_names
from protocol.suggestions import nearest

#: The group of entry points with which other packages add commands; the dealer imports none of those packages.
COMMANDS = "casino.commands"

#: Commands that a game is suggested to, which stands in place of one. Not all take every game.
OF_A_GAME = ("league", "serve", "simulate", "round-robin")

#: Commands whose exit code says what was found. They find it out although the reader of their output has ended.
OF_A_FINDING = ("check", "collusion", "import", "practice", "regress", "verify")

#: Shells whose completion can be installed.
Shell = Literal["bash", "zsh", "fish", "powershell"]

#: The flags of every command that say which file of flags is read: this one, or no file.
FILE, NO_FILE = "--config", "--no-config"

#: A command that takes no flags from a file, because leagues start it.
STARTED_BY_OTHERS = "bot"


def build_app(*, summaries: bool = False) -> App:
    """Make the command line. A command is imported when it runs, because every house bot starts this program.

    Args:
        summaries: whether the list of commands says what each does. It is read from their files, which is quicker than
            to import them.
    """
    app = HelpfulApp(
        name="casino",
        help="Casino Day: a dealer for card-playing programs.",
        version=lambda: version("casino-day"),
        # The summaries are plain text: to import what renders Markdown takes a tenth of the time of the list.
        help_format="plaintext" if summaries else "markdown",
        backend="trio",
        group_commands=Group("Options", sort_key=100),
        group_arguments=FIRST,
        group_parameters=FIRST,
        # Flags that may be given several times have none that empties them, and an empty default says nothing.
        default_parameter=Parameter(negative_iterable=(), show_default=_shown_default),
    )

    def add(path: str, name: str, function: str) -> None:
        summary = _summaries(path.partition(":")[0]).get(function) if summaries else None
        group, sort_key = place(name)
        app.command(path, name=name, help=summary, group=group, sort_key=sort_key)

    for name in (
        "league",
        "serve",
        "desk",
        "page",
        "check",
        "practice",
        "resume",
        "verify",
        "replay",
        "report",
    ):
        add(f"dealer.commands:{name}", name, name)
    add("dealer.commands:import_hands", "import", "import_hands")  # `import` is a word of Python
    add("dealer.bench.commands:bench", "bench", "bench")
    for point in sorted(entry_points(group=COMMANDS)):
        add(point.value, point.name, point.attr)
    app.command(completion_command(app), name="--install-completion", help="Let the shell complete what you type.")
    return app


def completion_command(app: App) -> Callable[..., int]:
    """Make the command that installs the completion of ``app``."""

    def install_completion(shell: Shell | None = None, *, output: Path | None = None) -> int:
        """Let the shell complete commands, flags, games and house bots when you press Tab.

        Parameters
        ----------
        shell
            The shell; by default the one you type in.
        output
            Write the script to this file only. Without it, the script is put where the shell looks for it, and the
            start file of bash, zsh or PowerShell gets a line that loads it.

        Examples
        --------
        casino --install-completion
        casino --install-completion fish
        """
        # What the list of commands does not wait for.
        from cyclopts.completion.detect import ShellDetectionError, detect_shell  # noqa: PLC0415

        from dealer.cli.output import complain  # noqa: PLC0415

        try:
            shell = shell or detect_shell()
            path = app.install_completion(shell=shell, output=output, add_to_startup=output is None)
        except ShellDetectionError:
            return complain(OptionError("name your shell: casino --install-completion bash (or zsh, fish, powershell)"))
        except OSError as error:
            return complain(OptionError(f"cannot write {error.filename}: {error.strerror}"))
        print(f"The completion for {shell} is in {path}. Open a new shell to use it.")
        return 0

    return install_completion


def read_file(app: App, named: Sequence[Path | None] = ()) -> None:
    """Let a command line take flags from a file: from the one that its flags named, or else from the user's own."""
    from dealer.cli.config_file import ConfigFile  # noqa: PLC0415 - the list of commands needs no file

    app.config = (ConfigFile([name for name in app if not name.startswith("-") and name != STARTED_BY_OTHERS], named),)


def _shown_default(value: object) -> str | None:
    """What the help of a flag says of its default; None where that tells nothing: no value, or a switch that is off."""
    return None if value is None or value is False or value == () else str(value)


@cache
def _summaries(module: str) -> Mapping[str, str]:
    """The first sentences of the docstrings of a module's functions, by name, without importing it; none if not found.

    Kept, because many commands are in one module.
    """
    found = find_spec(module)
    if found is None or found.origin is None:
        return {}
    return {
        node.name: (ast.get_docstring(node) or "").partition("\n\n")[0]
        for node in ast.parse(Path(found.origin).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _command_hint(word: str, app: App) -> str | None:
    """What to type instead of a word that is no command; None if nothing is like it."""
    from protocol.games.registry import ENTRY_POINTS as GAMES  # noqa: PLC0415 - only a mistake needs the games

    if word in installed_names(GAMES):
        # the games that a command can be given are the choices of its first argument
        arguments = {name: next(iter(app[name].assemble_argument_collection())) for name in OF_A_GAME if name in app}
        commands = [name for name, first in arguments.items() if word in (first.get_choices() or ())]
        ways = ", ".join(f"casino {command} {word}" for command in commands)
        return f"{word!r} is a game; name a command before it, such as {ways}"
    meant = nearest(word, [name for name in app if not name.startswith("-")])
    return meant and f"did you mean {meant!r}?"


def _seed_hint(words: Sequence[str]) -> str | None:
    """What to type instead of a seed of several words without quotes; None if the command line has none."""
    seed = list(takewhile(lambda word: not word.startswith("-"), words[words.index("--seed") + 1 :]))
    if len(seed) < 2 or {*seed[1:]} <= {*bot_names()}:
        return None
    return f"a seed of several words needs quotes: --seed {shlex.quote(' '.join(seed))}"


def run_command_line() -> None:
    """Run the command line given to this process."""
    open_standard_streams()
    for stream in standard_streams():
        stream.needs_reader = not {*sys.argv[1:2]} & {*OF_A_FINDING}
    code = _run()
    end_when_interrupted()
    for stream in standard_streams():
        stream.lasting = True  # what is left in the buffers must not fail while the interpreter ends
    sys.exit(code)


def _without_files(words: Sequence[str]) -> tuple[Sequence[str], Sequence[Path | None]]:
    """Take ``--config FILE`` and ``--no-config`` out of a command line, wherever they stand before ``--``.

    Returns:
        The other words; and the files that these flags name, each once: None for no file, an empty path for a flag
        without its file.
    """
    end = words.index("--") if "--" in words else len(words)
    others: list[str] = []
    files: dict[Path | None, None] = {}
    rest = iter(words[:end])
    for word in rest:
        flag, equals, value = word.partition("=")
        if word == NO_FILE:
            files[None] = None
        elif flag == FILE:
            files[Path(value if equals else next(rest, ""))] = None
        else:
            others.append(word)
    return [*others, *words[end:]], [*files]


def _run() -> int:
    """Run a command; return its exit code."""
    words, files = _without_files(sys.argv[1:])
    try:
        summaries = not words or words[0] in {"--help", "-h"}
        app = build_app(summaries=summaries)
        if files != [None] and not summaries:
            read_file(app, files)
        raise_when_interrupted()
        code = app(words, exit_on_error=False, result_action="return_value")
        sys.stdout.flush()
    except UnknownCommandError as error:
        code = BAD_USAGE
        if hint := _command_hint((error.unused_tokens or words)[0], app):
            print(f"casino: {hint}", file=sys.stderr)
    except UnusedCliTokensError as error:
        code = BAD_USAGE
        command = " ".join(("casino", *(error.command_chain or ())))
        unused = ", ".join(map(shlex.quote, error.unused_tokens or ()))
        print(f"casino: {command} has no use for {unused}; what it takes: {command} --help", file=sys.stderr)
    except CycloptsError:
        code = BAD_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, SystemExit) as error:
        if not _is_of_output(error):
            raise
        return _end_without_output(error)
    except BaseExceptionGroup as group:  # what comes from inside a nursery
        if group.split(KeyboardInterrupt)[1] is None:
            return INTERRUPTED
        if group.split(_is_of_output)[1] is not None:
            raise
        return _end_without_output(group)
    if code == BAD_USAGE and "--seed" in words and (hint := _seed_hint(words)):
        print(f"casino: {hint}", file=sys.stderr)
    return code if isinstance(code, int) else 0


def _is_of_output(error: BaseException) -> bool:
    """Whether an error says that standard output or standard error cannot be written."""
    # where the reader of a pipe has gone, rich raises SystemExit
    broken = isinstance(error.__context__ if isinstance(error, SystemExit) else error, BrokenPipeError)
    return broken or any(error is stream.error for stream in standard_streams())


def _end_without_output(error: BaseException) -> int:
    """Say that the output cannot be written, and return the exit code. A reader that has seen enough is no error."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        with suppress(OSError):
            print(f"casino: cannot write the output: {error.strerror}", file=sys.stderr, flush=True)
        return FAILED
    return 0
