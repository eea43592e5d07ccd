"""The host at the terminal while a tournament is played: Ctrl-C pauses, and asks what to do."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from rich.console import Console
from rich.progress import Progress

from dealer.hosting.interrupts import Interrupts
from dealer.hosting.keyboard import at_terminal, read_line, single_keys
from dealer.hosting.pace_keys import PaceKeys
from dealer.tournament.scene import FirstOrders, Scene
from dealer.tournament.tournament import Tournament


def host_at_terminal(console: Console) -> bool:
    """Whether the host sees what ``console`` prints, and can answer: both are at a terminal."""
    return console.is_terminal and at_terminal()


@contextmanager
def host_keys(scene: Scene, console: Console) -> Iterator[PaceKeys | None]:
    """The keys of a host at the terminal while the block runs; None where there is no terminal."""
    if not host_at_terminal(console):
        yield None
        return
    with single_keys() as keys:
        yield None if keys is None else PaceKeys(keys, scene, console)


#: Seconds for each answer in the hand in progress once a signal has ended the tournament. People have minutes before
#: that, and a host who stops a dealer does not wait so long.
ANSWER_SECONDS = 10.0

#: Answers that ask for a new journal in place of a lost one.
_NEW_JOURNAL = ("n", "new", "new journal")


class Control:
    """What interrupts do to a tournament that is played.

    A SIGINT pauses it after the hand in progress and asks the host, if there is a terminal. Everything else ends it
    after that hand, for which nobody has more than ``ANSWER_SECONDS`` an answer. While the journal is lost, the host
    can have a new one written, also when the tournament is ending.

    Args:
        tournament: that is played.
        console: for the host.
        interrupts: that this handles from now on.
        asks: whether the host is asked at all.
        keys: that the host can press during play; None where there are none.

    Attributes:
        progress: is hidden while the host is asked; None if there is none.
    """

    def __init__(
        self,
        tournament: Tournament,
        console: Console,
        interrupts: Interrupts,
        *,
        asks: bool,
        keys: PaceKeys | None = None,
    ) -> None:
        self.progress: Progress | None = None
        self._tournament = tournament
        self._console = console
        self._interrupts = interrupts
        self._asks = asks
        self.keys = keys
        interrupts.gently = self._stop
        interrupts.invite = self._invite

    def ask(self, why: str) -> None:
        """Pause the tournament, and ask the host what to do.

        Args:
            why: a sentence in front of the question.
        """
        if not (self._tournament.tempo.paused or self._ending):
            self._tournament.pause()
        self._interrupts.count, self._interrupts.asking = 1, True
        self._interrupts.nursery.start_soon(self._ask, why)

    @property
    def can_ask(self) -> bool:
        """Whether the host can be asked."""
        return self._asks and host_at_terminal(self._console)

    def _stop(self) -> None:
        """Stop after the hand in progress: what the first interrupt does."""
        tournament = self._tournament
        asks = self._interrupts.signal == signal.SIGINT and self.can_ask
        if asks and not self._ending:
            self.ask("Pausing after this hand.")
        elif asks and tournament.journal.lost:
            self.ask(f"The tournament ends when its last hand is written, but {tournament.journal.trouble}.")
        else:
            tournament.stop_soon(ANSWER_SECONDS)

    @property
    def _ending(self) -> bool:
        """Whether no more hands are dealt, so that only the journal can be decided on."""
        return self._tournament.over or self._tournament.stopping

    def _invite(self) -> None:
        # While the disk refuses the journal, hands wait for it; so does the end.
        when = "as soon as the journal can be written" if self._tournament.journal.trouble else "after this hand"
        self._console.print(f"Stopping {when}; interrupt again to stop at once.")

    async def _ask(self, why: str) -> None:
        if self.progress is not None:
            self.progress.stop()
        with nullcontext() if self.keys is None else self.keys.keys.closed():
            self._console.print(why, self._question(), highlight=False)
            while not self._carry_out(await self._answer()):
                self._console.print("Not understood.", self._question(), highlight=False)
        if self.progress is not None:
            self.progress.start()

    def _question(self) -> str:
        """The answers that the host may choose from now."""
        journal = self._tournament.journal
        choices = [
            ("e: end it with the standings so far", not self._ending),
            ("s: suspend it, to resume later", not self._ending and journal.kept),
            ("n: write a new journal with all so far, and go on", journal.lost),
            ("g: go on", not self._ending),
            ("Ctrl-C: stop at once", True),
        ]
        return "; ".join(choice for choice, possible in choices if possible) + "."

    async def _answer(self) -> str | None:
        self._console.print("What now? A letter and Enter: ", end="", highlight=False)
        line = await read_line()
        return None if line is None else line.strip().lower()

    def _carry_out(self, answer: str | None) -> bool:
        """Do what the host has answered; False if that is not one of the answers."""
        if answer is not None and answer not in self._ways():
            return False
        self._interrupts.count, self._interrupts.asking = 0, False
        if answer is None:
            self._console.print("\nNo answer: the tournament stays paused. Ctrl-C asks again.")
        elif not self._ending or answer in _NEW_JOURNAL:  # the desk may have been faster
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
        if tournament.journal.lost:
            ways |= dict.fromkeys(_NEW_JOURNAL, ("Writing a new journal with all so far.", self._begin_journal_anew))
        return ways

    def _begin_journal_anew(self) -> None:
        self._tournament.journal.begin_anew()
        self._go_on()

    def _go_on(self) -> None:
        if self._tournament.tempo.paused and not self._ending:
            self._tournament.resume()


def begin_as_told(
    tournament: Tournament, orders: FirstOrders, control: Control, console: Console, scene: Scene
) -> None:
    """Give the first orders; tell the host of a resumed tournament that is still paused how it goes on.

    The host is told, or asked, once the first records are written. A tournament that nobody could let go on goes on.
    """

    def begin() -> None:
        orders.give(tournament)
        if not tournament.tempo.paused:
            return
        if scene.opening.wanted is None:
            console.print("The tournament begins with a pause.")
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
