"""The rules with the bots of dice, the compiled AIs and Python files play the same, deal by deal."""

import inspect
import re
from fractions import Fraction
from pathlib import Path

import pytest

from bots.bulk.chance import GOLDEN, MASK, RAND_MAX, Deal, Rand, deal, mix
from bots.bulk.compile import compile_all
from bots.bulk.played import Played
from bots.bulk.round_robin import HOUSE, house_names, make_plan
from bots.bulk.supervisor import play_series
from bots.strategies.dice.plan import equilibrium
from tests.bots.bulk import reference
from tests.bots.bulk.authors import played
from tests.compiled import needs

NAMES = ["dice-four", "dice-luck", "dice-price", "dice-memory", "caller", "dice-luck", "dice-memory"]
BEST = ["dice-adaptive", "dice-luck", "dice-equilibrium", "dice-adaptive", "dice-memory"]
ROUNDS = 999


def totals(found: Played, players: int) -> list[list[int]]:
    """Chips by first and second player."""
    size = players * players
    flat = [sum(found.chips[at::size]) for at in range(size)]
    return [flat[row * players : (row + 1) * players] for row in range(players)]


def test_every_deal_is_made_from_its_number_alone() -> None:
    # the first outputs of SplitMix64 with seed 1234567, as its authors' code gives them
    outputs = [mix((1234567 + number * GOLDEN) & MASK) for number in (1, 2, 3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    deals = [deal(5, number) for number in range(60_000)]
    assert all(3 <= b <= 18 and 1 <= first <= 6 and 1 <= second <= 6 for b, first, second in deals)
    seen = dict.fromkeys(deals, 0)
    for one in deals:
        seen[one] += 1
    assert len(seen) == 16 * 6 * 6
    # chi-square with 575 degrees of freedom: mean 575, standard deviation 34
    expected = len(deals) / len(seen)
    assert abs(sum((times - expected) ** 2 / expected for times in seen.values()) - 575) < 4 * 34
    assert isinstance(deals[0], Deal)


def test_rand_goes_up_to_rand_max() -> None:
    rand = Rand(7)
    drawn = [rand() for _ in range(10_000)]
    assert 0 <= min(drawn) < RAND_MAX / 1000
    assert RAND_MAX * 0.999 < max(drawn) <= RAND_MAX


def test_every_bot_of_dice_is_held_equal() -> None:
    assert set(NAMES) | set(BEST) == set(reference.BOTS) == set(house_names())


def test_compiled_equilibrium_has_the_table_of_the_bot() -> None:
    text = (HOUSE / "equilibrium.h").read_text()
    rows = [
        [Fraction(cell.replace(".0 / ", "/")) for cell in row.split(", ")] for row in re.findall(r"{([\d.,/ ]+)}", text)
    ]
    assert rows == [list(bets) for plan in equilibrium().values() for bets in plan]


def test_compiled_and_python_players_play_as_the_reference(tmp_path: Path) -> None:
    python = []
    for name, maker in reference.PLAYERS.items():
        # the same function as a file, which finds rand() there
        source = inspect.getsource(maker).replace("(rand: Rand)", "(rand)").replace(" -> Player", "")
        path = tmp_path / f"{name}.py"
        path.write_text(f"{source}\nAI = {maker.__name__}(rand)\n")
        python.append(path)
    plan = make_plan([*NAMES, *BEST], [], python, 300, 1, "equal")
    names = [*NAMES, *BEST, *reference.PLAYERS]
    assert totals(played(plan, tmp_path), len(names)) == reference.play(names, 300, "equal")


@pytest.mark.heavy
def test_compiled_players_play_as_the_reference_for_long(tmp_path: Path) -> None:
    """For so long that dice-adaptive halves its counts: with B = 3 it has made 4096 bets as the first player."""
    names = ["dice-adaptive", "caller"]
    found = played(make_plan(names, [], [], 215_000, 1, "long"), tmp_path)
    assert totals(found, len(names)) == reference.play(names, 215_000, "long")


def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    needs("g++")
    plan = make_plan(NAMES, [], [], ROUNDS, 3, "jobs")
    compiled = compile_all(plan.entrants, tmp_path)
    one, three = (play_series(plan, compiled, jobs, lambda *_: None) for jobs in (1, 3))
    assert [found.chips for found in one] == [found.chips for found in three]
    assert len({found.chips for found in one}) == 3
