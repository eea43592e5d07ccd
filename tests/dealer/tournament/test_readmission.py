"""Players whom the host lets in again after they had left."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from dealer.errors import RebuildError
from dealer.faults import Fault, FaultKind
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.readmission import free_table, let_in, refusal
from dealer.ledger.standings import Departures, rank
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.bad_bots.peer import Peer
from tests.dealer.lobby.test_reconnect import Comeback, play_out
from tests.dealer.support.desks import DeskRig, open_desk, until
from tests.dealer.support.recorded import batch_ends, play_on, read_records, rebuilt, write_records
from tests.dealer.support.reported import contents_of
from tests.dealer.support.rig import SEED, Client, call, good_clients
from tests.dealer.support.scribe import players
from tests.dealer.tournament.test_random_trouble import check

#: A pace that leaves the host time, also on the clock of a test, which jumps.
PACE = 1.0
SETTINGS = Settings(SEED, StudGame(), hands=12)
OUT = "you are out: nonsense is no reply"


@dataclass
class Hosted(Comeback):
    """A tournament in progress, with a player who was put out, and the desk of the host."""

    desk: DeskRig

    @property
    def steph(self) -> Player:
        """The player who was put out."""
        return self.tournament.players[0]


@asynccontextmanager
async def after_a_fault(path: Path, settings: Settings = SETTINGS, others: int = 2) -> AsyncIterator[Hosted]:
    """The block runs from the fault of a player to the end of the tournament; then the journal is checked."""
    async with open_journal(AppendFile.create(path)) as journal, open_desk(settings, journal) as desk:
        peer = Peer(await desk.rig.connect())
        await peer.log_in("steph:Steph")
        await until(lambda: desk.rig.lobby.players)
        await desk.rig.admit(*good_clients(others, call))
        await desk.done(command="pace", seconds=PACE)
        tournament = desk.begin()
        tournament.tempo.pace = PACE
        async with peer.stream, trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            assert await peer.hear_question()
            await peer.say("nonsense")
            await peer.hear_out()
            yield Hosted(desk.rig, tournament, peer, path, desk)
            await until(lambda: tournament.complete)
    check(tournament, path)


async def test_player_comes_back_with_the_chips_it_had(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with after_a_fault(tmp_path / "a.journal") as hosted:
        steph, tournament = hosted.steph, hosted.tournament
        assert steph.left is not None
        refused = await hosted.refusal()
        assert refused is not None
        assert refused.startswith("the tournament is at hand")
        said = await hosted.desk.done(command="readmit", player="Steph")
        assert said == "Steph is let in; as soon as its program logs in again, it gets a seat between two hands."
        told = await hosted.desk.refused(command="readmit", player="id=steph")
        assert told == "Steph is let in already; its program must log in again"
        (stack,) = {stack for player, stack in tournament.ledger.stacks().items() if player is steph}
        async with (peer := await hosted.log_in()).stream:
            question = await peer.hear_question()
            assert question
            assert int(question[1]) in (stack - 1, stack - 2)  # the ante, and a chip if another one bets first
            assert hosted.tournament.ledger.seating.still_in(steph)
            assert (steph.faults, steph.lives) == ([], 1)
            while question:
                await peer.say(f"bet:{question[3]}")
                question = await peer.hear_question()
            assert peer.done is not None
            assert peer.done.startswith("the tournament is over; you are number ")
        assert await hosted.desk.refused(command="readmit", player="Steph") == "the tournament is over"
    assert [told["type"] for told in hosted.records("out", "readmitted")] == ["out", "readmitted"]
    assert not contents_of(hosted.path).course.told.falls


async def test_player_sits_down_once_and_plays_no_hand_twice(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with after_a_fault(tmp_path / "a.journal", replace(SETTINGS, rejoin=20.0)) as hosted:
        await hosted.desk.done(command="readmit", player="Steph")
        peer = await hosted.log_in()
        second = await hosted.refusal()
        assert second == "the id 'steph' is already seated; is another copy of your program running?"
        await play_out(peer)
    hands = hosted.records("hand")
    assert all(len(told["players"]) == len(set(told["players"])) for told in hands)
    assert [0 in told["players"] for told in hands].count(False) <= 3  # it missed no hand after it was seated


async def test_removed_player_can_be_let_in_and_removed_again(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with after_a_fault(tmp_path / "a.journal", replace(SETTINGS, hands=30), others=3) as hosted:
        desk, tournament = hosted.desk, hosted.tournament
        good = tournament.players[1]
        await desk.done(command="pause")
        await until(lambda: not tournament.tables[0].in_hand)
        await desk.done(command="remove", player="Good 1", reason="too loud")
        await until(lambda: good.left)
        await desk.done(command="readmit", player="Good 1")
        assert [player["let_in"] for player in desk.desk.view.players()] == [False, True, False, False]
        await desk.rig.start(Client(good_clients(1)[0].name, call))
        await until(lambda: good.left is None)
        await desk.done(command="remove", player="Good 1", reason="still too loud")
        await until(lambda: good.left == "you are out: still too loud")
        await desk.done(command="readmit", player="Steph")
        await desk.done(command="end")


@pytest.mark.parametrize("game", [HoldemGame(), StudGame()], ids=["holdem", "stud"])
async def test_player_let_in_is_told_the_game(
    game: HoldemGame | StudGame, tmp_path: Path, tcp_clock: MockClock
) -> None:
    async with after_a_fault(tmp_path / "a.journal", replace(SETTINGS, game=game), others=3) as hosted:
        await hosted.desk.done(command="readmit", player="Steph")
        await play_out(peer := await hosted.log_in())
        announced = [text for text in peer.heard if text.startswith("game:")]
        assert len(announced) == game.announced


async def test_resumed_dealer_still_expects_the_player(tmp_path: Path, tcp_clock: MockClock) -> None:
    """The dealer dies after each record that follows the host's word, and the player comes back to the new one."""
    whole = tmp_path / "whole.journal"
    async with after_a_fault(whole, replace(SETTINGS, hands=4)) as hosted:
        await hosted.desk.done(command="readmit", player="Steph")
        await until(lambda: hosted.tournament.hand_number > 1)
        await play_out(await hosted.log_in())
    types = [told["type"] for told in read_records(whole)]
    assert types.index("readmitted") > types.index("desk")
    for end in batch_ends(whole)[:-1]:
        path = tmp_path / f"{end}.journal"
        path.write_bytes(whole.read_bytes()[:end])
        heard = [told.get("command", told["type"]) for told in read_records(path)]
        played = await play_on(path)
        check(played.tournament, path)
        assert (played.tournament.players[0].left is None) == ("out" not in heard or "readmit" in heard)


async def test_player_who_is_let_in_but_stays_away_stays_out(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with after_a_fault(tmp_path / "a.journal") as hosted:
        await hosted.desk.done(command="readmit", player="Steph")
        async with (await hosted.log_in()).stream:  # and hangs up before it has a seat, or at its first question
            pass
    assert hosted.steph.left is not None


async def test_pairings_let_a_player_in_when_the_next_round_begins(tmp_path: Path, tcp_clock: MockClock) -> None:
    settings = replace(SETTINGS, game=BlockheadGame(), hands=20, format="round-robin")
    async with after_a_fault(tmp_path / "a.journal", settings, others=3) as hosted:
        await hosted.desk.done(command="readmit", player="Steph")
        await play_out(await hosted.log_in())
    assert hosted.steph.left is None
    assert [told.get("readmitted") for told in hosted.records("round")] == [[0], None]
    scores = hosted.tournament.ledger.format.facts(hosted.steph)["pairings"]["results"]
    assert [result["played"] for result in scores] == [True, True, True]


def make_ledger(settings: Settings, count: int) -> Ledger:
    """A ledger whose first player has left."""
    ledger = Ledger(settings, players(*[f"P{number}" for number in range(count)]))
    for table in ledger.seating.round_tables:
        ledger.begin_game(table)
    put_out(ledger, 0)
    return ledger


def put_out(ledger: Ledger, number: int) -> None:
    """Put a player out between two hands, after one more hand at its table."""
    player = ledger.players[number]
    ledger.seating.table_of(player).hand_number += 1
    ledger.leave(player, ledger.seating.table_of(player).hand_number, 0, OUT)
    ledger.tidy(ledger.seating.table_of(player))


def test_why_a_player_cannot_be_let_in() -> None:
    ledger = make_ledger(SETTINGS, 4)
    first, second, *_ = ledger.players
    assert refusal(ledger, first) is None
    assert refusal(ledger, second) == "P1 is still in"
    table = ledger.seating.tables[0]
    table.match = replace(table.match, stacks=(0, *table.match.stacks[1:]))
    assert refusal(ledger, first) == "P0 has 0 chips left, and the next hand costs the ante of 1"
    put_out(ledger, 1)
    put_out(ledger, 2)
    assert refusal(ledger, second) == "the last hand has been played"
    duplicate = make_ledger(replace(SETTINGS, duplicate=True), 3)
    assert str(refusal(duplicate, duplicate.players[0])).startswith("deals of a duplicate tournament count only")
    games = make_ledger(replace(SETTINGS, games=2), 3)
    assert str(refusal(games, games.players[0])).startswith("nobody can come back in the middle of games")


def test_player_sits_down_at_the_smallest_table_with_a_free_seat() -> None:
    ledger = make_ledger(replace(SETTINGS, table_size=3), 6)
    first = ledger.players[0]
    assert free_table(ledger, first) is ledger.seating.tables[0]
    put_out(ledger, 1)
    put_out(ledger, 3)
    assert free_table(ledger, first) is ledger.seating.tables[1]
    ledger.seating.tables[0].in_hand = True  # its own table, at which its chips may move
    assert free_table(ledger, first) is None
    crowded = make_ledger(replace(SETTINGS, table_size=3), 4)
    mover = crowded.players[2]
    assert crowded.seating.table_of(mover) is crowded.seating.tables[0]
    crowded.seating.move(mover, crowded.seating.tables[1])  # the first table is broken: three players fit at one
    crowded.seating.tables[1].settle()
    assert free_table(crowded, crowded.players[0]) is None


def test_places_follow_the_order_of_leaving_after_a_return() -> None:
    ledger = make_ledger(SETTINGS, 5)
    put_out(ledger, 1)
    let_in(ledger, ledger.players[0], ledger.seating.tables[0])
    put_out(ledger, 2)
    put_out(ledger, 0)
    order = [standing.player.avatar for standing in ledger.standings()]
    assert order == ["P3", "P4", "P0", "P2", "P1"]


def test_departures_after_a_return_are_later() -> None:
    departures, (one, two, three) = Departures(), players("A", "B", "C")
    departures.add(one, 0, 1, 5, OUT)
    departures.add(two, 1, 9, 5, OUT)
    del departures[one]
    departures.add(three, 0, 2, 5, OUT)
    assert [standing.player for standing in rank(dict.fromkeys((two, three), 0), departures)] == [three, two]


def test_only_the_fault_that_put_a_player_out_is_forgiven() -> None:
    ledger = make_ledger(replace(SETTINGS, lives=2), 3)
    player = ledger.players[0]
    earlier, last = Fault(FaultKind.LATE, "late"), Fault(FaultKind.MALFORMED, OUT.removeprefix("you are out: "))
    player.faults, player.lives = [earlier, last], 0
    let_in(ledger, player, ledger.seating.tables[0])
    assert (player.faults, player.lives, player.left) == ([earlier], 1, None)


async def test_journal_in_which_a_player_returns_without_the_hosts_word_is_refused(
    tmp_path: Path, tcp_clock: MockClock
) -> None:
    path = tmp_path / "a.journal"
    async with after_a_fault(path) as hosted:
        await hosted.desk.done(command="readmit", player="Steph")
        async with (peer := await hosted.log_in()).stream:
            assert await peer.hear_question()
            await hosted.desk.done(command="end")
            await peer.say("fold")
            await peer.hear_out()
    records = read_records(path)
    write_records(path, [told for told in records if told.get("command") != "readmit"])
    with pytest.raises(RebuildError, match=r"\(readmitted\): 'steph' was not let in again by the host"):
        rebuilt(path)
    write_records(path, [told | {"table": 1} if told["type"] == "readmitted" else told for told in records])
    with pytest.raises(RebuildError, match=r"there is no table 1"):
        rebuilt(path)
