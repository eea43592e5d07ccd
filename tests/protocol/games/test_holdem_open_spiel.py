"""Our hold'em beside OpenSpiel's: the same actors, legal actions and payoffs for the same cards in random hands.

Between two players the two agree in everything but a fold where nothing is owed, which OpenSpiel forbids. With more
seats they differ in this, which the comparison allows and nothing else:

- OpenSpiel gives each winner its share of a pot exactly, and we give odd chips to the first winners left of the button.
- In no-limit with stacks that differ, OpenSpiel lets the next raise be smaller after an all-in for less than a full
  raise, lets a seat raise again that has acted, and lets a seat raise that nobody can call.

OpenSpiel knows no stacks in limit hold'em, so nobody is all in there, and it plays limit between two to four players.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import pyspiel
import pytest

from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, Fold
from protocol.games.holdem_betting import MOST_BETS, Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand

SMALL, BIG = 5, 10
NO_LIMIT = Betting("no-limit", BIG, 2 * BIG)
LIMIT = Betting("fixed-limit", BIG, 2 * BIG, MOST_BETS)
#: OpenSpiel's numbers of actions. In no-limit a raise is no 2: its number is what the seat has put in behind it.
THEIR_FOLD, THEIR_CALL, THEIR_RAISE = 0, 1, 2


@dataclass(frozen=True)
class Setup:
    """A hand before its cards are dealt; stacks by seat, in chips."""

    deck: tuple[Card, ...]
    stacks: tuple[int, ...]
    betting: Betting
    button: int

    @property
    def limited(self) -> bool:
        """Whether bets have a fixed size."""
        return self.betting.limit == "fixed-limit"

    @property
    def order(self) -> list[int]:
        """Our seats in OpenSpiel's order: the first is left of the button, so that the last has it."""
        count = len(self.stacks)
        return [(self.button + 1 + step) % count for step in range(count)]

    @property
    def blinds(self) -> list[int]:
        """Chips posted, in OpenSpiel's order; between two players the button posts the small blind."""
        count = len(self.stacks)
        return [BIG, SMALL] if count == 2 else [SMALL, BIG] + [0] * (count - 2)

    def ours(self) -> HoldemHand:
        blinds = [blind for _, blind in sorted(zip(self.order, self.blinds, strict=True))]
        return deal(self.deck, self.stacks, self.betting, button=self.button, blinds=blinds)

    def theirs(self) -> pyspiel.State:
        """The hand in OpenSpiel, hole cards dealt."""
        count = len(self.stacks)
        raises = [MOST_BETS - 1, *[MOST_BETS] * 3]  # the big blind is no raise there
        parameters = {
            "betting": "limit" if self.limited else "nolimit",
            "bettingAbstraction": "fcpa"
            if self.limited
            else "fullgame",  # in limit, a raise has no number in "fullgame"
            "numPlayers": count,
            "numRounds": 4,
            "blind": _row(self.blinds),
            "firstPlayer": _row([(self.blinds.index(BIG) + 1) % count + 1, 1, 1, 1]),
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
            "stack": _row([self.stacks[seat] for seat in self.order]),
            "raiseSize": _row([self.betting.bet_size(street) for street in (1, 2, 3, 4)]),
            **({"maxRaises": _row(raises)} if self.limited else {}),
        }
        state = pyspiel.load_game("universal_poker", parameters).new_initial_state()
        for seat in self.order:
            for card in self.deck[2 * seat : 2 * seat + 2]:
                state.apply_action(DECK.index(card))
        return state


def _row(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


class Twins:
    """One hand in both rules; every decision is compared before it is played in both.

    Attributes:
        raises_differ: decisions in which OpenSpiel allows more raises than we do, in one of the ways that are known.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.order = setup.order
        self.ours = setup.ours()
        self.theirs = setup.theirs()
        self.on_board = 0
        self.said: list[str] = []
        self.short_raise_on = 0  # the last street on which a seat went all in for less than a full raise
        self.raises_differ = 0

    def play(self, chance: Random) -> None:
        while (seat := self._seat()) is not None:
            action = self._choose(seat, self._raises(seat), chance)
            self.said.append(f"{seat}: {action}")
            self.theirs.apply_action(self._number(seat, action))
            if isinstance(action, Bet) and 0 < self._raised_by(action) < self.ours.full_raise:
                self.short_raise_on = self.ours.number
            self.ours = self.ours.apply(action)

    def _raised_by(self, action: Bet) -> int:
        return action.amount - self.ours.legal().to_call

    def _seat(self) -> int | None:
        """The seat to act in both, or None at the end; OpenSpiel's cards and checks without a choice come first."""
        while not self.theirs.is_terminal():
            if self.theirs.is_chance_node():
                self._deal()
                continue
            seat: int = self.order[self.theirs.current_player()]
            if seat == self.ours.to_act:
                return seat
            # Nothing owed and nobody to bet against: our rules check for the seat.
            assert self.theirs.legal_actions() == [THEIR_CALL], self.said
            self.theirs.apply_action(THEIR_CALL)
        assert self.ours.to_act is None, self.said
        return None

    def _deal(self) -> None:
        card = self.setup.deck[2 * len(self.setup.stacks) + self.on_board]
        self.theirs.apply_action(DECK.index(card))
        self.on_board += 1

    def _number(self, seat: int, action: Action) -> int:
        """OpenSpiel's number of an action."""
        if isinstance(action, Fold):
            return THEIR_FOLD
        if action.amount == self.ours.legal().to_call:
            return THEIR_CALL
        return THEIR_RAISE if self.setup.limited else self._put(seat) + action.amount

    def _put(self, seat: int) -> int:
        """Chips that a seat has put in so far."""
        return self.ours.before[seat] + self.ours.put[seat]

    def _raises(self, seat: int) -> range:
        """Raises that both allow, once the legal actions of both have been compared."""
        legal, theirs = self.ours.legal(), self.theirs.legal_actions()
        assert THEIR_CALL in theirs, self.said
        # Where nothing is owed, we let a seat fold all the same, and they do not.
        assert (THEIR_FOLD in theirs) == (legal.to_call > 0), self.said
        assert legal.fold, self.said
        numbers = [number for number in theirs if number >= THEIR_RAISE]
        if self.setup.limited:
            assert bool(numbers) == bool(legal.raises), self.said
            return legal.raises
        put = self._put(seat)
        their_raises = range(numbers[0] - put, numbers[-1] + 1 - put) if numbers else range(0)
        assert len(their_raises) == len(numbers), self.said
        if their_raises != legal.raises:
            assert self._may_raise_more_there(seat), (self.said, their_raises, legal.raises)
            assert not legal.raises or legal.raises == range(legal.raises[0], their_raises.stop), self.said
            assert not legal.raises or legal.raises[0] in their_raises, self.said
            self.raises_differ += 1
        return legal.raises

    def _may_raise_more_there(self, seat: int) -> bool:
        """Whether this is one of the two cases in which OpenSpiel allows raises that we do not.

        Somebody went all in for less than a full raise: there the next raise may be smaller, and a seat that has acted
        may raise again. Or no other seat has the chips to call a raise.
        """
        hand = self.ours
        rich = [hand.stacks[other] + hand.put[other] > hand.highest for other in hand.live if other != seat]
        return self.short_raise_on == hand.number or not any(rich)

    def _choose(self, seat: int, raises: range, chance: Random) -> Action:
        """A fold only where something is owed, a call, or a raise."""
        to_call = self.ours.legal().to_call
        kind = chance.choices(["fold", "call", "raise"], [1 if to_call else 0, 4, 4 if raises else 0])[0]
        if kind == "fold":
            return FOLD
        if kind == "call":
            return Bet(to_call)
        return Bet(chance.choice([raises[0], raises[-1], chance.choice(raises)]))

    def compare_results(self) -> bool:
        """Compare what everybody has won; whether there was an odd chip, which OpenSpiel divides."""
        settlement = self.ours.settle()
        theirs = [payoff for _, payoff in sorted(zip(self.order, self.theirs.returns(), strict=True))]
        odd = sum(pot.chips % len(pot.winners) > 0 for pot in settlement.pots)
        if not odd:
            assert theirs == list(settlement.payoffs), (self.said, settlement)
            return False
        cut = [float(-put) for put in self.ours.before]
        for pot in settlement.pots:
            for winner in pot.winners:
                cut[winner] += pot.chips / len(pot.winners)
        assert theirs == pytest.approx(cut), (self.said, settlement)
        differences = [abs(one - other) for one, other in zip(settlement.payoffs, theirs, strict=True)]
        assert max(differences) < odd + 1e-6, (self.said, settlement)
        return True


Stacks = Callable[[Random, int], tuple[int, ...]]
#: Chips that no hand of limit hold'em costs.
DEEP = 100 * BIG


def deep(_: Random, seats: int) -> tuple[int, ...]:
    """Stacks that nobody can lose in a hand of limit hold'em."""
    return (DEEP,) * seats


def equal(chance: Random, seats: int) -> tuple[int, ...]:
    """The same stack for all, from two big blinds to 200."""
    return (chance.choice([2, 10, 40, 200]) * BIG,) * seats


def unequal(chance: Random, seats: int) -> tuple[int, ...]:
    """Stacks from a big blind to 100."""
    return tuple(chance.randint(BIG, chance.choice([3, 10, 100]) * BIG) for _ in range(seats))


@dataclass(frozen=True)
class Counts:
    """What differed in some hands, of all that was compared."""

    decisions: int
    showdowns: int
    raises_differ: int
    odd_chips: int


def play_both(seats: Sequence[int], stacks: Stacks, betting: Betting, hands: int) -> Counts:
    """Play hands in both rules with random cards, stacks, buttons and actions."""
    decisions = showdowns = raises_differ = odd_chips = 0
    for seed in range(hands):
        chance = Random(seed)
        count = chance.choice(seats)
        deck = tuple(chance.sample(DECK, len(DECK)))
        twins = Twins(Setup(deck, stacks(chance, count), betting, chance.randrange(count)))
        twins.play(chance)
        odd_chips += twins.compare_results()
        decisions += len(twins.said)
        showdowns += len(twins.ours.live) > 1
        raises_differ += twins.raises_differ
    return Counts(decisions, showdowns, raises_differ, odd_chips)


HEADS_UP = [
    pytest.param(deep, LIMIT, id="limit"),
    pytest.param(equal, NO_LIMIT, id="no-limit"),
    pytest.param(unequal, NO_LIMIT, id="no-limit, unequal stacks"),
]
LARGER = [
    pytest.param(range(3, 5), deep, LIMIT, id="limit"),
    pytest.param(range(3, 7), equal, NO_LIMIT, id="no-limit"),
    pytest.param(range(3, 7), unequal, NO_LIMIT, id="no-limit, unequal stacks"),
]


HANDS = pytest.mark.parametrize("hands", [200, pytest.param(10_000, marks=pytest.mark.heavy)])


@HANDS
@pytest.mark.parametrize(("stacks", "betting"), HEADS_UP)
def test_same_hands_as_open_spiel(stacks: Stacks, betting: Betting, hands: int) -> None:
    """Nothing differs between two players, and enough is compared."""
    counts = play_both([2], stacks, betting, hands)
    print(f"{hands:,} hands: {counts}")
    assert counts.raises_differ == counts.odd_chips == 0
    assert counts.decisions > 3 * hands
    assert counts.showdowns > hands / 4


@HANDS
@pytest.mark.parametrize(("seats", "stacks", "betting"), LARGER)
def test_same_hands_as_open_spiel_with_more_seats(
    seats: Sequence[int], stacks: Stacks, betting: Betting, hands: int
) -> None:
    """With more players, raises differ only where stacks do, and odd chips are rare."""
    counts = play_both(seats, stacks, betting, hands)
    print(f"{hands:,} hands: {counts}")
    assert (counts.raises_differ > 0) == (stacks is unequal)
    assert counts.odd_chips < hands / 20
    assert counts.showdowns > hands / 4
