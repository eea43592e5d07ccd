"""``casino simulate holdem``: deals in every seating, cross tables, and the button that moves on."""

import json

import pytest

from bots.commands import simulate
from bots.simulation import plan
from bots.simulation.cross_table import play_cross
from bots.simulation.folding import Keeping
from bots.simulation.plan import Plan
from bots.simulation.simulation_flags import DealFlags, HandFlags
from bots.simulation.single_hands import Table, play_plan, play_whole_table
from bots.workers.computing import LocalWorkers
from protocol.games.base import Bet
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_turn import HoldemTurn
from tests.bots.helpers import Scripted
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
