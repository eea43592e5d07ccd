"""A room: what its first screen offers, and the tables at which people sit down."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bots.human.play_statistics import Counting, Rows
from bots.human.thread_bridge import MakePlay
from protocol.wire.messages import Name


class RoomError(Exception):
    """A person cannot sit down; the text says why, and what can be had."""


@dataclass(frozen=True, slots=True)
class Table:
    """A seat that a person takes.

    Attributes:
        title: what is played, and with whom.
        make_play: makes the person's seat.
        name: who the person is to a dealer; None at a table in this process.
        limit: seconds until an answer is late; None for no limit.
        counting: adds hands to the statistics of the person whose machine this is; None where they are not kept.
    """

    title: str
    make_play: MakePlay
    name: Name | None = None
    limit: float | None = None
    counting: Counting | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether it is a dealer's table, which goes on without the person."""
        return self.name is not None


class Room(Protocol):
    """Where people sit down."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the first screen offers, as values for JSON."""

    async def statistics(self, host: str) -> Rows | None:
        """What the person at this address has won here; None where that is not kept."""

    @property
    def usual(self) -> Mapping[str, Any] | None:
        """Wishes of a person who is not asked for any, and sits down at once; None if the first screen comes first."""

    def name(self, wishes: Mapping[str, Any]) -> Name | None:
        """Who a person with these wishes is to a dealer; None at tables in this process.

        Raises:
            RoomError: nobody can be called that.
        """

    async def table(self, wishes: Mapping[str, Any], name: Name | None, peer: tuple[str, int]) -> Table:
        """The table for these wishes of a browser with this address and port; ``name`` is that of the wishes.

        Raises:
            RoomError: there is none.
        """
