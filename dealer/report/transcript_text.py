"""The lines of a transcript: messages as the wire had them, and comments that begin with ``--``.

Comments name a player by its label, so that an anonymous report holds no id.
"""

from dealer.audit.hands import ReplayedHand, Step
from dealer.faults import ANSWERED_A_QUESTION
from dealer.lobby.player import Player
from dealer.report.labels import Label
from dealer.settings import Settings
from protocol.games.base import FOLD
from protocol.wire.codec import encode, encode_action
from protocol.wire.messages import Command, Done

HEADING = """\
What passed between the dealer and this program, as far as the journal tells.

dealer:  what the program was sent; you: what it replied, with the milliseconds from the last byte of the question to
the last byte of the reply. Lines that begin with -- explain. A journal holds no time of day for a hand, no text of a
reply that could not be read except where the reason quotes it, and nothing of a hand that was voided.
"""


def from_dealer(message: Command) -> str:
    """A message to the program."""
    return f"dealer:  {encode(message)}"


def login_lines(label: Label) -> list[str]:
    """The login of a program."""
    return ["dealer:  login", f"you:     {label.id or '(id)'}:{label.avatar}"]


def done_line(reason: str, player: Player, label: Label) -> str:
    """The closing message to a player."""
    return from_dealer(Done(label.hidden(reason, player.id)))


def hand_heading(hand: ReplayedHand, seat: int, settings: Settings) -> str:
    """The comment above a hand, as one seat of it reads it."""
    game = f", game {hand.game}" if settings.games > 1 else ""
    level = "" if settings.levels is None else f", level {hand.level}"
    return f"-- hand {hand.number}, table {hand.table}, seat {seat}{game}{level}"


def reply_lines(step: Step) -> list[str]:
    """A question and the reply to it. The step has both an action and a time."""
    assert step.action is not None
    assert step.seconds is not None
    turn = step.before.view(step.seat)
    taken = encode_action(step.action, turn)
    replied = taken if step.asked is None else encode_action(FOLD, turn)  # nothing else is corrected
    lines = [from_dealer(turn), f"you:     {replied:<15} {step.seconds * 1000:.3f} ms"]
    return lines if step.asked is None else [*lines, f"-- corrected: {taken} was taken instead"]


def for_seat(step: Step) -> str:
    """The dealer's action for a seat without an acceptable reply."""
    return "the dealer checked" if step.checked else "the hand was folded"


def lost_connection_line(step: Step) -> str:
    """The comment on a question over which the connection was lost."""
    due = encode(step.before.view(step.seat))
    return f"-- the connection was lost over this question, and {for_seat(step)}: {due}"


def fault_lines(step: Step, player: Player, label: Label) -> list[str]:
    """A question and the fault that was found instead of a good reply."""
    assert step.fault is not None
    question = step.before.view(step.seat)
    if step.fault.kind in ANSWERED_A_QUESTION:
        asked = from_dealer(question)
    else:
        # The journal does not say whether the question was sent before such a fault was found.
        asked = f"-- due was this question, which may not have been sent any more: {encode(question)}"
    reason = label.hidden(step.fault.reason, player.id)
    return [asked, f"-- {step.fault.kind.value}: {reason}; {for_seat(step)}"]
