"""A player: an identity in a tournament, its connection, and its score."""

from dataclasses import dataclass, field

from dealer.faults import NO_MISTAKES, Fault
from dealer.lobby.reply_times import ReplyTimes
from dealer.net.seat import Seat


@dataclass(eq=False, slots=True)
class Player:
    """An identity with a seat. Mutable: the tournament keeps score here. Compared by identity.

    Attributes:
        id: the instructor's name for the player; never shown to other players.
        avatar: the name that everybody sees; no other player of the tournament has the same.
        program: what plays: a house bot's name, a command, or the id where neither is known.
        seat: the connection; None while the player has none.
        lives: faults left; the last one puts the player out.
        faults: all faults so far, with those that are no mistakes.
        left: why the player is out, in words; None while it plays.
        left_in: number of the hand, at its table, in which the player left.
        left_for: the fault that put it out in a hand not yet recorded; None if it left without a fault.
        proof: of the secret in its first login (see ``secret_proof``); None where no secrets are asked for.
        number: place among all players of the tournament, from 0.
        acpc: whether it is a program of the ACPC, which is told every action and answers in words of its own.
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
    acpc: bool = False

    @property
    def mistakes(self) -> list[Fault]:
        """The faults that count as mistakes of the program: not those that it was free to make, such as to quit."""
        return [fault for fault in self.faults if fault.kind not in NO_MISTAKES]

    @property
    def decisions(self) -> int:
        """Questions answered."""
        return self.reply_times.count
