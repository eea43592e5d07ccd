"""Goes through all parts of a check with one program."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dealer.checker.cases.parts import Part
from dealer.checker.scoring.findings import Finding, Findings
from dealer.checker.scoring.rubric import LineId
from dealer.checker.session.judged_hand import play
from dealer.checker.session.program_run import Host, NotConnected, Visit, open_visit
from dealer.checker.session.session import Session
from dealer.checker.session.talk import Lost, Manner, Talk
from dealer.checker.session.wire_log import Entry

AGAIN = 2
"""How often a part is taken up again on a new connection after the program was lost in it."""

CONNECTS_RULE = "the program connects to the address and the port it is given, once, and waits to be asked"


@dataclass(slots=True)
class Examiner:
    """One check.

    Args:
        host: where and how the program comes.
        limit: seconds until a reply is late.
        show: tells whoever watches which part is on, how many hands of it are played, and how many there are.

    Attributes:
        findings: so far.
        tapes: of all connections, with the part they were for.
    """

    host: Host
    limit: float
    show: Callable[[str, int, int], None]
    findings: Findings = field(default_factory=Findings)
    tapes: list[tuple[str, list[Entry]]] = field(default_factory=list)
    _habits: Counter[str] = field(default_factory=Counter)

    async def examine(self, parts: Sequence[Part]) -> None:
        """Play all parts; those that need what the program has shown it cannot do are left out."""
        for part in parts:
            for _ in range(1 + AGAIN):
                outcome = await self._visit(part)
                if outcome is not _LOST or not self._worth_going_on():
                    break
            part.write_down(self.findings)
            if outcome is _ABSENT or not self._worth_going_on():
                return

    def _worth_going_on(self) -> bool:
        """Whether the program can log in, and has answered a question."""
        return bool(self.findings.names) and self.findings.checks[LineId.ANSWERS] > 0

    async def _visit(self, part: Part) -> str:
        """One connection; how it ended."""
        self.show(part.name, 0, part.hands)
        try:
            async with open_visit(self.host) as visit:
                self._came(visit)
                over = await self._talk(part, visit)
                self._only_once(part, visit)
        except* NotConnected as errors:
            for error in errors.exceptions:
                assert isinstance(error, NotConnected)
                self.findings.add(
                    Finding(LineId.CONNECTS, str(error), CONNECTS_RULE, "", None, error.cause, error.said, part.name)
                )
            over = _ABSENT
        return over

    def _came(self, visit: Visit) -> None:
        self.findings.fine(LineId.CONNECTS)
        if self.host.command is not None:
            self.findings.notes.setdefault(LineId.CONNECTS, f"after {visit.startup:.2f} s")

    def _only_once(self, part: Part, visit: Visit) -> None:
        if visit.more:
            what = f"it opened {1 + len(visit.more)} connections at once"
            cause = "a second Socket is made, perhaps in a constructor that is called twice"
            self.findings.add(Finding(LineId.CONNECTS, what, CONNECTS_RULE, "", None, cause, (), part.name))

    async def _talk(self, part: Part, visit: Visit) -> str:
        manner = Manner(part.name, self.limit, part.careful, self._habits)
        session = Session(Talk(visit, self.findings, manner))
        self.tapes.append((part.name, visit.wire.tape))
        try:
            await session.log_in()
            await self._play(part, session)
            await session.say_goodbye(part.goodbye)
        except Lost:
            return _LOST
        return _OVER

    async def _play(self, part: Part, session: Session) -> None:
        for number, deal in enumerate(part.deals, 1):
            self.show(part.name, number, part.hands)
            if not await play(session, deal):
                return


_OVER, _LOST, _ABSENT = "over", "lost", "absent"
