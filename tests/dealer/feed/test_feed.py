"""The spectator feed over real sockets: what subscribers hear, when, and what no subscriber can do."""

from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from dealer.feed import feed, subscriber
from dealer.feed import port as feed_port
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.settings import Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.bad_bots import replies
from tests.dealer.support.feeds import Reader, folded, in_third_hand, open_feed_rig, stuffed, unpack
from tests.dealer.support.recorded import FileOnFullDisk, clients_by_chance
from tests.dealer.support.rig import SEED, Client, call, good_clients

SETTINGS = Settings(SEED, hands=30, game=StudGame(500), seed_text="casino day")


async def test_feed_tells_lobby_start_hands_and_end(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS) as dealer, dealer.reader() as reader:
        hello = await reader.until("hello")
        assert hello["feed"] == 2
        assert hello["n"] == 0
        assert hello["game"] == "stud"
        assert hello["agreed"]["hands"] == 30
        assert hello["state"]["phase"] == "lobby"
        await dealer.rig.admit(Client(Name("k-steph", "Steph")))
        assert (await reader.until("lobby"))["players"] == ["Steph"]
        await dealer.rig.admit(*clients_by_chance(3))
        tournament = dealer.begin()
        standings = await tournament.run()
        dealer.feed.close()
        events = await reader.read_all()
    assert [event["n"] for event in events] == list(range(len(events)))
    assert reader.of("start")[0]["players"] == ["Steph", "Chance 0", "Chance 1", "Chance 2"]
    hands = reader.of("hand")
    assert [hand["hand"] for hand in hands] == list(range(1, tournament.hands_finished + 1))
    for hand in hands:
        assert sum(hand["payoffs"]) == 0
        bets = sum(max(chips, 0) for _, chips, _ in hand["actions"])
        assert hand["pot"] == len(hand["players"]) + bets
        assert all(len(cards) == 3 for cards in hand["cards"])
    end = events[-1]
    assert end["type"] == "end"
    assert end["seed"] == SEED.hex()
    assert end["seed_text"] == "casino day"
    told = [(row["place"], row["player"], row["avatar"], row["chips"]) for row in end["standings"]]
    numbers = {player: number for number, player in enumerate(tournament.players)}
    assert told == [
        (standing.place, numbers[standing.player], standing.player.avatar, standing.chips) for standing in standings
    ]
    assert folded(events).chips == {numbers[standing.player]: standing.chips for standing in standings}


@pytest.mark.parametrize(
    "settings",
    [
        replace(SETTINGS, hands=12, table_size=4, lives=2),
        replace(SETTINGS, hands=4, games=4, game=BlockheadGame(200, 4), lives=3),
    ],
    ids=["stud at two tables", "blockhead"],
)
async def test_late_subscriber_gets_the_state(settings: Settings, tcp_clock: MockClock) -> None:
    async with open_feed_rig(settings) as dealer, dealer.reader() as early:
        await dealer.rig.admit(*clients_by_chance(5 if settings.game.name == "blockhead" else 7), replies.malformed)
        tournament = dealer.begin()
        late: list[Reader] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(early.read_all)

            async def join(hands: int) -> None:
                await early.has("hand", hands)
                async with dealer.reader() as reader:
                    late.append(reader)
                    await reader.read_all()

            for hands in range(1, 12):
                nursery.start_soon(join, hands)
            await tournament.run()
            dealer.feed.close()
    assert len(late) == 11
    everything = {event["n"]: event for event in early.events}
    for reader in late:
        hello, *others = reader.events
        assert hello["type"] == "hello"
        assert [event["n"] for event in others] == list(range(hello["n"] + 1, max(everything) + 1))
        assert others == [everything[event["n"]] for event in others]
        assert hello["state"]["phase"] != "lobby"
        before = folded([everything[n] for n in range(hello["n"] + 1)])
        state = folded([hello])
        assert {number: state.chips[number] for number in before.chips} == before.chips
        assert folded(reader.events).chips == folded(early.events).chips
        assert folded(reader.events).presence == folded(early.events).presence


async def test_hands_tell_the_button_and_what_was_posted(tcp_clock: MockClock) -> None:
    game = HoldemGame(stack=1000, ante=2)
    async with open_feed_rig(replace(SETTINGS, game=game, hands=3)) as dealer, dealer.reader() as reader:
        await dealer.rig.admit(*good_clients(3, call))
        await dealer.begin().run()
        dealer.feed.close()
        await reader.read_all()
    told = [(event["button"], event["antes"], event["blinds"]) for event in reader.of("hand")]
    assert told == [(0, [2, 2, 2], [0, 5, 10]), (1, [2, 2, 2], [10, 0, 5]), (2, [2, 2, 2], [5, 10, 0])]


async def test_figures_tell_how_everybody_stands(tcp_clock: MockClock) -> None:
    async with open_feed_rig(replace(SETTINGS, hands=12)) as dealer, dealer.reader() as reader:
        await dealer.rig.admit(*clients_by_chance(3))
        tournament = dealer.begin()
        tournament.begin_with = partial(tournament.set_pace, 2.0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reader.read_all)
            await tournament.run()
            dealer.feed.close()
    figures = reader.of("figures")
    assert len(figures) > 10
    last = figures[-1]
    assert {row["player"] for row in last["rows"]} == {0, 1, 2}
    assert [row["place"] for row in last["rows"]] == sorted(row["place"] for row in last["rows"])
    assert sum(row["stack"] for row in last["rows"]) == 1500
    assert (last["pace"], last["hands"], last["round"]) == (2.0, 12, 1)


async def test_state_has_the_curve_and_the_hand_under_way(tcp_clock: MockClock) -> None:
    """For whoever comes in the middle of a hand."""
    async with in_third_hand(SETTINGS) as (dealer, _, _):
        (hello,), _ = unpack((await dealer.feed.join()).take())
    state = hello["state"]
    (table,) = state["tables"]
    assert [event["type"] for event in table["events"]][:2] == ["dealt", "street"]
    assert {event["hand"] for event in table["events"]} == {3}
    assert table["events"][0]["holes"] is None
    assert state["curve"]["hands"] == [0, 1, 2]
    assert state["curve"]["chips"][0] == [500, 500, 500]
    stacks = {row["player"]: row["stack"] for row in state["figures"]["rows"]}
    assert dict(enumerate(state["curve"]["chips"][-1])) == stacks


async def test_events_follow_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock) -> None:
    monkeypatch.setattr("dealer.journal.writer.FORCE_SECONDS", 0.01)
    file = FileOnFullDisk.create(tmp_path / "a.journal")
    async with open_journal(file) as journal, open_feed_rig(SETTINGS, journal) as dealer, dealer.reader() as reader:
        clients = good_clients(2, call)
        await dealer.rig.admit(*clients)
        tournament = dealer.begin()
        tournament.set_pace(1.0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await reader.until("hand")
            file.full = True
            while journal.trouble is None:
                await trio.sleep(0.1)
            told = len(reader.of("hand"))
            with trio.move_on_after(5):
                await reader.read_all()
            assert len(reader.of("hand")) == told == tournament.hands_finished
            file.full = False
            while len(reader.of("hand")) == told:
                assert await reader.read()
            nursery.cancel_scope.cancel()


async def test_the_cards_of_a_hand_are_told_when_it_is_over(tcp_clock: MockClock) -> None:
    """While a program thinks, a subscriber has heard of no card of that hand but those that lie face up."""
    async with in_third_hand(SETTINGS) as (_, reader, tournament):
        with trio.move_on_after(0.3):
            await reader.read_all()
        assert tournament.hand_number == 3
        assert tournament.tables[0].in_hand
        assert [hand["hand"] for hand in reader.of("hand")] == [1, 2]
        assert all(event["holes"] is None for event in reader.of("dealt"))
        streets = [seat["cards"] for event in reader.of("street") for seat in event["seats"] if event["hand"] == 3]
        assert all(len(cards) < 3 for cards in streets)  # without the hole card


async def test_duplicate_league_feed_has_no_cards(tcp_clock: MockClock) -> None:
    """They come again."""
    async with open_feed_rig(replace(SETTINGS, duplicate=True, hands=1, games=4)) as dealer, dealer.reader() as reader:
        await dealer.rig.admit(*clients_by_chance(3))
        await dealer.begin().run()
        dealer.feed.close()
        await reader.read_all()
    assert len(reader.of("hand")) == 12
    assert all(hand["cards"] is None for hand in reader.of("hand"))


async def test_slow_subscriber_is_told_its_loss_and_the_state(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr(subscriber, "BUFFER_BYTES", 20_000)
    monkeypatch.setattr(feed, "FIGURES_SECONDS", inf)  # their number depends on time
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    journal = Journal(None)
    async with open_feed_rig(SETTINGS, journal) as dealer:
        async with dealer.reader(receive_bytes=4096) as slow, dealer.reader() as quick:
            await slow.until("hello")
            await quick.until("hello")
            await dealer.rig.admit(*good_clients(2))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(quick.read_all)
                await stuffed(dealer, journal, 3000)
                with trio.move_on_after(1):
                    await slow.read_all()
                dealer.feed.close()
                await slow.read_all()
        (lost,) = slow.of("lost")
        position = slow.events.index(lost)
        before, state = slow.events[position - 1], slow.events[position + 1]
        assert lost["missed"] > 1000
        assert lost["n"] == before["n"] + lost["missed"]
        assert state["type"] == "state"
        assert state["n"] == lost["n"]
        assert [row["chips"] for row in state["figures"]["rows"]] == [500, 500]
        assert [event["n"] for event in slow.events[position + 2 :]] == list(range(lost["n"] + 1, 3003))
        assert not quick.of("lost")
        assert [event["n"] for event in quick.events] == list(range(3003))


async def test_subscriber_that_never_reads_is_dropped(monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock) -> None:
    monkeypatch.setattr(subscriber, "BUFFER_BYTES", 20_000)
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    monkeypatch.setattr(feed_port, "STALLED_SECONDS", 3.0)
    journal = Journal(None)
    async with open_feed_rig(SETTINGS, journal) as dealer, dealer.reader(receive_bytes=4096) as stuck:
        await stuck.until("hello")
        await dealer.rig.admit(*good_clients(2))
        await stuffed(dealer, journal, 3000)
        assert len(dealer.feed.subscribers) == 1
        while dealer.feed.subscribers:
            await trio.sleep(0.5)


async def test_slow_subscriber_gets_the_time_of_a_stall_back(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr(subscriber, "BUFFER_BYTES", 20_000)
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    journal = Journal(None)
    async with open_feed_rig(SETTINGS, journal) as dealer, dealer.reader(receive_bytes=4096) as slow:
        await slow.until("hello")
        await dealer.rig.admit(*good_clients(2))
        await stuffed(dealer, journal, 3000)
        await trio.sleep(1.0)
        tcp_clock.jump(60.0)  # the dealer is stopped and runs again
        await trio.sleep(1.0)
        assert len(dealer.feed.subscribers) == 1
        await trio.sleep(feed_port.STALLED_SECONDS)
        assert not dealer.feed.subscribers


@pytest.mark.parametrize("words", [b"x", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100_000])
async def test_subscriber_that_sends_is_closed(words: bytes, tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS) as dealer, dealer.reader() as talker, dealer.reader() as other:
        await talker.until("hello")
        await other.until("hello")
        try:
            await talker.stream.send_all(words)
            await talker.read_all()
        except trio.BrokenResourceError:
            pass
        while len(dealer.feed.subscribers) > 1:
            await trio.sleep(0.05)
        await dealer.rig.admit(*good_clients(1))
        assert (await other.until("lobby"))["players"] == ["Good 1"]


async def test_limit_of_subscribers_per_address(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS) as dealer, trio.open_nursery() as nursery:
        heard: list[Reader] = []

        async def listen(number: int) -> None:
            async with dealer.reader() as reader:
                await reader.until("hello")
                heard.append(reader)
                await reader.read_all()

        for number in range(64):
            nursery.start_soon(listen, number)
        while len(heard) < 64:
            await trio.sleep(0.05)
        await trio.sleep(1.1)  # of the second in which so many may connect
        async with dealer.reader() as refused:
            (event,) = await refused.read_all()
            assert event["type"] == "refused"
            assert event["reason"] == "your address has 64 connections open, as many as it may; close one first"
        async with dealer.reader(source="127.0.0.2") as welcome:
            await welcome.until("hello")
        await dealer.rig.admit(*good_clients(2, call))
        await dealer.begin().run()
        dealer.feed.close()
        while not all(reader.of("end") for reader in heard):
            await trio.sleep(0.05)
        assert all(reader.raw.endswith(heard[0].raw[-500:]) for reader in heard)


async def test_leaving_subscriber_is_forgotten(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS) as dealer:
        async with dealer.reader() as polite:
            await polite.until("hello")
            await polite.stream.send_eof()
            await polite.read_all()
        async with dealer.reader() as rude:
            await rude.until("hello")
            rude.stream.setsockopt(1, 13, b"\1\0\0\0\0\0\0\0")  # SOL_SOCKET, SO_LINGER: closing resets
        await trio.sleep(0.2)
        while dealer.feed.subscribers:
            await trio.sleep(0.05)


async def test_end_does_not_wait_for_slow_subscribers(monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock) -> None:
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    journal = Journal(None)
    async with open_feed_rig(SETTINGS, journal) as dealer, trio.open_nursery() as nursery:
        await dealer.rig.admit(*good_clients(2))
        async with dealer.reader(receive_bytes=4096) as stuck:
            await stuck.until("hello")
            await stuffed(dealer, journal, 3000)
            started = trio.current_time()
            await dealer.feed._part()
            assert trio.current_time() - started == pytest.approx(feed.GOODBYE_SECONDS)
            assert dealer.feed.everybody
        nursery.cancel_scope.cancel()


async def test_subscriber_joining_during_an_event_misses_nothing(tmp_path: Path, tcp_clock: MockClock) -> None:
    """The table moves the chips a moment after the record is on the disk, and either may come first."""
    states: list[tuple[int, dict[int, int]]] = []
    async with open_journal(AppendFile.create(tmp_path / "a.journal")) as journal:
        async with open_feed_rig(SETTINGS, journal) as dealer, dealer.reader() as reader:
            await dealer.rig.admit(*clients_by_chance(4))
            tournament = dealer.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(reader.read_all)

                async def join() -> None:
                    (hello,), _ = unpack((await dealer.feed.join()).take())
                    states.append((hello["n"], folded([hello]).chips))

                journal.tell(lambda _: nursery.start_soon(join))
                await tournament.run()
                dealer.feed.close()
    assert len(states) > 20
    for count, chips in states:
        if any(event["type"] == "start" for event in reader.events[: count + 1]):
            assert chips == folded(reader.events[: count + 1]).chips
