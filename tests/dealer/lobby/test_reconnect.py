"""Players whose connection is lost and who reconnect, or do not."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.columns import facts_of
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Reconnections
from dealer.settings import Settings
from dealer.tournament.tournament import Tournament
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.bad_bots.manners import leaves_when_asked
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import open_logged_in_seat
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import rebuilt
from tests.dealer.support.rig import SEED, Rig, good_clients, open_rig

SETTINGS = Settings(SEED, StudGame(), hands=12, rejoin=20.0)
NAME = "steph:Steph"


@dataclass
class Comeback:
    """A tournament with a player whose connection the test holds, who is asked for the first time."""

    rig: Rig
    tournament: Tournament
    peer: Peer
    path: Path

    async def log_in(self, name: str = NAME) -> Peer:
        """Connect once more, and say a name."""
        peer = Peer(await self.rig.connect())
        await peer.log_in(name)
        return peer

    async def refusal(self, name: str = NAME) -> str | None:
        """What a login hears that gets no seat."""
        async with (peer := await self.log_in(name)).stream:
            await peer.hear_out()
        return peer.done

    def records(self, *types: str) -> list[Mapping[str, Any]]:
        return [record for record in read_raw(self.path) if record["type"] in types]


@asynccontextmanager
async def playing(
    folder: Path, settings: Settings = SETTINGS, name: str = NAME, others: int = 2
) -> AsyncIterator[Comeback]:
    """The block runs from the first question to the player until the end; then the journal is checked."""
    path = folder / "rejoin.journal"
    clients = good_clients(others)
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        peer = Peer(await rig.connect())
        await peer.log_in(name)
        while not rig.lobby.players:
            await rig.lobby.changed()
        if settings.secrets:
            clients = [replace(client, name=replace(client.name, secret="other")) for client in clients]
        await rig.admit(*clients)
        tournament = rig.begin()
        async with peer.stream, trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            assert await peer.hear_question()
            yield Comeback(rig, tournament, peer, path)
    rebuild = rebuilt(path)
    assert rebuild.ended
    told = [facts_of(standing) for standing in tournament.standings()]
    assert sum(standing["chips"] for standing in told) == settings.game.start(others + 1).total


async def play_out(peer: Peer) -> None:
    """Call in every hand, from the next question to the end."""
    async with peer.stream:
        while question := await peer.hear_question():
            await peer.say(f"bet:{question[3]}")


async def test_reconnected_player_keeps_stack_without_a_fault(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as comeback:
        await comeback.peer.stream.aclose()
        peer = await comeback.log_in()
        question = await peer.hear_question()
        assert question
        assert int(question[1]) < 500  # the antes of the hands it missed, or of this one
        await peer.say("fold")
        await play_out(peer)
        assert peer.done is not None
        assert peer.done.startswith("the tournament is over")
    steph = comeback.tournament.players[0]
    assert (steph.faults, steph.left) == ([], None)
    assert [record["type"] for record in comeback.records("away", "back")] == ["away", "back"]


async def test_player_away_too_long_is_folded_and_out(tmp_path: Path, tcp_clock: MockClock) -> None:
    """With one opponent nothing is played meanwhile: the table waits."""
    async with playing(tmp_path, others=1) as comeback:
        before = trio.current_time()
        await comeback.peer.stream.aclose()
    steph = comeback.tournament.players[0]
    assert steph.left == "you are out: your connection ended, and you were not back within 20 s"
    assert 20 <= trio.current_time() - before < 25
    (out,) = comeback.records("out")
    assert (out["player"], out["kind"]) == (0, "gone")
    assert comeback.tournament.hands_finished == 1


async def test_table_plays_on_and_absent_player_pays_antes(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as comeback:
        await comeback.peer.stream.aclose()
    assert comeback.tournament.hands_finished == 12
    steph = comeback.tournament.players[0]
    assert comeback.tournament.tables[0].match.stacks[0] == 500 - 12
    assert (steph.faults, steph.left) == ([], None)


async def test_a_stranger_and_a_second_copy_are_refused(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as comeback:
        told = await comeback.refusal("stranger:S")
        assert told is not None
        assert told.startswith("the tournament is at hand 1 of 12")
        told = await comeback.refusal()
        assert told == "the id 'steph' is already seated; is another copy of your program running?"
        await comeback.peer.say("fold")
        await play_out(comeback.peer)
    assert comeback.tournament.players[0].faults == []


async def test_reconnecting_after_the_end_is_refused(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as comeback:
        await comeback.peer.stream.aclose()
        while not comeback.records("end"):
            await trio.sleep(0.1)
        assert await comeback.refusal() == "the tournament is over"


async def test_reconnecting_after_a_fault_is_refused(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, replace(SETTINGS, hands=10_000), others=2) as comeback:
        await comeback.peer.say("nonsense")
        await comeback.peer.hear_out()
        told = await comeback.refusal()
        assert told is not None
        assert told.startswith("the id 'steph' has left this tournament; you are out; expected 'fold'")
        comeback.tournament.stop_after_hand()


async def test_lost_connection_without_rejoin_is_final(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, replace(SETTINGS, rejoin=None)) as comeback:
        await comeback.peer.stream.aclose()
    steph = comeback.tournament.players[0]
    assert [fault.kind.value for fault in steph.faults] == ["gone"]
    assert steph.left is not None


async def test_secret_is_required_again_and_never_recorded(tmp_path: Path, tcp_clock: MockClock) -> None:
    secret = "open-sesame"
    settings = replace(SETTINGS, secrets=True)
    async with playing(tmp_path, settings, f"{NAME}:{secret}", others=1) as comeback:
        await comeback.peer.stream.aclose()
        assert await comeback.refusal(f"{NAME}:guess") == "this is not the secret that 'steph' gave first"
        told = await comeback.refusal(NAME)
        assert told == "expected '<id>(colon)<avatar>(colon)<secret>'; this dealer asks for a secret of your own choice"
        await play_out(await comeback.log_in(f"{NAME}:{secret}"))
    assert comeback.tournament.players[0].faults == []
    assert secret.encode() not in comeback.path.read_bytes()
    assert comeback.records("start")[0]["players"][0]["proof"] is not None
    assert "proof" not in repr(comeback.tournament.players[0])


async def test_player_reconnecting_in_a_game_is_told_the_game(tmp_path: Path, tcp_clock: MockClock) -> None:
    settings = replace(SETTINGS, game=BlockheadGame(), hands=20)
    async with playing(tmp_path, settings, others=1) as comeback:
        await comeback.peer.stream.aclose()
        await play_out(peer := await comeback.log_in())
        assert peer.heard[1].startswith("game:blockhead:seat=0:players=2")
        assert peer.done is not None
    assert comeback.tournament.players[0].faults == []


async def test_reconnecting_before_the_loss_is_noticed(tmp_path: Path, tcp_clock: MockClock) -> None:
    """A new login may be read before the table sees that the old connection, which owes an answer, has ended."""
    async with playing(tmp_path, others=1) as comeback:
        player = comeback.tournament.players[0]
        async with open_logged_in_seat() as ends:
            assert isinstance(comeback.peer.stream, trio.SocketStream)
            comeback.peer.stream.socket.close()  # from here on no task runs until the player is back
            comeback.rig.lobby.admit(Name("steph", "Steph"), None, ends.seat, "elsewhere")
            await ends.peer.hear_question()
            await ends.peer.say("quit")
            await ends.peer.hear_out()
            assert player.left == "you are out: you quit"
    assert [fault.kind.value for fault in player.faults] == ["quit"]


async def test_a_game_is_on_the_disk_before_its_first_question(tmp_path: Path, tcp_clock: MockClock) -> None:
    """Else nobody who plays on could know that cards of its first hand were seen."""
    async with playing(tmp_path) as comeback:
        assert [record["type"] for record in read_raw(comeback.path)] == ["start", "game"]
        await comeback.peer.say("fold")
        await play_out(comeback.peer)


@pytest.mark.parametrize("seed", range(3))
async def test_player_broke_while_away_leaves_once(seed: int, tmp_path: Path, tcp_clock: MockClock) -> None:
    """The time to come back is over while the others, who think slowly, play on; it was out already."""

    async def think(peer: Peer, id: str) -> None:
        await peer.log_in(f"{id}:{id}")
        while await peer.hear_question():
            await trio.sleep(0.05)
            await peer.say("bet:0")

    settings = replace(SETTINGS, seed=bytes([seed]) * 32, hands=60, rejoin=3.0, game=StudGame(8, 2))
    path = tmp_path / "broke.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        await rig.admit(leaves_when_asked, *(partial(think, id=f"good-{number}") for number in range(3)))
        tournament = rig.begin()
        await tournament.run()
    away = tournament.players[0]
    assert away.left == "you are out: broke"
    assert [record["player"] for record in read_raw(path) if record["type"] == "out"].count(0) == 1
    assert rebuilt(path).ended


async def test_a_table_waits_for_its_own_players_only(jumping_clock: MockClock) -> None:
    ours, theirs = Player("a", "A", "test"), Player("b", "B", "test")
    reconnections = Reconnections([ours, theirs], 10.0, lambda: "stranger")
    reconnections.wait_for(theirs)
    assert reconnections.next_deadline([ours]) == inf
    assert reconnections.next_deadline([ours, theirs]) == trio.current_time() + 10
    reconnections.forget(theirs)
    assert reconnections.next_deadline([theirs]) == inf
    await trio.sleep(11)
    assert reconnections.overdue([ours, theirs]) == []


async def test_player_reconnecting_at_a_game_start_is_told_once(
    tmp_path: Path, tcp_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game is on the disk before it is announced, and that takes a moment."""
    settings = replace(SETTINGS, game=BlockheadGame(), hands=20, games=2)
    async with playing(tmp_path, settings, others=2) as comeback:
        await comeback.peer.stream.aclose()
        journal, table = comeback.tournament.journal, comeback.tournament.tables[0]
        saved, back = journal.saved, trio.Event()

        async def save_slowly() -> None:
            if table.game == 2 and not back.is_set():
                await back.wait()
            await saved()

        monkeypatch.setattr(journal, "saved", save_slowly)
        while table.game < 2:
            await trio.sleep(0.1)
        peer = await comeback.log_in()
        while comeback.tournament.players[0].seat is None:
            await trio.sleep(0.1)
        back.set()
        await play_out(peer)
    assert sum(text.startswith("game:") for text in peer.heard) == 1
