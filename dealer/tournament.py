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
from dealer.scores import Scores
from dealer.standings import Standing, rank
from dealer.table import Table
from protocol.games.match import Match
from protocol.games.registry import Game
from protocol.games.stud import StudGame
from protocol.wire.messages import GameInfo

log = structlog.get_logger()


_STUD = StudGame()


@dataclass(frozen=True, slots=True)
class Settings:
    """What is agreed before the first hand.

    Attributes:
        game: what is played.
        hands: each table plays at most this many in a game.
        games: how often everybody starts again with equal stacks.
        limit: seconds until a reply is late.
        lives: faults until a player is out; the last one counts.
        table_size: seats at a table, at most.
        seed: 32 bytes from which every deck follows; secret until the end.
    """

    seed: bytes
    game: Game = _STUD
    hands: int = 200
    games: int = 1
    limit: float = 1.0
    lives: int = 1
    table_size: int = StudGame.seats[-1]


class Tournament:
    """Players, their tables and the order in which they leave. Make one, then ``run`` it once."""

    def __init__(self, settings: Settings, players: Sequence[Player], journal: Journal) -> None:
        self.settings = settings
        self.players = tuple(players)
        self._journal = journal
        self._stopping = False
        self._nursery: trio.Nursery | None = None
        self.scores = Scores(self.players) if settings.game.in_games else None
        self.tables = self._seat_players()

    def _seat_players(self) -> list[Table]:
        """As few tables as hold everybody, their sizes differing by one at most."""
        count = -(-len(self.players) // self.settings.table_size)
        tables = []
        for number in range(count):
            seated = list(self.players[number::count])
            match = self.settings.game.start(len(seated))
            table = Table(number, match, seated, self.settings.seed, self._journal, self._throw_out)
            table.observe = self.scores.add if self.scores else None
            tables.append(table)
        return tables

    @property
    def hand_number(self) -> int:
        """The hand under way at the table that is furthest on."""
        return max(table.hand_number for table in self.tables)

    @property
    def hands_planned(self) -> int:
        """Hands at each table, unless they end before."""
        return self.settings.hands * self.settings.games

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
                    nursery.start_soon(player.seat.close, self._farewell(standing))
        return standings

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now; where games count, by games won and then average chips."""
        if self.scores and self.scores.games:
            return rank(self.scores.average_chips(), self.scores.games_won())
        stacks = {
            player: stack
            for table in self.tables
            for player, stack in zip(table.players, table.match.stacks, strict=True)
        }
        return rank(stacks)

    async def _run_table(self, table: Table) -> None:
        for game in range(1, self.settings.games + 1):
            if game > 1:
                table.match = self._new_match(table)
            if table.match.over:
                break
            self._announce_game(table, game)
            last = table.hand_number + self.settings.hands
            while not table.match.over and table.hand_number < last:
                if self._stopping:
                    return
                await table.play_hand()
                self._remove_losers(table)
            if self.scores:
                self.scores.end_game(table.players, table.match.stacks)

    def _new_match(self, table: Table) -> Match:
        """Everybody who still plays, with equal stacks again."""
        match = self.settings.game.start(len(table.players))
        for index, player in enumerate(table.players):
            if player.left is not None:
                match = match.without(index)
        return match

    def _announce_game(self, table: Table, number: int) -> None:
        """Tell everybody at the table which game begins, unless it is one whose players expect no such word."""
        game = self.settings.game
        if not game.announced:
            return
        self._journal.record("game", table=table.number, game=number, hand=table.hand_number + 1)
        for seat, index in enumerate(table.match.seated):
            table.players[index].seat.tell(GameInfo.about(game, seat, len(table.match.seated)))

    def _remove_losers(self, table: Table) -> None:
        """Between two hands: who was thrown out gets no more cards, who cannot pay the ante is told goodbye."""
        for index, player in enumerate(table.players):
            if player.left is not None:
                if index in table.match.seated:
                    table.match = table.match.without(index)
            elif index not in table.match.seated:
                stack = table.match.stacks[index]
                self._leave(player, table, f"you are out: {stack} chips do not pay {self.settings.game.fee}")
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

    def _farewell(self, standing: Standing) -> str:
        """What a player who is still there hears at the end."""
        place = f"the tournament is over: you are number {standing.place} of {len(self.players)}"
        if not self.scores:
            return f"{place} with {standing.chips} chips"
        score = self.scores.by_player[standing.player]
        return f"{place}; you won {score.won} games, drew {score.drawn} and lost {score.lost}"

    def _record_start(self) -> None:
        settings = self.settings
        self._journal.record(
            "start",
            version=VERSION,
            game=settings.game.name,
            **{"hands": settings.hands, **settings.game.facts},
            seed=settings.seed,
            games=settings.games,
            limit=settings.limit,
            lives=settings.lives,
            table_size=settings.table_size,
            players=[{"id": p.id, "avatar": p.avatar, "program": p.program} for p in self.players],
        )
