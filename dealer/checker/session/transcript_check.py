"""Judge a recorded connection by the same rules as a program that is checked now."""

import re
from dataclasses import dataclass, field
from typing import cast

from dealer.checker.cases.game_cases import GameCases, find_cases
from dealer.checker.scoring.causes import (
    CHANGING_NAME,
    CRASHES_ON_DONE,
    RUNS_AFTER_DONE,
    TWO_CONNECTIONS,
    UNASKED,
    of_bytes,
    of_login,
    of_unreadable,
)
from dealer.checker.scoring.evidence import After, Crash, Mistake, PlacedBet, Question, Silence, StillOpen
from dealer.checker.scoring.explain import explain
from dealer.checker.scoring.findings import Finding, Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.checked_connection import rule_of
from dealer.checker.session.checked_hand import kinds_of
from dealer.checker.session.transcript_format import EXIT_CODE, MOVED, OPENED, RUNNING, Transcript
from dealer.checker.session.wire_log import Entry, Kind
from dealer.errors import TranscriptError
from dealer.faults import FaultKind, allowed_words
from protocol.games.base import Bet, Turn
from protocol.wire.codec import FIRST_GAME, decode_action, decode_command, decode_name, encode
from protocol.wire.framing import FrameTooLong, Framing, LineFraming, UtfFraming
from protocol.wire.messages import Command, Done, GameInfo, Login, ProtocolError
from protocol.wire.text import is_status

#: How a report names a fault in a remark.
_FAULT = re.compile(r"(late|malformed|illegal|oversized|unasked|flood|gone): (.*)")

#: The line of the rubric that a fault belongs to. All other faults are replies that are not legal.
_LINES = {
    FaultKind.LATE: LineId.CLOCK,
    FaultKind.UNASKED: LineId.ANSWERS,
    FaultKind.FLOOD: LineId.ANSWERS,
    FaultKind.GONE: LineId.ANSWERS,
}

#: Remarks of a check that name mistakes, with the lines of the rubric and the causes.
_REMARKS = (
    (OPENED, LineId.CONNECTS, TWO_CONNECTIONS),
    (EXIT_CODE, LineId.NEWS, CRASHES_ON_DONE),
    (RUNNING, LineId.CLOSES, RUNS_AFTER_DONE),
)

#: What a report writes before an avatar if it hides the ids.
HIDDEN_ID = "(id):"


def _is_news(message: Command) -> bool:
    """Whether a message needs no reply, and does not end the session."""
    return isinstance(message, GameInfo) or is_status(cast("type", type(message)))


def judge_transcript(transcript: Transcript, limit: float) -> tuple[str, Findings]:
    """Judge every message of a transcript.

    Args:
        transcript: as it was read.
        limit: seconds until a reply is late.

    Returns:
        The name of the game, and the findings.

    Raises:
        TranscriptError: it is of a game that is not installed.
    """
    reading = _Reading(transcript.complete, transcript.lines_port, limit)
    reading.play(FIRST_GAME)
    for entry in transcript.entries:
        reading.take(entry)
    if not transcript.cut:
        reading.finish()
    explain(reading.findings, find_cases(reading.game).text)
    return reading.game, reading.findings


@dataclass(slots=True)
class _Reading:
    """One transcript, as far as it was read.

    Attributes:
        complete: whether every byte and the end of the connection are recorded.
        lines_port: whether the program spoke to a port for lines of text.
        limit: seconds until a reply is late.
        game: that is played, named by the last ``game:`` message.
        findings: so far.
    """

    complete: bool
    lines_port: bool
    limit: float
    game: str = ""
    findings: Findings = field(default_factory=Findings)
    _cases: GameCases | None = None
    # The question that has no reply yet.
    _open: Command | None = None
    # The last message of the dealer, and its text.
    _last: Command | None = None
    _sent: str = ""
    # What came before the next question, and the last question.
    _before: After = After.LOGIN
    _question: Question = field(default_factory=lambda: Question("", After.LOGIN))
    # The last message that asks nothing.
    _told: str = ""
    # Whether a question of this connection has no reply.
    _missed: bool = False
    # The last remark.
    _where: str = ""
    # Chips that the program has put in on this street, and the street; 0 before the first question of a hand.
    _put: int = 0
    _street: int = 0
    # The last question with a reply on this connection.
    _turn: Turn | None = None

    def play(self, game: str) -> None:
        """From here on, judge by the rules of ``game``."""
        if game != self.game:
            self.game, self._cases = game, find_cases(game)

    def take(self, entry: Entry) -> None:
        """Judge the next entry."""
        match entry.kind:
            case Kind.DEALER:
                self._dealer(entry.text)
            case Kind.YOU:
                self._program(entry.text.encode(), entry.text, entry.seconds)
            case Kind.BYTES:
                self._bytes(bytes.fromhex(entry.text), entry.seconds)
            case Kind.CLOSED:
                self._closed()
            case Kind.NOTE:
                self._note(entry.text)

    def finish(self) -> None:
        """Judge what is missing at the end of the file or of a connection."""
        self._miss_reply()
        if isinstance(self._last, Done) and self.complete:
            self._wrong(LineId.CLOSES, "the socket was not closed after done", None, mistake=StillOpen(self._before))
        self._open = self._last = None

    def _miss_reply(self) -> None:
        """Write down that the open message has no reply."""
        if self._open is None or not self.complete:
            return
        if isinstance(self._open, Login):
            self._wrong(LineId.LOGIN, "no whole reply came", b"")
        else:
            self._wrong(LineId.ANSWERS, "no reply came", b"", mistake=Silence(self._question))
            self._missed = True
        self._open = None

    def _note_what_came(self, message: Command) -> None:
        """Keep what the next question comes after."""
        if isinstance(message, Login):
            self._before = After.LOGIN
        elif _is_news(message):
            self._before, self._told = After.NEWS, self._sent
        elif not isinstance(message, Done):
            self._question, self._before = Question(self._sent, self._before), After.REPLY

    def _dealer(self, text: str) -> None:
        try:
            message = decode_command(text, self.game)
        except ProtocolError as error:
            if text.startswith("game:"):  # none of the questions after it could be read
                raise TranscriptError(f"the game of this transcript is not installed: {error}") from None
            self._open = None  # a message of the dealer that cannot be read is not the program's fault
            return
        if isinstance(message, Login):
            self.finish()
            self._turn, self._missed = None, False
            self.findings.bets.begin()
        else:
            self._miss_reply()
        self._sent, self._last = text, message
        self._note_what_came(message)
        self._open = None if _is_news(message) or isinstance(message, Done) else message
        if isinstance(message, GameInfo):
            self.play(message.name)
        elif _is_news(message):
            self.findings.right(LineId.NEWS)
            self._street = 0

    def _program(self, raw: bytes, text: str | None, seconds: float | None) -> None:
        question, self._open = self._open, None
        if question is None:
            self._wrong(LineId.ANSWERS, "it spoke although nothing was asked", raw, self._why_unasked())
            return
        if isinstance(question, Login):
            self._name(raw, text or "")
        else:
            self.findings.right(LineId.ANSWERS)
            self.findings.answered.append(self._question)
            self._reply(question, raw, text or "")  # type: ignore[arg-type]
        if seconds is None:
            return
        self.findings.seconds.append(seconds)
        if seconds > self.limit:
            self._wrong(LineId.CLOCK, f"the reply took {seconds:.3f} s", raw)
        else:
            self.findings.right(LineId.CLOCK)

    def _why_unasked(self) -> str:
        """What an unasked message means; empty where it may be the reply to an earlier question."""
        if self._missed or self._last is None:
            return ""
        if _is_news(self._last):
            return UNASKED["game" if isinstance(self._last, GameInfo) else "status"]
        return UNASKED.get(type(self._last).__name__.lower(), UNASKED["question"])

    def _name(self, raw: bytes, text: str) -> None:
        self.findings.right(LineId.CONNECTS)
        if text.startswith(HIDDEN_ID):
            text = text.replace(HIDDEN_ID, "id:", 1)
        try:
            self.findings.names.append(encode(decode_name(text)))
        except ProtocolError as error:
            self._wrong(LineId.LOGIN, f"the name cannot be read: {error}", raw, of_login(text))
            return
        if self.findings.names[-1] == self.findings.names[0]:
            self.findings.right(LineId.LOGIN)
        else:
            what = f"on another connection the name was {self.findings.names[0]!r}"
            self._wrong(LineId.LOGIN, what, raw, CHANGING_NAME)

    def _reply(self, turn: Turn, raw: bytes, text: str) -> None:
        assert self._cases is not None
        again = turn.street == self._street
        self._put, self._street = (self._put if again else 0), turn.street
        self.findings.kinds.update([*kinds_of(turn, turn.street, again=again), *self._cases.kinds(turn)])
        try:
            action = decode_action(text, turn)
        except ProtocolError as error:
            self._wrong(LineId.LEGAL, str(error), raw, self._why_unreadable(text))
            return
        bets = self.findings.bets
        bet = bets.place(action.amount, turn, self._put, self._turn) if isinstance(action, Bet) else None
        self._turn = turn
        if action in turn.legal():
            self.findings.right(LineId.LEGAL)
        else:
            self._illegal(turn, raw, bet)
        self._put += action.amount if isinstance(action, Bet) else 0
        if not isinstance(action, Bet):
            self._street = 0  # in some games a player who folds is not told how the hand ends

    def _why_unreadable(self, text: str) -> str:
        assert self._cases is not None
        return of_unreadable(text, self._sent, self.findings.names, self._cases.text)

    def _illegal(self, turn: Turn, raw: bytes, bet: PlacedBet | None) -> None:
        allowed = f"allowed were {allowed_words(turn)}"
        self._wrong(LineId.LEGAL, allowed, raw, mistake=bet)

    def _bytes(self, raw: bytes, seconds: float | None) -> None:
        """Judge a whole message whose text cannot be shown exactly, or bytes that are no message."""
        framing: Framing = LineFraming() if self.lines_port else UtfFraming()
        try:
            body, rest = framing.split(raw)
            if body is not None and not rest and self._open is not None:
                self._program(raw, framing.decode(body), seconds)
                return
        except (FrameTooLong, ProtocolError):
            pass
        line = LineId.LOGIN if isinstance(self._open, Login) else LineId.LEGAL if self._open else LineId.ANSWERS
        self._open = None
        self._wrong(line, "what came is no message", raw, of_bytes(raw, self.lines_port))

    def _closed(self) -> None:
        if isinstance(self._last, Done):
            self.findings.right(LineId.CLOSES)
            self.findings.right(LineId.NEWS)
        elif self._open is not None and self._question.after is After.NEWS and self.findings.ends_on_news:
            # A program that ends on the news may still have run when the next question was sent.
            self._closed_on_news(self._told)
        elif self._open is not None:
            line = LineId.LOGIN if isinstance(self._open, Login) else LineId.ANSWERS
            what = "the program closed the connection instead of a reply"
            self._wrong(line, what, b"", mistake=Crash(self._sent, ""))
        elif self._last is not None:
            self.findings.ends_on_news = True
            self._closed_on_news(self._sent)
        self._open = self._last = None

    def _closed_on_news(self, told: str) -> None:
        self._sent = told
        what = "the program closed the connection before done"
        self._wrong(LineId.NEWS, what, None, mistake=Crash(told, ""))

    def _note(self, text: str) -> None:
        for words, line, cause in _REMARKS:
            if text.startswith(words):
                self._wrong(line, text, None, cause)
                return
        fault = _FAULT.match(text)
        if text == MOVED:
            self._open = None
        elif fault is None:
            self._where = text
        else:
            self._fault(fault)

    def _fault(self, fault: re.Match[str]) -> None:
        kind, reason = (
            FaultKind(fault[1]),
            fault[2].removesuffix("; the hand was folded").removesuffix("; the dealer checked"),
        )
        self._open = None
        self._wrong(_LINES.get(kind, LineId.LEGAL), f"{kind}: {reason}", None)

    def _wrong(
        self, line: LineId, what: str, raw: bytes | None, cause: str = "", mistake: Mistake | None = None
    ) -> None:
        assert self._cases is not None
        late = line is LineId.CLOCK
        rule = f"a reply is due within {self.limit:g} s of the question" if late else rule_of(line, self._cases)
        self.findings.add(Finding(line, what, rule, self._sent, raw, cause, (), self._where), mistake)
