"""Each fault once, over TCP, at a table that plays on to its end without anybody else noticing."""

import pytest
from trio.testing import MockClock

from dealer.faults import FaultKind
from dealer.net.stalls import SWEEP_SECONDS
from dealer.settings import Settings
from protocol.games.stud import StudGame
from protocol.wire.messages import REASON_LENGTH
from tests.bad_bots import logins, manners, replies
from tests.dealer.support.rig import SEED, BadBot, Client, Played, good_clients, open_rig, play

STACK = 500
SETTINGS = Settings(SEED, hands=12, game=StudGame(STACK), limit=1.0)
FORBIDDEN_WORDS = ("login", "bet1", "bet2", "status")

FAULTS: list[tuple[BadBot, FaultKind, str]] = [
    (replies.late, FaultKind.LATE, "no complete reply to bet-1 came in 1.0"),
    (replies.half_a_frame, FaultKind.LATE, "no complete reply to bet-1 came in 1.0"),
    (replies.trickling, FaultKind.LATE, "no complete reply to bet-1 came in 1.0"),
    (replies.malformed, FaultKind.MALFORMED, "expected 'fold' or 'bet(colon)<chips>', got 'call'"),
    (replies.no_modified_utf8, FaultKind.MALFORMED, "not modified UTF-8"),
    (replies.oversized, FaultKind.OVERSIZED, "this port expects messages written with writeUTF"),
    (replies.bets_too_little, FaultKind.ILLEGAL, "but owe"),
    (replies.bets_too_much, FaultKind.ILLEGAL, "more than 10 above"),
    (replies.bets_beyond_its_stack, FaultKind.ILLEGAL, "but have only"),
    (replies.quits, FaultKind.QUIT, "you quit"),
    (replies.answers_twice, FaultKind.UNASKED, "send one reply to each question"),
    (manners.flood, FaultKind.UNASKED, "nothing was asked"),
    # A status travels with the next question, so an answer to it passes for the answer to that.
    (manners.answers_a_status, FaultKind.MALFORMED, "got 'thanks'"),
    (manners.says_goodbye_first, FaultKind.GONE, "the program closed the connection"),
]
CANNOT_HEAR: list[tuple[BadBot, FaultKind]] = [
    (manners.leaves_when_asked, FaultKind.GONE),
    (manners.leaves_while_waiting, FaultKind.GONE),
    (manners.breaks_the_connection, FaultKind.GONE),
    (manners.never_reads, FaultKind.LATE),
]


def check_the_others(played: Played, others: list[Client]) -> None:
    assert played.tournament.hand_number == SETTINGS.hands
    total = STACK * len(played.tournament.players)
    assert sum(played.chips.values()) == total
    assert played.chips["bad"] <= STACK, "the others lost chips to the fault"
    for client in others:
        assert played.faults(client.name.id) == []
        assert len(client.statuses) == SETTINGS.hands
        assert client.done is not None
        assert client.done.startswith("the tournament is over")
        # What TCP takes on loopback is time that the clock may jump over, a sweep at a time.
        assert client.longest_silence < SETTINGS.limit + 5 * SWEEP_SECONDS


@pytest.mark.parametrize(("bot", "kind", "reason"), FAULTS, ids=lambda value: getattr(value, "__name__", None))
async def test_fault_puts_its_player_out_and_nobody_else(
    bot: BadBot, kind: FaultKind, reason: str, tcp_clock: MockClock
) -> None:
    others = good_clients(3)
    played = await play([*others[:1], bot, *others[1:]], SETTINGS)
    assert played.faults("bad") == [kind.value]
    (peer,) = played.peers
    assert peer.done is not None
    assert peer.done.startswith("you are out; ")
    assert reason in peer.done
    assert len(peer.done) <= REASON_LENGTH
    assert not [word for word in FORBIDDEN_WORDS if word in peer.done.lower()]
    check_the_others(played, others)


@pytest.mark.parametrize(("bot", "kind"), CANNOT_HEAR, ids=lambda value: getattr(value, "__name__", None))
async def test_gone_or_deaf_program_is_out_and_nobody_else(bot: BadBot, kind: FaultKind, tcp_clock: MockClock) -> None:
    others = good_clients(3)
    played = await play([*others[:1], bot, *others[1:]], SETTINGS)
    assert played.faults("bad") == [kind.value]
    check_the_others(played, others)


@pytest.mark.parametrize("bot", [manners.leaves_after_done, manners.stays_after_done])
async def test_messages_after_done_are_no_fault(bot: BadBot, tcp_clock: MockClock) -> None:
    others = good_clients(3)
    played = await play([*others, bot], SETTINGS)
    assert played.faults("bad") == []
    assert played.peers[0].done is not None
    assert played.peers[0].done.startswith("the tournament is over")
    check_the_others(played, others)


LOGINS: list[tuple[BadBot, str]] = [
    (logins.bad_id, "the id 'no id' is not 1 to 39 letters, digits, '-' or '_'"),
    (logins.no_avatar, "expected '<id>(colon)<avatar>', got 'bad'"),
    (logins.duplicate_id, "the id 'good-1' is already seated; is another copy of your program running?"),
    (logins.not_on_the_roster, "the id 'stranger' is not on the roster; ask the instructor which id is yours"),
    (logins.says_nothing, "no complete reply to log-in came in 1.0"),
    (logins.browser, "this port expects frames of writeUTF, and HTTP came"),
]


@pytest.mark.parametrize(("bot", "reason"), LOGINS, ids=lambda value: getattr(value, "__name__", None))
async def test_failed_login_is_told_why_and_others_play(bot: BadBot, reason: str, tcp_clock: MockClock) -> None:
    others = good_clients(2)
    async with open_rig(SETTINGS, roster={client.name.id: "" for client in others}) as rig:
        await rig.admit(others[0])
        peer = await rig.start(bot)
        await rig.admit(others[1])
        standings = await rig.begin().run()
        await peer.finished.wait()
    assert peer.done is not None
    assert reason in peer.done
    assert sorted(standing.player.id for standing in standings) == ["good-1", "good-2"]
    assert [client.faults for client in (standing.player for standing in standings)] == [[], []]
    assert [len(client.statuses) for client in others] == [SETTINGS.hands] * 2


async def test_port_scan_leaves_no_trace(tcp_clock: MockClock) -> None:
    others = good_clients(2)
    async with open_rig(SETTINGS) as rig:
        for _ in range(5):
            await rig.start(logins.hangs_up)
        await rig.admit(*others)
        standings = await rig.begin().run()
    assert len(standings) == 2
