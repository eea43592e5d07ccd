"""Mistakes whose causes show only when the whole check is over: values that ``explain.py`` compares."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from protocol.games.base import Turn

#: Equal bets that are no accident.
MANY = 5


class After(StrEnum):
    """What a program was told, or did, before a question."""

    #: It logged in: the question is the first of its connection.
    LOGIN = "login"
    #: It was told how the last hand ended, or that another game begins.
    NEWS = "news"
    #: It replied to the question before.
    REPLY = "reply"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, as far as causes depend on it.

    Attributes:
        text: of the message.
        after: what came before it.
    """

    text: str
    after: After

    @property
    def kind(self) -> str:
        """Its first field, such as ``bet1``."""
        return self.text.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Silence:
    """A question without a reply, after which the program goes on as if it had not been asked.

    Attributes:
        question: that was lost.
        output: what the program printed between the question and the end of the wait.
        reads_on: whether its output shows messages that it was sent after the question.
    """

    question: Question
    output: str = ""
    reads_on: bool = False


@dataclass(frozen=True, slots=True)
class Crash:
    """The end of a program.

    Attributes:
        sent: the last message that it was sent.
        output: its standard error and output.
        code: its exit code; None where it is not known, or the program runs on.
    """

    sent: str
    output: str
    code: int | None = None

    @property
    def kind(self) -> str:
        """The first field of the message, such as ``bet1``."""
        return self.sent.partition(":")[0]


@dataclass(frozen=True, slots=True)
class PlacedBet:
    """A bet with what came before it. As a mistake: one that the rules forbid.

    Attributes:
        amount: chips that the program bet.
        turn: the question.
        put: chips that the program put in on this street before.
        last: the question before on this connection; None if there was none.
        before: the chips of its bet before, by street, on this connection.
    """

    amount: int
    turn: Turn
    put: int
    last: Turn | None
    before: Mapping[int, int] = field(default_factory=dict)

    @property
    def most(self) -> int:
        """The most chips that the rules allow."""
        return _most(self.turn)

    @property
    def short(self) -> bool:
        """Whether it is more than a call, and less than the least raise."""
        raises = self.turn.legal().raises
        return bool(raises) and self.turn.owed < self.amount < raises[0]

    @property
    def is_all_in(self) -> bool:
        """Whether it is the whole stack."""
        return self.amount == self.turn.stack

    @property
    def is_too_high(self) -> bool:
        """Whether it is above the highest legal bet, and not the whole stack."""
        return self.most < self.amount and not self.is_all_in

    @property
    def is_total(self) -> bool:
        """Whether it would be allowed without the chips that the program had put in on the street.

        A total that was legal by chance put in more than the program believes: that is its last number.
        """
        believed = (self.put, self.before.get(self.turn.street, self.put))
        return bool(self.put) and any(self.turn.owed <= self.amount - put <= self.most for put in believed)

    @property
    def is_raise_alone(self) -> bool:
        """Whether it would be allowed if what is owed was added."""
        return self.amount < self.turn.owed <= self.amount + self.turn.owed <= self.most

    @property
    def takes_pot_for_owed(self) -> bool:
        """Whether it would be allowed if the pot was what is owed."""
        return self.most < self.amount and 0 <= self.amount - self.turn.pot <= self.most - self.turn.owed

    @property
    def fits_before(self) -> bool | None:
        """Whether the amount was legal at the question before; None where that cannot be told.

        It says nothing where the same was owed, nor where only the stack of then forbade as much.
        """
        last = self.last
        if last is None or last.owed == self.turn.owed:
            return None
        most = _most(last)
        if self.amount > most == last.stack:
            return None
        return last.owed <= self.amount <= most


def _most(turn: Turn) -> int:
    return max(turn.legal().raises, default=turn.owed)


@dataclass(slots=True)
class Bets:
    """All bets of a program, legal ones too: they say how it computes them.

    Attributes:
        placed: in the order in which they came.
        below_zero: replies with a bet below zero, which cannot be read.
    """

    placed: list[PlacedBet] = field(default_factory=list)
    below_zero: int = 0
    _before: dict[int, int] = field(default_factory=dict)

    def begin(self) -> None:
        """Another connection begins: the program that talks there knows nothing of bets before."""
        self._before = {}

    def place(self, amount: int, turn: Turn, put: int, last: Turn | None) -> PlacedBet:
        """A bet of the program, in the order in which they come; for the arguments see ``PlacedBet``."""
        bet = PlacedBet(amount, turn, put, last, self._before)
        self._before = {**self._before, turn.street: amount}
        self.placed.append(bet)
        return bet


@dataclass(frozen=True, slots=True)
class StillOpen:
    """A connection that was still open some time after done.

    Attributes:
        after: what came before done.
    """

    after: After


Mistake = Silence | Crash | PlacedBet | StillOpen


def most_supported(candidates: Sequence[Sequence[str]]) -> list[str]:
    """For each mistake, which of its possible causes explains the most mistakes of all; all of them where equal.

    Two causes that look alike in one mistake differ in others: the one that explains more of them is kept, and the
    other is excluded. What it does not explain is given to the next cause in the same way.
    """
    named, left = [""] * len(candidates), set(range(len(candidates)))
    while support := Counter(cause for place in left for cause in candidates[place]):
        most = max(support.values())
        best = {cause for cause, explained in support.items() if explained == most}
        for place in [place for place in left if best.intersection(candidates[place])]:
            named[place] = " - or ".join(cause for cause in candidates[place] if cause in best)
            left.remove(place)
    return named
