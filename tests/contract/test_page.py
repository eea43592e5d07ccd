"""The page of a hosted tournament of every game."""

from collections.abc import AsyncIterator

import pytest

from dealer.settings import Settings
from protocol.games.game import Game
from tests.dealer.support.rig import SEED, by_chance, good_clients
from tests.dealer.support.stage import Watch, open_stage


@pytest.fixture
async def watch() -> AsyncIterator[Watch]:
    watch = Watch()
    yield watch
    await watch.close()


async def test_the_page_shows_a_tournament(game: Game, watch: Watch, autojump_clock: object) -> None:
    async with open_stage(Settings(SEED, game, hands=8), open_cards=True) as stage:
        await stage.rig.admit(*good_clients(2, by_chance(1)))
        stage.begin()
        assert stage.scene.tournament is not None
        await stage.scene.tournament.run()
        viewer = await watch(stage.port)
        events = dict(await viewer.next_events())
    assert events["scene"]["title"] == game.title
    assert events["scene"]["phase"] == "over"
    assert sum(row[2] for row in events["board"]["rows"]) <= 2 * game.stack
    table = events["table"]
    assert table["over"]
    assert sum(seat.get("won", 0) for seat in table["seats"]) + table["carried"] == table["pot"]
    assert all(seat["hole"] for seat in table["seats"])
    assert any(seat.get("why") for seat in table["seats"]) or table["carried"]
