"""The dealer's machine is suspended: trio's clock stands still, replies come late, and nobody is blamed for that."""

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
from dealer.net.stalls import SWEEP_SECONDS, Stalls, suspended_seconds
from dealer.net.watchdog import open_watchdog
from dealer.settings import Settings
from protocol.games.base import FOLD, Action
from protocol.games.stud import StudGame, StudTurn
from tests.dealer.support.one_seat import LIMIT, STATUS, TURN, Ends, lost, open_logged_in_seat
from tests.dealer.support.recorded import read_records, record
from tests.dealer.support.rig import SEED, good_clients, raise_once

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


async def test_silent_program_is_late_after_a_suspension(jumping_clock: MockClock, lid: Lid) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        nursery.start_soon(close_after, lid, LIMIT / 2, 5.0)
        asked = trio.current_time()
        fault, _ = await lost(ends.seat)
        assert fault.kind is FaultKind.LATE
        assert trio.current_time() - asked == pytest.approx(LIMIT + 5.0, abs=2 * SWEEP_SECONDS)


async def close_after(lid: Lid, seconds: float, closed: float) -> None:
    await trio.sleep(seconds)
    lid.close(closed)


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


async def test_player_who_is_away_gets_the_time_of_a_suspension_back(jumping_clock: MockClock, lid: Lid) -> None:
    noticed, player = Stalls(), Player("steph", "Steph", "here")
    reconnections = Reconnections([player], 20.0, lambda: "no stranger")
    reconnections.clock = noticed.clock
    reconnections.wait_for(player)
    lid.close(60.0)
    assert reconnections.next_deadline([player]) == pytest.approx(trio.current_time() + 80.0)


async def test_suspension_is_logged_once(jumping_clock: MockClock, lid: Lid) -> None:
    with capture_logs() as lines:
        async with open_watchdog():
            await trio.sleep(5.0)
            lid.close(1800.0)
            await trio.sleep(5.0)
    (line,) = lines
    assert (line["event"], line["seconds"]) == ("stood still", pytest.approx(1800.0, abs=1.0))
    assert line["reason"] == "the dealer's machine was suspended; every player gets 120 s more"


async def test_suspension_is_in_the_journal(tcp_clock: MockClock, lid: Lid, tmp_path: Path) -> None:
    clients = good_clients(4)

    def close_lid(turn: StudTurn) -> Action:
        if lid.closed_for == 1000.0 and clients[0].statuses:
            lid.close(1800.0)
            tcp_clock.jump(SWEEP_SECONDS)  # now the watchdog looks
        return raise_once(turn)

    clients[0].decide = close_lid
    played = await record(tmp_path / "j", clients, Settings(SEED, StudGame(), hands=300))
    assert [player.faults for player in played.tournament.players] == [[]] * 4
    (stall,) = [told["seconds"] for told in read_records(tmp_path / "j") if told["type"] == "stall"]
    assert stall == pytest.approx(1800.0, abs=1.0)


def test_time_of_suspensions_is_known_here() -> None:
    first = max(suspended_seconds() for _ in range(10))
    assert first >= -1.0
    assert suspended_seconds() <= first + 1.0
