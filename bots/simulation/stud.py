"""``casino simulate stud``: chips won a hand by each bot."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from random import Random
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bots.arena import ArenaError, play_hands
from bots.simulation.facts import signed
from bots.simulation.progress_bar import watched
from bots.simulation.simulation_errors import BrokenBotError, SimulationError
from bots.statistics import RunningMean
from bots.strategy import load_maker
from protocol.games.stud import SEATS, StudMatch
from protocol.shuffle import seed_from_text


@dataclass(slots=True)
class Result:
    """One bot's score: chips won a hand dealt in, and hands of which it collected a share."""

    bot: str
    chips: RunningMean = field(default_factory=RunningMean)
    won: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The facts; the interval of the mean is at 95 %. One hand says nothing about either: None."""
        deviation = self.chips.deviation
        return {
            "bot": self.bot,
            "hands": self.chips.count,
            "chips_per_hand": self.chips.mean,
            "interval": self.chips.estimate.interval,
            "deviation": deviation if isfinite(deviation) else None,  # JSON has no infinity
            "hands_won": self.won,
        }


def run_simulation(
    bots: Sequence[str], hands: int, stack: int, ante: int, reset_stacks: bool, seed: str, as_json: bool
) -> None:
    """Play and print.

    Raises:
        SimulationError: an unknown bot, too few or too many, or a stack below the ante.
        BrokenBotError: a bot broke the rules or raised something.
    """
    if len(bots) not in SEATS:
        raise SimulationError(f"stud is played by {SEATS[0]} to {SEATS[-1]} bots, got {len(bots)}")
    if stack < ante:
        raise SimulationError(f"a stack of {stack} chips does not pay the ante of {ante}")
    results = simulate_stud(bots, hands, stack, ante, reset_stacks, seed)
    if as_json:
        print(json.dumps({"seed": seed, "hands": hands, "bots": [result.as_dict() for result in results]}, indent=2))
    else:
        Console().print(results_table(results))


def simulate_stud(
    bots: Sequence[str], hands: int, stack: int, ante: int, reset_stacks: bool, seed: str
) -> list[Result]:
    """The score of each bot, in the order given, with a progress bar on standard error.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    try:
        strategies = [load_maker(bot)(Random(f"{seed}/{seat}")) for seat, bot in enumerate(bots)]
    except LookupError as error:
        raise SimulationError(str(error)) from None
    results = [Result(bot) for bot in bots]
    match = StudMatch.start(len(bots), stack, ante)
    playing = play_hands(match, strategies, seed_from_text(seed), hands, reset_stacks)
    try:
        for played in watched(playing, "hands", hands):
            for seat, player in enumerate(played.players):
                results[player].chips.add(played.settlement.payoffs[seat])
                results[player].won += played.settlement.shares[seat] > 0
    except ArenaError as error:
        where = f"{bots[error.player]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__
    return results


def results_table(results: Sequence[Result]) -> Table:
    """The scores as a terminal shows them."""
    table = Table(title="Chips won a hand, with 95 % interval")
    table.add_column("Seat", justify="right")
    table.add_column("Bot")
    for heading in ("Chips a hand", "from", "to", "Hands", "Won"):
        table.add_column(heading, justify="right")
    for seat, result in enumerate(results):
        won = f"{result.won / max(result.chips.count, 1):.1%}"
        table.add_row(str(seat), escape(result.bot), *signed(result.chips.estimate), str(result.chips.count), won)
    return table
