"""The events of the feed: their bytes, that they hold nothing private, and the page about them."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import FaultKind
from dealer.feed import VERSION
from dealer.feed.feed import Feed
from dealer.feed.subscriber import pack
from dealer.feed.teller import Teller
from dealer.journal.file import AppendFile
from dealer.journal.records import (
    TYPES,
    AwayRecord,
    BackRecord,
    CorrectedRecord,
    EndRecord,
    LevelRecord,
    MoveRecord,
    OutRecord,
    PlayerFacts,
    Record,
    ResumeRecord,
    StartRecord,
)
from dealer.journal.writer import Journal, open_journal
from dealer.ledger.columns import facts_of
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.telling.hand_events import HandEvents, LiveHand
from dealer.telling.record_events import RecordEvents
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.table import WatchedTable
from dealer.tournament.tournament import Tournament
from protocol.events import FOLD_CHIPS, GameBegun, HostSaid, Readmitted, RoundBegun, Stalled, Stopped, Voided, type_of
from protocol.games.stud import StudGame
from tests.dealer.support.altered_journals import Records
from tests.dealer.support.feeds import EVENT_TYPES, Event, as_told, events_of, open_feed_rig
from tests.dealer.support.raw_records import FIELDS, FOR_THE_HOST, typed
from tests.dealer.support.rig import HOST, SEED, call, good_clients
from tests.docs.pages import blocks, names_in, page, section, tables

#: Leduc hold'em, a game with a board.
LEDUC = Path(__file__).parents[2] / "leduc_package"

GOLDEN = Path(__file__).with_name("golden_feed.txt")
SETTINGS = Settings(SEED, StudGame(500), hands=2, seed_text="casino day")


async def told(journal: Journal, record: Record) -> None:
    journal.record(record)
    await journal.saved()


async def one_of_each() -> list[bytes]:
    """The bytes of one event of each kind, always the same."""
    scene, journal = Scene(NewTournament(SETTINGS, 17)), Journal(None)
    feed, teller = Feed(scene), Teller(scene, journal)
    feed._begin(teller)
    subscriber = await feed.join()
    feed._publish("lobby", {"players": ["Amit", "Zoë 😀"]})
    players = [Player("amit-id", "Amit", "10.0.0.1:5000"), Player("zoe-id", "Zoë 😀", "10.0.0.2:5000")]
    ledger = Ledger(SETTINGS, players)
    scene.tournament = tournament = Tournament(ledger, journal)
    table = ledger.seating.tables[0]
    facts = [PlayerFacts(player.id, player.avatar, player.program, None) for player in players]
    await told(journal, StartRecord.of(SETTINGS, facts, 0.0))
    ledger.begin_game(table)
    await told(journal, GameBegun(table=0, game=1, hand=1))
    deal = ledger.deal(table, ledger.next_deck(table))
    hand = deal.begin(SETTINGS.game)
    opener = hand.to_act
    assert opener is not None
    record = HandRecord(deal, [], [])
    live = LiveHand(HandEvents.of_deal(deal), record, tournament.listeners)
    live.begin(hand)
    record.actions.append((opener, FOLD_CHIPS, None))
    record.faults.append((opener, FaultKind.LATE, "no reply to 'amit-id:Amit'"))
    over = hand.concede()
    live.acted(hand, over)
    tournament.runs[0] = WatchedTable()
    tournament.runs[0].last = PlayedHand(record, over, over.settle())
    await told(journal, tournament.runs[0].last.told)
    feed._tell(teller.figures(tournament))
    table.in_hand = False
    await told(
        journal, OutRecord(player=opener, hand=1, chips=500, kind=FaultKind.LATE, reason="you are out: 'amit-id:Amit'")
    )
    await told(journal, OutRecord(player=1, hand=1, chips=0, kind=None, reason="you are out: 0 chips do not pay"))
    await told(journal, AwayRecord(player=0, hand=1))
    await told(journal, BackRecord(player=0, hand=1))
    await told(journal, HostSaid(command="pace", player=None, seconds=2.5, reason=None))
    await told(journal, LevelRecord(level=2))
    await told(journal, MoveRecord(player=1, table=0))
    await told(journal, RoundBegun(round=2, tables=[[0, 1]]))
    await told(journal, ResumeRecord(started=0.0, cut=17))
    await told(journal, Voided(table=0, hand=2))
    await told(journal, Stalled(seconds=2.5))
    await told(journal, CorrectedRecord(player=1, hand=2, reason="it asked for 'amit-id:Amit'"))
    subscriber.missed = 3
    before = subscriber.take()
    await feed.catch_up(subscriber)
    await told(journal, EndRecord(standings=[facts_of(standing) for standing in ledger.standings()]))
    await told(journal, Readmitted(player=1, table=0))
    await told(journal, Stopped())
    data = before + subscriber.take() + pack({"type": "refused", "reason": "come back later"})
    return list(split(data))


def split(data: bytes) -> Iterator[bytes]:
    """The bytes of each event, its length included."""
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        yield data[:end]
        data = data[end:]


async def test_bytes_of_every_event_are_unchanged(tcp_clock: MockClock) -> None:
    """Foreign programs read them: a change of them needs a new version of the feed, but for a key that is added."""
    told = [(msgpack.unpackb(event[4:])["type"], event.hex()) for event in await one_of_each()]
    golden = [tuple(line.split()) for line in GOLDEN.read_text("utf-8").splitlines()]
    assert told == golden
    of_feed, rest = {"hello", "lobby", "lost", "state", "refused"}, {kind for kind, _ in told}
    assert rest - of_feed == EVENT_TYPES


async def test_events_hold_no_ids_addresses_or_program_text(tcp_clock: MockClock) -> None:
    for event in await one_of_each():
        for secret in (b"amit-id", b"zoe-id", b"10.0.0", b"5000", b"cut"):
            assert secret not in event
        seeds = (SEED, SEED.hex().encode(), b"casino day")
        assert any(seed in event for seed in seeds) == (msgpack.unpackb(event[4:])["type"] == "end")


def public_events(folder: Path, records: Records) -> list[Event]:
    """What the feed makes of a recorded journal, each hand action by action."""
    return [as_told(event) for event in events_of(LedgerRebuild(folder / "feed.journal"), map(typed, records))]


@pytest.fixture
def renamed(records: Records) -> Records:
    """The journal, whose ids, programs and reasons occur nowhere by chance."""

    def rename(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: rename(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [rename(part) for part in value]
        return f"SECRET-{value}" if key in ("id", "program", "bot") and isinstance(value, str) else value

    return [rename(record) for record in records]


def test_events_of_any_journal_are_public(folder: Path, renamed: Records) -> None:
    start = renamed[0]
    start["players"][0]["proof"] = b"PROOF" * 8
    start["origin"] = {
        "host": "ORIGIN-HOST",
        "numbers": {"port": 4000},
        "people_limit": 180.0,
    }
    quotes = [fault[2] for record in renamed if record["type"] == "hand" for fault in record["faults"]]
    for event in public_events(folder, renamed):
        data = pack(event)
        for secret in (b"SECRET", b"PROOF", b"ORIGIN", *(quote.encode() for quote in quotes)):
            assert secret not in data
        seeds = (start["seed"], start["seed"].hex().encode())
        assert any(seed in data for seed in seeds) == (event["type"] == "end")
        assert not [fact for fact in flat(event) if isinstance(fact, bytes)]
        assert event["type"] == "hand" or "cards" not in event
        assert event.get("holes") is None
        assert json.loads(json.dumps(event)) == event


def flat(value: Any) -> Iterator[Any]:
    """Everything inside an event that is no list or map."""
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from flat(part)
    else:
        yield value


def test_hand_event_holds_the_cards_of_its_seats_only(folder: Path, records: Records) -> None:
    hands = [event for event in public_events(folder, records) if event["type"] == "hand"]
    recorded = [record for record in records if record["type"] == "hand"]
    for event, record in zip(hands, recorded, strict=True):
        each = {"blockhead": 5, "stud": 3, "holdem": 2}[records[0]["game"]]
        assert [len(cards) for cards in event["cards"]] == [each] * len(record["players"])
        assert len({card for cards in event["cards"] for card in cards}) == each * len(record["players"])
        assert event["payoffs"] == list(record["payoffs"])


def test_events_use_the_player_numbers_of_the_start(folder: Path, stud: Records) -> None:
    hands = [event for event in public_events(folder, deepcopy(stud)) if event["type"] == "hand"]
    assert {tuple(hand["players"]) for hand in hands if hand["hand"] == 1} == {(0, 2, 4), (1, 3, 5)}


def test_every_record_type_is_told_or_for_the_host_alone() -> None:
    sample: dict[str, Any] = {"standings": [], "players": [], "tables": [], "kind": None, "level": 1}
    for type_, fields in FIELDS.items():
        events = RecordEvents(Ledger(SETTINGS, [Player("a", "A", "p"), Player("b", "B", "p")]))
        facts = {name: sample.get(name, 0) for name in fields}
        event = events.of(TYPES[type_](**facts))
        if type_ == "hand" or type_ in FOR_THE_HOST:
            assert event is None
        else:
            assert event is not None
            assert type_of(event) == type_


PAGE = page("protocol/docs/feed.md")
BLOCKS = blocks(PAGE)
GOLDEN_EVENTS = [msgpack.unpackb(bytes.fromhex(line.split()[1])[4:]) for line in GOLDEN.read_text("utf-8").splitlines()]


def test_the_examples_are_what_their_bytes_say() -> None:
    (example,) = (body.splitlines() for kind, body in BLOCKS if kind == "feed")
    *lines, told = example
    data = bytes.fromhex(" ".join(lines))
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    event = msgpack.unpackb(data[4:])
    assert event == json.loads(told)
    (hand,) = (json.loads(body) for kind, body in BLOCKS if kind == "json")
    assert event in GOLDEN_EVENTS
    assert hand in GOLDEN_EVENTS


def test_every_kind_of_event_and_each_of_its_keys_is_there() -> None:
    rows = next(tables(section(PAGE, "## Events")))
    told = {name.strip(" `") for cells in rows for name in cells[0].split(",")}
    assert told == {event["type"] for event in GOLDEN_EVENTS}
    assert f"This is version {VERSION} of the feed" in PAGE.replace("\n", " ")

    def keys(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, part in value.items():
                yield key
                yield from keys(part)
        elif isinstance(value, list):
            for part in value:
                yield from keys(part)

    for event in GOLDEN_EVENTS:
        for key in keys(event):
            assert f"`{key}`" in PAGE, (event["type"], key)


async def test_the_reader_reads_a_tournament() -> None:
    program, _ = (body for kind, body in BLOCKS if kind == "python")
    assert len([line for line in program.splitlines() if line]) <= 15
    names: dict[str, Any] = {}
    exec(program, names)
    read_feed: Callable[[str, int], Iterator[dict[str, Any]]] = names["read_feed"]
    events: list[dict[str, Any]] = []
    async with open_feed_rig(SETTINGS) as dealer, trio.open_nursery() as nursery:
        reading = trio.Event()

        def read() -> None:
            for event in read_feed(HOST, dealer.port):
                events.append(event)
                trio.from_thread.run_sync(reading.set)

        nursery.start_soon(trio.to_thread.run_sync, read)
        await reading.wait()
        await dealer.rig.admit(*good_clients(2, call))
        await trio.testing.wait_all_tasks_blocked()
        await dealer.begin().run()
        dealer.feed.close()
    told = [event["type"] for event in events if event["type"] not in ("dealt", "street", "acted", "figures")]
    assert told == ["hello", "lobby", "lobby", "start", "game", "hand", "hand", "end"]


async def test_the_program_of_the_host_pauses_a_tournament() -> None:
    _, program = (body for kind, body in BLOCKS if kind == "python")
    assert len([line for line in program.splitlines() if line]) <= 15
    names: dict[str, Any] = {}
    exec(program, names)
    pause: Callable[[str, int, str], dict[str, Any]] = names["pause"]
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        assert dealer.desk is not None
        await dealer.rig.admit(*good_clients(2, call))
        tournament = dealer.begin()
        refused = await trio.to_thread.run_sync(pause, HOST, dealer.port, "x")
        assert refused["type"] == "refused"
        assert not tournament.tempo.paused
        answer = await trio.to_thread.run_sync(pause, HOST, dealer.port, dealer.desk.token.text)
        assert (answer["type"], answer["id"]) == ("answer", 1)
        assert tournament.tempo.paused


async def test_everything_that_a_host_is_told_is_on_the_page(tmp_path: Path) -> None:
    async with open_journal(AppendFile.create(tmp_path / "a.journal")) as journal:
        async with (
            open_feed_rig(replace(SETTINGS, seed_text=None), journal, desk=True) as dealer,
            dealer.host() as reader,
        ):
            await dealer.rig.admit(*good_clients(2, call))
            await dealer.begin().run()
            for number, command in enumerate(("show", "start", "shuffle")):
                await reader.ask(number, type="order", command=command)
            await reader.send(type="file", id=3, file="grades")
            await reader.until("piece")
    rows = {names_in(cells[0])[0]: names_in(cells[2]) for cells in next(tables(section(PAGE, "## The host's side")))}
    assert rows.keys() == {"host", "answer", "making", "file", "piece"}
    for type_, keys in rows.items():
        assert {key for event in reader.of(type_) for key in event} == {"type", *keys}
