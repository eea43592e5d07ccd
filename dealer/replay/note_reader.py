"""Turn a record of the journal that is not a hand into a note for the viewer."""

from collections.abc import Callable

from dealer.journal.records import (
    AwayRecord,
    BackRecord,
    ClosedRecord,
    CorrectedRecord,
    DeskRecord,
    EndRecord,
    FinishedHandRecord,
    GameRecord,
    LevelRecord,
    MoveRecord,
    OutRecord,
    ReadmittedRecord,
    Record,
    RefusedRecord,
    ResumeRecord,
    RoundRecord,
    StallRecord,
    StartRecord,
    StoppedRecord,
    VoidRecord,
)
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
from dealer.settings import Services


def note_of(  # noqa: PLR0911, PLR0912 - one for each type of record
    record: Record, ledger: Ledger, origin: int | None, may_know: Callable[[Player], bool]
) -> Note | None:
    """The note of a record that is not a hand; None for one that concerns the host alone.

    Args:
        record: of a journal.
        ledger: what the tournament has come to with it.
        origin: the table that a player has left for another one.
        may_know: whether a player's id and reasons may be told.
    """
    match record:
        case OutRecord() | AwayRecord() | BackRecord() | CorrectedRecord():
            return _beside_hand(record, ledger, may_know)
        case MoveRecord():
            assert origin is not None
            return _moved(record, ledger, origin, may_know)
        case ReadmittedRecord():
            player = ledger.players[record.player]
            return Readmitted(record.table, player.id if may_know(player) else None, player.avatar)
        case DeskRecord():
            return _host_said(record, ledger, may_know)
        case StartRecord():
            return _opened(ledger)
        case RoundRecord():
            return _round_begun(ledger)
        case GameRecord():
            return GameBegun(record.table, record.hand, record.game)
        case LevelRecord():
            return LevelBegun(ledger.levels.level, ledger.levels.facts)
        case ResumeRecord():
            return Resumed()
        case VoidRecord():
            return Voided(record.table, record.hand)
        case StallRecord():
            return Stalled(record.seconds)
        case StoppedRecord():
            return Stopped()
        case EndRecord():
            places = ledger.standings()
            return Ended(tuple([(place.place, place.player.avatar, place.chips, place.points) for place in places]))
        case FinishedHandRecord() | RefusedRecord() | Services() | ClosedRecord():
            return None


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


def _moved(record: MoveRecord, ledger: Ledger, origin: int, may_know: Callable[[Player], bool]) -> Moved:
    player = ledger.players[record.player]
    broken = not ledger.seating.size(ledger.seating.tables[origin])
    return Moved(origin, record.table, player.id if may_know(player) else None, player.avatar, broken)


def _host_said(record: DeskRecord, ledger: Ledger, may_know: Callable[[Player], bool]) -> HostSaid:
    number = record.player if record.command in ("remove", "readmit") else None
    player = None if number is None else ledger.players[number]
    id = player.id if player is not None and may_know(player) else None
    avatar = None if player is None else player.avatar
    return HostSaid(record.command, id, avatar, record.seconds, record.reason)


def _beside_hand(
    record: OutRecord | AwayRecord | BackRecord | CorrectedRecord, ledger: Ledger, may_know: Callable[[Player], bool]
) -> BesideHand:
    player = ledger.players[record.player]
    allowed = may_know(player)
    table, hand, id = ledger.seating.table_of(player).number, record.hand, player.id if allowed else None
    match record:
        case OutRecord():
            for_good, reason = player.left is not None, record.reason if allowed else None
            return Left(table, hand, id, player.avatar, for_good, record.kind, reason)
        case CorrectedRecord():
            return Corrected(table, hand, id, player.avatar, record.reason if allowed else None)
        case AwayRecord():
            return Away(table, hand, id, player.avatar)
        case BackRecord():
            return Back(table, hand, id, player.avatar)
