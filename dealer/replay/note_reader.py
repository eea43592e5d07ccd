"""Turn a record of the journal that is not a hand into a note for the viewer."""

from collections.abc import Callable, Mapping

from dealer.journal.records import Record
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.replay.notes import (
    Away,
    Back,
    BesideHand,
    Corrected,
    Ended,
    GameBegun,
    HostSaid,
    Left,
    LevelBegun,
    Moved,
    Note,
    Opened,
    Readmitted,
    Resumed,
    RoundBegun,
    Stalled,
    Stopped,
    Voided,
)

#: Types of records that concern the host alone, and are not shown.
FOR_THE_HOST = frozenset({"refused", "services", "closed"})


def note_of(record: Record, ledger: Ledger, origin: int | None, may_know: Callable[[Player], bool]) -> Note:
    """The note of a record that is not a hand.

    Args:
        record: of a journal.
        ledger: what the tournament has come to with it.
        origin: the table that a player has left for another one.
        may_know: whether a player's id and reasons may be told.
    """
    match record["type"]:
        case "out" | "away" | "back" | "corrected":
            return _beside_hand(record, ledger, may_know)
        case "move":
            assert origin is not None
            return _moved(record, ledger, origin, may_know)
        case "readmitted":
            player = ledger.players[record["player"]]
            return Readmitted(record["table"], player.id if may_know(player) else None, player.avatar)
        case "desk":
            return _host_said(record, ledger, may_know)
    return _for_all_viewers(record, ledger)


def _for_all_viewers(record: Record, ledger: Ledger) -> Note:
    """The note of a record that is about no player in particular."""
    kinds: Mapping[str, Callable[[], Note]] = {
        "start": lambda: _opened(ledger),
        "round": lambda: _round_begun(ledger),
        "game": lambda: GameBegun(record["table"], record["hand"], record["game"]),
        "level": lambda: LevelBegun(ledger.levels.level, ledger.levels.facts),
        "resume": Resumed,
        "void": lambda: Voided(record["table"], record["hand"]),
        "stall": lambda: Stalled(record["seconds"]),
        "stopped": Stopped,
        "end": lambda: Ended(
            tuple((place.place, place.player.avatar, place.chips, place.points) for place in ledger.standings())
        ),
    }
    return kinds[record["type"]]()


def _opened(ledger: Ledger) -> Opened:
    settings = ledger.settings
    game = settings.game
    games = max((table.games for table in ledger.seating.tables), default=0)
    return Opened(
        game.name,
        game.title,
        game.facts,
        settings.hands,
        games,
        len(ledger.players),
        len(ledger.seating.tables),
        ledger.seating.rounds,
        settings.levels_record,
    )


def _round_begun(ledger: Ledger) -> RoundBegun:
    tables = ledger.seating.round_tables
    count = sum(len(table.players) for table in tables)
    return RoundBegun(ledger.seating.round, count, tuple(table.number for table in tables))


def _moved(record: Record, ledger: Ledger, origin: int, may_know: Callable[[Player], bool]) -> Moved:
    player = ledger.players[record["player"]]
    broken = not ledger.seating.size(ledger.seating.tables[origin])
    return Moved(origin, record["table"], player.id if may_know(player) else None, player.avatar, broken)


def _host_said(record: Record, ledger: Ledger, may_know: Callable[[Player], bool]) -> HostSaid:
    player = ledger.players[record["player"]] if record["command"] in ("remove", "readmit") else None
    id = player.id if player is not None and may_know(player) else None
    avatar = None if player is None else player.avatar
    return HostSaid(record["command"], id, avatar, record["seconds"], record["reason"])


def _beside_hand(record: Record, ledger: Ledger, may_know: Callable[[Player], bool]) -> BesideHand:
    player = ledger.players[record["player"]]
    allowed = may_know(player)
    table, hand, id = ledger.seating.table_of(player).number, record["hand"], player.id if allowed else None
    if record["type"] == "out":
        for_good, reason = player.left is not None, record["reason"] if allowed else None
        return Left(table, hand, id, player.avatar, for_good, record["kind"], reason)
    if record["type"] == "corrected":
        return Corrected(table, hand, id, player.avatar, record["reason"] if allowed else None)
    return (Away if record["type"] == "away" else Back)(table, hand, id, player.avatar)
