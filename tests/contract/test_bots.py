"""Every game is played, checked, practised and shown on a page from nothing but its contract."""

from random import Random

import pytest

from bots.human.game_seat import plain_seat
from bots.human.local_table import LocalGame, Player, Setup
from bots.human.table_picture import painted
from bots.human.thread_bridge import Human, ThreadBridge
from bots.human.updates import Asked, Ended, News, Shown, Waiting
from bots.human.web.facts import scene_facts
from bots.simulation.engine import play
from bots.simulation.plan import Plan, SimulationError, pick_engine
from bots.strategies.random_bettor import RandomBettor
from dealer.checker.cases.deals import compliance_parts
from dealer.checker.cases.game_cases import find_cases
from dealer.checker.scoring.rubric import COMPLIANCE
from dealer.settings import Settings
from protocol.games.base import Bet
from protocol.games.game import Game
from protocol.wire.codec import decode_command, encode
from protocol.wire.text import load_text
from tests.contract.playouts import SEED
from tests.dealer.checker.played_deals import played
from tests.dealer.support import rig
from tests.dealer.support.rig import by_chance, good_clients
from tests.dealer.support.stage import Watch, open_stage


def test_simulation(game: Game) -> None:
    tally = play(pick_engine(Plan(("random", "caller"), game, 3, True, "contract"), "arena")).tally
    assert tally.plays == 6
    assert sum(player.won + player.drawn for player in tally.players) >= 6
    won, lost = (player.gains.total for player in tally.players)
    assert won == pytest.approx(-lost, abs=200)  # chips may wait in a tied pot


def test_missing_kernel_is_said_and_the_arena_plays(game: Game) -> None:
    plan = Plan(("random", "caller"), game, 3, True, "contract")
    assert pick_engine(plan, None).engine == "arena"
    with pytest.raises(SimulationError, match="kernel"):
        pick_engine(plan, "kernel")


def test_table_in_one_process(game: Game) -> None:
    news: list[News] = []

    def post(item: News) -> None:
        news.append(item)
        if isinstance(item, Asked):
            bridge.answer(item.number, Bet(item.turn.owed))
        if isinstance(item, Waiting):
            bridge.answer(item.number, None)

    bridge = ThreadBridge(post)
    players = [Player("you", Human(bridge)), Player("random", RandomBettor(Random(1)))]
    LocalGame(Setup(game, plain_seat(game), players, bridge, SEED, 0.0, 10)).run()
    assert isinstance(news[-1], Ended)
    assert news[-1].again, news[-1].reason
    scenes = [item.scene for item in news if isinstance(item, Shown)]
    assert all(len(scene.table.seats[0].hole) > 0 for scene in scenes)
    assert all(scene.table.seats[1].hole == () for scene in scenes if not scene.headline)
    assert any(scene.table.seats[1].hole for scene in scenes if scene.headline)
    assert all("pot" in painted(scene, 80, 15).plain for scene in scenes)
    assert all(scene_facts(scene)["players"] == ("you", "random") for scene in scenes)


HANDS = 60


def test_rules_deal_hands_of_all_kinds(game: Game) -> None:
    hands, questions, seats = 0, [], set()
    for deal in compliance_parts(game, "contract", HANDS)[-1].deals:
        hands += 1
        seats.add(len(deal.hand.starting))
        questions += [encode(asked.turn) for asked in played(deal)[0]]
    assert hands == HANDS
    assert len(seats) > 1 or len(game.seats) == 1
    verbs = load_text(game.name).commands.keys() - {"status"}
    assert {question.partition(":")[0] for question in questions} == verbs  # on all streets
    assert all(encode(decode_command(question, game.name)) == question for question in questions)


def test_every_game_has_cases_with_the_same_first_lines(game: Game) -> None:
    cases = find_cases(game.name)
    assert cases.rubric[: len(COMPLIANCE)] == COMPLIANCE
    assert cases.parts("contract", HANDS)[0].name == "how it talks"


async def test_the_page_shows_a_tournament(game: Game, watch: Watch, autojump_clock: object) -> None:
    async with open_stage(Settings(rig.SEED, game, hands=8), open_cards=True) as stage:
        await stage.rig.admit(*good_clients(2, by_chance(1)))
        stage.begin()
        assert stage.scene.tournament is not None
        await stage.scene.tournament.run()
        viewer = await watch(stage.port)
        events = dict(await viewer.next_events())
    assert events["scene"]["title"] == game.title
    assert events["scene"]["phase"] == "over"
    assert sum(row["score"] for row in events["board"]["rows"]) <= 2 * game.stack
    table = events["table"]
    assert table["over"]
    assert sum(seat.get("won", 0) for seat in table["seats"]) + table["carried"] == table["pot"]
    assert all(seat["hole"] for seat in table["seats"])
    assert any(seat.get("why") for seat in table["seats"]) or table["carried"]
