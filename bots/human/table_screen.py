"""The screen of a table: shows the news of a game, and passes the person's answers to it."""

import secrets
from functools import partial
from random import Random
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from bots.human.answers import CallsToTheEnd
from bots.human.bet_bar import BetBar, Slider
from bots.human.card_pictures import suit_list
from bots.human.coach.advice import Advice, advise
from bots.human.coach.review import Decision
from bots.human.dialogs import FoldPage, chip_page, ended, help_page, leaving
from bots.human.game_seat import GameSeat, load_seat
from bots.human.narration import stopping_text
from bots.human.odds import Chances, Spot
from bots.human.panes import COUNTING, HOW_TO_ASK, THINKING, ChipCurve, History, Odds
from bots.human.play_statistics import Counting
from bots.human.review_screen import ReviewScreen
from bots.human.session_record import SessionRecord
from bots.human.table_picture import TablePicture
from bots.human.thread_bridge import MakePlay, Play
from bots.human.updates import (
    TOO_LATE,
    Asked,
    Begun,
    Chips,
    Ended,
    News,
    PersonScene,
    Said,
    Shown,
    TooLate,
    Waiting,
)
from bots.strategy import StrategyError
from dealer.audit.decision_value.deals import NoLongerWanted
from protocol.person_events import AnswerDue, InLobby

LOADING = "Loading the other players ..."
PLEASE_WAIT = "Wait for the others ..."
NEXT = "Enter: the next hand."


class TableScreen(Screen[str]):
    """One table. Its result says what comes next: ``lobby`` or ``leave``.

    Args:
        title: what is played, for the status line.
        company: who else is there, for the lines left in the terminal at the end.
        make_play: makes the person's seat.
        lobby: whether there is a lobby to go back to.
        counting: adds hands to the person's statistics; None if they are not kept.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,o,question_mark", "odds", "Odds"),
        Binding("f2,f", "fold", "Fold"),
        Binding("f3,c", "pay('call')", "Call"),
        Binding("f3,c", "pay('bet')", "Bet"),
        Binding("f4,r", "raise", "Raise"),
        Binding("plus,equals_sign,up,right", "step(1)", "+", key_display="+", show=False),
        Binding("minus,down,left", "step(-1)", "-", key_display="-", show=False),
        Binding("home", "end(False)", show=False),
        Binding("end", "end(True)", show=False),
        Binding("1", "size(0.5)", show=False),
        Binding("2", "size(1.0)", show=False),
        Binding("3", "end(True)", show=False),
        Binding("enter,space", "next", "Next"),
        Binding("f5,v", "chips", "Chips"),
        Binding("f6,a", "coach", "Coach"),
        Binding("f7,e", "to_the_end", show=False),
        Binding("f9,w", "review", show=False),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
        Binding("f8,h", "help", "Help"),
        Binding("f10,ctrl+q", "leave", "Leave"),
    ]

    def __init__(
        self,
        title: str,
        company: str,
        make_play: MakePlay,
        lobby: bool,
        counting: Counting | None = None,
    ) -> None:
        super().__init__()
        self.advice: Advice | None = None
        self._asks_coach = False
        self._calls = CallsToTheEnd()
        self._again = False
        self._coach_seed = secrets.token_hex(8)
        self._rules = ""
        self._seat: GameSeat | None = None
        self._pay_word = "call"
        self._title = title
        self._lobby = lobby
        self._make_play = partial(make_play, self._post if counting is None else counting.telling(self._post))
        self._play: Play | None = None
        self._hurried = False
        self._spot: Spot | None = None
        self.waiting: int | None = None
        self.asked: Asked | None = None
        self.sessions = [SessionRecord(f"{title} {company}".strip())]

    def _post(self, news: News) -> None:
        self.call_later(self._hear, news)

    @property
    def play(self) -> Play:
        """The person's seat."""
        assert self._play is not None, "it is made when the screen is shown"
        return self._play

    @property
    def session(self) -> SessionRecord:
        """The game under way, or the last one."""
        return self.sessions[-1]

    def compose(self) -> ComposeResult:
        """The table above the bet bar; the panes below the table, or beside it on a wide screen."""
        yield Static(id="status", markup=False)
        with Container(id="main"):
            yield TablePicture()
            with Container(id="panes"):
                yield History()
                yield Odds(HOW_TO_ASK)
                yield ChipCurve()
        yield BetBar()
        yield Footer(show_command_palette=False, compact=True)

    def on_mount(self) -> None:
        """Begin to play."""
        self._play = self._make_play()
        self._begin(LOADING if self._lobby else PLEASE_WAIT)

    def on_unmount(self) -> None:
        """Leave the game."""
        if self._play is not None:
            self._play.leave()

    def _begin(self, text: str) -> None:
        """Begin a game, with ``text`` until its first news."""
        self.query_one(ChipCurve).session = self.session
        self._show_status(None)
        self.query_one(BetBar).close(text)
        self.run_worker(self.play.run(), name="game")

    def _hear(self, news: News) -> None:
        match news:
            case Begun(game):
                suits = suit_list(game.suits)
                self._seat = load_seat(game.name)
                self._rules = "\n".join(filter(None, (self._seat.rules, suits)))
                self.query_one(BetBar).suit(self._seat)
                self.refresh_bindings()
                self.query_one(Odds).legend = suits
                if suits:
                    self.query_one(History).add(f"The suits: {suits}")
            case Shown(scene, spot):
                self._show(scene, spot)
            case Said(line):
                self.query_one(History).add(line)
            case Chips(stack):
                self._calls.stop()
                self.session.chips.append(stack)
                self.session.stack = stack
                self.query_one(ChipCurve).refresh()
            case Asked() as asked:
                self._ask(asked)
            case AnswerDue(seconds=seconds, stops=True) if self.asked is not None and not self._hurried:
                self._hurried = True
                self.query_one(History).add(stopping_text(seconds))
            case InLobby():
                self.query_one(TablePicture).lobby = news
            case TooLate():
                self.asked = None
                self._close_fold_page()
                self._forget_advice()
                self.query_one(History).add(TOO_LATE)
            case Waiting(number):
                self.waiting = number
                self.query_one(BetBar).close(f"{self._headline} {NEXT}")
            case Ended(reason, again):
                self._end(reason, again)

    def _ask(self, asked: Asked) -> None:
        """The person's turn; one who calls to the end of the hand has answered already."""
        self.asked, self._hurried = asked, False
        self._close_fold_page()
        self.query_one(BetBar).open(asked.turn, asked.put)
        if self._seat is not None:
            self._pay_word = self._seat.pay_word(asked.turn)
        self.refresh_bindings()
        if self._calls.answer(asked):
            self.query_one(BetBar).call()

    def _show(self, scene: PersonScene, spot: Spot | None) -> None:
        self.query_one(TablePicture).scene = scene
        self.session.hand = scene.hand
        if scene.table.seats[scene.me].stack is not None:
            self.session.stack = scene.table.seats[scene.me].stack
        # Chances stay on the screen until a card has changed; then they are no longer true.
        if spot is None or self._spot is None or spot.cards != self._spot.cards:
            self.query_one(Odds).clear(HOW_TO_ASK if spot else "")
        self._spot = spot
        self._show_status(scene)
        if self.asked is None and self.waiting is None:
            self.query_one(BetBar).close(scene.headline or PLEASE_WAIT)

    @property
    def _headline(self) -> str:
        scene = self.query_one(TablePicture).scene
        return scene.headline if scene else ""

    def _show_status(self, scene: PersonScene | None) -> None:
        """The state of the game, and the title last: what a narrow terminal cuts off is known longest."""
        parts = []
        if scene is not None:
            parts = [
                f"hand {scene.hand}",
                scene.street,
                f"pot {scene.table.pot}",
                " ".join([f"you have {self.session.stack}", *self.session.picture(10, 1)]).rstrip(),
                *filter(None, [scene.level]),
            ]
        self.query_one("#status", Static).update(" · ".join([*parts, self._title]))

    def _end(self, reason: str, again: bool) -> None:
        self.asked = self.waiting = None
        self.session.reason = reason
        self.query_one(BetBar).close(reason)
        # A dialog may be open, such as help: the end of the game closes it.
        while self.app.screen is not self:
            self.app.pop_screen()
        if self.play.left:
            self.dismiss("leave")
        else:
            self._again = again
            self._back_to_the_end(None)

    def _back_to_the_end(self, _: None) -> None:
        self.app.push_screen(ended(self.session, self._again, self._lobby), self._after_the_end)

    def _after_the_end(self, choice: str | None) -> None:
        if choice == "review":
            self.app.push_screen(ReviewScreen(self.session, self._coach_seed), self._back_to_the_end)
        elif choice == "again":
            self.sessions.append(SessionRecord(self.session.title))
            self._begin(PLEASE_WAIT)
        else:
            self.dismiss("lobby" if choice == "lobby" else "leave")

    @on(BetBar.Answered)
    def _answered(self, message: BetBar.Answered) -> None:
        if self.asked is None:
            return
        asked, self.asked = self.asked, None
        if asked.situation is not None:
            self.session.decisions.append(Decision(self.session.hand, asked.situation, message.action))
            if self.advice is not None and (line := self.advice.cost_line(message.action)):
                self.query_one(History).add(line)
        self._forget_advice()
        self.query_one(BetBar).close(PLEASE_WAIT)
        self.play.answer(asked.number, message.action)

    def _forget_advice(self) -> None:
        """Stop the coach: the question is over."""
        self.workers.cancel_group(self, "coach")
        if self.advice is not None or self._asks_coach:
            self.query_one(Odds).clear(HOW_TO_ASK)
        self.advice, self._asks_coach = None, False

    def action_fold(self) -> None:
        """Give up the hand."""
        self.query_one(BetBar).fold()

    @on(BetBar.FoldsForNothing)
    def _ask_before_folding(self) -> None:
        if self.app.screen is self:  # a key may be pressed twice
            self.app.push_screen(FoldPage(), partial(self._fold_or_check, self.asked))

    def _close_fold_page(self) -> None:
        """The question is over for which it was opened."""
        if isinstance(self.app.screen, FoldPage):
            self.app.pop_screen()

    def _fold_or_check(self, asked: Asked | None, choice: str | None) -> None:
        if asked is not self.asked:
            return
        if choice == "fold":
            self.query_one(BetBar).fold(sure=True)
        elif choice == "check":
            self.query_one(BetBar).call()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether the footer shows a key and the key does something: no raises where the game has none."""
        if action == "pay":
            return parameters == (self._pay_word,)
        if action in {"coach", "review"}:
            return self._lobby and (self._seat is None or self._seat.coach is not None)
        if action == "odds":
            return self._seat is None or self._seat.counts_chances
        if action in {"raise", "step", "size", "end"}:
            return self._seat is None or self._seat.raises
        return True

    def action_pay(self, _word: str) -> None:
        """Check, call, or bet what is owed."""
        self.query_one(BetBar).call()

    def action_raise(self) -> None:
        self.query_one(BetBar).raise_()

    def action_step(self, by: int) -> None:
        """Move the slider."""
        self.query_one(Slider).step(by)

    def action_size(self, share: float) -> None:
        """Move the slider to a share of the pot."""
        self.query_one(BetBar).raise_by(share)

    def action_end(self, last: bool) -> None:
        """Move the slider to an end."""
        self.query_one(Slider).to_end(last)

    def action_scroll(self, pages: int) -> None:
        """Read the history."""
        history = self.query_one(History)
        history.release_anchor()
        history.scroll_relative(y=pages * history.size.height, animate=False)

    def action_next(self) -> None:
        """On to the next hand, or to the end of this one."""
        if self.waiting is None:
            self.play.hurry()
        else:
            number, self.waiting = self.waiting, None
            self.query_one(BetBar).close(PLEASE_WAIT)
            self.play.answer(number, None)

    def action_odds(self) -> None:
        """Count the chances, in a thread of its own."""
        if self._spot is not None:
            self.query_one(Odds).update(COUNTING)
            self._count(self._spot)

    @work(thread=True, exclusive=True, group="odds")
    def _count(self, spot: Spot) -> None:
        self.call_later(self._counted, spot, load_seat(spot.game.name).chances(spot, Random()))

    def _counted(self, spot: Spot, chances: Chances) -> None:
        # The game went on while they were counted, perhaps to another hand.
        if spot == self._spot:
            self.query_one(Odds).show(chances)

    def action_coach(self) -> None:
        """Ask the coach about the open question, in a thread of its own."""
        if self.asked is not None and self.asked.situation is not None:
            self._asks_coach = True
            self.query_one(Odds).update(THINKING)
            self._advise(self.asked)

    @work(thread=True, exclusive=True, group="coach")
    def _advise(self, asked: Asked) -> None:
        worker = get_current_worker()
        assert asked.situation is not None
        try:
            advice: Advice | str = advise(asked.situation, self._coach_seed, stop=lambda: worker.is_cancelled)
        except NoLongerWanted:
            return
        except (StrategyError, LookupError) as error:
            advice = f"The coach has no advice: {error}"
        self.call_later(self._advised, asked, advice)

    def _advised(self, asked: Asked, advice: Advice | str) -> None:
        """Show the coach's advice, or why there is none."""
        # The person may have answered meanwhile.
        if asked is not self.asked:
            return
        if isinstance(advice, str):
            self.query_one(Odds).update(advice)
        else:
            self.advice = advice
            self.query_one(Odds).advise(advice)

    def action_to_the_end(self) -> None:
        """Check and call to the end of the hand; or stop doing so."""
        if self.waiting is not None:
            return
        self.query_one(History).add(self._calls.switch("F7 stops that"))
        if self.asked is not None and self._calls.answer(self.asked):
            self.query_one(BetBar).call()

    def action_review(self) -> None:
        """The dearest decisions of this game so far."""
        self.app.push_screen(ReviewScreen(self.session, self._coach_seed))

    def action_chips(self) -> None:
        """The chips hand by hand, in large."""
        self.app.push_screen(chip_page(self.session), self._after_a_page)

    def action_help(self) -> None:
        """Keys and rules."""
        self.app.push_screen(help_page(self._rules, self._seat), self._after_a_page)

    def _after_a_page(self, choice: str | None) -> None:
        if choice == "leave":
            self.action_leave()

    def action_leave(self) -> None:
        """Leave the table, after asking whether that is meant."""
        self.app.push_screen(leaving(self.session.stack), self._leave)

    def _leave(self, choice: str | None) -> None:
        if choice == "leave":
            self.asked = self.waiting = None
            self.query_one(BetBar).close("Leaving ...")
            self.play.leave()
