"""Ctrl-C while ``casino`` starts: no traceback, whatever module is being imported."""

import subprocess
import sys

import pytest

from tests.end_to_end.casino import ENVIRONMENT
from tests.patience import PATIENCE

#: Runs ``casino`` as the installed script does, and interrupts it where it looks for a module.
SCRIPT = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == MODULE:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from dealer.main import main
main()
"""


@pytest.mark.parametrize(
    "module", ["dealer.cli.casino_app", "cyclopts", "dealer.cli.streams", "dealer.commands", "trio"]
)
def test_interrupt_while_a_module_is_imported(module: str) -> None:
    words = ("verify", "no.journal")
    command = [sys.executable, "-c", SCRIPT.replace("MODULE", repr(module)), *words]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
