"""The rule sets are what they say, their best response is exact, and gamma learns them."""

import json
from itertools import product
from random import Random
from statistics import fmean

import numpy as np
import pytest

from bots.strategies.alpha import Alpha, alpha_move
from bots.strategies.gamma import Gamma
from bots.train import learning
from bots.train.learning import Trial, shares, windows
from bots.train.rule_reply import best_gain, rule_move
from bots.train.rule_sets import (
    ALPHA,
    BLUFFERS,
    NEAR,
    RULE_SETS,
    Mood,
    RulePlayer,
    RuleSet,
)
from protocol.games.blockhead import STREETS
from tests.bots.blockhead_games import play_games


def test_rules_of_alpha_are_alpha() -> None:
    _, moves = ALPHA.tables()
    priors = (None, *range(11))
    for street, prior, pot, raises, delta in product((1, 2, 3), priors, range(20, 200, 7), (0, 3), range(-40, 41)):
        expected = alpha_move(street == STREETS, prior, pot, raises, delta)
        assert rule_move(moves[0], street, -1 if prior is None else prior, pot, raises, delta) == expected


def test_player_by_rules_plays_as_alpha() -> None:
    players = (RulePlayer(Random(1), ALPHA), Alpha(Random(1)))
    both = [play_games([player, Alpha(Random(2))], 5, "rules") for player in players]
    assert both[0] == both[1]


def test_rule_sets_differ_and_stay_the_same() -> None:
    tables = [rules.tables()[1].tobytes() for rules in (ALPHA, *NEAR, *BLUFFERS)]
    assert len(set(tables)) == len(RULE_SETS) == len(tables)
    assert [rules.tables()[1].tobytes() for rules in NEAR] == tables[1 : 1 + len(NEAR)]


def test_near_rules_move_as_alpha_mostly() -> None:
    _, alpha = ALPHA.tables()
    for rules in NEAR:
        _, moves = rules.tables()
        kept = np.sign(moves) == np.sign(alpha)
        assert 0.6 < kept[:, :, :, 2:10, 30:70].mean() < 1


def test_best_response_wins_what_is_known() -> None:
    """Who always folds to a raise loses its buy-in to the first raise, and no more."""
    coward = RuleSet("coward", (Mood(1.0, (((), (), (), ()),) * 3),))
    assert best_gain(coward, (10,), range(1)) == pytest.approx(10)


@pytest.mark.heavy
def test_best_response_gains_no_less_with_more_raises() -> None:
    even = range(1)
    assert 0 < best_gain(RULE_SETS["bluff-3"], (10,), even) <= best_gain(RULE_SETS["bluff-3"], (1, 10), even)


@pytest.mark.heavy
def test_nobody_wins_more_than_the_best_response() -> None:
    """Gamma knows its opponent after 300 hands; real decks and carried pots make up for little."""
    trial = Trial(Gamma, RULE_SETS["bluff-1"], None, 0, 400, "known")
    gains = [fmean(trial.gains(number)[300:]) for number in range(4)]
    assert 0.6 < fmean(gains) / best_gain(trial.rules) < 1.2


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("rules", "matches", "window", "least"),
    [("no-pot", 60, (1, 20), 0.6), ("bluff-1", 12, (101, 200), 0.75)],
    ids=["near Alpha", "bluffs on street 1"],
)
def test_gamma_learns_soon(rules: str, matches: int, window: tuple[int, int], least: float) -> None:
    """Of the sets near Alpha's that have names, ``no-pot`` is the one of which gamma makes least in 20 hands."""
    trial = Trial(Gamma, RULE_SETS[rules], None, 0, window[1], "learning")
    found = {(low, high): share for low, high, share in shares(trial, matches)}
    assert found[window].low > least


@pytest.mark.parametrize(
    ("hands", "after", "expected"),
    [
        (20, 0, [(0, 20)]),
        (200, 0, [(0, 20), (0, 100), (100, 200)]),
        (520, 320, [(0, 20), (0, 100), (100, 200), (200, 300), (300, 320), (320, 340), (320, 420), (420, 520)]),
    ],
)
def test_windows(hands: int, after: int, expected: list[tuple[int, int]]) -> None:
    rules = RULE_SETS["bold"]
    assert windows(Trial(Gamma, rules, rules if after else None, after, hands, "")) == expected


def test_command_reports_shares(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(
        "sys.argv", ["learning", "--rules", "bluff-1", "--matches", "2", "--hands", "40", "--bot", "caller", "--json"]
    )
    monkeypatch.setattr(learning, "best_gain", lambda rules: 10.0)
    learning.main()
    found = json.loads(capsys.readouterr().out)
    assert found["rules"] == "bluff-1"
    assert [(row["first"], row["last"]) for row in found["shares"]] == [(1, 20), (1, 40)]


@pytest.mark.parametrize("flags", ["--hands 30", "--matches 1", "--then bold --hands 320", "--rules nobody"])
def test_wrong_flags_are_refused(flags: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["learning", *flags.split()])
    with pytest.raises(SystemExit):
        learning.main()
