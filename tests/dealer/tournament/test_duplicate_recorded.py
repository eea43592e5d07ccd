"""Duplicate tournaments over sockets: what their journal leads to is what the dealer had."""

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import pytest
from scipy.stats import t as student_distribution
from trio.testing import MockClock

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.columns import facts_of
from protocol.games.base import Status
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stud import StudGame
from protocol.wire.messages import GameInfo
from tests.bad_bots import replies
from tests.dealer.ledger.test_duplicate import deal_scores, duplicate
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import rebuilt
from tests.dealer.support.rig import BadBot, Client, Played, good_clients, play
from tests.dealer.support.table_without_sockets import temper

GAMES = [StudGame(100), BlockheadGame(hands=4)]
DEALS = 6


def clients(count: int) -> list[Client]:
    named = good_clients(count)
    for salt, client in enumerate(named):
        client.decide = temper(salt)
    return named


async def play_recorded(path: Path, game: Game, players: Sequence[Client | BadBot]) -> Played:
    async with open_journal(AppendFile.create(path)) as journal:
        return await play(players, duplicate(game, DEALS), journal)


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
    played = await play_recorded(path, game, [*clients(3), replies.bets_too_much])
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
    played = await play_recorded(tmp_path / "duplicate.journal", BlockheadGame(hands=4), players)
    for number, client in enumerate(players):
        seats = [int(dict(news.facts)["seat"]) for news in client.heard if isinstance(news, GameInfo)]
        assert seats == [(number - rotation) % 3 for rotation in range(3) for _ in range(DEALS)]
        assert sum(isinstance(news, Status) for news in client.heard) == 3 * DEALS * 4
        chips = played.chips[client.name.id]
        assert client.done is not None
        assert client.done.endswith(f"you won {chips} chips in {DEALS} complete deals")
