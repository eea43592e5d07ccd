"""What a report tells of hold'em alone, and of programs of the ACPC."""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from dealer.audit.rebuild import LedgerRebuild
from dealer.audit.win_chances import run_outs, win_chances
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.player import Player
from dealer.report.game_report import game_statistics
from dealer.report.games.holdem import MOST_POINTS, POSITIONS, REPORT, AllInCurve, HoldemCollector, position_of
from dealer.report.write import ReportOptions, write_report
from dealer.settings import Settings
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.holdem_hand import HoldemHand
from protocol.games.holdem_turn import HoldemTurn
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.acpc_client.player import answer
from tests.bad_bots.peer import Peer
from tests.dealer.support.acpc_players import ACPC, Change, admit, forbidden, play_acpc, player, unchanged
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.recorded import run_at_once
from tests.dealer.support.reported import report, rows
from tests.dealer.support.rig import SEED, Client, open_rig
from tests.dealer.support.scribe import Answer, Scribe, players


def collected(path: Path) -> tuple[HoldemCollector, LedgerRebuild]:
    rebuild, collector = LedgerRebuild(path), HoldemCollector(HoldemGame())
    for hand in rebuild.hands():
        collector.add(hand)
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
        assert curve.line[0] == (0, 0, 0.0)
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
    assert type(game_statistics(HoldemGame())) is REPORT
    assert game_statistics(StudGame()).sheets([]) == {}


def test_long_curve_keeps_few_points_and_its_end() -> None:
    curve = AllInCurve()
    for number in range(10 * MOST_POINTS + 3):
        curve.add(1, 0.5 * (number % 2))
    assert MOST_POINTS / 2 - 1 <= len(curve.line) <= MOST_POINTS + 1
    assert curve.line[0] == (0, 0, 0.0)
    assert curve.line[-1][:2] == (10 * MOST_POINTS + 3,) * 2
    hands = [point[0] or 0 for point in curve.line]
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


def test_corrected_actions_are_told_with_their_hands(tmp_path: Path) -> None:
    journal, out = tmp_path / "j", tmp_path / "report"
    run_at_once(partial(play_acpc, journal))
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    summary = (out / "players" / "acpc-2" / "summary.txt").read_text()
    assert "Fault 1: corrected" in summary
    assert "does not count" not in summary
    first = summary.split("Fault 1: corrected")[1].split("Fault 2")[0]
    assert "casino replay j --hand " in first
    assert "--seat " in first
    assert "No faults." in (out / "players" / "acpc-1" / "summary.txt").read_text()
    header, *rows = (out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    column = header.split(",").index("corrected")
    counts = {row.split(",")[0]: int(row.split(",")[column]) for row in rows}
    assert counts["acpc-1"] == 0
    assert counts["acpc-2"] == summary.count(": corrected\n")


HUGE = "9" * 38


def rubbish(line: str, reply: str) -> str:
    """Answers the third hand with what is no action."""
    return f"{line}:x" if line.split(":")[2] == "2" else reply


def huge(line: str, reply: str) -> str:
    """Raises to more than anybody has, every time."""
    return f"{line}:r{HUGE}"


def recorded(change: Change, seed: int, talk: list[str]) -> Callable[[Peer], Awaitable[None]]:
    """A program that notes all that it hears and says."""

    async def run(peer: Peer) -> None:
        await peer.say("VERSION:2.0.0")
        chance = Random(seed)
        while (line := await peer.hear()) is not None:
            talk.append(f"dealer:  {line}")
            reply = answer(line, chance) if line.startswith("MATCHSTATE:") else None
            if reply is not None:
                talk.append(f"you:     {change(line, reply)}")
                await peer.send(f"{change(line, reply)}\r\n".encode())

    return run


@pytest.mark.parametrize(
    ("betting", "change", "lives"),
    [
        ("no-limit", forbidden, 1),
        ("no-limit", huge, 1),
        ("no-limit", rubbish, 1),
        ("fixed-limit", rubbish, 1),
        ("fixed-limit", rubbish, 2),
    ],
    ids=["corrected", "huge", "malformed", "fixed-limit", "twice in a hand"],
)
def test_transcript_is_what_passed(
    betting: str, change: Change, lives: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.acpc_client.player.NO_LIMIT", betting == "no-limit")
    game = HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1, "betting": betting})
    journal, out, talks = tmp_path / "j", tmp_path / "report", (list[str](), list[str]())

    async def play() -> None:
        async with (
            open_journal(AppendFile.create(journal)) as opened,
            open_rig(replace(ACPC, game=game, lives=lives), journal=opened) as rig,
        ):
            await admit(rig, recorded(unchanged, 1, talks[0]), recorded(change, 2, talks[1]))
            await rig.begin().run()

    run_at_once(play)
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    for number, talk in enumerate(talks, 1):
        text = (out / "players" / f"acpc-{number}" / "transcript.txt").read_text()
        told = text.partition("\n\n-- the program")[2].splitlines()
        lines = [line for line in told if line.startswith(("dealer:", "you:"))]
        passed = [line.rsplit(" ", 2)[0] if line.startswith("you:") else line for line in lines]
        # the text of what cannot be read is not in the journal
        said = [line.replace(HUGE, "(a number of 38 digits)") for line in talk if not line.endswith(":x")]
        assert passed == said
    if change is rubbish:
        assert "-- malformed: expected 'f', 'c' or 'r'" in text
        summary = (out / "players" / "acpc-2" / "summary.txt").read_text()
        assert "The line was no answer that can be read." in summary
        assert "bet:" not in summary
    if lives > 1:
        assert (text.count("; the dealer checked"), text.count("# you are out")) == (2, 1)


def test_needless_fold_of_another_program_is_told(tmp_path: Path) -> None:
    journal, out = tmp_path / "j", tmp_path / "report"

    async def play() -> None:
        async with open_journal(AppendFile.create(journal)) as opened, open_rig(ACPC, journal=opened) as rig:
            await rig.admit(Client(Name("text", "Text"), lambda turn: Bet(turn.owed) if turn.owed else FOLD))
            await admit(rig, player())
            await rig.begin().run()

    run_at_once(play)
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    text = (out / "players" / "text" / "transcript.txt").read_text()
    assert re.search(r"^you:     fold +[\d.]+ ms\n-- corrected: bet:0 was taken instead$", text, re.MULTILINE)
