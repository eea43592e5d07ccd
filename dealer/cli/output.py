"""The output of all commands: errors with their exit codes, and text of others made safe for terminals and sheets."""

import re
import sys
from collections.abc import Awaitable

from dealer.errors import FAILED, CasinoError

#: Matches where a spreadsheet may see a formula begin: at the start, and after what it may take for the end of a cell.
#: The last four characters are the full-width forms of = + - @, which spreadsheets accept too.
_FORMULA = re.compile(r"(^|[;,\t|])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")


async def report_errors(work: Awaitable[int]) -> int:
    """Await the work of a command and return its exit code.

    A ``CasinoError``, alone or in groups, is printed in a line on standard error instead of a traceback. Any other
    exception is a mistake of ours and passes through.
    """
    code = 0
    try:
        code = await work
    except* CasinoError as errors:  # errors of tasks arrive in groups, one inside another
        code = _complain_about_all(errors)
    return code


def _complain_about_all(errors: BaseExceptionGroup[CasinoError]) -> int:
    """Print every error of a group; return the exit code of the last."""
    code = 0
    for error in errors.exceptions:
        code = _complain_about_all(error) if isinstance(error, BaseExceptionGroup) else complain(error)
    return code


def complain(error: CasinoError) -> int:
    """Print an error in a line on standard error; return its exit code."""
    return complain_in_words(str(error), error.exit_code)


def complain_in_words(text: str, code: int = FAILED) -> int:
    """Print a complaint in a line on standard error, after everything already printed on standard output.

    Returns:
        The exit code.
    """
    sys.stdout.flush()
    print(f"casino: {text}", file=sys.stderr)
    return code


def harmless(text: str) -> str:
    """What a stranger wrote, without what would move a terminal's cursor or change its colours."""
    kept = "\t\N{ZERO WIDTH JOINER}"  # the joiner makes one emoji of several
    return "".join(char if char.isprintable() or char in kept else "\N{REPLACEMENT CHARACTER}" for char in text)


def safe_cell(text: str) -> str:
    """Return a text for a CSV cell that no spreadsheet runs as a formula.

    Names come from strangers. An apostrophe before what would begin a formula makes it text.
    """
    return _FORMULA.sub(r"\1\2'", text)
