"""The ``casino`` command.

Exit codes: 0 done; 1 it could not be done; 2 a flag, argument or file cannot be used; 3 `casino collusion`
found evidence; 130 stopped at once by Ctrl-C.
"""

from dealer.cli.interrupts import end_when_interrupted


def main() -> None:
    """Run the command line given to this process."""
    end_when_interrupted()
    # What follows imports for tenths of a second, in which Ctrl-C must not print where it came.
    from dealer.cli.casino_app import run_command_line  # noqa: PLC0415

    run_command_line()


if __name__ == "__main__":
    main()
