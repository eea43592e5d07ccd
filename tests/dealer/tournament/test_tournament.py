"""A tournament: who plays whom at how many tables, who is out when, and what everybody hears."""

from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.journal.file import AppendFile
from dealer.journal.records import FinishedHandRecord, Record
from dealer.journal.writer import Journal, open_journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.seating import next_table
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament import show_plan
from dealer.tournament.show_plan import OutlookReader, outlook_of
from dealer.tournament.tournament import SUSPENDED, Tournament
from protocol.games.base import Action, Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stakes import Antes
from protocol.games.stud import StudGame, StudTurn
from protocol.wire.messages import Login, Name
from tests.bad_bots import replies
from tests.bad_bots.peer import Peer
from tests.dealer.support.inspected import LIMIT, Played, play_in_process
from tests.dealer.support.recorded import clients_by_chance, facts, play_on_heard, read_records, rebuilt
from tests.dealer.support.rig import SEED, Client, by_chance, call, fold, good_clients, open_rig, play

SETTINGS = Settings(SEED, hands=20, game=StudGame(500))


def most(turn: StudTurn) -> Action:
    """Put in as much as the rules allow."""
    *_, highest = turn.legal()
    return highest


async def test_players_hear_every_hand_and_the_result(tcp_clock: MockClock) -> None:
    clients = good_clients(4)
    played = await play(clients, SETTINGS)
    assert sum(played.chips.values()) == 2000
    for client in clients:
        assert isinstance(client.heard[0], Login)
        assert len(client.statuses) == 20
    for standing in played.standings:
        (client,) = (client for client in clients if client.name.id == standing.player.id)
        place, chips = standing.place, standing.chips
        assert client.done == f"the tournament is over; you are number {place} of 4 with {chips} chips"
        assert standing.player.hands_won == sum(status.won for status in client.statuses)
        assert standing.player.hands_survived == 20
        assert standing.player.decisions == sum(isinstance(command, StudTurn) for command in client.heard)


async def test_it_ends_when_one_player_is_left_who_has_all_chips(tcp_clock: MockClock) -> None:
    clients = good_clients(4, most)
    played = await play(clients, Settings(SEED, hands=100_000, game=StudGame(60)))
    first, *others = played.standings
    assert first.chips == 240
    assert [standing.chips for standing in others] == [0, 0, 0]
    assert first.player.left is None
    for standing in others:
        assert standing.player.left == "you are out: broke"
    assert {client.done for client in clients} == {
        "the tournament is over; you are number 1 of 4 with 240 chips",
        "you are out; broke",
    }


async def test_two_who_leave_in_one_hand_stand_by_their_chips() -> None:
    """In the second hand of this seed the first seat had 22 chips and is seen to be out before the third, with 21."""
    settings = Settings(bytes([8]) * 32, hands=100, game=StudGame(30, 2), limit=60.0)
    played = await play_in_process(settings, clients_by_chance(5), Journal(None))
    left = {player.id: departure for player, departure in played.ledger.departures.items()}
    first, third = left["chance-0"], left["chance-2"]
    assert [*left].index("chance-0") < [*left].index("chance-2")
    assert (first.hand, first.chips, third.hand, third.chips) == (2, 22, 2, 21)
    places = {standing.player.id: standing.place for standing in played.standings}
    assert places["chance-0"] < places["chance-2"]


async def test_who_goes_out_hears_it_at_once_while_the_others_play_on(tcp_clock: MockClock) -> None:
    clients = good_clients(4, call)
    clients[1] = replace(clients[1], decide=fold)
    played = await play(clients, Settings(SEED, hands=25, game=StudGame(20)))
    assert clients[1].done == "you are out; broke"
    assert len(clients[1].statuses) == played.tournament.players[1].left_in < 25
    assert played.tournament.hand_number == 25


async def test_chips_of_who_is_thrown_out_leave_the_table_with_it(tcp_clock: MockClock) -> None:
    played = await play([*good_clients(2, call), replies.malformed], SETTINGS)
    assert played.chips["bad"] == 499
    assert sum(played.chips.values()) == 1500
    assert played.standings[-1].player.id == "bad"


async def also_bad(peer: Peer) -> None:
    await peer.log_in("bad-2:Bad 2")
    if await peer.hear_question():
        await peer.say("check")
    await peer.hear_out()


@pytest.mark.parametrize("survivors", [1, 0])
async def test_tournament_is_over_when_one_player_is_left_or_none(survivors: int, tcp_clock: MockClock) -> None:
    clients = good_clients(survivors)
    played = await play([replies.malformed, *clients, also_bad], SETTINGS)
    assert played.tournament.hand_number == 1
    assert sum(played.chips.values()) == 500 * (2 + survivors)
    for client in clients:
        assert client.done is not None
        assert client.done.startswith("the tournament is over; you are number 1 of 3")


async def test_several_tables_play_at_once_and_keep_their_chips(tcp_clock: MockClock) -> None:
    """While one table waits for a silent program, the others play all their hands."""
    clients = good_clients(7)
    async with open_rig(Settings(SEED, StudGame(), hands=20, table_size=3, limit=5.0)) as rig:
        await rig.admit(replies.late, *clients)
        tournament = rig.begin()
        assert [len(table.players) for table in tournament.tables] == [3, 3, 2]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            others = [client for client in clients if client not in (clients[2], clients[5])]
            while not all(len(client.statuses) == 20 for client in others):
                await trio.sleep(0.1)
            assert tournament.tables[0].hand_number == 1
            assert trio.current_time() < 5.0
    for table in tournament.tables:
        assert sum(table.match.stacks) == 500 * len(table.players)


async def test_the_same_seed_and_replies_give_the_same_standings(tcp_clock: MockClock) -> None:
    first = await play(good_clients(4, call), SETTINGS)
    again = await play(good_clients(4, call), SETTINGS)
    other = await play(good_clients(4, call), replace(SETTINGS, seed=bytes(32)))
    assert first.chips == again.chips != other.chips


async def test_stop_after_hand_finishes_the_hand_under_way(tcp_clock: MockClock) -> None:
    stopped: list[Tournament] = []

    def call_and_stop(turn: StudTurn) -> Action:
        if stopped[0].hand_number == 7:
            stopped[0].stop_after_hand()
        return Bet(turn.owed)

    clients = good_clients(3, call_and_stop)
    async with open_rig(SETTINGS) as rig:
        await rig.admit(*clients)
        stopped.append(rig.begin())
        standings = await stopped[0].run()
    assert stopped[0].hand_number == 7
    assert [len(client.statuses) for client in clients] == [7, 7, 7]
    assert all(client.done is not None and "is over" in client.done for client in clients)
    assert sum(standing.chips for standing in standings) == 1500


@pytest.mark.parametrize(("limit", "ended", "faults"), [(60.0, 10.0, []), (2.0, 2.0, ["late"])])
async def test_stop_soon_waits_no_minutes_and_blames_nobody_for_them(
    limit: float, ended: float, faults: list[str], tmp_path: Path, tcp_clock: MockClock
) -> None:
    async def think(peer: Peer) -> None:
        await peer.log_in("person:Person")
        await peer.hear_question()
        tournament.stop_soon(10.0)
        began.append(trio.current_time())
        await peer.hear_out()

    began: list[float] = []
    clients = good_clients(2, call)
    path = tmp_path / "a.journal"
    async with (
        open_journal(AppendFile.create(path)) as journal,
        open_rig(replace(SETTINGS, limit=limit), journal=journal) as rig,
    ):
        await rig.admit(think, *clients)
        tournament = rig.begin()
        standings = await tournament.run()
        took = trio.current_time() - began[0]
    (person,) = (standing.player for standing in standings if standing.player.id == "person")
    assert [fault.kind.value for fault in person.faults] == faults
    assert tournament.ledger.seating.still_in(person) == (not faults)
    assert ended <= took < ended + 2
    assert rebuilt(path).records > 1  # which raises an error for a fold without a reason
    assert tournament.hand_number == 1
    assert sum(standing.chips for standing in standings) == 1500


async def test_stop_soon_leaves_ten_seconds_for_an_answer(tcp_clock: MockClock) -> None:
    async def think(peer: Peer) -> None:
        await peer.log_in("person:Person")
        while (question := await peer.hear_question()) is not None:
            tournament.stop_soon(10.0)
            await trio.sleep(9)
            await peer.say(f"bet:{question[3]}")

    async with open_rig(replace(SETTINGS, limit=60.0)) as rig:
        await rig.admit(think, *good_clients(2, call))
        tournament = rig.begin()
        await tournament.run()
    person = tournament.players[0]
    assert person.decisions == 2
    assert not person.faults


async def test_nobody_is_judged_after_a_stop_at_once(tmp_path: Path, tcp_clock: MockClock) -> None:
    """A host who stops at once leaves a hand under way; whose program then hangs up has no fault for it."""
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_rig(SETTINGS, journal=journal) as rig:

        async def stop_when_asked(peer: Peer) -> None:
            await peer.log_in("stops:Stops")
            await peer.hear_question()
            playing.cancel_scope.cancel()

        await rig.admit(stop_when_asked, *good_clients(1, call))
        tournament = rig.begin()
        async with trio.open_nursery() as playing:
            playing.start_soon(tournament.run)
        await rig.peers[0].finished.wait()
        await trio.sleep(SETTINGS.limit + 1)
    assert not any(player.faults for player in tournament.players)
    assert {told["type"] for told in read_records(path)} <= {"start", "game", "hand"}


async def test_a_suspended_tournament_goes_on_and_every_result_is_heard_once(
    tmp_path: Path, tcp_clock: MockClock
) -> None:
    """At two tables, between which players move."""
    path, before = tmp_path / "a.journal", clients_by_chance(5)
    settings = replace(SETTINGS, game=StudGame(300, 2), hands=40, table_size=3)
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        await rig.admit(*before)
        first = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(first.run)
            while not (len(first.runs) == 2 and all(table.last for table in first.runs.values())):
                await trio.sleep(0)
            first.suspend()
    assert SUSPENDED in [client.done for client in before]
    played, after = await play_on_heard(path)
    records = read_records(path)
    types = [told["type"] for told in records]
    assert (types.count("resume"), types.count("void"), types.count("end")) == (1, 0, 1)
    assert "move" in types
    assert facts(rebuilt(path).ledger) == facts(played.tournament.ledger)
    dealt = [number for told in records if told["type"] == "hand" for number in told["players"]]
    for player in played.tournament.players:
        heard = [len(client.statuses) for client in (*before, *after) if client.name.id == player.id]
        assert sum(heard) == dealt.count(player.number)


async def test_a_journal_comes_before_what_is_told(tcp_clock: MockClock) -> None:
    """A hand that cannot be recorded is told to nobody."""

    class Full(Journal):
        is_read = True

        def record(self, record: Record) -> None:
            if isinstance(record, FinishedHandRecord):
                raise OSError("full")

    clients = good_clients(2)
    async with open_rig(SETTINGS, journal=Full(None)) as rig:
        await rig.admit(*clients)
        with pytest.raises(ExceptionGroup) as caught:
            await rig.begin().run()
    assert caught.group_contains(OSError, match="full")
    assert [client.statuses for client in clients] == [[], []]


# Many tables: nobody sits at two or is forgotten, and the outlook of the ledger is always the current one.

SIZES = st.dictionaries(st.integers(0, 30), st.integers(1, 17), min_size=1, max_size=8)


@given(sizes=SIZES, table_size=st.integers(2, 17))
def test_each_move_brings_table_sizes_closer(sizes: dict[int, int], table_size: int) -> None:
    """From wherever it begins, sending ends, tables differ by one at most, and no table is needless."""
    sizes = {number: min(size, table_size) for number, size in sizes.items()}
    moves = 0
    while sending := [table for table in sizes if next_table(table, sizes, table_size) is not None]:
        to = next_table(sending[0], sizes, table_size)
        assert to is not None
        sizes[sending[0]] -= 1
        sizes[to] += 1
        assert sizes[to] <= table_size
        sizes = {number: size for number, size in sizes.items() if size}
        moves += 1
        assert moves <= 17 * 8
    assert len(sizes) == 1 or sum(sizes.values()) > table_size * (len(sizes) - 1)
    assert not sizes or max(sizes.values()) - min(sizes.values()) <= 1


def test_antes_rise_by_half_or_so_from_level_to_level() -> None:
    antes = [Antes(1).at_level(level).ante for level in range(1, 15)]
    assert antes == [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100, 150, 200]
    assert Antes(25).at_level(6) == Antes(250)


def test_two_at_each_table_can_always_pay() -> None:
    assert Antes(50).payable([500, 20, 7]) == Antes(20)
    assert Antes(5).payable([500, 20, 7]) == Antes(5)
    assert Antes(5).payable([500]) == Antes(5)
    assert Antes(30).payable([28]) == Antes(28)


async def play_inspected(path: Path, agreed: Settings, count: int) -> Played:
    clients = [Client(Name(f"p-{number}", f"P {number}"), by_chance(number)) for number in range(count)]
    async with open_journal(AppendFile.create(path)) as journal:
        played = await play_in_process(agreed, clients, journal)
    total = count * agreed.game.start(1).total
    assert sum(table.match.total for table in played.ledger.seating.round_tables) == total
    assert facts(rebuilt(path).ledger) == facts(played.ledger)
    assert all(client.done for client in clients)
    return played


def check_one_winner(played: Played) -> None:
    """Everybody else has left, in the order of the standings, and each table's hands are in its own order."""
    order = [played.ledger.departures.get(standing.player) for standing in played.standings]
    assert order[0] is None
    gone = [departure for departure in order[1:] if departure is not None]
    assert len(gone) == len(order) - 1
    keys = [(departure.order, departure.chips) for departure in gone]
    assert keys == sorted(keys, reverse=True)
    for one, other in zip(played.standings[1:], played.standings[2:], strict=False):
        first, second = (played.ledger.departures[standing.player] for standing in (one, other))
        assert (one.place == other.place) == (first[:2] == second[:2])


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    players=st.integers(3, 24),
    size=st.integers(2, 8),
    stack=st.integers(4, 60),
    levels=st.integers(1, 6),
)
def test_one_player_wins_with_every_number_and_size_of_tables(
    players: int, size: int, stack: int, levels: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    agreed = Settings(SEED, StudGame(stack, 1), 10**6, limit=LIMIT, table_size=size, levels=levels)
    path = tmp_path_factory.mktemp("tables") / "a.journal"
    played = trio.run(partial(play_inspected, path, agreed, players))
    check_one_winner(played)


async def test_two_hundred_players_come_down_to_one(tmp_path: Path) -> None:
    """25 tables of 8, every one of which but the last is broken on the way."""
    path = tmp_path / "school.journal"
    agreed = Settings(SEED, StudGame(100, 1), 10**6, limit=LIMIT, table_size=8, levels=10)
    played = await play_inspected(path, agreed, 200)
    check_one_winner(played)
    assert len(played.ledger.seating.tables) == 25
    assert len(played.ledger.broken) == 24
    types = [record["type"] for record in read_records(path)]
    assert types.count("move") == played.ledger.moves > 24
    assert types.count("out") == 199
    assert types.count("level") == played.ledger.levels.level - 1 > 0


async def test_tables_that_play_a_number_of_hands_each_end_with_it(tmp_path: Path) -> None:
    agreed = Settings(SEED, StudGame(2000, 1), 30, limit=LIMIT, table_size=4)
    played = await play_inspected(tmp_path / "a.journal", agreed, 14)
    assert all(table.played <= 30 for table in played.ledger.seating.tables)
    assert max(table.played for table in played.ledger.seating.tables) == 30


async def test_a_series_seats_everybody_anew_and_counts_points(tmp_path: Path) -> None:
    agreed = Settings(SEED, StudGame(30, 1), 10**6, limit=LIMIT, table_size=4, levels=5, rounds=3)
    played = await play_inspected(tmp_path / "a.journal", agreed, 10)
    rounds = [record["tables"] for record in read_records(tmp_path / "a.journal") if record["type"] == "round"]
    assert [sorted(chain.from_iterable(tables)) for tables in rounds] == [list(range(10))] * 2
    assert rounds[0] != rounds[1]
    series = played.ledger.format
    merits = series.merits()
    assert merits is not None
    assert sum(merit[0] for merit in merits.values()) == 3 * 10 * 9  # half points: each pair shares two


async def test_the_two_of_a_pairing_take_turns_in_the_first_seat(tmp_path: Path) -> None:
    agreed = Settings(SEED, StudGame(200, 1), 4, games=3, limit=LIMIT, table_size=2, format="round-robin")
    await play_inspected(tmp_path / "a.journal", agreed, 4)
    records = read_records(tmp_path / "a.journal")
    game: dict[int, int] = {}
    seats: dict[tuple[int, int], list[int]] = {}
    for record in records:
        if record["type"] == "game":
            game[record["table"]] = record["game"]
        elif record["type"] == "hand":
            seats[record["table"], game[record["table"]]] = record["players"]
    assert len(seats) == 6 * 3
    for (table, number), players in seats.items():
        first = seats[table, 1]
        assert players == (first if number % 2 else first[::-1])


MANY_TABLES = [
    (StudGame(30, 1), {"hands": 40, "table_size": 3, "levels": 4}),
    (StudGame(500, 1), {"hands": 6, "table_size": 4, "rounds": 2}),
    (BlockheadGame(), {"hands": 4, "games": 2, "table_size": 4}),
]


@pytest.mark.parametrize(("game", "options"), MANY_TABLES, ids=["levels", "rounds", "games"])
async def test_an_outlook_is_read_after_each_change_and_no_more(
    game: Game, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tcp_clock: object
) -> None:
    computed: list[object] = []
    asked: list[bool] = []
    read = OutlookReader.read

    def counted(ledger: Any) -> object:
        computed.append(ledger)
        return outlook_of(ledger)

    def compared(self: OutlookReader) -> object:
        told = read(self)
        asked.append(told == outlook_of(self._ledger))
        return told

    monkeypatch.setattr(show_plan, "outlook_of", counted)
    monkeypatch.setattr(OutlookReader, "read", compared)
    async with open_rig(Settings(SEED, game, **options)) as rig:
        await rig.admit(*clients_by_chance(8))
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(60)
        await tournament.run()
    assert asked
    assert all(asked)
    assert len(computed) < len(asked) / 2


def test_a_player_on_the_way_to_a_table_is_counted_once() -> None:
    ledger = Ledger(
        Settings(SEED, StudGame(30, 1), table_size=3, levels=4), [Player(f"p{i}", f"P {i}", "test") for i in range(7)]
    )
    before = outlook_of(ledger)
    here, there = ledger.seating.round_tables[:2]
    ledger.seating.move(here.players[0], there)
    moving = outlook_of(ledger)
    assert (moving.players, moving.playing, moving.stakes_left) == (7, 7, before.stakes_left)
