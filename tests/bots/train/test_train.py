"""The shipped tables are what the solvers make, and give little away."""

import lzma
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgpack
import numpy as np
import pytest

from bots.strategies.blockhead import tables
from bots.strategies.blockhead.near_equilibrium import PLACES
from bots.strategies.blockhead.turn_numbers import SIZES
from bots.train import make_tables
from bots.train.equilibrium import Solver
from bots.train.exploitability import best_response, shipped
from bots.train.make_tables import AVERSIONS, BUY_INS, RAISES, near_equilibrium, quantised
from bots.train.reply import REACH, WEIGHTS, before_cards, constant_risk, continuations, street_values
from bots.train.street import CLASSES

CHIPS = 2


def packed(street: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """[opens, hole, interval, difference, pot] of a continuation table for who counts chips."""
    pots = len(tables.load()["pots"])
    return np.frombuffer(tables.load()[street][CHIPS], np.uint8).reshape(2, 10, 55, -1, pots)


def check_same(made: bytes, kept: bytes) -> None:
    """The same steps, but for a few on the border between two, where the order of a sum's terms decides.

    That order is the processor's and the memory's to choose, and not the same in every run.
    """
    apart = np.abs(np.frombuffer(made, np.uint8).astype(int) - np.frombuffer(kept, np.uint8))
    assert apart.max() <= 1
    assert np.count_nonzero(apart) <= apart.size / 10_000


def check_alike(made: Sequence[bytes], kept: Sequence[bytes]) -> None:
    """The same strategy, but for a few chances.

    The last bits of sums differ between processors, and 100 iterations carry that to places where moves are worth
    the same: two machines that ran the same code differed in 0.4 to 1.9 % of the chances of a street.
    """
    for one, other in zip(made, kept, strict=True):
        apart = np.frombuffer(one, np.uint8) != np.frombuffer(other, np.uint8)
        assert np.count_nonzero(apart) <= apart.size / 20


def test_slice_of_the_tables_equals_the_solver() -> None:
    util, none = constant_risk(AVERSIONS[CHIPS]), np.zeros((1, 1, 1, 1))
    values = street_values(True, False, REACH[3], WEIGHTS, util, none, RAISES)
    third = before_cards(values, REACH[2], util)
    check_same(quantised(third[np.newaxis]), packed("third")[0].tobytes())


@pytest.mark.heavy
@pytest.mark.parametrize("style", range(len(AVERSIONS)))
def test_continuations_equal_the_solver(style: int) -> None:
    both = [continuations(opens, constant_risk(AVERSIONS[style]), RAISES) for opens in (False, True)]
    for street, name in enumerate(("second", "third")):
        check_same(quantised(np.array([pair[street] for pair in both])), tables.load()[name][style])


@pytest.mark.heavy
@pytest.mark.parametrize("game", range(len(BUY_INS)))
def test_near_equilibrium_equals_the_solver(game: int) -> None:
    made = near_equilibrium(tables.load()["buy_ins"][game])
    check_alike([street.tobytes() for street in made], tables.equilibrium(game))


@pytest.mark.heavy
def test_the_command_makes_the_shipped_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "tables"
    monkeypatch.setattr("sys.argv", ["make_tables", "--out", str(out)])
    make_tables.main()
    made, kept = msgpack.unpackb(lzma.decompress(out.read_bytes()), use_list=False), tables.load()
    assert made.keys() == kept.keys()
    assert [made[key] for key in ("pots", "classes", "buy_ins")] == [
        kept[key] for key in ("pots", "classes", "buy_ins")
    ]
    for game, streets in enumerate(made["equilibrium"]):
        check_alike(msgpack.unpackb(lzma.decompress(streets)), tables.equilibrium(game))


@pytest.mark.heavy
def test_training_lowers_exploitability() -> None:
    """From a hand's first visible difference of 0 alone, which is the most frequent one."""
    solver, even = Solver(), range(1)
    taken = []
    for number in range(1, 13):
        solver.iterate(number)
        if number in (1, 12):
            taken.append(sum(best_response(solver.mean_strategy(), seat, diffs=even) for seat in (0, 1)))
    buy_in, strategy = shipped()
    assert buy_in == solver.buy_in
    taken.append(sum(best_response(strategy, seat, diffs=even) for seat in (0, 1)))
    assert taken == sorted(taken, reverse=True)
    assert taken[-1] / 2 < 2


@pytest.mark.heavy
@pytest.mark.parametrize("carry", range(0, 121, 20))
def test_exploitability_of_balance(carry: int) -> None:
    buy_in, strategy = shipped(carry)
    taken = [best_response(strategy, seat, buy_in=buy_in) for seat in (0, 1)]
    assert sum(taken) / 2 <= (1.5 if carry else 0.9)


@pytest.mark.heavy
@pytest.mark.parametrize("street", [1, 2])
def test_raises_that_were_not_solved_for_win_little_more(street: int) -> None:
    """From first differences of -12, 0 and 12 alone; later streets must know what a raise was read as."""
    buy_in, strategy = shipped()
    sizes: list[tuple[int, ...]] = [SIZES] * 3
    taken = []
    for sizes[street - 1] in (SIZES, (1, 3, 5, 10)):
        taken.append(sum(best_response(strategy, seat, sizes, range(-12, 13, 12), buy_in) for seat in (0, 1)) / 2)
    assert taken[1] - taken[0] < 0.25


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['numba'] = None; import bots.train.make_tables"
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode
    assert "making tables needs numba: pip install '.[sim]' in the folder of Casino Day" in run.stderr


def test_tables_and_solver_number_situations_alike() -> None:
    assert tables.load()["classes"] == tuple(tuple(street) for street in CLASSES[1:])
    for street, part in enumerate(tables.equilibrium(0), 1):
        assert len(part) % (len(CLASSES[street]) * len(PLACES) * 40) == 0
