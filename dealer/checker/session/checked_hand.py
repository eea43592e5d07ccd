"""One hand between the program and other players; the rules of the game judge every reply."""

import re

from dealer.checker.cases.deals import Deal
from dealer.checker.scoring.causes import of_bytes, of_unreadable
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.checked_connection import CheckedConnection
from dealer.checker.session.checked_session import CheckedSession
from dealer.checker.session.wire_log import Received
from protocol.games.base import Action, Bet, Hand, IllegalAction, Turn
from protocol.wire.codec import decode_action, encode
from protocol.wire.messages import ProtocolError

#: A bet below zero, which no rule can read.
_BELOW_ZERO = re.compile(r"bet:-[0-9]+")


async def play_hand(session: CheckedSession, deal: Deal) -> bool:
    """Play a hand, and say whether it was played to its end.

    Raises:
        Lost: nothing more can be learned on the connection.
    """
    if deal.before is not None:
        await session.tell(deal.before)
    hand, asked = deal.hand, list[int]()
    put = 0
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        again = hand.number in asked
        put = put if again else 0
        action = await _ask(session, hand, put, again=again)
        put += action.amount if isinstance(action, Bet) else 0
        asked.append(hand.number)
        deal.watch(hand.view(seat), action)
        # what a dealer does after a fault: the hand goes on without the program
        hand = hand.concede() if action is None else hand.apply(action)
        if len(asked) == deal.stop_after:
            return False
    settlement = hand.settle()
    deal.over(settlement)
    status = settlement.statuses()[deal.seat]
    if status is not None:
        await session.tell(status)
    return True


async def _ask(session: CheckedSession, hand: Hand, put: int, *, again: bool) -> Action | None:
    """Ask the program, which is to act; its action if it is legal, else None.

    Args:
        session: on its connection.
        hand: as it stands.
        put: chips that the program has put in on this street.
        again: whether it was asked on this street before.
    """
    assert hand.to_act is not None
    turn, connection = hand.view(hand.to_act), session.connection
    kinds = [*kinds_of(turn, hand.number, again=again), *connection.cases.kinds(turn)]
    connection.findings.kinds.update([*kinds, f"{len(hand.stacks)} players"])
    kept = len(connection.findings.kept)
    came = await session.ask(turn)
    if came is None:
        return None
    action = _judge(session, hand, turn, came, put)
    connection.findings.reply_checked(kept)
    return action


def _judge(session: CheckedSession, hand: Hand, turn: Turn, came: Received, put: int) -> Action | None:
    """The action that a reply asks for if it is legal, else None; what is wrong with it is written down."""
    connection = session.connection
    try:
        action = decode_action(came.known(), turn)
    except ProtocolError as error:
        connection.findings.bets.below_zero += bool(_BELOW_ZERO.fullmatch(came.text or ""))
        cause = _why_unreadable(connection, came, turn)
        connection.wrong(LineId.LEGAL, str(error), came.raw, cause)
        return None
    bet = session.placed(action, turn, put) if isinstance(action, Bet) else None
    try:
        hand.apply(action)
    except IllegalAction as error:
        connection.wrong(LineId.LEGAL, str(error), came.raw, mistake=bet)
        return None
    connection.findings.right(LineId.LEGAL)
    return action


def _why_unreadable(connection: CheckedConnection, came: Received, turn: Turn) -> str:
    """Why a reply cannot be read."""
    if not came.text and (cause := of_bytes(came.raw, connection.lines)):  # a message in another framing
        return cause
    if came.text is None:
        return ""
    return of_unreadable(came.text, encode(turn), connection.findings.names, connection.cases.text)


def kinds_of(turn: Turn, street: int, *, again: bool) -> list[str]:
    """What is special about a question of any game, to count what was tried.

    Args:
        turn: the question.
        street: under way.
        again: whether it is not the first question on its street.
    """
    kinds = {
        "nothing owed": not turn.owed,
        "something owed": turn.owed,
        "raised again": again,
        "a ten": any(card.text.startswith("10") for card in turn.own),  # the only cards of three characters
    }
    return ["questions", f"street {street}", *[kind for kind, is_so in kinds.items() if is_so]]
