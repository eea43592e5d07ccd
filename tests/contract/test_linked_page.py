"""A page in a process of its own shows of every game what a page in the dealer's process shows."""

from contextlib import ExitStack

import pytest
import trio
from trio.testing import MockClock

from dealer.feed.subscriber import pack
from dealer.feed.told import Told
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.board import Board
from dealer.web.link import DealerLink, Place, game_of
from protocol.games.game import Game
from tests.dealer.support.rig import HOST, SEED, by_chance, good_clients, open_rig
from tests.dealer.support.stage import NearPages
from tests.dealer.web.test_page_secrets import parts


@pytest.mark.parametrize(("pace", "duplicate"), [(0.0, True), (2.5, False)])
async def test_linked_board_is_the_dealers_own(game: Game, pace: float, duplicate: bool, tcp_clock: MockClock) -> None:
    """Whatever the tempo, from the lobby to the end, and for one that comes in the middle of it."""
    settings = Settings(SEED, game, hands=4, games=2, duplicate=duplicate)
    async with open_rig(settings) as rig, trio.open_nursery() as nursery:
        scene = Scene(rig.opening, journal=rig.journal)
        view = NearPages(scene)
        boards = [Board(lambda _: game), *(Board(game_of) for _ in range(2))]
        view.join(boards[0].hear)
        links = [DealerLink(Place(HOST, 0), "", board, print) for board in boards[1:]]

        def tell(link: DealerLink, told: Told) -> None:
            link.take(pack(told)[4:])

        view.join(lambda told: tell(links[0], told))
        await rig.admit(*good_clients(3, by_chance(5)))
        scene.tournament = tournament = rig.begin()
        if pace:
            tournament.begin_with = lambda: tournament.set_pace(pace)
        nursery.start_soon(tournament.run)
        looks = 0
        with ExitStack() as watching:
            for board in boards[:2]:
                watching.enter_context(board.watched(None, HOST))
            while not tournament.over:
                looks += 1
                if looks == 2:
                    view.join(lambda told: tell(links[1], told))
                await trio.sleep(0.3)
                view.look()
                for board in boards[:2]:
                    board.look()
                assert parts(boards[0].since(0, None)) == parts(boards[1].since(0, None))
        if looks < 2:
            view.join(lambda told: tell(links[1], told))
        view.look()
        with boards[0].watched(0, HOST), boards[2].watched(0, HOST):
            for board in (boards[0], boards[2]):
                board.look()
            told, late = [parts(board.since(0, 0)) for board in (boards[0], boards[2])]
    assert late["table"]["over"]
    for name in ("scene", "news", "curves"):  # a board that comes late has another hand before its eyes
        assert late[name] == told[name]
