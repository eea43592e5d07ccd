"""Events of the feed: the public part of each record of the journal.

Left out is what identifies a player (ids, secrets, addresses, programs), cards that may still be played with, and all
text that a program has sent. The reason of a fault quotes such text, and a confused program may have sent its login.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import to_builtins

from dealer.faults import FaultKind
from dealer.journal.records import EndRecord, FinishedHandRecord, OutRecord, Record, type_of
from dealer.ledger.columns import COLUMNS
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.base import Hand
from protocol.shuffle import commitment

#: The keys and values of an event; ``type`` names its kind.
Event = Mapping[str, Any]

#: The fields that are public as they are, for each type of record with such fields.
PUBLIC: Mapping[str, tuple[str, ...]] = {
    "game": ("table", "game", "hand"),
    "corrected": ("player", "hand"),
    "away": ("player", "hand"),
    "back": ("player", "hand"),
    "desk": ("command", "player", "seconds", "reason"),
    "void": ("table", "hand"),
    "stall": ("seconds",),
    "stopped": (),
    "move": ("player", "table"),
    "level": ("level",),
    "readmitted": ("player", "table"),
    "round": ("round", "tables", "readmitted"),
}


def agreed(settings: Settings) -> Event:
    """What is agreed before the first hand, without the seed: from the seed follow all cards."""
    return {
        "hands": settings.hands,
        **settings.game.facts,
        "games": settings.games,
        "limit": settings.limit,
        "lives": settings.lives,
        "table_size": settings.table_size,
        "duplicate": settings.duplicate,
        "rejoin": settings.rejoin,
        "levels": settings.levels_record,
        "format": settings.format,
        "rounds": settings.rounds,
    }


def about(settings: Settings) -> Event:
    """The game, what is agreed about it, and the commitment to its seed."""
    return {"game": settings.game.name, "agreed": agreed(settings), "commitment": commitment(settings.seed)}


def start_event(settings: Settings, players: Iterable[Player]) -> Event:
    """The event of a tournament that begins. All later events call a player by its place in ``players``."""
    return {"type": "start", **about(settings), "players": [player.avatar for player in players]}


def hand_event(record: FinishedHandRecord, settings: Settings, dealt: Hand | None = None) -> Event:
    """The event of a finished hand.

    A duplicate tournament deals the same cards again, so its events leave them out.

    Args:
        record: of the hand.
        settings: of the tournament.
        dealt: the hand before its first action, with which games with a button are told; None if it is not known.
    """
    layout = settings.game.layout(settings.game.chance.outcome(record.deck), len(record.players))
    told: dict[str, Any] = {"cards": None}
    if not settings.duplicate:
        told = {"cards": [[card.text for card in owned] for owned in layout.seats]}
        if layout.board:  # games without a board keep the keys that they had before there were games with one
            told["board"] = [card.text for card in layout.board]
    button = None if dealt is None else dealt.public().button
    if dealt is not None and button is not None:  # games without a button keep the keys that they had, too
        posted = [before - left for before, left in zip(dealt.starting, dealt.stacks, strict=True)]
        told |= {"button": button, "posted": posted}
    return {
        "type": "hand",
        "table": record.table,
        "hand": record.hand,
        "level": record.level,
        "players": record.players,
        "stacks": record.stacks,
        **told,
        "actions": record.actions,
        "faults": [(seat, kind) for seat, kind, _ in record.faults],
        "pot": record.pot,
        "payoffs": record.payoffs,
    }


def out_event(record: OutRecord) -> Event:
    """The event of a player who is out. Its reason is left out where it may quote what a program has sent."""
    own = record.kind in (None, FaultKind.REMOVED)
    return {
        "type": "out",
        "player": record.player,
        "hand": record.hand,
        "chips": record.chips,
        "kind": record.kind,
        "reason": record.reason if own else None,
    }


def end_event(record: EndRecord, settings: Settings, numbers: Mapping[str, int]) -> Event:
    """The event of a tournament that has ended: standings, and the seed with which everybody may check the cards.

    Args:
        record: of the end.
        settings: of the tournament.
        numbers: of players, by id.
    """
    return {
        "type": "end",
        "standings": [_standing(standing, numbers) for standing in record.standings],
        "seed": settings.seed.hex(),
        "seed_text": settings.seed_text,
    }


def _standing(standing: Mapping[str, Any], numbers: Mapping[str, int]) -> Event:
    return {
        "player": numbers[standing["id"]],
        **{column.key: standing[column.key] for column in COLUMNS if column.public},
        "faults": [fault["kind"] for fault in standing["faults"]],
        "out": standing["left"] is not None,
    }


def plain_event(record: Record) -> Event | None:
    """The event of a record whose public fields are told as they are; None for the other types of records."""
    fields = PUBLIC.get(type_of(record))
    if fields is None:
        return None
    told = to_builtins(record)  # without fields that are left out of records, too
    return {"type": told["type"], **{name: told[name] for name in fields if name in told}}
