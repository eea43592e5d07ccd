"""What is believed of one rival: its habits, and with each habit its hole card."""

from collections.abc import Iterable, Sequence
from operator import add, mul

from bots.strategies.stud_chances import KINDS, Holding
from bots.strategies.stud_habits import ALIKE, COUNT, Answers, counting, manners
from bots.strategies.stud_quality import Up
from bots.strategies.stud_street_one import NOTHING, Kinds, times

#: The part of what is known of a habit that is forgotten with every hand.
FORGET = 0.001
# With 0.02, 0.005 and 0.001: 2.7, 3.3 and 3.3 chips a hand from five tight (each +- 0.5, 600 deals, the same cards).


class Rival:
    """The player at one seat.

    ``_live[habit][kind]`` weighs that it has the habit and that card and is still in, ``_gone`` that it has folded.
    """

    def __init__(self, habits: Sequence[float] = ALIKE) -> None:
        self.habits = list(habits)

    def deal(self, up: Up, quality: Kinds, seats: int) -> None:
        """A new hand, in which it shows ``up``; ``quality`` is that of its hole cards by kind."""
        self._live = [[habit] * KINDS for habit in self.habits]
        self._gone = [[0.0] * KINDS for _ in self.habits]
        self._show(up, quality, seats)

    def raise_chance(self, unseen: Kinds) -> float:
        """The chance that it raises when asked."""
        raising = [times(live, answer.raises) for live, answer in self._habits()]
        return sum(_weights(raising, unseen)) / sum(_weights(self._live + self._gone, unseen))

    def acted(self, raised: float, expected: float, priced: bool) -> None:
        """Asked once, it raised with chance ``raised``, thought ``expected`` before; ``priced`` if it had to pay."""
        more, less = raised / expected, (1 - raised) / (1 - expected)
        for habit, (live, answer) in enumerate(self._habits()):
            rest = answer.calls if priced else answer.checks
            if priced:
                leaving = [less * weight for weight in times(live, answer.folds)]
                self._gone[habit] = list(map(add, self._gone[habit], leaving))
            likelihood = [more * raises + less * other for raises, other in zip(answer.raises, rest, strict=True)]
            self._live[habit] = [weight + NOTHING for weight in times(live, likelihood)]  # no card is ever ruled out
        self._asked += 1

    def stayed(self, up: Up, quality: Kinds, seats: int, priced: bool) -> None:
        """It is there on street 2 and shows ``up``."""
        if priced:
            self._live = [times(live, answer.stays) for live, answer in self._habits()]
        self._gone = [[0.0] * KINDS for _ in self.habits]
        self._show(up, quality, seats)

    def folded(self) -> None:
        """It is not there on street 2."""
        leaving = [times(live, answer.folds) for live, answer in self._habits()]
        self._gone = [list(map(add, *both)) for both in zip(self._gone, leaving, strict=True)]
        self._live = [[0.0] * KINDS for _ in self.habits]

    def holding(self) -> Holding:
        """Its hole card, over all habits, and with which cards it stays."""
        held = _columns([*self._live, *self._gone])
        there = _columns([times(live, answer.stays) for live, answer in self._habits()])
        return Holding(self._up, held, [live / card for live, card in zip(there, held, strict=True)])

    def raises_ahead(self, *, street_over: bool) -> Kinds:
        """By kind, how likely it holds that card times the raises to be expected with it.

        Args:
            street_over: not on this street, but on the next, as far as this street's cards tell.
        """
        asked = 0 if street_over else self._asked
        rows = [manner.ahead[min(asked, len(manner.ahead) - 1)] for manner in self._manners]
        return _columns([times(live, row) for live, row in zip(self._live, rows, strict=True)])

    def remember(self, unseen: Kinds) -> None:
        """The hand is over: keep what it told of the habits."""
        self._keep(map(add, _weights(self._live, unseen), _weights(self._gone, unseen)))

    def won(self, hole: int) -> None:
        """The hand is over, and it won with that kind of card in the hole."""
        self._keep(live[hole] for live in self._live)

    def _show(self, up: Up, quality: Kinds, seats: int) -> None:
        """A street begins."""
        self._up, self._asked = up, 0
        self._manners = [*manners(up), counting(quality, seats)]

    def _habits(self) -> Iterable[tuple[Kinds, Answers]]:
        """Of each habit the weights of the cards, and the answers to the next question."""
        for live, (answers, _) in zip(self._live, self._manners, strict=True):
            yield live, answers[min(self._asked, len(answers) - 1)]

    def _keep(self, weights: Iterable[float]) -> None:
        new = list(weights)
        if (total := sum(new)) > 0:
            self.habits = [(1 - FORGET) * weight / total + FORGET / COUNT for weight in new]


def _columns(rows: Sequence[Kinds]) -> Kinds:
    return [sum(column) for column in zip(*rows, strict=True)]


def _weights(by_habit: Sequence[Kinds], unseen: Kinds) -> list[float]:
    return [sum(map(mul, kinds, unseen)) for kinds in by_habit]
