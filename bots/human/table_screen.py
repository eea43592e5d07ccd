"""The table on the screen: draws the news of a game, and takes the person's answers to it."""

from collections.abc import Callable
from random import Random
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Footer, Static

from bots.human.bet_bar import BetBar
from bots.human.dialogs import chip_page, ended, help_page, leaving
from bots.human.odds import chances
from bots.human.panes import COUNTING, HOW_TO_ASK, ChipCurve, History, Odds
from bots.human.screen_messages import Counted, Told
from bots.human.session_record import Play, Sitting
from bots.human.slider import Slider
from bots.human.table_picture import Felt
from bots.human.thread_bridge import Desk
from bots.human.updates import Asked, Chips, Ended, Said, Scene, Shown, Spot, TooLate, Waiting

TOO_LATE = "Too late: the dealer has gone on without you."
PATIENCE = "Wait for the others ..."
NEXT = "Enter: the next hand."


class Table(Screen[str]):
    """One table. Its result says what comes next: ``lobby`` or ``leave``.

    Args:
        game: what is played, for the rules on the help page.
        title: the same for people, for the status line.
        company: who else is there, for the farewell.
        seat: makes the game, with the person at this desk.
        lobby: whether there is a lobby to go back to.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,o,question_mark", "odds", "Odds"),
        Binding("f2,f", "fold", "Fold"),
        Binding("f3,c", "call", "Call"),
        Binding("f4,r", "raise", "Raise"),
        Binding("plus,equals_sign,up,right", "step(1)", "More", key_display="+"),
        Binding("minus,down,left", "step(-1)", "Less", key_display="-"),
        Binding("home", "end(False)", show=False),
        Binding("end", "end(True)", show=False),
        Binding("enter,space", "next", "Next"),
        Binding("f5,v", "chips", "Chips"),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
        Binding("f8,h", "help", "Help"),
        Binding("f10,ctrl+q", "leave", "Leave"),
    ]

    def __init__(self, game: str, title: str, company: str, seat: Callable[[Desk], Play], lobby: bool) -> None:
        super().__init__()
        self._game = game
        self._title = title
        self._lobby = lobby
        self._desk = Desk(lambda news: self.post_message(Told(news)))
        self._play = seat(self._desk)
        self._spot: Spot | None = None
        self.waiting: int | None = None
        self.asked: Asked | None = None
        self.sittings = [Sitting(f"{title} {company}".strip(), elsewhere=not lobby)]

    @property
    def sitting(self) -> Sitting:
        """The game under way, or the last one."""
        return self.sittings[-1]

    def compose(self) -> ComposeResult:
        """The table above what can be done; the rest below it or beside it, where there is more room."""
        yield Static(id="status", markup=False)
        with Container(id="main"):
            yield Felt()
            with Container(id="panes"):
                yield History()
                yield Odds(HOW_TO_ASK)
                yield ChipCurve()
        yield BetBar()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Begin to play."""
        self._begin()

    def on_unmount(self) -> None:
        """Nobody is left at the desk."""
        self._play.leave()

    def _begin(self) -> None:
        self.query_one(ChipCurve).sitting = self.sitting
        self._show_status(None)
        self.query_one(BetBar).close(PATIENCE)
        self.run_worker(self._play.run, thread=True, name="game")

    @on(Told)
    def _hear(self, message: Told) -> None:
        match message.news:
            case Shown(scene, spot):
                self._show(scene, spot)
            case Said(line):
                self.query_one(History).add(line)
            case Chips(stack):
                self.sitting.chips.append(stack)
                self.sitting.stack = stack
                self.query_one(ChipCurve).refresh()
            case Asked() as asked:
                self.asked = asked
                self.query_one(BetBar).open(asked.turn)
            case TooLate():
                self.asked = None
                self.query_one(History).add(TOO_LATE)
            case Waiting(number):
                self.waiting = number
                self.query_one(BetBar).close(f"{self._headline} {NEXT}")
            case Ended(reason, again):
                self._end(reason, again)

    def _show(self, scene: Scene, spot: Spot | None) -> None:
        self.query_one(Felt).scene = scene
        self.sitting.hand = scene.hand
        if scene.seats[scene.me].stack is not None:
            self.sitting.stack = scene.seats[scene.me].stack
        if spot is None or self._spot is None or spot.own != self._spot.own or spot.others != self._spot.others:
            self.query_one(Odds).update(HOW_TO_ASK if spot else "")
        self._spot = spot
        self._show_status(scene)
        if self.asked is None and self.waiting is None:
            self.query_one(BetBar).close(scene.headline or PATIENCE)

    @property
    def _headline(self) -> str:
        scene = self.query_one(Felt).scene
        return scene.headline if scene else ""

    def _show_status(self, scene: Scene | None) -> None:
        parts = [self._title]
        if scene is not None:
            parts += [
                f"hand {scene.hand}",
                f"street {scene.street}",
                f"pot {scene.pot}",
                f"you have {self.sitting.stack}",
            ]
        self.query_one("#status", Static).update(" · ".join(parts) + "  " + "".join(self.sitting.picture(10, 1)))

    def _end(self, reason: str, again: bool) -> None:
        self.asked = self.waiting = None
        self.sitting.reason = reason
        self.query_one(BetBar).close(reason)
        while self.app.screen is not self:
            self.app.pop_screen()
        if self._desk.left:
            self.dismiss("leave")
        else:
            self.app.push_screen(ended(self.sitting, again, self._lobby), self._after_the_end)

    def _after_the_end(self, choice: str | None) -> None:
        if choice == "again":
            self.sittings.append(Sitting(self.sitting.title))
            self._begin()
        else:
            self.dismiss("lobby" if choice == "lobby" else "leave")

    @on(BetBar.Answered)
    def _answered(self, message: BetBar.Answered) -> None:
        if self.asked is not None:
            number, self.asked = self.asked.number, None
            self.query_one(BetBar).close(PATIENCE)
            self._desk.answer(number, message.action)

    def action_fold(self) -> None:
        """Give up the hand."""
        self.query_one(BetBar).fold()

    def action_call(self) -> None:
        """Check or call."""
        self.query_one(BetBar).call()

    def action_raise(self) -> None:
        """Bet or raise."""
        self.query_one(BetBar).raise_()

    def action_step(self, by: int) -> None:
        """Move the slider."""
        self.query_one(Slider).step(by)

    def action_end(self, last: bool) -> None:
        """Move the slider to an end."""
        self.query_one(Slider).to_end(last)

    def action_scroll(self, pages: int) -> None:
        """Read the history."""
        history = self.query_one(History)
        history.scroll_relative(y=pages * history.size.height, animate=False)

    def action_next(self) -> None:
        """On to the next hand, or to the end of this one."""
        if self.waiting is None:
            self._desk.hurry()
        else:
            number, self.waiting = self.waiting, None
            self.query_one(BetBar).close(PATIENCE)
            self._desk.answer(number, None)

    def action_odds(self) -> None:
        """Count the chances, in a thread of its own."""
        if self._spot is not None:
            self.query_one(Odds).update(COUNTING)
            self._count(self._spot)

    @work(thread=True, exclusive=True, group="odds")
    def _count(self, spot: Spot) -> None:
        self.post_message(Counted(spot, chances(spot, Random())))

    @on(Counted)
    def _counted(self, message: Counted) -> None:
        if message.spot == self._spot:
            self.query_one(Odds).show(message.chances)

    def action_chips(self) -> None:
        """The chips hand by hand, in large."""
        self.app.push_screen(chip_page(self.sitting))

    def action_help(self) -> None:
        """Keys and rules."""
        self.app.push_screen(help_page(self._game))

    def action_leave(self) -> None:
        """Get up, after a question back."""
        self.app.push_screen(leaving(self.sitting.stack), self._leave)

    def _leave(self, choice: str | None) -> None:
        if choice == "leave":
            self.asked = self.waiting = None
            self.query_one(BetBar).close("Leaving ...")
            self._play.leave()
