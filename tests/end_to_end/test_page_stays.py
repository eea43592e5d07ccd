"""At a terminal, the page stays up after the end of the tournament, to show the podium."""

import os
import pty
import signal
import subprocess
import sys

import pytest

from tests.end_to_end.browser import line_with
from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.patience import PATIENCE

if sys.platform == "win32":
    pytest.skip("no such terminals there", allow_module_level=True)

#: Ctrl-D, at the begin of a line.
END_OF_INPUT = b"\x04"

LEAGUE = ("league", "stud", "caller", "tight", "--hands", "3", "--limit", "60", "--page-port", "0")


@pytest.mark.parametrize("how", ["ctrl-c", "end of input"])
def test_the_page_stays_until_the_host_has_seen_enough(how: str) -> None:
    host, terminal = pty.openpty()
    with subprocess.Popen(
        casino(*LEAGUE), stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT
    ) as process:
        line_with(process, "The page stays up; Ctrl-C ends it.")
        os.write(host, b"\n")
        if how == "end of input":
            os.write(host, END_OF_INPUT)
        else:
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    os.close(host)
    os.close(terminal)


def test_scripts_are_not_kept_waiting() -> None:
    host, terminal = pty.openpty()
    command = casino(*LEAGUE, "--json")
    done = subprocess.run(
        command, stdin=terminal, capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE, check=False
    )
    os.close(host)
    os.close(terminal)
    assert done.returncode == 0
    assert "stays up" not in done.stderr
