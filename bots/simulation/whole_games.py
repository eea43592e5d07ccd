"""Play whole games in blocks, stop when the result is clear, and collect what was found.

A block depends on the seed and its own number only: the result is the same with any number of processes, and in
whatever order they finish. Strategies are made anew for each block, so a bot that learns meets its opponents for
``BLOCK`` deals.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bots.arena import ArenaError, play_game
from bots.simulation.conclusion import LEVEL, AlwaysValid, Verdict, judge
from bots.simulation.folding import HERE, Keeping, fold_shards, from_json, to_json
from bots.simulation.plan import BrokenBotError, Plan, check_plan, load_kernel, make_strategies
from bots.simulation.tally import FinishedGame, Tally
from bots.strategy import Strategy
from protocol.estimates.intervals import Estimate
from protocol.plurals import distinct
from protocol.shuffle import seed_from_text

#: Steps of a trail, about: as many as a figure can show.
MOST_STEPS = 1000


class Step(NamedTuple):
    """The state after some games: chips won a hand by each player."""

    games: int
    chips_per_hand: tuple[Estimate, ...]


@dataclass(slots=True)
class Outcome:
    """All that was found.

    Attributes:
        names: of the players, no two alike.
        trail: the state after each shard, or fewer in a long simulation.
        verdict: in words.
        sequential: whether the games stopped when they were decided.
    """

    plan: Plan
    names: Sequence[str]
    tally: Tally
    verdict: Verdict
    level: float
    sequential: bool
    trail: list[Step] = field(default_factory=list)


class Shard(NamedTuple):
    """Blocks of a plan that are played and sent together.

    Attributes:
        blocks: their numbers.
        apart: whether the tally of each block is wanted, because the games may stop after any of them.
    """

    plan: Plan
    blocks: range
    apart: bool


class GamesFold:
    """The tally of all games so far; see ``folding.Fold``.

    Attributes:
        names: of the players, no two alike.
        trail: see ``Outcome``.
        over: whether the games stop here because they are decided.
    """

    def __init__(self, plan: Plan, until: float | None) -> None:
        self.names = distinct(plan.bots)
        self.tally = Tally.start(plan)
        self.trail: list[Step] = []
        self.over = False
        self.level = LEVEL if until is None else until
        self._sequential = until is not None
        self._tests = [AlwaysValid() for _ in self.tally.pairs]
        self._last = len(plan.shards) - 1
        self._steps = -(-len(plan.shards) // MOST_STEPS)

    @property
    def verdict(self) -> Verdict:
        """Of the games so far."""
        p_values = [test.p_value for test in self._tests] if self._sequential else ()
        return judge(self.tally, self.names, self.level, p_values)

    def add(self, number: int, tallies: Sequence[Tally]) -> None:
        """Count the blocks of shard ``number``, or those of them until the games are decided."""
        for tally in tallies:
            self.tally.merge(tally)
            for test, pair in zip(self._tests, self.tally.pairs.values(), strict=True):
                test.look(pair.ahead, pair.behind)
            if self._sequential and self.verdict.decided:
                self.over = True
                break
        if number % self._steps == 0 or number == self._last or self.over:
            chips = tuple(map(self.tally.chips_per_hand, range(len(self.names))))
            self.trail.append(Step(self.tally.games, chips))

    def kept(self) -> Any:
        """The state as values of JSON."""
        p_values = [test.p_value for test in self._tests]
        return to_json({"tally": self.tally, "p_values": p_values, "trail": self.trail})

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on with such a state."""
        self.tally.merge(from_json(kept["tally"], Tally))
        self.trail = from_json(kept["trail"], list[Step])
        for test, p_value in zip(self._tests, kept["p_values"], strict=True):
            test.p_value = float(p_value)
        self.over = self._sequential and self.verdict.decided


def simulate(plan: Plan, computed: Keeping = HERE, until: float | None = None) -> Outcome:
    """Play the plan, with a progress bar on standard error; stop early if ``until`` is a level reached.

    Raises:
        SimulationError: the plan cannot be played, or the checkpoint not used.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    check_plan(plan)
    fold = GamesFold(plan, until)
    shards = [Shard(plan, blocks, until is not None) for blocks in plan.shards]
    fold_shards(computed, {**plan.as_dict(), "until": until}, play_shard, shards, fold)
    return Outcome(plan, fold.names, fold.tally, fold.verdict, fold.level, until is not None, fold.trail)


def play_shard(shard: Shard) -> list[Tally]:
    """The tally of each block of a shard, or one of all its blocks.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    played = (play_block((shard.plan, block)) for block in shard.blocks)
    if shard.apart:
        return list(played)
    total = Tally.start(shard.plan)
    for tally in played:
        total.merge(tally)
    return [total]


def play_block(task: tuple[Plan, int]) -> Tally:
    """Play one block in this process."""
    plan, block = task
    tally = Tally.start(plan)
    for deal in _play_in_kernel(plan, block) if plan.engine == "kernel" else _play_in_arena(plan, block):
        tally.add(deal)
    return tally


def _play_in_kernel(plan: Plan, block: int) -> Iterator[Sequence[FinishedGame]]:
    kernel = load_kernel(plan.game.name)
    assert kernel is not None, "only a plan that a kernel can play has this engine"
    deals: Iterator[Sequence[FinishedGame]] = kernel.play_deals(plan, block)
    return deals


def _play_in_arena(plan: Plan, block: int) -> Iterator[Sequence[FinishedGame]]:
    strategies = make_strategies(plan.bots, plan.seed, block)
    seed = seed_from_text(plan.seed)
    for deal in plan.deals_of(block):
        yield [_play_game(plan, strategies, seed, deal, turn) for turn in range(plan.seatings)]


def _play_game(plan: Plan, strategies: Sequence[Strategy], seed: bytes, deal: int, turn: int) -> FinishedGame:
    """One game, in which every player sits ``turn`` seats further to the left than it was named."""
    count = len(strategies)
    seated = [(seat - turn) % count for seat in range(count)]
    stacks, folds, pots = [plan.game.stack] * count, [0] * count, 0
    first = deal * plan.game.hands + 1
    try:
        for hand in play_game(plan.game, [strategies[player] for player in seated], seed, first, seated):
            pots += hand.pot
            for seat, payoff in enumerate(hand.settlement.payoffs):
                stacks[seated[seat]] += payoff
            for seat in hand.folded:
                folds[seated[seat]] += 1
    except ArenaError as error:
        where = f"{plan.bots[seated[error.player]]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__
    return FinishedGame(tuple(stacks), seated[0], tuple(folds), pots)
