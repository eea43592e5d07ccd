"""Which engine plays a simulation and what is asked of the kernel; and simulations of hold'em, with their tables."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from bots.commands import simulate
from bots.fitting_table import signed
from bots.simulation import plan
from bots.simulation.conclusion import judge
from bots.simulation.cross_table import Cross, Score, cross_table, play_cross
from bots.simulation.folding import Checkpoint, Keeping
from bots.simulation.kernels import blockhead as kernel
from bots.simulation.plan import BLOCK, Plan, SimulationError, pick_engine
from bots.simulation.simulation_flags import DealFlags, GameFlags, HandFlags, LargeFlags
from bots.simulation.single_hands import Table, play_plan, play_whole_table
from bots.simulation.tally import Tally
from bots.simulation.whole_games import Shard, play_block, play_shard
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
from tests.docs.pages import assert_keys

PLAN = Plan(("caller", "maniac"), BlockheadGame(500, 4), BLOCK + 3, False, "x")


class Fake:
    """A kernel in which maniac beats caller by the game's number, and the opener folds once."""

    KINDS: ClassVar = {"caller": 1, "maniac": 2, "balance": 3}
    BALANCE = 3
    NO_POLICY = None
    GAIN, FOLDS_0, FOLDS_1, POTS = range(4)

    def __init__(self) -> None:
        self.dealt: list[tuple[int, int, int]] = []
        self.played: list[tuple[int, int]] = []

    def deal_cards(self, games: int, hands: int, seed: int) -> int:
        self.dealt.append((games, hands, seed))
        return games

    def play_games(self, kind0: int, kind1: int, cards: int, seed: int, policy: None) -> Any:
        self.played.append((kind0, kind1))
        gains = np.arange(cards) * (1 if kind0 == 2 else -1)
        return np.stack([gains, np.full(cards, 1), np.full(cards, 0), np.full(cards, 80)], axis=1)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    made = Fake()
    monkeypatch.setattr(kernel, "_load", lambda: made)
    return made


@pytest.mark.usefixtures("fake")
def test_the_kernel_plays_where_it_can() -> None:
    assert pick_engine(PLAN, None).engine == "kernel"
    assert pick_engine(PLAN, "arena").engine == "arena"


@pytest.mark.parametrize(
    ("plan", "obstacle"),
    [
        (replace(PLAN, bots=("caller", "random")), "random has no kernel"),
        (replace(PLAN, bots=("caller",) * 3), "the kernel plays games of 2, not of 3"),
        (replace(PLAN, game=BlockheadGame(ranks="poker")), "the kernel knows no poker hands"),
        (replace(PLAN, game=BlockheadGame(hands=10**9)), "the kernel plays games of at most 10,000 hands"),
        (PLAN, "needs numba"),
    ],
)
def test_arena_plays_what_the_kernel_cannot(plan: Plan, obstacle: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "_load", lambda: None if plan is PLAN else Fake())
    assert pick_engine(plan, None).engine == "arena"
    with pytest.raises(SimulationError, match=obstacle):
        pick_engine(plan, "kernel")


def test_results_of_the_kernel_are_counted(fake: Fake) -> None:
    tally = play_block((replace(PLAN, engine="kernel"), 0))
    assert [dealt[:2] for dealt in fake.dealt] == [(BLOCK, 4)]
    assert (tally.games, tally.average_pot) == (BLOCK, 20)
    assert tally.players[1].gains.total == BLOCK * (BLOCK - 1) // 2 == -tally.players[0].gains.total
    assert [player.folds for player in tally.players] == [BLOCK, 0]
    assert [player.won for player in tally.players] == [0, BLOCK - 1]
    assert max(tally.players[1].stacks) == 500 + BLOCK - 1


def test_duplicates_swap_the_seats_and_keep_the_cards(fake: Fake) -> None:
    tally = play_block((replace(PLAN, engine="kernel", duplicate=True), 1))
    assert len(fake.dealt) == 1
    assert fake.played == [(1, 2), (2, 1)]
    assert [player.folds for player in tally.players] == [3, 3]
    assert [player.gains.total for player in tally.players] == [-6, 6]
    assert tally.players[0].opened == {0: 3, 1: 3}


def test_every_block_has_cards_of_its_own(fake: Fake) -> None:
    for block in (0, 1, 0):
        play_block((replace(PLAN, engine="kernel"), block))
    seeds = [seed for *_, seed in fake.dealt]
    assert seeds[0] == seeds[2] != seeds[1]


@pytest.mark.parametrize("bots", [("caller", "maniac"), ("alpha", "maniac"), ("alpha", "balance")])
def test_kernel_and_arena_find_the_same_on_average(bots: tuple[str, str]) -> None:
    """Other cards, the same game: pots, folds and gains agree."""
    plan = replace(PLAN, bots=bots, deals=BLOCK, game=BlockheadGame())
    arena, fast = play_block((plan, 0)), compiled(*bots, games=4 * BLOCK)
    assert fast.average_pot == pytest.approx(arena.average_pot, rel=0.03)
    assert fast.players[0].gains.variance == pytest.approx(arena.players[0].gains.variance, rel=0.35)
    for quick, slow in zip(fast.players, arena.players, strict=True):
        assert quick.folds / fast.games == pytest.approx(slow.folds / arena.games, rel=0.1)
        assert abs(quick.gains.mean - slow.gains.mean) < 3 * (quick.gains.error + slow.gains.error)
    assert sum(player.gains.total for player in fast.players) == 0


def compiled(*bots: str, games: int, duplicate: bool = False) -> Tally:
    plan = Plan(bots, BlockheadGame(), games, duplicate, "x", "kernel")
    (total,) = play_shard(Shard(plan, plan.blocks, apart=False))
    return total


def test_alpha_against_alpha_is_even() -> None:
    tally = compiled("alpha", "alpha", games=20_000)
    assert tally.chips_per_hand(0).low < 0 < tally.chips_per_hand(0).high
    assert not judge(tally, ("alpha", "alpha-2")).decided
    assert tally.players[0].folds > 0


def test_duplicates_of_alpha_against_alpha_cancel() -> None:
    tally = compiled("alpha", "alpha", games=500, duplicate=True)
    assert tally.pairs[0, 1].deals.squares == 0
    assert tally.pairs[0, 1].games.variance > 0
    assert tally.variance_ratio((0, 1)) == 0


def test_duplicates_lower_the_variance_not_the_mean() -> None:
    alone = compiled("alpha", "maniac", games=10_000)
    twice = compiled("alpha", "maniac", games=5_000, duplicate=True)
    ratio = twice.variance_ratio((0, 1))
    assert ratio is not None
    assert ratio < 0.8
    narrow, wide = twice.chips_per_hand(0), alone.chips_per_hand(0)
    assert narrow.high - narrow.low < wide.high - wide.low
    assert abs(narrow.value - wide.value) < (narrow.high - narrow.low + wide.high - wide.low) / 2
    assert sum(player.gains.total for player in twice.players) == 0


MORE = "type what you typed then, or name another file"


@pytest.mark.parametrize(
    ("then", "now", "differences"),
    [
        ({"hands": 5}, {"hands": 6}, "--hands differs"),
        ({"bots": ["a"]}, {"bots": ["b"]}, "the bots differ"),
        ({"bots": ["a"], "small_blind": 1}, {"bots": ["b"], "small_blind": 2}, "the bots and --small-blind differ"),
        ({"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 2}, "--a, --b and --c differ"),
        ({"game": "stud", "ante": 1}, {"game": "dice", "bots": ["a"]}, "the game differs"),
        ({"bots": ["a"], "cross": True}, {"bots": ["b"], "until": 0.1}, "--cross differs"),
    ],
)
def test_differences_in_words(
    then: dict[str, object], now: dict[str, object], differences: str, tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    Checkpoint.open(path, then)
    with pytest.raises(SimulationError) as raised:
        Checkpoint.open(path, now)
    assert str(raised.value) == f"{path} is the checkpoint of another simulation: {differences}; {MORE}"


def test_another_number_of_hands_or_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large, reset = LargeFlags(checkpoint=tmp_path / "hands"), HandFlags(reset_stacks=True)
    assert simulate("stud", "tight", "caller", hands=4, single=reset, large=large) == 0
    assert simulate("stud", "tight", "caller", hands=6, single=reset, large=large) == 2
    assert "another simulation: --hands differs; type" in capsys.readouterr().err
    cross = DealFlags(cross=True)
    assert simulate("stud", "tight", "caller", "maniac", hands=4, fair=cross, single=reset, large=large) == 2
    assert "another simulation: --cross differs; type" in capsys.readouterr().err
    large = LargeFlags(checkpoint=tmp_path / "games")
    assert simulate("blockhead", "random", "caller", whole=GameFlags(games=2), large=large) == 0
    assert simulate("blockhead", "random", "caller", whole=GameFlags(games=3), large=large) == 2
    assert "another simulation: --games differs; type" in capsys.readouterr().err


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

    monkeypatch.setattr(plan, "load_bot", lambda *_name: lambda _rng: Scripted(watch))
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
