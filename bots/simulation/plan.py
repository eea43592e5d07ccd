"""What is to be simulated, cut into blocks, with the bots that play and the errors that end it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Literal, TypeVar

from bots.command_line import RESET_STACKS
from bots.strategy import Maker, Strategy
from dealer.cli.tables import progress_bar
from dealer.errors import CasinoError, UsageError
from protocol.games.game import Game
from protocol.installed_bots import load_bot
from protocol.plurals import distinct, span

#: The arena plays strategies, on the decks of a dealer with the same seed; the kernel is compiled, and far faster.
Engine = Literal["arena", "kernel"]

#: Whole games in a block; and hands, about.
BLOCK, HAND_BLOCK = 250, 1000

#: Blocks that are played and sent together at most: of the kernel, which plays one in hundredths of a second, and of
#: hands.
KERNEL_BLOCKS, HAND_BLOCKS = 256, 16

#: Shards into which a plan is cut before there are several blocks in one.
LEAST_SHARDS = 64

Step = TypeVar("Step")


class SimulationError(UsageError):
    """A simulation that cannot be run; the text says what to change."""


class BrokenBotError(CasinoError):
    """A bot failed during the simulation; the text says which and how. An error it raised itself is the cause."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated: whole games with a winner each, or hands of a game that lasts until one player is left.

    It is cut into blocks of deals that do not depend on those before them. A block depends on the seed and its own
    number only. Bots are made anew for each, so one that learns knows its opponents for a block.

    Attributes:
        bots: by name, in seat order.
        deals: how many games' cards, or hands' cards.
        duplicate: whether each deal is played once for every seat a player can have.
        seed: any text.
        reset_stacks: whether everybody has the first stack again before every hand; games that do so themselves, as
            one of their options, leave this false.
    """

    bots: tuple[str, ...]
    game: Game
    deals: int
    duplicate: bool
    seed: str
    engine: Engine = "arena"
    reset_stacks: bool = False

    @property
    def seatings(self) -> int:
        """Games of a deal, or hands."""
        return len(self.bots) if self.duplicate else 1

    @property
    def can_be_cut(self) -> bool:
        """Whether no deal depends on the deals before it: only hands do, where stacks carry over."""
        return self.game.in_games or self.reset_stacks or bool(self.game.facts.get(RESET_STACKS))

    @property
    def block_size(self) -> int:
        """Deals of a block; of hands as many as bring the button back to its first place."""
        if self.game.in_games:
            return BLOCK
        return -(-HAND_BLOCK // len(self.bots)) * len(self.bots) if self.can_be_cut else self.deals

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
        most = KERNEL_BLOCKS if self.engine == "kernel" else 1 if self.game.in_games else HAND_BLOCKS
        size = max(1, min(most, len(self.blocks) // LEAST_SHARDS))
        return [self.blocks[first : first + size] for first in range(0, len(self.blocks), size)]

    def as_dict(self) -> dict[str, Any]:
        """All on which the result depends, by the names of the flags."""
        played = {"games": self.deals, "engine": self.engine}
        if not self.game.in_games:
            played = {"hands": self.deals, RESET_STACKS: self.can_be_cut}
        about = {"game": self.game.name, **self.game.facts, "bots": list(self.bots), "seed": self.seed}
        return {**about, "duplicate": self.duplicate, **played}


def check_seats(game: Game, bots: Sequence[str]) -> None:
    """Make sure that so many bots can play the game.

    Raises:
        SimulationError: they are too few or too many.
    """
    seats = game.table_seats
    if len(bots) not in seats:
        raise SimulationError(f"{game.name} is played by {span(seats)} bots here, got {len(bots)}")


def check_plan(plan: Plan) -> None:
    """Make sure, before anything is played, that the plan can be played.

    Raises:
        SimulationError: too few or too many bots, one that is not installed or plays other games, or a stack that does
            not pay for one hand.
    """
    check_seats(plan.game, plan.bots)
    if plan.game.start(len(plan.bots)).over:
        raise SimulationError(f"a stack of {plan.game.stack} chips does not pay {plan.game.fee}")
    _makers(plan.bots, plan.game.name)


def make_strategies(bots: Sequence[str], seed: str, block: int = 0) -> list[Strategy]:
    """One strategy for each bot, with random numbers of its own that depend on the seed, its name and the block.

    Raises:
        SimulationError: a bot is not installed.
    """
    # In block 0 a bot gets the random numbers that a league with the same seed gives it, so that both play alike.
    names = distinct(bots)
    return load_strategies(bots, [f"{seed}/{name}/{block}" if block else f"{seed}/{name}" for name in names])


def load_strategies(bots: Sequence[str], seeds: Sequence[str]) -> list[Strategy]:
    """One strategy for each bot, with random numbers from the seed at its place.

    Raises:
        SimulationError: a bot is not installed.
    """
    return [maker(Random(own)) for maker, own in zip(_makers(bots), seeds, strict=True)]


def _makers(bots: Sequence[str], game: str | None = None) -> list[Maker]:
    try:
        return [load_bot(bot, game) for bot in bots]
    except LookupError as error:
        raise SimulationError(str(error)) from None


def with_progress(steps: Iterable[Step], what: str, total: int) -> Iterable[Step]:
    """Show a progress bar on standard error while ``steps``, of which there are ``total``, are taken."""
    with progress_bar() as bar:
        yield from bar.track(steps, total, description=what)


@cache
def load_kernel(game: str) -> Any:
    """The module in ``bots/simulation/kernels`` for a game; None if the game has none.

    It offers ``obstacle(plan)``, which says in words why the kernel cannot play a plan, or None if it can, and
    ``play_deals(plan, block)``, which plays one block and yields the games of each deal.
    """
    name = f"bots.simulation.kernels.{game}"
    return import_module(name) if game.isidentifier() and find_spec(name) else None


def kernel_obstacle(plan: Plan) -> str | None:
    """Why no kernel can play this plan, in words; None if one can."""
    kernel = load_kernel(plan.game.name)
    if kernel is None:
        return f"there is no kernel for {plan.game.name}; leave out --engine kernel"
    obstacle: str | None = kernel.obstacle(plan)
    return obstacle


def pick_engine(plan: Plan, wanted: Engine | None) -> Plan:
    """The plan with the engine that will play it.

    Args:
        wanted: the engine that was asked for; None takes the kernel if it can play.

    Raises:
        SimulationError: the kernel was asked for and cannot play this; the text says why.
    """
    if wanted == "arena":
        return replace(plan, engine="arena")
    obstacle = kernel_obstacle(plan)
    if wanted == "kernel" and obstacle:
        raise SimulationError(obstacle)
    return replace(plan, engine="arena" if obstacle else "kernel")
