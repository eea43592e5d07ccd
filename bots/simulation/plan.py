"""What is to be simulated, cut into blocks, with the bots that play and the errors that end it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, TypeVar

from rich.console import Console
from rich.progress import track

from bots.simulation.tally import Tally
from bots.strategy import Maker, Strategy, load_maker
from protocol.games.game import Game
from protocol.plurals import listed, span

#: The arena plays strategies, on the decks of a dealer with the same seed; the kernel is compiled, and far faster.
Engine = Literal["arena", "kernel"]

#: Deals in a block.
BLOCK = 250

#: Blocks of the kernel, which plays one in hundredths of a second, that are played and sent together at most.
KERNEL_BLOCKS = 256

#: Shards into which a plan is cut before there are several blocks in one.
LEAST_SHARDS = 64

Step = TypeVar("Step")


class SimulationError(Exception):
    """A simulation that cannot be run; the text says what to change."""


class BrokenBotError(Exception):
    """A bot failed during the simulation; the text says which and how. An error it raised itself is the cause."""


def cut(blocks: range, most: int) -> list[range]:
    """Cut blocks into shards of up to ``most``, of fewer in a short plan, so that all workers have something to do."""
    size = max(1, min(most, len(blocks) // LEAST_SHARDS))
    return [blocks[first : first + size] for first in range(0, len(blocks), size)]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated.

    Attributes:
        bots: by name, in seat order.
        game: what they play.
        deals: how many games' cards.
        duplicate: whether each deal is played once for every seat a player can have.
        seed: any text.
        engine: what plays.
    """

    bots: tuple[str, ...]
    game: Game
    deals: int
    duplicate: bool
    seed: str
    engine: Engine = "arena"

    @property
    def seatings(self) -> int:
        """Games of a deal."""
        return len(self.bots) if self.duplicate else 1

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(-(-self.deals // BLOCK))

    def deals_of(self, block: int) -> range:
        """The numbers of the deals in ``block``."""
        return range(block * BLOCK, min((block + 1) * BLOCK, self.deals))

    @property
    def shards(self) -> list[range]:
        """The numbers of the blocks that are played and sent together."""
        return cut(self.blocks, KERNEL_BLOCKS if self.engine == "kernel" else 1)

    def as_dict(self) -> dict[str, Any]:
        """All on which the result depends, by the names of the flags."""
        return {
            "game": self.game.name,
            **self.game.facts,
            "bots": list(self.bots),
            "games": self.deals,
            "duplicate": self.duplicate,
            "seed": self.seed,
            "engine": self.engine,
        }

    def new_tally(self) -> Tally:
        """A tally without any games."""
        return Tally.start(len(self.bots), self.game.stack, self.game.hands, self.seatings)


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
        SimulationError: too few or too many bots, or one that is not installed or plays other games.
    """
    check_seats(plan.game, plan.bots)
    check_bots(plan.game, plan.bots)
    make_strategies(plan.bots, plan.seed)


def distinct_names(bots: Sequence[str]) -> list[str]:
    """The bots' names, with a number after repeated ones: ``alpha``, ``alpha-2``."""
    copies: Counter[str] = Counter()
    names = []
    for bot in bots:
        copies[bot] += 1
        names.append(bot if copies[bot] == 1 else f"{bot}-{copies[bot]}")
    return names


def make_strategies(bots: Sequence[str], seed: str, block: int = 0) -> list[Strategy]:
    """One strategy for each bot, with random numbers of its own that depend on the seed, its name and the block.

    Raises:
        SimulationError: a bot is not installed.
    """
    # In block 0 a bot gets the random numbers that a league with the same seed gives it, so that both play alike.
    names = distinct_names(bots)
    return load_strategies(bots, [f"{seed}/{name}/{block}" if block else f"{seed}/{name}" for name in names])


def check_bots(game: Game, bots: Sequence[str]) -> None:
    """Make sure that bots are installed and play the game; one that names no games plays all.

    Raises:
        SimulationError: one is not installed, or plays other games.
    """
    for bot, maker in zip(bots, _makers(bots), strict=True):
        games: tuple[str, ...] = getattr(maker, "games", ())
        if games and game.name not in games:
            raise SimulationError(f"the bot {bot!r} plays {listed(games)}, not {game.name}")


def load_strategies(bots: Sequence[str], seeds: Sequence[str]) -> list[Strategy]:
    """One strategy for each bot, with random numbers from the seed at its place.

    Raises:
        SimulationError: a bot is not installed.
    """
    return [maker(Random(own)) for maker, own in zip(_makers(bots), seeds, strict=True)]


def _makers(bots: Sequence[str]) -> list[Maker]:
    try:
        return [load_maker(bot) for bot in bots]
    except LookupError as error:
        raise SimulationError(str(error)) from None


def with_progress(steps: Iterable[Step], what: str, total: int) -> Iterable[Step]:
    """Show a progress bar on standard error while ``steps``, of which there are ``total``, are taken."""
    console = Console(stderr=True)
    # Where standard error is no terminal, even a bar that disappears would leave a blank line behind.
    return track(steps, what, total, console=console, transient=True, disable=not console.is_terminal)
