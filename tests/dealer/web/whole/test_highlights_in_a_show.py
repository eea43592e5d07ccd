"""Hands worth seeing, and how they are shown again."""

from typing import Any

import trio
from trio.testing import MockClock

from dealer.journal.records import FinishedHandRecord
from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.board import Board
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED, by_chance, good_clients, open_rig
from tests.dealer.support.stage import NearBoard
from tests.dealer.web.test_page_secrets import parts


async def test_a_show_tells_moments_and_shows_hands_again(tcp_clock: MockClock) -> None:
    """No hand waits for one that is shown again: the same hands are dealt as without a viewer."""

    async def decks(watches: bool) -> tuple[list[bytes], list[dict[str, Any]]]:
        dealt: list[bytes] = []
        seen: list[dict[str, Any]] = []
        async with open_rig(Settings(SEED, StudGame(stack=5000), hands=150)) as rig, trio.open_nursery() as nursery:
            await rig.admit(*good_clients(4, by_chance(3)))
            scene = Scene(rig.opening, journal=rig.journal)
            scene.tournament = tournament = rig.begin()
            tournament.begin_with = lambda: tournament.set_length(60)
            rig.journal.tell(
                lambda records: dealt.extend(one.deck for one in records if isinstance(one, FinishedHandRecord))
            )
            if watches:
                nursery.start_soon(watch, NearBoard(scene), seen)
            await tournament.run()
            nursery.cancel_scope.cancel()
        return dealt, seen

    async def watch(board: Board, seen: list[dict[str, Any]]) -> None:
        with board.watched(None, "127.0.0.1"):
            while True:
                board.look()
                seen.append(parts(board.since(0, None)))
                await trio.sleep(0.25)

    dealt, seen = await decks(watches=True)
    assert dealt == (await decks(watches=False))[0]
    kinds = {moment[1] for facts in seen for moment in facts["moments"]["latest"]}
    assert kinds
    again = [facts["table"] for facts in seen if "slow" in facts["table"]]
    assert {table["slow"][0] for table in again} <= {"out", "leader", "pot", "rare"}
    assert again
    assert all("hole" in seat for table in again for seat in table["seats"])
