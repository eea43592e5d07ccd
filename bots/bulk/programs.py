"""What a bulk tournament needs of the side that starts programs over TCP and holds their connections.

That is the dealer's work, but bots never import the dealer. So the dealer's package offers it as the entry point
``programs`` of the group ``casino.bulk``.
"""

import socket
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from bots.bulk.plan import BulkError, Plan
from protocol.installed import entry_points
from protocol.wire.bulk import ProgramFacts, ProgramFailure

ENTRY_POINTS, NAME = "casino.bulk", "programs"


class Programs(Protocol):
    """The programs of the tournaments of a series, which are started anew for each."""

    def answer(self, number: int, calls: socket.socket) -> None:
        """Begin to answer the calls of tournament ``number`` that come on a socket, which is closed in the end.

        If that tournament is played again, the calls that were made before are answered as they were then, without the
        programs: they play on where they are.
        """

    def is_asking(self, number: int) -> bool:
        """Whether a program is waited for in that tournament."""

    def failures(self, number: int) -> Mapping[int, ProgramFailure]:
        """The failures in that tournament, by player."""

    def end(self, number: int) -> Mapping[int, ProgramFacts]:
        """Tell the programs of that tournament that it is over and wait for their ends; what is known of each."""


def open_programs(plan: Plan, *, sandbox: Sequence[Path] | None) -> AbstractContextManager[Programs]:
    """What starts the programs of a plan.

    Raises:
        BulkError: a command cannot be used, there can be no sandbox, or nothing is installed that starts programs.
    """
    commands = [plan.entrants[player].command for player in plan.programs]
    for point in entry_points(group=ENTRY_POINTS, name=NAME):
        try:
            programs: AbstractContextManager[Programs] = point.load()(
                dict(zip(plan.programs, commands, strict=True)), len(plan.entrants), plan.rounds, sandbox=sandbox
            )
        except ValueError as error:
            raise BulkError(str(error)) from None
        return programs
    raise BulkError("no package is installed that starts programs over TCP")
