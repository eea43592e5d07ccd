"""A tournament: tables that play hand after hand until one player is left, or the agreed number is played.

What it has come to stands in its ``Ledger``; here is what happens: questions, faults, goodbyes. A table is a
task that plays one hand after another; between two of its hands it is decided who is out.
"""

import time
from collections.abc import Collection
from dataclasses import asdict
from math import inf

import structlog
import trio

from dealer.farewell import farewell
from dealer.faults import FaultKind, SeatLost
from dealer.journal.records import VERSION
from dealer.journal.writer import Journal
from dealer.ledger import Ledger, TableState
from dealer.player import Player
from dealer.reunion import Reunion
from dealer.scores import Scores
from dealer.seat import Seat
from dealer.standings import Standing
from dealer.table import Table
from dealer.tempo import Tempo
from protocol.games.match import MIN_PLAYERS
from protocol.shuffle import commitment
from protocol.wire.messages import GameInfo

log = structlog.get_logger()


class Tournament:
    """Plays what a ledger still has to play. Make one, then ``run`` it once.

    Args:
        ledger: players and settings; everybody who has no seat is away.
        journal: where everything is written before anyone hears of it.
        reunion: brings back players whose connection ended; None if that is the end of them.
        cut: bytes that were cut off the journal of a tournament that is played on; None for a new one.

    Attributes:
        over: whether the end is recorded, and no record may follow.
        ended: whether the end is on the disk, so that nothing can be played on.
        tempo: how fast hands follow each other.
    """

    def __init__(
        self, ledger: Ledger, journal: Journal, reunion: Reunion | None = None, *, cut: int | None = None
    ) -> None:
        self.ledger = ledger
        self.settings = ledger.settings
        self.journal = journal
        self._reunion = reunion
        self._cut = cut
        self._stopping = False
        self._nursery: trio.Nursery | None = None
        self._about_to_announce: set[TableState] = set()
        self._dismissed: dict[Player, str] = {}
        self.tempo = Tempo()
        self.over = False
        self.ended = False

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody who was there at the start."""
        return self.ledger.players

    @property
    def tables(self) -> list[TableState]:
        """All tables."""
        return self.ledger.tables

    @property
    def scores(self) -> Scores | None:
        """Of games, where games count."""
        return self.ledger.scores

    @property
    def hand_number(self) -> int:
        """The hand under way at the table that is furthest on; voided ones do not count."""
        return max(table.hand_number - table.voided for table in self.tables)

    @property
    def hands_finished(self) -> int:
        """Hands that the table that is furthest on has finished."""
        return max(table.finished for table in self.tables)

    @property
    def hands_planned(self) -> int:
        """Hands at each table, unless they end before."""
        return self.settings.hands * max(self.ledger.games(table) for table in self.tables)

    @property
    def unfinished(self) -> bool:
        """Whether there is a hand left to play."""
        return not all(self.ledger.table_over(table) for table in self.tables)

    @property
    def decisions(self) -> int:
        """Questions answered so far."""
        return sum(player.decisions for player in self.players)

    @property
    def stopping(self) -> bool:
        """Whether every table finishes the hand it plays, and no more."""
        return self._stopping

    @property
    def dismissed(self) -> Collection[Player]:
        """Whom the host has removed, and who leaves as soon as no hand is under way at its table."""
        return self._dismissed.keys()

    def stop_after_hand(self) -> None:
        """Let every table finish the hand it plays, and no more."""
        self._stopping = True
        self.tempo.announce()
        if self._reunion:
            self._reunion.announce()

    def pause(self) -> None:
        """Let every table finish the hand it plays, and then wait."""
        self._record_desk("pause")
        self.tempo.pause()

    def resume(self) -> None:
        """Go on after a pause."""
        self._record_desk("resume")
        self.tempo.resume()

    def end(self) -> None:
        """The host wants it to end: every table finishes the hand it plays, and standings follow."""
        self._record_desk("end")
        self.stop_after_hand()

    def set_pace(self, seconds: float) -> None:
        """From now on a hand takes at least so many seconds, 0 to ``SLOWEST_PACE``."""
        self._record_desk("pace", seconds=seconds)
        self.tempo.set_pace(seconds)

    def remove(self, player: Player, reason: str) -> None:
        """Put a player out after the hand its table plays; ``reason`` is what it hears, and all others read."""
        self._record_desk("remove", player=self.players.index(player), reason=reason)
        self._dismissed[player] = reason
        self.tempo.announce()
        if self._reunion:
            self._reunion.announce()  # its table may wait for this very player

    def _record_desk(
        self, command: str, *, player: int | None = None, seconds: float | None = None, reason: str | None = None
    ) -> None:
        self.journal.record("desk", command=command, player=player, seconds=seconds, reason=reason)

    def standings(self) -> list[Standing]:
        """Everybody's place as things stand now."""
        return self.ledger.standings()

    async def run(self) -> list[Standing]:
        """Play to the end, tell everybody how they did, and return the standings."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            if self._cut is None:
                self._record_start()
            else:
                self._resume(self._cut)
            await self.journal.saved()
            async with trio.open_nursery() as tables:
                for state in self.tables:
                    tables.start_soon(self._run_table, Table(state, self.ledger, self.journal, self._judge))
            standings = self.standings()
            self.journal.record("end", standings=[standing.as_dict() for standing in standings])
            self.over = True
            if self._reunion:
                self._reunion.close()
            await self.journal.saved()
            self.ended = True
            for standing in standings:
                seat = standing.player.seat
                if seat is not None:
                    nursery.start_soon(seat.close, farewell(self.ledger, standing))
        return standings

    async def _run_table(self, table: Table) -> None:
        self.journal.tables += 1
        try:
            await self._play_hands(table)
        finally:
            self.journal.tables -= 1

    async def _play_hands(self, table: Table) -> None:
        state, ledger = table.state, self.ledger
        dealt = -inf
        self._remove_broke(state)  # a dealer may have died between a hand and its goodbyes
        while not ledger.table_over(state):
            if state.game == 0 or ledger.game_over(state):
                await self._begin_game(state)
                continue
            await self._wait_for_turn(state, dealt)
            await self._wait_for_players(state)
            if self._stopping or self.journal.outgrown:
                return
            # Who waits long for players may meanwhile have been told to pause.
            if not ledger.game_over(state) and trio.current_time() >= self.tempo.due(dealt):
                dealt = trio.current_time()
                await table.play_hand()
                self._remove_broke(state)
                self._remove_dismissed(state)

    async def _begin_game(self, table: TableState) -> None:
        self.ledger.begin_game(table)
        self.journal.record("game", table=table.number, game=table.game, hand=table.hand_number + 1)
        self._about_to_announce.add(table)
        await self.journal.saved()  # whoever plays on must void a first hand of which cards may have been seen
        self._about_to_announce.remove(table)
        for player in table.seated:
            self._announce_game(player, table)

    def _announce_game(self, player: Player, table: TableState) -> None:
        """Tell a player which game is played, unless it is one whose players expect no such word."""
        game, seated = self.settings.game, table.seated
        if game.announced and player.seat is not None:
            player.seat.tell(GameInfo.about(game, seated.index(player), len(seated)))

    async def _wait_for_turn(self, table: TableState, dealt: float) -> None:
        """Between two hands: whatever the host's tempo asks of a table that dealt its last one at ``dealt``."""
        self._remove_dismissed(table)
        while not self._stopping and trio.current_time() < (due := self.tempo.due(dealt)):
            with trio.move_on_at(due):
                await self.tempo.changed()
            self._remove_dismissed(table)

    def _remove_dismissed(self, table: TableState) -> None:
        """Between two hands: whom the host has removed leaves."""
        for player in [player for player in self._dismissed if player in table.players]:
            reason = self._dismissed.pop(player)
            if player.left is None:
                self._leave(player, f"you are out: {reason}", FaultKind.REMOVED)
                self.ledger.tidy(table)

    async def _wait_for_players(self, table: TableState) -> None:
        """Between two hands: who has been away too long is out; while fewer than two are here, wait for the others."""
        if self._reunion is None:
            return
        self._remove_overdue(table, self._reunion)
        while not self._stopping:
            playing = [player for player in table.players if player.left is None]
            here = sum(player.seat is not None for player in playing)
            if here >= MIN_PLAYERS or here == len(playing):
                return
            with trio.move_on_at(self._reunion.next_deadline(table.players)):
                await self._reunion.changed()
            self._remove_overdue(table, self._reunion)
            self._remove_dismissed(table)

    def _remove_overdue(self, table: TableState, reunion: Reunion) -> None:
        for player in reunion.overdue(table.players):
            reason = f"you are out: your connection ended, and you were not back within {self.settings.rejoin:g} s"
            self._leave(player, reason, FaultKind.GONE)
            self.ledger.tidy(table)

    def _remove_broke(self, table: TableState) -> None:
        """Between two hands: who cannot pay the ante is told goodbye."""
        for player in self.ledger.broke(table):
            stack = table.match.stacks[table.players.index(player)]
            self._leave(player, f"you are out: {stack} chips do not pay {self.settings.game.fee}")

    def _judge(self, player: Player, lost: SeatLost) -> bool:
        """What becomes of a player who gave no acceptable answer; whether that was a fault."""
        fault = lost.fault
        if self._reunion is not None and self.settings.rejoin is not None and lost.may_come_back:
            self._send_away(player, fault.reason, self._reunion)
            return False
        player.faults.append(fault)
        player.lives -= 1
        log.warning("fault", player=player.id, avatar=player.avatar, kind=fault.kind.value, reason=fault.reason)
        if player.lives <= 0 or not lost.connected:
            self._leave(player, f"you are out: {fault.reason}", fault.kind)
        return True

    def _send_away(self, player: Player, reason: str, reunion: Reunion) -> None:
        """The connection is lost, the player is not: it may come back."""
        assert self._nursery is not None
        log.warning("away", player=player.id, avatar=player.avatar, reason=reason)
        if player.seat is not None:
            self._nursery.start_soon(player.seat.close, reason)
        reunion.wait_for(player)
        self._record_presence("away", player)

    def _welcome_back(self, player: Player) -> None:
        """Whoever comes back in the middle of a game must be told which."""
        log.warning("back", player=player.id, avatar=player.avatar)
        self._record_presence("back", player)
        table = self.ledger.table_of(player)
        if player in table.seated and table not in self._about_to_announce:
            self._announce_game(player, table)

    def _record_presence(self, type_: str, player: Player) -> None:
        hand = self.ledger.table_of(player).hand_number
        self.journal.record(type_, player=self.players.index(player), hand=hand)

    def _leave(self, player: Player, reason: str, kind: FaultKind | None = None) -> None:
        assert self._nursery is not None
        table = self.ledger.table_of(player)
        chips = table.stacks_before[table.players.index(player)]
        if self._reunion:
            self._reunion.forget(player)
        self.ledger.leave(player, table.hand_number, chips, reason)
        self.journal.record(
            "out",
            player=self.players.index(player),
            hand=player.left_in,
            chips=chips,
            kind=kind and kind.value,
            reason=reason,
        )
        log.info("out", player=player.id, avatar=player.avatar, hand=player.left_in, reason=reason)
        if player.seat is not None:
            self._nursery.start_soon(self._say_goodbye, player.seat, reason)
            player.seat = None

    async def _say_goodbye(self, seat: Seat, reason: str) -> None:
        await self.journal.saved()
        await seat.close(reason)

    def _record_start(self) -> None:
        settings = self.settings
        self.journal.record(
            "start",
            version=VERSION,
            started=time.time(),
            game=settings.game.name,
            **{"hands": settings.hands, **settings.game.facts},
            seed=settings.seed,
            seed_text=settings.seed_text,
            commitment=commitment(settings.seed),
            games=settings.games,
            limit=settings.limit,
            lives=settings.lives,
            table_size=settings.table_size,
            duplicate=settings.duplicate,
            rejoin=settings.rejoin,
            secrets=settings.secrets,
            players=[{"id": p.id, "avatar": p.avatar, "program": p.program, "proof": p.proof} for p in self.players],
            origin=settings.origin and asdict(settings.origin),
        )
        self._expect_back()

    def _resume(self, cut: int) -> None:
        """Void whatever hand was under way, and part with those who did not come back."""
        self.journal.record("resume", started=time.time(), cut=cut)
        for table in self.tables:
            if table.game and not self.ledger.game_over(table) and not self.ledger.table_over(table):
                self.ledger.void(table)
                self.journal.record("void", table=table.number, hand=table.hand_number)
        self._expect_back()
        for table in self.tables:
            for player in table.players:
                if player.left is None and player.seat is None:
                    self._miss(player)
                    self.ledger.tidy(table)
            for player in table.seated if table.game else ():
                self._announce_game(player, table)

    def _miss(self, player: Player) -> None:
        """A player is not there when a tournament is played on."""
        if self._reunion is not None and self.settings.rejoin is not None:
            self._send_away(player, "not back yet", self._reunion)
        else:
            self._leave(player, "you are out: you did not come back when the dealer did", FaultKind.GONE)

    def _expect_back(self) -> None:
        if self._reunion is not None:
            self._reunion.on_back = self._welcome_back
