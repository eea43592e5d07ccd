"""File descriptors: as many connections as the system allows, in processes whose limit is set before they start."""

import os
import subprocess
import sys

import pytest

from tests.patience import PATIENCE

SCRIPT = """
import resource
from dealer.net.limits import fit_descriptors
from dealer.net.limits import Limits

print(fit_descriptors(Limits(connections=512)).connections, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.skipif(os.name != "posix", reason="only there descriptors are limited")
@pytest.mark.parametrize(
    ("ulimit", "connections", "descriptors"),
    [
        ("ulimit -Sn 64", 512, 640),
        ("ulimit -Sn 640", 512, 640),
        ("ulimit -Sn 700", 512, 700),
        ("ulimit -n 500", 372, 500),
        ("ulimit -n 100", 1, 100),
    ],
)
def test_connections_fit_the_descriptor_limit(ulimit: str, connections: int, descriptors: int) -> None:
    command = ["sh", "-c", f'{ulimit}; exec "$@"', "sh", sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    *_, last = done.stdout.splitlines()
    assert last == f"{connections} {descriptors}"
