"""Hold'em all in before the flop: exact equities against other evaluators, and push or fold against known values."""

import numpy as np
import pytest

from bots.strategies.holdem.preflop import CLASSES, class_cards, class_of, equities, pairings
from bots.strategies.holdem.push_fold import DEPTHS
from bots.train.preflop_equities import all_hole_cards, canonical_boards
from bots.train.push_fold import all_deals, gains, shipped, solve
from protocol.cards import parse_cards


def test_classes_divide_all_hole_cards() -> None:
    found = [(class_of(*hole), index) for index in range(CLASSES) for hole in class_cards(index)]
    assert len(found) == 1326
    assert all(own == index for own, index in found)
    assert sum(map(sum, pairings())) == 1326 * 1225
    for one, other in ((0, 0), (1, 1), (1, 13), (1, 28), (14, 1), (168, 167), (100, 56)):
        pairs = [set(mine).isdisjoint(theirs) for mine in class_cards(one) for theirs in class_cards(other)]
        assert pairings()[one][other] == sum(pairs)
    assert len(all_hole_cards()[0]) == 1326


@pytest.mark.parametrize(
    ("mine", "theirs", "share"),
    # The means over all suits of what PokerKit and others give.
    [("AS AH", "KS KH", 0.8195), ("AS KS", "QS QH", 0.4605), ("7S 2H", "AS AH", 0.1180), ("7S 2H", "7D 2C", 0.5)],
)
def test_known_equities(mine: str, theirs: str, share: float) -> None:
    (one, two), (three, four) = parse_cards(mine), parse_cards(theirs)
    assert equities()[class_of(one, two)][class_of(three, four)] == pytest.approx(share, abs=0.0001)


@pytest.mark.parametrize(("depth", "value"), [(2, 0.0096), (10, -0.0454), (15, -0.1272)])
def test_known_values_of_push_or_fold(depth: float, value: float) -> None:
    deals = all_deals()
    found = gains(deals, depth, *solve(deals, depth))
    assert found.at_most == pytest.approx(value, abs=0.0001)
    assert found.at_least == pytest.approx(value, abs=0.0001)


def test_shipped_frequencies_cannot_be_exploited() -> None:
    deals = all_deals()
    found = [gains(deals, depth, *shipped(depth)).exploitability for depth in DEPTHS]
    assert max(found) < 0.0001
    always = gains(deals, 10, np.ones(CLASSES), np.ones(CLASSES))
    assert always.exploitability > 0.1, "a measure that finds nothing proves nothing"


@pytest.mark.heavy
def test_boards_stand_for_all_boards() -> None:
    boards = canonical_boards()
    assert (len(boards), sum(boards.values())) == (134_459, 2_598_960)
