"""The events of a journal's records, one after the other, with what the records before them tell."""

from collections.abc import Mapping
from typing import Any

from dealer.audit.hands import ReplayedHand
from dealer.journal import records
from dealer.ledger.columns import COLUMNS
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.telling.hand_events import HandEvents
from protocol import events
from protocol.shuffle import commitment


class RecordEvents:
    """Makes the events of records, which must come in their order.

    Who sits where is followed by the records alone, so that the events do not depend on when they are made.

    Args:
        ledger: of the tournament, as it was before the first record, or when it was resumed.

    Attributes:
        games: the number of the game under way, by table.
    """

    def __init__(self, ledger: Ledger) -> None:
        seating = ledger.seating
        self.games = {table.number: table.game for table in seating.tables}
        self._ledger = ledger
        self._settings = ledger.settings
        self._round, self._tables = seating.round, len(seating.tables)
        self._table_of = {player.number: seating.table_of(player).number for player in ledger.players}
        self._in = {player.number for player in ledger.players if seating.still_in(player)}
        self._imported = False

    def table_of(self, player: Player) -> int:
        """The table at which a player sits now, or sat when it left."""
        return self._table_of[player.number]

    def of(  # noqa: PLR0911, PLR0912 - one for each type of record
        self, record: records.Record, replayed: ReplayedHand | None = None
    ) -> events.Event | None:
        """The event of a record; None for those that concern the host alone.

        Args:
            record: the next one.
            replayed: the hand that it tells, if it is the record of one. Without it such a record has no event.
        """
        match record:
            case records.FinishedHandRecord() if replayed is not None:
                return HandEvents.of(replayed).end(record, self._settings, replayed.dealt, replayed.settlement)
            case records.StartRecord():
                self._imported = record.imported
                return self._started()
            case records.LevelRecord(level=level):
                return events.LevelBegun(level, self._ledger.levels.facts_at(level))
            case records.MoveRecord():
                return self._moved(record)
            case records.OutRecord():
                return self._left(record)
            case records.AwayRecord(player=player, hand=hand):
                return events.Away(player, self._table_of[player], hand)
            case records.BackRecord(player=player, hand=hand):
                return events.Back(player, self._table_of[player], hand)
            case records.CorrectedRecord(player=player, hand=hand, reason=reason):
                return events.Corrected(player, self._table_of[player], hand, reason)
            case records.ResumeRecord():
                return events.Resumed()
            case records.EndRecord():
                return self._ended(record)
            case events.RoundBegun(round=number, tables=tables):
                self._round = number
                for table, players in enumerate(tables, self._tables):
                    self._table_of |= dict.fromkeys(players, table)
                self._in = {player for players in tables for player in players}
                self._tables += len(tables)
                return record
            case events.GameBegun(table=table, game=game):
                self.games[table] = game
                return record
            case events.Readmitted(player=player, table=table):
                self._table_of[player] = table
                self._in.add(player)
                return record
            case events.HostSaid() | events.Voided() | events.Stalled() | events.Stopped():
                return record
            case _:
                return None

    def _started(self) -> events.Started:
        seating, players = self._ledger.seating, self._ledger.players
        return events.Started(
            game=self._settings.game.name,
            agreed=agreed(self._settings),
            commitment=commitment(self._settings.seed),
            players=[player.avatar for player in players],
            tables=[[player.number for player in table.players] for table in seating.tables],
            games=max((table.games for table in seating.tables), default=0),
            rounds=seating.rounds,
            ids=[player.id for player in players],
        )

    def _moved(self, record: records.MoveRecord) -> events.Moved:
        player = record.player
        origin, self._table_of[player] = self._table_of[player], record.table
        left = any(self._table_of[other] == origin for other in self._in)
        return events.Moved(player, origin, record.table, broken=not left)

    def _left(self, record: records.OutRecord) -> events.Left:
        self._in.discard(record.player)
        for_good = record.kind is not None or self._round >= self._ledger.seating.rounds
        kind = None if record.kind is None else record.kind.value
        table = self._table_of[record.player]
        return events.Left(record.player, table, record.hand, record.chips, for_good, kind, record.reason)

    def _ended(self, record: records.EndRecord) -> events.Ended:
        numbers = {player.id: player.number for player in self._ledger.players}
        standings = [_public_standing(standing, numbers[standing["id"]]) for standing in record.standings]
        seed = None if self._imported else self._settings.seed.hex()
        return events.Ended(standings, seed, self._settings.seed_text)


def agreed(settings: Settings) -> Mapping[str, Any]:
    """The terms agreed before the first hand, without the seed: from the seed follow all cards."""
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


def _public_standing(standing: Mapping[str, Any], player: int) -> Mapping[str, Any]:
    return {
        "player": player,
        **{column.key: standing[column.key] for column in COLUMNS if column.public},
        "faults": [fault["kind"] for fault in standing["faults"]],
        "out": standing["left"] is not None,
    }
