"""A table whose hands a worker process plays, as the tournament knows it."""

from collections.abc import Awaitable, Callable, Sequence

import trio

from dealer.faults import Fault
from dealer.ledger.deal import Deal
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.tournament.hand_player import HandLost, TableTerms
from dealer.tournament.time_account import TimeAccount
from dealer.workers.awaited import Awaited
from dealer.workers.matches import changes
from dealer.workers.messages import Corrected, GoOn, Judged, Lost, Play, Played, SoFar, TellResults, Watch
from dealer.workers.told_here import tell_results, tell_void
from dealer.workers.worker_link import WorkerLink
from protocol.games.match import Match

#: Finds the worker of a table, by number, and lends it the seats of those who are dealt in.
FindWorker = Callable[[int, Sequence[Player]], Awaitable[WorkerLink]]

#: Seconds after which a worker is asked again for the hand of a table that somebody watches.
ASK_SECONDS = 0.5


class RemoteTable:
    """See ``HandPlayer``.

    Args:
        terms: with which its hands are played.
        find_worker: that plays them.
        nursery: in which slow hands wait.
    """

    def __init__(self, terms: TableTerms, find_worker: FindWorker, nursery: trio.Nursery) -> None:
        self._terms = terms
        self._find_worker = find_worker
        self._nursery = nursery
        self._link: WorkerLink | None = None
        self._known_to: WorkerLink | None = None
        self._hand: HandRecord | None = None
        self._played: PlayedHand | None = None
        self._to_tell: list[Seat | None] = []
        self._told: PlayedHand | None = None
        self._over: Awaited[None] = Awaited()
        self._stopped = False
        self._match: Match | None = None
        self._judged: list[tuple[Player, Fault]] = []
        self._asked = 0.0
        self._waiting: trio.CancelScope | None = None

    # What the tournament asks for

    def so_far(self) -> HandRecord | None:
        """See ``HandPlayer``. Each call lets the worker tell more of it for a while."""
        if self._link is not None and self._hand is not None and self._played is None:
            now = trio.current_time()
            if now >= self._asked + ASK_SECONDS:
                self._asked = now
                self._link.post(Watch(self._terms.number))
        return self._hand

    @property
    def decisions(self) -> int:
        """See ``HandPlayer``."""
        return 0 if self._hand is None else self._hand.decisions

    async def play(self, deal: Deal) -> PlayedHand:
        """See ``HandPlayer``."""
        terms, pauses = self._terms, self._terms.pauses
        self._hand = HandRecord(deal, [], [])
        self._played, self._judged = None, []
        link = await self._find_worker(terms.number, self._dealt_in(deal))
        if link is not self._known_to:
            link.tables[terms.number] = self
            self._known_to, self._match = link, None
        self._link, self._over = link, Awaited()
        slow = pauses is not None and pauses.due(0)
        number, hand, level, players, match, deck = deal
        sent, self._match = changes(self._match, match), match
        link.post(Play(number, hand, level, players, sent, deck, slow, TimeAccount.of(terms.ledger)))
        try:
            await self._over.take()
        except trio.Cancelled:
            self._stopped = True
            raise
        if self._played is None:
            self._hand = self._link = None
            tell_void(terms.ledger.settings, deal, self._dealt_in(deal))
            raise HandLost(self._judged)
        if pauses is not None:
            pauses.hand_over(len(self._hand.actions))
        return self._played

    def tell_results(self, played: PlayedHand) -> None:
        """See ``HandPlayer``."""
        link, self._hand = self._link, None
        if link is None or link.dead:
            self._tell_from_here(played)
        else:
            link.post(TellResults(self._terms.number))
            self._told = played

    def _tell_from_here(self, played: PlayedHand) -> None:
        """Tell the results of a hand whose worker has died, so that the seats are here."""
        tell_results(self._terms.ledger.settings, played, self._dealt_in(played.deal), self._to_tell)

    def came_back(self, player: Player) -> None:
        """A player has come back on another connection, on which its next turn in the hand under way is asked."""
        link, hand, seat = self._link, self._hand, player.seat
        if link is None or hand is None or self._played is not None or seat is None:
            return
        if not link.dead and player.number in hand.deal.players:
            link.lend(player.number, seat)

    # What its worker tells

    def take_played(self, played: Played) -> None:
        """See ``TableElsewhere``."""
        assert self._hand is not None
        deal = self._hand.deal
        self._hand = HandRecord(deal, played.actions, played.faults, played.corrections)
        self._played = PlayedHand(self._hand, played.starting, played.pot, played.settlement)
        self._to_tell = [player.seat for player in self._dealt_in(deal)]
        self._over.give(None)

    def take_so_far(self, so_far: SoFar) -> None:
        """See ``TableElsewhere``."""
        if self._hand is not None and self._played is None:
            self._hand = HandRecord(self._hand.deal, so_far.actions, so_far.faults, so_far.corrections)

    def take_wait(self) -> None:
        """See ``TableElsewhere``."""
        self._nursery.start_soon(self._wait)

    def take_lost(self, lost: Lost) -> None:
        """See ``TableElsewhere``."""
        link = self._link
        # A host who stops at once has stopped the tournament, while the workers play on until the dealer ends.
        if self._stopped:
            return
        assert link is not None
        player, seat, fault = self._terms.ledger.players[lost.player], link.seat_at(lost.place), False
        # A player who has come back on another connection meanwhile lost the old one only, and is not judged.
        if seat is not None and player.seat is seat:
            seat.heard = lost.heard
            fault = self._terms.judge(player, lost.error)
            if fault:
                self._judged.append((player, player.faults[-1]))
        link.post(Judged(self._terms.number, fault, gone=seat is None or player.seat is not seat))

    def take_corrected(self, corrected: Corrected) -> None:
        """See ``TableElsewhere``."""
        self._terms.note_correction(self._terms.ledger.players[corrected.player], corrected.reason)

    def worker_died(self) -> None:
        """See ``TableElsewhere``."""
        if self._waiting is not None:
            self._waiting.cancel()
        told, link = self._told, self._link
        if told is not None and link is not None and not link.has_told(self._terms.number, told.deal.number):
            self._tell_from_here(told)
        self._told = None
        self._over.give(None)

    async def _wait(self) -> None:
        """Let the hand go on when its next action may be seen."""
        assert self._hand is not None
        acted, pauses, link = len(self._hand.actions), self._terms.pauses, self._link
        with trio.CancelScope() as self._waiting:
            if pauses is not None and pauses.due(acted):
                await pauses.wait(acted)
            if link is not None:
                link.post(GoOn(self._terms.number))
        self._waiting = None

    def _dealt_in(self, deal: Deal) -> list[Player]:
        return [self._terms.ledger.players[number] for number in deal.players]
