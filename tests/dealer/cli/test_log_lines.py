"""What a log line shows of an exception: where it was raised, and no values of variables."""

import io
import sys
from collections.abc import Iterator

import pytest
import structlog

from dealer.cli.logs import configure_logs


class Terminal(io.StringIO):
    """Standard error of a host."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def usual_logs() -> Iterator[None]:
    """Leave the logs of other tests as they were."""
    kept = structlog.get_config()
    yield
    structlog.configure(**kept)


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_traceback_shows_where_and_no_values(stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    written = stream()
    monkeypatch.setattr(sys, "stderr", written)
    configure_logs("error")
    token = "of-the-desk"
    try:
        int(token.removesuffix("desk"))
    except ValueError:
        structlog.get_logger().exception("the page failed")
    assert "ValueError: invalid literal for int() with base 10: 'of-the-'" in written.getvalue()
    assert "test_log_lines.py" in written.getvalue()
    assert token not in written.getvalue()
    if stream is io.StringIO:
        assert written.getvalue().count("\n") == 1
