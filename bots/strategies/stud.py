"""``stud``: counts its chances, infers rivals' cards from their bets, and bets by expected value.

The wire does not say who bet. But between two of our questions on a street every other live seat acts once, so
what we owe says how many of them raised; street 2 lists who stayed; the status shows a winner's cards. Each rival
is taken to have one of a few *habits*, and how likely each habit is together with each hole card follows by Bayes'
rule. What is learned of the habits is kept from hand to hand, as long as the same number of seats is at the table.

Where stacks are kept from hand to hand, lost chips cannot be had back, and large risks are taken only for more.
"""

from collections.abc import Iterable, Sequence
from operator import add, mul
from random import Random
from typing import ClassVar, NamedTuple

from bots.strategies.moves import call, check_or_fold, raise_by
from bots.strategies.stud_chances import (
    KINDS,
    Holding,
    Outcome,
    kind_of,
    likely_raisers,
    outcomes,
    staying,
    unseen_kinds,
)
from bots.strategies.stud_habits import ALIKE, COUNT, Answers, counting, manners
from bots.strategies.stud_quality import Up, qualities
from bots.strategies.stud_street_one import NOTHING, Kinds, times
from bots.strategy import Simple
from protocol.games.base import Action, Status
from protocol.games.stud import MAX_RAISE, NAME, StudTurn

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


class Stud(Simple):
    """The house's best player. It takes no chances of its own: the same questions get the same answers."""

    games = (NAME,)
    default_in: ClassVar = {NAME: 1}
    level = "hard"
    source = "the house: chances of every card, Bayes' rule over six habits, expected value"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._rivals: dict[int, Rival] = {}
        self._live: list[int] = []
        self._street = 0
        # Chips after the ante of the last hand. Where they differ, stacks are kept from hand to hand.
        self._stack: int | None = None
        self._kept = False

    def decide(self, turn: StudTurn) -> Action:
        """Raise if a raise pays for itself, else call if the pot pays for what staying costs."""
        first = turn.street != self._street
        if first:
            self._open(turn)
        self._read_bets(turn, first)
        rivals = [self._rivals[seat] for seat in self._live]
        judged = worth(turn, rivals, self._unseen, kept=self._kept)
        if judged.raising:
            return raise_by(turn, MAX_RAISE)
        return call(turn) if judged.stay > 0 else check_or_fold(turn)

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
        ups = {seat: tuple(card.rank for card in up) for seat, up in shown.items()}
        quality = dict(zip(ups, qualities(list(ups.values()), self._unseen), strict=True))
        for seat, rival in self._rivals.items():
            if seat in shown:
                rival.stayed(ups[seat], quality[seat], len(ups), self._paid(turn))
            else:
                rival.folded()

    def _deal(self, turn: StudTurn) -> None:
        """The first question of a hand. Who left is not told, so another number of seats mixes up what was known."""
        self._kept = self._kept or self._stack not in (None, turn.stack)
        self._ups, self._stack = [up[0] for up in turn.shown], turn.stack
        self._seat = self._ups.index(turn.up[0])
        self._live = [seat for seat in range(len(self._ups)) if seat != self._seat]
        if list(self._rivals) != self._live:
            known = [rival.habits for rival in self._rivals.values()] or [list(ALIKE)]
            average = [sum(column) / len(known) for column in zip(*known, strict=True)]
            self._rivals = {seat: Rival(average) for seat in self._live}
        self._unseen = unseen_kinds([turn.hole, *self._ups])
        ups = [(up.rank,) for up in self._ups]
        quality = qualities(ups, self._unseen)
        for seat, rival in self._rivals.items():
            rival.deal(ups[seat], quality[seat], len(ups))

    def _paid(self, turn: StudTurn) -> bool:
        """Whether street 1 had to be paid for."""
        assert self._stack is not None
        return turn.stack < self._stack

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


#: A raise must bring back this many times its chips: who stays after it holds more than who was there before it.
RAISE_MARGIN = 1.1

#: Chips of further raises that are reckoned with on a street, at most: then a hand that is not good enough is folded.
MOST_TOLL = 40

#: A rival's card counts under pressure as if it raised this much more often.
CALM = 0.02

#: How much certain chips are worth more than uncertain ones where stacks are kept: relative risk aversion, 1 for log.
RISK_AVERSION = 1.0


class Worth(NamedTuple):
    """What can be done, against folding and against calling.

    Attributes:
        stay: chips that calling is worth more than folding.
        raising: whether a raise is worth more than a call.
    """

    stay: float
    raising: bool


class _Pressure(NamedTuple):
    """The raises that rivals are expected to make on one street.

    Attributes:
        chips: that they cost.
        ahead: of each rival by kind of card: see ``Rival.raises_ahead``.
        means: of each rival over all cards.
    """

    chips: float
    ahead: list[Kinds]
    means: list[float]


def worth(turn: StudTurn, rivals: Sequence[Rival], unseen: Kinds, *, kept: bool) -> Worth:
    """What staying in the hand and raising are worth, in chips, from what is believed of the rivals.

    A share of the pot is not enough to go by, because the pot grows most when a rival is strong. So each decision is
    judged twice: against the rivals' cards as they are believed to be, and *under pressure*, against the cards with
    which the most dangerous rival would raise again, weighed by how often it would.

    Args:
        rivals: who may still be in.
        unseen: cards left by kind.
        kept: whether stacks are kept from hand to hand, so that lost chips are missed.
    """
    holdings = [rival.holding() for rival in rivals]
    company = sum(staying(holding, unseen) for holding in holdings)
    ways = outcomes(turn.own, holdings, unseen)
    share = _share(ways)
    promising = share * (company + 1) > RAISE_MARGIN
    if not (turn.owed or promising):
        return Worth(0.0, raising=False)
    now = _pressure(turn, rivals, holdings, unseen, street_over=False)
    later = _pressure(turn, rivals, holdings, unseen, street_over=True) if turn.street == 1 else None
    if not promising and _stay(turn, ways, ways, company, now, later) <= 0:
        return Worth(-1.0, raising=False)
    hard = outcomes(turn.own, _pressed(holdings, now, later), unseen)
    stay = _stay(turn, ways, hard, company, now, later)
    value = min(share, _share(hard)) * (company + 1)
    raised = min(MAX_RAISE, turn.stack - turn.owed)
    gain = raised * (value - RAISE_MARGIN)
    if kept:
        pot = _pot(turn, company)
        risk = RISK_AVERSION / 2 * share * (1 - share) / (turn.stack + share * pot)
        stay -= risk * pot * pot
        gain -= risk * ((pot + raised * (company + 1)) ** 2 - pot**2)
    return Worth(stay, gain > 0)


def _pressure(
    turn: StudTurn, rivals: Sequence[Rival], holdings: Sequence[Holding], unseen: Kinds, *, street_over: bool
) -> _Pressure:
    ahead = [rival.raises_ahead(street_over=street_over) for rival in rivals]
    means = [
        sum(map(mul, unseen, row)) / sum(map(mul, unseen, holding.held))
        for row, holding in zip(ahead, holdings, strict=True)
    ]
    return _Pressure(min(MAX_RAISE * sum(means), MOST_TOLL, max(0, turn.stack - turn.owed)), ahead, means)


def _pressed(holdings: Sequence[Holding], now: _Pressure, later: _Pressure | None) -> list[Holding]:
    """The holdings, that of the most dangerous rival weighed by the raises it would make."""
    pressures = [now] if later is None else [now, later]
    means = [sum(each) for each in zip(*(pressure.means for pressure in pressures), strict=True)]
    worst = means.index(max(means))
    up, held, stays = holdings[worst]
    rows = [pressure.ahead[worst] for pressure in pressures]
    weights = [CALM * card + sum(raises) for card, *raises in zip(held, *rows, strict=True)]
    return [*holdings[:worst], Holding(up, weights, stays), *holdings[worst + 1 :]]


def _stay(
    turn: StudTurn,
    ways: Sequence[Outcome],
    hard: Sequence[Outcome],
    company: float,
    now: _Pressure,
    later: _Pressure | None,
) -> float:
    """Chips that calling is worth more than folding: after the next card, a hand that has become bad is folded."""
    toll, pot = later.chips if later else 0.0, _pot(turn, company)
    rest = sum(
        way.chance * max(0.0, way.share * pot + toll * (bad.share * (company + 1) - 1))
        for way, bad in zip(ways, hard, strict=True)
    )
    return rest - turn.owed + now.chips * (_share(hard) * (company + 1) - 1)


def _pot(turn: StudTurn, company: float) -> float:
    """The pot when what is owed is paid: by us, and by half of the others who stay besides the one who raised."""
    return turn.pot + turn.owed * (1 + max(0.0, company - 1) / 2)


def _share(ways: Sequence[Outcome]) -> float:
    return sum(way.chance * way.share for way in ways)
