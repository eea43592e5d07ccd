"""Two versions: differences in chips and their intervals, what is kept of them, and house bots that fail."""

import json
from collections import Counter
from csv import DictReader
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bots.arena import PlayedHand
from bots.commands import regress
from bots.simulation import plan as plans
from bots.simulation.checkpoint import from_json, to_json
from bots.simulation.conclusion import difference_of
from bots.simulation.engine import Outcome, play, play_block
from bots.simulation.plan import BrokenBotError, Plan, is_command
from bots.simulation.regress import regress_facts
from bots.simulation.simulation_flags import RegressFlags
from bots.simulation.tally import SHOWN, Change, Played, Tally, VersionFault
from bots.simulation.versions import chips_won
from bots.workers.computing import LocalWorkers
from protocol.games.base import Settlement
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.registry import load_game
from protocol.installed_bots import load_bot
from tests.docs.pages import assert_keys

#: What versions without faults and losses do not have.
FAULT_KEYS = [
    f"compared[].{which}_faults[].{name}" for which in ("new", "old") for name in ("deal", "seat", "kind", "reason")
]


def paired(*hands: tuple[int, int], seats: int = 1, tests: int = 1) -> Outcome:
    """Deals in which the versions win the same, old and new, in all seats."""
    outcome = Outcome(
        Plan(("new", "old"), HoldemGame(), len(hands), True, "x", against="caller", seats=seats, tests=tests)
    )
    tally = Tally.start(outcome.plan)
    for (old, new), times in Counter(hands).items():
        tally.add([Played((new, old), 0, (0, 0), 0)] * seats, times)
    outcome.add([tally])
    return outcome


def difference(*hands: tuple[int, int], seats: int = 1, tests: int = 1) -> tuple[float, float, float]:
    outcome = paired(*hands, seats=seats, tests=tests)
    return difference_of(outcome.tally.both[0], outcome.plan)


def p_worse(*hands: tuple[int, int], seats: int = 1) -> float:
    found: float = regress_facts("new", "old", [paired(*hands, seats=seats)])["compared"][0]["p_worse"]
    return found


def test_means_and_difference() -> None:
    hands = [(1, 3), (-5, -4), (2, 2)]
    new, old = (paired(*hands).tally.chips_per_hand(player) for player in range(2))
    value, low, high = difference(*hands)
    assert value == pytest.approx(new.value - old.value) == 1
    assert low < 0
    assert high > 1
    assert difference(*hands, tests=4)[1] < low


def test_hands_with_the_same_cards_count_once() -> None:
    hands = [(0, deal % 3) for deal in range(20)]
    assert difference(*hands) == pytest.approx(difference(*hands, seats=5))
    assert p_worse(*hands) == p_worse(*hands, seats=5)


def test_single_deal_is_no_evidence() -> None:
    assert regress_facts("new", "old", [paired((3, -100))])["compared"][0]["difference"]["low"] is None
    assert p_worse((3, -100)) == 0.5


def test_equal_losses_are_tested_by_their_signs() -> None:
    assert p_worse(*[(1, 0)] * 10) == 0.5**10
    assert p_worse(*[(0, 1)] * 10) == p_worse(*[(0, 0)] * 10) == 1


def test_few_losses_that_are_nearly_equal_are_no_more_evidence_than_their_signs() -> None:
    assert p_worse((1000, 0), (1001, 0)) == 0.5**2
    assert not paired((1000, 0), (1001, 0)).verdict.decided


def test_equal_versions_are_accused_as_often_as_was_promised() -> None:
    chance, accused, trials = Random("equal"), 0, 400
    for _ in range(trials):
        hands = [(chance.choice((-1, 20)), chance.choice((-1, 20))) for _ in range(60)]
        facts = regress_facts("new", "old", [paired(*hands)])
        accused += facts["worse"]
        assert facts["worse"] == (facts["compared"][0]["p_worse"] <= 0.025)
    assert accused / trials < 0.025 + 3 * (0.025 * 0.975 / trials) ** 0.5
    assert accused


def test_more_comparisons_need_more_evidence() -> None:
    hands = [(1, 0)] * 6
    assert paired(*hands).verdict.words == "the old version beats the new version"
    assert not paired(*hands, tests=2).verdict.decided


def test_a_pot_that_is_carried_over_counts_as_shared() -> None:
    tied = PlayedHand((0, 1), Settlement((-40, -40), (0, 0), (), carried=80), ())
    assert [chips_won(tied, seat) for seat in range(2)] == [0, 0]
    with_the_tied_pot = PlayedHand((0, 1), Settlement((105, -25), (130, 0), ()), ())
    assert [chips_won(with_the_tied_pot, seat) for seat in range(2)] == [65, -65]


def test_largest_losses_are_kept_and_the_earlier_of_equal_ones() -> None:
    tally = paired((0, 0)).tally
    assert tally.versions is not None
    for deal in range(3 * SHOWN):
        won = -5 if deal % 2 else 7
        fault = VersionFault(deal, 0, "late", "too late")
        tally.versions.add(Change(deal, 0, 0, won, won, 1, "fold", "bet:5"), [fault], [])
    assert tally.versions.changed == 3 * SHOWN
    assert [loss.deal for loss in tally.versions.losses] == list(range(1, 2 * SHOWN, 2))
    kept = from_json(to_json(tally), Tally)
    assert kept == tally
    kept.merge(tally)
    assert kept.versions is not None
    assert [len(faults) for faults in kept.versions.faults] == [6 * SHOWN, 0]


VERSIONS = Plan(("random", "tight"), BlockheadGame(), 23, True, "x", against="maniac", seats=2)


def test_result_with_one_and_two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(VERSIONS, deals=230)
    alone, together = (play(plan, LocalWorkers(jobs)) for jobs in (1, 2))
    assert alone.tally == together.tally
    assert alone.tally.plays == 460
    assert alone.tally.versions is not None
    assert alone.tally.versions.losses


def test_versions_that_play_alike_never_differ() -> None:
    tally = play_block(replace(VERSIONS, bots=("random", "random")), 0)
    assert (tally.both[0].deals.squares, tally.both[0].deals.count) == (0, 23)
    assert tally.versions is not None
    assert not tally.versions.changed


class Broken:
    """A bot that fails at each call from one on."""

    def __init__(self, first: str) -> None:
        self._calls = ["game_begins", "decide", "hand_over"]
        self._calls = self._calls[self._calls.index(first) :]
        self._inner = load_bot("caller")(Random(1))

    def _call(self, name: str, about: object) -> object:
        if name in self._calls:
            raise ZeroDivisionError(name)
        return getattr(self._inner, name)(about)

    def game_begins(self, info: object) -> None:
        self._call("game_begins", info)

    def decide(self, turn: object) -> object:
        return self._call("decide", turn)

    def hand_over(self, status: object) -> None:
        self._call("hand_over", status)


@pytest.mark.parametrize("call", ["game_begins", "decide", "hand_over"])
@pytest.mark.parametrize("as_version", [True, False])
def test_bot_that_fails_ends_the_command_with_its_name(
    call: str, as_version: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        plans, "load_bot", lambda name, *game: (lambda _: Broken(call)) if name == "broken" else load_bot(name)
    )
    names = ("broken", "caller", "caller") if as_version else ("caller", "caller", "broken")
    plan = Plan(names[:2], HoldemGame(), 3, True, "x", against=names[2], seats=3)
    with pytest.raises(BrokenBotError, match=f"broken in seat [012].*: {call} raised ZeroDivisionError: {call}"):
        play_block(plan, 0)


def test_words_or_a_place_for_the_port_are_a_command() -> None:
    assert [is_command(text) for text in ("tight", "java Poker {port}", "{port}", "my bot.npz")] == [
        False,
        True,
        True,
        False,
    ]


def test_programs_play_in_one_process(capsys: pytest.CaptureFixture[str]) -> None:
    flags = RegressFlags(jobs=2, against=("tight",))
    assert regress("x {port}", "caller", games=("stud",), flags=flags) == 2
    assert capsys.readouterr().err.startswith("casino: --jobs and --cluster are for house bots; programs play")


@pytest.mark.parametrize("game", ["stud", "holdem", "blockhead", "dice"])
def test_flags_of_simulations_in_every_game(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, kept = tmp_path / "report.html", tmp_path / "kept"
    flags = RegressFlags(against=("caller", "random"), deals=3, players=2, until=0.1, report=report, checkpoint=kept)
    code = regress("random", "caller", games=(game,), flags=replace(flags, json=True))
    facts = json.loads(capsys.readouterr().out)
    assert_keys("## casino regress", facts, absent=FAULT_KEYS)
    assert (facts["worse"], facts["stops_when_decided"], facts["level"]) == (code == 1, True, 0.1)
    page = report.read_text("utf-8")
    assert f"<h2>{game} against random: " in page
    assert 'id="mean-3"' in page
    again = replace(flags, report=None, json=True)
    assert regress("random", "caller", games=(game,), flags=again) == code
    assert json.loads(capsys.readouterr().out) == facts
    assert regress("random", "caller", games=(game,), flags=replace(again, deals=4)) == 2
    assert "another simulation: --deals differs" in capsys.readouterr().err


def test_csv_has_a_line_for_each_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    flags = RegressFlags(against=("caller", "random"), deals=3, players=2, csv=True)
    assert regress("random", "random", games=("stud", "dice"), flags=flags) == 0
    rows = list(DictReader(capsys.readouterr().out.splitlines()))
    assert [(row["game"], row["against"]) for row in rows] == [
        (game, against) for game in ("stud", "dice") for against in ("caller", "random")
    ]
    assert {(row["difference_value"], row["new_faults"], row["verdict"]) for row in rows} == {
        ("0.0", "0", "no difference found")
    }


def test_stops_when_it_is_decided() -> None:
    outcome = play(replace(VERSIONS, bots=("tight", "caller"), game=load_game("stud")(), deals=3000), until=0.05)
    assert outcome.over
    assert outcome.tally.deals in range(plans.VERSION_BLOCK, 3000, plans.VERSION_BLOCK)
