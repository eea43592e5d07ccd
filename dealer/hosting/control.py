"""The host at the terminal while a tournament is played: Ctrl-C pauses, and asks what to do."""

import signal
from collections.abc import Callable

from rich.console import Console
from rich.progress import Progress

from dealer.hosting.interrupts import Interrupts
from dealer.hosting.keyboard import at_terminal, read_line
from dealer.tournament.scene import Scene
from dealer.tournament.tournament import Tournament


class Control:
    """What interrupts do to a tournament that is played.

    A SIGINT pauses it after the hand in progress and asks the host, if there is a terminal. Everything else ends it
    after that hand.

    Args:
        tournament: that is played.
        console: for the host.
        interrupts: that this handles from now on.
        asks: whether the host is asked at all.

    Attributes:
        progress: is hidden while the host is asked; None if there is none.
    """

    def __init__(self, tournament: Tournament, console: Console, interrupts: Interrupts, *, asks: bool) -> None:
        self.progress: Progress | None = None
        self._tournament = tournament
        self._console = console
        self._interrupts = interrupts
        self._asks = asks
        interrupts.gently = self._stop
        interrupts.invite = self._invite

    def ask(self, why: str) -> None:
        """Pause the tournament, and ask the host what to do.

        Args:
            why: a sentence in front of the question.
        """
        if not self._tournament.tempo.paused:
            self._tournament.pause()
        self._interrupts.count, self._interrupts.asking = 1, True
        self._interrupts.nursery.start_soon(self._ask, why)

    @property
    def can_ask(self) -> bool:
        """Whether there is somebody to ask."""
        return self._asks and self._console.is_terminal and at_terminal()

    def _stop(self) -> None:
        """Stop after the hand in progress: what the first interrupt does."""
        tournament = self._tournament
        if self._interrupts.signal == signal.SIGINT and self.can_ask and not (tournament.over or tournament.stopping):
            self.ask("Pausing after this hand.")
        else:
            tournament.stop_after_hand()

    def _invite(self) -> None:
        # While the disk refuses the journal, hands wait for it; so does the end.
        when = "as soon as the journal can be written" if self._tournament.journal.trouble else "after this hand"
        self._console.print(f"Stopping {when}; interrupt again to stop at once.")

    async def _ask(self, why: str) -> None:
        if self.progress is not None:
            self.progress.stop()
        suspend = "s: suspend it, to resume later; " if self._tournament.journal.kept else ""
        question = f"e: end it with the standings so far; {suspend}g: go on; Ctrl-C: stop at once."
        self._console.print(why, question, highlight=False)
        while not self._carry_out(await self._answer()):
            self._console.print(f"Not understood. {question}", highlight=False)
        if self.progress is not None:
            self.progress.start()

    async def _answer(self) -> str | None:
        self._console.print("What now? ", end="", highlight=False)
        line = await read_line()
        return None if line is None else line.strip().lower()

    def _carry_out(self, answer: str | None) -> bool:
        """Do what the host has answered; False if that is not one of the answers."""
        if answer is not None and answer not in self._ways():
            return False
        self._interrupts.count, self._interrupts.asking = 0, False
        if answer is None:
            self._console.print("\nNo answer: the tournament stays paused. Ctrl-C asks again.")
        elif not (self._tournament.over or self._tournament.stopping):  # the desk may have been faster
            said, way = self._ways()[answer]
            way()
            self._console.print(said)
        return True

    def _ways(self) -> dict[str, tuple[str, Callable[[], None]]]:
        """What the host may answer: what the dealer says then, and what it does."""
        tournament = self._tournament
        ways = dict.fromkeys(("e", "end"), ("Ending after this hand.", tournament.end))
        ways |= dict.fromkeys(("g", "go", "go on"), ("The tournament goes on.", self._go_on))
        if tournament.journal.kept:
            suspend = ("Suspending after this hand.", tournament.suspend)
            ways |= dict.fromkeys(("s", "suspend", "later", "resume later"), suspend)
        return ways

    def _go_on(self) -> None:
        if self._tournament.tempo.paused:
            self._tournament.resume()


def go_on_after_pause(tournament: Tournament, control: Control, console: Console, scene: Scene) -> None:
    """Tell the host that a resumed tournament is paused, as it was when its dealer stopped, and how it goes on.

    It is told, or asked, once the first records are written. A tournament that nobody could let go on goes on.
    """
    given = tournament.begin_with

    def begin() -> None:
        given()
        if not tournament.tempo.paused:
            return
        paused = "The tournament is paused, as it was when its dealer stopped."
        if scene.desk:
            console.print(f"{paused} The desk's order `resume` lets it go on.", highlight=False)
        if control.can_ask:
            control.ask(paused)
        elif not scene.desk:
            console.print("The tournament was paused, and goes on: there is neither a terminal nor a desk.")
            tournament.resume()

    tournament.begin_with = begin
