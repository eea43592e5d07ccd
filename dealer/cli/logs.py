"""The log lines of the commands that host.

Apart from what every command prints, because structlog takes a third of the time in which a house bot starts.
"""

import logging
import sys

import structlog
from structlog.typing import Processor


class _CurrentStderr:
    """Standard error as it is at the moment of writing.

    A progress bar replaces ``sys.stderr`` while it draws and prints log lines above itself, so the stream must be
    looked up for each line.
    """

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logs(level: str) -> None:
    """Log to standard error, one line for each event, from ``level`` (debug, info, warning, error) upwards.

    A terminal gets colours, columns and local time; a file gets logfmt with UTC times, for other programs to read.
    A traceback never shows the values of variables: it takes seconds to print them, in which nobody could play, and
    they may be secrets.
    """
    terminal = sys.stderr.isatty()
    last: list[Processor] = [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    if not terminal:
        keys = ["timestamp", "level", "event"]
        last = [structlog.processors.format_exc_info, structlog.processors.LogfmtRenderer(key_order=keys)]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if terminal else "iso", utc=not terminal),
            *last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=_CurrentStderr()),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
