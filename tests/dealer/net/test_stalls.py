"""The dealer stands still, or its machine is suspended: replies come late, and nobody is blamed for it."""

from math import inf
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.faults import FaultKind
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Reconnections
from dealer.net import stalls
from dealer.net.seat import CLOSING_SECONDS
from dealer.net.stalls import (
    NO_TIME,
    RECOVERY_SECONDS,
    STALL_SECONDS,
    SWEEP_SECONDS,
    TOLD_SECONDS,
    Stalls,
    suspended_seconds,
)
from dealer.net.watchdog import open_watchdog
from dealer.settings import Settings
from protocol.games.base import FOLD, Action, Bet
from protocol.games.stud import StudGame, StudTurn
from protocol.wire.messages import Login, Name
from tests.bad_bots.peer import Peer
from tests.dealer.support.one_seat import FRAMING, LIMIT, STATUS, TURN, Ends, lost, open_logged_in_seat, open_seat
from tests.dealer.support.recorded import play_recorded, read_records
from tests.dealer.support.rig import SEED, Client, Decide, good_clients, raise_once

#: Tasks that wake up at the same moment run in any order; so many trials meet each order.
TRIALS = 20


async def reply_behind_stall(ends: Ends, clock: MockClock, after: float, stall: float, reply: bytes) -> None:
    """Send a reply ``after`` seconds, which the dealer, that stands still at that moment, finds when it runs again."""
    await ends.peer.hear()
    await trio.sleep(after)
    clock.jump(stall)
    await ends.peer.send(reply)


@pytest.mark.parametrize("after", [0.0, LIMIT / 2, LIMIT])
async def test_reply_found_after_a_stall_is_in_time(after: float, jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        for _ in range(TRIALS):
            nursery.start_soon(reply_behind_stall, ends, jumping_clock, after, 2.5, FRAMING.encode("fold"))
            assert await ends.seat.ask(TURN) is FOLD
            assert ends.seat.reply_seconds <= after + SWEEP_SECONDS
            await trio.sleep(RECOVERY_SECONDS)


async def test_login_found_after_a_stall_is_in_time(jumping_clock: MockClock) -> None:
    for _ in range(TRIALS):
        async with open_seat() as ends, trio.open_nursery() as nursery:
            reply = FRAMING.encode("steph:Steph")
            nursery.start_soon(reply_behind_stall, ends, jumping_clock, LIMIT, 2.5, reply)
            assert await ends.seat.ask(Login()) == Name("steph", "Steph")


@pytest.mark.parametrize("after", [0.0, LIMIT / 2, LIMIT - SWEEP_SECONDS])
async def test_question_gets_the_time_of_a_stall_back(after: float, jumping_clock: MockClock) -> None:
    async def reply(ends: Ends) -> None:
        await ends.peer.hear()
        await trio.sleep(after)
        jumping_clock.jump(2.5)
        await trio.sleep(LIMIT - after)
        await ends.peer.say("bet:12")

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        for _ in range(TRIALS):
            nursery.start_soon(reply, ends)
            assert await ends.seat.ask(TURN) == Bet(12)
            await trio.sleep(RECOVERY_SECONDS)


async def test_stall_before_a_question_gives_it_no_time(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        jumping_clock.jump(2.5)
        asked = trio.current_time()
        await lost(ends.seat)
        assert LIMIT < trio.current_time() - asked <= LIMIT + 2 * SWEEP_SECONDS


async def test_silent_program_is_late_although_the_dealer_is_always_slow(jumping_clock: MockClock) -> None:
    async def be_slow() -> None:
        while True:
            jumping_clock.jump(1.5 * STALL_SECONDS)
            await trio.sleep(NO_TIME)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(be_slow)
        assert (await lost(ends.seat))[0].kind is FaultKind.LATE
        nursery.cancel_scope.cancel()


async def test_slow_trickle_of_bytes_is_late_by_the_limit(jumping_clock: MockClock) -> None:
    async def trickle(peer: Peer) -> None:
        await peer.hear()
        await peer.send(b"\x01\xff")
        while True:
            await peer.send(b"x")
            await trio.sleep(SWEEP_SECONDS / 10)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        asked = trio.current_time()
        nursery.start_soon(trickle, ends.peer)
        assert (await lost(ends.seat))[0].kind is FaultKind.LATE
        assert trio.current_time() - asked <= LIMIT + STALL_SECONDS + 2 * SWEEP_SECONDS
        nursery.cancel_scope.cancel()


async def test_closing_gets_the_time_of_a_stall_back(jumping_clock: MockClock) -> None:
    for _ in range(TRIALS):
        async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:

            async def leave_late(ends: Ends) -> None:
                await ends.peer.hear_out()
                jumping_clock.jump(10 * CLOSING_SECONDS)
                await trio.sleep(CLOSING_SECONDS / 2)
                assert not ends.seat.closed
                await ends.peer.stream.aclose()

            nursery.start_soon(leave_late, ends)
            await ends.seat.close("over")


async def test_sleep_and_timeout_last_longer_by_a_stall(jumping_clock: MockClock) -> None:
    async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
        began = trio.current_time()

        async def stand_still() -> None:
            for seconds in (7.0, 5.0):
                await trio.sleep(0.3)
                jumping_clock.jump(seconds)

        nursery.start_soon(stand_still)
        await watchdog.stalls.sleep(1.0)
        assert trio.current_time() - began == pytest.approx(13.0, abs=2 * SWEEP_SECONDS + NO_TIME)
        async with watchdog.stalls.move_on_after(1.0):
            jumping_clock.jump(5.0)
            await trio.sleep_forever()
        assert trio.current_time() - began == pytest.approx(19.0, abs=3 * SWEEP_SECONDS + NO_TIME)
        async with watchdog.stalls.move_on_after(inf):
            pass


async def test_tables_play_on_after_stalls_which_are_in_the_journal(tcp_clock: MockClock, tmp_path: Path) -> None:
    clients = good_clients(24)
    for number, client in enumerate(clients):
        client.decide = stands_still_in_hand(tcp_clock, client, 3 * number)
    played = await play_recorded(tmp_path / "j", clients, Settings(SEED, StudGame(), hands=100, table_size=8))
    assert [player.faults for player in played.tournament.players] == [[]] * 24
    stalls = [told["seconds"] for told in read_records(tmp_path / "j") if told["type"] == "stall"]
    assert len(stalls) >= 3
    assert stalls == pytest.approx([2.5] * len(stalls), abs=3 * SWEEP_SECONDS)


def stands_still_in_hand(clock: MockClock, client: Client, hand: int) -> Decide:
    """Decide as usual, but let the dealer stand still once while this program decides."""
    told = False

    def decide(turn: StudTurn) -> Action:
        nonlocal told
        if not told and len(client.statuses) == hand:
            told = True
            clock.jump(2.5)
        return raise_once(turn)

    return decide


#: Seconds that a suspension gives everybody in these tests, at most.
MOST_GIVEN = 50.0


class Lid:
    """The lid of a laptop; closing it takes no time of trio's clock."""

    def __init__(self) -> None:
        self.closed_for = 1000.0

    def close(self, seconds: float) -> None:
        self.closed_for += seconds


@pytest.fixture
def lid(monkeypatch: pytest.MonkeyPatch) -> Lid:
    lid = Lid()
    monkeypatch.setattr(stalls, "suspended_seconds", lambda: lid.closed_for)
    return lid


@pytest.mark.parametrize(("closed", "given"), [(5.0, 5.0), (3600.0, MOST_GIVEN)])
async def test_reply_that_is_sent_again_after_a_suspension_is_in_time(
    closed: float, given: float, jumping_clock: MockClock, lid: Lid, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stalls, "AFTER_SUSPENSION_SECONDS", MOST_GIVEN)

    async def reply(ends: Ends) -> None:
        await ends.peer.hear()
        await trio.sleep(LIMIT / 2)
        lid.close(closed)
        await trio.sleep(given)
        await ends.peer.say("fold")

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(reply, ends)
        assert await ends.seat.ask(TURN) is FOLD
        assert ends.seat.reply_seconds == pytest.approx(LIMIT / 2, abs=SWEEP_SECONDS)


@pytest.mark.parametrize(("suspended", "given"), [(False, 2.5), (True, 5.0)])
async def test_silence_is_late_when_the_time_of_a_stall_is_given_back(
    suspended: bool, given: float, jumping_clock: MockClock, lid: Lid
) -> None:
    async def stand_still() -> None:
        await trio.sleep(LIMIT / 2)
        (lid.close if suspended else jumping_clock.jump)(given)

    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        asked = trio.current_time()
        nursery.start_soon(stand_still)
        fault, connected = await lost(ends.seat)
        assert (fault.kind, connected) == (FaultKind.LATE, True)
        assert trio.current_time() - asked == pytest.approx(LIMIT + given, abs=2 * SWEEP_SECONDS)


async def test_fast_reply_around_a_suspension_leaves_no_status_waiting(jumping_clock: MockClock, lid: Lid) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:

        async def reply() -> None:
            await ends.peer.hear()
            lid.close(3600.0)
            ends.watchdog.stalls.look()
            await ends.peer.say("fold")

        nursery.start_soon(reply)
        assert await ends.seat.ask(TURN) is FOLD
        ends.seat.tell(STATUS)
        told = trio.current_time()
        await ends.peer.hear()
        assert trio.current_time() - told <= CLOSING_SECONDS


async def test_player_who_is_away_gets_the_time_back(jumping_clock: MockClock, lid: Lid) -> None:
    """The time of a suspension and that of a stall."""
    noticed, player = Stalls(), Player("steph", "Steph", "here")
    reconnections = Reconnections([player], 20.0, lambda: "no stranger")
    reconnections.clock = noticed.clock
    assert reconnections.next_deadline([player]) == inf
    reconnections.wait_for(player)
    began = trio.current_time()
    assert reconnections.next_deadline([player]) == pytest.approx(began + 20.0)
    lid.close(60.0)
    assert reconnections.next_deadline([player]) == pytest.approx(began + 80.0)
    jumping_clock.jump(60.0)
    assert reconnections.overdue([player]) == []
    assert reconnections.next_deadline([player]) == pytest.approx(began + 140.0, abs=2 * SWEEP_SECONDS)
    async with open_watchdog() as watchdog:
        reconnections.clock = watchdog.stalls.clock
        await trio.sleep(200.0)
    assert reconnections.overdue([player]) == [player]


async def test_stall_is_logged_unless_it_is_short_and_suspension_once(jumping_clock: MockClock, lid: Lid) -> None:
    with capture_logs() as lines:
        async with open_watchdog():
            await trio.sleep(5.0)
            jumping_clock.jump(TOLD_SECONDS - SWEEP_SECONDS)
            await trio.sleep(5.0)
            assert lines == []
            jumping_clock.jump(2.5)
            await trio.sleep(5.0)
            lid.close(1800.0)
            await trio.sleep(5.0)
    stall, suspension = lines
    assert (stall["event"], stall["log_level"]) == ("stood still", "warning")
    assert stall["seconds"] == pytest.approx(2.5, abs=SWEEP_SECONDS)
    assert (suspension["event"], suspension["seconds"]) == ("stood still", pytest.approx(1800.0, abs=1.0))
    assert suspension["reason"] == "the dealer's machine was suspended; every player gets 120 s more"


async def test_suspension_is_in_the_journal(tcp_clock: MockClock, lid: Lid, tmp_path: Path) -> None:
    clients = good_clients(4)

    def close_lid(turn: StudTurn) -> Action:
        if lid.closed_for == 1000.0 and clients[0].statuses:
            lid.close(1800.0)
            tcp_clock.jump(SWEEP_SECONDS)  # now the watchdog looks
        return raise_once(turn)

    clients[0].decide = close_lid
    played = await play_recorded(tmp_path / "j", clients, Settings(SEED, StudGame(), hands=300))
    assert [player.faults for player in played.tournament.players] == [[]] * 4
    (stall,) = [told["seconds"] for told in read_records(tmp_path / "j") if told["type"] == "stall"]
    assert stall == pytest.approx(1800.0, abs=1.0)


def test_time_of_suspensions_is_known_here() -> None:
    first = max(suspended_seconds() for _ in range(10))
    assert first >= -1.0
    assert suspended_seconds() <= first + 1.0
