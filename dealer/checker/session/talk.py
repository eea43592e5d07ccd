"""Talking on a connection so that everything wrong is written down, with what was sent and what came back."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from dealer.checker.scoring.causes import of_bytes, of_crash
from dealer.checker.scoring.findings import Finding, Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.program_run import Visit
from dealer.checker.session.wire_log import Came, PeerGone, Unframed, Wire
from protocol.wire.framing import LineFraming

GRACE = 2.0
"""How many times the limit a late reply is waited for, to tell a slow program from a silent one."""

EXITING_SECONDS = 1.0
"""How long a program that has closed its connection is given to end, so that its last words are all there."""

COLLECTING_SECONDS = 0.2
"""How long is listened for the rest of what is no message, to see what it was meant to be."""

RULES = {
    LineId.LOGIN: "login is answered with <id>:<avatar>, framed like every message",
    LineId.ANSWERS: "every question gets exactly one reply, and nothing is said unasked",
    LineId.LEGAL: "a reply is 'fold' or 'bet:<chips put in now>', framed like every message, and legal",
    LineId.NEWS: "status and done need no reply, and the program goes on until done",
    LineId.CLOSES: "after done the program closes its socket and ends",
}


class Lost(Exception):
    """This connection can tell no more; why is written down."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a connection is talked to.

    Attributes:
        where: the part of the check, in words.
        limit: seconds until a reply is late.
        careful: listen for a moment behind every message, so as to know what an unasked reply replies to.
        habits: how many unasked replies this program is known to send after each kind of message.
    """

    where: str
    limit: float
    careful: bool
    habits: Counter[str]


class Talk:
    """One connection, and what is found out on it.

    Attributes:
        visit: whose it is.
        wire: the one of its connections that is used.
        manner: see there.
        findings: of the whole check.
    """

    def __init__(self, visit: Visit, findings: Findings, manner: Manner) -> None:
        self.visit = visit
        self.wire: Wire = visit.wire
        self.manner = manner
        self.findings = findings
        self._last_sent = ""

    async def send(self, text: str) -> None:
        """Send a message."""
        self._last_sent = text
        await self.wire.send(text)

    def go_on_with(self, wire: Wire) -> None:
        """Talk on another connection of the same program, and write it down behind the first."""
        wire.tape = self.wire.tape
        wire.note("from here on, on the connection that was opened last")
        self.wire = self.visit.wire = wire

    async def put(self, question: str) -> Came | None:
        """Send a question; the reply, also one that is late, or None if there is none."""
        await self.send(question)
        came = await self.wire.hear(self.manner.limit)
        if came is None and self._may_still_come:
            came = await self.wire.hear(GRACE * self.manner.limit)
        if came is not None:
            self._time(came)
        return came

    def _time(self, came: Came) -> None:
        self.findings.seconds.append(came.seconds)
        if came.seconds <= self.manner.limit:
            self.findings.fine(LineId.CLOCK)
        else:
            self.findings.add(
                Finding(
                    LineId.CLOCK,
                    f"the reply took {came.seconds:.3f} s",
                    f"a reply is due within {self.manner.limit:g} s of the question",
                    self._last_sent,
                    came.raw,
                    where=self.manner.where,
                )
            )

    @property
    def _may_still_come(self) -> bool:
        """Whether a late reply is worth waiting for: not if the program was silent before, or talks elsewhere."""
        elsewhere = self.visit.more and self.wire not in self.visit.more
        return not elsewhere and not self.findings.silences

    @property
    def waited(self) -> str:
        """How long the last ``put`` has waited, in words."""
        return f"{self.wire.since_sent:.0f} s"

    @property
    def lines(self) -> bool:
        """Whether this connection is one for lines of text."""
        return isinstance(self.wire.framing, LineFraming)

    @property
    def printed(self) -> str:
        """The end of what the program wrote to its standard output."""
        return "" if self.visit.program is None else self.visit.program.printed

    def wrong(
        self,
        line: LineId,
        what: str,
        came: bytes | None = None,
        cause: str = "",
        said: tuple[str, ...] = (),
        *,
        sent: str | None = None,
    ) -> None:
        """Write down a mistake after the last message sent, or after ``sent``."""
        sent = self._last_sent if sent is None else sent
        self.findings.add(Finding(line, what, RULES[line], sent, came, cause, said, self.manner.where))

    def lost(self, line: LineId, what: str, came: bytes | None = None, cause: str = "") -> Lost:
        """Write down a mistake after which nothing on this connection can be trusted."""
        self.wrong(line, what, came, cause, self.visit.last_lines)
        return Lost()

    @asynccontextmanager
    async def listening(self, framing: LineId, crash: LineId) -> AsyncIterator[None]:
        """Write down bytes that are no message, or the end of the connection, under these lines.

        Raises:
            Lost: one of the two.
        """
        try:
            yield
        except Unframed as error:
            await self.wire.linger(COLLECTING_SECONDS)  # some programs send byte by byte
            raw = self.wire.drop_rest()
            raise self.lost(framing, str(error), raw, of_bytes(raw, self.lines)) from None
        except PeerGone as gone:
            raise await self.crashed(crash, gone.left) from None

    async def crashed(self, line: LineId, left: bytes = b"") -> Lost:
        """Write down that the program closed the connection; ``left`` came last and is no whole message."""
        program = self.visit.program
        what, output = "the program closed the connection", ""
        if program is not None:
            if await program.ended(EXITING_SECONDS):
                what = f"the program ended with exit code {program.code}"
            output = program.complained + program.printed
        answered = self.findings.answered
        cause = of_bytes(left, self.lines) if left else of_crash(self._last_sent, output, answered)
        return self.lost(line, what, left, cause)
