"""Play plans in blocks, stop when the result is clear, and collect what was found.

A block depends on the seed and its own number only: the result is the same with any number of processes, and in
whatever order they finish.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bots.arena import ArenaError, PlayedHand, play_game, play_hands
from bots.command_line import RESET_STACKS
from bots.simulation.checkpoint import Checkpoint, from_json, to_json
from bots.simulation.conclusion import LEVEL, AlwaysValid, Verdict, judge
from bots.simulation.plan import BrokenBotError, Plan, SimulationError, check_plan, load_kernel, make_strategies
from bots.simulation.tally import Played, Tally
from bots.simulation.versions import play_versions
from bots.workers.computing import LOCAL, Workers
from dealer.cli.tables import working_progress
from protocol.estimates.intervals import Estimate
from protocol.shuffle import seed_from_text

if TYPE_CHECKING:
    from dealer.checker.asked_programs import Programs

#: Steps of a trail, about: as many as a figure can show.
MOST_STEPS = 1000


class Step(NamedTuple):
    """The state after some plays: chips won a hand by each player."""

    plays: int
    chips_per_hand: tuple[Estimate, ...]


class Outcome:
    """All that is found in a plan, shard after shard.

    Attributes:
        names: of the players, no two alike.
        trail: the state after each shard, or fewer in a long simulation.
        level: of the verdict.
        sequential: whether it stops when it is decided.
        over: whether it has stopped.
    """

    def __init__(self, plan: Plan, until: float | None = None) -> None:
        """Begin with nothing played; ``until`` is the level at which to stop, None plays everything."""
        self.plan = plan
        self.names = plan.names
        self.tally = Tally.start(plan)
        self.trail: list[Step] = []
        self.level = LEVEL if until is None else until
        self.sequential = until is not None
        self.over = False
        self._tests = [AlwaysValid() for _ in self.tally.pairs]
        self._shards = 0

    @property
    def verdict(self) -> Verdict:
        """Of the plays so far."""
        return judge(
            self.tally, self.plan, self.level, [test.p_value for test in self._tests] if self.sequential else ()
        )

    def add(self, tallies: Sequence[Tally]) -> None:
        """Count the blocks of the next shard, or those of them until it is decided."""
        for tally in tallies:
            self.tally.merge(tally)
            if self.sequential:
                for test, pair in zip(self._tests, self.tally.both, strict=True):
                    test.look(pair, self.plan)
                self.over = self.verdict.decided
                if self.over:
                    break
        count = len(self.plan.shards)
        if self._shards % -(-count // MOST_STEPS) == 0 or self._shards == count - 1 or self.over:
            chips = tuple(map(self.tally.chips_per_hand, range(len(self.names))))
            self.trail.append(Step(self.tally.plays, chips))
        self._shards += 1

    def kept(self) -> Any:
        """The state as values of JSON."""
        p_values = [test.p_value for test in self._tests]
        return to_json({"tally": self.tally, "p_values": p_values, "trail": self.trail, "shards": self._shards})

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Go on with such a state."""
        self.tally.merge(from_json(kept["tally"], Tally))
        self.trail = from_json(kept["trail"], list[Step])
        self._shards = int(kept["shards"])
        for test, p_value in zip(self._tests, kept["p_values"], strict=True):
            test.p_value = float(p_value)
        self.over = self.sequential and self.verdict.decided


class Shard(NamedTuple):
    """Blocks of a plan that are played and sent together.

    Attributes:
        place: of the plan among those that are played.
        blocks: their numbers.
        apart: whether the tally of each block is wanted, because the plan may stop after any of them.
    """

    place: int
    plan: Plan
    blocks: range
    apart: bool

    @property
    def plays(self) -> int:
        deals = self.plan.deals_of(self.blocks[-1]).stop - self.plan.deals_of(self.blocks[0]).start
        return deals * self.plan.seatings


def play(
    plan: Plan, workers: Workers = LOCAL, checkpoint: Path | None = None, *, until: float | None = None
) -> Outcome:
    """Play one plan; see ``play_all``."""
    return play_all([plan], workers, checkpoint, until=until)[0]


def play_all(
    plans: Sequence[Plan],
    workers: Workers = LOCAL,
    checkpoint: Path | None = None,
    *,
    until: float | None = None,
    programs: "Programs | None" = None,
) -> list[Outcome]:
    """Play plans, and tell on standard error how far it is.

    Args:
        workers: who computes.
        checkpoint: a file for what is found so far, from which to go on if it is there; None keeps nothing.
        until: a level at which each plan stops; None plays everything.
        programs: who asks the commands of versions; they play in this process only.

    Raises:
        SimulationError: a plan cannot be played, or the checkpoint not used.
        BrokenBotError: a bot broke the rules or raised something.
        WorkersError: nobody can compute.
    """
    for plan in plans:
        check_plan(plan)  # before the first one has played for minutes
    outcomes = [Outcome(plan, until) for plan in plans]
    shards = [
        Shard(place, plan, blocks, until is not None) for place, plan in enumerate(plans) for blocks in plan.shards
    ]
    about = {**_in_common(plans), "until": until}
    if len(plans) > 1:
        about["cross"] = True
    kept = None if checkpoint is None else Checkpoint.open(checkpoint, about)
    done = 0 if kept is None else _restore(outcomes, kept)
    counted = sum(shard.plays for shard in shards[:done])
    with working_progress(sum(plan.deals * plan.seatings for plan in plans), counted) as tell:

        def count(plays: int) -> None:
            nonlocal counted
            counted += plays
            tell(counted, f"playing {workers.told}")

        alone = workers == LOCAL
        function = partial(play_shard, programs=programs, on_play=count) if alone else play_shard
        while done < len(shards):
            # A plan that may stop is computed by itself: what is left of it then is computed by nobody.
            place = shards[done].place
            last = len(shards) if until is None else done + sum(shard.place == place for shard in shards[done:])
            with closing(workers.compute(function, shards[done:last])) as found:
                for tallies in found:
                    shard = shards[done]
                    outcome = outcomes[shard.place]
                    outcome.add(tallies)
                    if not alone:
                        count(shard.plays)
                    done = last if outcome.over else done + 1
                    if kept is not None and (done == last or kept.is_due()):
                        kept.keep(done, [one.kept() for one in outcomes])
                    if outcome.over:
                        break
            if skipped := sum(shard.plays for shard in shards[:done]) - counted:
                count(skipped)
    return outcomes


def _in_common(plans: Sequence[Plan]) -> dict[str, Any]:
    """All on which the results depend, as lists where the plans differ."""
    facts = [plan.as_dict() for plan in plans]
    together = {name: [one.get(name) for one in facts] for one in facts for name in one}
    return {name: found[0] if all(one == found[0] for one in found) else found for name, found in together.items()}


def _restore(outcomes: Sequence[Outcome], kept: Checkpoint) -> int:
    """Go on from a checkpoint; the shards that are done."""
    try:
        for outcome, one in zip(outcomes, kept.kept, strict=True) if kept.kept is not None else ():
            outcome.restore(one)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SimulationError(f"{kept.path} is damaged ({error!r}); name another file") from None
    return kept.done


def play_shard(
    shard: Shard, programs: "Programs | None" = None, on_play: Callable[[int], object] = lambda _: None
) -> list[Tally]:
    """The tally of each block of a shard, or one of all its blocks.

    Args:
        programs: who asks the commands of versions.
        on_play: hears how many plays more are done.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
        ProgramError: a program of a version cannot play.
    """
    played = (play_block(shard.plan, block, programs, on_play) for block in shard.blocks)
    if shard.apart:
        return list(played)
    total = Tally.start(shard.plan)
    for tally in played:
        total.merge(tally)
    return [total]


def play_block(
    plan: Plan, block: int, programs: "Programs | None" = None, on_play: Callable[[int], object] = lambda _: None
) -> Tally:
    """Play one block in this process; see ``play_shard``."""
    tally = Tally.start(plan)
    deals: Iterable[Sequence[Played]]
    if tally.versions is not None:
        deals = play_versions(plan, block, tally.versions, programs, on_play)
    elif plan.engine == "kernel":
        deals = _heard(load_kernel(plan.game.name).play_deals(plan, block), on_play)
    else:
        seatings = [play_seating(plan, block, turn) for turn in range(plan.seatings)]
        deals = _heard(zip(*seatings, strict=True), on_play)
    for deal, times in Counter(deals).items():  # many hands end alike
        tally.add(deal, times)
    return tally


def _heard(deals: Iterable[Sequence[Played]], on_play: Callable[[int], object]) -> Iterator[Sequence[Played]]:
    for deal in deals:
        on_play(len(deal))
        yield deal


def play_seating(plan: Plan, block: int, turn: int) -> Iterator[Played]:
    """Play the deals of a block in the arena, every player ``turn`` seats further to the left than it was named.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    count, strategies = len(plan.bots), make_strategies(plan, block, turn)
    seated = [(seat + turn) % count for seat in range(count)]
    at_table, seed, deals = [strategies[player] for player in seated], seed_from_text(plan.seed), plan.deals_of(block)
    try:
        if plan.game.in_games:
            for deal in deals:
                yield _played(seated, play_game(plan.game, at_table, seed, deal * plan.hands + 1))
        else:
            resets = not plan.game.facts.get(RESET_STACKS)  # else the game does it, and moves its button
            for hand in play_hands(plan.game, at_table, seed, len(deals), resets, first=deals.start + 1):
                yield _played(seated, [hand])
    except ArenaError as error:
        where = f"{plan.bots[seated[error.player]]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__


def _played(seated: Sequence[int], hands: Iterable[PlayedHand]) -> Played:
    """The hands of one play, told by player; ``seated`` are the players by seat."""
    gains, folds, pots, opener = [0] * len(seated), [0] * len(seated), 0, None
    for hand in hands:
        if opener is None:
            opener = hand.players[hand.actions[0][0] if hand.actions else 0]
        pots += hand.pot
        for seat, payoff in zip(hand.players, hand.settlement.payoffs, strict=True):
            gains[seated[seat]] += payoff
        for seat in hand.folded:
            folds[seated[seat]] += 1
    assert opener is not None, "a game has a hand at least"
    return Played(tuple(gains), seated[opener], tuple(folds), pots)
