"""The reference page of the feed: its examples, its reader and its table of events."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgpack
import trio
import trio.testing

from dealer.feed import VERSION
from tests.dealer.feed.test_feed_events import GOLDEN, SETTINGS
from tests.dealer.support.feeds import open_feed_rig
from tests.dealer.support.rig import HOST, call, good_clients
from tests.docs.pages import blocks, page, section, tables

PAGE = page("protocol/docs/feed.md")
BLOCKS = blocks(PAGE)
GOLDEN_EVENTS = [msgpack.unpackb(bytes.fromhex(line.split()[1])[4:]) for line in GOLDEN.read_text("utf-8").splitlines()]


def test_the_examples_are_what_their_bytes_say() -> None:
    (example,) = (body.splitlines() for kind, body in BLOCKS if kind == "feed")
    *lines, told = example
    data = bytes.fromhex(" ".join(lines))
    assert int.from_bytes(data[:4], "big") == len(data) - 4
    event = msgpack.unpackb(data[4:])
    assert event == json.loads(told)
    (hand,) = (json.loads(body) for kind, body in BLOCKS if kind == "json")
    assert event in GOLDEN_EVENTS
    assert hand in GOLDEN_EVENTS


def test_every_kind_of_event_and_each_of_its_keys_is_there() -> None:
    rows = next(tables(section(PAGE, "## Events")))
    told = {name.strip(" `") for cells in rows for name in cells[0].split(",")}
    assert told == {event["type"] for event in GOLDEN_EVENTS}
    assert f"This is version {VERSION} of the feed" in PAGE.replace("\n", " ")

    def keys(value: Any) -> Iterator[str]:
        if isinstance(value, dict):
            for key, part in value.items():
                yield key
                yield from keys(part)
        elif isinstance(value, list):
            for part in value:
                yield from keys(part)

    for event in GOLDEN_EVENTS:
        for key in keys(event):
            assert f"`{key}`" in PAGE, (event["type"], key)


async def test_the_reader_reads_a_tournament() -> None:
    (program,) = (body for kind, body in BLOCKS if kind == "python")
    assert len([line for line in program.splitlines() if line]) <= 15
    names: dict[str, Any] = {}
    exec(program, names)
    read_feed: Callable[[str, int], Iterator[dict[str, Any]]] = names["read_feed"]
    events: list[dict[str, Any]] = []
    async with open_feed_rig(SETTINGS) as dealer, trio.open_nursery() as nursery:
        reading = trio.Event()

        def read() -> None:
            for event in read_feed(HOST, dealer.port):
                events.append(event)
                trio.from_thread.run_sync(reading.set)

        nursery.start_soon(trio.to_thread.run_sync, read)
        await reading.wait()
        await dealer.rig.admit(*good_clients(2, call))
        await trio.testing.wait_all_tasks_blocked()
        await dealer.begin().run()
        dealer.feed.close()
    assert [event["type"] for event in events] == [
        "hello", "lobby", "lobby", "start", "game", "hand", "hand", "end"
    ]  # fmt: skip
