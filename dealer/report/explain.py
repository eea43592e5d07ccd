"""Faults in words: what happened, and what to look for in the program."""

from dealer.faults import FaultKind
from protocol.games.base import Legal

MEANINGS: dict[FaultKind, str] = {
    FaultKind.LATE: "No complete reply came in time. Look for a loop that does not end, a reply without its end (the"
    " length before it, or the LF behind it), output that was not flushed, or a strategy that takes too long.",
    FaultKind.MALFORMED: "The reply was neither `fold` nor `bet:` and a number, in lower case and without blanks."
    " Look at how the reply is put together, and whether it answers the question that was asked.",
    FaultKind.ILLEGAL: "The reply could be read, but the rules forbid it at this point. The number is the chips put in"
    " now, from what is owed to 10 more, and never more than the stack where chips cannot be borrowed.",
    FaultKind.OVERSIZED: "The message was longer than any reply can be. Programs that send lines of text belong at the"
    " port for lines, those that use writeUTF at the other one.",
    FaultKind.UNASKED: "Something was sent although nothing was asked: two replies to one question, or a reply to"
    " `status`. Exactly one reply belongs to each question.",
    FaultKind.FLOOD: "More was sent within a second than any game needs. Look for a loop that sends again and again.",
    FaultKind.GONE: "The connection ended before `done`. Most often the program crashed: look at its own output.",
    FaultKind.QUIT: "The program said `quit`. That is no mistake, but the end all the same.",
    FaultKind.REMOVED: "The host put the player out. That is no mistake of the program.",
}

NO_MISTAKES = frozenset({FaultKind.QUIT, FaultKind.REMOVED})
"""Kinds that say nothing against a program."""

ANSWERED_A_QUESTION = frozenset({FaultKind.LATE, FaultKind.MALFORMED, FaultKind.ILLEGAL, FaultKind.QUIT})
"""Faults that show that the question had been sent; the others may have come before it."""


def allowed_words(legal: Legal) -> str:
    """What may be replied, as a program writes it."""
    words = ["fold"] if legal.fold else []
    if legal.call:
        words.append(f"bet:{legal.to_call} (a {'call' if legal.to_call else 'check'})")
    if legal.raises:
        low, high = legal.raises[0], legal.raises[-1]
        words.append(f"bet:{low} to bet:{high} (a raise)" if high > low else f"bet:{low} (a raise)")
    return ", ".join(words)
