"""The messages between the dealer and a program of the ACPC, in the words of the competition.

Such a program is told each state of every hand that it is dealt into, and answers with the state that it was told last,
a colon and its action. Everything else is left out or is a comment.
"""

import re

from dealer.audit.hands import ReplayedHand, Step
from dealer.faults import ANSWERED_A_QUESTION
from dealer.lobby.player import Player
from dealer.report.labels import Label
from dealer.report.transcript_text import for_seat
from protocol.games.base import FOLD, Hand
from protocol.games.game import Game
from protocol.wire.acpc import HandText
from protocol.wire.messages import Done
from protocol.wire.text import load_text

HEADING = """\
What passed between the dealer and this program of the ACPC, as far as the journal tells.

dealer:  what the program was sent; you: what it replied, with the milliseconds from the last byte of the question to
the last byte of the reply. Lines that begin with -- explain. A journal holds no time of day for a hand, no text of a
reply that could not be read except where the reason quotes it, and nothing of a hand that was voided.
"""

#: The journal does not tell the whole number.
LOGIN_LINES = ["-- the program said its version, such as VERSION:2.0.0"]

#: What a correction says that a program asked for: a fold, or a raise, in no-limit with its size. A number of very many
#: digits is told in words.
_ASKED = re.compile(r"raise(?: to (?P<total>.+))?")


def done_line(reason: str, player: Player, label: Label) -> str:
    """The closing message to a player."""
    return f"dealer:  # {Done(label.hidden(reason, player.id)).comment}"


class AcpcLines:
    """One hand, told action by action.

    Args:
        game: what is played, which has a text for programs of the ACPC.
        hand: that is told.
    """

    def __init__(self, game: Game, hand: ReplayedHand) -> None:
        text = load_text(game.name).acpc
        assert text is not None, f"{game.name} has no text for programs of the ACPC"
        first = hand.steps[0].before if hand.steps else hand.last
        self._text = HandText(text, text.sized(game), first, hand.number - 1, len(hand.match.stacks))
        self._shown = [seat for seat, _ in hand.settlement.shown]

    def state(self, seat: int) -> str:
        """The match state that a seat is sent before the next action."""
        return f"dealer:  {self._text.shown(seat).line}"

    def end(self, seat: int) -> str:
        """The match state that a seat is sent when the hand is over."""
        return f"dealer:  {self._text.shown_at_end(seat, self._shown).line}"

    def act(self, step: Step, after: Hand) -> list[str]:
        """Add an action; the lines of the program whose turn it was, after the state that it was told."""
        told, before = self._text.shown(step.seat).line, self._text.betting
        self._text.act(step.seat, step.action or FOLD, after)
        if step.action is None or step.seconds is None:
            return []
        taken = self._text.betting[len(before) :].rstrip("/")
        sent = taken if step.asked is None else _sent(step.asked)
        lines = [f"you:     {told}:{sent} {step.seconds * 1000:.3f} ms"]
        return lines if step.asked is None else [*lines, f"-- corrected: {taken} was taken instead"]


def _sent(asked: str) -> str:
    """The action of a program, from what a correction says that it asked for."""
    found = _ASKED.fullmatch(asked)
    if found is None:
        return "f"
    total = found["total"] or ""
    return f"r{total}" if total.isdigit() or not total else f"r({total})"


def lost_connection_line(step: Step) -> str:
    """The comment on a state over which the connection was lost."""
    return f"-- the connection was lost over this state, and {for_seat(step)}"


def fault_lines(step: Step, player: Player, label: Label) -> list[str]:
    """The fault that was found instead of a good answer, and what the dealer did."""
    assert step.fault is not None
    reason = label.hidden(step.fault.reason, player.id)
    line = f"-- {step.fault.kind.value}: {reason}; {for_seat(step)}"
    # The journal does not say whether the state was sent before such a fault was found.
    unsure = [] if step.fault.kind in ANSWERED_A_QUESTION else ["-- the last state may not have been sent any more"]
    return [*unsure, line]
