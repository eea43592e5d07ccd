"""The journal: what is written can be read and played again, and what is damaged is noticed."""

import os
import stat
from dataclasses import replace
from itertools import islice
from pathlib import Path

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.journal.records import JournalError, read_journal
from dealer.journal.writer import Journal
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.bad_bots import replies
from tests.dealer.refold import refold
from tests.dealer.rig import SEED, Played, by_chance, good_clients, play

STACK = 40
SETTINGS = Settings(SEED, hands=60, game=StudGame(STACK, 2), table_size=3)


async def play_recorded(path: Path) -> Played:
    """Seven players at three tables, one of whom misbehaves, until most of them are out."""
    # A chance of its own for each: tables play at once, in no fixed order.
    clients = [replace(client, decide=by_chance(number)) for number, client in enumerate(good_clients(6))]
    with Journal(path) as journal:
        return await play([*clients, replies.bets_too_much], SETTINGS, journal)


async def test_a_whole_tournament_can_be_read_back_and_every_hand_plays_to_its_payoffs(
    tmp_path: Path, tcp_clock: MockClock
) -> None:
    path = tmp_path / "whole.journal"
    played = await play_recorded(path)
    records = list(read_journal(path))
    hands = list(refold(records))
    assert len(hands) >= 15
    for record, payoffs in hands:
        assert payoffs == tuple(record["payoffs"])
        assert sum(payoffs) == 0
    assert {record["table"] for record, _ in hands} == {0, 1, 2}
    start, end = records[0], records[-1]
    assert (start["type"], start["seed"], start["hands"], start["stack"]) == ("start", SEED, 60, 40)
    assert [player["id"] for player in start["players"]] == [player.id for player in played.tournament.players]
    assert (end["type"], end["standings"]) == ("end", [standing.as_dict() for standing in played.standings])
    out = {record["player"]: record["reason"] for record in records if record["type"] == "out"}
    assert out == {number: player.left for number, player in enumerate(played.tournament.players) if player.left}


async def test_stacks_follow_from_hand_to_hand_and_end_in_the_standings(tmp_path: Path, tcp_clock: MockClock) -> None:
    path = tmp_path / "stacks.journal"
    played = await play_recorded(path)
    stacks: dict[tuple[int, int], int] = {}
    before_last: dict[str, int] = {}
    for record in read_journal(path):
        if record["type"] == "hand":
            for player, before, payoff in zip(record["players"], record["stacks"], record["payoffs"], strict=True):
                place = record["table"], player
                before_last[played.tournament.tables[record["table"]].players[player].id] = before
                assert before == stacks.get(place, STACK)
                stacks[place] = before + payoff
    assert sorted(stacks.values()) == sorted(played.chips.values())
    left = [player for player in played.tournament.players if player.left]
    assert len(left) > 2
    assert [player.left_with for player in left] == [before_last[player.id] for player in left]
    assert sum(stacks.values()) == 7 * STACK


async def test_faults_are_recorded_with_the_hand_and_have_no_reply_time(tmp_path: Path, tcp_clock: MockClock) -> None:
    path = tmp_path / "faults.journal"
    await play_recorded(path)
    (record,) = (record for record in read_journal(path) if record.get("faults"))
    ((seat, kind, reason),) = record["faults"]
    assert kind == "illegal"
    assert "more than 10 above" in reason
    assert [seat, -1, None] in record["actions"]
    others = [microseconds for actor, _, microseconds in record["actions"] if actor != seat]
    assert all(isinstance(microseconds, int) and microseconds >= 0 for microseconds in others)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "three.journal"
    with Journal(path) as journal:
        for number in range(3):
            journal.record("hand", hand=number, stacks=(1, 2, 3))
    return path


def test_records_come_back_as_they_were_written(whole: Path) -> None:
    assert list(read_journal(whole)) == [{"type": "hand", "hand": number, "stacks": [1, 2, 3]} for number in range(3)]


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
def test_nobody_else_may_read_a_journal(whole: Path) -> None:
    assert stat.S_IMODE(whole.stat().st_mode) == 0o600


def test_a_record_is_on_file_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "open.journal"
    with Journal(path) as journal:
        journal.record("end", standings=[])
        assert list(read_journal(path)) == [{"type": "end", "standings": []}]


def test_an_existing_file_is_refused_and_left_alone(whole: Path) -> None:
    before = whole.read_bytes()
    with pytest.raises(JournalError, match="exists already; a journal is never overwritten"):
        Journal(whole)
    assert whole.read_bytes() == before


@pytest.mark.parametrize("place", ["no/such/folder/x", "file/x"])
def test_a_place_that_cannot_be_written_is_named(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="cannot write the journal"):
        Journal(tmp_path / place)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_an_error_of_its_own(tmp_path: Path) -> None:
    with Journal(tmp_path / "full.journal") as journal:
        full = os.open("/dev/full", os.O_WRONLY)
        assert journal._file is not None
        os.dup2(full, journal._file)
        os.close(full)
        with pytest.raises(JournalError, match="cannot write to the journal: No space left on device"):
            journal.record("end", standings=[])


def test_without_a_path_nothing_is_written() -> None:
    with Journal(None) as journal:
        journal.record("end", standings=[])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"cannot read the journal .*nothing: No such file"):
        list(read_journal(tmp_path / "nothing"))


def test_a_torn_tail_is_noticed_wherever_it_is_torn_and_the_records_before_it_are_read(whole: Path) -> None:
    data = whole.read_bytes()
    size = len(data) // 3
    for length in range(len(data)):
        whole.write_bytes(data[:length])
        reading = read_journal(whole)
        assert len(list(islice(reading, length // size))) == length // size
        if length % size:
            with pytest.raises(JournalError, match="the last record is torn"):
                next(reading)
        else:
            assert list(reading) == []


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_a_changed_byte_is_noticed_wherever_it_is(whole: Path, flip: int) -> None:
    data = whole.read_bytes()
    for place in range(len(data)):
        whole.write_bytes(data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :])
        with pytest.raises(JournalError):
            list(read_journal(whole))


@given(data=st.binary(max_size=60) | st.recursive(st.integers(0, 99), st.lists).map(msgpack.packb))
def test_a_file_that_is_no_journal_gives_nothing_but_a_journal_error(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage"
    path.write_bytes(data)
    if data:
        with pytest.raises(JournalError):
            list(read_journal(path))
    else:
        assert list(read_journal(path)) == []
