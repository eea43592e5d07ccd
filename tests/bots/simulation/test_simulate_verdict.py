"""From games to words, a test that may be stopped at any time, and the HTML report of what was found."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from math import comb, exp, log
from pathlib import Path
from random import Random

import pytest

from bots.commands import simulate
from bots.simulation.conclusion import AlwaysValid, Verdict, judge, log_evidence, log_evidence_of_mean
from bots.simulation.engine import Outcome, play
from bots.simulation.html_report import chips_won, report_page, running_mean, wins_by_opener
from bots.simulation.plan import Plan
from bots.simulation.simulation_flags import SimulationFlags
from bots.simulation.tally import PairTally, Played, Tally
from protocol.estimates.exact_mean import ExactMean, sign_test
from protocol.estimates.intervals import share
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame

GAMES, HANDS = BlockheadGame(), HoldemGame(reset_stacks=1)


def tally_of(*plays: Sequence[int], seatings: int = 1, game: Game = GAMES) -> Tally:
    tally = Tally.start(Plan(("caller",) * len(plays[0]), game, 1, seatings > 1, "x"))
    finished = [Played(tuple(gains), 0, (0,) * len(gains), 400) for gains in plays]
    for first in range(0, len(finished), seatings):
        tally.add(finished[first : first + seatings])
    return tally


def judged(*plays: Sequence[int], game: Game = GAMES, level: float = 0.05) -> Verdict:
    bots = ("alpha", "beta", "gamma")[: len(plays[0])]
    return judge(tally_of(*plays, game=game), Plan(bots, game, 1, False, "x"), level)


WON, LOST, DRAWN = (10, -10), (-10, 10), (0, 0)


def test_a_clear_win() -> None:
    verdict = judged(*[LOST] * 90, *[WON] * 10)
    assert (verdict.words, verdict.decided, verdict.unlikely_above) == ("beta beats alpha", True, None)
    assert verdict.p_value < 0.001


def test_undecided_lead_says_how_large_a_difference_may_be() -> None:
    """54 to 46: 0.08 and 1.98 standard errors of 0.1, a little more for the bounds."""
    verdict = judged(*[WON] * 54, *[LOST] * 46)
    assert not verdict.decided
    assert verdict.unlikely_above == pytest.approx(0.08 + 1.98 * 0.1, abs=0.01)
    assert verdict.words == "no difference found, and one above 27.5 % of deals is unlikely"


def test_who_wins_more_chips_is_better_where_hands_are_played() -> None:
    """The loser of nine hands in ten wins what counts."""
    plays = [(30, -30), *[(-2, 2)] * 9] * 40
    assert judged(*plays, game=HANDS).words == "alpha beats beta"
    assert judged(*plays).words == "beta beats alpha"


def test_hands_without_a_difference_found() -> None:
    """A mean of 2 chips, with a standard error of 10: in each of 100 hands 98 more or 102 less."""
    verdict = judged(*[(51, -51)] * 50, *[(-49, 49)] * 50, game=HANDS)
    assert verdict.unlikely_above == pytest.approx(2 + 1.98422 * 100 / 99**0.5, rel=1e-5)
    assert verdict.words == "no difference found, and one above 219.42 big blinds in 100 hands is unlikely"


def test_hands_without_blinds_are_told_in_chips() -> None:
    antes = HoldemGame(small_blind=0, big_blind=0, ante=5, reset_stacks=1)
    words = judged(*[(51, -51)] * 50, *[(-49, 49)] * 50, game=antes).words
    assert words == "no difference found, and one above 21.94 chips a hand is unlikely"


@pytest.mark.parametrize("plays", [[DRAWN] * 10, [WON]])
def test_hands_that_say_nothing(plays: list[tuple[int, int]]) -> None:
    assert judged(*plays, game=HANDS).words == "no difference found"


def test_leader_of_three_is_compared_with_each() -> None:
    """The p-value is of the leader and the hardest rival."""
    games = [(0, 100, -100)] * 60 + [(100, 0, -100)] * 40
    verdict = judged(*games)
    assert verdict.words.startswith("beta beats gamma; no difference found against alpha, and one above 39")
    assert not verdict.decided
    assert (verdict.leader, verdict.rival, verdict.comparisons) == ("beta", "alpha", 3)
    assert verdict.p_value == pytest.approx(3 * sign_test(60, 40))
    assert judged(*[game[:2] for game in games]).comparisons == 1
    assert judged(*games[:60]).words == "beta beats alpha and gamma"


def test_three_comparisons_need_more_than_one() -> None:
    games = [(0, 100, -100)] * 15 + [(100, 0, -100)] * 4
    assert judged(*[game[:2] for game in games]).decided
    assert not judged(*games).decided


def test_a_stricter_level_needs_more() -> None:
    games = [*[WON] * 62, *[LOST] * 38]
    assert judged(*games).decided
    assert not judged(*games, level=0.01).decided


def test_lead_counts_for_the_player_ahead() -> None:
    """Most games won, yet behind the second whenever the third wins."""
    games = [(200, -100, -100)] * 400 + [(-100, 0, 100)] * 350 + [(-100, 100, 0)] * 250
    assert not judged(*games).decided


def test_duplicate_games_are_scored_by_deal() -> None:
    tally = tally_of(WON, LOST, WON, DRAWN, seatings=2)
    assert (tally.plays, tally.deals) == (4, 2)
    pair = tally.pairs[0, 1]
    assert (pair.ahead, pair.behind) == (1, 0)
    player = tally.players[0]
    assert (player.won, player.drawn) == (2, 1)
    assert tally.chips_per_hand(0).value == 0.125


def test_duplicates_remove_luck_with_cards() -> None:
    tally = tally_of((200, -200), (-200, 200), (-100, 100), (100, -100), seatings=2)
    assert tally.variance_ratio((0, 1)) == 0
    alike = tally_of((200, -200), (200, -200), (-100, 100), (-100, 100), seatings=2).variance_ratio((0, 1))
    assert alike is not None
    assert alike > 1
    assert tally_of(WON, LOST, seatings=2).variance_ratio((0, 1)) is None


LEVEL = 0.05

#: Two bots in games.
PAIR = Plan(("caller", "caller"), GAMES, 1, False, "x")


def games_until_decided(rng: Random, chance: float, at_most: int) -> int | None:
    """Games played when the test, looked at after every one, first reaches the level."""
    test, ahead = AlwaysValid(), 0
    for games in range(1, at_most + 1):
        ahead += rng.random() < chance
        test.look(PairTally(ahead=ahead, behind=games - ahead), PAIR)
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


@pytest.mark.parametrize("chance", [0.5, 1 / 3, 1 / 40])
def test_false_decisions_about_chips_stay_below_the_level(chance: float) -> None:
    """A fair bet, won seldom and then much, which is looked at after each ten."""
    rng, runs, bound, wrong = Random(f"chips {chance}"), 1000, 100, 0
    lost = round(bound * chance / (1 - chance))
    bound = round(lost * (1 - chance) / chance)
    for _ in range(runs):
        values = ExactMean()
        for number in range(1, 601):
            values.add(bound if rng.random() < lost / (lost + bound) else -lost)
            if number % 10 == 0 and log_evidence_of_mean(values, bound) >= log(1 / LEVEL):
                wrong += 1
                break
    assert share(wrong, runs).high <= LEVEL


@pytest.mark.parametrize("mean", [3, 20, 90])
def test_difference_in_chips_is_found(mean: int) -> None:
    """After not many more than a test needs that is looked at once."""
    rng, values = Random("chips"), ExactMean()
    while log_evidence_of_mean(values, 200) < log(1 / LEVEL):
        values.add(rng.choice([mean - 100, mean + 100]))
    assert values.total > 0
    assert values.count < 4 * max(7.85 * 100**2 / mean**2, 20)


def test_evidence_of_a_mean_is_less_than_what_the_bets_bring() -> None:
    """Added up over all results of a fair toss, it is 1 on average at most."""
    for tosses in range(1, 15):
        brought = 0.0
        for heads in range(tosses + 1):
            total, ways = 2 * heads - tosses, comb(tosses, heads)
            brought += ways / 2**tosses * exp(log_evidence_of_mean(ExactMean(tosses, total, tosses), 1))
        assert 0.5 < brought <= 1


def test_the_p_value_never_rises() -> None:
    test, values = AlwaysValid(), []
    for ahead, behind in [(5, 0), (5, 5), (30, 5), (30, 30)]:
        test.look(PairTally(ahead=ahead, behind=behind), PAIR)
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
    """Of games; hands have the same page."""
    return play(Plan(("random", "maniac"), BlockheadGame(hands=4), 600, True, "x"))


@pytest.fixture(scope="module")
def page(outcome: Outcome) -> Page:
    return Page(report_page(outcome))


def test_the_page_loads_nothing(page: Page) -> None:
    assert page.loads == []
    assert not [script for script in page.scripts if "@import" in script]


def test_page_holds_three_charts_and_one_script(page: Page) -> None:
    for title in ("Chips won in a game", "Chips a hand, with 95 % interval", "Games won, by who was the first"):
        assert sum(title in script for script in page.scripts) == 1, title
    assert sum("querySelectorAll" in script for script in page.scripts) == 1
    assert sum(map(len, page.scripts)) < 50_000


def test_the_page_says_what_was_found(page: Page, outcome: Outcome) -> None:
    text = "".join(page.words)
    for words in ("maniac beats random", "1,200 games (600 deals", "by the arena", "--seed x", "p < 0.001"):
        assert words in text
    assert f"{outcome.tally.players[1].won:,}" in text


def test_every_game_is_in_the_distribution(outcome: Outcome) -> None:
    for bars in chips_won(outcome).series:
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


def test_page_of_hands() -> None:
    shown = play(Plan(("maniac", "tight"), HANDS, 50, True, "x"))
    text = "".join(Page(report_page(shown)).words)
    for words in ("Hands won", "big blinds in 100 hands (95 %)", "100 hands (50 deals"):
        assert words in text
    assert shown.trail[-1].chips_per_hand[0] == shown.tally.chips_per_hand(0)


def test_the_command_writes_the_file_once_and_still_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.html"
    assert simulate("blockhead", "caller", "maniac", flags=SimulationFlags(deals=5, report=path)) == 0
    assert "no difference found" in capsys.readouterr().out
    written = path.read_text(encoding="utf-8")
    assert "no difference found" in written
    assert simulate("blockhead", "caller", "maniac", flags=SimulationFlags(deals=10**9, report=path)) == 2
    assert capsys.readouterr().err == (
        f"casino: there is already a file {path}: name a new one for the report, or delete it\n"
    )
    assert path.read_text(encoding="utf-8") == written


def test_report_without_jinja(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    path = tmp_path / "report.html"
    assert simulate("blockhead", "caller", "maniac", flags=SimulationFlags(deals=10**9, report=path)) == 1
    told = "a report needs jinja2: pip install '.[report]' in the folder of Casino Day"
    assert capsys.readouterr().err == f"casino: {told}\n"
    assert not path.exists()


def test_name_of_a_bot_is_text(outcome: Outcome) -> None:
    """Bots come from packages of any author; neither HTML nor a template may come with their names."""
    hostile = "<script>{{ 7*7 }}</script>"
    named = Outcome(replace(outcome.plan, bots=(hostile, "maniac")))
    named.add([outcome.tally])
    text = report_page(named)
    assert hostile not in text
    assert "".join(Page(text).words).count(hostile) == 2  # the verdict and the table
    assert r"\u003cscript\u003e{{ 7*7 }}" in "".join(Page(text).scripts)  # in the data of charts
