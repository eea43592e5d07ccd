"""The viewers of ``casino bench``: all watch at once, and one that is refused is noticed."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dealer.bench.viewers import BEGINNING, REQUEST
from tests.patience import PATIENCE

HOST, COUNT = "127.0.0.1", 2


@contextmanager
def watching() -> Iterator[tuple[subprocess.Popen[str], list[socket.socket]]]:
    """The viewers, and the dealer's ends of their connections, on which the request has been read."""
    with socket.create_server((HOST, 0)) as listener:
        listener.settimeout(PATIENCE)
        command = [sys.executable, "-P", "-m", "dealer.bench.viewers", HOST, str(listener.getsockname()[1]), str(COUNT)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as viewers:
            ends = [listener.accept()[0] for _ in range(COUNT)]
            try:
                for end in ends:
                    assert end.recv(len(REQUEST), socket.MSG_WAITALL) == REQUEST
                yield viewers, ends
            finally:
                for end in ends:
                    end.close()


def test_no_viewer_waits_for_another_one() -> None:
    with watching() as (viewers, ends):
        for end in reversed(ends):
            end.sendall(BEGINNING + b" OK\r\n\r\n")
        assert viewers.stdout is not None
        assert viewers.stdout.readline() == "watching\n"
    assert viewers.returncode == 0


@pytest.mark.parametrize("answer", [b"HTTP/1.1 503 \r\n\r\n", b""], ids=["refused", "closed"])
def test_refused_viewer_ends_the_measurement(answer: bytes) -> None:
    with watching() as (viewers, ends):
        ends[1].sendall(answer)
        ends[1].close()
        _, err = viewers.communicate(timeout=PATIENCE)
    assert viewers.returncode == 1
    assert err == f"a viewer was refused: {answer!r}\n"
