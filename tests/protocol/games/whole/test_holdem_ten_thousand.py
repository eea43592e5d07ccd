"""Our hold'em beside OpenSpiel's: the same actors, legal actions and payoffs for the same cards in random hands.

Between two players the two agree in everything but a fold where nothing is owed, which OpenSpiel forbids. With more
seats they differ in this, which the comparison allows and nothing else:

- OpenSpiel gives each winner its share of a pot exactly, and we give odd chips to the first winners left of the button.
- In no-limit with stacks that differ, OpenSpiel lets the next raise be smaller after an all-in for less than a full
  raise, lets a seat raise again that has acted, and lets a seat raise that nobody can call.

OpenSpiel knows no stacks in limit hold'em, so nobody is all in there, and it plays limit between two to four players.
"""

import pytest

from protocol.games.holdem_betting import Betting
from tests.protocol.games.test_holdem_open_spiel import HEADS_UP, Stacks, check_heads_up


@pytest.mark.parametrize(("stacks", "betting"), HEADS_UP)
def test_ten_thousand_hands_as_open_spiel(stacks: Stacks, betting: Betting) -> None:
    check_heads_up(stacks, betting, 10_000)
