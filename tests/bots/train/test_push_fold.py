"""Push or fold against known values, and the places that ``holdem`` ships for hands in loops."""

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bots.strategies.holdem.preflop import CLASSES, class_cards, class_of, equities, pairings
from bots.strategies.holdem.push_fold import DEPTHS
from bots.strategies.holdem.ring_kernel import IN, LEFT, MOST_IN_LOOPS, PLACES, PLAYERS
from bots.strategies.holdem.ring_kinds import PATH, SITUATIONS
from bots.strategies.holdem.ring_kinds import loop_places as shipped_places
from bots.train.loop_places import CALL, COUNT, FIRST, RAISE, best_places, compare, learn, main, table_of, text_of
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


SHAPE = (SITUATIONS, MOST_IN_LOOPS, 2)


def quiet(_: str) -> None:
    """Nobody is told."""


def test_shipped_places_have_the_shape_that_is_found() -> None:
    places = np.array(shipped_places()).reshape(SHAPE)
    assert text_of(places) == PATH.read_text("ascii")
    assert places.min() >= 0
    assert places.max() <= PLACES
    owes_nothing = [line for line in range(SITUATIONS) if line // 3 % 3 == 0]
    assert not places[owes_nothing, :, CALL].any(), "nobody folds for nothing"


def test_tables_have_seats_of_the_preset() -> None:
    for seed in range(20):
        start = table_of(Random(seed)).start
        count = start[PLAYERS]
        assert 2 <= count <= 7
        assert start[IN : IN + 8].sum() == count
        assert (start[LEFT : LEFT + count] > 0).all()


def test_the_places_that_win_most_are_found() -> None:
    sums = np.zeros((SITUATIONS, MOST_IN_LOOPS, 2, PLACES + 1, COUNT + 1))
    before = np.tile(np.array(FIRST), (SITUATIONS, MOST_IN_LOOPS, 1))
    little_owed = 3
    above = np.arange(PLACES + 1)
    sums[little_owed, 0, 1, :, CALL] = above - 12.5
    sums[little_owed, 0, 1, :, RAISE] = 2 * (above - 12.5) - 20
    found = best_places(sums, before)
    assert tuple(found[little_owed, 0]) == (13, 33)
    found[little_owed, 0] = FIRST
    assert (found[3:9] == before[3:9]).all(), "nothing was seen of the others"


def test_the_same_seed_finds_the_same_places() -> None:
    first, second, other = (learn(2, 15, 40, seed, quiet) for seed in (1, 1, 2))
    assert first.shape == SHAPE
    assert (first == second).all()
    assert (first != other).any()


def test_shipped_places_win_more_than_those_to_begin_with() -> None:
    places, first = np.array(shipped_places()).reshape(SHAPE), np.tile(np.array(FIRST), (SITUATIONS, MOST_IN_LOOPS, 1))
    _, more = compare(places, first, 150, 40, "test")
    assert more is not None
    assert more.low > 0


def test_the_file_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "places.txt"
    monkeypatch.setattr(sys, "argv", ["", *f"--out {out} --rounds 1 --tables 5 --hands 10 --seed 3".split()])
    main()
    assert out.read_text("ascii") == text_of(learn(1, 5, 10, 3, quiet))
    assert capsys.readouterr().out.startswith(f"\n{out}: ")
