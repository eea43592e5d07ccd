"""A dealer's table as far as its messages tell: put together from one question after the other."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from bots.human.narration import YOU
from bots.human.updates import Place, Scene, SeatView, Spot
from protocol.games.base import Action, Bet
from protocol.games.game import Game


class WireTable(ABC):
    """What is known of one hand at a dealer's table. Each game reads its own turns.

    Args:
        hand: its number, from 1.
        cards: how many a seat has at the end of a hand.
        agreed: keys and values of the ``game:`` message; empty where there was none.

    Attributes:
        last: the last turn that was asked; None before the first.
        me: the person's seat.
    """

    #: Whether a hand asks each player once at most, so that every question belongs to a new hand.
    asks_once: ClassVar[bool] = False

    #: Chips won or lost in the hand as far as they are known, in games whose questions do not tell the stack.
    gain = 0

    def __init__(self, hand: int, game: Game, cards: int, agreed: Mapping[str, str]) -> None:
        self.hand = hand
        self.me = 0
        self.last: Any = None
        self._game = game
        self._cards = cards
        self._agreed = agreed
        self._views: list[SeatView] = []
        self._pot = 0

    def continues(self, turn: Any) -> bool:
        """Whether a question may be of this hand, behind those before it, as far as it tells.

        In a hand the own cards and the pot only grow, the stack does not, and who has folded is asked no more. The last
        question may come again, because its answer was lost.
        """
        last = self.last
        if last is None or turn == last:
            return True
        grows = turn.street >= last.street and turn.pot >= self._pot and turn.own[: len(last.own)] == last.own
        return self._in(self.me) and grows and (turn.stack is None or turn.stack <= last.stack)

    def look(self, turn: Any) -> list[str]:
        """Read a question; returns what is new in it, in words."""
        first = self.last is None or turn.street != self.last.street
        if first:
            self._views = [replace(view, note="") for view in self._views]
        lines = self._read(turn, first)
        self.last, self._pot = turn, turn.pot
        owed = f"you owe {turn.owed}" if turn.owed else "you owe nothing"
        return [*lines, f"Street {turn.street}, {turn.pot} chips in the pot; {owed}."]

    @abstractmethod
    def _read(self, turn: Any, first: bool) -> list[str]:
        """Bring ``_views`` and ``me`` up to date with a question; returns what others did, in words.

        Args:
            first: whether it is the first one of its street.
        """

    def name_of(self, seat: int) -> str:
        """What a seat is called."""
        return self._views[seat].name if seat < len(self._views) else f"seat {seat}"

    def _in(self, seat: int) -> bool:
        return self._views[seat].place == "in"

    def _seat_me(self, turn: Any, hole: tuple[Any, ...], up: tuple[Any, ...]) -> None:
        view = self._views[self.me]
        self._views[self.me] = replace(view, name=YOU, stack=turn.stack, hole=hole, hidden=0, up=up, place="in")

    def _fold(self, seat: int) -> None:
        self._views[seat] = replace(self._views[seat], place="folded", note="fold")

    def moved(self, turn: Any, action: Action, did: str) -> None:
        """Show the person's own action, which ``did`` says in words."""
        amount = action.amount if isinstance(action, Bet) else 0
        self._pot += amount
        place: Place = "in" if isinstance(action, Bet) else "folded"
        stack = None if turn.stack is None else turn.stack - amount
        self._views[self.me] = replace(self._views[self.me], stack=stack, note=did, place=place)

    def result(self, status: Any) -> str | None:
        """What a status says of the hand, in games that tell something else than a ``Status``; None in the others."""
        return None

    def turn_up(self, status: Any) -> None:
        """Show the hole cards that were turned up at a showdown."""
        for seat, cards in status.shown:
            if seat < len(self._views):
                self._views[seat] = replace(self._views[seat], hole=tuple(cards), hidden=0)

    def scene(self, turn: Any, to_act: int | None, headline: str = "") -> Scene:
        """The table as it is shown now."""
        seats = tuple(self._views)
        return Scene(seats, self.me, self.hand, turn.street, self._pot, self._cards, to_act, headline=headline)

    def spot(self, turn: Any) -> Spot | None:
        """What the person's chances are counted from; None once the person has folded."""
        if not self._in(self.me):
            return None
        mine = self._views[self.me]
        others = tuple(view.up for seat, view in enumerate(self._views) if seat != self.me and self._in(seat))
        gone = [card for view in self._views if view.place == "folded" for card in view.up]
        return Spot(self._game, (*mine.hole, *mine.up), others, tuple(gone), turn.pot, turn.owed)
