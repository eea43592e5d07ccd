"""Hands whose betting is over early, watched again: each street, and the chances before it."""

import json
from pathlib import Path
from random import Random

import pytest

from dealer.replay.export import json_line
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.seen_hand import Acted, ChancesShown, SeenHand, StreetOpened
from protocol.games.holdem import HoldemGame
from tests.dealer.support.golden_replays import painted
from tests.dealer.support.holdem_journals import write_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Hands with short stacks, of which many are all in before the river."""
    return write_league(tmp_path / "a.journal", Random(5), HoldemGame(stack=100), hands=40)


def hands(path: Path, choice: Choice = Choice()) -> list[SeenHand]:  # noqa: B008 - frozen
    return [item for item in replay_items(path, choice) if isinstance(item, SeenHand)]


def run_out(seen: SeenHand) -> list[StreetOpened | ChancesShown]:
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
            assert isinstance(after, StreetOpened)
            assert sum(seat.win for seat in before.seats) == pytest.approx(1, abs=0.001)
            assert before.exact == (before.street > 1)
            assert len(after.board) == after.street + 1


def test_every_seat_sees_the_same_chances(league: Path) -> None:
    host = {seen.hand: seen for seen in hands(league, Choice(table=0))}
    for seen in hands(league, Choice(table=0, seat="0")):
        assert run_out(seen) == run_out(host[seen.hand])


def test_chances_are_exported_and_painted(league: Path) -> None:
    seen = next(seen for seen in hands(league) if any(isinstance(event, ChancesShown) for event in seen.events))
    events = json.loads(json_line(seen))["events"]
    (first, *_) = [event for event in events if event["event"] == "chances"]
    assert {*first} == {"event", "street", "seats", "exact"}
    assert {*first["seats"][0]} == {"seat", "cards", "win"}
    text = painted(league, Choice(table=seen.table, hand=seen.hand))
    assert "Cards are shown; chances to win" in text
    for seat in first["seats"]:
        assert f" {100 * seat['win']:.1f} %" in text
