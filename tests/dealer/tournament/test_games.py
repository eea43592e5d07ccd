"""Games in a row, as Blockhead is played: announced, scored, and survived when a player does not."""

from dataclasses import replace

import pytest

from dealer.faults import FaultKind
from dealer.ledger.scores import Scores, scores_table
from dealer.settings import Settings
from protocol.games.base import Action, Bet, Status
from protocol.games.blockhead import BlockheadGame, BlockheadTurn
from protocol.wire.messages import GameInfo
from tests.dealer.support.rig import SEED, Client, by_chance, call, good_clients, open_rig, play

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


async def test_stacks_begin_anew_and_chips_are_conserved() -> None:
    clients = good_clients(3, by_chance(2))
    played = await play(clients, SETTINGS)
    scores = played.tournament.scores
    assert scores is not None
    finals = list(zip(*(scores.by_player[player].chips for player in played.tournament.players), strict=True))
    assert [sum(game) for game in finals] == [3000] * 3
    for score in scores.by_player.values():
        assert score.hands == 60
        assert score.won + score.drawn + score.lost == 3
        assert sum(score.gains) * 20 == pytest.approx(sum(score.chips) - 3000)


async def test_places_go_by_games_won_and_everybody_hears_how_it_went() -> None:
    clients = good_clients(2, by_chance(3))
    played = await play(clients, replace(SETTINGS, games=5))
    scores = played.tournament.scores
    assert scores is not None
    won = [scores.by_player[standing.player].won for standing in played.tournament.standings()]
    assert won == sorted(won, reverse=True)
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


async def test_the_table_of_scores_names_everybody() -> None:
    clients = good_clients(2, by_chance(4))
    played = await play(clients, SETTINGS)
    scores = played.tournament.scores
    assert isinstance(scores, Scores)
    assert scores_table(scores).row_count == 2


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
