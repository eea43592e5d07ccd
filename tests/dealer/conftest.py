"""Clocks that jump over every wait, so that no test depends on the speed of the machine; and journals to alter."""

import os
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path

import pytest
from trio.testing import MockClock

from dealer.journal import file
from dealer.settings import LeagueWords, Settings
from protocol.games.blockhead import BlockheadGame
from tests.bad_bots import replies
from tests.dealer.support.acpc_players import play_acpc
from tests.dealer.support.altered_journals import (
    STUD,
    Records,
    numbers,
    play_until_suspended,
    play_with_a_host,
    play_with_absences,
)
from tests.dealer.support.recorded import (
    IDLE_SECONDS,
    clients_by_chance,
    play_on,
    play_recorded,
    read_records,
    run_at_once,
    write_records,
)
from tests.dealer.support.rig import SEED
from tests.dealer.support.stage import Watch
from tests.dealer.support.waiting_clocks import wait_for_threads


@pytest.fixture(scope="session", autouse=True)
def fast_disk() -> Iterator[None]:
    """Wait for no disk: no test in this process cuts the power, and a sync of a busy disk takes many milliseconds.

    What is synced and when is tested with fakes; the tests that start a dealer of its own let it sync.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(file, "_sync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def waiting_clocks() -> Iterator[None]:
    """Let no clock jump while a task waits for a thread."""
    with pytest.MonkeyPatch.context() as patch:
        wait_for_threads(patch)
        yield


@pytest.fixture
def jumping_clock() -> MockClock:
    """For socket pairs, whose bytes arrive at once: time jumps as soon as every task waits."""
    return MockClock(autojump_threshold=0)


@pytest.fixture
def tcp_clock() -> MockClock:
    """For TCP, whose bytes may take a moment even on loopback: time jumps when nothing has come for 2 ms.

    It jumps to the next sweep of the watchdog, 50 ms of the test's time: 20 times, 40 ms of ours, until a reply that
    the test's players send at once could be late.
    """
    return MockClock(autojump_threshold=IDLE_SECONDS)


BLOCKHEAD = Settings(SEED, BlockheadGame(200, 3), hands=3, games=3, lives=2, origin=LeagueWords(("alpha",), ()))


@pytest.fixture
async def watch() -> AsyncIterator[Watch]:
    """Viewers of a page, who hang up in the end."""
    watch = Watch()
    yield watch
    await watch.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verify")


@pytest.fixture(scope="session")
def stud(folder: Path) -> Records:
    """Six players at two tables; one bets wrongly in its first hand."""
    path = folder / "stud.journal"
    run_at_once(partial(play_recorded, path, [*clients_by_chance(5), replies.bets_too_much], STUD))
    return read_records(path)


@pytest.fixture(scope="session")
def blockhead(folder: Path) -> Records:
    """Three players; one makes two mistakes and is out."""
    path = folder / "blockhead.journal"
    run_at_once(partial(play_recorded, path, [*clients_by_chance(2), replies.malformed], BLOCKHEAD))
    return read_records(path)


@pytest.fixture(scope="session")
def resumed(folder: Path, stud: Records) -> Records:
    """The tournament of stud again, whose dealer died after the fifth hand, and one player did not come back."""
    path = folder / "resumed.journal"
    fifth = numbers(stud, "hand")[4]
    write_records(path, stud[: fifth + 1])
    run_at_once(partial(play_on, path, {"chance-1"}))
    return read_records(path)


@pytest.fixture(scope="session")
def suspended(folder: Path) -> Records:
    """The host suspended the tournament of stud after the fifth hand, and one player did not come back."""
    path = folder / "suspended.journal"
    run_at_once(partial(play_until_suspended, path))
    run_at_once(partial(play_on, path, {"chance-1"}))
    return read_records(path)


@pytest.fixture(scope="session")
def reunited(folder: Path) -> Records:
    """A player loses its connection, comes back, and loses it again for good."""
    path = folder / "reunited.journal"
    run_at_once(partial(play_with_absences, path))
    return read_records(path)


@pytest.fixture(scope="session")
def hosted(folder: Path) -> Records:
    """Players move between tables in two rounds, antes rise, and the host has its say."""
    path = folder / "hosted.journal"
    run_at_once(partial(play_with_a_host, path))
    return read_records(path)


@pytest.fixture(scope="session")
def acpc(folder: Path) -> Records:
    """Two programs of the ACPC; one of them wants what the rules forbid, now and then."""
    path = folder / "acpc.journal"
    run_at_once(partial(play_acpc, path))
    return read_records(path)


@pytest.fixture
def journals(
    stud: Records,
    blockhead: Records,
    resumed: Records,
    suspended: Records,
    reunited: Records,
    hosted: Records,
    acpc: Records,
) -> list[Records]:
    """All of them, which together have every type of record."""
    return [stud, blockhead, resumed, suspended, reunited, hosted, acpc]


@pytest.fixture(params=["stud", "blockhead", "resumed", "suspended", "reunited", "hosted", "acpc"])
def records(request: pytest.FixtureRequest) -> Records:
    """Each of the journals; a copy."""
    return deepcopy(request.getfixturevalue(request.param))
