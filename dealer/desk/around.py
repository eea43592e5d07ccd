"""Who is around a player: names, which the messages of a game do not tell, and the seconds that are left to it.

Avatars are no secret: the projector shows them. But a page does not know which of its viewers is which player. Whoever
asks names a player by its id, or by the address and port of its connection: so a player's own program asks for no id,
and players whose avatars look alike are told apart.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a page's process, which needs to know what it may be told, loads no tournament
    from dealer.lobby.player import Player
    from dealer.tournament.scene import Scene

#: What is told of somebody who is no player here.
NOBODY = {"hand": None, "lobby": None, "hurry": None, "left": None}


def around(scene: "Scene", asked: Sequence[str]) -> list[dict[str, Any]]:
    """Who is around each of some players, as values for JSON.

    ``hand`` is the avatars of the hand under way by seat and the player's seat, ``lobby`` the avatars of those who
    wait for the start, the player's place among them, and how many it takes to start. Each is null if the player
    is not there. ``hurry`` is the seconds left for the player's answer if the dealer stops, ``left`` those left for
    a question that was asked again because its connection broke; each is null otherwise.

    Args:
        scene: of the dealer.
        asked: ids of players, or addresses of their connections as ``1.2.3.4:5000``; no id has a colon.
    """
    known = {player.id: player for player in scene.players}
    known |= {player.seat.address or "": player for player in scene.players if player.seat is not None}
    hands, waiting = _hands(scene), scene.lobby.players if scene.tournament is None else ()
    avatars = [player.avatar for player in waiting]

    def of(player: "Player | None") -> dict[str, Any]:
        if player is None:
            return NOBODY
        lobby = (avatars, waiting.index(player), scene.seats) if player in waiting else None
        hurry, left = (None, None) if player.seat is None else (player.seat.hurry, player.seat.left)
        return {"hand": hands.get(player.id), "lobby": lobby, "hurry": hurry, "left": left}

    return [of(known.get(one)) for one in asked]


def _hands(scene: "Scene") -> dict[str, tuple[list[str], int]]:
    """The hand under way of each player by id: the avatars by seat, and its seat."""
    found: dict[str, tuple[list[str], int]] = {}
    for run in () if scene.tournament is None else scene.tournament.runs.values():
        players = [scene.players[number] for number in run.in_play.deal.players] if run.in_play else []
        avatars = [player.avatar for player in players]
        found |= {player.id: (avatars, seat) for seat, player in enumerate(players)}
    return found
