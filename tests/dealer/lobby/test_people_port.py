"""The port for people: a page speaks for browsers, and its death costs no person a seat."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.net.limits import USUAL
from dealer.net.seat import KEPT_SECONDS
from dealer.settings import Settings
from dealer.tournament.opening import ResumedTournament, reopen_journal
from dealer.tournament.presence import FEWEST_SECONDS
from dealer.tournament.tournament import Tournament
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from protocol.wire.messages import Done, Name
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import open_logged_in_seat
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import rebuilt
from tests.dealer.support.reported import report
from tests.dealer.support.rig import SEED, Rig, good_clients, open_rig

TOKEN = "the-token-of-this-run_0123456789-abcdefghijk"
BROWSER = "10.1.2.3"
ADA = "ada:Ada"

#: A person has 50 s for each answer.
SETTINGS = Settings(SEED, StudGame(), hands=4, limit=50.0)


async def at_page(rig: Rig, name: str = ADA, port: int = 4711, token: str = TOKEN) -> Peer:
    """A connection of the page for a browser, on which a person has said a name."""
    peer = Peer(await rig.connect())
    assert await peer.hear() == "login"
    await peer.say(f"page {token} {port} {BROWSER}")
    if await peer.hear() == "login":
        await peer.say(name)
    return peer


@asynccontextmanager
async def ada_waits(rig: Rig, name: str = ADA) -> AsyncIterator[Peer]:
    """Ada is in the lobby, through the page."""
    peer = await at_page(rig, name)
    async with peer.stream:
        while "ada" not in [player.id for player in rig.lobby.players]:
            await rig.lobby.changed()
        yield peer


async def refusal(peer: Peer) -> str | None:
    """What a login hears that gets no seat."""
    async with peer.stream:
        await peer.hear_out()
    return peer.done


async def in_lobby(lobby: Lobby, *ids: str) -> None:
    while [player.id for player in lobby.players] != [*ids]:
        await lobby.changed()


#: What the port for people says to a browser that may come in a little later: with "try again" before it.
CROWD = "your address has 2 connections open, as many as it may; close one first"
SEATED = "the id 'ada' is already seated; is another copy of your program running?"


# For whom a page speaks


async def test_connection_of_a_page_counts_for_the_browser(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, limits=replace(USUAL, per_address=2), page_token=TOKEN) as rig:
        with capture_logs() as logs:
            peers = [await at_page(rig, f"p{number}:P", port=100 + number) for number in range(2)]
            await in_lobby(rig.lobby, "p0", "p1")
            third = await refusal(await at_page(rig, "p2:P", port=102))
            await rig.admit(*good_clients(2))  # from the page's address, for which only these count
            for peer in peers:
                await peer.stream.aclose()
    assert third == f"try again; {CROWD}"
    (failed,) = rig.lobby.failed_logins.latest
    assert (failed.kind, failed.address) == ("crowd", f"{BROWSER}:102")
    told = [line["peer"] for line in logs if line["event"] == "login"]
    assert told[:2] == [f"{BROWSER}:100", f"{BROWSER}:101"]
    assert TOKEN not in str(logs)


async def test_programs_of_the_dealers_own_machine_keep_no_person_out(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, limits=replace(USUAL, per_address=2), page_token=TOKEN) as rig:
        await rig.admit(*good_clients(2))
        async with ada_waits(rig):
            third = Peer(await rig.connect())
            await third.log_in("good-3:Good 3")
            assert await refusal(third) == f"try again; {CROWD}"
            (failed,) = rig.lobby.failed_logins.latest
            assert (failed.kind, failed.host) == ("crowd", "127.0.0.1")


async def test_programs_of_other_machines_keep_no_person_out_before_they_log_in(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, limits=replace(USUAL, per_address=2), page_token=TOKEN) as rig:
        silent = [Peer(await rig.connect("127.0.0.7")) for _ in range(2)]
        assert [await peer.hear() for peer in silent] == ["login", "login"]
        assert await refusal(Peer(await rig.connect("127.0.0.7"))) == f"try again; {CROWD}"
        async with ada_waits(rig):
            pass


async def test_host_sees_the_browser_behind_a_seat_and_a_failed_login(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig, ada_waits(rig):
        seat = rig.lobby.players[0].seat
        assert seat is not None
        assert seat.address == f"{BROWSER}:4711"
        assert await refusal(await at_page(rig, port=4712)) is not None
        (failed,) = rig.lobby.failed_logins.latest
        assert (failed.kind, failed.id, failed.address) == ("duplicate", "ada", f"{BROWSER}:4712")


async def test_programs_at_the_port_for_people_notice_nothing(tcp_clock: MockClock) -> None:
    async with open_rig(replace(SETTINGS, limit=1.0), page_token=TOKEN) as rig:
        clients = good_clients(2)
        await rig.admit(*clients)
        await rig.begin().run()
    assert [sum(str(command) == "Login()" for command in client.heard) for client in clients] == [1, 1]
    assert all(client.done for client in clients)


REFUSED = [
    ("page guess 4711 10.1.2.3", "token", "this is not the host's token, and only a page that has it may state"),
    (f"page {TOKEN}x 4711 10.1.2.3", "token", "this is not the host's token"),
    (f"page {TOKEN} x 10.1.2.3", "malformed", "expected 'page <token> <port> <address>'"),
    (f"page {TOKEN} 99999 10.1.2.3", "malformed", "the browser's port is not a number from 0 to 65535"),
    (f"page {TOKEN} 4711 example.org", "malformed", "the browser's address is not an IP address"),
    (f"page {TOKEN}", "malformed", "expected 'page <token> <port> <address>'"),
    (f"page {TOKEN}: 4711 ::1", "malformed", "the token is not 1 to 128 letters"),
]


@pytest.mark.parametrize(("said", "kind", "reason"), REFUSED)
async def test_refused_statement_counts_as_failed_login_of_who_made_it(
    said: str, kind: str, reason: str, tcp_clock: MockClock
) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig:
        with capture_logs() as logs:
            peer = Peer(await rig.connect("127.0.0.7"))
            await peer.log_in(said)
            done = await refusal(peer)
        (failed,) = rig.lobby.failed_logins.latest
    assert done is not None
    assert done.startswith(reason)
    assert (failed.kind, failed.host, failed.id) == (kind, "127.0.0.7", None)
    assert [line["log_level"] for line in logs] == ["warning"]
    assert TOKEN not in f"{failed}{logs}{done}"


@pytest.mark.parametrize("secrets", [False, True])
@pytest.mark.parametrize("address", ["10.1.2.3", "fe80::1"])
async def test_no_address_is_stated_at_another_port_and_no_token_is_kept(
    secrets: bool, address: str, tcp_clock: MockClock
) -> None:
    async with open_rig(replace(SETTINGS, secrets=secrets)) as rig:
        with capture_logs() as logs:
            peer = Peer(await rig.connect())
            await peer.log_in(f"page {TOKEN} 4711 {address}")
            done = await refusal(peer)
        (failed,) = rig.lobby.failed_logins.latest
    assert done == Done(failed.reason).reason
    assert failed.reason.startswith("expected a login; only a page states a browser's address")
    assert (failed.kind, failed.host) == ("malformed", "127.0.0.1")
    assert "..." in str(failed.sent)
    assert TOKEN not in f"{failed}{logs}{done}"


async def test_address_is_stated_once(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig:
        assert await refusal(await at_page(rig, f"page {TOKEN} 1 10.9.9.9")) is not None
        (failed,) = rig.lobby.failed_logins.latest
        assert failed.reason.startswith("expected a login; only a page states a browser's address, once")
        assert failed.host == BROWSER


# In the lobby


async def test_place_in_the_lobby_is_kept_for_a_minute(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, capacity=2, page_token=TOKEN) as rig:
        async with ada_waits(rig) as peer:
            await rig.admit(*good_clients(1))
            await peer.reset()
        await trio.sleep(KEPT_SECONDS - 2)
        await in_lobby(rig.lobby, "ada", "good-1")
        async with (await at_page(rig)).stream:  # although the lobby is full
            await trio.sleep(KEPT_SECONDS)
            await in_lobby(rig.lobby, "ada", "good-1")


async def test_who_is_in_a_full_lobby_is_not_told_to_come_for_the_next_tournament(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, capacity=1, page_token=TOKEN) as rig, ada_waits(rig):
        assert await refusal(await at_page(rig)) == f"try again; {SEATED}"
        full = "all 1 seats are taken; come back for the next tournament"
        assert await refusal(await at_page(rig, "bob:Bob")) == full


async def test_place_in_the_lobby_is_free_after_a_minute(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig:
        peer = await at_page(rig)
        await in_lobby(rig.lobby, "ada")
        before = trio.current_time()
        await peer.stream.aclose()
        await in_lobby(rig.lobby)
        assert KEPT_SECONDS <= trio.current_time() - before < KEPT_SECONDS + 1


async def test_who_leaves_the_lobby_by_the_button_is_gone_at_once(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig:
        peer = await at_page(rig)
        await in_lobby(rig.lobby, "ada")
        before = trio.current_time()
        await peer.say("quit")
        await peer.stream.aclose()
        await in_lobby(rig.lobby)
        assert trio.current_time() - before < 1


async def test_kept_place_in_the_lobby_is_for_the_page_and_the_same_secret(tcp_clock: MockClock) -> None:
    async with open_rig(replace(SETTINGS, secrets=True), page_token=TOKEN) as rig:
        peer = await at_page(rig, f"{ADA}:open")
        await in_lobby(rig.lobby, "ada")
        await peer.stream.aclose()
        program = Peer(await rig.connect())
        await program.log_in(f"{ADA}:open")
        assert await refusal(program) == f"try again; {SEATED}"
        told = await refusal(await at_page(rig, f"{ADA}:guess"))
        assert told == "this is not the secret that 'ada' gave first"
        again = await at_page(rig, f"{ADA}:open")
        tournament = rig.begin()
        rig.nursery.start_soon(tournament.run)
        while not tournament.over:
            await trio.sleep(1)
        await again.hear_out()
        assert again.done is not None


# At a table


@dataclass
class Playing:
    """A tournament in which Ada, whose page the test holds, sits before the others.

    Attributes:
        peer: Ada's connection, which is asked for the first time.
    """

    rig: Rig
    tournament: Tournament
    peer: Peer
    path: Path

    @property
    def ada(self) -> Player:
        return self.tournament.players[0]

    def records(self, *types: str) -> list[Mapping[str, Any]]:
        return [record for record in read_raw(self.path) if record["type"] in types]


async def seconds_left(peer: Peer) -> float:
    """What is told with the question that came last."""
    peer.events.clear()
    return float((await peer.hear_event("due"))["seconds"])


@asynccontextmanager
async def playing(
    folder: Path, settings: Settings = SETTINGS, others: int = 1, *, ends: bool = True
) -> AsyncIterator[Playing]:
    """The block runs from the first question to Ada until the end; then journal and report are checked."""
    path = folder / "people.journal"
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(settings, journal=journal, page_token=TOKEN) as rig:
            peer = await at_page(rig)
            await in_lobby(rig.lobby, "ada")
            await rig.admit(*good_clients(others))
            tournament = rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tournament.run)
                assert await peer.hear_question()
                yield Playing(rig, tournament, peer, path)
    assert rebuilt(path).ended == ends
    report(path, folder / "report", unfinished=not ends)


async def after(seconds: float, act: Callable[[], Awaitable[None]]) -> None:
    await trio.sleep(seconds)
    await act()


async def answer(peer: Peer, question: list[str] | None) -> None:
    """Call."""
    assert question
    await peer.say(f"bet:{question[3]}")


async def play_out(peer: Peer) -> None:
    """Call in every hand, from the next question to the end."""
    async with peer.stream:
        while question := await peer.hear_question():
            await peer.say(f"bet:{question[3]}")


@pytest.mark.parametrize(("thought", "left"), [(20.0, 30.0), (48.0, FEWEST_SECONDS)])
async def test_question_is_asked_again_with_the_time_that_was_left(
    thought: float, left: float, tmp_path: Path, tcp_clock: MockClock
) -> None:
    async with playing(tmp_path) as here:
        asked = here.peer.heard[-1]
        await trio.sleep(thought)
        await here.peer.reset()
        await trio.sleep(KEPT_SECONDS - 2)
        assert not here.tournament.is_here(here.ada)
        peer = await at_page(here.rig)
        question = await peer.hear_question()
        assert peer.heard[-1] == asked
        assert await seconds_left(peer) == pytest.approx(left, abs=1)
        assert here.tournament.is_here(here.ada)
        await trio.sleep(left - 2)
        await answer(peer, question)
        question = await peer.hear_question()
        assert await seconds_left(peer) == SETTINGS.limit  # the next question has its full time
        await answer(peer, question)
        await play_out(peer)
        assert here.ada.reply_times.total == pytest.approx(left - 2, abs=2)
    assert (here.ada.faults, here.ada.left) == ([], None)
    assert here.tournament.hands_finished == 4
    (incident,) = here.tournament.incidents
    assert (incident.kind, incident.effect) == ("gone", "the table waits up to 60 s for the page")
    assert [record["type"] for record in here.records("away", "back", "out")] == ["back"]
    (transcript,) = [text for text in transcripts(tmp_path) if "-- logged in again" in text]
    assert transcript.index("-- logged in again") < transcript.index("bet:")


def transcripts(folder: Path) -> list[str]:
    return [file.read_text() for file in (folder / "report").glob("players/*/transcript.txt")]


async def test_who_comes_back_and_is_late_hears_how_long_it_was(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as here:
        await trio.sleep(20)
        await here.peer.stream.aclose()
        peer = await at_page(here.rig)
        await peer.hear_out()
    assert peer.done is not None
    assert "were left for it when you came back" in peer.done
    assert [fault.kind.value for fault in here.ada.faults] == ["late"]


async def test_connection_that_breaks_twice_gets_no_more_time(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as here:
        await trio.sleep(20)
        await here.peer.stream.aclose()
        again = await at_page(here.rig)
        await again.hear_question()
        await trio.sleep(5)
        await again.stream.aclose()
        peer = await at_page(here.rig)
        question = await peer.hear_question()
        assert await seconds_left(peer) == pytest.approx(25, abs=1)
        await answer(peer, question)
        await play_out(peer)
    assert here.ada.faults == []


async def test_after_a_minute_the_connection_is_lost_as_any_other(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, others=2) as here:
        await here.peer.reset()
        await trio.sleep(KEPT_SECONDS + 1)
        told = await refusal(await at_page(here.rig))
        assert told is not None
        assert "come back for the next one" in told or told == "the tournament is over"
    assert [fault.kind.value for fault in here.ada.faults] == ["gone"]
    assert [record["kind"] for record in here.records("out")][:1] == ["gone"]


async def test_after_a_minute_the_rules_of_rejoin_begin(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, replace(SETTINGS, rejoin=20.0)) as here:
        await here.peer.reset()
        await trio.sleep(KEPT_SECONDS + 10)
        assert [record["type"] for record in here.records("away", "back")] == ["away"]
        await play_out(await at_page(here.rig))
    assert (here.ada.faults, here.ada.left) == ([], None)
    assert [record["type"] for record in here.records("away", "back")] == ["away", "back"]
    assert here.tournament.hands_finished == 4


async def test_with_rejoin_the_table_waits_too(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, replace(SETTINGS, rejoin=20.0), others=2) as here:
        asked = here.peer.heard[-1]
        await here.peer.stream.aclose()
        await trio.sleep(KEPT_SECONDS - 2)
        peer = await at_page(here.rig)
        question = await peer.hear_question()
        assert peer.heard[-1] == asked
        await answer(peer, question)
        await play_out(peer)
    assert [record["type"] for record in here.records("away", "back")] == ["back"]


async def test_page_is_back_before_the_break_is_noticed(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as here:
        asked, new = here.peer.heard[-1], here.ada
        async with open_logged_in_seat() as ends:
            ends.seat.speak_for(f"{BROWSER}:4711")
            assert isinstance(here.peer.stream, trio.SocketStream)
            here.peer.stream.socket.close()  # from here on no task runs until the person is back
            here.rig.lobby.admit(Name("ada", "Ada"), None, ends.seat, "ada")
            await ends.peer.hear_question()
            assert ends.peer.heard[-1] == asked
            await ends.peer.say("fold")
            await play_out(ends.peer)
    assert (new.faults, new.left) == ([], None)


async def test_kept_seat_is_for_a_page_alone(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as here:
        await here.peer.stream.aclose()
        program = Peer(await here.rig.connect())
        await program.log_in(ADA)
        told = await refusal(program)
        assert told is not None
        assert told.startswith("the tournament is at hand 1 of 4")
        assert await refusal(await at_page(here.rig, "bob:Bob")) == told
        await play_out(await at_page(here.rig))
    assert here.ada.left is None


@pytest.mark.parametrize("rejoin", [None, 20.0])
async def test_second_browser_does_not_take_a_seat_that_is_there(
    rejoin: float | None, tmp_path: Path, tcp_clock: MockClock
) -> None:
    """It is told that this may pass: perhaps the first one broke, and the dealer has not noticed yet."""
    async with playing(tmp_path, replace(SETTINGS, rejoin=rejoin)) as here:
        assert await refusal(await at_page(here.rig)) == f"try again; {SEATED}"
        await answer(here.peer, here.peer.heard[-1].split(":"))
        await play_out(here.peer)
    assert here.ada.left is None


async def test_program_without_a_page_is_lost_at_once(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, page_token=TOKEN) as rig:
        peer = Peer(await rig.connect())
        await peer.log_in(ADA)
        await in_lobby(rig.lobby, "ada")
        await rig.admit(*good_clients(1))
        tournament = rig.begin()
        before = trio.current_time()
        await peer.stream.aclose()
        await tournament.run()
        assert trio.current_time() - before < KEPT_SECONDS / 2
    assert [fault.kind.value for fault in tournament.players[0].faults] == ["gone"]


# Out of turn


@dataclass
class Two:
    """Two people at a table. One has bet, so the other is to act.

    Attributes:
        peers: their connections; the one who has bet first.
    """

    rig: Rig
    tournament: Tournament
    names: tuple[str, str]
    peers: tuple[Peer, Peer]
    path: Path

    @property
    def waits(self) -> Player:
        """The player who has bet."""
        return next(player for player in self.tournament.players if player.id == self.names[0])

    async def again(self) -> Peer:
        """Another connection for the player who has bet."""
        return await at_page(self.rig, f"{self.names[0]}:{self.names[0]}")


@asynccontextmanager
async def two_people(folder: Path, hands: int = 1) -> AsyncIterator[Two]:
    """The block runs until the end of the tournament; then its journal is checked."""
    path, settings = folder / "two.journal", replace(SETTINGS, hands=hands)
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(settings, journal=journal, page_token=TOKEN) as rig:
            peers = {"ada": await at_page(rig, "ada:ada")}
            await in_lobby(rig.lobby, "ada")
            peers["bob"] = await at_page(rig, "bob:bob")
            await in_lobby(rig.lobby, "ada", "bob")
            tournament = rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tournament.run)
                first = await asked_first(peers)
                (second,) = peers.keys() - {first}
                await peers[first].say("bet:1")
                await peers[second].hear_question()
                yield Two(rig, tournament, (first, second), (peers[first], peers[second]), path)
    assert rebuilt(path).ended
    assert [record["type"] for record in read_raw(path) if record["type"] == "away"] == []


async def asked_first(peers: Mapping[str, Peer]) -> str:
    """The name of the one whose connection hears a question first."""
    asked: list[str] = []
    async with trio.open_nursery() as nursery:

        async def hear(name: str) -> None:
            await peers[name].hear_question()
            asked.append(name)
            nursery.cancel_scope.cancel()

        for name in peers:
            nursery.start_soon(hear, name)
    return asked[0]


async def test_back_before_the_turn_comes(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with two_people(tmp_path) as here:
        first, second = here.peers
        await first.reset()
        await trio.sleep(30)
        assert not here.tournament.is_here(here.waits)
        again = await here.again()
        await trio.sleep(1)
        assert here.tournament.is_here(here.waits)
        await second.say("bet:3")
        question = await again.hear_question()
        assert question
        assert question[3] == "2"
        async with trio.open_nursery() as nursery:
            await answer(again, question)
            nursery.start_soon(play_out, again)
            nursery.start_soon(play_out, second)
    assert [player.faults for player in here.tournament.players] == [[], []]


async def test_gone_out_of_turn_the_minute_runs_from_there(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with two_people(tmp_path) as here:
        first, second = here.peers
        await first.stream.aclose()
        await trio.sleep(45)
        await second.say("bet:3")
        before = trio.current_time()
        await second.hear_out()
        assert trio.current_time() - before == pytest.approx(KEPT_SECONDS - 45, abs=2)
    assert [fault.kind.value for fault in here.waits.faults] == ["gone"]


async def test_hand_that_another_finishes_and_next_hand_that_waits(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with two_people(tmp_path, hands=2) as here:
        first, second = here.peers
        await first.stream.aclose()
        await trio.sleep(1)
        await second.say("fold")  # hand 1 is over, and hand 2 is dealt
        await trio.sleep(20)
        assert here.tournament.hands_finished == 1
        assert here.tournament.hand_number == 2
        again = await here.again()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_out, again)
            nursery.start_soon(play_out, second)
    assert here.tournament.hands_finished == 2
    assert [player.faults for player in here.tournament.players] == [[], []]


async def test_gone_and_back_between_two_hands(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with two_people(tmp_path, hands=2) as here:
        first, second = here.peers
        here.tournament.pause()
        await second.say("fold")
        await trio.sleep(1)
        await first.reset()
        await trio.sleep(30)
        again = await here.again()
        await trio.sleep(1)
        here.tournament.resume()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_out, again)
            nursery.start_soon(play_out, second)
    assert [player.faults for player in here.tournament.players] == [[], []]


async def test_who_leaves_by_the_button_out_of_turn_is_out_at_the_next_turn(
    tmp_path: Path, tcp_clock: MockClock
) -> None:
    async with two_people(tmp_path) as here:
        first, second = here.peers
        await first.say("quit")
        await first.stream.aclose()
        before = trio.current_time()
        await second.say("bet:3")
        await second.hear_out()
        assert trio.current_time() - before < KEPT_SECONDS / 2
    assert (here.waits.left, here.waits.mistakes) == ("you are out: you quit", [])


async def test_table_waits_no_longer_than_a_dealer_that_stops(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as here:
        await trio.sleep(1)
        await here.peer.stream.aclose()
        await trio.sleep(5)
        before = trio.current_time()
        here.tournament.stop_soon(10)
    assert trio.current_time() - before == pytest.approx(10, abs=2)


@pytest.mark.parametrize("rejoin", [None, 1.0])
@pytest.mark.parametrize(("breaks", "stops"), [(1, 5), (5, 1)])
async def test_nobody_loses_a_kept_place_because_the_dealer_stops(
    breaks: float, stops: float, rejoin: float | None, tmp_path: Path, tcp_clock: MockClock
) -> None:
    async with playing(tmp_path, replace(SETTINGS, rejoin=rejoin), others=2) as here:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(after, breaks, here.peer.reset)
            await trio.sleep(stops)
            here.tournament.stop_soon(10)
    assert (here.ada.faults, here.ada.left) == ([], None)
    assert here.records("out", "away") == []
    assert here.tournament.hands_finished == 1


async def test_who_was_away_when_a_suspended_dealer_stopped_is_expected_back(
    tmp_path: Path, tcp_clock: MockClock
) -> None:
    path = tmp_path / "people.journal"
    async with playing(tmp_path, ends=False) as here:
        await here.peer.reset()
        await trio.sleep(5)
        here.tournament.suspend()
        here.tournament.stop_soon(10)
    reopened = reopen_journal(path)
    async with open_journal(reopened.file) as journal:
        opening = ResumedTournament(reopened.rebuild, reopened.cut)
        assert [player.id for player in opening.expected] == ["ada", "good-1"]
        async with open_rig(SETTINGS, journal=journal, opening=opening, page_token=TOKEN) as rig:
            peer = await at_page(rig)
            await in_lobby(rig.lobby, "ada")
            await rig.admit(*good_clients(1))
            tournament = rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play_out, peer)
                await tournament.run()
    ada = tournament.players[0]
    assert (ada.faults, ada.left) == ([], None)
    assert rebuilt(path).ended


async def test_who_had_the_whole_minute_is_out_also_when_the_dealer_stops(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, others=2) as here:
        await here.peer.reset()
        await trio.sleep(KEPT_SECONDS - 5)
        here.tournament.stop_soon(10)
    assert [fault.kind.value for fault in here.ada.faults] == ["gone"]


async def test_back_out_of_turn_while_the_dealer_stops(tmp_path: Path, tcp_clock: MockClock) -> None:
    """Who comes back has no minutes for the next answer either."""
    async with two_people(tmp_path) as here:
        first, second = here.peers
        await first.reset()
        await trio.sleep(1)
        here.tournament.stop_soon(10)
        again = await here.again()
        await trio.sleep(1)
        await second.say("bet:3")
        assert await again.hear_question()
        before = trio.current_time()
        await again.hear_out()
        assert trio.current_time() - before == pytest.approx(10, abs=2)
        await second.hear_out()
    assert [player.faults for player in here.tournament.players] == [[], []]


async def test_back_while_the_dealer_stops(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path) as here:
        await here.peer.stream.aclose()
        await trio.sleep(5)
        here.tournament.stop_soon(20)
        await trio.sleep(5)
        peer = await at_page(here.rig)
        await peer.hear_question()
        due = await peer.hear_event("due")
        assert (due["seconds"], due["stops"]) == (pytest.approx(20, abs=1), True)
        await peer.say("fold")
        await play_out(peer)
    assert here.ada.faults == []


async def test_game_is_told_again(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with playing(tmp_path, replace(SETTINGS, game=BlockheadGame(), hands=20)) as here:
        await here.peer.stream.aclose()
        peer = await at_page(here.rig)
        await play_out(peer)
        assert peer.heard[2].startswith("game:blockhead:seat=0:players=2")
    assert here.ada.faults == []
