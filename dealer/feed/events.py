"""What of each record everybody may know.

Nothing that tells who somebody is (ids, secrets, addresses, programs), nothing of cards that may still be played with,
and no words that a program wrote: the reason of a fault quotes it, and a confused one answers with its login.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from dealer.faults import FaultKind
from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.shuffle import commitment

Event = Mapping[str, Any]
"""What is told; ``type`` says of which kind it is."""

PUBLIC: Mapping[str, tuple[str, ...]] = {
    "game": ("table", "game", "hand"),
    "away": ("player", "hand"),
    "back": ("player", "hand"),
    "desk": ("command", "player", "seconds", "reason"),
    "void": ("table", "hand"),
    "move": ("player", "table"),
    "level": ("level",),
    "round": ("round", "tables"),
}
"""The fields of records that are told as they are."""


def agreed(settings: Settings) -> Event:
    """What is agreed before the first hand, without the seed."""
    return {
        "hands": settings.hands,
        **settings.game.facts,
        "games": settings.games,
        "limit": settings.limit,
        "lives": settings.lives,
        "table_size": settings.table_size,
        "duplicate": settings.duplicate,
        "rejoin": settings.rejoin,
        "levels": settings.levels,
        "format": settings.format,
        "rounds": settings.rounds,
    }


def about(settings: Settings) -> Event:
    """The game, what is agreed about it, and the commitment to its seed."""
    return {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}


def start_event(settings: Settings, players: Iterable[Player]) -> Event:
    """The tournament begins; a player's number is its place in ``players``."""
    return {"type": "start", **about(settings), "players": [player.avatar for player in players]}


def hand_event(record: Record, pot: int, settings: Settings) -> Event:
    """A hand is over; its record does not tell the pot.

    A duplicate tournament deals the same cards again, so there it tells none of them.
    """
    cards = None
    if not settings.duplicate:
        layout = settings.game.layout(settings.game.chance.outcome(record["deck"]), len(record["players"]))
        cards = [[card.text for card in owned] for owned in layout.seats]
    return {
        "type": "hand",
        "table": record["table"],
        "hand": record["hand"],
        "level": record["level"],
        "players": record["players"],
        "stacks": record["stacks"],
        "cards": cards,
        "actions": record["actions"],
        "faults": [(seat, kind) for seat, kind, _ in record["faults"]],
        "pot": pot,
        "payoffs": record["payoffs"],
    }


def out_event(record: Record) -> Event:
    """Somebody is out; why in words only where these are the dealer's or the host's own."""
    own = record["kind"] in (None, FaultKind.REMOVED)
    return {
        "type": "out",
        **{name: record[name] for name in ("player", "hand", "chips", "kind")},
        "reason": record["reason"] if own else None,
    }


def end_event(record: Record, settings: Settings, numbers: Mapping[str, int]) -> Event:
    """It is over, and everybody may check the cards.

    Args:
        record: of the end.
        settings: of the tournament.
        numbers: of players, by id.
    """
    return {
        "type": "end",
        "standings": [_standing(standing, numbers) for standing in record["standings"]],
        "seed": settings.seed.hex(),
        "seed_text": settings.seed_text,
    }


def _standing(standing: Mapping[str, Any], numbers: Mapping[str, int]) -> Event:
    names = ("place", "avatar", "chips", "hands_won", "hands_survived", "decisions", "reply_p50", "reply_p99")
    return {
        "player": numbers[standing["id"]],
        **{name: standing[name] for name in names},
        "faults": [fault["kind"] for fault in standing["faults"]],
        "out": standing["left"] is not None,
    }


def plain_event(record: Record) -> Event | None:
    """A record that is told with its public fields; None if it is not told like that."""
    fields = PUBLIC.get(record["type"])
    if fields is None:
        return None
    return {"type": record["type"], **{name: record[name] for name in fields if name in record}}
