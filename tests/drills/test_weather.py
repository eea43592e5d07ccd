"""The network drill: players behind a cable that takes its time, and one that loses packets."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.drills.across_rooms import LOOPBACK, Decision, decisions, faults, open_host
from tests.drills.exchanges import exchanges
from tests.drills.long_cable import LongCable, open_devices, open_long_cable
from tests.drills.rooms import NEAR, Room, open_rooms

LIVES = ("--lives", "100000")


@dataclass(frozen=True)
class Place:
    """Two rooms with a device in each."""

    near: Room
    far: Room
    ends: tuple[int, int]


@pytest.fixture
def place() -> Iterator[Place]:
    with open_rooms() as (near, far), open_devices(near, far) as ends:
        yield Place(near, far, ends)


async def play(place: Place, journal: Path, bots: tuple[str, ...], *flags: str, **weather: float) -> LongCable:
    """A tournament between ``bots`` behind a cable, and one more beside the dealer; the weather starts with it."""
    async with (
        open_long_cable(*place.ends) as cable,
        open_host(place.near, journal, len(bots) + 1, *flags, *LIVES) as host,
    ):
        await host.add_bots(place.far, NEAR, *bots)
        cable.begin(**weather)
        await host.add_bots(place.near, LOOPBACK, "caller")
        await host.ended()
    return cable


async def play_with_delay(place: Place, journal: Path, hands: int) -> None:
    """200 ms each way."""
    cable = await play(place, journal, ("caller", "caller"), "--hands", str(hands), "--limit", "30", delay=0.2)
    asked = decisions(journal)
    *far, near = asked.values()
    times = [each.seconds for some in far for each in some if each.seconds is not None]
    print(
        f"200 ms each way: {len(times)} replies in {min(times):.3f} to {max(times):.3f} s, half of them within "
        f"{statistics.median(times):.3f} s; beside the dealer {len(near)} in at most {slowest(near):.3f} s; "
        f"the cable stalled for at most {cable.longest_stall:.3f} s"
    )
    assert faults(journal) == {}
    assert {each.hand for some in asked.values() for each in some} == set(range(1, hands + 1))
    # The dealer's clock starts a moment after the question is on the cable; one way alone would be at most 0.3 s.
    assert statistics.median(times) > 0.3


async def play_with_loss(place: Place, journal: Path, hands: int, limit: float, loss: float) -> None:
    """Some packets are lost; what is late by the dealer's clock is compared with what the cable saw."""
    flags = ("--hands", str(hands), "--limit", str(limit))
    cable = await play(place, journal, ("caller", "random", "caller"), *flags, loss=loss)
    seen, asked = exchanges(cable.packets), decisions(journal)
    near = [each for id in asked.keys() - seen.keys() for each in asked[id]]
    far = [each for id in seen for each in asked[id]]
    met = [pair for id in seen for pair in zip(asked[id], seen[id], strict=True)]
    in_time = [exchange.seconds for decision, exchange in met if not decision.fault]
    late = [exchange.blocked for decision, exchange in met if decision.fault]
    print(
        f"{cable.lost} of {len(cable.packets)} packets lost, a limit of {limit:g} s: {len(in_time)} replies in time, "
        f"in at most {slowest(far):.3f} s, and by the cable's clock {max(in_time):.3f} s; {len(late)} late"
        + (f", by the cable's clock after {min(late):.3f} to {max(late):.3f} s" if late else "")
        + f"; beside the dealer at most {slowest(near):.3f} s; the cable stalled for {cable.longest_stall:.3f} s"
    )
    assert cable.lost
    assert {kind for some in faults(journal).values() for kind, _ in some} <= {"late"}
    assert slowest(far) <= limit


def slowest(decisions: Sequence[Decision]) -> float:
    """Seconds until the slowest reply, by the dealer's clock."""
    return max(each.seconds for each in decisions if each.seconds is not None)


async def test_200_ms_each_way_are_no_fault(place: Place, tmp_path: Path) -> None:
    await play_with_delay(place, tmp_path / "journal", 2)


@pytest.mark.long
async def test_lost_packets_are_no_fault(place: Place, tmp_path: Path) -> None:
    await play_with_loss(place, tmp_path / "journal", 30, 30, 0.05)
    assert faults(tmp_path / "journal") == {}


@pytest.mark.heavy
async def test_200_ms_each_way_are_no_fault_in_a_longer_tournament(place: Place, tmp_path: Path) -> None:
    await play_with_delay(place, tmp_path / "journal", 20)


@pytest.mark.heavy
@pytest.mark.parametrize(("hands", "limit", "loss"), [(150, 0.4, 0.05), (150, 1.0, 0.05), (12, 1.0, 0.25)])
async def test_late_replies_in_hundreds_of_hands_beside_what_the_cable_saw(
    place: Place, tmp_path: Path, hands: int, limit: float, loss: float
) -> None:
    await play_with_loss(place, tmp_path / "journal", hands, limit, loss)
