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

import pytest

from protocol.cards import DECK
from protocol.games.holdem_betting import Betting
from tests.protocol.games.open_spiel_hands import BIG, LIMIT, NO_LIMIT, Setup, Twins

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


def check_heads_up(stacks: Stacks, betting: Betting, hands: int) -> None:
    """Nothing differs between two players, and enough is compared."""
    counts = play_both([2], stacks, betting, hands)
    print(f"{hands:,} hands: {counts}")
    assert counts.raises_differ == counts.odd_chips == 0
    assert counts.decisions > 3 * hands
    assert counts.showdowns > hands / 4


def check_larger(seats: Sequence[int], stacks: Stacks, betting: Betting, hands: int) -> None:
    """With more players, raises differ only where stacks do, and odd chips are rare."""
    counts = play_both(seats, stacks, betting, hands)
    print(f"{hands:,} hands: {counts}")
    assert (counts.raises_differ > 0) == (stacks is unequal)
    assert counts.odd_chips < hands / 20
    assert counts.showdowns > hands / 4


@pytest.mark.parametrize(("stacks", "betting"), HEADS_UP)
def test_same_hands_as_open_spiel(stacks: Stacks, betting: Betting) -> None:
    check_heads_up(stacks, betting, 200)


@pytest.mark.parametrize(("seats", "stacks", "betting"), LARGER)
def test_same_hands_as_open_spiel_with_more_seats(seats: Sequence[int], stacks: Stacks, betting: Betting) -> None:
    check_larger(seats, stacks, betting, 200)


@pytest.mark.heavy
@pytest.mark.parametrize(("stacks", "betting"), HEADS_UP)
def test_ten_thousand_hands_as_open_spiel(stacks: Stacks, betting: Betting) -> None:
    check_heads_up(stacks, betting, 10_000)


@pytest.mark.heavy
@pytest.mark.parametrize(("seats", "stacks", "betting"), LARGER)
def test_ten_thousand_hands_as_open_spiel_with_more_seats(
    seats: Sequence[int], stacks: Stacks, betting: Betting
) -> None:
    check_larger(seats, stacks, betting, 10_000)
