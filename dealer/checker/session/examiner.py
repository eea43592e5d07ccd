"""Run all parts of a check with one program; the rules of the game judge every reply in a hand."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

from dealer.checker.cases.deals import Deal, Part
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.scoring.causes import TWO_CONNECTIONS, of_bytes, of_unreadable
from dealer.checker.scoring.explain import explain
from dealer.checker.scoring.findings import Finding, Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.checked_session import CheckedSession, Lost, rule_of
from dealer.checker.session.program_run import NotConnected, ProgramRun
from dealer.checker.session.wire_log import Entry, Received
from protocol.games.base import Action, Bet, Hand, IllegalAction, Turn
from protocol.wire.codec import decode_action, encode
from protocol.wire.messages import ProtocolError

#: How often a part is continued on a new connection after the program was lost in it.
AGAIN = 2

#: Hands of a part that is played in any case.
SHORT_PART = 50

#: How a connection ended: as planned; with a program that can be asked no more; before it began.
_OVER, _LOST, _ABSENT = "over", "lost", "absent"


@dataclass(slots=True)
class Examiner:
    """One check of one program.

    Attributes:
        run: starts the program and waits for its connection, as ``run_program`` does.
        cases: of the game.
        limit: seconds until a reply is late.
        show: called with the part under way, the number of its hand that is played, and how many hands it has.
        findings: so far.
        tapes: of all connections, with the part they were for.
    """

    run: Callable[[], AbstractAsyncContextManager[ProgramRun]]
    cases: GameCases
    limit: float
    show: Callable[[str, int, int], None]
    findings: Findings = field(default_factory=Findings)
    tapes: list[tuple[str, list[Entry]]] = field(default_factory=list)
    _habits: Counter[str] = field(default_factory=Counter)

    async def examine(self, parts: Sequence[Part]) -> None:
        """Play all parts, and explain what was wrong."""
        await self._play_parts(parts)
        explain(self.findings, self.cases.text)

    async def _play_parts(self, parts: Sequence[Part]) -> None:
        """Play all parts. A program that cannot log in, or answers nothing, is not asked in further parts.

        One whose first replies are all wrong in the same way is not asked in long parts, which would only say the same
        hundreds of times.
        """
        for part in parts:
            if part.hands > SHORT_PART and self.findings.always_wrong:
                continue
            for _ in range(1 + AGAIN):
                outcome = await self._connect(part)
                if outcome is not _LOST or not self._usable():
                    break
            part.over(self.findings)
            if outcome is _ABSENT or not self._usable():
                return

    def _usable(self) -> bool:
        """Whether the program can log in, and has answered a question."""
        return bool(self.findings.names) and self.findings.checks[LineId.ANSWERS] > 0

    async def _connect(self, part: Part) -> str:
        """Play a part on one connection; how that ended."""
        self.show(part.name, 0, part.hands)
        try:
            async with self.run() as run:
                self.findings.right(LineId.CONNECTS)
                if run.program.here:
                    self.findings.notes.setdefault(LineId.CONNECTS, f"after {run.startup:.2f} s")
                over = await self._session(part, run)
                if run.more:
                    what = f"connections opened at once: {1 + len(run.more)}"
                    run.wire.note(what)
                    self._wrong_connection(part, what, TWO_CONNECTIONS)
        except* NotConnected as errors:
            for error in errors.exceptions:
                assert isinstance(error, NotConnected)
                self._wrong_connection(part, str(error), error.cause, error.said)
            over = _ABSENT
        return over

    def _wrong_connection(self, part: Part, what: str, cause: str, said: tuple[str, ...] = ()) -> None:
        rule = rule_of(LineId.CONNECTS, self.cases, self.limit)
        self.findings.add(Finding(LineId.CONNECTS, what, rule, "", None, cause, said, part.name))

    async def _session(self, part: Part, run: ProgramRun) -> str:
        session = CheckedSession(run, self.findings, self.cases, part, self.limit, self._habits)
        self.tapes.append((part.name, run.wire.tape))
        try:
            await session.log_in()
            for number, deal in enumerate(part.deals, 1):
                self.show(part.name, number, part.hands)
                if not await play_hand(session, deal):
                    break
            await session.say_goodbye(part.goodbye)
        except Lost:
            return _LOST
        return _OVER


#: A bet below zero, which no rule can read.
_BELOW_ZERO = re.compile(r"bet:-[0-9]+")


async def play_hand(session: CheckedSession, deal: Deal) -> bool:
    """Play a hand, and say whether it was played to its end.

    Raises:
        Lost: nothing more can be learned on the session.
    """
    if deal.before is not None:
        await session.tell(deal.before)
    hand, asked = deal.hand, list[int]()
    put = 0
    while (seat := hand.to_act) is not None:
        if seat != deal.seat:
            hand = hand.apply(deal.others(hand))
            continue
        put = put if hand.number in asked else 0
        action = await _ask(session, hand, put)
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


async def _ask(session: CheckedSession, hand: Hand, put: int) -> Action | None:
    """Ask the program, which is to act; its action if it is legal, else None.

    Args:
        session: on its session.
        hand: as it stands.
        put: chips that the program has put in on this street.
    """
    assert hand.to_act is not None
    turn = hand.view(hand.to_act)
    kept = len(session.findings.kept)
    came = await session.ask(turn)
    if came is None:
        return None
    action = _judge(session, hand, turn, came, put)
    session.findings.reply_checked(kept)
    return action


def _judge(session: CheckedSession, hand: Hand, turn: Turn, came: Received, put: int) -> Action | None:
    """The action that a reply asks for if it is legal, else None; what is wrong with it is written down."""
    try:
        action = decode_action(came.known(), turn)
    except ProtocolError as error:
        session.findings.bets.below_zero += bool(_BELOW_ZERO.fullmatch(came.text or ""))
        cause = _why_unreadable(session, came, turn)
        session.wrong(LineId.LEGAL, str(error), came.raw, cause)
        return None
    # The question before this one says whether a bet was meant for that.
    last = session.turns[0] if len(session.turns) > 1 else None
    bet = session.findings.bets.place(action.amount, turn, put, last) if isinstance(action, Bet) else None
    try:
        hand.apply(action)
    except IllegalAction as error:
        session.wrong(LineId.LEGAL, str(error), came.raw, mistake=bet)
        return None
    session.findings.right(LineId.LEGAL)
    return action


def _why_unreadable(session: CheckedSession, came: Received, turn: Turn) -> str:
    """Why a reply cannot be read."""
    if not came.text and (cause := of_bytes(came.raw, session.lines)):  # a message in another framing
        return cause
    if came.text is None:
        return ""
    return of_unreadable(came.text, encode(turn), session.findings.names, session.cases.text)
