"""What the podium tells beside places."""

import pytest
from trio.testing import MockClock

from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.board import Board
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED, by_chance, good_clients, open_rig
from tests.dealer.web.test_page_secrets import parts


@pytest.mark.parametrize("duplicate", [False, True])
async def test_podium_honours_hands_and_times(tcp_clock: MockClock, duplicate: bool) -> None:
    settings = Settings(SEED, StudGame(), hands=40, duplicate=duplicate)
    async with open_rig(settings) as rig:
        await rig.admit(*good_clients(3, by_chance(1)))
        pots: list[tuple[int, int]] = []
        rig.journal.tell(
            lambda records: pots.extend((one["pot"], one["hand"]) for one in records if one["type"] == "hand")
        )
        scene = Scene(rig.opening, journal=rig.journal)
        board = Board(scene)
        board.look()
        scene.tournament = tournament = rig.begin()
        standings = await tournament.run()
        with board.watched(None, "127.0.0.1"):
            facts = parts(board.since(0, None))["board"]
    honours = facts["honours"]
    winner = tournament.players.index(standings[0].player)
    assert honours["best"][0] == winner
    assert 0 < honours["best"][1] <= honours["pot"][1] == max(pot for pot, _ in pots)
    assert (honours["pot"][1], honours["pot"][2]) in pots
    assert bool(honours["pot"][3]) is not duplicate  # whose cards are dealt again, and stay hidden
    median = {number: player.reply_times.quantile(0.5) or 0 for number, player in enumerate(tournament.players)}
    assert median[honours["fastest"][0]] == min(median.values())
    assert honours["steadiest"][1] >= honours["fastest"][1]


async def test_few_replies_are_not_compared(tcp_clock: MockClock) -> None:
    async with open_rig(Settings(SEED, StudGame(), hands=1)) as rig:
        await rig.admit(*good_clients(2))
        scene = Scene(rig.opening, journal=rig.journal)
        scene.tournament = rig.begin()
        await scene.tournament.run()
        board = Board(scene)
        with board.watched(None, "127.0.0.1"):
            honours = parts(board.since(0, None))["board"]["honours"]
    assert (honours["fastest"], honours["steadiest"], honours["pot"]) == (None, None, None)
