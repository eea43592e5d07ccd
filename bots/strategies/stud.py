"""``stud``: counts its chances, infers rivals' cards from their bets, and bets by expected value.

The wire does not say who bet. But between two of our questions on a street every other live seat acts once, so
what we owe says how many of them raised; street 2 lists who stayed; the status shows a winner's cards. Each rival
is taken to have one of a few *habits*, and how likely each habit is together with each hole card follows by Bayes'
rule. What is learned of the habits is kept from hand to hand, as long as the same number of seats is at the table.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from operator import add, mul
from random import Random
from typing import ClassVar, NamedTuple

from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategies.stud_chances import (
    KINDS,
    Holding,
    kind_of,
    likely_raisers,
    outcomes,
    staying,
    unseen_kinds,
    worth_of_staying,
)
from bots.strategies.stud_street_one import NOTHING, Kinds, times
from bots.strategy import Simple
from protocol.cards import Rank, Suit
from protocol.games.base import Action, Status
from protocol.games.stud import MAX_RAISE, NAME, StudTurn

#: A raise must bring back this many times its chips: who stays after it holds more than who was there before it.
RAISE_MARGIN = 1.1
# Chips a hand with 1.0, 1.1 and 1.2: 43.5, 43.2 and 42.5 from the yardsticks, 0.8, 1.3 and 1.5 from five tight.

#: The part of what is known of a habit that is forgotten with every hand.
FORGET = 0.001
# With 0.02, 0.005 and 0.001: 0.1, 0.9 and 1.3 chips a hand from five tight, no difference from the yardsticks.


class Habit(NamedTuple):
    """How a kind of player answers one question, by how good its hole card looks: see ``_looks``.

    Attributes:
        stays: the chance not to fold when it has to pay.
        raises: the chance to raise.
    """

    stays: tuple[float, float, float, float, float]
    raises: tuple[float, float, float, float, float]


# Looks are: a pair, a high spade, another spade, a high card, nothing. No chance is 0 or 1: one exception would rule
# out a habit for ever, because Bayes' rule multiplies.
HABITS = (
    Habit((0.98,) * 5, (0.03,) * 5),  # calls, with any cards
    Habit((0.98,) * 5, (0.8,) * 5),  # raises, with any cards
    Habit((0.67,) * 5, (0.33,) * 5),  # does not look at its cards
    Habit((0.98, 0.98, 0.4, 0.4, 0.1), (0.85, 0.85, 0.03, 0.03, 0.03)),  # picks its hands
    Habit((0.98, 0.05, 0.05, 0.05, 0.05), (0.7, 0.03, 0.03, 0.03, 0.03)),  # waits for a pair
)
ALIKE = (1 / len(HABITS),) * len(HABITS)


def _looks(up: Sequence[int]) -> list[int]:
    """How good each kind of card in the hole looks beside the ranks ``up``: the place in a habit's chances."""
    looks = []
    for suit in (Suit.CLUBS, Suit.SPADES):
        for rank in Rank:
            if rank in up or len(set(up)) < len(up):
                looks.append(0)
            elif suit is Suit.SPADES:
                looks.append(1 if rank >= Rank.JACK else 2)
            else:
                looks.append(3 if max(rank, *up) >= Rank.KING else 4)
    return looks


class _Answers(NamedTuple):
    """A habit's chances by kind of hole card; calls and folds are those of a seat that has to pay."""

    raises: Kinds
    calls: Kinds
    folds: Kinds
    stays: Kinds
    checks: Kinds


def _answers(habit: Habit, up: tuple[int, ...]) -> _Answers:
    each = [(habit.raises[look], habit.stays[look]) for look in _looks(up)]
    rows = [(often, stay - often, 1 - stay, stay, 1 - often) for often, stay in each]
    return _Answers(*map(list, zip(*rows, strict=True)))


_ANSWERS: dict[tuple[int, ...], list[_Answers]] = {
    up: [_answers(habit, up) for habit in HABITS] for up in [*product(Rank), *product(Rank, Rank)]
}


class Rival:
    """What is believed of the player at one seat: its habits, and in a hand its hole card with each habit.

    ``_live[habit][kind]`` weighs that it has the habit and that card and is still in, ``_gone`` that it has folded.
    """

    def __init__(self, habits: Sequence[float] = ALIKE) -> None:
        self.habits = list(habits)

    def deal(self, up: int) -> None:
        """A new hand, in which it shows ``up``."""
        self._up: tuple[int, ...] = (up,)
        self._live = [[habit] * KINDS for habit in self.habits]
        self._gone = [[0.0] * KINDS for _ in HABITS]

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

    def stayed(self, up: tuple[int, ...], priced: bool) -> None:
        """It is there on street 2 and shows ``up``."""
        if priced:
            self._live = [times(live, answer.stays) for live, answer in self._habits()]
        self._gone = [[0.0] * KINDS for _ in HABITS]
        self._up = up

    def folded(self) -> None:
        """It is not there on street 2."""
        leaving = [times(live, answer.folds) for live, answer in self._habits()]
        self._gone = [list(map(add, *both)) for both in zip(self._gone, leaving, strict=True)]
        self._live = [[0.0] * KINDS for _ in HABITS]

    def holding(self) -> Holding:
        """Its hole card, over all habits, and with which cards it stays."""
        held = [sum(column) for column in zip(*self._live, *self._gone, strict=True)]
        staying_on = [times(live, answer.stays) for live, answer in self._habits()]
        there = [sum(column) for column in zip(*staying_on, strict=True)]
        return Holding(self._up, held, [live / card for live, card in zip(there, held, strict=True)])

    def remember(self, unseen: Kinds) -> None:
        """The hand is over: keep what it told of the habits."""
        self._keep(map(add, _weights(self._live, unseen), _weights(self._gone, unseen)))

    def won(self, hole: int) -> None:
        """The hand is over, and it won with that kind of card in the hole."""
        self._keep(live[hole] for live in self._live)

    def _habits(self) -> Iterable[tuple[Kinds, _Answers]]:
        return zip(self._live, _ANSWERS[self._up], strict=True)

    def _keep(self, weights: Iterable[float]) -> None:
        new = list(weights)
        if (total := sum(new)) > 0:
            self.habits = [(1 - FORGET) * weight / total + FORGET / len(HABITS) for weight in new]


def _weights(by_habit: Sequence[Kinds], unseen: Kinds) -> list[float]:
    return [sum(map(mul, kinds, unseen)) for kinds in by_habit]


class Stud(Simple):
    """The house's best player. It takes no chances of its own: the same questions get the same answers."""

    games = (NAME,)
    default_in: ClassVar = {NAME: 1}
    level = "hard"
    source = "the house: chances of every card, Bayes' rule over five habits, expected value"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._rivals: dict[int, Rival] = {}
        self._live: list[int] = []
        self._street = 0

    def decide(self, turn: StudTurn) -> Action:
        """Raise if a raise pays for itself, else call if the pot pays for what staying costs."""
        first = turn.street != self._street
        if first:
            self._open(turn)
        self._read_bets(turn, first)
        rivals = [self._rivals[seat] for seat in self._live]
        holdings = [rival.holding() for rival in rivals]
        ways = outcomes((turn.hole, *turn.up), holdings, self._unseen)
        company = sum(staying(holding, self._unseen) for holding in holdings)
        if sum(way.chance * way.share for way in ways) * (company + 1) > RAISE_MARGIN:
            return raise_by(turn, MAX_RAISE)
        # Calling is not the end of the street: each rival may still raise, with the chance that its habits give it.
        toll = MAX_RAISE * sum(rival.raise_chance(self._unseen) for rival in rivals)
        return call(turn) if worth_of_staying(turn, ways, company, toll) > 0 else check_or_fold(turn)

    def hand_over(self, status: Status) -> None:
        """Learn what the hand told of each rival."""
        if not self._street:
            return
        self._street = 0
        hole, first_up, _ = status.cards
        for seat, rival in self._rivals.items():
            if self._ups[seat] == first_up:
                rival.won(kind_of(hole))
            else:
                rival.remember(self._unseen)

    def _open(self, turn: StudTurn) -> None:
        """The first question of a street: who is there, with which cards up."""
        if not self._street:
            self._deal(turn)
        self._street = turn.street
        if turn.street == 1:
            return
        shown = {self._ups.index(up[0]): up for up in turn.shown}
        self._unseen = unseen_kinds([turn.hole, *self._ups, *(up[1] for up in turn.shown)])
        self._live = [seat for seat in self._live if seat in shown]
        for seat, rival in self._rivals.items():
            if seat in shown:
                rival.stayed(tuple(card.rank for card in shown[seat]), turn.stack < self._stack)
            else:
                rival.folded()

    def _deal(self, turn: StudTurn) -> None:
        """The first question of a hand. Who left is not told, so another number of seats mixes up what was known."""
        self._ups, self._stack = [up[0] for up in turn.shown], turn.stack
        self._seat = self._ups.index(turn.up[0])
        self._live = [seat for seat in range(len(self._ups)) if seat != self._seat]
        if list(self._rivals) != self._live:
            known = [rival.habits for rival in self._rivals.values()] or [list(ALIKE)]
            average = [sum(column) / len(known) for column in zip(*known, strict=True)]
            self._rivals = {seat: Rival(average) for seat in self._live}
        for seat, rival in self._rivals.items():
            rival.deal(self._ups[seat].rank)
        self._unseen = unseen_kinds([turn.hole, *self._ups])

    def _read_bets(self, turn: StudTurn, first: bool) -> None:
        """Every seat asked since our last question was asked once, and what we owe is what they raised."""
        asked = self._before_us(turn) if first else self._live
        # A raise is at most MAX_RAISE chips, so what we owe took at least so many raises (rounded up).
        expected = [self._rivals[seat].raise_chance(self._unseen) for seat in asked]
        raised = likely_raisers(expected, -(-turn.owed // MAX_RAISE))
        for seat, now, before in zip(asked, raised, expected, strict=True):
            self._rivals[seat].acted(now, before, turn.owed > 0)

    def _before_us(self, turn: StudTurn) -> list[int]:
        """The seats from the opener to us."""
        here = sorted([*self._live, self._seat])
        cards = dict(zip(here, turn.shown, strict=True))
        opener = here.index(max(here, key=lambda seat: max(cards[seat])))
        order = here[opener:] + here[:opener]
        return order[: order.index(self._seat)]
