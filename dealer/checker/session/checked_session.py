"""One connection talked to as a dealer does: login, questions, news, goodbye. Everything wrong is written down."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dealer.checker.scoring.causes import (
    CHANGING_NAME,
    CRASHES_ON_DONE,
    NOW_AND_THEN,
    RUNS_AFTER_DONE,
    SPLIT,
    UNASKED,
    of_bytes,
    of_login,
    of_silent_login,
)
from dealer.checker.scoring.evidence import After, PlacedBet, Question, Silence, StillOpen
from dealer.checker.scoring.explain import PRINTED_REPLY
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.checked_connection import CheckedConnection, Lost
from dealer.checker.session.wire_log import Received
from protocol.games.base import Bet, Turn
from protocol.wire.codec import decode_name, encode
from protocol.wire.messages import Done, GameInfo, Name, ProtocolError
from protocol.wire.wrong_port import Speech, recognise

#: Seconds that the checker listens for the bytes which a wrong length has left behind the reply to login.
BEHIND_SECONDS = 0.2

#: Seconds that a program may take to close its socket after done.
CLOSING_SECONDS = 2.0

#: Seconds that it may run on after it has closed its socket.
EXIT_SECONDS = 3.0

#: The part of these two times that is left to a program that has not kept them before.
HURRIED = 0.1

#: After so many messages without a question, the checker looks whether the program is still there before it asks.
MANY_NEWS = 5

#: Seconds that a careful session listens where nothing should come.
PAUSE_SECONDS = 0.2

#: After so many late replies on one connection there is nothing more to learn there.
SLOW_ENOUGH = 5

#: After so many questions without a reply in a whole check, a connection is given up at the next one.
SILENT_ENOUGH = 4

#: A reply within this part of the limit was waiting for the message before it.
AT_ONCE = 0.25

#: A whole reply to a question.
_ACTION = re.compile("fold|bet:[0-9]{1,9}")

#: The habit of sending a reply in parts: its value is the number of parts behind the first.
_PARTS = "parts"

#: The cause of a silence after which the reply comes in the end.
SLOW = "it is much too slow"


class CheckedSession:
    """One connection from login to done. All methods raise ``Lost`` when nothing more can be learned on it."""

    def __init__(self, connection: CheckedConnection) -> None:
        self.connection = connection
        # A question without a reply, and how much the program had printed before it. Why none came shows only in what
        # the program does next.
        self._unanswered: Silence | None = None
        self._mark = (0, 0)
        # Messages that it was sent after that question.
        self._later: list[str] = []
        # What came before the next question.
        self._before = After.LOGIN
        # Messages without a question since the last question, and the last of them.
        self._news = 0
        self._told = ""
        # The last two questions with a reply.
        self._turn: Turn | None = None
        self._last_turn: Turn | None = None
        # Late replies.
        self._late = 0

    async def log_in(self) -> None:
        """Ask for the name, and check it against the rules and against the names on earlier connections."""
        connection = self.connection
        connection.findings.bets.begin()
        async with connection.listening(LineId.LOGIN, LineId.LOGIN):
            came = await connection.put("login")
            if came is None and connection.run.more:  # some programs talk on the last connection they have opened
                connection.go_on_with(connection.run.more[-1])
                came = await connection.put("login")
            if came is None:
                raise self._no_login()
            self._compare(await self._read_name(came), came)
        await self._after("login")

    def _no_login(self) -> Lost:
        connection = self.connection
        rest = connection.wire.drop_rest()
        cause = of_bytes(rest, connection.lines) if rest else of_silent_login(connection.printed, connection.lines)
        return connection.lost(LineId.LOGIN, f"no whole reply came within {connection.waited}", rest, cause)

    async def _read_name(self, came: Received) -> Name:
        """The name, if the message is one and nothing but it came."""
        connection = self.connection
        behind = connection.wire.pending
        if not came.text or behind:
            behind = await connection.wire.linger(BEHIND_SECONDS)
        raw = came.raw + behind
        # As a line, the first one of a program of the ACPC would pass for a name.
        if recognise(came.raw) is Speech.ACPC:
            raise connection.lost(LineId.LOGIN, "what came is no name", raw, of_bytes(raw, connection.lines))
        try:
            name = decode_name(came.known())
        except ProtocolError as error:
            cause = of_bytes(raw, connection.lines) or of_login(came.text or "")
            raise connection.lost(LineId.LOGIN, f"the name cannot be read: {error}", raw, cause) from None
        # A length that counts characters is too small where one of them takes several bytes. Then the name can be
        # read, and what is left behind it would pass for an unasked message.
        announced = len(came.raw) - 2
        if behind and not connection.lines and len(raw[2:].decode(errors="ignore")) == announced:
            cause = of_bytes(raw, connection.lines)
            raise connection.lost(LineId.LOGIN, "more bytes came than the length announces", raw, cause)
        return name

    def _compare(self, name: Name, came: Received) -> None:
        connection, names = self.connection, self.connection.findings.names
        names.append(encode(name))
        if names[-1] == names[0]:
            connection.findings.right(LineId.LOGIN)
        else:
            what = f"on another connection the name was {names[0]!r}; it has to be the same each time"
            connection.wrong(LineId.LOGIN, what, came.raw, CHANGING_NAME)

    async def ask(self, turn: Turn) -> Received | None:
        """Send a question; its reply, checked for time but not for content. None if no reply came."""
        connection = self.connection
        await self._drain(PAUSE_SECONDS if self._news >= MANY_NEWS else 0.0)
        self._news = 0
        question, self._before = Question(encode(turn), self._before), After.REPLY
        self._later.append(question.text)
        # A program that ends on the news may still run when the next question is sent.
        late = question.after is After.NEWS and connection.findings.ends_on_news
        crash, ended_on = (LineId.NEWS, self._told) if late else (LineId.ANSWERS, None)
        async with connection.listening(LineId.LEGAL, crash, ended_on):
            came = await connection.put(question.text)
        if came is None:
            self._never_answered(question)
            return None
        if self._unanswered:
            await self._explain_silence_by_a_reply()
        connection.findings.answered.append(question)
        self._last_turn, self._turn = self._turn, turn
        connection.findings.right(LineId.ANSWERS)
        came = await self._after("question", came) or came
        self._late += came.seconds > connection.limit
        if self._late >= SLOW_ENOUGH:
            raise Lost
        return came

    async def tell(self, message: Any) -> None:
        """Send a message that needs no reply: the status of a hand, or a ``GameInfo``."""
        await self._drain()
        self._news += 1
        self._before = After.NEWS
        self._told = encode(message)
        self._later.append(self._told)
        await self.connection.send(self._told)
        if self._unanswered:
            await self._explain_silence_by_news()
        await self._after("game" if isinstance(message, GameInfo) else "status")
        self.connection.findings.right(LineId.NEWS)

    async def say_goodbye(self, reason: str) -> None:
        """Send done, and check that the program closes its connection and ends."""
        connection = self.connection
        if self._unanswered:
            self._add_silence()
        await self._drain()
        await connection.send(encode(Done(reason)))
        patience = HURRIED if connection.findings.wrong[LineId.CLOSES] else 1.0
        if said := await connection.wire.linger(CLOSING_SECONDS * patience):
            connection.wire.drop_rest()
            connection.wrong(LineId.ANSWERS, "it spoke after done", said, UNASKED["done"])
        if connection.wire.gone:
            # A program may close its own half first, as Node's end() and Java's shutdownOutput() do, and end when the
            # dealer has closed the other.
            connection.wire.close()
            await self._see_it_end(EXIT_SECONDS * patience)
        else:
            mistake = StillOpen(self._before)
            connection.wrong(LineId.CLOSES, "the socket was still open some time after done", mistake=mistake)

    async def _see_it_end(self, seconds: float) -> None:
        connection, program = self.connection, self.connection.run.program
        if program is not None and not await program.ended(seconds, connection.run.stalls):
            what = "it still ran some time after it had closed its socket"
            self._wrong_after_done(LineId.CLOSES, what, RUNS_AFTER_DONE)
            return
        connection.findings.right(LineId.CLOSES)
        if program is not None and program.code:
            self._wrong_after_done(LineId.NEWS, f"it ended with exit code {program.code} after done", CRASHES_ON_DONE)
        else:
            connection.findings.right(LineId.NEWS)

    def _wrong_after_done(self, line: LineId, what: str, cause: str) -> None:
        """Write down a mistake that no message shows, also as a remark in the transcript."""
        connection = self.connection
        connection.wire.note(what)
        connection.wrong(line, what, None, cause, connection.run.last_lines)

    async def _after(self, kind: str, reply: Received | None = None) -> Received | None:
        """Take unasked replies to a message, so that they do not pass for replies to the next question.

        A careful session finds out which messages the program replies to. The others wait for as many unasked replies
        as are known by then.

        Returns:
            The whole reply, if ``reply`` and what came behind it are one reply that was sent as two messages.
        """
        connection = self.connection
        line = LineId.NEWS if kind in ("status", "game") else LineId.ANSWERS
        async with connection.listening(LineId.ANSWERS, line):
            if not connection.careful:
                # of a reply in parts, one that is whole already has no more of them
                parts = reply is not None and not _is_whole(reply) and connection.habits[_PARTS]
                more = [await connection.wire.hear(connection.limit) for _ in range(parts or connection.habits[kind])]
                return _joined(reply, [came for came in more if came is not None])
            extra = await connection.wire.unasked(PAUSE_SECONDS)
        if line is LineId.NEWS and PRINTED_REPLY.search(connection.printed_since):
            connection.findings.prints_replies = True
        raw = b"".join([came.raw for came in extra]) + connection.wire.drop_rest()
        joined = _joined(reply, extra)
        habit = kind if joined is None else _PARTS
        connection.habits[habit] = max(connection.habits[habit], len(extra))
        if joined is not None:
            # an empty message in front is the first half of a length of four bytes
            cause = SPLIT if reply is not None and reply.text else of_bytes(joined.raw, connection.lines)
            connection.wrong(LineId.ANSWERS, "two messages came for one question", joined.raw, cause)
        elif raw:
            connection.wrong(LineId.ANSWERS, f"it spoke although nothing was asked, after {kind}", raw, UNASKED[kind])
        if connection.wire.gone:
            raise await connection.crashed(line)
        return joined

    async def _drain(self, seconds: float = 0.0) -> None:
        """Write down what is here before the next message, or comes within ``seconds``: it was not asked for."""
        connection = self.connection
        async with connection.listening(LineId.ANSWERS, LineId.ANSWERS):
            extra = await connection.wire.unasked(seconds)
        if extra:
            raw = b"".join([came.raw for came in extra])
            connection.wrong(LineId.ANSWERS, "it spoke although nothing was asked", raw, NOW_AND_THEN)
        if connection.wire.gone:
            raise await connection.crashed(LineId.NEWS if self._news else LineId.ANSWERS)

    def _never_answered(self, question: Question) -> None:
        """Wait with the finding after the first question without a reply: what the program does next tells why."""
        connection = self.connection
        if rest := connection.wire.drop_rest():
            cause = of_bytes(rest, connection.lines)
            raise connection.lost(LineId.ANSWERS, f"no whole reply came within {connection.waited}", rest, cause)
        connection.findings.silences += 1
        twice = self._unanswered is not None
        if twice:
            self._add_silence()
        self._unanswered, self._mark, self._later = Silence(question, connection.printed_since), connection.mark, []
        if twice or connection.findings.silences >= SILENT_ENOUGH:
            self._add_silence()
            raise Lost

    async def _explain_silence_by_news(self) -> None:
        """Write down why no reply came, if one comes as soon as the program was told how the hand ended."""
        connection = self.connection
        came = await connection.wire.hear(connection.limit)
        if came is None:
            return
        # A program that has answered another question in time does not wait for the message behind it.
        at_once = came.seconds <= AT_ONCE * connection.limit and not connection.findings.answered
        self._add_silence("it reads one message too many: it replies only when the next one comes" if at_once else SLOW)
        raise Lost

    async def _explain_silence_by_a_reply(self) -> None:
        """Write down the silence before a question that was answered: if two replies came, the program is slow."""
        slow = await self.connection.wire.hear(self.connection.limit) is not None
        self._add_silence(SLOW if slow else "")

    def _add_silence(self, cause: str = "") -> None:
        """Write down the question that had no reply; without a cause, it is explained when the check is over."""
        connection, silence = self.connection, self._unanswered
        assert silence is not None
        if connection.run.program is not None:
            output = connection.run.program.since(self._mark)
            silence = replace(silence, reads_on=any(message in output for message in self._later))
        said, mistake = connection.run.last_lines, None if cause else silence
        connection.wrong(LineId.ANSWERS, "no reply came", b"", cause, said, sent=silence.question.text, mistake=mistake)
        self._unanswered = None

    def placed(self, bet: Bet, turn: Turn, put: int) -> PlacedBet:
        """A bet with the question before it; it counts as evidence of how the program computes its bets.

        Args:
            bet: the reply to the last question.
            turn: that question.
            put: chips that the program had put in on the street.
        """
        return self.connection.findings.bets.place(bet.amount, turn, put, self._last_turn)


def _is_whole(reply: Received) -> bool:
    return _ACTION.fullmatch(reply.text or "") is not None


def _joined(reply: Received | None, more: Sequence[Received]) -> Received | None:
    """A reply of which each part came as a message of its own; None if it is none, or was whole before."""
    if reply is None or not more or _is_whole(reply):
        return None
    text = "".join([came.text or "" for came in (reply, *more)])
    raw = b"".join([came.raw for came in (reply, *more)])
    return replace(reply, raw=raw, text=text) if _ACTION.fullmatch(text) else None
