"""The run of a league: start its programs, wait for their logins, play, and see how they end.

Each program gets its own loopback port. So the league knows which program is which without trusting an id, and players
sit in the order in which their programs were named.
"""

from collections.abc import Sequence

import trio
from rich.console import Console
from rich.status import Status
from rich.text import Text

from dealer.errors import NobodyPlayedError
from dealer.faults import FaultKind
from dealer.hosting.control import Control, begin_as_told
from dealer.hosting.interrupts import open_interrupts
from dealer.hosting.progress import announce_page, run_with_progress
from dealer.journal.writer import Journal
from dealer.lobby.player import Player
from dealer.net.stalls import Stalls
from dealer.net.watchdog import open_watchdog
from dealer.programs import STARTUP_SECONDS, Failure, Participant, Program, all_ended, gather
from dealer.settings import LeagueWords
from dealer.tournament.opening import MIN_PLAYERS
from dealer.tournament.scene import NO_ORDERS, FirstOrders, Scene
from dealer.tournament.tournament import Tournament

#: Seconds after which the host is told which programs have not logged in yet.
QUIET_SECONDS = 2.0


class League:
    """Programs, the lobby they log in to, and the tournament they play.

    Args:
        programs: all programs of the league; of a resumed one, only those whose players are still in are started.
        scene: how the tournament begins; it is told when it has.
        words: what the league was started with, for the journal.
        journal: of the tournament.
        console: where progress is shown.
        least: players without whom there is no tournament.
        patience: seconds a program may take to log in.
        asks: whether Ctrl-C asks the host what to do; else it ends the tournament after the hand in progress.
        orders: of the host, before the first hand.

    Attributes:
        tournament: None until enough programs have logged in.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        scene: Scene,
        words: LeagueWords,
        journal: Journal,
        console: Console,
        least: int = MIN_PLAYERS,
        patience: float = STARTUP_SECONDS,
        *,
        asks: bool = False,
        orders: FirstOrders = NO_ORDERS,
    ) -> None:
        opening = scene.opening
        self._orders = orders
        self.tournament: Tournament | None = None
        wanted = None if opening.wanted is None else {player.program for player in opening.wanted}
        self._scene = scene
        self._opening = opening
        self._words = words
        self._journal = journal
        self._console = console
        self._least = least
        self._asks = asks
        self._participants = [
            Participant(program, opening.lobby, opening.settings.limit, patience)
            for program in programs
            if wanted is None or program.name in wanted
        ]

    async def play(self) -> bool:
        """Play the league and wait until every program has ended; True if it can go on: see ``host_tournament``.

        Without enough players there is no tournament, only failures.

        Raises:
            PortError: a port cannot be opened.
            NobodyPlayedError: interrupted before the start.
        """
        try:
            async with open_interrupts(lambda: None) as interrupts, open_watchdog() as watchdog:
                async with trio.open_nursery() as nursery:
                    interrupts.gently = nursery.cancel_scope.cancel
                    announce_page(self._scene, self._console)
                    for one in self._participants:
                        await one.start(nursery, watchdog, self._console.print)
                    players = await self._gather(watchdog.stalls)
                    if len(players) >= min(self._least, len(self._participants)):
                        self.tournament = self._scene.begin(self._journal, players, self._words, watchdog.stalls)
                        control = Control(self.tournament, self._console, interrupts, asks=self._asks)
                        begin_as_told(self.tournament, self._orders, control, self._console, self._scene)
                        await run_with_progress(self.tournament, self._console, control)
                        await self._finish(watchdog.stalls)
                    nursery.cancel_scope.cancel()
        finally:
            for one in self._participants:
                await one.stop()
        if self.tournament is None and interrupts.count:
            raise NobodyPlayedError(f"interrupted before {self._beginning}")
        return self.tournament is not None and not self.tournament.ended

    @property
    def failures(self) -> list[Failure]:
        """Programs that did not start, did not log in, failed, or had to be stopped."""
        return [one.failure for one in self._participants if one.failure is not None]

    @property
    def _beginning(self) -> str:
        if self._opening.wanted is None:
            return "the tournament started"
        return "play went on; nothing is lost, the journal can be resumed again"

    async def _gather(self, stalls: Stalls) -> list[Player]:
        """Wait for the logins, and tell the host who is awaited."""
        with self._console.status("starting the bots") as status:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._say_who_is_awaited, status)
                players = await gather(self._participants, stalls)
                nursery.cancel_scope.cancel()
        return players

    async def _say_who_is_awaited(self, status: Status) -> None:
        """Tell the host which programs have not logged in yet, once that takes longer than a moment."""
        began = trio.current_time()
        await trio.sleep(QUIET_SECONDS)
        while True:
            missing = [one for one in self._participants if one.player is None and one.failure is None]
            names = ", ".join(one.program.name for one in missing)
            most = max((one.patience for one in missing), default=0.0)
            waited = trio.current_time() - began
            status.update(Text(f"waiting for the login of {names} ({waited:.0f} s, at most {most:g} s)"))
            await trio.sleep(1.0)

    async def _finish(self, stalls: Stalls) -> None:
        """Give every program a moment to exit after its ``done:``, and note those that did not play or exit well."""
        with self._console.status("waiting for the bots to end"):
            await all_ended(self._participants, stalls)
        for one in self._participants:
            if one.failure is not None or not one.running.here:
                continue
            if (what := self._ended_badly(one.program, one.running.code)) is not None:
                one.fail(what)

    def _ended_badly(self, program: Program, code: int | None) -> str | None:
        """What a program did wrong at its end, as the rest of a sentence; None if it ended as it should."""
        if code is None:
            return "did not end by itself"
        if code:
            return f"ended with exit code {code}"
        if not self._left_early(program):
            return None
        # Programs of the ACPC know no "done:".
        return f"left before {'it was told done:' if program.acpc is None else 'the tournament was over'}"

    def _left_early(self, program: Program) -> bool:
        """Whether the player of a program ended its connection during play."""
        players = self.tournament.players if self.tournament else ()
        faults = [fault for player in players if player.program == program.name for fault in player.faults]
        return any(fault.kind is FaultKind.GONE for fault in faults)
