"""How things stand, for whoever joins late or has missed something."""

from collections.abc import Mapping
from typing import Any

from dealer.ledger import Ledger
from dealer.player import Player
from dealer.scoreboard.scene import Scene
from dealer.tournament import Tournament


def state_of(scene: Scene) -> Mapping[str, Any]:
    """Everybody's chips and place, and who sits where."""
    tournament = scene.tournament
    if tournament is None:
        here = [player.avatar for player in scene.lobby.players]
        return {"phase": "lobby", "lobby": here, "players": [], "tables": [], "paused": False, "pace": 0.0}
    ledger, tempo = tournament.ledger, tournament.tempo
    return {
        "phase": "over" if tournament.over else "playing",
        "lobby": [],
        "players": _players(ledger),
        "tables": _tables(tournament),
        "paused": tempo.paused,
        "pace": tempo.pace,
    }


def _players(ledger: Ledger) -> list[Mapping[str, Any]]:
    chips = {
        player: stack
        for table in ledger.tables
        for player, stack in zip(table.players, table.match.stacks, strict=True)
    }
    places = {standing.player: standing.place for standing in ledger.standings()}
    return [
        {"avatar": player.avatar, "chips": chips[player], "place": places[player], "is": _presence(player)}
        for player in ledger.players
    ]


def _presence(player: Player) -> str:
    if player.left is not None:
        return "out"
    return "away" if player.seat is None else "playing"


def _tables(tournament: Tournament) -> list[Mapping[str, Any]]:
    numbers = {player: number for number, player in enumerate(tournament.players)}
    return [
        {
            "table": table.number,
            "game": table.game,
            "hand": table.hand_number,
            "players": [numbers[player] for player in table.seated],
        }
        for table in tournament.tables
    ]
