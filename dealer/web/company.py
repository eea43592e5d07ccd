"""Tells a player's own program who plays with it: ``/company``, for the seat for people in a terminal.

The messages of a game name nobody. The page names everybody, but it does not know which of its viewers is which player.
Here a program gives the port of its connection to the dealer, and the answer is for the player whose connection comes
from that port and from the address of the request. So players whose avatars look alike are told apart, no id is asked
for, and a page of another dealer on the same machine knows no such connection. Only avatars are told, as on the page.
"""

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from dealer.feed.public_facts import players as players_of
from dealer.lobby.player import Player
from dealer.tournament.scene import Scene
from dealer.web.people import ScenePeople

#: Where it is asked.
PATH = "/company"


def company_routes(scene: Scene) -> list[Route]:
    """The route that a player's own program asks; the answer is that of ``ScenePeople.around``, as JSON."""
    people = ScenePeople(scene)

    async def company(request: Request) -> Response:
        port = request.query_params.get("port", "")
        if not (port.isascii() and port.isdigit() and len(port) <= 5):
            return PlainTextResponse("A port is a number.\n", 400)
        player = _player_at(scene, f"{request.client.host}:{port}") if request.client else None
        return JSONResponse(people.around(None if player is None else player.id), headers={"cache-control": "no-store"})

    return [Route(PATH, company)]


def _player_at(scene: Scene, address: str) -> Player | None:
    """The player whose connection comes from this address and port."""
    for player in players_of(scene):
        if player.seat is not None and player.seat.address == address:
            return player
    return None
