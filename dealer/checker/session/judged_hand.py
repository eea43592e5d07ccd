"""One hand between the program and players of ours; the rules of the game judge every reply."""

from dealer.checker.cases.deals import Deal, TableHand
from dealer.checker.scoring.causes import of_bytes, of_illegal, of_malformed
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.session import Session
from protocol.games.base import Action, Bet, Fold, IllegalAction, Turn
from protocol.wire.codec import decode_action
from protocol.wire.messages import ProtocolError

SHORT = 10
"""Chips; with fewer the highest raise is not to be had."""


async def play(session: Session, deal: Deal) -> bool:
    """Play a hand to its end, or as far as it goes; whether it did end.

    Raises:
        Lost: the connection can tell no more.
    """
    if deal.before is not None:
        await session.tell(deal.before)
    hand, asked = deal.hand, list[int]()
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        action = await _ask(session, hand, seat, hand.number in asked)
        asked.append(hand.number)
        deal.watch(hand.view(seat), action)
        hand = hand.concede() if action is None else hand.apply(action)
        if len(asked) == deal.stop_after:
            return False
    settlement = hand.settle()
    deal.over(settlement)
    await session.tell(settlement.statuses()[deal.seat])
    return True


async def _ask(session: Session, hand: TableHand, seat: int, again: bool) -> Action | None:
    """The program's legal action, or None."""
    turn = hand.view(seat)
    session.talk.findings.kinds.update([*kinds_of(turn, hand.number, again), f"{len(hand.stacks)} players"])
    came = await session.ask(turn)
    if came is None:
        return None
    try:
        action = decode_action(came.known())
        hand.apply(action)
    except ProtocolError as error:
        # bytes that would have been another message in another framing say more than their words
        cause = of_malformed(came.text) if came.text else of_bytes(came.raw, session.talk.lines)
        session.talk.wrong(LineId.LEGAL, str(error), came.raw, cause)
        return None
    except IllegalAction as error:
        amount = action.amount if isinstance(action, Bet) else 0
        put = hand.street.put[seat]
        cause = of_illegal(amount, turn, put, session.answered) if isinstance(action, Bet) else ""
        session.talk.wrong(LineId.LEGAL, str(error), came.raw, cause)
        action = None
    else:
        session.talk.findings.fine(LineId.LEGAL)
    session.remember(turn, came.text or "")
    return action


def kinds_of(turn: Turn, street: int, again: bool) -> list[str]:
    """What is special about a question, to count what was tried; ``again``: it is not the first on its street."""
    cards = turn.own
    kinds = {
        "nothing owed": turn.owed == 0,
        "something owed": turn.owed > 0,
        "raised again": again,
        "short stack": 0 <= turn.stack < turn.owed + SHORT,
        "a ten": any(card.text.startswith("10") for card in cards),
        "a spade in the hole": cards[0].text.endswith("S"),
    }
    return ["questions", f"street {street}", *[kind for kind, is_so in kinds.items() if is_so]]


def boldness(turn: Turn, action: Action) -> int:
    """How much an action risks: -1 for a fold, 0 for a call or a check, else the chips of the raise."""
    return -1 if isinstance(action, Fold) else action.amount - turn.owed
