"""The outlook of a ledger that is read only after changes is always the one that the ledger has now."""

from typing import Any

import pytest

from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament import show_plan
from dealer.tournament.show_plan import OutlookReader, outlook_of
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED, by_chance, good_clients, open_rig

SETTINGS = [
    (StudGame(30, 1), {"hands": 40, "table_size": 3, "levels": 4}),
    (StudGame(500, 1), {"hands": 6, "table_size": 4, "rounds": 2}),
    (BlockheadGame(), {"hands": 4, "games": 2, "table_size": 4}),
]


@pytest.mark.parametrize(("game", "options"), SETTINGS, ids=["levels", "rounds", "games"])
async def test_an_outlook_is_read_after_each_change_and_no_more(
    game: Game, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tcp_clock: object
) -> None:
    computed: list[object] = []
    asked: list[bool] = []
    read = OutlookReader.read

    def counted(ledger: Any) -> object:
        computed.append(ledger)
        return outlook_of(ledger)

    def compared(self: OutlookReader) -> object:
        told = read(self)
        asked.append(told == outlook_of(self._ledger))
        return told

    monkeypatch.setattr(show_plan, "outlook_of", counted)
    monkeypatch.setattr(OutlookReader, "read", compared)
    async with open_rig(Settings(SEED, game, **options)) as rig:
        clients = good_clients(8)
        for number, client in enumerate(clients):
            client.decide = by_chance(number)
        await rig.admit(*clients)
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(60)
        await tournament.run()
    assert asked
    assert all(asked)
    assert len(computed) < len(asked) / 2


def test_a_player_on_the_way_to_a_table_is_counted_once() -> None:
    ledger = Ledger(
        Settings(SEED, StudGame(30, 1), table_size=3, levels=4), [Player(f"p{i}", f"P {i}", "test") for i in range(7)]
    )
    before = outlook_of(ledger)
    here, there = ledger.seating.round_tables[:2]
    ledger.seating.move(here.players[0], there)
    moving = outlook_of(ledger)
    assert (moving.players, moving.playing, moving.stakes_left) == (7, 7, before.stakes_left)
