"""What the process of a bulk tournament tells the side that holds the connections of programs, and what it is answered.

A call is 32 bytes in the machine's own order, because both are on one machine. ``bots/bulk/cpp/programs.h`` has the
same layout.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Self

from protocol.dice import SIDES
from protocol.games.dice import BET_SIZES, BLINDS, DiceStatus, DiceTurn

_CALL = struct.Struct("=q6i")

#: Bytes of a call.
CALL_BYTES = _CALL.size

#: The state of a call before the first deal, which is answered when the program has logged in.
LOG_IN = -1


class Answer(IntEnum):
    """What is answered to a login and to the states in which a player decides; a byte."""

    FOLD = 0
    BET = 1
    #: No acceptable reply came, and none will come. To a login: the program did not log in.
    FAILED = 2


class Call(NamedTuple):
    """A call of a player, as in ``AI(op, b, state, d)``.

    Attributes:
        deal: the number of the deal in the tournament; -1 before the first one.
        player: who is called.
        opponent: its id.
        b: B, from 3 to 18.
        state: 0 and 1 decide as the first or second player, 2 and 3 tell of a fold, 4 and 5 of a showdown, or LOG_IN.
        d: the own die where the player decides, the opponent's at a showdown, else 0.
    """

    deal: int
    player: int
    opponent: int
    b: int
    state: int
    d: int

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """The call that ``CALL_BYTES`` bytes stand for."""
        *numbers, _ = _CALL.unpack(data)
        return cls(*numbers)

    def pack(self) -> bytes:
        """The bytes of the call."""
        return _CALL.pack(*self, 0)

    @property
    def in_range(self) -> bool:
        """Whether the numbers are some that a deal can have."""
        return self.b in BET_SIZES and 0 <= self.state <= 5 and 0 <= self.d <= SIDES and 0 <= self.opponent < 256

    @property
    def decides(self) -> bool:
        """Whether the player must bet or fold."""
        return self.state in (0, 1)

    @property
    def is_answered(self) -> bool:
        """Whether an ``Answer`` follows."""
        return self.decides or self.state == LOG_IN

    @property
    def turn(self) -> DiceTurn:
        """The question to the program, if the player decides."""
        return DiceTurn(self.b, self.state, self.d, self.opponent)

    def status(self, own: int) -> DiceStatus:
        """What a player with the die ``own`` is told, if it does not decide."""
        second, showdown = self.state % 2, self.state >= 4
        won = self.b * ((own > self.d) - (own < self.d)) if showdown else BLINDS[1 - second]
        return DiceStatus(second, showdown, self.d, won)


@dataclass(frozen=True, slots=True)
class ProgramFailure:
    """A question without an acceptable reply, or a program that did not log in.

    Attributes:
        deal: its number; -1 if the program did not log in.
        state: with which the program was called; 0 if it did not log in.
        reason: in words.
    """

    deal: int
    state: int
    reason: str


@dataclass(slots=True)
class ProgramFacts:
    """What is known of a program.

    Attributes:
        name: the avatar of its login; empty if it did not log in.
        replies: questions that it answered.
        reply_seconds: that all its replies took.
    """

    name: str = ""
    replies: int = 0
    reply_seconds: float = 0.0
