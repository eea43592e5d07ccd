"""A session as a dealer holds it: login, questions, news, goodbye. Everything wrong is written down."""

from dealer.checker.scoring.causes import Exchange, of_bytes, of_silence
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.login import log_in
from dealer.checker.session.talk import Lost, Talk
from dealer.checker.session.wire_log import Came
from protocol.games.base import Status, Turn
from protocol.wire.codec import encode
from protocol.wire.messages import Done, GameInfo

CLOSING_SECONDS = 2.0
"""How long a program may take to close its socket after done."""

EXIT_SECONDS = 3.0
"""How long it may run on after that."""

HURRIED = 0.1
"""The part of these times that is left to a program that has not kept them before."""

MANY_NEWS = 5
"""After so many messages without a question it is seen whether the program is still there, before it is asked."""

PAUSE_SECONDS = 0.2
"""How long a careful session listens where nothing is to be heard."""

SLOW_ENOUGH = 5
"""After so many late replies on one connection there is nothing more to learn there."""

SILENT_ENOUGH = 4
"""After so many questions without a reply, a connection is given up at the next."""

TWICE = {"login": "it sends two replies to login", "bet": "it sends two replies to one question"}
"""What an unasked reply means, by the kind of message before it; else it replies to that message."""


class Session:
    """See the module. Its methods raise Lost when the connection can tell no more.

    Args:
        talk: on its connection.

    Attributes:
        answered: questions of this connection with their replies.
    """

    def __init__(self, talk: Talk) -> None:
        self.answered: list[Exchange] = []
        self.talk = talk
        self._unanswered = ""
        self._news = 0
        self._late = 0

    async def log_in(self) -> None:
        """Ask who is there."""
        await log_in(self.talk)
        await self._after("login")

    async def ask(self, turn: Turn) -> Came | None:
        """Put a question; the reply, judged in time but not in content. None if none came, which may happen once."""
        talk = self.talk
        await self._drain(PAUSE_SECONDS if self._news >= MANY_NEWS else 0.0)
        self._news = 0
        crash = LineId.NEWS if talk.findings.wrong[LineId.NEWS] else LineId.ANSWERS
        async with talk.listening(LineId.LEGAL, crash):
            came = await talk.put(encode(turn))
        if came is None:
            self._never_answered(encode(turn))
            return None
        talk.findings.answered.append(encode(turn))
        if self._unanswered:
            await self._explain_silence_by_a_reply()
        talk.findings.fine(LineId.ANSWERS)
        await self._after("bet")
        self._late += came.seconds > talk.manner.limit
        if self._late >= SLOW_ENOUGH:
            raise Lost
        return came

    async def tell(self, message: Status | GameInfo) -> None:
        """Say something that needs no reply."""
        await self._drain()
        self._news += 1
        await self.talk.send(encode(message))
        if self._unanswered:
            await self._explain_silence_by_news()
        await self._after("status" if isinstance(message, Status) else "game")
        self.talk.findings.fine(LineId.NEWS)

    async def say_goodbye(self, reason: str) -> None:
        """Say done, and see the program close its connection and end."""
        talk = self.talk
        if self._unanswered:
            self._own_up(self._unknown(self._unanswered) or of_silence(talk.printed))
        await self._drain()
        await talk.send(encode(Done(reason)))
        patience = HURRIED if talk.findings.wrong[LineId.CLOSES] else 1.0
        if said := await talk.wire.linger(CLOSING_SECONDS * patience):
            talk.wire.drop_rest()
            talk.wrong(LineId.ANSWERS, "it spoke after done", said, "it replies to done")
        if talk.wire.gone:
            await self._see_it_end(EXIT_SECONDS * patience)
        else:
            cause = "it goes on reading: when done comes, the loop has to end and the socket to be closed"
            talk.wrong(LineId.CLOSES, "the socket was still open some time after done", None, cause)

    async def _see_it_end(self, seconds: float) -> None:
        talk, program = self.talk, self.talk.visit.program
        if program is not None and not await program.ended(seconds):
            cause = "a thread, a window or a loop keeps it running"
            talk.wrong(LineId.CLOSES, "it still ran some time after it had closed its socket", None, cause)
            return
        talk.findings.fine(LineId.CLOSES)
        if program is not None and program.code:
            lines = program.last_lines
            talk.wrong(
                LineId.NEWS, f"it ended with exit code {program.code} after done", None, "it crashes on done", lines
            )
        else:
            talk.findings.fine(LineId.NEWS)

    async def _after(self, kind: str) -> None:
        """What comes unasked behind a message of a kind: found out if we are careful, else waited for if known."""
        talk = self.talk
        line = LineId.NEWS if kind in ("status", "game") else LineId.ANSWERS
        async with talk.listening(LineId.ANSWERS, line):
            if not talk.manner.careful:
                for _ in range(talk.manner.habits[kind]):
                    await talk.wire.hear(talk.manner.limit)
                return
            extra = await talk.wire.unasked(PAUSE_SECONDS)
        talk.manner.habits[kind] = max(talk.manner.habits[kind], len(extra))
        raw = b"".join([came.raw for came in extra]) + talk.wire.drop_rest()
        if raw:
            cause = TWICE.get(kind, f"it replies to {kind}")
            talk.wrong(LineId.ANSWERS, f"it spoke although nothing was asked, after {kind}", raw, cause)
        if talk.wire.gone:
            raise await talk.crashed(line)

    async def _drain(self, seconds: float = 0.0) -> None:
        """Whatever is here before we speak, or comes within ``seconds``, was not asked for."""
        talk = self.talk
        async with talk.listening(LineId.ANSWERS, LineId.ANSWERS):
            extra = await talk.wire.unasked(seconds)
        if extra:
            raw = b"".join([came.raw for came in extra])
            talk.wrong(LineId.ANSWERS, "it spoke although nothing was asked", raw)
        if talk.wire.gone:
            raise await talk.crashed(LineId.NEWS if self._news else LineId.ANSWERS)

    def _never_answered(self, question: str) -> None:
        """A first question without a reply is forgiven for a moment: how the program goes on tells why."""
        talk = self.talk
        if rest := talk.wire.drop_rest():
            cause = of_bytes(rest, talk.lines)
            raise talk.lost(LineId.ANSWERS, f"no whole reply came within {talk.waited}", rest, cause)
        talk.findings.silences += 1
        twice, self._unanswered = bool(self._unanswered), question
        cause = of_silence(talk.printed)
        if twice or talk.findings.silences >= SILENT_ENOUGH or "prints" in cause:
            self._own_up(self._unknown(question) or cause)
            raise Lost

    async def _explain_silence_by_news(self) -> None:
        """The hand was folded for a silent program, and it has heard how the hand ended."""
        if await self.talk.wire.hear(self.talk.manner.limit) is not None:
            self._own_up("it reads one message too many: it replies only when the next one comes")
            raise Lost

    async def _explain_silence_by_a_reply(self) -> None:
        """A program that has missed a question answers the next: once if it lost the first, twice if it is slow."""
        slow = await self.talk.wire.hear(self.talk.manner.limit) is not None
        behind = "it reads one message too many, and loses it: one read before the loop, or two in it"
        self._own_up("it is much too slow" if slow else self._unknown(self._unanswered) or behind)

    def _unknown(self, question: str) -> str:
        """What a silence means if no question of this kind was ever answered, but others were."""
        kind, *_ = question.partition(":")
        answered = {text.partition(":")[0] for text in self.talk.findings.answered}
        return f"it does not know {kind}" if answered and kind not in answered else ""

    def _own_up(self, cause: str) -> None:
        talk = self.talk
        talk.wrong(LineId.ANSWERS, "no reply came", b"", cause, talk.visit.last_lines, sent=self._unanswered)
        self._unanswered = ""

    def remember(self, turn: Turn, reply: str) -> None:
        """Keep a question and its reply for comparison with later ones."""
        self.answered.append(Exchange(turn, reply))
