"""Errors that end a command with a message, and the exit codes of ``casino``.

Every error that a person at a terminal reads derives from ``CasinoError``. Its text is written for that person, and its
``exit_code`` is the exit code of the command, in brackets here:

* CasinoError (1)
  x UsageError (2)
    + OptionError (2)
    + NoStartError (2)
    + BadOrderError (2)
  x PortError (1)
  x NobodyPlayedError (1)
  x ProgramError (1)
  x WorkersError (1)
  x DeskUnreachableError (1)
  x StreamError (1)
  x ReportError (1)
  x JournalError (1)
    + UnreadableError (2)
    + TornError (1)
    + LostRecordsError (1)
    + RebuildError (1)
    + NotStartedError (1)

Commands of ``bots`` end with errors of theirs that derive from ``UsageError`` or ``CasinoError``.

What a player or a browser hears instead, over its own connection, is not in this tree: ``SeatLost``, ``LoginRefused``,
``OrderRefused`` and ``RequestRefused`` never end a command.
"""

from pathlib import Path
from typing import ClassVar

#: Exit code: the command could not do its work.
FAILED = 1

#: Exit code: a flag, an argument or a file given to the command cannot be used.
BAD_USAGE = 2

#: Exit code: stopped at once by Ctrl-C, as shells count it (128 and the number of the signal).
INTERRUPTED = 130


class CasinoError(Exception):
    """An error whose text is shown to the user; the command ends with ``exit_code``."""

    exit_code: ClassVar[int] = FAILED


class UsageError(CasinoError):
    """The user's mistake (exit code 2): the command cannot be run as it was typed."""

    exit_code = BAD_USAGE


class OptionError(UsageError):
    """The user's mistake (exit code 2): a flag, an argument or a file cannot be used; the text says why."""


class NoStartError(UsageError):
    """The host's mistake (exit code 2): nothing is left that could start the tournament."""


class BadOrderError(UsageError):
    """The host's mistake (exit code 2): an order at the desk is unknown or incomplete (over HTTP: status 400)."""


class PortError(CasinoError):
    """The system's refusal (exit code 1): a port is taken, forbidden, or not of this machine."""


class NobodyPlayedError(CasinoError):
    """The host's decision (exit code 1): the tournament was stopped before it started."""


class ProgramError(CasinoError):
    """The program's failure (exit code 1): it cannot be started, does not log in, or cannot play the game."""


class WorkersError(CasinoError):
    """The machine's failure (exit code 1): nobody computes, by no fault of the work; the text says what to do."""


class DeskUnreachableError(CasinoError):
    """The network's failure (exit code 1): no dealer answered, or one without a desk."""


class StreamError(CasinoError):
    """The network's failure (exit code 1): no dealer tells its stream there, or it refuses the page's token."""


class ReportError(CasinoError):
    """The system's refusal (exit code 1): a report cannot be written; says why and what to do."""


class JournalError(CasinoError):
    """The file's fault (exit code 1): a journal cannot be written or read; names the file and what to do."""


class UnreadableError(JournalError):
    """The user's mistake (exit code 2): there is no such file, or it may not be read."""

    exit_code = BAD_USAGE


class TornError(JournalError):
    """The crash's trace (exit code 1): the end of a journal is not whole, and everything before it is.

    Attributes:
        whole: bytes before the end that is not whole.
        torn: bytes from there up to the last one that is not zero.
    """

    def __init__(self, path: Path, whole: int, torn: int) -> None:
        super().__init__(f"{path}: its end is torn ({torn} bytes behind the last whole record)")
        self.whole = whole
        self.torn = torn


class LostRecordsError(JournalError):
    """The disk's failure (exit code 1): the dealer was stopped while the disk refused the last records.

    No player was told the result of a lost record, because results are saved first.
    """


class RebuildError(JournalError):
    """The writer's fault (exit code 1): a complete record breaks the rules; names the record and what was expected."""


class NotStartedError(JournalError):
    """Nobody's mistake (exit code 1): the journal has no record, because its tournament never started."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: no tournament was started in this journal")
