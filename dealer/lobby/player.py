"""Who sits at a table, and what the tournament knows about them."""

from dataclasses import dataclass, field

from dealer.faults import Fault
from dealer.lobby.reply_times import ReplyTimes
from dealer.net.seat import Seat


@dataclass(eq=False, slots=True)
class Player:
    """An identity with a seat. Mutable: the tournament keeps score here.

    Attributes:
        id: the instructor's name for the player; never shown.
        avatar: the name everybody sees.
        program: what plays: a house bot's name, a command, or an address.
        seat: the connection; None while there is none.
        lives: faults that may still happen, the last of which ends the game.
        faults: all faults so far.
        left: why the player is out, in words; None while playing.
        left_in: the number of the hand at its table that the player left in.
        left_for: the fault it left for, in a hand that is not yet told of; None for whoever left without one.
        proof: of the secret that the first login gave; None where no secrets are asked for.
        number: place among all players of the tournament, from 0.
    """

    id: str
    avatar: str
    program: str
    seat: Seat | None = None
    lives: int = 1
    hands_won: int = 0
    hands_survived: int = 0
    faults: list[Fault] = field(default_factory=list)
    reply_times: ReplyTimes = field(default_factory=ReplyTimes)
    left: str | None = None
    left_in: int = 0
    left_for: Fault | None = None
    proof: bytes | None = field(default=None, repr=False)
    number: int = 0

    @property
    def decisions(self) -> int:
        """Questions answered."""
        return self.reply_times.count
