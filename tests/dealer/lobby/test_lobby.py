"""The lobby: logins, departures, the moment in which it closes, and percentiles of the reply times of its players."""

from math import ceil

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.lobby.failed_logins import LoginRefused
from dealer.lobby.lobby import Lobby, distinct_avatar
from dealer.lobby.player import Player, ReplyTimes
from dealer.settings import Settings
from dealer.tournament.opening import latecomers_reason
from dealer.tournament.tournament import Tournament
from protocol.games.base import FOLD
from protocol.games.stud import StudGame
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import Name
from tests.bad_bots import logins
from tests.dealer.support.one_seat import TURN, Ends, open_logged_in_seat, open_seat
from tests.dealer.support.rig import SEED, good_clients, open_rig

SETTINGS = Settings(SEED, StudGame(), hands=3)


def admit(lobby: Lobby, ends: Ends, id: str = "steph") -> Player:
    return lobby.admit(Name(id, "Steph"), None, ends.seat, "test")


async def test_players_are_kept_in_the_order_of_their_arrival(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        lobby = Lobby(3, lives=2)
        admitted = tuple(admit(lobby, ends, id) for id in ("b", "a", "c"))
        assert lobby.players == admitted
        assert [(player.id, player.lives) for player in lobby.players] == [("b", 2), ("a", 2), ("c", 2)]


async def test_full_closed_and_private_lobby_refuse_with_reason(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        lobby = Lobby(1, roster={"steph": "Stephen"})
        with pytest.raises(LoginRefused, match="the id 'klay' is not on the roster"):
            admit(lobby, ends, "klay")
        admit(lobby, ends)
        with pytest.raises(LoginRefused, match="all 1 seats are taken"):
            admit(lobby, ends, "klay")
        lobby.close(lambda: "we have begun")
        with pytest.raises(LoginRefused, match="we have begun"):
            lobby.check_open()


async def test_players_with_the_same_avatar_are_told_apart(jumping_clock: MockClock) -> None:
    async with open_seat() as ends:
        lobby = Lobby(9)
        names = ["Steph", "steph", "Steph (2)", "Steph", "W" * 32, "W" * 32]
        players = [lobby.admit(Name(f"id-{n}", name), None, ends.seat, "x") for n, name in enumerate(names)]
        assert [player.avatar for player in players] == [
            *("Steph", "steph (2)", "Steph (2) (2)", "Steph (3)", "W" * 32, "W" * 28 + " (2)"),
        ]


@given(st.lists(st.builds(str.strip, st.text("aA😀 (2)", min_size=1, max_size=32)).filter(bool), max_size=8))
def test_avatars_are_distinct_and_valid(wanted: list[str]) -> None:
    taken: list[str] = []
    for avatar in wanted:
        taken.append(distinct_avatar(avatar, taken))
        Name("id", taken[-1])
    assert len({avatar.casefold() for avatar in taken}) == len(wanted)


async def test_leaving_player_makes_room(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        lobby = Lobby(1)
        nursery.start_soon(lobby.wait_with, admit(lobby, ends))
        nursery.start_soon(ends.peer.stream.aclose)
        await lobby.changed()
        assert lobby.players == ()
        admit(lobby, ends)


async def test_unasked_message_in_the_lobby_ends_the_session(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends:
        lobby = Lobby(1)
        player = admit(lobby, ends)
        await ends.peer.say("are we there yet?")
        with capture_logs() as lines:
            await lobby.wait_with(player)
        assert lobby.players == ()
        await ends.peer.hear_out()
        assert ends.peer.done == "a reply came although nothing was asked; send one reply to each question"
        assert [(line["event"], line["player"], line["kind"]) for line in lines] == [("left", "steph", "unasked")]


async def test_when_the_lobby_closes_the_seats_are_free_for_the_table(jumping_clock: MockClock) -> None:
    async with open_logged_in_seat() as ends, trio.open_nursery() as nursery:
        lobby = Lobby(1)
        nursery.start_soon(lobby.wait_with, admit(lobby, ends))
        await wait_all_tasks_blocked()
        lobby.close(lambda: "too late")

        async def answer() -> None:
            await ends.peer.hear_question()
            await ends.peer.say("fold")

        nursery.start_soon(answer)
        assert await ends.seat.ask(TURN) is FOLD


@pytest.mark.parametrize("data", [b"", UtfFraming().encode("hello")])
async def test_loss_while_the_lobby_closes_is_left_to_the_table(data: bytes, jumping_clock: MockClock) -> None:
    """A player leaves or speaks just when another one's arrival starts the tournament: both are noticed at once."""
    for _ in range(20):  # the two tasks that are woken run in either order
        async with open_logged_in_seat() as ends, open_logged_in_seat() as other, trio.open_nursery() as nursery:
            lobby = Lobby(1)
            nursery.start_soon(lobby.wait_with, admit(lobby, ends))

            async def close_on_arrival(lobby: Lobby = lobby, other: Ends = other) -> None:
                await other.seat.wait_gone()
                for player in lobby.close(lambda: "too late"):
                    assert player.seat is not None
                    await player.seat.close("the table can still say what it has to say")

            nursery.start_soon(close_on_arrival)
            await wait_all_tasks_blocked()
            _write_now(ends, data)
            _write_now(other, b"\0\0")
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()


def _write_now(ends: Ends, data: bytes) -> None:
    """Send, or close for want of data, without letting another task run."""
    assert isinstance(ends.peer.stream, trio.SocketStream)
    sock = ends.peer.stream.socket
    if data:
        sock._sock.send(data)  # type: ignore[attr-defined]
    else:
        sock.shutdown(trio.socket.SHUT_WR)


async def test_connection_without_login_takes_no_seat(tcp_clock: MockClock) -> None:
    clients = good_clients(2)
    async with open_rig(SETTINGS, capacity=2) as rig:
        await rig.admit(clients[0])
        peer = await rig.start(logins.hangs_up)
        await peer.finished.wait()
        await rig.admit(clients[1])
        peer = await rig.start(logins.says_nothing)
        await peer.finished.wait()
        assert peer.done == "all 2 seats are taken; come back for the next tournament"
        standings = await rig.begin().run()
    assert len(standings) == 2


async def test_latecomer_is_told_the_current_reason(tcp_clock: MockClock) -> None:
    async with open_rig(SETTINGS) as rig:
        reasons = iter(["first", "second"])
        rig.lobby.close(lambda: next(reasons))
        for reason in ("first", "second"):
            peer = await rig.start(logins.says_nothing)
            await peer.finished.wait()
            assert peer.done == reason
            assert peer.heard == [f"done:{reason}"]


async def test_remaining_time_counts_hands_of_this_dealer_only(jumping_clock: MockClock) -> None:
    """It has played 100 of 1000 hands in 10 s; 500 were played before, by a dealer that died."""
    players = [Player(id, id, id) for id in ("a", "b")]
    tournament = Tournament(Ledger(Settings(SEED, StudGame(), hands=1000), players), Journal(None))
    tournament.tables[0].hand_number = 600
    jumping_clock.jump(10.0)
    began = jumping_clock.current_time() - 10.0
    assert latecomers_reason(tournament, began, 500) == (
        "the tournament is at hand 600 of 1000; come back for the next one, in 40 s at the latest"
    )


seconds = st.floats(1e-6, 3600.0)


@given(times=st.lists(seconds, min_size=1, max_size=200), share=st.sampled_from([0.0, 0.01, 0.5, 0.9, 0.99, 1.0]))
def test_quantile_is_accurate_to_2_percent(times: list[float], share: float) -> None:
    histogram = ReplyTimes()
    for time in times:
        histogram.add(time)
    exact = sorted(times)[max(ceil(share * len(times)), 1) - 1]
    assert histogram.quantile(share) == pytest.approx(exact, rel=0.02)
    assert histogram.count == len(times)


def test_a_clock_without_resolution_counts_as_a_microsecond() -> None:
    for time in (0.0, -1e-9, 1e-9):
        histogram = ReplyTimes()
        histogram.add(time)
        assert histogram.quantile(0.5) == pytest.approx(1e-6, rel=0.02)


def test_no_replies_have_no_quantile_and_many_take_no_memory() -> None:
    histogram = ReplyTimes()
    assert (histogram.quantile(0.5), histogram.count) == (None, 0)
    for number in range(100_000):
        histogram.add(0.001 + number * 1e-6)
    assert len(histogram._counts) < 300


@given(times=st.lists(st.floats(1e-6, 100), max_size=200))
def test_spread_counts_and_adds_all_replies(times: list[float]) -> None:
    replies = ReplyTimes()
    for seconds in times:
        replies.add(seconds)
    bounds = (0.001, 0.1, 1.0)
    counts, total = replies.spread(bounds)
    assert sum(counts) == len(times)
    assert total == pytest.approx(sum(times), rel=0.021)
    for number, bound in enumerate(bounds):
        within = sum(counts[: number + 1])
        assert sum(seconds < bound * 0.979 for seconds in times) <= within
        assert within <= sum(seconds < bound * 1.021 for seconds in times)
