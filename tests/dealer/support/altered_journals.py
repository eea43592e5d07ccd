"""Journals for tests to alter, and what ``verify`` says about them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock

from dealer.errors import RebuildError
from dealer.journal.file import AppendFile
from dealer.journal.records import Record
from dealer.journal.writer import open_journal
from dealer.lobby.failed_logins import FailedLogin, RefusalKind
from dealer.settings import OpenPorts, Services, Settings
from protocol.games.base import Action
from protocol.games.stud import StudGame, StudTurn
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.dealer.support.recorded import clients_by_chance, rebuilt, write_records
from tests.dealer.support.rig import SEED, Client, by_chance, open_rig

Records = list[dict[str, Any]]

STUD = Settings(SEED, hands=30, game=StudGame(60, 2), table_size=3)


async def play_with_absences(path: Path) -> None:
    """A player loses its connection, comes back, and loses it again for good.

    The host pauses, and removes another player, who is let in again.
    """
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(replace(STUD, rejoin=5.0, table_size=4), journal=journal) as rig:
            first = Peer(await rig.connect())
            await first.log_in("steph:Steph")
            while not rig.lobby.players:
                await rig.lobby.changed()
            await rig.admit(*clients_by_chance(3))
            tournament = rig.begin()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(tournament.run)
                await first.hear_question()
                await first.stream.aclose()
                second = Peer(await rig.connect())
                await second.log_in("steph:Steph")
                await second.hear_question()
                tournament.pause()
                tournament.set_pace(0.25)
                tournament.remove(tournament.players[3], "plays for another student")
                tournament.resume()
                await second.say("fold")
                await second.hear_question()
                removed = tournament.players[3]
                tournament.let_in(removed)
                await rig.start(Client(Name(removed.id, removed.avatar), by_chance(3)))
                while removed.left is not None:
                    await second.say("fold")
                    await second.hear_question()
                await second.stream.aclose()


async def play_until_suspended(path: Path) -> None:
    """Five players at two tables, until the host suspends the tournament, as soon as five hands are over."""
    async with open_journal(AppendFile.create(path)) as journal, open_rig(STUD, journal=journal) as rig:
        await rig.admit(*clients_by_chance(5))
        tournament = rig.begin()

        def suspend_in_time(records: Sequence[Record]) -> None:
            if tournament.hands_finished >= 5 and not tournament.stopping:
                tournament.suspend()

        journal.tell(suspend_in_time)
        await tournament.run()


HOSTED = replace(STUD, hands=12, table_size=2, levels=4, rounds=2)

REFUSED = FailedLogin(
    1.7e9, "10.0.0.7:51000", 4000, RefusalKind.UNKNOWN, "this id is not on the list", "zoe", b"zoe:Zoe"
)


async def play_with_a_host(path: Path) -> list[Client]:
    """Eight players at tables of two, in two rounds; the host says what a host can say, and removes chance-3."""
    clients, asked = clients_by_chance(8), 0
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(HOSTED, journal=journal) as rig:
            await rig.admit(*clients)
            tournament = rig.begin()
            tournament.services = Services(
                OpenPorts("::", {"port": 4000, "line_port": 4001}),
                8080,
                open_cards=False,
                desk=True,
                feed_port=None,
            )
            tournament._failed_logins.note(REFUSED)
            decide = by_chance(0)

            def decide_and_command(turn: StudTurn) -> Action:
                nonlocal asked
                asked += 1
                if asked == 1:
                    tournament.pause()
                    tournament.resume()
                    tournament.set_pace(0.25)
                    tournament.next_level()
                if asked == 3:
                    clock = trio.lowlevel.current_clock()
                    assert isinstance(clock, MockClock)
                    clock.jump(2 * STUD.limit)  # the dealer stands still
                if asked == 5:
                    tournament.remove(tournament.players[3], "asked to go home")
                return decide(turn)

            clients[0].decide = decide_and_command
            await tournament.run()
    return clients


def numbers(records: Records, type_: str) -> list[int]:
    """Where the records of a type are, from 0."""
    return [number for number, told in enumerate(records) if told["type"] == type_]


def verdict(folder: Path, records: Records) -> str | None:
    """What is wrong with these records, without the name of the file; None if nothing is."""
    path = folder / "altered.journal"
    write_records(path, records)
    told = None
    try:
        rebuilt(path)
    except RebuildError as error:
        told = str(error)
    assert told is None or ("\n" not in told and told.startswith(f"{path}: "))
    return told and told.removeprefix(f"{path}: ")
