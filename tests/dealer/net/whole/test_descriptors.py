"""Connections of a process with few descriptors, and a dealer that stands still for long."""

import os
import subprocess
import sys
import time

import pytest
import trio

from protocol.games.base import FOLD
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import TURN, open_logged_in_seat
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


async def test_long_stall_makes_nobody_late() -> None:
    """On the real clock: the reply lies in the socket while the process does something else for twice the limit."""

    async def reply_and_stand_still(peer: Peer) -> None:
        await peer.hear()
        await peer.say("fold")
        time.sleep(4.0)  # no other task runs meanwhile

    async with open_logged_in_seat(limit=2.0) as ends, trio.open_nursery() as nursery:
        nursery.start_soon(reply_and_stand_still, ends.peer)
        assert await ends.seat.ask(TURN) is FOLD
