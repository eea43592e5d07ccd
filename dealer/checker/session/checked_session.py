"""One connection talked to as a dealer does: login, questions, news, goodbye. Everything wrong is written down.

Every mistake is among the findings, with what was sent and what came back.
"""

import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from dealer.checker.cases.deals import Part
from dealer.checker.cases.game_cases import GameCases
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
from dealer.checker.scoring.evidence import After, Crash, Mistake, Question, Silence, StillOpen
from dealer.checker.scoring.explain import PRINTED_REPLY
from dealer.checker.scoring.findings import Finding, Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.program_run import ProgramRun
from dealer.checker.session.wire_log import LoggedWire, PeerGone, Received, Unframed
from protocol.games.base import Turn
from protocol.wire.codec import decode_name, encode
from protocol.wire.framing import LineFraming
from protocol.wire.messages import Done, GameInfo, Name, ProtocolError
from protocol.wire.wrong_port import Speech, recognise

#: How long the checker waits for a late reply, in multiples of the limit, to tell a slow program from a silent one.
GRACE = 2.0

#: Seconds that a program which has closed its connection is given to end, so that its last output is complete.
EXITING_SECONDS = 1.0

#: Seconds that the checker listens for the rest of bytes that are no message, to see what they were meant to be.
COLLECTING_SECONDS = 0.2

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

#: The rule that a mistake breaks, by line of the rubric; ``{replies}`` are those of the game, ``{limit}`` is seconds.
RULES = {
    LineId.CONNECTS: "the program connects to the address and the port it is given, once, and waits to be asked",
    LineId.LOGIN: "login is answered with <id>:<avatar>, framed like every message",
    LineId.ANSWERS: "every question gets exactly one reply, and nothing is said unasked",
    LineId.CLOCK: "a reply is due within {limit:g} s of the question",
    LineId.LEGAL: "a reply is {replies}, framed like every message, and legal",
    LineId.NEWS: "status and done need no reply, and the program goes on until done",
    LineId.CLOSES: "after done the program closes its socket and ends",
}


def rule_of(line: LineId, cases: GameCases, limit: float) -> str:
    """The rule that a mistake on a line of the rubric breaks, in the words of a game."""
    return RULES[line].format(replies=cases.replies, limit=limit)


class Lost(Exception):
    """Nothing more can be learned on this connection; the reason is among the findings."""


class CheckedSession:
    """One connection from login to done. All methods raise ``Lost`` when nothing more can be learned on it.

    Attributes:
        run: the program's.
        wire: the connection of the program that is used.
        findings: of the whole check.
        careful: whether to listen for a moment after every message, to learn which one an unasked reply belongs to.
        habits: how many unasked replies this program is known to send after each kind of message.
        turns: the last two questions with a reply.
    """

    def __init__(
        self, run: ProgramRun, findings: Findings, cases: GameCases, part: Part, limit: float, habits: Counter[str]
    ) -> None:
        self.run = run
        self.wire: LoggedWire = run.wire
        self.findings = findings
        self.cases, self.limit, self.careful, self.habits = cases, limit, part.careful, habits
        self.turns: list[Turn] = []
        self._where = part.name
        # The last message, and how much the program had printed when it was sent.
        self._last_sent = ""
        self._mark = (0, 0)
        # A question without a reply, and how much the program had printed before it. Why none came shows only in what
        # the program does next.
        self._unanswered: Silence | None = None
        self._mark_of_question = (0, 0)
        # Messages that it was sent after that question.
        self._later: list[str] = []
        # What came before the next question.
        self._before = After.LOGIN
        # Messages without a question since the last question, and the last of them.
        self._news = 0
        self._told = ""
        # Late replies.
        self._late = 0

    async def log_in(self) -> None:
        """Ask for the name, and check it against the rules and against the names on earlier connections."""
        self.findings.bets.begin()
        async with self._listening(LineId.LOGIN, LineId.LOGIN):
            came = await self._put("login")
            if came is None and self.run.more:  # some programs talk on the last connection they have opened
                last = self.run.more[-1]
                last.tape = self.wire.tape  # one log, of both
                last.note("from here on, on the connection that was opened last")
                self.wire = self.run.wire = last
                came = await self._put("login")
            if came is None:
                rest = self.wire.drop_rest()
                silent = of_silent_login(self.run.program.printed, self.lines)
                cause = of_bytes(rest, self.lines) if rest else silent
                raise self.lost(LineId.LOGIN, f"no whole reply came within {self._waited}", rest, cause)
            self._compare(await self._read_name(came), came)
        await self._after("login")

    async def _read_name(self, came: Received) -> Name:
        """The name, if the message is one and nothing but it came."""
        behind = self.wire.pending
        if not came.text or behind:
            behind = await self.wire.linger(BEHIND_SECONDS)
        raw = came.raw + behind
        # As a line, the first one of a program of the ACPC would pass for a name.
        if recognise(came.raw) is Speech.ACPC:
            raise self.lost(LineId.LOGIN, "what came is no name", raw, of_bytes(raw, self.lines))
        try:
            name = decode_name(came.known())
        except ProtocolError as error:
            cause = of_bytes(raw, self.lines) or of_login(came.text or "")
            raise self.lost(LineId.LOGIN, f"the name cannot be read: {error}", raw, cause) from None
        # A length that counts characters is too small where one of them takes several bytes. Then the name can be
        # read, and what is left behind it would pass for an unasked message.
        announced = len(came.raw) - 2
        if behind and not self.lines and len(raw[2:].decode(errors="ignore")) == announced:
            cause = of_bytes(raw, self.lines)
            raise self.lost(LineId.LOGIN, "more bytes came than the length announces", raw, cause)
        return name

    def _compare(self, name: Name, came: Received) -> None:
        names = self.findings.names
        names.append(encode(name))
        if names[-1] == names[0]:
            self.findings.right(LineId.LOGIN)
        else:
            what = f"on another connection the name was {names[0]!r}; it has to be the same each time"
            self.wrong(LineId.LOGIN, what, came.raw, CHANGING_NAME)

    async def ask(self, turn: Turn) -> Received | None:
        """Send a question; its reply, checked for time but not for content. None if no reply came."""
        await self._drain(PAUSE_SECONDS if self._news >= MANY_NEWS else 0.0)
        self._news = 0
        question, self._before = Question(encode(turn), self._before), After.REPLY
        self._later.append(question.text)
        # A program that ends on the news may still run when the next question is sent.
        late = question.after is After.NEWS and self.findings.ends_on_news
        crash, ended_on = (LineId.NEWS, self._told) if late else (LineId.ANSWERS, None)
        async with self._listening(LineId.LEGAL, crash, ended_on):
            came = await self._put(question.text)
        if came is None:
            self._never_answered(question)
            return None
        if self._unanswered:  # if two replies came, the program is slow
            self._add_silence(SLOW if await self.wire.hear(self.limit) is not None else "")
        self.findings.answered.append(question)
        self.turns = [*self.turns[-1:], turn]
        self.findings.right(LineId.ANSWERS)
        came = await self._after("question", came) or came
        self._late += came.seconds > self.limit
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
        await self._send(self._told)
        if self._unanswered:
            await self._explain_silence_by_news()
        await self._after("game" if isinstance(message, GameInfo) else "status")
        self.findings.right(LineId.NEWS)

    async def say_goodbye(self, reason: str) -> None:
        """Send done, and check that the program closes its connection and ends."""
        if self._unanswered:
            self._add_silence()
        await self._drain()
        await self._send(encode(Done(reason)))
        patience = HURRIED if self.findings.wrong[LineId.CLOSES] else 1.0
        if said := await self.wire.linger(CLOSING_SECONDS * patience):
            self.wire.drop_rest()
            self.wrong(LineId.ANSWERS, "it spoke after done", said, UNASKED["done"])
        if self.wire.gone:
            # A program may close its own half first, as Node's end() and Java's shutdownOutput() do, and end when the
            # dealer has closed the other.
            self.wire.close()
            await self._see_it_end(EXIT_SECONDS * patience)
        else:
            mistake = StillOpen(self._before)
            self.wrong(LineId.CLOSES, "the socket was still open some time after done", mistake=mistake)

    async def _see_it_end(self, seconds: float) -> None:
        program = self.run.program
        if program.here and not await program.ended(seconds, self.run.stalls):
            what = "it still ran some time after it had closed its socket"
            self._wrong_after_done(LineId.CLOSES, what, RUNS_AFTER_DONE)
            return
        self.findings.right(LineId.CLOSES)
        if program.code:
            self._wrong_after_done(LineId.NEWS, f"it ended with exit code {program.code} after done", CRASHES_ON_DONE)
        else:
            self.findings.right(LineId.NEWS)

    def _wrong_after_done(self, line: LineId, what: str, cause: str) -> None:
        """Write down a mistake that no message shows, also as a remark in the transcript."""
        self.wire.note(what)
        self.wrong(line, what, None, cause, self.run.program.last_lines)

    async def _after(self, kind: str, reply: Received | None = None) -> Received | None:
        """Take unasked replies to a message, so that they do not pass for replies to the next question.

        A careful session finds out which messages the program replies to. The others wait for as many unasked replies
        as are known by then.

        Returns:
            The whole reply, if ``reply`` and what came behind it are one reply that was sent as two messages.
        """
        line = LineId.NEWS if kind in ("status", "game") else LineId.ANSWERS
        async with self._listening(LineId.ANSWERS, line):
            if not self.careful:
                # of a reply in parts, one that is whole already has no more of them
                parts = reply is not None and not _is_whole(reply) and self.habits[_PARTS]
                more = [await self.wire.hear(self.limit) for _ in range(parts or self.habits[kind])]
                return _joined(reply, [came for came in more if came is not None])
            extra = await self.wire.unasked(PAUSE_SECONDS)
        if line is LineId.NEWS and PRINTED_REPLY.search(self._printed_since):
            self.findings.prints_replies = True
        raw = b"".join([came.raw for came in extra]) + self.wire.drop_rest()
        joined = _joined(reply, extra)
        habit = kind if joined is None else _PARTS
        self.habits[habit] = max(self.habits[habit], len(extra))
        if joined is not None:
            # an empty message in front is the first half of a length of four bytes
            cause = SPLIT if reply is not None and reply.text else of_bytes(joined.raw, self.lines)
            self.wrong(LineId.ANSWERS, "two messages came for one question", joined.raw, cause)
        elif raw:
            self.wrong(LineId.ANSWERS, f"it spoke although nothing was asked, after {kind}", raw, UNASKED[kind])
        if self.wire.gone:
            raise await self._crashed(line)
        return joined

    async def _drain(self, seconds: float = 0.0) -> None:
        """Write down what is here before the next message, or comes within ``seconds``: it was not asked for."""
        async with self._listening(LineId.ANSWERS, LineId.ANSWERS):
            extra = await self.wire.unasked(seconds)
        if extra:
            raw = b"".join([came.raw for came in extra])
            self.wrong(LineId.ANSWERS, "it spoke although nothing was asked", raw, NOW_AND_THEN)
        if self.wire.gone:
            raise await self._crashed(LineId.NEWS if self._news else LineId.ANSWERS)

    def _never_answered(self, question: Question) -> None:
        """Wait with the finding after the first question without a reply: what the program does next tells why."""
        if rest := self.wire.drop_rest():
            cause = of_bytes(rest, self.lines)
            raise self.lost(LineId.ANSWERS, f"no whole reply came within {self._waited}", rest, cause)
        self.findings.silences += 1
        twice = self._unanswered is not None
        if twice:
            self._add_silence()
        self._unanswered, self._mark_of_question, self._later = Silence(question, self._printed_since), self._mark, []
        if twice or self.findings.silences >= SILENT_ENOUGH:
            self._add_silence()
            raise Lost

    async def _explain_silence_by_news(self) -> None:
        """Write down why no reply came, if one comes as soon as the program was told how the hand ended."""
        came = await self.wire.hear(self.limit)
        if came is None:
            return
        # A program that has answered another question in time does not wait for the message behind it.
        at_once = came.seconds <= AT_ONCE * self.limit and not self.findings.answered
        self._add_silence("it reads one message too many: it replies only when the next one comes" if at_once else SLOW)
        raise Lost

    def _add_silence(self, cause: str = "") -> None:
        """Write down the question that had no reply; without a cause, it is explained when the check is over."""
        silence = self._unanswered
        assert silence is not None
        output = self.run.program.since(self._mark_of_question)
        silence = replace(silence, reads_on=any(message in output for message in self._later))
        said, mistake = self.run.program.last_lines, None if cause else silence
        self.wrong(LineId.ANSWERS, "no reply came", b"", cause, said, sent=silence.question.text, mistake=mistake)
        self._unanswered = None

    async def _send(self, text: str) -> None:
        """Send a message."""
        self._last_sent = text
        self._mark = self.run.program.mark
        await self.wire.send(text)

    async def _put(self, question: str) -> Received | None:
        """Send a question; return the reply, even a late one, or None if there is none."""
        await self._send(question)
        came = await self.wire.hear(self.limit)
        if came is None and self._may_still_come:
            came = await self.wire.hear(GRACE * self.limit)
        if came is not None:
            self._time(came)
        return came

    def _time(self, came: Received) -> None:
        self.findings.seconds.append(came.seconds)
        if came.seconds <= self.limit:
            self.findings.right(LineId.CLOCK)
        else:
            self.wrong(LineId.CLOCK, f"the reply took {came.seconds:.3f} s", came.raw)

    @property
    def _may_still_come(self) -> bool:
        """Whether to wait for a late reply: not if the program was silent before, or has another connection."""
        elsewhere = self.run.more and self.wire not in self.run.more
        return not elsewhere and not self.findings.silences

    @property
    def _waited(self) -> str:
        """How long the last ``_put`` has waited, such as ``3 s``."""
        return f"{self.wire.since_sent:.0f} s"

    @property
    def lines(self) -> bool:
        """Whether this connection is one for lines of text."""
        return isinstance(self.wire.framing, LineFraming)

    @property
    def _printed_since(self) -> str:
        """What the program wrote to its output and standard error since the last message was sent."""
        return self.run.program.since(self._mark)

    def wrong(
        self,
        line: LineId,
        what: str,
        came: bytes | None = None,
        cause: str = "",
        said: tuple[str, ...] = (),
        *,
        sent: str | None = None,
        mistake: Mistake | None = None,
    ) -> None:
        """Write down a mistake after the last message sent, or after ``sent``.

        Its cause is ``cause``, or what explains ``mistake`` when the check is over.
        """
        sent, rule = self._last_sent if sent is None else sent, rule_of(line, self.cases, self.limit)
        self.findings.add(Finding(line, what, rule, sent, came, cause, said, self._where), mistake)

    def lost(
        self,
        line: LineId,
        what: str,
        came: bytes | None = None,
        cause: str = "",
        mistake: Mistake | None = None,
        sent: str | None = None,
    ) -> Lost:
        """Write down a mistake after which nothing on this connection can be trusted."""
        self.wrong(line, what, came, cause, self.run.program.last_lines, sent=sent, mistake=mistake)
        return Lost()

    @asynccontextmanager
    async def _listening(self, framing: LineId, crash: LineId, ended_on: str | None = None) -> AsyncIterator[None]:
        """Write down bytes that are no message, or the end of the connection.

        Args:
            framing: the line of the rubric for bytes that are no message.
            crash: the line for the end of the connection.
            ended_on: see ``_crashed``.

        Raises:
            Lost: one of the two happened.
        """
        try:
            yield
        except Unframed as error:
            await self.wire.linger(COLLECTING_SECONDS)  # some programs send byte by byte
            raw = self.wire.drop_rest()
            raise self.lost(framing, str(error), raw, of_bytes(raw, self.lines)) from None
        except PeerGone as gone:
            raise await self._crashed(crash, gone.left, ended_on) from None

    async def _crashed(self, line: LineId, left: bytes = b"", ended_on: str | None = None) -> Lost:
        """Write down that the program closed the connection.

        Args:
            line: of the rubric.
            left: the part of a message that came last.
            ended_on: the message that the program ended on; the last one if None.
        """
        program, what = self.run.program, "the program closed the connection"
        if await program.ended(EXITING_SECONDS, self.run.stalls):
            what = f"the program ended with exit code {program.code}"
        if left:
            return self.lost(line, what, left, of_bytes(left, self.lines))
        sent = self._last_sent if ended_on is None else ended_on
        came = None if line is LineId.NEWS else b""  # no reply was due
        self.findings.ends_on_news |= line is LineId.NEWS
        return self.lost(
            line, what, came, mistake=Crash(sent, program.complained + program.printed, program.code), sent=sent
        )


def _is_whole(reply: Received) -> bool:
    return _ACTION.fullmatch(reply.text or "") is not None


def _joined(reply: Received | None, more: Sequence[Received]) -> Received | None:
    """A reply of which each part came as a message of its own; None if it is none, or was whole before."""
    if reply is None or not more or _is_whole(reply):
        return None
    text = "".join([came.text or "" for came in (reply, *more)])
    raw = b"".join([came.raw for came in (reply, *more)])
    return replace(reply, raw=raw, text=text) if _ACTION.fullmatch(text) else None
