"""What is to be simulated, cut into blocks, with the bots that play and the errors that end it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Literal

from bots.strategy import Maker, Strategy
from dealer.errors import CasinoError, UsageError
from protocol.games.game import Game
from protocol.installed_bots import is_bot_file, load_bot
from protocol.plurals import counted, distinct, span

#: The arena plays strategies, on the decks of a dealer with the same seed; the kernel is compiled, and far faster.
Engine = Literal["arena", "kernel"]

#: Whole games in a block; hands, about; and deals of two versions, each played by both in every seat.
BLOCK, HAND_BLOCK, VERSION_BLOCK = 250, 1000, 100

#: Blocks that are played and sent together at most. The kernel plays one in hundredths of a second.
MOST_BLOCKS: dict[Engine, int] = {"arena": 16, "kernel": 256}

#: Shards into which a plan is cut before there are several blocks in one.
LEAST_SHARDS = 64


class SimulationError(UsageError):
    """A simulation that cannot be run; the text says what to change."""


class BrokenBotError(CasinoError):
    """A bot failed during the simulation; the text says which and how. An error it raised itself is the cause."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated, in deals that do not depend on each other.

    A deal is the cards or dice of one *play*: a whole game where the game is played in games, else a hand with equal
    stacks. Blocks of deals depend on the seed and their own number only. Bots are made anew for each block and seating,
    so one that learns knows its opponents for so long, and meets no deal twice.

    Two versions of one player do not meet: with copies of one house bot each plays the same hands in every seat, and a
    play is the hand of both.

    Attributes:
        bots: by name, in seat order; of two versions the new one and the old one, each a house bot or a command.
        duplicate: whether each deal is played once for every seat a player can have.
        seed: any text.
        against: the house bot in all other seats, where ``bots`` are two versions; else empty.
        seats: of the table of a version.
        tests: simulations whose verdicts are to hold together.
    """

    bots: tuple[str, ...]
    game: Game
    deals: int
    duplicate: bool
    seed: str
    engine: Engine = "arena"
    against: str = ""
    seats: int = 0
    tests: int = 1

    @property
    def names(self) -> list[str]:
        """Of the players, no two alike."""
        return ["the new version", "the old version"] if self.against else distinct(self.bots)

    @property
    def house_bots(self) -> list[str]:
        """Those who play and are no commands."""
        return [*(bot for bot in self.bots if not is_command(bot)), self.against] if self.against else [*self.bots]

    @property
    def players(self) -> int:
        """At the table."""
        return self.seats if self.against else len(self.bots)

    @property
    def seatings(self) -> int:
        """Plays of a deal."""
        return self.players if self.duplicate else 1

    @property
    def in_games(self) -> bool:
        """Whether a play is a whole game."""
        return self.game.in_games and not self.against

    @property
    def hands(self) -> int:
        """Hands of a play."""
        return self.game.hands if self.in_games else 1

    @property
    def play(self) -> str:
        """A play in a word."""
        return "game" if self.in_games else "hand"

    @property
    def block_size(self) -> int:
        """Deals of a block; of hands as many as bring the button back to its first place."""
        if self.against:
            return VERSION_BLOCK
        return BLOCK if self.in_games else -(-HAND_BLOCK // len(self.bots)) * len(self.bots)

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(-(-self.deals // self.block_size))

    def deals_of(self, block: int) -> range:
        """The numbers of the deals in ``block``."""
        return range(block * self.block_size, min((block + 1) * self.block_size, self.deals))

    @property
    def shards(self) -> list[range]:
        """The numbers of the blocks that are played and sent together: so few that all workers have something to do."""
        size = max(1, min(MOST_BLOCKS[self.engine], len(self.blocks) // LEAST_SHARDS))
        return [self.blocks[first : first + size] for first in range(0, len(self.blocks), size)]

    def as_dict(self) -> dict[str, Any]:
        """All on which the result depends, by the names of the flags."""
        about = {"game": self.game.name, **self.game.facts, "bots": list(self.bots), "seed": self.seed}
        if self.against:
            about |= {"against": self.against, "players": self.players}
        return {**about, "duplicate": self.duplicate, "deals": self.deals, "engine": self.engine}

    def counted(self, deals: int) -> str:
        """In words what so many deals are."""
        plays = counted(deals * self.seatings, self.play)
        plays += f" ({counted(deals, 'deal')}, each in every seating)" if self.duplicate else ""
        return f"{plays} of {counted(self.hands, 'hand')}" if self.in_games else plays


def check_plan(plan: Plan) -> None:
    """Make sure, before anything is played, that the plan can be played.

    Raises:
        SimulationError: too few or too many bots, one that is not installed or plays other games, or a stack that does
            not pay for one hand.
    """
    game, seats = plan.game, plan.game.table_seats
    if plan.players not in seats:
        raise SimulationError(f"{game.name} is played by {span(seats)} bots here, got {plan.players}")
    if game.start(plan.players).over:
        raise SimulationError(f"a stack of {game.stack} chips does not pay {game.fee}")
    load_makers(plan.house_bots, game.name)


def is_command(text: str) -> bool:
    """Whether this is the command of a program, by its blanks or its place for the port, and no name of a house bot."""
    return "{" in text or (len(text.split()) > 1 and not is_bot_file(text))


def make_strategies(plan: Plan, block: int, turn: int) -> list[Strategy]:
    """One strategy for each bot, in the order named, with random numbers that depend on the seed and what is played.

    Raises:
        SimulationError: a bot is not installed.
    """
    # In block 0 of a game, a bot gets the random numbers that a league with the same seed gives it: both play alike.
    names = distinct(plan.bots) if plan.game.in_games else [str(seat) for seat in range(len(plan.bots))]
    own = f"/{turn}" if plan.duplicate and not plan.game.in_games else ""
    own += f"/{block}" if block else ""
    makers = load_makers(plan.bots)
    return [maker(Random(f"{plan.seed}/{name}{own}")) for maker, name in zip(makers, names, strict=True)]


def load_makers(bots: Sequence[str], game: str | None = None) -> list[Maker]:
    """What makes each of these house bots.

    Raises:
        SimulationError: one is not installed, or plays other games than ``game``.
    """
    try:
        return [load_bot(bot, game) for bot in bots]
    except LookupError as error:
        raise SimulationError(str(error)) from None


@cache
def load_kernel(game: str) -> Any:
    """The module in ``bots/simulation/kernels`` for a game; None if the game has none.

    It offers ``obstacle(plan)``, which says in words why the kernel cannot play a plan, or None if it can, and
    ``play_deals(plan, block)``, which plays one block and yields the plays of each deal.
    """
    name = f"bots.simulation.kernels.{game}"
    return import_module(name) if game.isidentifier() and find_spec(name) else None


def pick_engine(plan: Plan, wanted: Engine | None) -> Plan:
    """The plan with the engine that will play it.

    Args:
        wanted: the engine that was asked for; None takes the kernel if it can play.

    Raises:
        SimulationError: the kernel was asked for and cannot play this; the text says why.
    """
    if wanted == "arena":
        return replace(plan, engine="arena")
    kernel = load_kernel(plan.game.name)
    obstacle = (
        kernel.obstacle(plan) if kernel else f"there is no kernel for {plan.game.name}; leave out --engine kernel"
    )
    if wanted == "kernel" and obstacle:
        raise SimulationError(obstacle)
    return replace(plan, engine="arena" if obstacle else "kernel")
