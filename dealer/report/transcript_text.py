"""The lines of a transcript: messages as the wire had them, and comments that begin with ``--``.

A program of the ACPC is told each state of every hand that it is dealt into, and answers with the state that it was
told last, a colon and its action. Everything else that the dealer says to it is left out or is a comment.

Comments name a player by its label, so that an anonymous report holds no id.
"""

import re

from dealer.audit.hands import ReplayedHand, Step
from dealer.faults import ANSWERED_A_QUESTION
from dealer.lobby.player import Player
from dealer.report.labels import Label
from dealer.settings import Settings
from protocol.games.base import FOLD, Hand
from protocol.games.game import Game
from protocol.wire.acpc import HandText
from protocol.wire.codec import encode, encode_action
from protocol.wire.messages import Command, Done
from protocol.wire.text import load_text

HEADING = """\
What passed between the dealer and this program{}, as far as the journal tells.

dealer:  what the program was sent; you: what it replied, with the milliseconds from the last byte of the question to
the last byte of the reply. Lines that begin with -- explain. A journal holds no time of day for a hand, no text of a
reply that could not be read except where the reason quotes it, and nothing of a hand that was voided.
"""

#: What a correction says that a program asked for: a fold, or a raise, in no-limit with its size. A number of very many
#: digits is told in words.
_ASKED = re.compile(r"raise(?: to (?P<total>.+))?")


def heading(player: Player) -> str:
    """The text above a transcript."""
    return HEADING.format(" of the ACPC" if player.acpc else "")


def from_dealer(message: Command) -> str:
    """A message to the program."""
    return f"dealer:  {encode(message)}"


def login_lines(player: Player, label: Label) -> list[str]:
    """The login of a program. The journal does not tell the whole version of one of the ACPC."""
    if player.acpc:
        return ["-- the program said its version, such as VERSION:2.0.0"]
    return ["dealer:  login", f"you:     {label.id or '(id)'}:{label.avatar}"]


def done_line(reason: str, player: Player, label: Label) -> str:
    """The closing message to a player."""
    message = Done(label.hidden(reason, player.id))
    return f"dealer:  # {message.comment}" if player.acpc else from_dealer(message)


def hand_heading(hand: ReplayedHand, seat: int, settings: Settings) -> str:
    """The comment above a hand, as one seat of it reads it."""
    game = f", game {hand.game}" if settings.games > 1 else ""
    level = "" if settings.levels is None else f", level {hand.level}"
    return f"-- hand {hand.number}, table {hand.table}, seat {seat}{game}{level}"


def reply_lines(step: Step) -> list[str]:
    """A question and the reply to it; empty if the dealer acted."""
    if step.action is None or step.seconds is None:
        return []
    turn = step.before.view(step.seat)
    taken = encode_action(step.action, turn)
    replied = taken if step.asked is None else encode_action(FOLD, turn)  # nothing else is corrected
    lines = [from_dealer(turn), f"you:     {replied:<15} {step.seconds * 1000:.3f} ms"]
    return lines if step.asked is None else [*lines, f"-- corrected: {taken} was taken instead"]


def for_seat(step: Step) -> str:
    """The dealer's action for a seat without an acceptable reply."""
    return "the dealer checked" if step.checked else "the hand was folded"


def lost_connection_line(step: Step, player: Player) -> str:
    """The comment on a question, or on a state, over which the connection was lost."""
    if player.acpc:
        return f"-- the connection was lost over this state, and {for_seat(step)}"
    due = encode(step.before.view(step.seat))
    return f"-- the connection was lost over this question, and {for_seat(step)}: {due}"


def fault_lines(step: Step, player: Player, label: Label) -> list[str]:
    """The fault that was found instead of a good reply; before it the question, which for the ACPC is the last state.

    The journal does not say whether that was sent before a fault of some kinds was found.
    """
    assert step.fault is not None
    line = f"-- {step.fault.kind.value}: {label.hidden(step.fault.reason, player.id)}; {for_seat(step)}"
    answered = step.fault.kind in ANSWERED_A_QUESTION
    if player.acpc:
        return [line] if answered else ["-- the last state may not have been sent any more", line]
    question = step.before.view(step.seat)
    if answered:
        return [from_dealer(question), line]
    return [f"-- due was this question, which may not have been sent any more: {encode(question)}", line]


class AcpcLines:
    """One hand, told action by action.

    Args:
        game: what is played, which has a text for programs of the ACPC.
        hand: that is told.
    """

    def __init__(self, game: Game, hand: ReplayedHand) -> None:
        text = load_text(game.name).acpc
        assert text is not None, f"{game.name} has no text for programs of the ACPC"
        self._text = HandText(text, text.sized(game), hand.dealt, hand.number - 1, len(hand.match.stacks))
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
