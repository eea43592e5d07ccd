"""A table of house bots, as somebody orders it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import cycle, islice
from random import Random

from bots.catalogue import Entry, playing
from bots.human.local_table import LocalGame, Player, Setup
from bots.human.narration import YOU
from bots.human.thread_bridge import Desk, Human
from bots.strategy import load_maker
from protocol.games.blockhead import DEFAULT_STACK as BLOCKHEAD_STACK
from protocol.games.blockhead import NAME as BLOCKHEAD
from protocol.games.blockhead import BlockheadGame, Ranks
from protocol.games.game import Game
from protocol.games.stud import DEFAULT_STACK as STUD_STACK
from protocol.games.stud import StudGame
from protocol.shuffle import seed_from_text

SPEEDS = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "none": 0.0}
"""Seconds between what others do."""

LEVELS = ("easy", "medium", "hard", "mixed")
OPPONENTS = {BLOCKHEAD: 1}
USUAL_OPPONENTS = 3
MOST_OPPONENTS = 7


class OrderError(Exception):
    """A table that cannot be had; the text says why and what can."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for; what is None is left to the house, or to the lobby.

    Attributes:
        game: its name.
        against: the bots, by name, taken in turn.
        opponents: how many of them sit down.
        level: of the bots, where none are named.
        stack: chips at the start.
        ante: of stud.
        hands: to play.
        ranks: what decides a game of blockhead.
        speed: of play, one of ``SPEEDS``.
        seed: the same text deals the same cards.
    """

    game: str
    seed: str
    against: tuple[str, ...] = ()
    opponents: int | None = None
    level: str = "medium"
    stack: int | None = None
    ante: int = 1
    hands: int | None = None
    ranks: Ranks = "blockhead"
    speed: str = "normal"

    @property
    def agreed(self) -> Game:
        """The game with all that is agreed about it."""
        if self.game == BLOCKHEAD:
            hands = BlockheadGame().hands if self.hands is None else self.hands
            return BlockheadGame(self.chips, hands, self.ranks)
        return StudGame(self.chips, self.ante)

    @property
    def chips(self) -> int:
        """Chips everybody starts with."""
        usual = BLOCKHEAD_STACK if self.game == BLOCKHEAD else STUD_STACK
        return usual if self.stack is None else self.stack

    @property
    def most_opponents(self) -> int:
        """How many can sit down, at most."""
        return min(MOST_OPPONENTS, self.agreed.seats[-1] - 1)

    @property
    def seats(self) -> tuple[str, ...]:
        """The bots that sit down, by name, in seat order from the person's left on.

        Raises:
            OrderError: they are too many, or no bot has that level.
        """
        named = self.against or of_level(playing(self.game), self.level)
        usual = len(self.against) or OPPONENTS.get(self.game, USUAL_OPPONENTS)
        count = usual if self.opponents is None else self.opponents
        if not named:
            raise OrderError(f"no bot of the level {self.level} plays {self.game}")
        if not 1 <= count <= self.most_opponents:
            raise OrderError(f"{self.game} is played here against 1 to {self.most_opponents} opponents, got {count}")
        return tuple(islice(cycle(named), count))


def of_level(bots: Sequence[Entry], level: str) -> tuple[str, ...]:
    """The names of the bots that have this level; of all if it is ``mixed``."""
    return tuple(bot.name for bot in bots if level in (bot.level, "mixed"))


def sit_down(order: Order, desk: Desk) -> LocalGame:
    """The table, ready for the first hand.

    Raises:
        OrderError: see ``Order.seats``; or a bot does not play that game, or the stack does not pay the first hand.
        LookupError: there is no such bot, or it cannot be loaded.
    """
    check(order)
    players = [Player(YOU, Human(desk))]
    for place, (name, label) in enumerate(zip(order.seats, numbered(order.seats), strict=True)):
        players.append(Player(label, load_maker(name)(Random(sha256(f"{order.seed}/{place}".encode()).digest()))))
    hands = None if order.agreed.in_games else order.hands
    setup = Setup(order.agreed, players, desk, seed_from_text(order.seed), SPEEDS[order.speed], hands)
    return LocalGame(setup)


def check(order: Order) -> None:
    """Whether the table can be had.

    Raises:
        OrderError, LookupError: see ``sit_down``.
    """
    able = {bot.name for bot in playing(order.game)}
    for name in order.seats:
        load_maker(name)
        if name not in able:
            raise OrderError(f"{name} does not play {order.game}; these do: {', '.join(sorted(able))}")
    if order.game != BLOCKHEAD and order.chips < order.ante:
        raise OrderError(f"a stack of {order.chips} does not pay the ante of {order.ante}")


def numbered(names: Sequence[str]) -> list[str]:
    """The names, with a number behind the second and later ones that are equal."""
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return labels
