"""A worker process from its first moment on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

PARENT = """
import subprocess, sys
subprocess.run([sys.executable, "-m", "dealer.workers", "0", "0"])
"""

STOPS_WHEN_IMPORTED = """
import os, signal
os.write(1, b"stops")
os.kill(os.getpid(), signal.SIGSTOP)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_worker_that_is_stopped_while_it_starts_ends_with_the_dealer(tmp_path: Path) -> None:
    (tmp_path / "structlog.py").write_text(STOPS_WHEN_IMPORTED)
    path = os.pathsep.join([str(tmp_path), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE
    ) as dealer:
        assert dealer.stdout is not None
        assert dealer.stdout.read(len("stops")) == b"stops"
        dealer.kill()
        rest, _ = dealer.communicate(timeout=PATIENCE)  # until nobody can write any more
    assert rest == b""
