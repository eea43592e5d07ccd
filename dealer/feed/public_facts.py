"""A scene as plain facts for all who watch: the one place where a page's facts are read from a tournament.

Only what everybody may know leaves through here: avatars, never ids; and no text that a program sent, since a
malformed reply may quote its own login.
"""

from itertools import count
from math import ceil
from typing import Any

from msgspec import structs

from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.net.ports import open_kinds
from dealer.settings import OpenPorts
from dealer.telling.phrases import OUT
from dealer.telling.scene import suit_names
from dealer.tournament.replayed_tournament import ReplayedTournament
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament
from protocol.events import Left
from protocol.shuffle import commitment

Facts = dict[str, Any]


def scene_facts(scene: Scene) -> Facts:
    """Facts that seldom change: the game, where to connect, who is here; and the seed once the tournament has ended."""
    settings, tournament, ports = scene.settings, scene.tournament, scene.ports
    ended = tournament is not None and tournament.ended
    replayed = tournament if isinstance(tournament, ReplayedTournament) else None
    imported = replayed is not None and replayed.imported
    # At the end only: during play, who guesses at what a new record hides could compare the guess with the head.
    head = tournament.journal.head if tournament is not None and tournament.complete else None
    return {
        "phase": "over" if ended else "play" if tournament else "lobby",
        "game": settings.game.name,
        "title": settings.game.title,
        "suits": suit_names(settings.game),
        "piece": settings.game.piece,
        "agreed": {"hands": None if settings.levels else settings.hands, **settings.game.facts},
        "format": settings.format,
        "games": settings.games,
        "limit": settings.limit,
        "lives": settings.lives,
        "addresses": scene.addresses,
        "ports": port_facts(ports, scene.addresses[0] if scene.addresses else None),
        "peopleSeconds": ports and ports.people_limit,
        "needSecret": scene.lobby.salt is not None,
        "seats": scene.lobby.seats,
        "capacity": scene.lobby.capacity,
        "awaited": [player.avatar for player in scene.awaited],
        "players": [player.avatar for player in scene.players],
        "colours": _colours(scene),
        "measure": _measure(scene),
        "openCards": scene.open_cards,
        "message": scene.message,
        "commitment": commitment(settings.seed),
        "seed": settings.seed.hex() if ended and not imported else None,
        "seedText": settings.seed_text if ended else None,
        "replay": None if replayed is None else replayed.path.name,
        "head": head.hex() if head else None,
    }


def port_facts(ports: OpenPorts | None, address: str | None) -> list[Facts]:
    """The open ports: kind, number, who connects there, and lines that start such a program.

    Args:
        ports: None in a league.
        address: of the dealer; None if it is not known.
    """
    return [
        {
            "name": kind.name,
            "number": number,
            "who": kind.who,
            "starts": [[what, line.format(address=address, port=number)] for what, line in kind.starts if address],
        }
        for kind, number in open_kinds(ports)
    ]


def lobby_facts(scene: Scene, now: float) -> Facts:
    """Whole seconds until the tournament starts; None if no time was set.

    Args:
        scene: before the start.
        now: the trio time.
    """
    return {"startsIn": None if scene.starts_at is None else max(0, ceil(scene.starts_at - now))}


def _colours(scene: Scene) -> list[int]:
    """The number of each player's colour: that of an earlier tournament, or the next one."""
    former = {player.id: number for number, player in enumerate(scene.opening.former)}
    following = count(len(former))
    return [former[player.id] if player.id in former else next(following) for player in scene.players]


def _measure(scene: Scene) -> str:
    """The measure that ranks the standings, in a word for the page."""
    if scene.tournament:
        return scene.tournament.ledger.format.measure
    if scene.settings.duplicate:
        return "won"
    return "average" if scene.settings.game.in_games and scene.settings.games > 1 else "chips"


def news_facts(tournament: Tournament) -> Facts:
    """Players who are out and why, the latest first; and the latest fault of each player who is still in."""
    departures = tournament.ledger.departures
    last = sorted(departures.items(), key=lambda item: item[1].order, reverse=True)
    earlier = [player for player in tournament.players if player.left is not None and player not in departures]
    playing = [player for player in tournament.players if player.left is None and player.mistakes]
    return {
        "out": [
            *([player.number, departure.hand, *_why_out(player, departure.reason)] for player, departure in last),
            *([player.number, player.left_in, *_why_out(player, player.left or "")] for player in earlier),
        ],
        "faults": [[player.number, player.mistakes[-1].kind.value, _public(player.mistakes[-1])] for player in playing],
    }


def left(event: Left, player: Player) -> Left:
    """The event that a player is out, with the reason that everybody may know."""
    return structs.replace(event, reason=_why_out(player, event.reason or "")[1])


def _why_out(player: Player, reason: str) -> tuple[str, str]:
    """Why a player is out: the kind of its fault in one word, and the reason in words."""
    told = reason.removeprefix(OUT)
    for fault in player.faults[-1:]:
        if fault.reason == told:
            return fault.kind.value, _public(fault)
    return "out", told


def _public(fault: Fault) -> str:
    """The reason of a fault without what the program sent: that could be its own login, secret and all."""
    if fault.kind is FaultKind.MALFORMED:
        return "its reply was not an action: expected 'fold' or 'bet:<chips>'"
    return fault.reason
