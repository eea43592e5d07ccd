"""What a report tells of hold'em alone: rates of known hands, positions, pots, and luck when all in."""

import csv
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

import pytest

from dealer.audit.rebuild import LedgerRebuild
from dealer.audit.win_chances import run_outs, win_chances
from dealer.cli.installed import load_installed
from dealer.lobby.player import Player
from dealer.report.game_report import REPORTS, GameReport
from dealer.report.games.holdem import MOST_POINTS, POSITIONS, REPORT, AllInCurve, HoldemCollector, position_of
from dealer.settings import Settings
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.reported import report, rows
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Scribe, players


def collected(path: Path) -> tuple[HoldemCollector, LedgerRebuild]:
    """The statistics of a journal."""
    rebuild, collector = LedgerRebuild(path), HoldemCollector()
    for hand in rebuild.hands():
        collector.add(hand, rebuild.ledger.settings.game)
    return collector, rebuild


def write_hands(path: Path, *hands: str, game: HoldemGame = HoldemGame(reset_stacks=1), seats: int = 3) -> Path:  # noqa: B008
    """A journal in which players act as told: f folds, c checks or calls, r raises by the least, a puts in all."""
    scribe = Scribe(Settings(SEED, game, hands=len(hands)), players(*[f"Player {number}" for number in range(seats)]))
    scribe.game()
    for hand in hands:
        words = iter(hand.replace(" ", ""))

        def answer(_: Player, turn: HoldemTurn) -> Answer:
            match next(words):  # noqa: B023 - used at once
                case "f":
                    return FOLD
                case "c":
                    return Bet(turn.owed)
                case "r":
                    return Bet(turn.legal().raises[0])
            return Bet(max(turn.legal().raises, default=turn.owed))

        scribe.hand(answer)
        assert next(words, None) is None
    scribe.end()
    return scribe.write(path)


def test_rates_of_known_hands(tmp_path: Path) -> None:
    """Seats 0 (button), 1 and 2 in the first hand; the button moves on."""
    path = write_hands(
        tmp_path / "a.journal",
        "r c f  c r c  c c  c c",  # 0 raises, 1 calls, 2 folds; flop: 1 checks, 0 bets, 1 calls
        "f c c  c c  r f",  # button 1 folds, 2 completes, 0 checks; turn: 2 bets, 0 folds
        "f f",  # a walk for 1
    )
    collector, rebuild = collected(path)
    zero, one, two = (collector.statistics(player) for player in rebuild.ledger.players)
    assert [own.hands for own in (zero, one, two)] == [3, 3, 3]
    assert [own.acted for own in (zero, one, two)] == [3, 2, 3]
    assert [own.vpip for own in (zero, one, two)] == pytest.approx([1 / 3, 0.5, 1 / 3])
    assert [own.pfr for own in (zero, one, two)] == pytest.approx([1 / 3, 0, 0])
    assert [own.aggression for own in (zero, one, two)] == [None, 0.0, None]
    assert [(own.bets, own.calls) for own in (zero, one, two)] == [(1, 0), (0, 1), (1, 0)]
    assert [own.flops for own in (zero, one, two)] == [2, 1, 1]
    assert [own.showdowns for own in (zero, one, two)] == [1, 1, 0]
    assert one.positions["big blind"].chips == 5
    assert [two.positions[position].hands for position in POSITIONS] == [1, 1, 0, 0, 1]


def test_all_in_hand_is_worth_what_its_cards_were_worth(tmp_path: Path) -> None:
    path = write_hands(tmp_path / "a.journal", "a c", "c c  a c", "a f", seats=2)
    collector, rebuild = collected(path)
    expected, won = defaultdict[Player, float](float), Counter[Player]()
    for hand in LedgerRebuild(path).hands():
        for street in run_outs(hand.steps, hand.last, rebuild.ledger.settings.game)[:1]:
            for seat in (0, 1):
                player = rebuild.ledger.players[hand.players[seat].number]
                expected[player] += 2000 * win_chances(street, 2).wins[seat] - 1000
                won[player] += hand.settlement.payoffs[seat]
    for player in rebuild.ledger.players:
        curve = collector.statistics(player).all_in
        assert (curve.hands, curve.won) == (2, won[player])
        assert curve.expected == pytest.approx(expected[player])
        assert curve.points == [(0, 0, 0.0), *curve.points[1:]]
        assert curve.line[-1] == (2, curve.won, curve.expected)


@pytest.mark.parametrize("seed", range(12))
def test_statistics_add_up(seed: int, tmp_path: Path) -> None:
    path = write_league(tmp_path / "a.journal", Random(seed))
    collector, rebuild = collected(path)
    everybody = [collector.statistics(player) for player in rebuild.ledger.players]
    hands = list(LedgerRebuild(path).hands())
    assert sum(own.hands for own in everybody) == sum(len(hand.players) for hand in hands)
    assert sum(own.collected for own in everybody) == sum(hand.last.pot for hand in hands)
    assert sum(own.all_in.won for own in everybody) >= 0  # those who folded have lost it
    assert sum(own.all_in.expected for own in everybody) == pytest.approx(sum(own.all_in.won for own in everybody))
    for own in everybody:
        assert sum(result.hands for result in own.positions.values()) == own.hands
        assert own.raised <= own.put_in <= own.acted <= own.hands
        assert own.showdowns_won <= own.showdowns <= own.flops <= own.hands
    for hand in hands:
        assert isinstance(hand.last, HoldemHand)
        assert isinstance(hand.match, HoldemMatch)
        positions = Counter(position_of(seat, hand.last, hand.match) for seat in range(len(hand.players)))
        assert positions["big blind"] == 1
        assert positions["small blind"] <= 1
        assert positions["cutoff"] <= (len(hand.players) > 3)


def test_report_is_installed_under_the_name_of_the_game() -> None:
    assert load_installed(REPORTS, HoldemGame.name, "the report", GameReport) is REPORT


def test_long_curve_keeps_few_points_and_its_end() -> None:
    curve = AllInCurve()
    for number in range(10 * MOST_POINTS + 3):
        curve.add(1, 0.5 * (number % 2))
    assert MOST_POINTS / 2 - 1 <= len(curve.line) <= MOST_POINTS + 1
    assert curve.line[0] == (0, 0, 0.0)
    assert curve.line[-1][:2] == (10 * MOST_POINTS + 3,) * 2
    hands = [point[0] for point in curve.line]
    assert hands == sorted(set(hands))


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return write_league(tmp_path / "a.journal", Random(5), HoldemGame(stack=100), hands=40)


def test_page_and_sheet_of_a_report(league: Path, tmp_path: Path) -> None:
    report(league, tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    for heading in ("How they play", "Pots", "Positions", "All-in equity"):
        assert f"<h2>{heading}</h2>" in page
    collector, rebuild = collected(league)
    for row in rows(tmp_path / "out" / "holdem.csv"):
        own = collector.statistics(next(player for player in rebuild.ledger.players if player.id == row["id"]))
        assert int(row["hands"]) == own.hands
        assert float(row["vpip"]) == pytest.approx(own.vpip, abs=0.0001)
        assert float(row["all_in_expected"]) == pytest.approx(own.all_in.expected, abs=0.1)
        assert int(row["button_chips"]) == own.positions["button"].chips
    report(league, tmp_path / "anonymous", anonymous=True)
    with (tmp_path / "anonymous" / "holdem.csv").open(encoding="utf-8-sig") as file:
        assert next(csv.reader(file))[:2] == ["number", "avatar"]


def test_hand_in_which_nobody_has_a_choice(tmp_path: Path) -> None:
    """The blinds put both players all in, so that there is no action."""
    game = HoldemGame(stack=10, small_blind=10, reset_stacks=1)
    report(write_hands(tmp_path / "a.journal", "", game=game, seats=2), tmp_path / "out")
    transcripts = [path.read_text("utf-8") for path in (tmp_path / "out").rglob("transcript.txt")]
    assert len(transcripts) == 2
    assert all("dealer:  status:" in text and "dealer:  bet" not in text for text in transcripts)


def test_games_without_blinds_have_other_positions(tmp_path: Path) -> None:
    game = HoldemGame.from_facts({"preset": "cornell"})
    collector, rebuild = collected(write_hands(tmp_path / "a.journal", "r f f f", game=game, seats=4))
    named = {
        player.number: [position for position in POSITIONS if collector.statistics(player).positions[position].hands]
        for player in rebuild.ledger.players
    }
    assert named == {0: ["button"], 1: ["others"], 2: ["others"], 3: ["cutoff"]}
