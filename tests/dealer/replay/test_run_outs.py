"""Hands watched again: chances before each street of an early all-in, boards, and corrected actions."""

import json
import re
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random

import pytest
import trio
from rich.console import Console

from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.tables import CardStyle
from dealer.errors import RebuildError
from dealer.replay.hand_screen import HandScreen
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.show import json_line, replay_journal
from dealer.telling.seen_hand import ChancesShown, Collected, SeatShown, SeenHand
from protocol.events import Acted, StreetDealt, UpCards
from protocol.games.holdem import HoldemGame
from tests.dealer.support.acpc_players import play_acpc
from tests.dealer.support.golden_replays import painted
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.recorded import read_records, run_at_once, write_records


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Hands with short stacks, of which many are all in before the river."""
    return write_league(tmp_path / "a.journal", Random(5), HoldemGame(stack=100), hands=40)


def hands(path: Path, choice: Choice = Choice()) -> list[SeenHand]:  # noqa: B008 - frozen
    return [item for item in replay_items(path, choice) if isinstance(item, SeenHand)]


def run_out(seen: SeenHand) -> list[StreetDealt | ChancesShown]:
    """What follows the last action."""
    last = max(number for number, event in enumerate(seen.events) if isinstance(event, Acted))
    return [event for event in seen.events[last + 1 :] if not isinstance(event, Acted)]


def test_chances_stand_before_each_street_that_follows(league: Path) -> None:
    found = [run_out(seen) for seen in hands(league) if any(isinstance(event, ChancesShown) for event in seen.events)]
    assert {len(events) for events in found} >= {2, 6}
    for events in found:
        streets = [event.street for event in events]
        first = streets[0]
        assert streets == sorted([*range(first, 4), *range(first + 1, 5)])
        for before, after in zip(events[::2], events[1::2], strict=True):
            assert isinstance(before, ChancesShown)
            assert isinstance(after, StreetDealt)
            assert sum(seat.win for seat in before.seats) == pytest.approx(1, abs=0.001)
            assert len(after.board) == after.street + 1


def test_every_seat_sees_the_same_chances(league: Path) -> None:
    host = {seen.hand: seen for seen in hands(league, Choice(table=0))}
    for seen in hands(league, Choice(table=0, seat="0")):
        assert run_out(seen) == run_out(host[seen.hand])


def test_chances_are_exported_and_painted(league: Path) -> None:
    seen = next(seen for seen in hands(league) if any(isinstance(event, ChancesShown) for event in seen.events))
    events = json.loads(json_line(seen))["events"]
    (first, *_) = [event for event in events if event["event"] == "chances"]
    assert {*first} == {"event", "street", "seats"}
    assert {*first["seats"][0]} == {"seat", "cards", "win"}
    text = painted(league, Choice(table=seen.table, hand=seen.hand))
    assert "Cards are shown; chances to win" in text
    for seat in first["seats"]:
        assert f" {100 * seat['win']:.1f} %" in text


def hand_with_a_board(viewer: int | None) -> SeenHand:
    """Two seats with two hole cards each; one is dealt in, and three cards of the board lie on the table."""
    holes = [("KD", "7C"), ("AS", "2H")]
    seats = tuple(
        SeatShown(seat, f"p{seat}", f"Player {seat}", hole if viewer in (None, seat) else None, 100, 100 + gain)
        for seat, hole, gain in zip((0, 1), holes, (5, -5), strict=True)
    )
    on_table = (UpCards(0, (), 2, 95), UpCards(1, (), 2, 95))
    return SeenHand(
        0, 1, 1, 1, viewer, seats,
        (
            StreetDealt(0, 1, 1, 10, (), on_table),
            Acted(0, 1, 1, 0, "check", 0, 10, 0, 95, 1000),
            StreetDealt(0, 1, 2, 10, ("3C", "10H", "QS"), on_table),
            Acted(0, 1, 2, 1, "fold", 0, 10, 0, 95, 1000),
        ),
        (), 10, 0, (Collected(0, 10, "all others folded"),),
    )  # fmt: skip


def printed(seen: SeenHand, encoding: str) -> str:
    style = CardStyle(Console(file=TextIOWrapper(BytesIO(), encoding)))
    return "\n".join(line.plain for line in HandScreen(seen, (), style).printed(80))


def test_cards_as_the_terminal_can_show_them() -> None:
    assert "(K♦ 7♣)" in printed(hand_with_a_board(None), "utf-8")
    plain = printed(hand_with_a_board(None), "ascii")
    assert "(KD 7C)" in plain
    assert "Street 2 is dealt: 3C 10H QS" in plain
    assert plain.isascii()


def test_a_seat_sees_the_backs_of_others_cards() -> None:
    text = printed(hand_with_a_board(0), "ascii")
    assert text.count("(KD 7C)") == text.count("(?? ??)") == 1


def test_board_and_hole_cards_are_in_the_json() -> None:
    facts = json.loads(json_line(hand_with_a_board(1)))
    assert [seat["hole"] for seat in facts["seats"]] == [None, ["AS", "2H"]]
    assert [event["board"] for event in facts["events"] if event["event"] == "street"] == [[], ["3C", "10H", "QS"]]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two programs, of which the second folds with nothing owed."""
    path = tmp_path / "a.journal"
    run_at_once(partial(play_acpc, path))
    return path


async def lines(journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None, as_json: bool) -> list[str]:
    assert replay_journal(journal, Choice(seat=seat), as_json, False) == 0
    return capsys.readouterr().out.splitlines()


def shown(journal: Path, capsys: pytest.CaptureFixture[str], seat: str | None = None, as_json: bool = False) -> str:
    return "\n".join(trio.run(lines, journal, capsys, seat, as_json))


def test_each_correction_stands_behind_its_hand(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = [json.loads(line) for line in shown(journal, capsys, as_json=True).splitlines()]
    corrections = [note for note in told if note["type"] == "corrected"]
    recorded = [record for record in read_records(journal) if record["type"] == "corrected"]
    assert [(note["hand"], note["reason"]) for note in corrections] == [
        (record["hand"], record["reason"]) for record in recorded
    ]
    assert {note["id"] for note in corrections} == {"acpc-2"}
    for note in corrections:
        before = [item for item in told[: told.index(note)] if item["type"] == "hand"]
        assert before[-1]["hand"] == note["hand"]


def test_a_correction_in_words(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(journal, capsys)
    assert re.search(r"An action of acpc-2 in hand \d+ was corrected: the rules forbid what it wanted\.", text)
    assert "it folded although nothing was owed" in text


def test_each_correction_is_named_at_its_action(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hands = [item for item in map(json.loads, shown(journal, capsys, as_json=True).splitlines()) if "events" in item]
    asked = [
        (hand["hand"], event["asked"])
        for hand in hands
        for event in hand["events"]
        if event["event"] == "action" and event["asked"]
    ]
    told = [(record["hand"], record["reason"]) for record in read_records(journal) if record["type"] == "corrected"]
    assert len(asked) == len(told)
    for (hand, words), (number, reason) in zip(asked, told, strict=True):
        assert hand == number
        if words == "fold":
            assert reason == "it folded although nothing was owed"
        else:
            least = re.search(r"a raise could be to (\d+) at least", reason)
            assert words == (f"raise to 1, counted as {least[1]}" if least else "raise to 1")
    assert {words.split(" ")[0] for _, words in asked} == {"fold", "raise"}


def test_an_action_that_was_corrected_in_words(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every viewer sees what was asked for: it is an action, and no text of a program."""
    for seat in (None, "acpc-1", "acpc-2"):
        text = shown(journal, capsys, seat)
        assert "checks (asked to fold)" in text
        assert re.search(r"raises \d+, puts in \d+ \(asked to raise to 1, counted as \d+\)", text)


def altered(journal: Path, corrections: object, *, told: bool = True) -> str:
    """What the audit says of a hand with other corrections; without the records that tell of them if not ``told``."""
    records = [record for record in read_records(journal) if told or record["type"] != "corrected"]
    first = next(record for record in records if "corrections" in record)
    first["corrections"] = corrections or first["corrections"]
    path = journal.parent / "altered"
    path.unlink(missing_ok=True)
    write_records(path, records)
    with pytest.raises(RebuildError) as error:
        list(LedgerRebuild(path).hands())
    return str(error.value)


def test_corrections_that_fit_no_action_are_named(journal: Path) -> None:
    assert "corrections: action 99 is no check, call or raise of a program" in altered(journal, [[99, "fold"]])
    assert "corrections[0][1]: expected text, got 5" in altered(journal, [[0, 5]])
    assert "corrections: no record tells that seat" in altered(journal, None, told=False)


def test_another_seat_is_not_told_the_reason(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own, other = (shown(journal, capsys, seat) for seat in ("acpc-2", "acpc-1"))
    assert "it folded although nothing was owed" in own
    assert "was corrected" in other
    assert "it folded although nothing was owed" not in other
