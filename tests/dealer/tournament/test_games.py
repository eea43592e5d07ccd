"""Games in a row, lives, and each fault once, at a table that plays on without anybody else noticing.

Duplicate tournaments, too: what their journal leads to is what the dealer had.
"""

from collections import defaultdict
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest
import trio
from scipy.stats import t as student_distribution
from trio.testing import MockClock

from dealer.faults import FaultKind
from dealer.ledger.columns import facts_of
from dealer.ledger.scores import Scores, scores_table
from dealer.net.seat import CLOSING_SECONDS
from dealer.net.stalls import SWEEP_SECONDS
from dealer.settings import Settings
from protocol.games.base import Action, Bet, Status
from protocol.games.blockhead import BlockheadGame, BlockheadTurn
from protocol.games.game import Game
from protocol.games.stud import StudGame
from protocol.wire.messages import REASON_LENGTH, GameInfo
from tests.bad_bots import logins, manners, replies
from tests.bad_bots.peer import Peer
from tests.dealer.ledger.test_duplicate import deal_scores, duplicate, temper
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import play_recorded, rebuilt
from tests.dealer.support.rig import SEED, BadBot, Client, Played, by_chance, call, good_clients, open_rig, play

SETTINGS = Settings(SEED, game=BlockheadGame(), hands=20, games=3, table_size=6)


async def test_each_game_is_announced_with_the_players_seat() -> None:
    clients = good_clients(2, by_chance(1))
    await play(clients, SETTINGS)
    for seat, client in enumerate(clients):
        news = [command for command in client.heard if isinstance(command, GameInfo | Status)]
        starts = [place for place, command in enumerate(news) if isinstance(command, GameInfo)]
        assert starts == [0, 21, 42]
        info = news[0]
        assert isinstance(info, GameInfo)
        assert info.name == "blockhead"
        assert dict(info.facts) == {
            **{"seat": str(seat), "players": "2", "stack": "1000", "hands": "20", "ranks": "blockhead"},
            **{"buyin": "10", "raise": "10", "raises": "3"},
        }


async def test_places_go_by_games_won_and_everybody_hears_how_it_went() -> None:
    clients = good_clients(2, by_chance(3))
    played = await play(clients, replace(SETTINGS, games=5))
    scores = played.tournament.scores
    assert isinstance(scores, Scores)
    won = [scores.by_player[standing.player].won for standing in played.tournament.standings()]
    assert won == sorted(won, reverse=True)
    assert scores_table(played.tournament.standings(), scores).row_count == 2
    for client in clients:
        assert client.done is not None
        assert "you won" in client.done
        assert "of 2" in client.done


async def test_player_who_is_out_loses_the_game() -> None:
    def bets_too_much(turn: BlockheadTurn) -> Action:
        return Bet(500)

    clients = [*good_clients(1, call), Client(replace(good_clients(1)[0].name, id="rude"), bets_too_much)]
    played = await play(clients, SETTINGS)
    scores = played.tournament.scores
    assert scores is not None
    good, rude = played.tournament.players
    assert [fault.kind for fault in rude.faults] == [FaultKind.ILLEGAL]
    assert (scores.by_player[good].won, scores.by_player[rude].lost) == (1, 1)
    assert sum(score.chips[0] for score in scores.by_player.values()) == 2000


async def test_stopping_leaves_the_game_under_way_uncounted() -> None:
    clients = good_clients(2, by_chance(5))
    async with open_rig(replace(SETTINGS, games=50)) as rig:
        await rig.admit(*clients)
        tournament = rig.begin()
        decide = clients[0].decide

        def stop_in_the_second_game(turn: BlockheadTurn) -> Action:
            if tournament.hand_number == 30:
                tournament.stop_after_hand()
            return decide(turn)

        clients[0].decide = stop_in_the_second_game
        await tournament.run()
    assert tournament.scores is not None
    assert (tournament.scores.games, tournament.hand_number) == (1, 30)


WITH_LIVES = Settings(SEED, hands=12, game=StudGame(500), limit=1.0, lives=3)


@pytest.mark.parametrize(
    ("text", "times", "kind"),
    [
        ("call", 1, FaultKind.MALFORMED),
        ("bet:999999999", 1, FaultKind.ILLEGAL),
        ("", 0, FaultKind.LATE),
        ("fold", 2, FaultKind.UNASKED),
    ],
)
async def test_two_faults_are_forgiven_and_the_third_puts_out(
    text: str, times: int, kind: FaultKind, tcp_clock: MockClock
) -> None:
    async def bot(peer: Peer) -> None:
        await peer.log_in(replies.NAME)
        while await peer.hear_question():
            await peer.send(peer.framing.encode(text) * times)

    clients = good_clients(2)
    played = await play([*clients, bot], WITH_LIVES)
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
    played = await play([*clients, late_twice], WITH_LIVES)
    assert played.faults("bad") == ["late", "late"]
    (player,) = (player for player in played.tournament.players if player.id == "bad")
    assert player.lives == 1
    assert player.left is None
    assert player.decisions >= 8
    assert played.peers[0].done is not None
    assert played.peers[0].done.startswith("the tournament is over")


@pytest.mark.parametrize(
    ("bot", "faults"),
    [
        (replies.oversized, [FaultKind.OVERSIZED]),
        (manners.leaves_when_asked, [FaultKind.GONE]),
        (manners.flood, [FaultKind.UNASKED] * 3),
    ],
)
async def test_what_lives_forgive(bot: BadBot, faults: list[FaultKind], tcp_clock: MockClock) -> None:
    clients = good_clients(2)
    began = trio.current_time()
    played = await play([*clients, bot], WITH_LIVES)
    assert played.faults("bad") == [kind.value for kind in faults]
    assert trio.current_time() - began < CLOSING_SECONDS + 1
    assert [len(client.statuses) for client in clients] == [12, 12]


async def test_lives_count_over_the_whole_tournament(tcp_clock: MockClock) -> None:
    async def every_third(peer: Peer) -> None:
        await peer.log_in(replies.NAME)
        questions = 0
        while await peer.hear_question():
            questions += 1
            await peer.say("nonsense" if questions % 3 == 0 else "fold")

    played = await play([*good_clients(2), every_third], replace(WITH_LIVES, hands=30))
    assert played.faults("bad") == ["malformed"] * 3


STACK = 500
TWELVE_HANDS = Settings(SEED, hands=12, game=StudGame(STACK), limit=1.0)
FORBIDDEN_WORDS = ("login", "bet1", "bet2", "status")

FAULTS: list[tuple[BadBot, FaultKind, str | None]] = [
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
    # These cannot hear why.
    (manners.leaves_when_asked, FaultKind.GONE, None),
    (manners.leaves_while_waiting, FaultKind.GONE, None),
    (manners.breaks_the_connection, FaultKind.GONE, None),
    (manners.never_reads, FaultKind.LATE, None),
]


def check_the_others(played: Played, others: list[Client]) -> None:
    assert played.tournament.hand_number == TWELVE_HANDS.hands
    total = STACK * len(played.tournament.players)
    assert sum(played.chips.values()) == total
    assert played.chips["bad"] <= STACK, "the others lost chips to the fault"
    for client in others:
        assert played.faults(client.name.id) == []
        assert len(client.statuses) == TWELVE_HANDS.hands
        assert client.done is not None
        assert client.done.startswith("the tournament is over")
        # What TCP takes on loopback is time that the clock may jump over, a sweep at a time.
        assert client.longest_silence < TWELVE_HANDS.limit + 5 * SWEEP_SECONDS


@pytest.mark.parametrize(("bot", "kind", "reason"), FAULTS, ids=lambda value: getattr(value, "__name__", None))
async def test_fault_puts_its_player_out_and_nobody_else(
    bot: BadBot, kind: FaultKind, reason: str | None, tcp_clock: MockClock
) -> None:
    others = good_clients(3)
    played = await play([*others[:1], bot, *others[1:]], TWELVE_HANDS)
    assert played.faults("bad") == [kind.value]
    check_the_others(played, others)
    if reason is None:
        return
    (peer,) = played.peers
    assert peer.done is not None
    assert peer.done.startswith("you are out; ")
    assert reason in peer.done
    assert len(peer.done) <= REASON_LENGTH
    assert not [word for word in FORBIDDEN_WORDS if word in peer.done.lower()]


@pytest.mark.parametrize("bot", [manners.leaves_after_done, manners.stays_after_done])
async def test_messages_after_done_are_no_fault(bot: BadBot, tcp_clock: MockClock) -> None:
    others = good_clients(3)
    played = await play([*others, bot], TWELVE_HANDS)
    assert played.faults("bad") == []
    assert played.peers[0].done is not None
    assert played.peers[0].done.startswith("the tournament is over")
    check_the_others(played, others)


async def test_port_scan_leaves_no_trace(tcp_clock: MockClock) -> None:
    others = good_clients(2)
    async with open_rig(TWELVE_HANDS) as rig:
        for _ in range(5):
            await rig.start(logins.hangs_up)
        await rig.admit(*others)
        standings = await rig.begin().run()
    assert len(standings) == 2


GAMES = [StudGame(100), BlockheadGame(hands=4)]
DEALS = 6


def clients(count: int) -> list[Client]:
    named = good_clients(count)
    for salt, client in enumerate(named):
        client.decide = temper(salt)
    return named


def chips_by_deal(path: Path) -> dict[int, list[list[int]]]:
    """From the payoffs in a journal alone: by player and deal, what each rotation brought."""
    chips: dict[tuple[int, int], int] = defaultdict(int)
    game = 0
    for record in read_raw(path):
        game += record["type"] == "game"
        if record["type"] == "hand":
            for player, payoff in zip(record["players"], record["payoffs"], strict=True):
                chips[player, game - 1] += payoff
    players, rotations = {player for player, _ in chips}, game // DEALS
    return {
        player: [[chips[player, deal + DEALS * rotation] for rotation in range(rotations)] for deal in range(DEALS)]
        for player in players
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
async def test_scores_follow_from_the_journal_with_a_player_out(
    game: Game, tmp_path: Path, tcp_clock: MockClock
) -> None:
    """When it is rebuilt, and from the payoffs in it alone."""
    path = tmp_path / "duplicate.journal"
    played = await play_recorded(path, [*clients(3), replies.bets_too_much], duplicate(game, DEALS))
    rebuild = rebuilt(path)
    assert rebuild.ended
    assert [facts_of(standing)["id"] for standing in rebuild.ledger.standings()] == [
        standing.player.id for standing in played.standings
    ]
    live, again = deal_scores(played.tournament.ledger), deal_scores(rebuild.ledger)
    assert list(again.by_player.values()) == list(live.by_player.values())
    for player, deals in chips_by_deal(path).items():
        assert [len(rotations) for rotations in deals] == [4] * DEALS
        means = [sum(deal) / 4 for deal in deals]
        mean = sum(means) / DEALS
        of_mean = sum((value - mean) ** 2 for value in means) / (DEALS - 1)
        result = live.by_player[played.tournament.players[player]].result
        half = student_distribution.ppf(0.975, DEALS - 1) * sqrt(of_mean / DEALS)
        assert result.deals == DEALS
        assert result.chips_per_deal == pytest.approx(mean)
        expected = pytest.approx((mean - half, mean + half), abs=1e-6)
        assert result.interval == (expected if len(set(means)) > 1 else None)
    (end,) = (record for record in read_raw(path) if record["type"] == "end")
    assert [standing["chips"] for standing in end["standings"]] == [standing.chips for standing in played.standings]
    assert sum(standing["chips"] for standing in end["standings"]) == 0
    assert end["standings"][-1]["faults"][0]["kind"] == "illegal"


async def test_everybody_hears_the_seat_of_each_rotation_and_the_end(tmp_path: Path) -> None:
    players = clients(3)
    played = await play_recorded(tmp_path / "duplicate.journal", players, duplicate(BlockheadGame(hands=4), DEALS))
    for number, client in enumerate(players):
        seats = [int(dict(news.facts)["seat"]) for news in client.heard if isinstance(news, GameInfo)]
        assert seats == [(number - rotation) % 3 for rotation in range(3) for _ in range(DEALS)]
        assert sum(isinstance(news, Status) for news in client.heard) == 3 * DEALS * 4
        chips = played.chips[client.name.id]
        assert client.done is not None
        assert client.done.endswith(f"you won {chips} chips in {DEALS} complete deals")
