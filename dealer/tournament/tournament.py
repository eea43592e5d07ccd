"""A tournament: its tables play hand after hand until one player is left or the agreed number of hands is played.

The ``Ledger`` holds its state, ``Presence`` the connections, ``BetweenHands`` decides what a table does before its next
hand, and a ``Table`` plays that hand. This file starts a task for each table, round after round, and takes the
commands of the host.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from types import MappingProxyType

import trio

from dealer.journal.records import EndRecord, PlayerFacts, ResumeRecord, StartRecord
from dealer.journal.writer import Journal
from dealer.ledger.columns import facts_of
from dealer.ledger.ledger import Ledger
from dealer.ledger.readmission import refusal
from dealer.ledger.scores import Scores
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.failed_logins import FailedLogins
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Reconnections
from dealer.net.stalls import TOLD_SECONDS, Stall, Stalls
from dealer.settings import Services
from dealer.telling.curves import ChipCurves
from dealer.telling.hand_events import Listener
from dealer.tournament.between_hands import BetweenHands
from dealer.tournament.presence import Incident, Presence
from dealer.tournament.show_plan import DEFAULT_MINUTES
from dealer.tournament.table import Table, WatchedTable
from dealer.tournament.tempo import FASTEST_PACE, LONGEST_SHOW, SHORTEST_SHOW, SLOWEST_PACE, Tempo
from protocol.events import HostSaid, RoundBegun, Stalled, Stopped, Voided

#: What players are told when the host suspends a tournament.
SUSPENDED = "the tournament is suspended; it goes on another day, with the same chips"


class Tournament:
    """Plays the hands that a ledger still has to play. Make one, then ``run`` it once.

    Args:
        ledger: with players and settings; players without a seat are away.
        journal: where everything is written before anyone hears of it.
        reconnections: brings back players whose connection was lost; None if such players are out.
        cut: bytes that were cut off the journal of a resumed tournament; None for a new one.
        removed: players the host had removed, with the reason, who had not left when the dealer died.
        let_in: players the host had let in again, who had no seat yet when the dealer died.
        failed_logins: recorded in the journal, too; None where nobody can log in.
        curves: of the tournament so far; None if it begins.

    Attributes:
        runs: the tables that have begun to play, by number.
        started: whether the start or the resumption is recorded, so that other records may follow.
        over: whether the end is recorded, so that no record may follow but how programs closed their connections.
        ended: whether the end is on the disk, so that the tournament cannot be resumed.
        complete: whether all connections are closed and every record is on the disk, so that the journal's head is
            final.
        services: what the dealer has opened, for the journal; None if it need not tell.
        begin_with: called before the first hand, when orders of the host can be recorded.
        suspended: whether the host has stopped it so that it can be resumed another day.
        log_steps: whether every step of a hand goes to the log; set it before ``run``.
        listeners: see ``Table``.
        curves: chips of all players over hands, which whoever shows them keeps up to date.
    """

    def __init__(
        self,
        ledger: Ledger,
        journal: Journal,
        reconnections: Reconnections | None = None,
        *,
        cut: int | None = None,
        removed: Mapping[Player, str] = MappingProxyType({}),
        let_in: Collection[Player] = (),
        failed_logins: FailedLogins | None = None,
        curves: ChipCurves | None = None,
    ) -> None:
        self.ledger = ledger
        self.settings = ledger.settings
        self.journal = journal
        self._presence = Presence(ledger, journal, reconnections)
        self._between_hands = BetweenHands(ledger, journal, self._presence)
        self._cut = cut
        self._removed = removed
        for player in let_in:
            self._presence.let_in(player)
        self._failed_logins = failed_logins or FailedLogins()
        self.runs: dict[int, WatchedTable] = {}
        self.started = False
        self.over = False
        self.ended = False
        self.complete = False
        self.suspended = False
        self.log_steps = False
        self.listeners: list[Listener] = []
        self.curves = curves or ChipCurves(ledger)
        self.services: Services | None = None
        self.begin_with: Callable[[], None] = lambda: None

    @property
    def players(self) -> tuple[Player, ...]:
        """All players, by number; those who are out included."""
        return self.ledger.players

    @property
    def tables(self) -> list[TableState]:
        """The tables of the current round."""
        return self.ledger.seating.round_tables

    @property
    def scores(self) -> Scores | None:
        """The scores of games; None in tournaments that do not count games."""
        return self.ledger.scores

    @property
    def tempo(self) -> Tempo:
        """How fast hands follow each other."""
        return self._between_hands.tempo

    @property
    def incidents(self) -> Sequence[Incident]:
        """The last faults and lost connections, the newest last."""
        return self._presence.incidents.latest

    @property
    def hand_number(self) -> int:
        """The number of the current hand at the table of this round that has played most; voided hands do not count."""
        return max((table.hand_number - table.voided for table in self.tables), default=0)

    @property
    def hands_finished(self) -> int:
        """Hands finished at all tables together, in all rounds."""
        return self.ledger.seating.finished

    @property
    def hands_planned(self) -> int | None:
        """Hands each table of a round plays at most; None if the stakes rise until one player is left."""
        if self.settings.levels is not None:
            return None
        return self.settings.hands * max((table.games for table in self.tables), default=0)

    def is_here(self, player: Player) -> bool:
        """Whether a player is connected. A person whose page is gone keeps the seat for a while, but is not here."""
        return player.seat is not None and player.seat.broke_at == inf

    @property
    def playing(self) -> int:
        """How many players are still in."""
        return sum(self.ledger.seating.still_in(player) for player in self.players)

    @property
    def unfinished(self) -> bool:
        """Whether there is a hand left to play."""
        return not self.ledger.seating.over

    @property
    def decisions(self) -> int:
        """Questions answered so far, those of hands under way included."""
        counted = sum(player.decisions for player in self.players)
        return counted + sum(run.decisions_in_play for run in self.runs.values())

    def standings(self) -> list[Standing]:
        """The places of all players now."""
        return self.ledger.standings()

    @property
    def stopping(self) -> bool:
        """Whether every table stops after the hand in progress."""
        return self._between_hands.stopping

    @property
    def removed(self) -> Collection[Player]:
        """Players the host has removed, who leave after the hand in progress."""
        return self._between_hands.removals.keys()

    def stop_after_hand(self) -> None:
        """Let every table finish its hand in progress, and then stop."""
        self._between_hands.stopping = True
        self._presence.changes.announce()

    def stop_soon(self, seconds: float) -> None:
        """Let every table finish its hand in progress, with at most ``seconds`` for each answer, and then stop.

        For a player who takes longer the hand is folded, which is no fault: people have minutes otherwise.
        """
        seats = [player.seat for player in self.players if player.seat is not None]
        if any(seat.limit > seconds for seat in seats) and self.started and not self.over:
            self._record_desk("stop", seconds=seconds)  # without it, hands folded like that would look forged
            for seat in seats:
                seat.hasten(seconds)
        self.stop_after_hand()

    def end(self) -> None:
        """End the tournament at the host's command: tables finish their hands in progress, then standings follow."""
        self._record_desk("end")
        self.stop_after_hand()

    def suspend(self) -> None:
        """Stop the tournament after the hands in progress, so that it can be resumed another day.

        Raises:
            ValueError: there is no journal to resume it from.
        """
        if not self.journal.kept:
            raise ValueError("there is no journal, so the tournament could not be resumed; end it, or let it go on")
        self._record_desk("suspend")
        self.suspended = True
        self.stop_after_hand()

    def pause(self) -> None:
        """Let every table finish its hand in progress, and then wait."""
        self._record_desk("pause")
        self.tempo.paused = True

    def resume(self) -> None:
        """Let tables deal again after a pause."""
        self._record_desk("resume")
        self.tempo.paused = False
        self._presence.changes.announce()

    def set_pace(self, seconds: float) -> None:
        """Let every hand take at least so many seconds, from 0 to ``SLOWEST_PACE``; a show ends with that."""
        self._record_desk("pace", seconds=seconds)
        self.tempo.end_show()
        self.tempo.pace = seconds
        self._presence.changes.announce()

    def set_length(self, seconds: float, factor: float = 1.0) -> None:
        """Begin a show: let what is left of the tournament take about so many seconds.

        Args:
            seconds: of the show.
            factor: multiplies the time of slow hands.
        """
        self._record_desk("length", seconds=seconds)
        self.tempo.begin_show(seconds, factor)
        self._presence.changes.announce()

    def hurry(self, factor: float) -> None:
        """Let the rest of the show, or a hand where there is no show, take ``factor`` times as long.

        Where hands follow each other at once, a slower tournament is a show of the usual length.
        """
        tempo = self.tempo
        if tempo.plan is not None:
            left = max(tempo.show_left or 0.0, SHORTEST_SHOW if factor > 1 else 0.0)
            self.set_length(min(left * factor, 60 * LONGEST_SHOW), tempo.plan.factor * factor)
        elif tempo.pace:
            pace = min(tempo.pace * factor, SLOWEST_PACE)
            self.set_pace(pace if pace >= FASTEST_PACE else 0.0)
        elif factor > 1:
            self.set_length(60 * DEFAULT_MINUTES)

    def step(self) -> None:
        """In a pause let every table deal one more hand, slowly, and then wait."""
        self._record_desk("step")
        self.tempo.step()
        self._presence.changes.announce()

    def next_level(self) -> None:
        """Begin the next level now.

        Raises:
            ValueError: this tournament has no levels, or no further one.
        """
        self.ledger.levels.check()
        self._record_desk("level")
        self._between_hands.raise_level()

    def remove(self, player: Player, reason: str) -> None:
        """Put a player out after the hand in progress; it is told ``reason``, and all others can read it."""
        self._record_desk("remove", player=player.number, reason=reason)
        self._between_hands.remove(player, reason)

    def is_let_in(self, player: Player) -> bool:
        """Whether a player who has left may log in again, or waits for a seat at a table."""
        return self._presence.is_let_in(player)

    def let_in(self, player: Player) -> None:
        """Let a player who has left log in again, to sit down between two hands with the chips it had.

        Raises:
            ValueError: it cannot; the text says why.
        """
        why = refusal(self.ledger, player)
        if why is not None:
            raise ValueError(why)
        self._presence.let_in(player)
        self._record_desk("readmit", player=player.number)

    def note_message(self, text: str) -> None:
        """Record a message of the host to all who watch; empty if there is none any more."""
        self._record_desk("message", reason=text)

    def heed_stalls(self, stalls: Stalls) -> None:
        """Record when the dealer stands still, and add that time to levels and to the time of players who are away."""
        self._presence.use_clock(stalls.clock)
        self._between_hands.level_clock.clock = stalls.clock
        stalls.listen(self._record_stall)

    def _record_stall(self, stall: Stall) -> None:
        if stall.seconds >= TOLD_SECONDS and self.started and not self.over:
            self.journal.record(Stalled(stall.seconds))

    def _record_desk(
        self, command: str, *, player: int | None = None, seconds: float | None = None, reason: str | None = None
    ) -> None:
        self.journal.record(HostSaid(command, player, seconds, reason))

    async def run(self) -> list[Standing]:
        """Play to the end, tell all players their places, and return the standings."""
        async with trio.open_nursery() as nursery:
            self._presence.closings = nursery
            if self._cut is None:
                self._record_start()
                self._presence.expect_back()
            else:
                self._resume_play(self._cut)
            if self.services is not None:
                self.journal.record(self.services)
            self.begin_with()
            self.started = True
            self._failed_logins.record_with(self.journal.record)
            await self.journal.forced()
            await self._play_rounds()
            standings = self.standings()
            if self.suspended and self.unfinished:
                await self._part(nursery)
                return standings
            self.suspended = False  # the last hand was played meanwhile
            # The end is on the disk before any player is told, and before the seed is shown: a dealer that dies before
            # that resumes the tournament, and nobody was told that it is over. All before the end is forced first, so
            # that the mark at the end vouches for it.
            self._failed_logins.stop_recording()
            await self.journal.forced()
            self.journal.record(EndRecord([facts_of(standing) for standing in standings]))
            self.over = True
            self._presence.close()
            await self.journal.forced()
            self.ended = True
            for standing in standings:
                seat = standing.player.seat
                if seat is not None:
                    nursery.start_soon(
                        self._presence.part, standing.player, seat, self.ledger.closing_message(standing)
                    )
        await self.journal.forced()
        self.complete = True
        return standings

    async def _part(self, nursery: trio.Nursery) -> None:
        """Say goodbye to all players until the tournament is resumed.

        Every table has stopped, and the results of its hands are written. The record says so: without it, a dealer
        that resumes would have to void a hand of each table, whose cards might have been seen.
        """
        self._failed_logins.stop_recording()
        self.journal.record(Stopped())
        self.over = True
        self._presence.close()
        await self.journal.saved()
        for player in self.players:
            if player.seat is not None:
                nursery.start_soon(player.seat.close, SUSPENDED)

    async def _play_rounds(self) -> None:
        while True:
            async with trio.open_nursery() as nursery:
                for state in self.tables:
                    pauses = self._between_hands.action_pauses()
                    table = Table(
                        state, self.ledger, self.journal, self._presence, pauses,
                        listeners=self.listeners, log_steps=self.log_steps,
                    )  # fmt: skip
                    self.runs[state.number] = table
                    nursery.start_soon(self._run_table, table)
            self.ledger.end_round()
            seating = self.ledger.seating
            if not seating.round_over or not seating.another_round(len(self._presence.waiting())):
                return
            let_in = tuple([player.number for player in self._between_hands.let_in_for_round()])
            self.ledger.begin_round()
            seats = [[player.number for player in table.players] for table in self.tables]
            self.journal.record(RoundBegun(seating.round, seats, let_in))

    async def _run_table(self, table: Table) -> None:
        """Play all hands of a table in the current round."""
        while await self._between_hands.ready(table.state, table.pauses.dealt):
            table.pauses.dealt = trio.current_time()
            await table.play_hand()
        self._presence.changes.announce()  # tables that waited for players from this one need not wait any more

    def _resume_play(self, cut: int) -> None:
        """Resume: void the hands that were in progress, and note players who were removed or did not come back."""
        self.journal.record(ResumeRecord(time.time(), cut))
        # Some of their cards were seen. So these hands do not count, and their numbers, from which the cards follow,
        # are not used again.
        for table in self.ledger.hands_under_way():
            self.ledger.void(table)
            self.journal.record(Voided(table.number, table.hand_number))
        self.ledger.resume()
        self._presence.expect_back()
        for player, reason in self._removed.items():
            self._between_hands.remove(player, reason)
        for player in [
            player for player in self.players if player.seat is None and self.ledger.seating.plays_on(player)
        ]:
            self._presence.note_absent(player)
            self.ledger.tidy(self.ledger.seating.table_of(player))
        for table in self.tables:
            for player in table.seated if table.game else ():
                self._presence.announce_game(player, table)

    def _record_start(self) -> None:
        players = [PlayerFacts(one.id, one.avatar, one.program, one.proof, one.acpc) for one in self.players]
        self.journal.record(StartRecord.of(self.settings, players, time.time()))
