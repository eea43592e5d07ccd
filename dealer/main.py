"""The ``casino`` command.

Exit codes: 0 done; 1 it could not be done; 2 a flag, argument or file cannot be used; 130 stopped at once by Ctrl-C.
"""

import sys
from importlib.metadata import entry_points, version
from io import TextIOWrapper

from cyclopts import App, CycloptsError

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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name that the terminal cannot show must not end a tournament
    try:
        build_app()(exit_on_error=False)
    except CycloptsError:
        sys.exit(BAD_USAGE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has closed it, as `head` does: no error
        sys.stderr.close()
    except BaseExceptionGroup as group:
        _end_if_nobody_reads(group)


def _end_if_nobody_reads(group: BaseExceptionGroup[BaseException]) -> None:
    """End quietly if a group holds only broken pipes; raise it again if it holds anything else.

    From inside a nursery a broken pipe arrives in a group, and rich turns it into ``SystemExit``.
    """
    if group.split((BrokenPipeError, SystemExit))[1] is not None:
        raise group
    sys.stderr.close()
    sys.exit(FAILED)


if __name__ == "__main__":
    main()
