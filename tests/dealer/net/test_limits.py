"""Limits over real sockets: programs that exceed one are told why; which connections count for an address."""

import errno
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.ledger.standings import Standing
from dealer.net.admission import GOODBYES, WINDOW_SECONDS, Admission, Entry, shared_address
from dealer.net.limits import REPLY_BYTES, Limits
from dealer.net.throttled_log import LINES, ThrottledLog
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.bad_bots import logins, manners, replies
from tests.bad_bots.peer import Peer
from tests.dealer.support.rig import SEED, BadBot, Client, Rig, call, good_clients, open_rig

SETTINGS = Settings(SEED, StudGame(), hands=200, limit=1.0)
ELSEWHERE = "127.0.0.2"


@asynccontextmanager
async def open_table(limits: Limits, settings: Settings = SETTINGS) -> AsyncIterator[Rig]:
    """A dealer at which two programs of another address play from the beginning of the block to its end or later."""
    standings: list[Standing] = []
    clients = good_clients(2, call)
    async with open_rig(settings, limits=limits) as rig:
        for number, client in enumerate(clients, 1):
            await rig.start(client, ELSEWHERE)
            while len(rig.lobby.players) < number:
                await rig.lobby.changed()
        async with trio.open_nursery() as nursery:

            async def play() -> None:
                standings.extend(await rig.begin().run())

            nursery.start_soon(play)
            yield rig
    check_honest(standings, clients, settings.hands)


def check_honest(standings: list[Standing], clients: list[Client], hands: int) -> None:
    faults = {standing.player.id: standing.player.faults for standing in standings}
    for client in clients:
        assert faults[client.name.id] == []
        assert len(client.statuses) == hands
        assert client.done is not None
        assert client.done.startswith("the tournament is over")


async def storm(rig: Rig, count: int) -> list[list[str]]:
    """Connect so many times, one right after the other; what each connection heard until it was closed."""
    peers: list[Peer | None] = []
    for _ in range(count):
        try:
            peers.append(Peer(await rig.connect()))
        except OSError:  # a reset may be faster than we are
            peers.append(None)
    for peer in filter(None, peers):
        await peer.hear_out()
        await peer.stream.aclose()
    return [peer.heard if peer else [] for peer in peers]


@pytest.mark.skipif(os.name != "posix", reason="needs more than one loopback address")
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(connects=3), "your address opened more than 3 connections within a second; wait a moment"),
        (Limits(per_address=3), "your address has 3 connections open, as many as it may; close one first"),
        (Limits(connections=5), "the dealer has 5 connections open, as many as it takes; come back later"),
    ],
)
async def test_first_refusal_has_a_reason_and_later_ones_none(
    limits: Limits, reason: str, tcp_clock: MockClock
) -> None:
    async with open_table(limits) as rig:
        told = await storm(rig, 20)
    for (text,) in told[:3]:  # a lobby that is closed says so to as many as may come in
        assert text.startswith("done:the tournament is at hand ")
    assert told[3] == [f"done:{reason}"]
    assert told[4:] == [[]] * 16


async def test_closed_connections_make_room(tcp_clock: MockClock) -> None:
    """However they end: refused, thrown out, gone from the lobby, or played to the end."""
    limits = Limits(connections=3, per_address=3)
    clients = good_clients(2)
    async with open_rig(SETTINGS, limits=limits) as rig:
        for bot in (logins.bad_id, logins.hangs_up, logins.says_nothing, logins.browser) * 3:
            peer = await rig.start(bot)
            await peer.finished.wait()
        await rig.admit(manners.leaves_when_asked, *clients)
        full = await rig.start(logins.says_nothing)
        await full.finished.wait()
        assert full.done == "your address has 3 connections open, as many as it may; close one first"
        await rig.begin().run()
        rig.lobby.close(lambda: "the next one starts at noon")
        assert [await storm(rig, 1) for _ in range(5)] == [[["done:the next one starts at noon"]]] * 5


@pytest.mark.parametrize("bot", [logins.says_nothing, logins.trickles], ids=lambda bot: bot.__name__)
async def test_a_slow_login_ends_at_its_deadline(bot: BadBot, tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, limits=Limits(login_limit=3.0)) as rig:
        came = trio.current_time()
        peer = await rig.start(bot)
        await peer.finished.wait()
        assert peer.done is not None
        assert peer.done.startswith("no complete reply to log-in came in 3.")
        assert 3.0 <= trio.current_time() - came < 5.0


async def test_login_limit_ends_with_the_login(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS, limits=Limits(login_limit=30.0)) as rig:
        await rig.admit(replies.late, *good_clients(2))
        await rig.begin().run()
        (peer,) = rig.peers
        assert peer.done is not None
        assert peer.done.startswith("you are out; no complete reply to bet-1 came in 1.0")


async def test_longest_name_fits_into_the_longest_message(tcp_clock: MockClock) -> None:
    longest = "i" * 39 + ":" + "\U0001f600" * 32
    async with open_rig(SETTINGS) as rig:

        async def log_in(peer: Peer) -> None:
            await peer.log_in(longest)
            await peer.hear_out()

        async def exaggerate(peer: Peer) -> None:
            await peer.log_in("x" * (REPLY_BYTES + 1))
            await peer.hear_out()

        await rig.admit(log_in)
        peer = await rig.start(exaggerate)
        await peer.finished.wait()
        assert peer.done is not None
        assert "announce 513 bytes, more than the 512 accepted" in peer.done
        rig.nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(frames_per_second=5000), "5001 messages came within a second, more than the 5000 accepted"),
        (Limits(bytes_per_second=30_000), " bytes came within a second, more than the 30000 accepted"),
    ],
)
async def test_flood_ends_a_session_despite_lives(limits: Limits, reason: str, tcp_clock: MockClock) -> None:
    settings = Settings(SEED, hands=50, game=StudGame(10_000), lives=1000)
    clients = good_clients(2)
    async with open_rig(settings, limits=limits) as rig:
        await rig.admit(clients[0], manners.flood, clients[1])
        standings = await rig.begin().run()
    (bad,) = (standing.player for standing in standings if standing.player.id == "bad")
    assert bad.faults[-1].kind == "flood"
    assert reason in bad.faults[-1].reason
    (peer,) = rig.peers
    assert peer.done == f"you are out; {bad.faults[-1].reason}"
    check_honest(standings, clients, settings.hands)


@pytest.mark.skipif(os.name != "posix", reason="needs more than one loopback address")
async def test_flood_of_connections_leaks_and_disturbs_nothing(tcp_clock: MockClock) -> None:
    async with open_table(Limits()) as rig:
        before = psutil.Process().num_fds()
        with capture_logs() as lines:
            heard = [texts for _ in range(15) for texts in await storm(rig, 200)]
        while psutil.Process().num_fds() > before:
            await trio.sleep(1)
        assert psutil.Process().num_fds() <= before
    assert len(heard) == 3000
    assert [] in heard
    assert len(lines) < 200


async def test_secrets_are_checked_one_at_a_time(tcp_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes a processor core for a while, which is not for strangers to take from the tables."""
    under_way: list[str] = []
    most = 0

    def prove(secret: str, id: str, salt: str) -> bytes:
        nonlocal most
        under_way.append(id)
        most = max(most, len(under_way))
        trio.from_thread.run(wait_all_tasks_blocked)
        under_way.remove(id)
        return secret.encode()

    monkeypatch.setattr("dealer.lobby.listener.secret_proof", prove)
    async with open_rig(SETTINGS) as rig:
        rig.lobby.salt = "salt"
        peers = [Peer(await rig.connect()) for _ in range(5)]
        for number, peer in enumerate(peers):
            await peer.log_in(f"steph-{number}:Steph:secret")
        while len(rig.lobby.players) < len(peers):
            await rig.lobby.changed()
        for peer in peers:
            await peer.stream.aclose()
    assert most == 1


@pytest.mark.skipif(os.name != "posix", reason="only there descriptors are limited")
async def test_accept_waits_when_descriptors_run_out(tcp_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    accept = trio.SocketListener.accept
    failures = [OSError(code, os.strerror(code)) for code in (errno.EMFILE, errno.ENOBUFS, errno.EMFILE)]

    async def fail_first(listener: trio.SocketListener) -> trio.SocketStream:
        if failures:
            raise failures.pop()
        return await accept(listener)

    monkeypatch.setattr(trio.SocketListener, "accept", fail_first)
    with capture_logs() as lines:
        async with open_rig(SETTINGS) as rig:
            await rig.admit(*good_clients(2))
            await rig.begin().run()
    (line,) = (line for line in lines if line["event"] == "cannot accept" and "reason" in line)
    assert line["reason"] == "Too many open files"


A, B = "192.0.2.1", "192.0.2.2"


def let_in(admission: Admission, host: str) -> Entry:
    entry = admission.enter(host)
    assert entry is not None
    assert entry.refusal is None
    return entry


def refusal(admission: Admission, host: str) -> str | None:
    """Why ``host`` is refused, or None if it is not told."""
    entry = admission.enter(host)
    if entry is None:
        return None
    assert entry.refusal is not None, "it was let in"
    admission.leave(entry)
    return entry.refusal


async def test_reason_for_frequent_connections_is_told_once_a_second(jumping_clock: MockClock) -> None:
    admission = Admission(Limits(connects=2))
    for _ in range(2):
        for _ in range(2):
            admission.leave(let_in(admission, A))
        told = [refusal(admission, A) for _ in range(100)]
        assert told[0] == "your address opened more than 2 connections within a second; wait a moment"
        assert told[1:] == [None] * 99
        let_in(admission, B)
        await trio.sleep(WINDOW_SECONDS)


async def test_limit_of_open_connections_per_address(jumping_clock: MockClock) -> None:
    admission = Admission(Limits(per_address=2))
    first, _ = let_in(admission, A), let_in(admission, A)
    assert refusal(admission, A) == "your address has 2 connections open, as many as it may; close one first"
    let_in(admission, B)
    await trio.sleep(10 * WINDOW_SECONDS)
    assert refusal(admission, A) is not None, "open connections are forgotten"
    admission.leave(first)
    let_in(admission, A)


async def test_limit_of_open_connections_in_total(jumping_clock: MockClock) -> None:
    admission = Admission(Limits(connections=2))
    first, _ = let_in(admission, A), let_in(admission, B)
    assert refusal(admission, "192.0.2.3") == "the dealer has 2 connections open, as many as it takes; come back later"
    admission.leave(first)
    let_in(admission, "192.0.2.3")


async def test_limit_of_refusals_told_at_the_same_time(jumping_clock: MockClock) -> None:
    admission = Admission(Limits(connections=1))
    let_in(admission, A)
    entries = [admission.enter(f"198.51.100.{number}") for number in range(GOODBYES + 1)]
    assert entries[-1] is None
    assert None not in entries[:-1]
    assert entries[0] is not None
    admission.leave(entries[0])
    assert admission.enter("203.0.113.1") is not None


async def test_address_without_connections_is_forgotten(jumping_clock: MockClock) -> None:
    admission = Admission(Limits())
    for number in range(250):
        admission.leave(let_in(admission, f"198.51.100.{number}"))
    await trio.sleep(2 * WINDOW_SECONDS)
    let_in(admission, A)
    assert list(admission._visitors) == [A]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_ipv6_address_counts_for_its_network(host: str, address: str) -> None:
    assert shared_address(host) == address


async def test_thousand_refusals_make_two_log_lines(jumping_clock: MockClock) -> None:
    admission = Admission(Limits(connects=1))
    let_in(admission, A)
    with capture_logs() as lines:
        for _ in range(1000):
            refusal(admission, A)
        admission.log.flush()
    assert [(line["event"], line["log_level"], line["address"], line.get("more")) for line in lines] == [
        ("turned away", "warning", A, None),
        ("turned away", "warning", A, 999),
    ]
    assert "more than 1 connections" in lines[0]["reason"]


async def test_log_lines_are_throttled_per_second_and_event(jumping_clock: MockClock) -> None:
    log = ThrottledLog()
    with capture_logs() as lines:
        for _ in range(2):
            log.write(20, "refused", A)
            log.write(20, "refused", A)
            log.write(20, "no login", A)
            await trio.sleep(WINDOW_SECONDS)
    assert [(line["event"], line.get("more")) for line in lines] == [
        ("refused", None),
        ("no login", None),
        ("refused", 1),
        ("refused", None),
        ("no login", None),
    ]


async def test_thousand_addresses_share_log_lines(jumping_clock: MockClock) -> None:
    log = ThrottledLog()
    with capture_logs() as lines:
        for number in range(1000):
            log.write(30, "turned away", f"2001:db8:{number:x}::/64")
        log.flush()
    assert len(lines) == LINES + 2
    assert (lines[-1]["address"], lines[-1]["more"]) == ("others", 999 - LINES)
