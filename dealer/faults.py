"""Faults: what a bot can do wrong.

A bot can cause only two exceptions in the dealer: ``SeatLost`` (here) and ``IllegalAction`` (of the rules). Both end in
a recorded ``Fault``, and in ``done:`` with the reason unless the player has lives left.
"""

from dataclasses import dataclass
from enum import StrEnum

from protocol.games.base import FOLD, Bet, Turn
from protocol.wire.codec import encode_action


class FaultKind(StrEnum):
    """The kinds of fault, as journal and standings name them."""

    #: No complete reply within the limit.
    LATE = "late"
    #: A reply that cannot be decoded.
    MALFORMED = "malformed"
    #: A reply that can be decoded but that the rules forbid now.
    ILLEGAL = "illegal"
    #: An action of a program of the ACPC that the rules forbid, for which the nearest allowed one was taken.
    CORRECTED = "corrected"
    #: A message longer than the host allows.
    OVERSIZED = "oversized"
    #: A message that came before its question.
    UNASKED = "unasked"
    #: More bytes or messages in a second than the host allows.
    FLOOD = "flood"
    #: The connection ended.
    GONE = "gone"
    #: The program said that it leaves.
    QUIT = "quit"
    #: The host removed the player; this does not count as a fault of its program.
    REMOVED = "removed"


#: What each kind means in words for the student, and what to look for in the program.
MEANINGS: dict[FaultKind, str] = {
    FaultKind.LATE: "No complete reply came in time. Look for a loop that does not end, a reply without its end (the"
    " length before it, or the LF behind it), output that was not flushed, or a strategy that takes too long.",
    FaultKind.MALFORMED: "The game does not know this reply: in most games `fold`, or `bet:` and a number, in"
    " lower case and without blanks. Look at how the reply is put together, and whether it answers the question that"
    " was asked.",
    FaultKind.ILLEGAL: "The reply could be read, but the rules forbid it at this point. The number is the chips put in"
    " now: what is owed is a call, and more is a raise, as far as limits and stack allow.",
    FaultKind.CORRECTED: "The action could be read, but the rules forbid it at this point, and the nearest allowed one"
    " was taken instead, as the dealer of the ACPC does. It cost nothing but counts as a mistake.",
    FaultKind.OVERSIZED: "The message was longer than any reply can be. Programs that send lines of text belong at the"
    " port for lines, those that use writeUTF at the other one.",
    FaultKind.UNASKED: "Something was sent although nothing was asked: two replies to one question, or a reply to"
    " `status`. Exactly one reply belongs to each question.",
    FaultKind.FLOOD: "More was sent within a second than any game needs. Look for a loop that sends again and again.",
    FaultKind.GONE: "The connection ended before `done`. Most often the program crashed: look at its own output.",
    FaultKind.QUIT: "The program said `quit`. That is no mistake, but the end all the same.",
    FaultKind.REMOVED: "The host removed the player. That is no mistake of the program.",
}

#: The same for programs of the ACPC, where that is something else.
ACPC_MEANINGS: dict[FaultKind, str] = {
    FaultKind.MALFORMED: "The line was no answer that can be read. An answer is the match state as it was sent, a colon"
    " and `f`, `c` or `r`, in no-limit with the chips behind it that the raise is to, and CR LF at the end.",
    FaultKind.ILLEGAL: "The answer could be read, but the rules forbid it at this point, and this dealer corrects"
    " nothing.",
    FaultKind.GONE: "The connection ended before the match was over. Most often the program crashed: look at its own"
    " output.",
}


def meaning(kind: FaultKind, *, acpc: bool) -> str:
    """What a kind means, for the author of a program of the ACPC or of another one."""
    return ACPC_MEANINGS.get(kind, MEANINGS[kind]) if acpc else MEANINGS[kind]


#: Kinds that do not count as a mistake of the program.
NO_MISTAKES = frozenset({FaultKind.QUIT, FaultKind.REMOVED})

#: Faults that show that the question had been sent. The others may have been found before it was.
ANSWERED_A_QUESTION = frozenset({FaultKind.LATE, FaultKind.MALFORMED, FaultKind.ILLEGAL, FaultKind.QUIT})


def allowed_words(turn: Turn) -> str:
    """The replies that are allowed, as a program writes them: "fold, bet:4 (a call), bet:5 to bet:14 (a raise)"."""
    legal = turn.legal()
    words = [encode_action(FOLD, turn)] if legal.fold else []
    if legal.call:
        words.append(f"{encode_action(Bet(legal.to_call), turn)} (a {'call' if legal.to_call else 'check'})")
    if legal.raises:
        low, high = (encode_action(Bet(legal.raises[end]), turn) for end in (0, -1))
        words.append(f"{low} to {high} (a raise)" if high != low else f"{low} (a raise)")
    return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one player.

    Attributes:
        kind: what went wrong, in one word.
        reason: what was sent, what was allowed and why, for the student who wrote the program.
    """

    kind: FaultKind
    reason: str


# Not a CasinoError: no command ends because of it. The table turns it into a fault of the player and plays on.
class SeatLost(Exception):
    """A seat did not answer its question.

    Attributes:
        fault: what went wrong.
        connected: whether the session can go on, for a player with lives left. It cannot after an oversized frame, a
            flood, a program that does not read, or the end of the connection.
        reached: whether the question arrived at the other machine, as far as the system knows.
    """

    def __init__(self, kind: FaultKind, reason: str, connected: bool, *, reached: bool = True) -> None:
        super().__init__(reason)
        self.fault = Fault(kind, reason)
        self.connected = connected
        self.reached = reached

    @property
    def may_come_back(self) -> bool:
        """Whether only the connection was lost, so that the player may reconnect."""
        return self.fault.kind is FaultKind.GONE or not self.reached
