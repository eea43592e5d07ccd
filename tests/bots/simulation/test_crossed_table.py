"""The tables of ``casino simulate --cross``: true ends of intervals, enough decimals, nothing cut at any width."""

from io import StringIO
from itertools import permutations

import pytest
from rich.console import Console

from bots.fitting_table import signed
from bots.simulation.cross_table import Cross, Score, cross_table
from bots.simulation.plan import Plan
from protocol.estimates.intervals import Estimate, share
from protocol.games.blockhead import BlockheadGame
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.stud import StudGame

BOTS = ("alpha", "caller", "maniac", "tight", "beta-chips", "pair-or-fold")


def shown_at(width: int, what: object) -> str:
    console = Console(width=width, file=StringIO())
    console.print(what)
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def cross_of(count: int, chips: Estimate, rate: Estimate | None, game: Game | None = None) -> Cross:
    """Every two of some bots with the same scores."""
    pairs = list(permutations(range(count), 2))
    scores = dict.fromkeys(pairs, Score(chips, rate))
    plans = dict.fromkeys(pairs, Plan(BOTS[:2], game or BlockheadGame(), 1, True, "x"))
    return Cross(BOTS[:count], plans, scores)


def hands_of(count: int, chips: Estimate) -> Cross:
    return cross_of(count, chips, None, StudGame())


def test_games_won_show_both_ends_of_their_interval() -> None:
    shown = shown_at(100, cross_table(cross_of(2, Estimate(-8.9, -10.2, -7.6), Estimate(0.05, 0.0, 0.202))))
    assert {"5.0%", "0.0-20.2%", "±1.30"} <= set(shown.split())
    assert "10.1" not in shown


def test_dice_has_two_decimals() -> None:
    shown = shown_at(100, cross_table(cross_of(2, Estimate(-0.2223, -0.269, -0.176), share(12, 40), DiceGame())))
    assert "-0.22 ±0.05" in shown
    assert shown.startswith("Dice: chips a hand and games won")


def test_small_loss_is_no_negative_zero() -> None:
    nearly = Estimate(-0.001, -0.002, 0.0)
    for table in (cross_table(cross_of(2, nearly, share(1, 2))), cross_table(hands_of(2, nearly))):
        shown = shown_at(100, table)
        assert "-0.0" not in shown.replace("0.0-", "")
        assert "+0.00" in shown


def test_tables_of_one_simulation_have_no_negative_zero() -> None:
    assert signed(Estimate(-0.001, -0.004, 0.002)) == ("+0.00", "+0.00", "+0.00")


def test_mean_without_an_interval_stands_alone() -> None:
    unknown = Estimate(0.0, float("-inf"), float("inf"))
    shown = shown_at(100, cross_table(hands_of(2, unknown)))
    assert "+0.00" in shown
    assert shown.count("±") == 1  # in the line that says what it is
    assert "every two play 1 deal, each in both seats" in shown


@pytest.mark.parametrize("count", [2, 4, 6])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_no_number_is_cut_at_any_width(count: int, width: int) -> None:
    chips, rate = Estimate(-123.456, -146.91, -100.0), Estimate(0.95, 0.798, 1.0)
    for table, numbers in (
        (cross_table(cross_of(count, chips, rate)), ("-123.46", "±23.45", "95.0%", "79.8-100.0%")),
        (cross_table(hands_of(count, chips)), ("-123.46", "±23.45")),
    ):
        shown = shown_at(width, table)
        assert max(map(len, shown.splitlines())) <= width
        words = shown.replace(",", " ").split()
        assert [words.count(number) for number in numbers] == [count * (count - 1)] * len(numbers)


@pytest.mark.parametrize(("width", "is_list"), [(40, True), (80, False), (100, False)])
def test_list_where_the_table_is_too_wide(width: int, is_list: bool) -> None:
    """Six bots as blockhead has them: a terminal of 80 columns still has the table."""
    shown = shown_at(width, cross_table(cross_of(6, Estimate(-14.25, -15.66, -12.84), Estimate(0.75, 0.618, 0.858))))
    assert ("\nalpha against caller: -14.25 ±1.41," in shown) == is_list
    assert ("───" in shown) != is_list
