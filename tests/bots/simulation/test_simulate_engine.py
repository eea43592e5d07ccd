"""Which engine plays, what is asked of the kernel, and with which words another checkpoint is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from bots.commands import simulate
from bots.simulation.conclusion import judge
from bots.simulation.folding import Checkpoint
from bots.simulation.kernels import blockhead as kernel
from bots.simulation.plan import BLOCK, Plan, SimulationError, pick_engine
from bots.simulation.simulation_flags import DealFlags, GameFlags, HandFlags, LargeFlags
from bots.simulation.tally import Tally
from bots.simulation.whole_games import Shard, play_block, play_shard
from protocol.games.blockhead import BlockheadGame

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
