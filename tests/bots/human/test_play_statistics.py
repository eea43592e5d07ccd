"""What a person has won: results in words, and statistics in a file that is never lost."""

import json
from pathlib import Path
from statistics import fmean

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from bots.human import commands, play_statistics
from bots.human.game_seat import load_seat
from bots.human.local_table import hand_seen
from bots.human.play_statistics import (
    Counting,
    StatisticsError,
    Tally,
    opponents_text,
    read_statistics,
    rows_in,
    tally_of,
)
from bots.human.seen_table import SeenTable
from bots.human.session_record import SessionRecord
from bots.human.updates import Chips, HandOver, News, Said
from dealer.telling.hand_events import HandEvents
from protocol.estimates.intervals import mean
from protocol.games import blockhead, stud
from protocol.games.base import FOLD, Bet, Hand
from protocol.games.game import Game
from tests.protocol.helpers import deck_of

WON = HandOver(340, True, "a flush, king high")
LOST = HandOver(-20, False, "")


def test_hands_are_added_by_game_and_opponents(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "play.json"
    counting = Counting(path, "stud", "tight")
    assert [counting.add(hand) for hand in (WON, LOST)] == ["", ""]
    assert Counting(path, "dice", "caller").add(LOST) == ""
    tallies = read_statistics(path)
    assert tallies["stud"]["tight"] == Tally(2, 320, 340**2 + 400, 1, 340, "a flush, king high")
    assert tallies["dice"]["caller"] == Tally(1, -20, 400)
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["play.json", "play.json.lock"]


def test_session_that_cannot_get_the_lock_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_statistics, "LOCK_SECONDS", 0.0)
    with FileLock(tmp_path / "play.json.lock"):
        told = Counting(tmp_path / "play.json", "stud", "tight").add(WON)
    assert told.endswith("another session holds it. This hand is not counted.")


def test_hand_is_counted_before_it_is_told(tmp_path: Path) -> None:
    path, told = tmp_path / "play.json", list[News]()
    counting = Counting(path, "stud", "tight")
    post = counting.telling(told.append)
    for news in (Chips(500), WON, Said("Hand 2")):
        post(news)
    assert told == [Chips(500), WON, Said("Hand 2")]
    assert [row[:3] for row in rows_in(path, "stud")[1]] == [("stud", "all", "1"), ("stud", "tight", "1")]
    path.write_text("{")
    post(LOST)
    assert isinstance(told[3], Said)
    assert "It is kept as play.kept-1.json" in told[3].line


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30))
def test_chips_a_hand_have_the_interval_of_their_mean(chips: list[int]) -> None:
    whole = Tally()
    for won in chips:
        whole = whole.plus(tally_of(HandOver(won, False, "")))
    expected = mean([float(won) for won in chips])
    assert expected is not None
    assert whole.chips_a_hand.value == pytest.approx(fmean(chips))
    if len(set(chips)) > 1:
        assert whole.chips_a_hand.low == pytest.approx(expected.low, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "casino play statistics 1", "games": {"stud": {"ti',
        "no json",
        "[]",
        '{"format": "another program"}',
        '{"format": "casino play statistics 1", "games": {"stud": {"tight": {"hands": "many"}}}}',
        '{"format": "casino play statistics 1", "games": {"stud": []}}',
    ],
)
def test_file_that_is_cut_off_or_foreign_is_kept_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "play.json"
    path.write_text(text)
    with pytest.raises(StatisticsError, match="holds no statistics of casino play; it may have been cut off"):
        read_statistics(path)
    told = Counting(path, "stud", "tight").add(LOST)
    assert told.endswith("It is kept as play.kept-1.json, and counting begins anew.")
    assert (tmp_path / "play.kept-1.json").read_text() == text
    assert read_statistics(path)["stud"]["tight"].hands == 1
    path.write_bytes(b"\xff")
    assert "play.kept-2.json" in Counting(path, "stud", "tight").add(LOST)


def test_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = Counting(tmp_path / "file" / "play.json", "stud", "tight").add(LOST)
    assert told.startswith("Your statistics cannot be written to ")
    assert told.endswith("This hand is not counted.")


def test_opponents_are_the_same_in_any_order() -> None:
    assert opponents_text(["tight", "caller", "tight"]) == opponents_text(["caller", "tight", "tight"])
    assert opponents_text(["tight", "caller", "tight"]) == "caller, tight x 2"


def test_command_shows_statistics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "play.json"
    monkeypatch.setattr(play_statistics, "statistics_path", lambda: path)
    monkeypatch.setenv("COLUMNS", "120")
    assert commands.play(statistics=True) == 0
    assert capsys.readouterr().out == f"No hand was played against house bots yet. Statistics will be kept in {path}.\n"
    for against, hand in (("tight", WON), ("tight", LOST), ("caller", LOST)):
        Counting(path, "stud", against).add(hand)
    assert commands.play(statistics=True) == 0
    header, _, *rows = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert header.split()[:2] == ["game", "against"]
    assert [line.split()[:2] for line in rows] == [
        ["stud", "all"],
        ["stud", "caller"],
        ["stud", "tight"],
    ]
    assert "+300" in rows[0]
    assert rows[2].endswith("+340, a flush, king high")
    assert commands.play(statistics=True, json=True) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts[0]["against"], facts[0]["hands"], facts[0]["chips"]) == (None, 3, 300)
    assert facts[2]["best_hand"] == {"chips": 340, "won_with": "a flush, king high"}
    path.write_text("{")
    assert commands.play(statistics=True) == 1
    assert "holds no statistics of casino play" in capsys.readouterr().err
    assert path.read_text() == "{"


def test_command_needs_a_game_or_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.play() == 2
    assert "name a game to play, blockhead or dice or holdem or stud, or a dealer's address" in capsys.readouterr().err
    assert commands.play("stud", json=True) == 2
    assert capsys.readouterr().err == "casino: --json is for --statistics\n"


NAMES = ("you", "tight", "caller")


def result(game: Game, hand: Hand) -> list[str]:
    """The end of a hand in words."""
    names = NAMES[: len(hand.stacks)]
    events = HandEvents(0, 1, 1, 1, tuple(range(len(names))))
    table = SeenTable(game, load_seat(game.name), 1, names, 0, events.begin(hand)[0])
    table.hear(events.street(hand))
    return table.end(hand_seen(game, 1, hand, hand.settle()))


def told_stud(cards: str, players: int = 3) -> list[str]:
    hand = stud.deal(deck_of(cards), [100] * players, ante=7)
    while hand.to_act is not None:
        hand = hand.apply(Bet(0))
    return result(stud.StudGame(), hand)


def test_best_cards_and_spade_win_half_each() -> None:
    """Or one seat both halves, or tied seats share."""
    assert told_stud("2C AH AD 9S 8H 7H 3S QH JH") == [
        "You: 2♣ A♥ A♦, a pair of aces.",
        "tight: 9♠ 8♥ 7♥, nine high.",
        "caller: 3♠ Q♥ J♥, queen high.",
        "You win 11: a pair of aces.",
        "tight wins 10: the highest spade in the hole.",
    ]
    both = told_stud("2S AH AD 9C 8H 7H 3C QH JH")[-1]
    assert both == "You win 21: a pair of aces and the highest spade in the hole."
    tied = told_stud("2C AH KD 2D AC KH 3C QH JH")
    assert [line.partition(":")[2] for line in tied[3:]] == [" a tie with ace high."] * 2


def test_no_cards_named_when_all_others_folded() -> None:
    hand = stud.deal(deck_of("2S AH AD 9C 8H 7H 3C QH JH"), [100] * 3)
    assert hand.to_act == 0
    hand = hand.apply(Bet(5)).apply(FOLD).apply(FOLD)
    assert result(stud.StudGame(), hand) == ["You win 8: all others folded."]


def test_tied_pot_of_blockhead_is_carried() -> None:
    hand = blockhead.deal(deck_of("10S 9H 3H 4H 5H 10D 9C 3C 4C 5C"), [100, 100])
    while hand.to_act is not None:
        hand = hand.apply(Bet(0))
    assert result(blockhead.BlockheadGame(), hand)[-1] == "Equal: the pot of 20 waits for the next hand."


def test_chips_at_the_end_count_among_the_most_and_the_least() -> None:
    record = SessionRecord("Stud against caller", chips=[500, 501, 500, 500], hand=4, stack=490)
    assert record.words == [
        "Stud against caller",
        "4 hands: 500 chips at first, 490 at the end (-10), 501 at the most, 490 at the least.",
    ]
