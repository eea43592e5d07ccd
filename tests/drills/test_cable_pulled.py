"""The network drill: a player's cable is pulled, in the middle of a question and before the first one."""

import re
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from tests.bad_bots.peer import Peer
from tests.drills.across_rooms import LOOPBACK, Host, decisions, faults, open_host
from tests.drills.rooms import NEAR, Cable, Room, open_cable, open_rooms

#: Seconds for a reply of the program behind the cable, at the port for people; the house bots have half a minute.
#:
#: What the cable swallows is sent again after 0.2, 0.6, 1.4, 3 and 6.2 s. The cable is put back from 3 s after a
#: question on, so there are 3 s until what the program had sent in vain would arrive at a dealer that has hung up, and
#: the reason would be lost.
LIMIT = 3
SHORT = ("--people", str(LIMIT / 60), "--people-port", "0")

#: A reason with that limit. The question is open for longer by a sweep, and by the time in which a dealer on a busy
#: machine stands still.
LATE = re.compile(rf"no complete reply to (bet[12]) came in \d+\.\d\d s; every reply is due within {LIMIT} s")
HANDS = 8


@dataclass(frozen=True)
class Place:
    """Two rooms and what joins them."""

    near: Room
    far: Room
    cable: Cable


@pytest.fixture
def place() -> Iterator[Place]:
    with open_rooms() as (near, far), open_cable(near, far) as cable:
        yield Place(near, far, cable)


@asynccontextmanager
async def open_table(
    place: Place, journal: Path, *flags: str, hands: int = HANDS, unplugged: bool = False
) -> AsyncIterator[tuple[Host, Peer]]:
    """A program of the test behind a cable, and two house bots beside the dealer."""
    words = ("--hands", str(hands), "--limit", "30", *flags)
    async with open_host(place.near, journal, 3, *words) as host:
        peer = await host.add_peer(place.far, NEAR, await peer_port(host, flags))
        if unplugged:
            place.cable.pull()
        await host.add_bots(place.near, LOOPBACK, "caller", "caller")
        yield host, peer


async def peer_port(host: Host, flags: Sequence[str]) -> int:
    """The port of the program behind the cable: that with the limit of people, if there is one."""
    return await host.running.port("people at") if "--people" in flags else host.port


def hands_played(journal: Path, id: str) -> set[int]:
    return {each.hand for each in decisions(journal)[id] if each.seconds is not None}


async def play_on(peer: Peer) -> None:
    while fields := await peer.hear_question():
        await peer.say(f"bet:{fields[3]}")


async def test_cable_pulled_during_question_costs_only_that_seat(place: Place, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(place, journal, *SHORT) as (host, peer):
        assert await peer.hear_question()
        asked = trio.current_time()
        place.cable.pull()
        await peer.say("bet:0")  # in vain
        await host.running.complaint_with("no complete reply to bet1 came in ")
        print(
            f"a cable pulled on a question, a limit of {LIMIT} s: called late after {trio.current_time() - asked:.3f} s"
        )
        place.cable.put_back()
        await peer.hear_out()
        await host.ended()
    assert peer.done is not None
    assert LATE.fullmatch(peer.done.removeprefix("you are out; ").replace("bet-", "bet"))
    ((kind, reason),) = faults(journal)["peer"]
    assert kind == "late"
    assert LATE.fullmatch(reason)
    for bot in "bot-2", "bot-3":
        assert hands_played(journal, bot) == set(range(1, HANDS + 1))


async def test_cable_pulled_in_lobby_is_noticed_at_first_question(place: Place, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(place, journal, *SHORT, unplugged=True) as (host, _):
        outcome = await host.ended()
    assert "left" not in outcome.out
    asked = decisions(journal)
    ((hand, fault),) = [(each.hand, each.fault) for each in asked["peer"]]
    assert (hand, fault and fault[0], bool(fault and LATE.fullmatch(fault[1]))) == (1, "late", True)
    assert list(faults(journal)) == ["peer"]
    assert hands_played(journal, "bot-2") == set(range(1, HANDS + 1))


async def test_a_cable_put_back_within_the_limit_costs_nothing(place: Place, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(place, journal) as (host, peer):
        fields = await peer.hear_question()
        assert fields
        place.cable.pull()
        await peer.say(f"bet:{fields[3]}")
        place.cable.put_back()
        await play_on(peer)
        await host.ended()
    assert faults(journal) == {}
    first = decisions(journal)["peer"][0]
    print(f"a reply sent into a pulled cable arrived {first.seconds:.3f} s after its question, and counted")


async def test_cable_put_back_too_late_costs_a_life_and_the_reply(place: Place, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with open_table(place, journal, *SHORT, "--lives", "2") as (host, peer):
        assert await peer.hear_question()
        place.cable.pull()
        await peer.say("nonsense that only the open question would mind")
        await host.running.complaint_with("no complete reply to bet1 came in ")
        place.cable.put_back()
        await play_on(peer)
        await host.ended()
    ((kind, reason),) = faults(journal)["peer"]
    assert kind == "late"
    assert LATE.fullmatch(reason)
    assert peer.done
    assert peer.done.startswith("the tournament is over")


async def test_unreachable_machine_may_reconnect(place: Place, tmp_path: Path) -> None:
    """Its question was never received there, so it is not the program that is late."""
    journal = tmp_path / "journal"
    flags = (*SHORT, "--rejoin", "50", "--stack", "1000000")  # it pays its antes meanwhile
    async with open_table(place, journal, *flags, hands=1_000_000) as (host, peer):
        fields = await peer.hear_question()
        assert fields
        await peer.say(f"bet:{fields[3]}")
        place.cable.pull()
        await host.running.complaint_with("away")
        place.cable.put_back()
        async with await place.far.connect(NEAR, await peer_port(host, flags)) as stream:
            again = Peer(stream)
            await again.log_in("peer:Peer")
            fields = await again.hear_question()
            assert fields
            await again.say(f"bet:{fields[3]}")
            host.running.process.send_signal(signal.SIGINT)
            await play_on(again)
        await host.ended()
    assert faults(journal) == {}
    assert again.done
    assert again.done.startswith("the tournament is over")
    print(f"back with {fields[1]} chips of 1000000")
