"""What a check has found so far: how often things went well, and everything that was wrong."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from dealer.checker.scoring.evidence import Bets, Mistake, Question
from dealer.checker.scoring.rubric import LineId

#: Findings of one line with one cause that are kept as examples. A program that is wrong every time must not fill the
#: memory. Findings whose cause is found at the end of the check are short, and all kept.
KEPT = 200

#: After so many replies that are wrong in the same way, all others would be.
ENOUGH_REPLIES = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was wrong.

    Attributes:
        line: the id of the line of the rubric.
        what: what happened, in words.
        rule: the rule that was broken, in one sentence.
        sent: the last message the program was sent; empty if there was none.
        came: the bytes that came back; None where the mistake is not in the bytes.
        cause: what such a mistake usually comes from, where it is recognised.
        said: the last lines of the program's own output, where they matter.
        where: the part of the check.
    """

    line: str
    what: str
    rule: str
    sent: str = ""
    came: bytes | None = None
    cause: str = ""
    said: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """How one situation was played.

    Attributes:
        line: the id of the line of the rubric.
        name: of the situation.
        good: whether the play makes sense; None if it was not judged.
        reason: why such play makes sense, in the words of the assignment where it has some.
        seen: questions with their replies, as examples of play that does not make sense; or why it was not judged.
    """

    line: str
    name: str
    good: bool | None
    reason: str
    seen: tuple[str, ...] = ()


@dataclass(slots=True)
class Findings:
    """Everything found in a check; it is filled while the program is checked.

    Attributes:
        checks: how often something was right, by line of the rubric.
        wrong: how often something was wrong, by line.
        causes: the same by line and cause, as far as the cause is known.
        kept: what was wrong, in full; see ``KEPT``.
        played: situations.
        seconds: of each reply, from the last byte of the question to the last byte of the reply.
        silences: questions that were never answered.
        answered: the questions that got a reply.
        bets: what the bets of the program exclude.
        prints_replies: whether the program prints what looks like a reply when it is told how a hand ended.
        ends_on_news: whether the program was seen to end on a message that needs no reply.
        names: the replies to login.
        notes: facts about lines that were passed.
        first_replies: what was wrong with each of the first replies to questions; empty where nothing was.
    """

    checks: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: list[Finding] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    silences: int = 0
    answered: list[Question] = field(default_factory=list)
    bets: Bets = field(default_factory=Bets)
    prints_replies: bool = False
    ends_on_news: bool = False
    names: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    first_replies: list[str] = field(default_factory=list)
    # Mistakes that are explained at the end, with their places in ``kept``.
    _unexplained: list[tuple[int, Mistake]] = field(default_factory=list)

    def right(self, line: str) -> None:
        """Count something that was right."""
        self.checks[line] += 1

    def add(self, finding: Finding, mistake: Mistake | None = None) -> None:
        """Count something that was wrong, and keep it unless there are very many.

        Args:
            finding: what was wrong.
            mistake: what to explain it by when the check is over, if it can only be explained then.
        """
        self.wrong[finding.line] += 1
        if mistake is not None:
            self._unexplained.append((len(self.kept), mistake))
            self.kept.append(finding)
        elif self._count(finding) <= KEPT:
            self.kept.append(finding)

    def _count(self, finding: Finding) -> int:
        """Count a finding whose cause is known, and say how many of its kind there are."""
        self.causes[finding.line, finding.cause] += 1
        return self.causes[finding.line, finding.cause]

    def explain(self, causes: Callable[[Sequence[Mistake]], Sequence[str | None]]) -> None:
        """Give the mistakes that were kept for the end their causes, which ``causes`` finds for all of them.

        A mistake that follows from another one, whose cause is None, is taken back.
        """
        found = causes([mistake for _, mistake in self._unexplained])
        taken_back = set()
        for (place, _), cause in zip(self._unexplained, found, strict=True):
            if cause is None:
                taken_back.add(place)
                self.wrong[self.kept[place].line] -= 1
            else:
                self.kept[place] = replace(self.kept[place], cause=cause)
                self._count(self.kept[place])
        self.kept = [finding for place, finding in enumerate(self.kept) if place not in taken_back]
        self._unexplained.clear()

    def reply_checked(self, since: int) -> None:
        """A reply was checked; ``since`` is how many mistakes were kept before its question."""
        if len(self.first_replies) < ENOUGH_REPLIES:
            wrong = [finding for finding in self.kept[since:] if finding.line in (LineId.LEGAL, LineId.ANSWERS)]
            self.first_replies.append(wrong[0].cause or wrong[0].what if wrong else "")

    @property
    def always_wrong(self) -> str:
        """What was wrong with the first few replies, if it was the same with all of them; else empty."""
        same = len(self.first_replies) == ENOUGH_REPLIES and len(set(self.first_replies)) == 1
        return self.first_replies[0] if same else ""

    def of(self, line: str) -> list[Finding]:
        """What was wrong with a line, in the order in which it happened."""
        return [finding for finding in self.kept if finding.line == line]
