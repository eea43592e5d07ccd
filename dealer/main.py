"""The ``casino`` command.

Exit codes: 0 done; 1 it could not be done; 2 a flag, argument or file cannot be used; 130 stopped at once by Ctrl-C.
"""

import sys
from contextlib import suppress
from importlib.metadata import entry_points, version

from cyclopts import App, CycloptsError

from dealer.cli.streams import open_standard_streams, standard_streams
from dealer.errors import BAD_USAGE, FAILED, INTERRUPTED

#: The group of entry points with which other packages add commands; the dealer imports none of those packages.
COMMANDS = "casino.commands"


def build_app() -> App:
    """Make the command line. A command is imported when it runs, because every house bot starts this program."""
    app = App(
        name="casino",
        help="Casino Day: a dealer for card-playing programs.",
        version=lambda: version("casino-day"),
        backend="trio",
    )
    for name in ("league", "serve", "desk", "check", "practice", "resume", "verify", "replay", "report"):
        app.command(f"dealer.commands:{name}", name=name)
    app.command("dealer.commands:bench_app", name="bench")
    for point in sorted(entry_points(group=COMMANDS)):
        app.command(point.value, name=point.name)
    return app


def main() -> None:
    """Run the command line given to this process."""
    open_standard_streams()
    code = _run()
    for stream in standard_streams():
        stream.lasting = True  # what is left in the buffers must not fail while the interpreter ends
    sys.exit(code)


def _run() -> int:
    """Run a command; return its exit code."""
    try:
        code = build_app()(exit_on_error=False, result_action="return_value")
        sys.stdout.flush()
    except CycloptsError:
        return BAD_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if not _is_of_output(error):
            raise
        return _end_without_output(error)
    except BaseExceptionGroup as group:
        # From inside a nursery an error arrives in a group, and rich turns a broken pipe into ``SystemExit``.
        if group.split(KeyboardInterrupt)[1] is None:
            return INTERRUPTED
        refused, rest = group.split(lambda error: isinstance(error, SystemExit) or _is_of_output(error))
        if rest is not None:
            raise
        _end_without_output(refused)
        return FAILED
    return code if isinstance(code, int) else 0


def _is_of_output(error: BaseException) -> bool:
    """Whether an error says that standard output or standard error cannot be written."""
    return isinstance(error, BrokenPipeError) or any(error is stream.error for stream in standard_streams())


def _end_without_output(error: BaseException | None) -> int:
    """Say that the output cannot be written, and return the exit code. A reader that has seen enough is no error."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        with suppress(OSError):
            print(f"casino: cannot write the output: {error.strerror}", file=sys.stderr, flush=True)
        return FAILED
    return 0


if __name__ == "__main__":
    main()
