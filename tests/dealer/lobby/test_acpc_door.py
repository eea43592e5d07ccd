"""The port for programs of the ACPC, over real sockets: names, mixed tables, and every mistake."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import trio
from trio.testing import MockClock

from dealer.desk.view import DeskView
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.standings import Standing
from dealer.settings import AcpcTerms, Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.games.base import FOLD, Bet
from protocol.wire.messages import Name
from tests.acpc_client.player import answer
from tests.bad_bots.peer import Peer
from tests.dealer.support.acpc_players import (
    ACPC,
    SLOW_SECONDS,
    Change,
    admit,
    connect,
    exported,
    forbidden,
    play_acpc_on,
    play_on,
    player,
    slow,
    unchanged,
)
from tests.dealer.support.recorded import read_records, rebuilt
from tests.dealer.support.rig import Client, Rig, call, open_rig

Program = Callable[[Peer], Awaitable[None]]


async def play(*programs: Program, settings: Settings = ACPC) -> tuple[Tournament, list[Peer], list[Standing]]:
    """A tournament between these programs, and what they heard."""
    async with open_rig(settings) as rig:
        peers = await admit(rig, *programs)
        tournament = rig.begin()
        return tournament, peers, await tournament.run()


def faults(tournament: Tournament, number: int) -> list[tuple[str, str]]:
    return [(fault.kind.value, fault.reason) for fault in tournament.players[number].faults]


async def test_two_programs_play_and_are_told_every_state(tcp_clock: MockClock) -> None:
    tournament, peers, standings = await play(player(), player(seed=2))
    assert [player.id for player in tournament.players] == ["acpc-1", "acpc-2"]
    assert not any(player.faults for player in tournament.players)
    assert sum(standing.chips for standing in standings) == 2 * 1000
    for place, peer in enumerate(peers):
        *states, last = peer.heard
        assert last.startswith("# the tournament is over; you are number ")
        hands = [line.split(":")[2] for line in states]
        assert sorted(set(hands), key=int) == [str(number) for number in range(12)]
        first = [line for line in states if line.split(":")[3] == ""]
        assert [line.split(":")[1] for line in first] == [str((place + 1 + hand) % 2) for hand in range(12)]
    # Both are told the same betting, state by state.
    heard = [[tuple(line.split(":")[2:4]) for line in peer.heard[:-1]] for peer in peers]
    assert heard[0] == heard[1]


async def test_program_of_text_sits_beside_programs_of_the_acpc(tcp_clock: MockClock) -> None:
    """The text program is asked as ever; the others see its actions as those of one of theirs."""
    text = Client(Name("text", "Text"), call)
    async with open_rig(replace(ACPC, hands=20)) as rig:
        await rig.admit(text)
        (peer,) = await admit(rig, player())
        tournament = rig.begin()
        await tournament.run()
    assert [player.id for player in tournament.players] == ["text", "acpc-1"]
    assert not any(player.faults for player in tournament.players)
    assert len(text.statuses) == 20
    assert len({line.split(":")[2] for line in peer.heard[:-1]}) == 20


async def test_answers_between_the_pauses_of_a_show_are_taken(tcp_clock: MockClock) -> None:
    """A program answers each state at once, also where a pause between two actions lets the audience look."""
    async with open_rig(replace(ACPC, hands=2)) as rig:
        await admit(rig, player(), player(seed=2))
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(20)
        began = trio.current_time()
        await tournament.run()
        assert trio.current_time() - began > 5
    assert not any(player.faults for player in tournament.players)
    assert tournament.hands_finished == 2


async def test_forbidden_actions_are_corrected_and_counted(tcp_clock: MockClock) -> None:
    tournament, _, _ = await play(player(), player(forbidden, seed=2))
    assert faults(tournament, 0) == []
    told = faults(tournament, 1)
    assert ("corrected", "it folded although nothing was owed") in told
    assert any(reason.startswith("it raised to 1, and a raise could be to ") for _, reason in told)
    assert {kind for kind, _ in told} == {"corrected"}
    assert tournament.players[1].left is None


async def test_strict_puts_out_for_a_forbidden_action(tcp_clock: MockClock) -> None:
    def raise_little(line: str, reply: str) -> str:
        return f"{line}:r11"

    strict = replace(ACPC, acpc=AcpcTerms(strict=True))
    tournament, peers, _ = await play(player(), player(raise_little), settings=strict)
    ((kind, reason),) = faults(tournament, 1)
    assert kind == "illegal"
    assert reason.startswith("it raised to 11, and a raise could be to ")
    assert peers[1].heard[-1] == f"# you are out: {reason}"


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        (lambda line, _: f"{line}:x", "malformed", "expected 'f', 'c' or 'r' and a number of chips"),
        (lambda line, _: "bet:10", "malformed", "expected 'MATCHSTATE:<position>:<hand>:<betting>:<cards>:<action>'"),
        (lambda line, _: f"{line}:c".replace("MATCHSTATE:", "MATCHSTATE:1"), "malformed", "expected 'MATCHSTATE:"),
        (lambda line, _: f"{line}:{'c' * 5000}", "oversized", "a line of more than the 4096 bytes accepted"),
        (lambda line, _: f"{line}:c\n" * 60_000, "flood", "came within a second"),
    ],
)
async def test_malformed_answer_puts_out_with_a_reason(
    change: Change, kind: str, reason: str, tcp_clock: MockClock
) -> None:
    tournament, peers, standings = await play(player(), player(change))
    ((found, told),) = faults(tournament, 1)
    assert found == kind
    assert reason in told
    assert faults(tournament, 0) == []
    assert peers[0].heard[-1].startswith("# the tournament is over; you are number 1 of 2")
    assert [standing.player.id for standing in standings] == ["acpc-1", "acpc-2"]
    # A program that sends without reading may be gone before it reads why.
    assert kind == "flood" or peers[1].heard[-1].startswith("# you are out")


async def test_late_answer_takes_a_life_and_is_ignored_when_it_comes(tcp_clock: MockClock) -> None:
    """With a life left the program plays on: its late answer names an older state, so nothing must be counted."""
    slept = False

    async def sleepy(peer: Peer) -> None:
        nonlocal slept
        await peer.say("VERSION:2.0.0")
        chance = Random(1)
        while (line := await peer.hear()) is not None:
            reply = answer(line, chance) if line.startswith("MATCHSTATE:") else None
            if reply is not None and not slept:
                slept = True
                await trio.sleep(9)
            if reply is not None:
                await peer.say(reply)

    tournament, _, _ = await play(player(), sleepy, settings=replace(ACPC, lives=2))
    ((kind, reason),) = faults(tournament, 1)
    assert kind == "late"
    assert "every reply is due within 7 s" in reason
    assert tournament.players[1].left is None
    assert faults(tournament, 0) == []


def out_of_time(tournament: Tournament, number: int) -> str:
    """Make sure that a player of 12 hands was put out for using up 0.25 s a hand; the reason."""
    ((kind, reason),) = faults(tournament, number)
    assert kind == "late"
    rule = "the 3 s that the answers of a player may take over 12 hands, 0.25 s a hand on average"
    found = re.fullmatch(rf"no complete reply came in \d\.\d\d s; only (\d\.\d\d) s were left of {rule}", reason)
    assert found is not None, reason
    assert float(found[1]) < SLOW_SECONDS
    assert tournament.players[number].left is not None
    return reason


async def test_time_of_all_answers_is_limited_by_an_average(tcp_clock: MockClock) -> None:
    """13 answers of 0.22 s are in time, and the next is not, although each may take 7 s."""
    settings = replace(ACPC, lives=3, acpc=AcpcTerms(average=0.25))
    tournament, peers, _ = await play(player(), slow, settings=settings)
    reason = out_of_time(tournament, 1)
    assert peers[1].heard[-1] == f"# you are out: {reason}"
    assert 3 - SLOW_SECONDS < tournament.players[1].reply_times.total <= 3
    assert faults(tournament, 0) == []
    scene = Scene(NewTournament(settings, 2), tournament=tournament)
    used = [(facts["seconds_used"], facts["seconds_allowed"]) for facts in DeskView(scene).players()]
    assert used == [(pytest.approx(player.reply_times.total, abs=0.001), 3.0) for player in tournament.players]


async def test_time_used_before_a_resumption_counts(tmp_path: Path, tcp_clock: MockClock) -> None:
    path, settings = tmp_path / "j", replace(ACPC, acpc=AcpcTerms(average=0.25))
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        await admit(rig, player(), slow)
        tournament = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            while not tournament.hands_finished:
                await trio.sleep(0.1)
            tournament.suspend()
    assert tournament.players[1].reply_times.total > 0
    resumed = await play_acpc_on(path, player(), slow)
    out_of_time(resumed, 1)
    assert resumed.players[1].left_in > 1
    assert 3 - SLOW_SECONDS < resumed.players[1].reply_times.total <= 3


async def leaves(peer: Peer) -> None:
    await peer.say("VERSION:2.0.0")
    await peer.hear()
    await peer.stream.aclose()


async def test_program_that_hangs_up_is_out_and_the_others_play_on(tcp_clock: MockClock) -> None:
    text = Client(Name("text", "Text"), call)
    async with open_rig(replace(ACPC, hands=8)) as rig:
        await rig.admit(text)
        await admit(rig, leaves)
        other = Client(Name("other", "Other"), call)
        await rig.admit(other)
        tournament = rig.begin()
        await tournament.run()
    assert [fault.kind.value for fault in tournament.players[1].faults] == ["gone"]
    assert len(text.statuses) == len(other.statuses) == 8


async def refused(rig: Rig, *lines: bytes) -> str:
    """What a program is told that sends these lines instead of a version."""
    peer = await connect(rig)
    async with peer.stream:
        for line in lines:
            await peer.send(line)
        await peer.hear_out()
    return peer.heard[0]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"VERSION:1.0.0\r\n", "# expected 'VERSION:2.0.0' as the first line, got 'VERSION:1.0.0'"),
        (b"al:Al\n", "# expected 'VERSION:2.0.0' as the first line, got 'al:Al'"),
        (
            b"GET / HTTP/1.1\r\n",
            "# this port expects a program of the ACPC that says VERSION:2.0.0 first, and HTTP",
        ),
        (b"x" * 5000, "# a line of more than the 4096 bytes accepted; end each message with a newline"),
    ],
)
async def test_other_first_line_is_refused(sent: bytes, told: str, tcp_clock: MockClock) -> None:
    async with open_rig(ACPC) as rig:
        assert (await refused(rig, sent)).startswith(told)
        assert not rig.lobby.players


async def test_silence_at_the_login_is_told(tcp_clock: MockClock) -> None:
    async with open_rig(ACPC) as rig:
        told = await refused(rig)
    assert told.startswith("# no complete reply came in 7.")
    assert told.endswith("this port expects a program of the ACPC that says VERSION:2.0.0 first")


async def test_programs_get_the_names_of_their_host_in_order(tcp_clock: MockClock) -> None:
    async with open_rig(replace(ACPC, acpc=AcpcTerms(("ann", "bob")))) as rig:
        await admit(rig, player(), player())
        assert [player.id for player in rig.lobby.players] == ["ann", "bob"]
        assert await refused(rig, b"VERSION:2.0.0\r\n") == "# all names of programs that give none are taken"
        (failed,) = rig.lobby.failed_logins.latest
        assert failed.kind == "full"


async def test_number_is_free_again_when_its_program_left(tcp_clock: MockClock) -> None:
    async with open_rig(ACPC) as rig:
        first, _ = await admit(rig, player(), player())
        assert isinstance(first.stream, trio.SocketStream)
        await first.stream.send_eof()
        while len(rig.lobby.players) > 1:
            await rig.lobby.changed()
        await admit(rig, player())
        assert [player.id for player in rig.lobby.players] == ["acpc-2", "acpc-1"]


async def test_id_that_is_not_on_the_roster_is_refused(tcp_clock: MockClock) -> None:
    async with open_rig(replace(ACPC, acpc=AcpcTerms(("ann", "zoe"))), roster={"zoe": "Zoe"}) as rig:
        await admit(rig, player())
        assert [player.id for player in rig.lobby.players] == ["zoe"]


async def test_program_comes_back_during_the_tournament(tcp_clock: MockClock) -> None:
    """With a time to come back, a new connection takes the place of the one that was lost."""
    async with open_rig(replace(ACPC, rejoin=50.0)) as rig:
        await admit(rig, player(), leaves)
        tournament = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            while tournament.players[1].seat is not None:
                await trio.sleep(0.01)
            again = await connect(rig)
            async with again.stream:
                await again.say("VERSION:2.0.0")
                await play_on(again, unchanged)
    assert again.heard[-1].startswith("# the tournament is over; you are number ")
    assert not any(player.faults for player in tournament.players)


async def test_nobody_else_is_thrown_out_when_a_program_leaves_with_nothing_owed(
    tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its seat checks while it owes nothing, and folds at the first bet; text programs that fold so check, too."""

    async def leaves(peer: Peer) -> None:
        await peer.say("VERSION:2.0.0")
        while (line := await peer.hear()) is not None:
            reply = answer(line, Random(1))
            if reply is not None and "/" in line.split(":")[3]:
                break
            await peer.say(f"{line}:c")
        await peer.stream.aclose()

    path, text = tmp_path / "j", Client(Name("text", "Text"), lambda turn: Bet(turn.owed) if turn.owed else FOLD)
    settings = replace(ACPC, hands=20)
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        await admit(rig, player(), leaves, player(seed=2))
        await rig.admit(text)
        tournament = rig.begin()
        await tournament.run()
    assert [fault.kind.value for fault in tournament.players[1].faults] == ["gone"]
    assert not faults(tournament, 0) + faults(tournament, 2)
    assert set(faults(tournament, 3)) == {("corrected", "it folded although nothing was owed")}
    hands = [hand for hand in read_records(path) if hand["type"] == "hand"]
    by_dealer = [chips for hand in hands for _, chips, microseconds in hand["actions"] if microseconds is None]
    assert by_dealer[0] == 0
    assert rebuilt(path).ended
    assert len(exported(path, capsys)) == settings.hands + 1
