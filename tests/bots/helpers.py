"""Questions written as the wire writes them, strategies that misbehave, connections, and installed packages."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType
from typing import Any

import pytest

from protocol import installed
from protocol.estimates.intervals import Estimate, mean
from protocol.games.base import Action, Status
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command
from protocol.wire.messages import GameInfo


def asked(question: str) -> StudTurn:
    """The turn that a ``bet1:`` or ``bet2:`` message holds."""
    turn = decode_command(question)
    assert isinstance(turn, StudTurn)
    return turn


class Scripted:
    """Answers by ``decide``, and remembers what it was asked and told."""

    def __init__(self, decide: Callable[[Any], Action]) -> None:
        self._decide = decide
        self.turns: list[Any] = []
        self.statuses: list[Status] = []
        self.infos: list[GameInfo] = []

    def game_begins(self, info: GameInfo) -> None:
        self.infos.append(info)

    def decide(self, turn: Any) -> Action:
        self.turns.append(turn)
        return self._decide(turn)

    def hand_over(self, status: Status) -> None:
        self.statuses.append(status)


#: The dealer's end and the program's end of a connection.
Ends = tuple[socket.socket, socket.socket]


@contextmanager
def connected_pair() -> Iterator[Ends]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with socket.create_connection(listener.getsockname()) as program, listener.accept()[0] as dealer:
            yield dealer, program


def offer(monkeypatch: pytest.MonkeyPatch, module: ModuleType, **objects: str) -> None:
    """Make these objects the only ones that installed packages bring for the entry points of a module."""
    points = EntryPoints(EntryPoint(name, value, module.ENTRY_POINTS) for name, value in objects.items())
    monkeypatch.setattr(installed, "entry_points", points.select)


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of some values, at least one, and its interval."""
    found = mean(values)
    assert found is not None
    return found
