"""All tables in brief: who sits there, the pot, and the last stages of a tournament."""

from dealer.web.snapshot import numbers
from dealer.web.table_list import stage_of, table_list
from protocol.cards import DECK
from protocol.games.base import Bet
from tests.dealer.web.test_page_secrets import deal, stage


async def test_only_table_is_listed_without_its_pot() -> None:
    scene, tournament = stage("stud", 2)
    deal(tournament, DECK)
    assert table_list(tournament, numbers(scene)) == [[0, 1, 0, [[0, 500], [1, 500]]]]


async def test_pot_grows_with_every_bet_and_stays_after_the_hand() -> None:
    scene, tournament = stage("stud", 4, table_size=2)
    table = deal(tournament, DECK)
    pots = []
    for bet in (5, 5, 0, 0):
        pots.append(table_list(tournament, numbers(scene))[0][2])
        table.act(Bet(bet))
    table.finish()
    pots.append(table_list(tournament, numbers(scene))[0][2])
    assert pots == [2, 7, 12, 12, 12]
    assert table_list(tournament, numbers(scene))[1] == [1, 0, 0, [[1, 500], [3, 500]]]


async def test_stages_follow_each_other_as_players_leave() -> None:
    scene, tournament = stage("stud", 6, table_size=3, games=1)
    first, second = tournament.tables

    def leave(number: int) -> str | None:
        tournament.ledger.leave(tournament.players[number], 1, 500, "you are out: broke")
        for table in (first, second):
            tournament.ledger.tidy(table)
        return stage_of(tournament)

    assert stage_of(tournament) is None
    assert [leave(number) for number in (1, 3, 5, 0, 2)] == [None, None, "final", "heads-up", None]
    assert [row[0] for row in table_list(tournament, numbers(scene))]


async def test_games_without_knock_outs_have_no_final_table() -> None:
    _, tournament = stage("stud", 2, games=1)
    assert stage_of(tournament) is None
