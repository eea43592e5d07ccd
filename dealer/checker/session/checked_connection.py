"""A connection to the program on which every mistake is written down, with what was sent and what came back."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dealer.checker.cases.deals import Part
from dealer.checker.cases.game_cases import GameCases
from dealer.checker.scoring.causes import of_bytes
from dealer.checker.scoring.evidence import Crash, Mistake
from dealer.checker.scoring.findings import Finding, Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.program_run import ProgramRun
from dealer.checker.session.wire_log import LoggedWire, PeerGone, Received, Unframed
from protocol.wire.framing import LineFraming

#: How long the checker waits for a late reply, in multiples of the limit, to tell a slow program from a silent one.
GRACE = 2.0

#: Seconds that a program which has closed its connection is given to end, so that its last output is complete.
EXITING_SECONDS = 1.0

#: Seconds that the checker listens for the rest of bytes that are no message, to see what they were meant to be.
COLLECTING_SECONDS = 0.2

#: The rule that a mistake breaks, by line of the rubric; ``{replies}`` are those of the game.
RULES = {
    LineId.CONNECTS: "the program connects to the address and the port it is given, once, and waits to be asked",
    LineId.LOGIN: "login is answered with <id>:<avatar>, framed like every message",
    LineId.ANSWERS: "every question gets exactly one reply, and nothing is said unasked",
    LineId.LEGAL: "a reply is {replies}, framed like every message, and legal",
    LineId.NEWS: "status and done need no reply, and the program goes on until done",
    LineId.CLOSES: "after done the program closes its socket and ends",
}


def rule_of(line: LineId, cases: GameCases) -> str:
    """The rule that a mistake on a line of the rubric breaks, in the words of a game."""
    return RULES[line].format(replies=cases.replies)


class Lost(Exception):
    """Nothing more can be learned on this connection; the reason is among the findings."""


class CheckedConnection:
    """One connection, and the findings on it.

    Attributes:
        run: the program's.
        wire: the connection of the program that is used.
        findings: of the whole check.
        mark: how much the program had printed when the last message was sent.
        careful: whether to listen for a moment after every message, to learn which one an unasked reply belongs to.
        habits: how many unasked replies this program is known to send after each kind of message.
    """

    def __init__(
        self, run: ProgramRun, findings: Findings, cases: GameCases, part: Part, limit: float, habits: Counter[str]
    ) -> None:
        self.run = run
        self.wire: LoggedWire = run.wire
        self.cases, self.limit, self.careful, self.habits = cases, limit, part.careful, habits
        self._where = part.name
        self.findings = findings
        self._last_sent = ""
        self.mark = (0, 0)

    async def send(self, text: str) -> None:
        """Send a message."""
        self._last_sent = text
        if self.run.program is not None:
            self.mark = self.run.program.mark
        await self.wire.send(text)

    def go_on_with(self, wire: LoggedWire) -> None:
        """Use another connection of the same program from now on; its log continues that of the first."""
        wire.tape = self.wire.tape
        wire.note("from here on, on the connection that was opened last")
        self.wire = self.run.wire = wire

    async def put(self, question: str) -> Received | None:
        """Send a question; return the reply, even a late one, or None if there is none."""
        await self.send(question)
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
            self.findings.add(
                Finding(
                    LineId.CLOCK,
                    f"the reply took {came.seconds:.3f} s",
                    f"a reply is due within {self.limit:g} s of the question",
                    self._last_sent,
                    came.raw,
                    where=self._where,
                )
            )

    @property
    def _may_still_come(self) -> bool:
        """Whether to wait for a late reply: not if the program was silent before, or has another connection."""
        elsewhere = self.run.more and self.wire not in self.run.more
        return not elsewhere and not self.findings.silences

    @property
    def waited(self) -> str:
        """How long the last ``put`` has waited, such as ``3 s``."""
        return f"{self.wire.since_sent:.0f} s"

    @property
    def lines(self) -> bool:
        """Whether this connection is one for lines of text."""
        return isinstance(self.wire.framing, LineFraming)

    @property
    def printed(self) -> str:
        """The end of what the program wrote to its standard output."""
        return "" if self.run.program is None else self.run.program.printed

    @property
    def printed_since(self) -> str:
        """What the program wrote to its output and standard error since the last message was sent."""
        return "" if self.run.program is None else self.run.program.since(self.mark)

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
        sent, rule = self._last_sent if sent is None else sent, rule_of(line, self.cases)
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
        self.wrong(line, what, came, cause, self.run.last_lines, sent=sent, mistake=mistake)
        return Lost()

    @asynccontextmanager
    async def listening(self, framing: LineId, crash: LineId, ended_on: str | None = None) -> AsyncIterator[None]:
        """Write down bytes that are no message, or the end of the connection.

        Args:
            framing: the line of the rubric for bytes that are no message.
            crash: the line for the end of the connection.
            ended_on: see ``crashed``.

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
            raise await self.crashed(crash, gone.left, ended_on) from None

    async def crashed(self, line: LineId, left: bytes = b"", ended_on: str | None = None) -> Lost:
        """Write down that the program closed the connection.

        Args:
            line: of the rubric.
            left: the part of a message that came last.
            ended_on: the message that the program ended on; the last one if None.
        """
        program, code = self.run.program, None
        what, output = "the program closed the connection", ""
        if program is not None:
            if await program.ended(EXITING_SECONDS, self.run.stalls):
                code = program.code
                what = f"the program ended with exit code {code}"
            output = program.complained + program.printed
        if left:
            return self.lost(line, what, left, of_bytes(left, self.lines))
        sent = self._last_sent if ended_on is None else ended_on
        came = None if line is LineId.NEWS else b""  # no reply was due
        self.findings.ends_on_news |= line is LineId.NEWS
        return self.lost(line, what, came, mistake=Crash(sent, output, code), sent=sent)
