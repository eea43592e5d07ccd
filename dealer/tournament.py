"""A tournament: tables that play hand after hand until one player is left, or the agreed number is played.

A table is a task that plays one hand after another; between two of its hands the tournament looks who is
out. Who sits where is decided in one place, ``_seat_players``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog
import trio

from dealer.journal import VERSION, Journal
from dealer.player import Player
from dealer.standings import Standing, rank
from dealer.table import Table
from protocol.games import stud

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before the first hand.

    Attributes:
        hands: each table plays at most this many.
        stack: chips everybody starts with.
        ante: chips everybody puts in before each hand.
        limit: seconds until a reply is late.
        lives: faults until a player is out; the last one counts.
        table_size: seats at a table, at most.
        seed: 32 bytes from which every deck follows; secret until the end.
    """

    seed: bytes
    hands: int = 200
    stack: int = stud.DEFAULT_STACK
    ante: int = stud.DEFAULT_ANTE
    limit: float = 1.0
    lives: int = 1
    table_size: int = stud.SEATS[-1]


class Tournament:
    """Players, their tables and the order in which they leave. Make one, then ``run`` it once."""

    def __init__(self, settings: Settings, players: Sequence[Player], journal: Journal) -> None:
        self.settings = settings
        self.players = tuple(players)
        self._journal = journal
        self._stopping = False
        self._nursery: trio.Nursery | None = None
        self.tables = self._seat_players()

    def _seat_players(self) -> list[Table]:
        """As few tables as hold everybody, their sizes differing by one at most."""
        count = -(-len(self.players) // self.settings.table_size)
        tables = []
        for number in range(count):
            seated = list(self.players[number::count])
            match = stud.StudMatch.start(len(seated), self.settings.stack, self.settings.ante)
            tables.append(Table(number, match, seated, self.settings.seed, self._journal, self._throw_out))
        return tables

    @property
    def hand_number(self) -> int:
        """The hand under way at the table that is furthest on."""
        return max(table.hand_number for table in self.tables)

    @property
    def decisions(self) -> int:
        """Questions answered so far."""
        return sum(player.decisions for player in self.players)

    def stop_after_hand(self) -> None:
        """Let every table finish the hand it plays, and no more."""
        self._stopping = True

    async def run(self) -> list[Standing]:
        """Play to the end, tell everybody how they did, and return the standings."""
        self._record_start()
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            async with trio.open_nursery() as tables:
                for table in self.tables:
                    tables.start_soon(self._run_table, table)
            standings = self.standings()
            self._journal.record("end", standings=[standing.as_dict() for standing in standings])
            for standing in standings:
                player = standing.player
                if player.left is None:
                    nursery.start_soon(player.seat.close, _farewell(standing, len(self.players)))
        return standings

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now."""
        stacks = {
            player: stack
            for table in self.tables
            for player, stack in zip(table.players, table.match.stacks, strict=True)
        }
        return rank(stacks)

    async def _run_table(self, table: Table) -> None:
        while len(table.match.seated) > 1 and table.hand_number < self.settings.hands and not self._stopping:
            await table.play_hand()
            self._remove_losers(table)

    def _remove_losers(self, table: Table) -> None:
        """Between two hands: who was thrown out gets no more cards, who cannot pay the ante is told goodbye."""
        for index, player in enumerate(table.players):
            if player.left is not None:
                if index in table.match.seated:
                    table.match = table.match.without(index)
            elif index not in table.match.seated:
                stack = table.match.stacks[index]
                self._leave(player, table, f"you are out: {stack} chips do not pay the ante of {self.settings.ante}")
            else:
                player.hands_survived += 1

    def _throw_out(self, player: Player, reason: str) -> None:
        table = next(table for table in self.tables if player in table.players)
        self._leave(player, table, f"you are out: {reason}")

    def _leave(self, player: Player, table: Table, reason: str) -> None:
        assert self._nursery is not None
        player.left, player.left_in = reason, table.hand_number
        player.left_with = table.stacks_before[table.players.index(player)]
        self._journal.record("out", player=self.players.index(player), hand=player.left_in, reason=reason)
        log.info("out", player=player.id, avatar=player.avatar, hand=player.left_in, reason=reason)
        self._nursery.start_soon(player.seat.close, reason)

    def _record_start(self) -> None:
        settings = self.settings
        self._journal.record(
            "start",
            version=VERSION,
            game=stud.NAME,
            seed=settings.seed,
            hands=settings.hands,
            stack=settings.stack,
            ante=settings.ante,
            limit=settings.limit,
            lives=settings.lives,
            table_size=settings.table_size,
            players=[{"id": p.id, "avatar": p.avatar, "program": p.program} for p in self.players],
        )


def _farewell(standing: Standing, players: int) -> str:
    return f"the tournament is over: you are number {standing.place} of {players} with {standing.chips} chips"
