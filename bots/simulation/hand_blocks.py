"""Play hands at tables of house bots, cut into blocks where hands do not depend on the hands before them.

That is so where everybody has the first stack again before every hand. A block depends on the seed and its own number
only. Bots are made anew for each block, so one that learns knows its opponents for ``BLOCK`` hands; the button goes on
from block to block as if there were none. Where stacks carry over, all hands are one block.

In duplicate, a table for each seating plays the same deals: player ``p`` sits ``turn`` seats further left than it was
named. The bots at a table are made for it alone, so what one learns at a table it knows nowhere else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from bots.arena import ArenaError, play_hands
from bots.command_line import RESET_STACKS
from bots.simulation.hand_tally import HandTally, Played
from bots.simulation.plan import BrokenBotError, cut, load_strategies
from protocol.games.game import Game
from protocol.shuffle import seed_from_text

#: Hands of a block, about: seconds for slow bots.
BLOCK = 1000

#: Blocks that are played and sent together at most: a second for quick bots.
MOST_BLOCKS = 16


@dataclass(frozen=True, slots=True)
class HandPlan:
    """What is played, hand by hand.

    Attributes:
        game: what is played.
        bots: by name, as players.
        deals: how many hands' cards.
        duplicate: whether each deal is played once for every seat a player can have.
        reset_stacks: whether everybody has the first stack again before every hand; games that do so themselves, as
            one of their options, leave this false.
        seed: any text; it deals the cards.
    """

    game: Game
    bots: tuple[str, ...]
    deals: int
    duplicate: bool
    reset_stacks: bool
    seed: str

    @property
    def seatings(self) -> int:
        """Hands of a deal."""
        return len(self.bots) if self.duplicate else 1

    @property
    def can_be_cut(self) -> bool:
        """Whether no hand depends on the hands before it."""
        return self.reset_stacks or bool(self.game.facts.get(RESET_STACKS))

    @property
    def block_size(self) -> int:
        """Hands of a block: as many as bring the button back to its first place."""
        return -(-BLOCK // len(self.bots)) * len(self.bots) if self.can_be_cut else self.deals

    @property
    def blocks(self) -> range:
        """The numbers of the blocks."""
        return range(-(-self.deals // self.block_size))

    @property
    def shards(self) -> list[range]:
        """The numbers of the blocks that are played and sent together."""
        return cut(self.blocks, MOST_BLOCKS)

    def new_tally(self) -> HandTally:
        """A tally without any hands."""
        return HandTally.start(self.bots, self.seatings)

    def as_dict(self) -> dict[str, Any]:
        """All on which the result depends, by the names of the flags."""
        return {
            "game": self.game.name,
            **self.game.facts,
            "bots": list(self.bots),
            "hands": self.deals,
            "duplicate": self.duplicate,
            RESET_STACKS: self.can_be_cut,
            "seed": self.seed,
        }


class Table(NamedTuple):
    """One seating of one block."""

    plan: HandPlan
    block: int
    turn: int

    @property
    def seeds(self) -> list[str]:
        """What each seat's bot draws its random numbers from."""
        count, seed = len(self.plan.bots), self.plan.seed
        later = f"/{self.block}" if self.block else ""
        if not self.plan.duplicate:
            return [f"{seed}/{seat}{later}" for seat in range(count)]
        return [f"{seed}/{(seat + self.turn) % count}/{self.turn}{later}" for seat in range(count)]


def play_table(table: Table) -> Iterator[Played]:
    """Play the hands of one seating of a block, in this process.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    plan, count = table.plan, len(table.plan.bots)
    seated = [(seat + table.turn) % count for seat in range(count)]
    bots = [plan.bots[player] for player in seated]
    strategies = load_strategies(bots, table.seeds)
    before = table.block * plan.block_size
    hands = min(plan.block_size, plan.deals - before)
    try:
        for hand in play_hands(
            plan.game, strategies, seed_from_text(plan.seed), hands, plan.reset_stacks, first=before + 1
        ):
            payoffs: list[int | None] = [None] * count
            collected = [False] * count
            for seat, player in enumerate(hand.players):
                payoffs[seated[player]] = hand.settlement.payoffs[seat]
                collected[seated[player]] = hand.settlement.shares[seat] > 0
            yield Played(tuple(payoffs), tuple(collected))
    except ArenaError as error:
        where = f"{bots[error.player]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__


def play_whole_table(table: Table) -> list[Played]:
    """The hands of ``play_table`` all at once, as they go from one process to another."""
    return list(play_table(table))


def play_hand_blocks(shard: tuple[HandPlan, range]) -> HandTally:
    """The tally of some blocks, in this process, each of their deals played in every seating."""
    plan, blocks = shard
    tally = plan.new_tally()
    for block in blocks:
        for deal in zip(*[play_table(Table(plan, block, turn)) for turn in range(plan.seatings)], strict=True):
            tally.add(deal)
    return tally
