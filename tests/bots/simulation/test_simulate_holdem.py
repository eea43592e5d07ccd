"""``casino simulate holdem``: deals in every seating; and cross tables, whatever the width."""

import json
from itertools import permutations

import pytest

from bots.commands import simulate
from bots.fitting_table import signed
from bots.simulation import plan
from bots.simulation.cross_table import Cross, Score, cross_table, play_cross
from bots.simulation.folding import Keeping
from bots.simulation.plan import Plan
from bots.simulation.simulation_flags import DealFlags, HandFlags
from bots.simulation.single_hands import Table, play_plan, play_whole_table
from bots.workers.computing import LocalWorkers
from protocol.estimates.intervals import Estimate, share
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.stud import StudGame
from tests.bots.helpers import Scripted
from tests.bots.test_fitting_table import shown_at
from tests.docs.output_page import assert_keys

RESET = HoldemGame(reset_stacks=1)


def test_duplicates_of_bots_that_play_alike_end_even() -> None:
    for result in play_plan(Plan(("caller",) * 3, RESET, 20, True, "a")):
        assert (result.gains.count, result.hands) == (20, 60)
        assert result.chips_per_hand.value == 0
        assert result.as_dict()["deviation"] == 0


@pytest.mark.parametrize(("preset", "most"), [("cornell", 8), ("royale", 7)])
def test_too_many_bots_for_a_preset(preset: str, most: int) -> None:
    game = HoldemGame.from_facts({"preset": preset})
    plan.check_seats(game, ["caller"] * most)
    for count in (1, most + 1):
        with pytest.raises(plan.SimulationError, match=f"holdem is played by 2 to {most} bots here, got {count}"):
            plan.check_seats(game, ["caller"] * count)


def test_every_player_sits_in_every_seat_of_a_deal() -> None:
    plan = Plan(("caller", "tight", "maniac"), RESET, 6, True, "a")
    tables = [play_whole_table(Table(plan, 0, turn)) for turn in range(3)]
    for hands in zip(*tables, strict=True):
        assert all(sum(payoff or 0 for payoff in hand.payoffs) == 0 for hand in hands)
    assert tables[0] != tables[1]


def test_result_with_one_and_two_processes() -> None:
    games: list[Game] = [RESET, HoldemGame()]
    for game in games:
        plan = Plan(("random", "tight"), game, 30, True, "a")
        alone, together = (play_plan(plan, Keeping(LocalWorkers(jobs))) for jobs in (1, 2))
        assert alone == together


def test_cross_table_of_hands() -> None:
    crossed = play_cross(("caller", "random", "tight"), RESET, 60, "a", Keeping())
    assert len(crossed.scores) == 6
    for (bot, against), (score, rate) in crossed.scores.items():
        assert rate is None
        assert score.value == pytest.approx(-crossed.scores[against, bot].chips_per_hand.value)
        assert score.low < score.value < score.high


def test_cross_table_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    flags = {"hands": 4, "single": HandFlags(reset_stacks=True)}
    assert simulate("holdem", "caller", "random", "tight", fair=DealFlags(cross=True), **flags) == 0  # type: ignore[arg-type]
    out = capsys.readouterr().out
    assert out.startswith("Holdem: chips a hand won by the bot on the left; every two play 4 deals, each in both seats")
    assert max(map(len, out.splitlines())) <= 100
    assert simulate("holdem", "caller", "tight", fair=DealFlags(cross=True), json=True, **flags) == 0  # type: ignore[arg-type]
    facts = json.loads(capsys.readouterr().out)
    assert (facts["game"], facts["deals"], facts["reset_stacks"], len(facts["scores"])) == ("holdem", 4, 1, 2)


@pytest.mark.parametrize("reset", [False, True])
def test_json_says_whether_stacks_are_reset(reset: bool, capsys: pytest.CaptureFixture[str]) -> None:
    for cross in (False, True):
        flags = (DealFlags(cross=cross), HandFlags(reset_stacks=reset))
        assert simulate("holdem", "caller", "tight", hands=4, json=True, fair=flags[0], single=flags[1]) == 0
        assert json.loads(capsys.readouterr().out)["reset_stacks"] is reset


def test_keys_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The stud of ``tests/docs`` is simulated there."""
    crossed = []
    for game in ("stud", "holdem"):
        assert simulate(game, "caller", "tight", hands=4, json=True, fair=DealFlags(cross=True)) == 0
        crossed.append(json.loads(capsys.readouterr().out))
    assert_keys("### Stud and hold'em with --cross", *crossed, options=RESET.facts)
    assert simulate("holdem", "caller", "tight", hands=4, json=True) == 0
    assert_keys("### Stud and hold'em", json.loads(capsys.readouterr().out), options=RESET.facts)


def test_button_moves_between_hands_with_equal_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    buttons: list[int] = []

    def watch(turn: HoldemTurn) -> Bet:
        buttons.append(turn.button)
        return Bet(turn.owed)

    monkeypatch.setattr(plan, "load_maker", lambda _name: lambda _rng: Scripted(watch))
    assert simulate("holdem", "one", "two", hands=4, json=True, single=HandFlags(reset_stacks=True)) == 0
    assert set(buttons) == {0, 1}


@pytest.mark.parametrize(
    ("bots", "fair", "complaint"),
    [
        (("caller", "caller"), DealFlags(cross=True), "a cross table needs at least 2 different bots"),
        (("caller", "nobody"), DealFlags(cross=True), "there is no bot 'nobody'"),
        (("caller", "nobody"), DealFlags(duplicate=True), "there is no bot 'nobody'"),
        (("caller", "tight"), DealFlags(jobs=2), "--jobs and --cluster share the seatings of --duplicate"),
    ],
)
def test_bad_use(bots: tuple[str, ...], fair: DealFlags, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("holdem", *bots, fair=fair) == 2
    assert capsys.readouterr().err.startswith(f"casino: {complaint}")


BOTS = ("alpha", "caller", "maniac", "tight", "beta-chips", "pair-or-fold")


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
