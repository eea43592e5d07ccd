"""With lives to spare a fault folds the hand and is forgiven; the last one puts its player out."""

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from dealer.faults import FaultKind
from dealer.net.seat import CLOSING_SECONDS
from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.bad_bots import manners, replies
from tests.bad_bots.peer import Peer
from tests.dealer.support.rig import SEED, BadBot, good_clients, play

SETTINGS = Settings(SEED, hands=12, game=StudGame(500), limit=1.0, lives=3)


async def answers(peer: Peer, wrong: bytes) -> None:
    """Give a wrong answer to every question."""
    await peer.log_in(replies.NAME)
    while await peer.hear_question():
        await peer.send(wrong)


async def malformed(peer: Peer) -> None:
    await answers(peer, peer.framing.encode("call"))


async def illegal(peer: Peer) -> None:
    await answers(peer, peer.framing.encode("bet:999999999"))


async def silent(peer: Peer) -> None:
    await answers(peer, b"")


async def twice(peer: Peer) -> None:
    await answers(peer, peer.framing.encode("fold") * 2)


@pytest.mark.parametrize(
    ("bot", "kind"),
    [
        (malformed, FaultKind.MALFORMED),
        (illegal, FaultKind.ILLEGAL),
        (silent, FaultKind.LATE),
        (twice, FaultKind.UNASKED),
    ],
)
async def test_two_faults_are_forgiven_and_the_third_puts_out(
    bot: BadBot, kind: FaultKind, tcp_clock: MockClock
) -> None:
    clients = good_clients(2)
    played = await play([*clients, bot], SETTINGS)
    assert played.faults("bad") == [kind.value] * 3
    (peer,) = played.peers
    assert peer.done is not None
    assert peer.done.startswith("you are out; ")
    # Each forgiven fault cost its hand and no more: the ante, as nothing had been put in.
    assert played.chips["bad"] == 500 - 3
    assert sum(played.chips.values()) == 1500
    assert [len(client.statuses) for client in clients] == [12, 12]


async def late_twice(peer: Peer) -> None:
    """Answers its first two questions a moment too late, and all others with a fold."""
    await peer.log_in(replies.NAME)
    questions = 0
    while await peer.hear_question():
        questions += 1
        if questions <= 2:
            await trio.sleep(1.2)
            await peer.say("bet:999999999")  # never to be taken for the answer to a later question
        else:
            await peer.say("fold")


async def test_late_replies_are_swallowed(tcp_clock: MockClock) -> None:
    clients = good_clients(2)
    played = await play([*clients, late_twice], SETTINGS)
    assert played.faults("bad") == ["late", "late"]
    (player,) = (player for player in played.tournament.players if player.id == "bad")
    assert player.lives == 1
    assert player.left is None
    assert player.decisions >= 8
    assert played.peers[0].done is not None
    assert played.peers[0].done.startswith("the tournament is over")


@pytest.mark.parametrize(
    ("bot", "kind"),
    [(replies.oversized, FaultKind.OVERSIZED), (manners.leaves_when_asked, FaultKind.GONE)],
)
async def test_unreadable_program_is_out_despite_lives(bot: BadBot, kind: FaultKind, tcp_clock: MockClock) -> None:
    clients = good_clients(2)
    played = await play([*clients, bot], SETTINGS)
    assert played.faults("bad") == [kind.value]
    assert [len(client.statuses) for client in clients] == [12, 12]


async def test_lives_count_over_the_whole_tournament(tcp_clock: MockClock) -> None:
    async def every_third(peer: Peer) -> None:
        await peer.log_in(replies.NAME)
        questions = 0
        while await peer.hear_question():
            questions += 1
            await peer.say("nonsense" if questions % 3 == 0 else "fold")

    played = await play([*good_clients(2), every_third], replace(SETTINGS, hands=30))
    assert played.faults("bad") == ["malformed"] * 3


async def test_a_flood_costs_a_life_a_question(tcp_clock: MockClock) -> None:
    clients = good_clients(2)
    began = trio.current_time()
    played = await play([*clients, manners.flood], SETTINGS)
    assert played.faults("bad") == ["unasked"] * 3
    assert trio.current_time() - began < CLOSING_SECONDS + 1
    assert [len(client.statuses) for client in clients] == [12, 12]
