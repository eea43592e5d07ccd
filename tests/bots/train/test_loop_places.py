"""The places that ``holdem`` ships for hands in loops, and the program that finds them."""

import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bots.strategies.holdem.loop_places import PATH, SITUATIONS
from bots.strategies.holdem.loop_places import loop_places as shipped
from bots.strategies.holdem.ring_kernel import IN, LEFT, MOST_IN_LOOPS, PLACES, PLAYERS
from bots.train.loop_places import CALL, COUNT, FIRST, RAISE, best_places, compare, learn, main, table_of, text_of

SHAPE = (SITUATIONS, MOST_IN_LOOPS, 2)


def quiet(_: str) -> None:
    """Nobody is told."""


def test_shipped_places_have_the_shape_that_is_found() -> None:
    places = np.array(shipped()).reshape(SHAPE)
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
    places, first = np.array(shipped()).reshape(SHAPE), np.tile(np.array(FIRST), (SITUATIONS, MOST_IN_LOOPS, 1))
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
