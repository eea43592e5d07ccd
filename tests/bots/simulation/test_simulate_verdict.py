"""From games to words, a test that may be stopped at any time, and the HTML report of what was found."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from math import exp, log
from pathlib import Path
from random import Random

import pytest

from bots.commands import simulate
from bots.simulation.conclusion import AlwaysValid, judge, log_evidence
from bots.simulation.html_report import final_chips, report_page, running_mean, wins_by_opener
from bots.simulation.plan import Plan
from bots.simulation.simulation_flags import GameFlags
from bots.simulation.tally import FinishedGame, Tally
from bots.simulation.whole_games import Outcome
from bots.simulation.whole_games import simulate as play
from bots.statistics import sign_test
from protocol.estimates.intervals import share
from protocol.games.blockhead import BlockheadGame


def tally_of(*games: Sequence[int], seatings: int = 1) -> Tally:
    tally = Tally.start(Plan(("caller",) * len(games[0]), BlockheadGame(), 1, seatings > 1, "x"))
    finished = [FinishedGame(tuple(stacks), 0, (0,) * len(stacks), 400) for stacks in games]
    for first in range(0, len(finished), seatings):
        tally.add(finished[first : first + seatings])
    return tally


WON, LOST, DRAWN = (1010, 990), (990, 1010), (1000, 1000)


def test_a_clear_win() -> None:
    verdict = judge(tally_of(*[LOST] * 90, *[WON] * 10), ("alpha", "beta"))
    assert (verdict.words, verdict.decided, verdict.more) == ("beta beats alpha", True, None)
    assert verdict.p_value < 0.001


def test_undecided_lead_says_how_many_more_games() -> None:
    """54 to 46: (1.95996 + 0.84162)² (1 - 0.08²) / 0.08² and a hundredth more, 1231 games, of which 100 were played."""
    verdict = judge(tally_of(*[WON] * 54, *[LOST] * 46), ("alpha", "beta"))
    assert not verdict.decided
    assert verdict.more == pytest.approx(1131, abs=1)
    assert verdict.words == f"not decided: play about {verdict.more:,} more games"


@pytest.mark.parametrize("games", [[DRAWN] * 10, [WON, LOST], [WON]])
def test_no_difference_in_sight(games: list[tuple[int, int]]) -> None:
    verdict = judge(tally_of(*games), ("alpha", "beta"))
    assert (verdict.words, verdict.more) == ("not decided: no difference is in sight", None)


def test_leader_of_three_is_compared_with_each() -> None:
    """The p-value is of the leader and the hardest rival."""
    games = [(1000, 1100, 900)] * 60 + [(1100, 1000, 900)] * 40
    verdict = judge(tally_of(*games), ("alpha", "beta", "gamma"))
    assert verdict.words.startswith("beta beats gamma; not decided against alpha: play about ")
    assert not verdict.decided
    assert (verdict.leader, verdict.rival, verdict.comparisons) == ("beta", "alpha", 3)
    assert verdict.p_value == pytest.approx(3 * sign_test(60, 40))
    assert judge(tally_of(*[game[:2] for game in games]), ("alpha", "beta")).comparisons == 1
    assert judge(tally_of(*games[:60]), ("a", "b", "c")).words == "b beats a and c"


def test_three_comparisons_need_more_than_one() -> None:
    games = [(1000, 1100, 900)] * 15 + [(1100, 1000, 900)] * 4
    assert judge(tally_of(*[game[:2] for game in games]), ("a", "b")).decided
    verdict = judge(tally_of(*games), ("a", "b", "c"))
    assert not verdict.decided
    assert verdict.words.endswith(": play about 1 more game")


def test_a_stricter_level_needs_more() -> None:
    games = tally_of(*[WON] * 62, *[LOST] * 38)
    assert judge(games, ("a", "b")).decided
    assert not judge(games, ("a", "b"), level=0.01).decided


def test_lead_counts_for_the_player_ahead() -> None:
    """Most games won, yet behind the second whenever the third wins."""
    games = [(1200, 900, 900)] * 400 + [(900, 1000, 1100)] * 350 + [(900, 1100, 1000)] * 250
    verdict = judge(tally_of(*games), ("a", "b", "c"))
    assert not verdict.decided


def test_duplicate_games_are_scored_by_deal() -> None:
    tally = tally_of(WON, LOST, WON, DRAWN, seatings=2)
    assert (tally.games, tally.deals) == (4, 2)
    pair = tally.pairs[0, 1]
    assert (pair.ahead, pair.behind) == (1, 0)
    player = tally.players[0]
    assert (player.won, player.drawn) == (2, 1)
    assert tally.chips_per_game(0).value == 1002.5
    assert tally.chips_per_hand(0).value == 0.125


def test_duplicates_remove_luck_with_cards() -> None:
    tally = tally_of((1200, 800), (800, 1200), (900, 1100), (1100, 900), seatings=2)
    assert tally.variance_ratio((0, 1)) == 0
    alike = tally_of((1200, 800), (1200, 800), (900, 1100), (900, 1100), seatings=2).variance_ratio((0, 1))
    assert alike is not None
    assert alike > 1
    assert tally_of(WON, LOST, seatings=2).variance_ratio((0, 1)) is None


LEVEL = 0.05


def games_until_decided(rng: Random, chance: float, at_most: int) -> int | None:
    """Games played when the test, looked at after every one, first reaches the level."""
    test, ahead = AlwaysValid(), 0
    for games in range(1, at_most + 1):
        ahead += rng.random() < chance
        test.look(ahead, games - ahead)
        if test.p_value <= LEVEL:
            return games
    return None


def test_false_decisions_stay_below_the_level() -> None:
    rng, runs = Random("even"), 4000
    wrong = sum(games_until_decided(rng, 0.5, 200) is not None for _ in range(runs))
    assert share(wrong, runs).high <= LEVEL
    assert wrong, "a test that never decides would be no use"


def test_repeated_plain_sign_test_is_wrong_more_often() -> None:
    """What the test above could not tell if it tossed its coins badly."""
    rng, wrong = Random("even"), 0
    for _ in range(300):
        ahead = 0
        for games in range(1, 401):
            ahead += rng.random() < 0.5
            if games > 20 and abs(2 * ahead - games) > 1.96 * games**0.5:
                wrong += 1
                break
    assert wrong / 300 > 3 * LEVEL


def test_a_clear_difference_is_found_early() -> None:
    rng = Random("clear")
    lengths = [games_until_decided(rng, 0.9, 400) for _ in range(100)]
    found = [length for length in lengths if length is not None]
    assert len(found) == 100
    assert sum(found) / 100 < 20


@pytest.mark.parametrize(
    ("ahead", "behind", "odds"), [(0, 0, 1), (1, 0, 1), (2, 0, 4 / 3), (1, 1, 2 / 3), (10, 0, 1024 / 11)]
)
def test_evidence_worked_by_hand(ahead: int, behind: int, odds: float) -> None:
    assert log_evidence(ahead, behind) == pytest.approx(log(odds))
    assert log_evidence(behind, ahead) == pytest.approx(log(odds))


def test_evidence_is_a_martingale() -> None:
    """After any results, the next fair toss leaves the evidence as it is on average."""
    for ahead in range(12):
        for behind in range(12):
            after = exp(log_evidence(ahead + 1, behind)) + exp(log_evidence(ahead, behind + 1))
            assert after / 2 == pytest.approx(exp(log_evidence(ahead, behind)))


def test_the_p_value_never_rises() -> None:
    test, values = AlwaysValid(), []
    for ahead, behind in [(5, 0), (5, 5), (30, 5), (30, 30)]:
        test.look(ahead, behind)
        values.append(test.p_value)
    assert all(later <= earlier for earlier, later in pairwise(values))
    assert values[0] == pytest.approx(6 / 32)


class Page(HTMLParser):
    """What a browser would load, and the text it would show."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.loads += [f"{tag} {key}={value}" for key, value in attrs if key in ("src", "href", "srcset", "data")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        (self.scripts if self._inside in ("script", "style") else self.words).append(data)


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return play(Plan(("random", "maniac"), BlockheadGame(hands=4), 600, True, "x"))


@pytest.fixture(scope="module")
def page(outcome: Outcome) -> Page:
    return Page(report_page(outcome))


def test_the_page_loads_nothing(page: Page) -> None:
    assert page.loads == []
    assert not [script for script in page.scripts if "@import" in script]


def test_page_holds_three_charts_and_one_script(page: Page) -> None:
    for title in ("Chips at the end of a game", "Chips won a hand, with 95 % interval", "Games won, by who opened"):
        assert sum(title in script for script in page.scripts) == 1, title
    assert sum("querySelectorAll" in script for script in page.scripts) == 1
    assert sum(map(len, page.scripts)) < 50_000


def test_the_page_says_what_was_found(page: Page, outcome: Outcome) -> None:
    text = "".join(page.words)
    for words in ("maniac beats random", "1,200 games (600 deals", "by the arena", "--seed x", "p < 0.001"):
        assert words in text
    assert f"{outcome.tally.players[1].won:,}" in text


def test_every_game_is_in_the_distribution(outcome: Outcome) -> None:
    for bars in final_chips(outcome).series:
        assert sum(value or 0 for value in bars.values) == pytest.approx(100)
        assert len(bars.at) <= 60


def test_the_running_mean_ends_at_the_mean(outcome: Outcome) -> None:
    curves = running_mean(outcome).series
    assert [curve.name for curve in curves] == ["random", "maniac"]
    for player, curve in enumerate(curves):
        mean = outcome.tally.chips_per_hand(player)
        assert list(curve.at) == [500, 1000, 1200]
        assert (curve.low[-1], curve.values[-1], curve.high[-1]) == (mean.low, mean.value, mean.high)


def test_wins_are_told_apart_by_who_opened(outcome: Outcome) -> None:
    bars = wins_by_opener(outcome).series
    assert [bar.name for bar in bars] == ["random", "maniac"]
    for player, bar in zip(outcome.tally.players, bars, strict=True):
        rates = [share(player.won_as_opener[opener], 600) for opener in (0, 1)]
        assert list(bar.values) == pytest.approx([player.won_as_opener[opener] / 6 for opener in (0, 1)])
        assert [*bar.low, *bar.high] == [100 * end for end in (*(r.low for r in rates), *(r.high for r in rates))]


def test_the_command_writes_the_file_once_and_still_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    assert simulate("blockhead", "caller", "maniac", hands=2, whole=GameFlags(games=5, report=path)) == 0
    assert "not decided" in capsys.readouterr().out
    written = path.read_text(encoding="utf-8")
    assert "not decided" in written
    assert simulate("blockhead", "caller", "maniac", whole=GameFlags(games=10**9, report=path)) == 2
    assert capsys.readouterr().err == (
        f"casino: there is already a file {path}: name a new one for the report, or delete it\n"
    )
    assert path.read_text(encoding="utf-8") == written


def test_report_without_jinja(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    path = tmp_path / "report.html"
    assert simulate("blockhead", "caller", "maniac", whole=GameFlags(games=10**9, report=path)) == 1
    told = "a report needs jinja2: pip install '.[report]' in the folder of Casino Day"
    assert capsys.readouterr().err == f"casino: {told}\n"
    assert not path.exists()


def test_name_of_a_bot_is_text(outcome: Outcome) -> None:
    """Bots come from packages of any author; neither HTML nor a template may come with their names."""
    hostile = "<script>{{ 7*7 }}</script>"
    named = replace(outcome, names=[hostile, "maniac"], verdict=replace(outcome.verdict, words=f"{hostile} wins"))
    text = report_page(named)
    assert hostile not in text
    assert "".join(Page(text).words).count(hostile) == 2  # the verdict and the table
    assert r"\u003cscript\u003e{{ 7*7 }}" in "".join(Page(text).scripts)  # in the data of charts
