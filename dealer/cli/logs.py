"""Logs for whoever runs the dealer: one line an event, on standard error."""

import logging
import sys

import structlog


class _StandardError:
    """Whatever ``sys.stderr`` is now: a progress bar replaces it while it draws, and puts logs above itself."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def configure_logs(level: str) -> None:
    """Log from ``level`` (debug, info, warning, error) upwards; colours and columns only on a terminal."""
    terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if terminal else "iso", utc=not terminal),
            structlog.dev.ConsoleRenderer()
            if terminal
            else structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=_StandardError()),  # type: ignore[arg-type]
        cache_logger_on_first_use=True,
    )
