"""Who answers the questions to a seat, and what becomes of a hand with an answer that the rules do not accept."""

from collections.abc import Awaitable, Callable
from functools import cache
from random import Random
from typing import Any, NamedTuple, Protocol

import trio

from dealer.audit.hands import Step
from dealer.cli.house_bots import load_bot
from dealer.errors import ProgramError
from dealer.faults import Fault, FaultKind, SeatLost
from protocol.games.base import Action, Hand, IllegalAction, Turn
from protocol.games.game import Game
from protocol.wire.messages import GameInfo


class Answer(NamedTuple):
    """An answer to a question.

    Attributes:
        action: not checked against the rules yet.
        seconds: the reply took; None for a bot in this process.
    """

    action: Action
    seconds: float | None = None


class Answerer(Protocol):
    """Who answers for a seat, hand after hand."""

    async def sit_down(self, game: object, info: GameInfo | None) -> bool:
        """Get ready for the next hand.

        Args:
            game: the hand belongs to. Where it is another one than before, it is announced.
            info: what is told of it; None in games without a ``game:`` message.

        Returns:
            Whether it can play; a program may have ended for good.
        """

    async def answer(self, turn: Turn) -> Answer:
        """Answer a question.

        Raises:
            SeatLost: no answer that can be read came in time.
        """

    def hand_over(self, status: object) -> None:
        """Hear how a hand ended; None where the game tells the seat nothing."""


class HouseSeat:
    """A house bot in this process.

    Args:
        name: under which it is installed.
        chance: the text from which everything that it leaves to chance follows.

    Each method raises a ``ProgramError`` if the bot fails, as one that has learned does at a table that is too large.

    Raises:
        OptionError: it is not installed.
    """

    def __init__(self, name: str, chance: str) -> None:
        self._name = name
        self._bot = _maker(name)(Random(chance))
        self._game: object = None

    async def sit_down(self, game: object, info: GameInfo | None) -> bool:
        """See ``Answerer``."""
        await trio.lowlevel.checkpoint()  # bots in this process never wait, so Ctrl-C would not be noticed
        if info is not None and game != self._game:
            self._call(self._bot.game_begins, info)
        self._game = game
        return True

    async def answer(self, turn: Turn) -> Answer:
        """See ``Answerer``."""
        return Answer(self._call(self._bot.decide, turn))

    def hand_over(self, status: object) -> None:
        """See ``Answerer``."""
        if status is not None:
            self._call(self._bot.hand_over, status)

    def _call(self, method: Callable[[Any], Any], about: object) -> Any:
        try:
            return method(about)
        except Exception as error:
            raise ProgramError(f"the bot {self._name!r} failed: {type(error).__name__}: {error}") from error


@cache  # to look a bot up takes a millisecond, and each hand has new ones
def _maker(name: str) -> Any:
    return load_bot(name)


#: Takes the turn of a seat: the step, and the hand after it.
Take = Callable[[Hand, int], Awaitable[tuple[Step, Hand]]]


async def play_out(hand: Hand, take: Take) -> tuple[list[Step], Hand]:
    """Play a hand to its end: its steps, and the hand after the last."""
    steps = []
    while (seat := hand.to_act) is not None:
        step, hand = await take(hand, seat)
        steps.append(step)
    return steps, hand


async def ask(answerer: Answerer, hand: Hand, seat: int) -> tuple[Step, Hand]:
    """Ask the seat to act; where no acceptable answer comes, the seat gives the hand up, as at a table."""
    try:
        action, seconds = await answerer.answer(hand.view(seat))
        after = hand.apply(action)
    except SeatLost as lost:
        return give_up(hand, seat, lost.fault)
    except IllegalAction as illegal:
        return give_up(hand, seat, Fault(FaultKind.ILLEGAL, str(illegal)))
    return Step(hand, seat, action, seconds, None), after


def give_up(hand: Hand, seat: int, fault: Fault) -> tuple[Step, Hand]:
    """The step of a seat that gives the hand up because of a fault, and the hand after it."""
    return Step(hand, seat, None, None, fault), hand.concede()


def game_info(game: Game, seat: int, players: int) -> GameInfo | None:
    """What a seat is told of a game before its hands; None in games that are not announced."""
    return GameInfo.about(game, seat, players) if game.announced else None
