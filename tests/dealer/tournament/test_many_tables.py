"""Many tables: nobody sits at two or is forgotten, and the outlook of the ledger is always the current one."""

from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.seating import next_table
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament import show_plan
from dealer.tournament.show_plan import OutlookReader, outlook_of
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stakes import Antes
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.dealer.support.inspected import LIMIT, Played, play_in_process
from tests.dealer.support.recorded import clients_by_chance, facts, read_records, rebuilt
from tests.dealer.support.rig import SEED, Client, by_chance, open_rig

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


async def play(path: Path, agreed: Settings, count: int) -> Played:
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
    played = trio.run(partial(play, path, agreed, players))
    check_one_winner(played)


async def test_two_hundred_players_come_down_to_one(tmp_path: Path) -> None:
    """25 tables of 8, every one of which but the last is broken on the way."""
    path = tmp_path / "school.journal"
    agreed = Settings(SEED, StudGame(100, 1), 10**6, limit=LIMIT, table_size=8, levels=10)
    played = await play(path, agreed, 200)
    check_one_winner(played)
    assert len(played.ledger.seating.tables) == 25
    assert len(played.ledger.broken) == 24
    types = [record["type"] for record in read_records(path)]
    assert types.count("move") == played.ledger.moves > 24
    assert types.count("out") == 199
    assert types.count("level") == played.ledger.levels.level - 1 > 0


async def test_tables_that_play_a_number_of_hands_each_end_with_it(tmp_path: Path) -> None:
    agreed = Settings(SEED, StudGame(2000, 1), 30, limit=LIMIT, table_size=4)
    played = await play(tmp_path / "a.journal", agreed, 14)
    assert all(table.played <= 30 for table in played.ledger.seating.tables)
    assert max(table.played for table in played.ledger.seating.tables) == 30


async def test_a_series_seats_everybody_anew_and_counts_points(tmp_path: Path) -> None:
    agreed = Settings(SEED, StudGame(30, 1), 10**6, limit=LIMIT, table_size=4, levels=5, rounds=3)
    played = await play(tmp_path / "a.journal", agreed, 10)
    rounds = [record["tables"] for record in read_records(tmp_path / "a.journal") if record["type"] == "round"]
    assert [sorted(chain.from_iterable(tables)) for tables in rounds] == [list(range(10))] * 2
    assert rounds[0] != rounds[1]
    series = played.ledger.format
    merits = series.merits()
    assert merits is not None
    assert sum(merit[0] for merit in merits.values()) == 3 * 10 * 9  # half points: each pair shares two


async def test_the_two_of_a_pairing_take_turns_in_the_first_seat(tmp_path: Path) -> None:
    agreed = Settings(SEED, StudGame(200, 1), 4, games=3, limit=LIMIT, table_size=2, format="round-robin")
    await play(tmp_path / "a.journal", agreed, 4)
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


SETTINGS = [
    (StudGame(30, 1), {"hands": 40, "table_size": 3, "levels": 4}),
    (StudGame(500, 1), {"hands": 6, "table_size": 4, "rounds": 2}),
    (BlockheadGame(), {"hands": 4, "games": 2, "table_size": 4}),
]


@pytest.mark.parametrize(("game", "options"), SETTINGS, ids=["levels", "rounds", "games"])
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
