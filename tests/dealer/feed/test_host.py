"""The host's side of the feed over real sockets: what hosts are told, what they order, and what nobody can do."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio
from trio.testing import MockClock

from dealer.desk import token
from dealer.desk.orders import COMMANDS
from dealer.desk.token import TRIES
from dealer.feed import feed, host, subscriber
from dealer.feed import port as feed_port
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from protocol.games.stud import StudGame
from tests.bad_bots import replies
from tests.dealer.support.feeds import FeedRig, Reader, in_third_hand, open_feed_rig, stuff, stuffed
from tests.dealer.support.recorded import FileOnFullDisk, clients_by_chance
from tests.dealer.support.rig import SEED, call, good_clients

SETTINGS = Settings(SEED, hands=6, game=StudGame(500))


def framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


async def test_a_host_who_comes_late_is_told_the_hole_cards(tcp_clock: MockClock) -> None:
    async with in_third_hand(SETTINGS, desk=True) as (dealer, _, _):
        async with dealer.host() as reader:
            (told,) = reader.of("host")
            (table,) = told["tables"]
            dealt = table["events"][0]
            assert (dealt["type"], dealt["hand"], [len(cards) for cards in dealt["holes"]]) == ("dealt", 3, [1, 1, 1])
            assert told["state"]["phase"] == "playing"
            assert {player["id"] for player in told["state"]["players"]} >= {"good-1", "good-2"}
        async with dealer.reader() as late:
            (table,) = (await late.until("hello"))["state"]["tables"]
            assert table["events"][0]["holes"] is None


async def test_host_and_stranger_are_told_the_same_events_by_number(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        async with dealer.host() as reader, dealer.reader() as stranger:
            await stranger.until("hello")
            await dealer.rig.admit(*clients_by_chance(3), replies.malformed)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(reader.read_all)
                nursery.start_soon(stranger.read_all)
                await dealer.begin().run()
                dealer.feed.close()
    public = {event["n"]: event for event in stranger.events[1:]}
    whole = {event["n"]: event for event in reader.events[2:]}
    assert public.keys() == whole.keys()
    hidden = {
        (event["type"], key) for n, event in public.items() for key, fact in event.items() if fact != whole[n][key]
    }
    assert hidden == {("start", "ids"), ("dealt", "holes"), ("acted", "reason"), ("out", "reason"), ("hand", "faults")}
    assert all(event["holes"] is not None for event in reader.of("dealt"))
    assert all(event["holes"] is None for event in stranger.of("dealt"))
    assert b"chance-1" not in stranger.raw
    assert reader.of("start")[0]["ids"] == ["chance-0", "chance-1", "chance-2", "bad"]


async def test_cards_that_are_dealt_again_are_told_to_hosts_only(tcp_clock: MockClock) -> None:
    async with open_feed_rig(replace(SETTINGS, duplicate=True, hands=1, games=4), desk=True) as dealer:
        async with dealer.host() as reader, dealer.reader() as stranger:
            await dealer.rig.admit(*clients_by_chance(3))
            await dealer.begin().run()
            dealer.feed.close()
            await reader.read_all()
            await stranger.read_all()
    assert [len(hand["cards"]) for hand in reader.of("hand")] == [3] * 12
    assert [hand["cards"] for hand in stranger.of("hand")] == [None] * 12
    assert not reader.of("dealt")


async def test_an_event_is_packed_once_for_all_hosts_and_only_if_one_listens(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    packed: list[tuple[str, int]] = []
    pack = subscriber.pack

    def counted(facts: dict[str, Any]) -> bytes:
        packed.append((facts["type"], facts["n"]))
        return pack(facts)

    async def packed_hands(hosts: int) -> set[int]:
        async with open_feed_rig(replace(SETTINGS, duplicate=True, hands=1, games=1), desk=True) as dealer:
            async with trio.open_nursery() as nursery:
                for number in range(5):

                    async def listen(number: int = number) -> None:
                        async with dealer.host() if number < hosts else dealer.reader() as reader:
                            await reader.read_all()

                    nursery.start_soon(listen)
                while sum(subscriber.is_host for subscriber in dealer.feed.subscribers) < hosts:
                    await trio.sleep(0.01)
                await dealer.rig.admit(*good_clients(2, call))
                with monkeypatch.context() as patch:
                    patch.setattr(feed, "pack", counted)
                    await dealer.begin().run()
                dealer.feed.close()
        hands = [event for event in packed if event[0] == "hand"]
        packed.clear()
        assert hands
        return {hands.count(hand) for hand in hands}

    assert await packed_hands(0) == {1}
    assert await packed_hands(3) == {2}


async def test_an_order_is_answered_behind_its_event(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with open_journal(AppendFile.create(tmp_path / "a.journal")) as journal:
        async with open_feed_rig(SETTINGS, journal, desk=True) as dealer, dealer.host() as reader:
            assert await reader.ask(5, type="order", command="step") == {
                "type": "answer",
                "id": 5,
                "error": "the tournament has not started yet",
                "state": dealer_state(dealer),
            }
            await dealer.rig.admit(*good_clients(2, call))
            tournament = dealer.begin()
            answer = await reader.ask(-7, type="order", command="pause")
            assert answer["said"] == "Every table finishes its hand, and then waits."
            assert answer["state"]["paused"] is True
            assert without_ages(answer["state"]) == without_ages(dealer_state(dealer))
            assert tournament.tempo.paused
            assert [event["type"] for event in reader.events[-2:]] == ["desk", "answer"]


async def test_a_host_gets_in_while_a_told_hand_waits_for_the_disk(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        await dealer.rig.admit(*good_clients(2, call))
        table = dealer.begin().tables[0]
        assert dealer.feed._teller is not None
        table.in_hand, dealer.feed._teller._told[table.number] = True, table.hand_number
        async with dealer.host() as host:
            assert "said" in await host.ask(1, type="order", command="show")


def without_ages(state: Any) -> Any:
    """A state without the seconds since each player's last reply, which may have grown between two looks."""
    return {**state, "players": [{**player, "replied": None} for player in state["players"]]}


def dealer_state(dealer: FeedRig) -> Any:
    """What the desk shows, as it comes over a wire."""
    assert dealer.desk is not None
    return msgpack.unpackb(msgpack.packb(dealer.desk.view.look()))


FACTS: Mapping[str, Mapping[str, Any]] = {
    "pace": {"seconds": 1},
    "length": {"minutes": 1},
    "remove": {"player": "Steph", "reason": "x"},
    "readmit": {"player": "Steph"},
    "message": {"text": "Lunch"},
}


async def test_every_command_of_the_desk_is_obeyed_or_refused_with_a_reason(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        await dealer.rig.admit(*good_clients(3, call))
        dealer.begin()
        obeyed = set()
        for number, command in enumerate(COMMANDS):
            answer = await reader.ask(number, type="order", command=command, **FACTS.get(command, {}))
            assert ("said" in answer) != ("error" in answer)
            assert "state" in answer
            if "said" in answer:
                obeyed.add(command)
    assert set(COMMANDS) - obeyed == {"start", "step", "remove", "readmit", "level", "journal", "suspend"}


async def test_a_malformed_order_is_answered_without_a_state(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        told = await reader.ask(1, type="order", command="pace")
        assert told == {"type": "answer", "id": 1, "error": "the command 'pace' takes seconds"}
        assert "state" not in await reader.ask(2, type="order", command="shuffle")
        assert "state" not in await reader.ask(3, type="file", file="passwd")
        assert "said" in await reader.ask(4, type="order", command="show")


async def test_wrong_tokens_are_counted_and_never_lock_the_right_one_out(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(token, "WINDOW_SECONDS", 20.0)
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        reasons = []
        for number in range(TRIES + 2):
            async with dealer.reader() as guesser:
                await guesser.send(type="host", token=f"guess-{number}")
                last = (await guesser.read_all())[-1]
                assert last["type"] == "refused"
                reasons.append(last["reason"])
        assert set(reasons[:TRIES]) == {"this is not the token that the dealer's terminal shows"}
        assert all(reason.startswith("too many wrong tokens; try again in ") for reason in reasons[TRIES:])
        async with dealer.reader(source="127.0.0.2") as elsewhere:
            await elsewhere.send(type="host", token="x")
            assert (await elsewhere.read_all())[-1]["reason"] == reasons[0]
        async with dealer.host() as reader:
            assert "said" in await reader.ask(1, type="order", command="show")
            assert dealer.desk is not None
            assert dealer.desk.token.text.encode() not in reader.raw
        await trio.sleep(token.WINDOW_SECONDS)
        async with dealer.reader() as guesser:
            await guesser.send(type="host", token="x")
            assert (await guesser.read_all())[-1]["reason"] == reasons[0]
        logged = capsys.readouterr().out
    assert "guess" not in logged
    assert dealer.desk.token.text not in logged
    assert logged.count("desk refused") <= TRIES
    assert logged.count("host logged in") == 1


NOT_FIRST = 'the first message is to be {"type": "host", "token": "..."}'
NO_MAP = "a message is a MessagePack map, behind its length in four bytes"
BAD_FIRST = {
    "HTTP": (b"GET / HTTP/1.1\r\n\r\n", "a message has at most 4096 bytes; this one says that it has 1195725856"),
    "one byte too many": (framed(bytes(4097)), "a message has at most 4096 bytes; this one says that it has 4097"),
    "a flood": (b"\0" * 1_000_000, NO_MAP),
    "nothing": (framed(b""), NO_MAP),
    "no MessagePack": (framed(b"\xc1"), NO_MAP),
    "half a map": (framed(b"\x82\x01"), NO_MAP),
    "a list": (framed(msgpack.packb([1])), NO_MAP),
    "no text": (framed(b"\x81\xa1\xff\x01"), NO_MAP),
    "a map as a key": (framed(b"\x81\x80\x01"), NO_MAP),
    "very deep": (framed(b"\x81\x01" * 2000 + b"\x01"), NO_MAP),
    "an order": (framed(msgpack.packb({"type": "order", "id": 1, "command": "end"})), NOT_FIRST),
    "no token": (framed(msgpack.packb({"type": "host"})), NOT_FIRST),
    "a token of bytes": (framed(msgpack.packb({"type": "host", "token": b"x"})), NOT_FIRST),
    "other keys": (framed(msgpack.packb({1: 2, None: []})), NOT_FIRST),
}


@pytest.mark.parametrize(("words", "reason"), BAD_FIRST.values(), ids=BAD_FIRST)
async def test_a_first_message_that_gives_no_token_is_refused(words: bytes, reason: str, tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.reader() as talker, dealer.reader() as other:
        await other.until("hello")
        await talker.until("hello")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(say, talker, words)
            await talker.until("refused")
            nursery.cancel_scope.cancel()
        assert talker.events[-1] == {"type": "refused", "reason": reason}
        while len(dealer.feed.subscribers) > 1:
            await trio.sleep(0.05)
        await dealer.rig.admit(*good_clients(1))
        assert (await other.until("lobby"))["players"] == ["Good 1"]


async def say(talker: Reader, words: bytes) -> None:
    """Send what may not be read to its end."""
    with suppress(trio.BrokenResourceError):
        await talker.stream.send_all(words)


NO_ORDER = 'expected {"type": "order", "id": 1, "command": "pause"}, or a file; the id a whole number'


@pytest.mark.parametrize(
    "facts",
    [
        {"type": "order", "command": "end"},
        {"type": "order", "id": "1", "command": "end"},
        {"type": "order", "id": True, "command": "end"},
        {"type": ["order"], "id": 1, "command": "end"},
        {"type": "host", "id": 1, "token": "x"},
        {},
    ],
    ids=["no id", "an id that is text", "an id that is true", "a type that is a list", "a second login", "nothing"],
)
async def test_what_cannot_be_answered_ends_the_connection(facts: dict[str, Any], tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        await reader.send(**facts)
        assert (await reader.read_all())[-1] == {"type": "refused", "reason": NO_ORDER}
        assert not dealer.feed.subscribers


async def test_nobody_can_give_orders_without_a_desk(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS) as dealer, dealer.reader() as reader:
        await reader.send(type="host", token="x")
        reason = "nobody can give orders here: the dealer was started without --desk"
        assert (await reader.read_all())[-1] == {"type": "refused", "reason": reason}


@pytest.mark.parametrize("beginning", [b"\0", framed(b"1234")[:-1]])
async def test_the_rest_of_a_message_is_waited_for_so_long(beginning: bytes, tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader, dealer.reader() as silent:
        await silent.until("hello")
        began = trio.current_time()
        await reader.stream.send_all(beginning)
        assert (await reader.read_all())[-1] == {"type": "refused", "reason": "the rest of a message did not come"}
        assert trio.current_time() - began >= feed_port.STALLED_SECONDS
        assert len(dealer.feed.subscribers) == 1


async def test_a_host_that_says_nothing_stays(monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock) -> None:
    monkeypatch.setattr(feed_port, "STALLED_SECONDS", 3.0)
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        await trio.sleep(10 * feed_port.STALLED_SECONDS)
        assert "said" in await reader.ask(1, type="order", command="show")
        assert len(dealer.feed.subscribers) == 1


@pytest.mark.parametrize("end", [b"", b"\0\0"])
async def test_a_host_that_ends_its_half_of_the_connection_is_forgotten(end: bytes, tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        await reader.stream.send_all(end)
        await reader.stream.send_eof()
        await reader.read_all()
        assert not reader.of("refused")
        while dealer.feed.subscribers:
            await trio.sleep(0.05)


async def test_a_second_order_waits_for_the_answer_to_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    """An answer comes when the order is on the disk, or has waited for that; meanwhile no other order is begun."""
    monkeypatch.setattr("dealer.journal.writer.FORCE_SECONDS", 0.01)
    file = FileOnFullDisk.create(tmp_path / "a.journal")
    async with open_journal(file) as journal, open_feed_rig(SETTINGS, journal, desk=True) as dealer:
        async with dealer.host() as reader:
            await dealer.rig.admit(*good_clients(2, call))
            tournament = dealer.begin()
            file.full = True
            await reader.send(type="order", id=1, command="pause")
            await reader.send(type="order", id=2, command="resume")
            answer = await reader.until("answer")
            assert answer["state"]["paused"]
            file.full = False
            while len(reader.of("answer")) < 2:
                assert await reader.read()
            assert [answer["id"] for answer in reader.of("answer")] == [1, 2]
            assert not tournament.tempo.paused


def shows(count: int) -> bytes:
    """So many orders."""
    return b"".join(subscriber.pack({"type": "order", "id": number, "command": "show"}) for number in range(count))


async def test_a_flood_of_orders_is_read_slowly_and_answered_in_order(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(say, reader, shows(200))
            while len(reader.of("answer")) < 200:
                assert await reader.read()
        assert [answer["id"] for answer in reader.of("answer")] == list(range(200))
        assert trio.current_time() - began >= 199 * feed_port.GATHER_SECONDS


async def test_a_host_that_reads_no_answers_is_dropped(monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock) -> None:
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    async with open_feed_rig(SETTINGS, desk=True) as dealer, trio.open_nursery() as nursery:
        await dealer.rig.admit(*good_clients(8))
        async with dealer.host(receive_bytes=4096) as reader:
            nursery.start_soon(say, reader, shows(100_000))
            while dealer.feed.subscribers:
                await trio.sleep(0.5)
            nursery.cancel_scope.cancel()


async def test_a_slow_host_is_told_its_loss_and_what_it_sees(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr(subscriber, "BUFFER_BYTES", 20_000)
    monkeypatch.setattr(feed, "FIGURES_SECONDS", inf)  # their number depends on time
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    journal = Journal(None)
    async with open_feed_rig(SETTINGS, journal, desk=True) as dealer, dealer.host(receive_bytes=4096) as slow:
        await dealer.rig.admit(*good_clients(2))
        async with trio.open_nursery() as nursery:
            await stuffed(dealer, journal, 1500)
            await slow.send(type="order", id=1, command="show")
            await stuff(journal, 1500)
            nursery.start_soon(slow.read_all)
            await slow.has("host", 2)
            await slow.has("answer", 1)
            dealer.feed.close()
    (lost,) = slow.of("lost")
    position = slow.events.index(lost)
    before, state, told = slow.events[position - 1], slow.events[position + 1], slow.events[position + 2]
    assert lost["n"] == before["n"] + lost["missed"]
    assert (state["type"], told["type"]) == ("state", "host")
    assert {player["id"] for player in told["state"]["players"]} == {"good-1", "good-2"}


async def test_the_end_is_told_to_a_host_whose_order_is_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr("dealer.journal.writer.FORCE_SECONDS", 0.01)
    file = FileOnFullDisk.create(tmp_path / "a.journal")
    async with open_journal(file) as journal, open_feed_rig(SETTINGS, journal, desk=True) as dealer:
        async with dealer.host() as reader:
            await dealer.rig.admit(*good_clients(2, call))
            dealer.begin()
            file.full = True
            await reader.send(type="order", id=1, command="pause")
            await trio.sleep(0.1)
            dealer.feed.close()
            await reader.read_all()
            assert not reader.of("refused")
            file.full = False


async def test_a_mistake_of_the_dealer_behind_an_order_ends_one_connection_only(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader, dealer.host() as other:
        assert dealer.desk is not None
        with monkeypatch.context() as patch:
            patch.setattr(dealer.desk, "obey", None)
            await reader.send(type="order", id=1, command="pause")
            last = (await reader.read_all())[-1]
        reason = "something is wrong with the host's side; the dealer's log says what"
        assert last == {"type": "refused", "reason": reason}
        assert "said" in await other.ask(1, type="order", command="pause")
    assert "the host's side of the feed failed" in capsys.readouterr().out


async def fetched(reader: Reader, id_: int, **wanted: Any) -> tuple[str, bytes]:
    """Ask for a file and read it; its name and bytes."""
    await reader.send(type="file", id=id_, **wanted)
    file = await reader.until("file")
    while sum(len(piece["data"]) for piece in reader.of("piece")) < file["bytes"]:
        assert await reader.read()
    assert {event["id"] for event in (file, *reader.of("piece"))} == {id_}
    return file["name"], b"".join(piece["data"] for piece in reader.of("piece"))


async def test_a_host_fetches_the_journal_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr(host, "PIECE_BYTES", 100)
    async with open_journal(AppendFile.create(tmp_path / "a.journal")) as journal:
        async with open_feed_rig(SETTINGS, journal, desk=True) as dealer:
            await dealer.rig.admit(*clients_by_chance(3))
            async with dealer.host() as reader:
                assert (await reader.ask(1, type="file", file="journal"))["error"] == (
                    "the tournament has not started yet"
                )
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(dealer.begin().run)
                name, data = await fetched(reader, 2, file="journal", tournament=1)
                assert (await reader.ask(3, type="file", file="journal", tournament=2))["error"] == (
                    "there is no tournament 2; they have the numbers 1 to 1"
                )
        assert name == "a.journal"
        assert len(reader.of("piece")) > 5
        assert data == (tmp_path / "a.journal").read_bytes()[: len(data)]
        assert len(data) == journal.size


async def test_a_host_is_told_how_far_a_report_is(tmp_path: Path) -> None:
    async with open_journal(AppendFile.create(tmp_path / "a.journal")) as journal:
        async with open_feed_rig(SETTINGS, journal, desk=True) as dealer, dealer.host() as reader:
            await dealer.rig.admit(*good_clients(2, call))
            await dealer.begin().run()
            name, data = await fetched(reader, 2, file="grades")
    assert name.endswith("-grades.csv")
    assert data.startswith(b"\xef\xbb\xbfid,name,avatar,")
    making = reader.of("making")
    assert {(event["id"], type(event["seconds"])) for event in making} == {(2, int)}
    assert all(0 <= event["share"] <= 1 for event in making)


async def test_a_host_need_not_wait_for_a_report(tmp_path: Path) -> None:
    async with open_journal(AppendFile.create(tmp_path / "a.journal")) as journal:
        async with open_feed_rig(SETTINGS, journal, desk=True) as dealer, dealer.host() as reader:
            await dealer.rig.admit(*good_clients(2, call))
            await dealer.begin().run()
            await reader.send(type="file", id=1, file="grades", wait=False)
            assert "said" in await reader.ask(2, type="order", command="show")
            assert [len(reader.of(type_)) for type_ in ("making", "file")] == [1, 0]


async def test_a_journal_that_is_not_kept_cannot_be_fetched(tcp_clock: MockClock) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer, dealer.host() as reader:
        await dealer.rig.admit(*good_clients(2, call))
        dealer.begin()
        answer = await reader.ask(1, type="file", file="journal")
        assert answer["error"] == "no journal is kept (--no-journal), so there is nothing to take home"


async def test_hosts_stay_between_two_tournaments_and_strangers_wait(tmp_path: Path, tcp_clock: MockClock) -> None:
    async with (
        open_journal(AppendFile.create(tmp_path / "a.journal")) as journal,
        open_feed_rig(SETTINGS, journal, desk=True, telling=False) as dealer,
        dealer.reader() as early,
        dealer.host() as reader,
        trio.open_nursery() as nursery,
    ):
        assert reader.of("hello") == [], "the lobby is not open yet"
        nursery.start_soon(early.read_all)
        async with dealer.feed.telling(journal):
            await dealer.rig.admit(*clients_by_chance(3))
            await dealer.begin().run()
        assert early.events[0]["type"] == "hello"
        await early.has("end", 1)
        async with dealer.reader() as waiting, dealer.host() as late:
            nursery.start_soon(waiting.read_all)
            assert late.of("host")[0]["state"]["phase"] == "over"
            assert (await late.ask(1, type="order", command="next"))["said"].startswith("The lobby opens again now")
            name, data = await fetched(reader, 2, file="journal")
            assert (name, data) == ("a.journal", (tmp_path / "a.journal").read_bytes()[: len(data)])
            assert waiting.events == []
            async with dealer.next_tournament(NewTournament(replace(SETTINGS, seed=b"b" * 32), 2)):
                await waiting.has("hello", 1)
                assert "said" in await late.ask(2, type="order", command="pause")
                assert "said" in await reader.ask(3, type="order", command="resume")
                assert dealer.scene.orders.paused is False
            assert [event["type"] for event in waiting.events] == ["hello"]
        nursery.cancel_scope.cancel()
    for program in (reader, late):
        (*_, hello), (*_, told) = program.of("hello"), program.of("host")
        assert (hello["tournament"], hello["n"], hello["state"]["phase"]) == (2, 0, "lobby")
        assert (told["n"], told["state"]["phase"]) == (0, "lobby")
        assert hello["commitment"] == waiting.events[0]["commitment"] != early.events[0]["commitment"]


async def test_a_host_who_missed_the_end_is_told_the_next_tournament(
    monkeypatch: pytest.MonkeyPatch, tcp_clock: MockClock
) -> None:
    monkeypatch.setattr(subscriber, "BUFFER_BYTES", 20_000)
    monkeypatch.setattr(feed_port, "SYSTEM_BYTES", 8192)
    journal = Journal(None)
    async with open_feed_rig(SETTINGS, journal, desk=True, telling=False) as dealer:
        async with dealer.host(receive_bytes=4096) as slow:
            async with dealer.feed.telling(journal):
                await dealer.rig.admit(*good_clients(2))
                await stuffed(dealer, journal, 1500)
            async with dealer.next_tournament(NewTournament(SETTINGS, 2)):
                while len(slow.of("host")) < 3:
                    assert await slow.read()
    assert [event["type"] for event in slow.events[-3:]] == ["lost", "hello", "host"]
    assert slow.events[-2]["tournament"] == 2


@pytest.mark.parametrize("sent", [b"", b"\0", b"\0\0\0\x20x"])
async def test_whoever_gives_no_token_where_the_page_connects_is_told_nothing_and_let_go(
    sent: bytes, tcp_clock: MockClock
) -> None:
    async with open_feed_rig(SETTINGS, desk=True) as dealer:
        assert dealer.page_place is not None
        async with await trio.open_unix_socket(dealer.page_place[0]) as stranger:
            if sent:
                await stranger.send_all(sent)
            heard = b"".join([bytes(piece) async for piece in stranger])
    assert msgpack.unpackb(heard[4:]) == {"type": "refused", "reason": "no token came"}
