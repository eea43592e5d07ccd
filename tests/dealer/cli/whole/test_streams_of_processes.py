"""Standard streams that last: closed, full, or read by nobody."""

import os
import subprocess
import sys

import pytest

from tests.patience import PATIENCE

#: Writes a line to standard error, and ends as a killed process does: without what is left in buffers.
WRITES = """
import os, sys
from dealer.cli.streams import open_standard_streams

open_standard_streams()
print("err", file=sys.stderr)
os._exit(0)
"""


@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_no_line_of_standard_error_waits_for_another(unbuffered: str) -> None:
    """An empty variable is as none."""
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(
        [sys.executable, "-c", WRITES], env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stderr == "err\n"
