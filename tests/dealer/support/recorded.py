"""Tournaments that leave a journal: played, broken off, played on, altered, with checksums that are right."""

import errno
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import msgpack
import trio
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.journal.batches import read_batches
from dealer.journal.file import AppendFile
from dealer.journal.records import EndRecord
from dealer.journal.writer import open_journal
from dealer.ledger.columns import facts_of
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.opening import ResumedTournament, reopen_journal
from protocol.games.blockhead import BlockheadTurn
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command, encode
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.dealer.support.raw_records import chained, read_raw
from tests.dealer.support.rig import BadBot, Client, Played, by_chance, open_rig, play

T = TypeVar("T")

#: Seconds without any bytes after which the clock of a test that uses TCP jumps.
IDLE_SECONDS = 0.002


def run_at_once(work: Callable[[], Awaitable[T]]) -> T:
    """Run ``work`` to its end, with a clock that jumps; for fixtures and properties, which are not async."""
    return trio.run(work, clock=MockClock(autojump_threshold=IDLE_SECONDS))


async def play_recorded(
    path: Path, players: Sequence[Client | BadBot], settings: Settings, journal_limit: float = inf
) -> Played:
    """Play a tournament and keep a journal of it."""
    async with open_journal(AppendFile.create(path), limit=journal_limit) as journal:
        return await play(players, settings, journal)


async def play_on(path: Path, absent: Collection[str] = ()) -> Played:
    """Play on from a journal, with everybody who is still in it but the ids that are ``absent``."""
    played, _ = await play_on_heard(path, absent)
    return played


async def play_on_heard(path: Path, absent: Collection[str] = ()) -> tuple[Played, list[Client]]:
    """The same, and the programs that came back."""
    reopened = reopen_journal(path)
    opening = ResumedTournament(reopened.rebuild, reopened.cut)
    back = [player for player in opening.wanted if player.id not in absent]
    clients = [Client(Name(player.id, player.avatar), by_chance(number)) for number, player in enumerate(back)]
    async with (
        open_journal(reopened.file) as journal,
        open_rig(opening.settings, journal=journal, opening=opening) as rig,
    ):
        await rig.admit(*clients)
        tournament = rig.begin()
        standings = await tournament.run()
    return Played(tournament, standings, []), clients


def clients_by_chance(count: int) -> list[Client]:
    """Clients with a chance of its own for each: tables play at once, in no fixed order."""
    return [Client(Name(f"chance-{number}", f"Chance {number}"), by_chance(number)) for number in range(count)]


def erratic(seed: int, game: str) -> BadBot:
    """A program that now and then talks nonsense, bets what is forbidden, is late, quits, or hangs up."""
    rng = Random(seed)
    decide = by_chance(seed)

    async def run(peer: Peer) -> None:
        await peer.log_in(f"erratic-{seed}:Erratic {seed}")
        while (text := await peer.hear()) is not None:
            turn = decode_command(text, game)
            if not isinstance(turn, StudTurn | BlockheadTurn):
                continue
            match rng.randrange(60):
                case 0 | 1:
                    await peer.say("nonsense")
                case 2 | 3:
                    await peer.say("bet:999999999")
                case 4:
                    await trio.sleep(1.5)
                    await peer.say("fold")
                case 5:
                    await peer.say("quit")
                case 6:
                    return
                case _:
                    await peer.say(encode(decide(turn)))

    return run


def read_records(path: Path) -> list[dict[str, Any]]:
    return list(read_raw(path))


def rebuilt(path: Path) -> LedgerRebuild:
    """A whole journal, every record of which was checked.

    Raises:
        JournalError: see ``LedgerRebuild.hands``.
    """
    rebuild = LedgerRebuild(path)
    for _ in rebuild.hands():
        pass
    return rebuild


def write_records(path: Path, records: Iterable[Any]) -> None:
    """A journal of these records, whatever they are, each in a batch of its own.

    Raises:
        OverflowError: MessagePack has no form for one of them.
    """
    path.write_bytes(b"".join(chained(msgpack.packb(record) for record in records)))


def batch_ends(path: Path) -> list[int]:
    """Where each batch ends up to the end of the tournament: the sizes that a journal has had on the disk."""
    ends: list[int] = []
    for batch in read_batches(path):
        ends.append(batch.end)
        if isinstance(batch.records[-1], EndRecord):
            break
    return ends


def facts(ledger: Ledger) -> dict[str, Any]:
    """All that a ledger tells, but for reply times, of which a journal keeps whole microseconds."""
    standings = [facts_of(standing) for standing in ledger.standings()]
    return {
        "settings": ledger.settings,
        "tables": [_table(table) for table in ledger.seating.tables],
        "players": [_player(player) for player in ledger.players],
        "standings": [
            {name: fact for name, fact in told.items() if not name.startswith("reply_")} for told in standings
        ],
        "merits": {player.id: merit for player, merit in (ledger.format.merits() or {}).items()},
        "departures": {player.id: departure for player, departure in ledger.departures.items()},
        "level": ledger.levels.level,
        "scores": ledger.scores and [ledger.scores.by_player[player].as_dict() for player in ledger.players],
    }


def _table(table: TableState) -> dict[str, Any]:
    counts = ("number", "game", "hand_number", "played", "finished", "voided", "scored", "level", "at_level")
    names = (*counts, "match", "stacks_before", "arriving", "points", "won")
    return {name: getattr(table, name) for name in names} | {"players": [player.id for player in table.players]}


def _player(player: Player) -> dict[str, Any]:
    names = (
        "id",
        "avatar",
        "program",
        "lives",
        "hands_won",
        "hands_survived",
        "faults",
        "left",
        "left_in",
    )
    return {name: getattr(player, name) for name in (*names, "decisions", "proof")}


class FileOnFullDisk(AppendFile):
    """A file that can take no more bytes while ``full`` is set."""

    full = False

    def _write(self, data: bytes) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super()._write(data)
