"""The network drill: a player's cable is pulled, in the middle of a question and before the first one."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.bad_bots.peer import Peer
from tests.drills.across_rooms import LOOPBACK, Host, decisions, faults, open_host
from tests.drills.rooms import NEAR, Cable, Room, open_cable, open_rooms

Rooms = tuple[Room, Room]

LATE = "no complete reply came; every reply is due within {} s"
HANDS = 8


@pytest.fixture
def rooms() -> Iterator[Rooms]:
    with open_rooms() as rooms:
        yield rooms


@asynccontextmanager
async def open_table(
    rooms: Rooms, journal: Path, *flags: str, unplugged: bool = False
) -> AsyncIterator[tuple[Host, Peer, Cable]]:
    """A program of the test behind a cable, and two house bots beside the dealer."""
    near, far = rooms
    with open_cable(near, far) as cable:
        async with open_host(near, journal, 3, "--hands", str(HANDS), *flags) as host:
            peer = await host.add_peer(far, NEAR)
            if unplugged:
                cable.pull()
            await host.add_bots(near, LOOPBACK, "caller", "caller")
            yield host, peer, cable


def hands_played(journal: Path, id: str) -> set[int]:
    return {each.hand for each in decisions(journal)[id] if each.seconds is not None}


async def play_on(peer: Peer) -> None:
    """Call or check until the end."""
    while fields := await peer.hear_question():
        await peer.say(f"bet:{fields[3]}")


async def test_a_cable_pulled_on_a_question_costs_the_seat_and_the_others_play_on(rooms: Rooms, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(rooms, journal, "--limit", "1") as (host, peer, cable):
        assert await peer.hear_question()
        asked = trio.current_time()
        cable.pull()
        await peer.say("bet:0")  # in vain
        await host.running.complaint_with(LATE.format(1))
        print(f"a cable pulled on a question, a limit of 1 s: called late after {trio.current_time() - asked:.3f} s")
        cable.put_back()
        await peer.hear_out()
        await host.ended()
    assert peer.done == f"you are out: {LATE.format(1)}"
    assert faults(journal) == {"peer": [("late", LATE.format(1))]}
    for bot in "bot-2", "bot-3":
        assert hands_played(journal, bot) == set(range(1, HANDS + 1))


async def test_a_cable_pulled_in_the_lobby_is_found_at_the_first_question(rooms: Rooms, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(rooms, journal, "--limit", "1", unplugged=True) as (host, _, _):
        outcome = await host.ended()
    assert "left" not in outcome.out
    asked = decisions(journal)
    assert [(each.hand, each.fault) for each in asked["peer"]] == [(1, ("late", LATE.format(1)))]
    assert list(faults(journal)) == ["peer"]
    assert hands_played(journal, "bot-2") == set(range(1, HANDS + 1))


async def test_a_cable_put_back_within_the_limit_costs_nothing(rooms: Rooms, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(rooms, journal, "--limit", "30") as (host, peer, cable):
        fields = await peer.hear_question()
        assert fields
        cable.pull()
        await peer.say(f"bet:{fields[3]}")
        cable.put_back()
        await play_on(peer)
        await host.ended()
    assert faults(journal) == {}
    first = decisions(journal)["peer"][0]
    print(f"a reply sent into a pulled cable arrived {first.seconds:.3f} s after its question, and counted")


async def test_a_cable_put_back_too_late_costs_a_life_and_the_reply_is_swallowed(rooms: Rooms, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(rooms, journal, "--limit", "0.5", "--lives", "2") as (host, peer, cable):
        assert await peer.hear_question()
        cable.pull()
        await peer.say("nonsense that only the open question would mind")
        await host.running.complaint_with(LATE.format(0.5))
        cable.put_back()
        await play_on(peer)
        await host.ended()
    assert faults(journal) == {"peer": [("late", LATE.format(0.5))]}
    assert peer.done
    assert peer.done.startswith("the tournament is over")
