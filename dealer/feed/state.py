"""The state of a tournament, for subscribers who join late or have missed events."""

from collections.abc import Mapping
from typing import Any

from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament


def state_of(scene: Scene) -> Mapping[str, Any]:
    """The phase, all players with chips and places, and who sits at which table."""
    tournament = scene.tournament
    if tournament is None:
        here = [player.avatar for player in scene.lobby.players]
        nothing = {"players": [], "tables": [], "paused": False, "pace": 0.0, "round": 0, "level": 0}
        return {"phase": "lobby", "lobby": here, **nothing}
    ledger, tempo = tournament.ledger, tournament.tempo
    return {
        "phase": "over" if tournament.over else "playing",
        "lobby": [],
        "players": _players(ledger),
        "tables": _tables(tournament),
        "paused": tempo.paused,
        "pace": round(tempo.seconds, 3),
        "round": ledger.seating.round,
        "level": ledger.levels.level,
    }


def _players(ledger: Ledger) -> list[Mapping[str, Any]]:
    chips = ledger.stacks()
    places = {standing.player: standing.place for standing in ledger.standings()}
    return [
        {
            "avatar": player.avatar,
            "chips": chips.get(player, 0),
            "place": places[player],
            "is": _presence(ledger, player),
        }
        for player in ledger.players
    ]


def _presence(ledger: Ledger, player: Player) -> str:
    if not ledger.seating.still_in(player):
        return "out"
    return "away" if player.seat is None else "playing"


def _tables(tournament: Tournament) -> list[Mapping[str, Any]]:
    return [
        {
            "table": table.number,
            "game": table.game,
            "hand": table.hand_number,
            "players": [player.number for player in (*table.seated, *(arrival.player for arrival in table.arriving))],
        }
        for table in tournament.tables
    ]
