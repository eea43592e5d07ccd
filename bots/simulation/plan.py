"""What is to be simulated, cut into blocks."""

from dataclasses import dataclass
from typing import Literal

from bots.simulation.tally import Tally
from protocol.games.blockhead import BlockheadGame

#: The arena plays strategies, on the decks of a dealer with the same seed; the kernel is compiled, and far faster.
Engine = Literal["arena", "kernel"]

#: Deals in a block of the arena.
BLOCK = 250


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
    game: BlockheadGame
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

    def new_tally(self) -> Tally:
        """Nothing played yet."""
        return Tally.start(len(self.bots), self.game.stack, self.game.hands, self.seatings)


#: A block of a plan.
Task = tuple[Plan, int]
