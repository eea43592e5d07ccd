"""Tells a player's own program who plays with it: ``/company``, for the seat for people in a terminal.

The messages of a game name nobody. The page names everybody, but it does not know which of its viewers is which player.
Here a program gives the port of its connection to the dealer, and the answer is for the player whose connection comes
from that port and from the address of the request. So players whose avatars look alike are told apart, no id is asked
for, and a page of another dealer on the same machine knows no such connection. Only avatars are told, as on the page.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dealer.lobby.player import Player
from dealer.tournament.scene import Scene
from dealer.web import snapshot
from dealer.web.people import ScenePeople

#: Where it is asked.
PATH = "/company"


def company_routes(scene: Scene) -> list[Route]:
    """The route that a player's own program asks.

    The answer is JSON: ``hand`` is the avatars of the hand under way by seat and the player's seat, ``lobby`` the
    avatars of those who wait for the start, the player's place among them, and how many it takes to start. Each is null
    if the player is not there. ``hurry`` is the seconds left for the player's answer if the dealer stops, else null.
    All three are null if no player has that connection.
    """
    people = ScenePeople(scene)

    async def company(request: Request) -> Response:
        port = request.query_params.get("port", "")
        if not (port.isascii() and port.isdigit() and len(port) <= 5):
            return PlainTextResponse("A port is a number.\n", 400)
        player = _player_at(scene, f"{request.client.host}:{port}") if request.client else None
        facts: dict[str, Any] = {"hand": None, "lobby": None, "hurry": None}
        if player is not None:
            id = player.id
            facts = {"hand": people.company(id), "lobby": people.waiting(id), "hurry": people.hurry(id)}
        return JSONResponse(facts, headers={"cache-control": "no-store"})

    return [Route(PATH, company)]


def _player_at(scene: Scene, address: str) -> Player | None:
    """The player whose connection comes from this address and port."""
    for player in snapshot.players(scene):
        if player.seat is not None and player.seat.address == address:
            return player
    return None
