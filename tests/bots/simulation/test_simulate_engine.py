"""Which engine plays a simulation and what is asked of the kernel; and simulations of hold'em, with their tables."""

import csv
import json
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from bots.commands import simulate
from bots.fitting_table import CrossTable
from bots.simulation import plan
from bots.simulation.checkpoint import Checkpoint
from bots.simulation.conclusion import judge
from bots.simulation.engine import Shard, play, play_all, play_block, play_seating, play_shard
from bots.simulation.facts import cross_cell
from bots.simulation.kernels import blockhead as kernel
from bots.simulation.plan import BLOCK, Plan, SimulationError, check_plan, pick_engine
from bots.simulation.simulation_flags import SimulationFlags
from bots.simulation.tally import Tally
from bots.workers.computing import LOCAL, LocalWorkers
from dealer.cli.game_flags import game_with
from dealer.cli.tables import signed
from protocol.estimates.intervals import Estimate, share
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn
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
    tally = play_block(replace(PLAN, engine="kernel"), 0)
    assert [dealt[:2] for dealt in fake.dealt] == [(BLOCK, 4)]
    assert (tally.plays, tally.average_pot) == (BLOCK, 20)
    assert tally.players[1].gains.total == BLOCK * (BLOCK - 1) // 2 == -tally.players[0].gains.total
    assert [player.folds for player in tally.players] == [BLOCK, 0]
    assert [player.won for player in tally.players] == [0, BLOCK - 1]
    assert max(tally.players[1].chips) == BLOCK - 1


def test_duplicates_swap_the_seats_and_keep_the_cards(fake: Fake) -> None:
    tally = play_block(replace(PLAN, engine="kernel", duplicate=True), 1)
    assert len(fake.dealt) == 1
    assert fake.played == [(1, 2), (2, 1)]
    assert [player.folds for player in tally.players] == [3, 3]
    assert [player.gains.total for player in tally.players] == [-6, 6]
    assert tally.opened == {0: 3, 1: 3}


def test_every_block_has_cards_of_its_own(fake: Fake) -> None:
    for block in (0, 1, 0):
        play_block(replace(PLAN, engine="kernel"), block)
    seeds = [seed for *_, seed in fake.dealt]
    assert seeds[0] == seeds[2] != seeds[1]


@pytest.mark.parametrize("bots", [("caller", "maniac"), ("alpha", "maniac"), ("alpha", "balance")])
def test_kernel_and_arena_find_the_same_on_average(bots: tuple[str, str]) -> None:
    """Other cards, the same game: pots, folds and gains agree."""
    plan = replace(PLAN, bots=bots, deals=BLOCK, game=BlockheadGame())
    arena, fast = play_block(plan, 0), compiled(*bots, games=4 * BLOCK)
    assert fast.average_pot == pytest.approx(arena.average_pot, rel=0.03)
    assert fast.players[0].gains.variance == pytest.approx(arena.players[0].gains.variance, rel=0.35)
    for quick, slow in zip(fast.players, arena.players, strict=True):
        assert quick.folds / fast.plays == pytest.approx(slow.folds / arena.plays, rel=0.1)
        assert abs(quick.gains.mean - slow.gains.mean) < 3 * (quick.gains.error + slow.gains.error)
    assert sum(player.gains.total for player in fast.players) == 0


def compiled(*bots: str, games: int, duplicate: bool = False) -> Tally:
    plan = Plan(bots, BlockheadGame(), games, duplicate, "x", "kernel")
    (total,) = play_shard(Shard(0, plan, plan.blocks, apart=False))
    return total


def test_alpha_against_alpha_is_even() -> None:
    tally = compiled("alpha", "alpha", games=20_000)
    assert tally.chips_per_hand(0).low < 0 < tally.chips_per_hand(0).high
    assert not judge(tally, PLAN).decided
    assert tally.players[0].folds > 0


def test_duplicates_of_alpha_against_alpha_cancel() -> None:
    tally = compiled("alpha", "alpha", games=500, duplicate=True)
    assert tally.pairs[0, 1].deals.squares == 0
    assert tally.pairs[0, 1].plays.variance > 0
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
        ({"deals": 5}, {"deals": 6}, "--deals differs"),
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


@pytest.mark.parametrize("game", ["stud", "blockhead"])
def test_another_number_of_deals(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = SimulationFlags(deals=4, checkpoint=tmp_path / "kept")
    assert simulate(game, "tight", "caller", flags=flags) == 0
    assert simulate(game, "tight", "caller", flags=replace(flags, deals=6)) == 2
    assert "another simulation: --deals differs; type" in capsys.readouterr().err
    assert simulate(game, "tight", "caller", "maniac", flags=replace(flags, cross=True)) == 2
    assert "another simulation: --cross differs; type" in capsys.readouterr().err


RESET = HoldemGame(reset_stacks=1)

write = Checkpoint._write


def test_duplicates_of_bots_that_play_alike_end_even() -> None:
    tally = play(Plan(("caller",) * 3, RESET, 20, True, "a")).tally
    assert (tally.deals, tally.plays) == (20, 60)
    for player in range(3):
        assert tally.chips_per_hand(player).value == 0
        assert tally.players[player].gains.variance == 0


@pytest.mark.parametrize(("preset", "most"), [("cornell", 8), ("royale", 7)])
def test_too_many_bots_for_a_preset(preset: str, most: int) -> None:
    game = HoldemGame.from_facts({"preset": preset})
    check_plan(Plan(("caller",) * most, game, 1, False, "x"))
    for count in (1, most + 1):
        with pytest.raises(SimulationError, match=f"holdem is played by 2 to {most} bots here, got {count}"):
            check_plan(Plan(("caller",) * count, game, 1, False, "x"))


@pytest.mark.parametrize("game", [RESET, BlockheadGame(hands=4)])
def test_every_player_sits_in_every_seat_of_a_deal(game: Game) -> None:
    plan = Plan(("caller", "tight", "maniac"), game, 6, True, "a")
    seatings = [list(play_seating(plan, 0, turn)) for turn in range(3)]
    for plays in zip(*seatings, strict=True):
        assert [sum(play.gains) for play in plays] == [0, 0, 0]
        assert {play.opener for play in plays} == {0, 1, 2}
    assert seatings[0] != seatings[1]


@pytest.mark.parametrize("duplicate", [False, True])
def test_bot_is_made_anew_for_each_seating(duplicate: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """None meets a deal twice, which it might remember."""
    made: list[Scripted] = []

    def make(_rng: object) -> Scripted:
        made.append(Scripted(lambda turn: Bet(turn.owed)))
        return made[-1]

    monkeypatch.setattr(plan, "load_bot", lambda *_name: make)
    play(Plan(("one", "two"), BlockheadGame(hands=2), 3, duplicate, "a"))
    assert len(made) == (4 if duplicate else 2)


def test_result_with_one_and_two_processes() -> None:
    plan = Plan(("random", "tight"), RESET, 30, True, "a")
    alone, together = (play(plan, LocalWorkers(jobs)) for jobs in (1, 2))
    assert alone.tally == together.tally


@pytest.mark.parametrize("jobs", [1, 2])
def test_tells_how_far_it_is(jobs: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In one process also within a shard."""
    monkeypatch.setattr("dealer.cli.tables.LINE_SECONDS", 0.0)
    play(Plan(("caller", "tight"), BlockheadGame(hands=1), 2 * BLOCK, True, "a"), LocalWorkers(jobs))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == (2 * BLOCK if jobs == 1 else 2)
    where = "in this process" if jobs == 1 else "in 2 processes"
    assert lines[-1] == f"casino: playing {where}: 100% done, about 0 s left"


def crossed(game: Game, *bots: str, deals: int = 60) -> list[Plan]:
    return [Plan(pair, game, deals, True, "a") for pair in combinations(bots, 2)]


@pytest.mark.parametrize("game", [RESET, BlockheadGame(hands=4)])
def test_cross_table_is_of_the_same_simulations(game: Game) -> None:
    plans = crossed(game, "caller", "random", "tight")
    assert [outcome.tally for outcome in play_all(plans)] == [play(plan).tally for plan in plans]


def test_each_two_stop_when_they_are_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they do alone, in one process or two; and an interrupted table goes on where it was."""
    plans = crossed(BlockheadGame(hands=1), "caller", "maniac", "random", deals=3 * BLOCK)
    alone = [play(plan, until=0.01) for plan in plans]
    assert {outcome.over for outcome in alone} == {True, False}
    kept = tmp_path / "kept"
    written: list[str] = []

    def watch(checkpoint: Checkpoint) -> None:
        write(checkpoint)
        written.append(kept.read_text())

    for workers, checkpoint in ((LOCAL, None), (LocalWorkers(2), None), (LOCAL, kept)):
        with monkeypatch.context() as patched:
            patched.setattr(Checkpoint, "_write", watch)
            found = play_all(plans, workers, checkpoint, until=0.01)
        assert [(outcome.tally, outcome.over) for outcome in found] == [(one.tally, one.over) for one in alone]
    for text in written:
        kept.write_text(text)
        again = play_all(plans, checkpoint=kept, until=0.01)
        assert [outcome.tally for outcome in again] == [outcome.tally for outcome in alone]


def test_cross_table_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    cross = SimulationFlags(deals=4, cross=True)
    assert simulate("holdem", "caller", "random", "tight", flags=cross) == 0
    out = capsys.readouterr().out
    assert out.startswith("Holdem: big blinds in 100 hands and hands won by the bot on the left\n")
    assert "every two play 8 hands (4 deals, each in every seating), by the arena" in out
    assert max(map(len, out.splitlines())) <= 100
    assert simulate("holdem", "caller", "tight", json=True, flags=cross) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["game"], facts["deals"], facts["duplicate"], len(facts["scores"])) == ("holdem", 4, True, 2)


def test_cross_table_that_stops_and_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = SimulationFlags(deals=3 * BLOCK, cross=True, until=0.01, report=tmp_path / "report.html", engine="arena")
    assert simulate("blockhead", "caller", "maniac", "random", json=True, flags=flags) == 0
    facts = json.loads(capsys.readouterr().out)
    assert_keys("### Simulations with --cross", facts, options=game_with("blockhead", {}).facts)
    assert (facts["level"], facts["stops_when_decided"], facts["deals"]) == (0.01, True, 3 * BLOCK)
    assert all((score["deals"] < 3 * BLOCK) <= score["decided"] for score in facts["scores"])
    assert min(score["deals"] for score in facts["scores"]) < 3 * BLOCK
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "or fewer if it is certain at 0.01" in page
    names = [f'id="{chart}{end}"' for chart in ("chips-won", "mean", "openers") for end in ("-2", "-3", "-4")]
    assert [page.count(name) for name in names] == [1] * 9
    for pair in ("caller and maniac", "caller and random", "maniac and random"):
        assert f"<h2>{pair}: " in page


#: A value of each flag that is about how a simulation is played, computed or told.
FLAGS: dict[str, Any] = {
    "duplicate": True,
    "cross": True,
    "until": 0.01,
    "report": Path("report.html"),
    "engine": "arena",
    "jobs": 2,
    "cluster": "local:1",
    "checkpoint": Path("kept"),
    "csv": True,
}


@pytest.mark.parametrize("flag", [None, *FLAGS])
@pytest.mark.parametrize("game", ["stud", "holdem", "blockhead", "dice"])
def test_every_flag_in_every_game(
    game: str, flag: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same flags, and the same keys."""
    if flag == "cluster":
        pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    flags = replace(SimulationFlags(deals=3), **({flag: FLAGS[flag]} if flag else {}))
    if flag == "csv":
        assert simulate(game, "caller", "random", flags=flags) == 0
        assert {"game", "seed", "deals", "verdict", "bot", "interval_low"} < set(read_csv(capsys.readouterr().out)[0])
        return
    assert simulate(game, "caller", "random", json=True, flags=flags) == 0
    facts = json.loads(capsys.readouterr().out)
    heading = "### Simulations with --cross" if flag == "cross" else "### Simulations"
    assert_keys(heading, facts, options=game_with(game, {}).facts)
    assert (facts["deals"], facts["duplicate"]) == (3, flag in ("duplicate", "cross"))
    assert [*map(str, Path().iterdir())] == ([str(FLAGS[flag])] if flag in ("report", "checkpoint") else [])


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_csv_has_the_facts_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    flags = SimulationFlags(deals=6, cross=True)
    bots = ("caller", "random", "tight")
    assert simulate("stud", *bots, json=True, flags=flags) == 0
    facts = json.loads(capsys.readouterr().out)
    assert simulate("stud", *bots, flags=replace(flags, csv=True)) == 0
    rows = read_csv(capsys.readouterr().out)
    assert [(row["bot"], row["against"]) for row in rows] == [(one["bot"], one["against"]) for one in facts["scores"]]
    for row, score in zip(rows, facts["scores"], strict=True):
        assert (row["game"], row["seed"], row["ante"]) == ("stud", "casino", "1")
        assert float(row["chips_per_hand"]) == score["chips_per_hand"]
        assert [float(row["interval_low"]), float(row["interval_high"])] == score["interval"]
    assert simulate("stud", *bots, json=True, flags=replace(flags, csv=True)) == 2
    assert capsys.readouterr().err == "casino: choose one of --json and --csv\n"


def test_csv_of_no_interval_has_empty_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("stud", "caller", "caller", flags=SimulationFlags(deals=1, csv=True)) == 0
    row, _ = read_csv(capsys.readouterr().out)
    assert (row["interval_low"], row["interval_high"], row["variance_ratio"]) == ("", "", "")


def test_button_moves_between_hands_with_equal_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    buttons: list[int] = []

    def watch(turn: HoldemTurn) -> Bet:
        buttons.append(turn.button)
        return Bet(turn.owed)

    monkeypatch.setattr(plan, "load_bot", lambda *_name: lambda _rng: Scripted(watch))
    assert simulate("holdem", "one", "two", json=True, flags=SimulationFlags(deals=4)) == 0
    assert set(buttons) == {0, 1}


@pytest.mark.parametrize(
    ("bots", "flags", "complaint"),
    [
        (("caller", "caller"), SimulationFlags(cross=True), "a cross table needs at least 2 different bots"),
        (("caller", "nobody"), SimulationFlags(cross=True), "there is no bot 'nobody'"),
        (("caller", "nobody"), SimulationFlags(duplicate=True), "there is no bot 'nobody'"),
        (("caller", "tight"), SimulationFlags(engine="kernel"), "there is no kernel for holdem"),
    ],
)
def test_bad_use(
    bots: tuple[str, ...], flags: SimulationFlags, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert simulate("holdem", *bots, flags=flags) == 2
    assert capsys.readouterr().err.startswith(f"casino: {complaint}")


def test_stops_when_chips_decide(capsys: pytest.CaptureFixture[str]) -> None:
    flags = SimulationFlags(deals=20_000, duplicate=True, until=0.01)
    assert simulate("holdem", "tight", "caller", json=True, flags=flags) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["decided"], facts["stops_when_decided"], facts["verdict"]) == (True, True, "tight beats caller")
    assert facts["p_value"] <= 0.01
    assert facts["deals"] in range(1000, 20_000, 1000)


BOTS = ("alpha", "caller", "maniac", "tight", "beta-chips", "pair-or-fold")


def cross_of(count: int, won: Estimate, rate: Estimate) -> CrossTable:
    """Every two of some bots with the same scores."""
    return CrossTable(BOTS[:count], dict.fromkeys(permutations(range(count), 2), cross_cell(won, rate)))


def test_games_won_show_both_ends_of_their_interval() -> None:
    shown = shown_at(100, cross_of(2, Estimate(-8.9, -10.2, -7.6), Estimate(0.05, 0.0, 0.202)))
    assert {"5.0%", "0.0-20.2%", "±1.30"} <= set(shown.split())
    assert "10.1" not in shown


def test_small_loss_is_no_negative_zero() -> None:
    shown = cross_cell(Estimate(-0.001, -0.002, 0.0), share(1, 2))
    assert shown.startswith("+0.00")
    assert signed(Estimate(-0.001, -0.004, 0.002)) == ("+0.00", "+0.00", "+0.00")


def test_mean_without_an_interval_stands_alone() -> None:
    assert cross_cell(Estimate(0.0, float("-inf"), float("inf")), share(1, 2)).startswith("+0.00\n50.0%")


@pytest.mark.parametrize("count", [2, 4, 6])
@pytest.mark.parametrize("width", [40, 60, 80, 100, 200])
def test_no_number_is_cut_at_any_width(count: int, width: int) -> None:
    shown = shown_at(width, cross_of(count, Estimate(-123.456, -146.91, -100.0), Estimate(0.95, 0.798, 1.0)))
    assert max(map(len, shown.splitlines())) <= width
    words = shown.replace(",", " ").split()
    numbers = ("-123.46", "±23.45", "95.0%", "79.8-100.0%")
    assert [words.count(number) for number in numbers] == [count * (count - 1)] * len(numbers)


@pytest.mark.parametrize(("width", "is_list"), [(40, True), (80, False), (100, False)])
def test_list_where_the_table_is_too_wide(width: int, is_list: bool) -> None:
    """Six bots as blockhead has them: a terminal of 80 columns still has the table."""
    shown = shown_at(width, cross_of(6, Estimate(-14.25, -15.66, -12.84), Estimate(0.75, 0.618, 0.858)))
    assert ("alpha against maniac: -14.25 ±1.41," in shown) == is_list
    assert ("───" in shown) != is_list
