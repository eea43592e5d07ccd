"""Admission: which connections count for an address, which refusals are told, and what is forgotten."""

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from dealer.net.admission import GOODBYES, WINDOW_SECONDS, Admission, Entry, shared_address
from dealer.net.limits import Limits
from dealer.net.throttled_log import LINES, ThrottledLog

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
