"""Tournaments whose tables two worker processes play: what hosts do, and what players hear when a worker is killed."""

import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from operator import add
from pathlib import Path
from random import Random

import psutil
import pytest
import trio
import trio.testing

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.played_hand import PlayedHand
from dealer.lobby.listener import accept_players, open_listener
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.settings import AcpcTerms, Settings
from dealer.tournament.tournament import SUSPENDED, Tournament
from dealer.workers.messages import Lost
from dealer.workers.remote_table import RemoteTable
from dealer.workers.worker_link import Loan
from protocol.games.dice import DiceGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from tests.acpc_client.player import answer
from tests.bad_bots.peer import Peer
from tests.dealer.support.recorded import clients_by_chance, facts, read_records, rebuilt
from tests.dealer.support.rig import HOST, SEED, Client, by_chance, call, good_clients
from tests.dealer.workers.hall import Hall, open_hall, reopen_hall, until
from tests.drills.surviving import check_chips_and_numbers, examine

Process = subprocess.Popen[bytes]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand sockets over")

STUD = Settings(SEED, StudGame(500, 1), hands=100_000, limit=60.0)


def check(tournament: Tournament, path: Path, voided: int) -> None:
    """The journal tells the same, so many hands were voided, and nobody had a fault or lost a chip for it."""
    rebuild = rebuilt(path)
    assert facts(rebuild.ledger) == facts(tournament.ledger)
    assert sum(record["type"] == "void" for record in read_records(path)) == voided
    assert not any(player.faults for player in tournament.players)
    total = tournament.settings.game.start(len(tournament.players)).total
    assert sum(table.match.total for table in tournament.tables) == total


async def test_commands_of_the_host(tmp_path: Path) -> None:
    path, clients = tmp_path / "a.journal", good_clients(3, call)
    async with open_journal(AppendFile.create(path)) as journal, open_hall(STUD, journal) as hall:
        await hall.rig.admit(*clients)
        tournament = hall.begin()
        hall.rig.nursery.start_soon(tournament.run)
        await until(lambda: tournament.hands_finished)
        await _pause_and_step(tournament)
        await _remove_and_let_in(hall, tournament, tournament.players[0])
        finished = tournament.hands_finished
        await until(lambda: tournament.hands_finished > finished)
        assert all(map(psutil.pid_exists, hall.workers.pids()))
        tournament.suspend()
        await until(lambda: all(client.done for client in clients))
        # Now no hand is under way, whose decisions the players' own counts would lack.
        assert tournament.decisions == sum(player.reply_times.count for player in tournament.players)
        assert tournament.decisions >= 3 * tournament.hands_finished
    assert [client.done for client in clients[1:]] == [SUSPENDED, SUSPENDED]
    check(tournament, path, voided=0)
    rebuild = rebuilt(path)
    assert rebuild.ledger.stopped
    assert not rebuild.ended, "it can be played on"


async def _pause_and_step(tournament: Tournament) -> None:
    tournament.pause()
    (table,) = tournament.tables
    await until(lambda: not table.in_hand)
    finished = tournament.hands_finished
    tournament.step()
    await until(lambda: tournament.hands_finished > finished)
    await until(lambda: not table.in_hand)
    assert tournament.hands_finished == finished + 1


async def _remove_and_let_in(hall: Hall, tournament: Tournament, player: Player) -> None:
    """In a pause; play goes on after that."""
    tournament.remove(player, "too loud")
    await until(lambda: player.left)
    tournament.let_in(player)
    await hall.rig.start(Client(good_clients(1)[0].name, call))
    tournament.resume()
    await until(lambda: player.left is None)


@pytest.mark.slow
async def test_play_on_after_suspension(tmp_path: Path) -> None:
    """With another number of workers, and players who move between their tables before and after."""
    path, clients = tmp_path / "a.journal", clients_by_chance(5)
    settings = Settings(SEED, StudGame(300, 2), hands=40, table_size=3, limit=60.0)
    async with open_journal(AppendFile.create(path)) as journal, open_hall(settings, journal) as hall:
        await hall.rig.admit(*clients)
        tournament = hall.begin()
        hall.rig.nursery.start_soon(tournament.run)
        await until(lambda: tournament.runs and all(run.last for run in tournament.runs.values()))
        tournament.suspend()
        await until(lambda: all(client.done for client in clients))
    left = [client for client in clients if client.done == SUSPENDED]
    assert len(left) == len(tournament.players) - sum(player.left is not None for player in tournament.players)
    played = tournament.hands_finished
    again = clients_by_chance(5)
    async with reopen_hall(path, procs=3) as hall:
        back = [client for client, before in zip(again, clients, strict=True) if before in left]
        await hall.rig.admit(*back)
        tournament = hall.begin()
        await tournament.run()
    types = [record["type"] for record in read_records(path)]
    assert (types.count("resume"), types.count("end")) == (1, 1)
    assert tournament.hands_finished > played
    check(tournament, path, voided=types.count("void"))
    check_chips_and_numbers(examine(path))
    dealt = [record["players"] for record in read_records(path) if record["type"] == "hand"]
    for number, (before, after) in enumerate(zip(clients, again, strict=True)):
        assert len(before.statuses) + len(after.statuses) == sum(number in players for players in dealt)


@pytest.mark.slow
async def test_actions_of_a_show_are_apart_and_seen(tmp_path: Path) -> None:
    async with open_hall(replace(STUD, hands=2)) as hall:
        await hall.rig.admit(*good_clients(2))
        tournament = hall.begin()
        tournament.begin_with = lambda: tournament.set_length(10_000)
        hall.rig.nursery.start_soon(tournament.run)
        await until(lambda: tournament.runs and tournament.runs[0].in_play)
        in_play = tournament.runs[0].in_play
        assert in_play is not None
        assert not in_play.actions, "nobody is asked before the cards were seen"
        tournament.set_length(1)  # those who wait look at the clock again
        await until(lambda: tournament.complete)
    assert tournament.hands_finished == 2


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["called back", "results", "broke"])
async def test_worker_dies_between_hands(moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a player leaves the table of a worker, or after a hand whose results nobody was told yet, or both."""
    killed: list[Process] = []
    if moment == "broke":
        stopped = stop_before_results_of_broke(monkeypatch)
        # The other worker plays on meanwhile, and its seats are called back, too.
        kill_before(monkeypatch, killed, Loan, "give_back", lambda loan: loan._link.process, stopped.__contains__)
    elif moment == "called back":
        kill_before(monkeypatch, killed, Loan, "give_back", lambda loan: loan._link.process)
    else:
        kill_before(monkeypatch, killed, RemoteTable, "tell_results", lambda table: table._link.process)
    path, clients = tmp_path / "a.journal", good_clients(5)
    for number, client in enumerate(clients):
        client.decide = by_chance(number)
    settings = Settings(SEED, StudGame(60, 2), hands=60, table_size=3, limit=60.0)
    async with open_journal(AppendFile.create(path)) as journal, open_hall(settings, journal) as hall:
        await hall.rig.admit(*clients)
        tournament = hall.begin()
        await tournament.run()
    assert killed
    types = [record["type"] for record in read_records(path)]
    assert "move" in types
    check(tournament, path, voided=types.count("void"))
    dealt = [record["players"] for record in read_records(path) if record["type"] == "hand"]
    for client, player in zip(clients, tournament.players, strict=True):
        hands = sum(player.number in players for players in dealt)
        assert hands <= len(client.statuses) <= hands + types.count("void")


def kill_before(
    monkeypatch: pytest.MonkeyPatch,
    killed: list[Process],
    owner: type,
    name: str,
    process_of: Callable[..., Process],
    is_meant: Callable[[Process], bool] = lambda _: True,
) -> None:
    """Kill the worker concerned before the first call of a method, and let it be dead when the method runs."""
    method = getattr(owner, name)

    def kill_first(self: object, *words: object) -> object:
        if not killed and is_meant(process := process_of(self)):
            process.kill()
            process.wait()
            killed.append(process)
        return method(self, *words)

    monkeypatch.setattr(owner, name, kill_first)


def stop_before_results_of_broke(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """Let the first worker in whose hand a player loses all chips never tell the results; it, once it is stopped."""
    method, stopped = RemoteTable.tell_results, list[Process]()

    def stop_first(table: RemoteTable, played: PlayedHand) -> None:
        if not stopped and 0 in map(add, played.starting, played.settlement.payoffs):
            assert table._link is not None
            stopped.append(table._link.process)
            table._link.process.send_signal(signal.SIGSTOP)
        method(table, played)

    monkeypatch.setattr(RemoteTable, "tell_results", stop_first)
    return stopped


async def test_time_is_shortened_for_a_seat_that_is_called_back() -> None:
    """As when the host stops everything at the moment at which a player moves or leaves."""
    async with open_hall(STUD) as hall:
        await hall.rig.admit(*good_clients(2, call))
        tournament = hall.begin()
        hall.rig.nursery.start_soon(tournament.run)
        await until(lambda: tournament.hands_finished)
        tournament.pause()
        await until(lambda: not tournament.tables[0].in_hand)
        worker, seat = hall.links[0].process, tournament.players[0].seat
        assert seat is not None
        worker.send_signal(signal.SIGSTOP)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(seat.call_back)
            await trio.testing.wait_all_tasks_blocked()
            assert seat.borrower is not None
            tournament.stop_soon(1.0)
            worker.send_signal(signal.SIGCONT)
        assert seat.limit == 1.0
        # The answer to this comes after all that the worker was told before.
        other = tournament.players[1].seat
        assert other is not None
        await other.call_back()
        assert hall.links[0].process is worker
        assert worker.poll() is None


async def test_program_that_leaves_after_a_stop_at_once_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers play on until the dealer ends, and what they tell then changes nothing."""
    told, take_lost = trio.Event(), RemoteTable.take_lost

    def note(table: RemoteTable, lost: Lost) -> None:
        take_lost(table, lost)
        told.set()

    monkeypatch.setattr(RemoteTable, "take_lost", note)
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_hall(STUD, journal) as hall:
        peers = [Peer(await hall.rig.connect()) for _ in range(2)]
        for number, peer in enumerate(peers):
            await peer.log_in(f"peer-{number}:Peer {number}")
        await until(lambda: len(hall.rig.lobby.players) == 2)
        tournament = hall.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await until(lambda: _asked(tournament))
            nursery.cancel_scope.cancel()
        for peer in peers:
            await peer.stream.aclose()
        await told.wait()
    assert not any(player.faults for player in tournament.players)
    assert "out" not in [record["type"] for record in read_records(path)]


# What programs hear of a void hand, at every door


@pytest.mark.parametrize(
    ("framing", "game", "turn", "told"),
    [
        pytest.param(UtfFraming(), StudGame(500, 1), "bet", "status:lose:", marks=pytest.mark.slow),
        (LineFraming(), StudGame(500, 1), "bet", "status:lose:"),
        (UtfFraming(), DiceGame(), "dice", "status:"),
    ],
    ids=["frames", "lines", "dice"],
)
async def test_players_hear_of_a_void_hand(
    framing: Framing, game: StudGame | DiceGame, turn: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.journal"
    settings = Settings(SEED, game, hands=3, limit=60.0)
    async with open_journal(AppendFile.create(path)) as journal, open_hall(settings, journal) as hall:
        listener = await open_listener(HOST, 0, settings.limit, lines=isinstance(framing, LineFraming))
        hall.rig.nursery.start_soon(accept_players, listener, hall.rig.lobby, hall.rig.watchdog)
        peers = [Peer(await trio.open_tcp_stream(HOST, listener.port), framing) for _ in range(2)]
        for number, peer in enumerate(peers):
            await peer.log_in(f"peer-{number}:Peer {number}")
            await until(lambda: len(hall.rig.lobby.players) > number)  # noqa: B023 - awaited at once
        tournament = hall.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await until(lambda: len(_asked(tournament)) == 1)
            (seat,) = _asked(tournament)
            await _kill_its_worker(hall, seat)
            for peer in peers:
                nursery.start_soon(_play, peer, turn, "bet" if turn == "dice" else "bet:0")
    assert sum(record["type"] == "void" for record in read_records(path)) == 1
    assert not any(player.faults for player in tournament.players)
    for peer in peers:
        statuses = [text for text in peer.heard if text.startswith("status")]
        assert statuses[0].startswith(told)
        assert turn != "dice" or statuses[0] in ("status:2:0:0", "status:3:0:0")
        assert len(statuses) == 4


def _asked(tournament: Tournament) -> list[Seat]:
    """The seats whose question is open."""
    return [player.seat for player in tournament.players if player.seat is not None and player.seat.thinking]


async def _kill_its_worker(hall: Hall, seat: Seat) -> None:
    """Kill the worker that has a seat, and wait until it is taken from it; another may have it at once."""
    loan = seat.borrower
    assert loan is not None
    hall.links[0].process.kill()
    await until(lambda: seat.borrower is not loan)


async def _play(peer: Peer, turn: str, reply: str) -> None:
    """Answer every question, and each in its time."""
    while (text := await peer.hear()) is not None:
        if text.startswith(turn):
            owed = text.split(":")[3] if turn == "bet" else ""
            await peer.say(f"bet:{owed}" if turn == "bet" else reply)
    await peer.stream.aclose()


@pytest.mark.slow
async def test_programs_of_the_acpc_hear_of_a_void_hand(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    game = HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1})
    settings = Settings(SEED, game, hands=3, limit=60.0, acpc=AcpcTerms(limit=60.0))
    async with open_journal(AppendFile.create(path)) as journal, open_hall(settings, journal) as hall:
        assert hall.rig.acpc_listener is not None
        port = hall.rig.acpc_listener.port
        peers = [Peer(await trio.open_tcp_stream(HOST, port), LineFraming()) for _ in range(2)]
        for number, peer in enumerate(peers):
            await peer.say("VERSION:2.0.0")
            await until(lambda: len(hall.rig.lobby.players) > number)  # noqa: B023 - awaited at once
        tournament = hall.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await until(lambda: _asked(tournament))
            (seat,) = _asked(tournament)
            await _kill_its_worker(hall, seat)
            for peer in peers:
                nursery.start_soon(_call, peer)
    check(tournament, path, voided=1)
    for peer in peers:
        states = [text.split(":") for text in peer.heard if text.startswith("MATCHSTATE")]
        assert [betting for _, _, number, betting, _ in states if number == "0"] == ["", "f"]
        assert {number for _, _, number, _, _ in states} == {"0", "1", "2", "3"}


async def _call(peer: Peer) -> None:
    while (line := await peer.hear()) is not None:
        if line.startswith("MATCHSTATE") and answer(line, Random(1)) is not None:
            await peer.send(f"{line}:c\r\n".encode())
    await peer.stream.aclose()
