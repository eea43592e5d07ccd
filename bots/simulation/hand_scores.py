"""``casino simulate`` for games that last until one player is left: chips won a hand by each bot."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from rich.console import Console
from rich.markup import escape

from bots.arena import ArenaError, play_hands
from bots.fitting_table import FittingTable, new_table
from bots.simulation.facts import signed
from bots.simulation.plan import BrokenBotError, SimulationError, check_seats, load_strategies, with_progress
from bots.statistics import RunningMean
from protocol.games.game import Game
from protocol.shuffle import seed_from_text


@dataclass(slots=True)
class Result:
    """One bot's score: chips won a hand dealt in, and hands of which it collected a share.

    Attributes:
        bot: its name.
        chips: one number for each hand; in duplicate, one for each deal, the mean of its seatings.
        won: hands of which it collected a share.
        seatings: hands of a deal.
    """

    bot: str
    chips: RunningMean = field(default_factory=RunningMean)
    won: int = 0
    seatings: int = 1

    @property
    def hands(self) -> int:
        """Hands dealt in."""
        return self.chips.count * self.seatings

    def as_dict(self) -> dict[str, Any]:
        """The facts; the interval of the mean is at 95 %. One hand says nothing about either: None."""
        deviation = self.chips.deviation
        return {
            "bot": self.bot,
            "hands": self.hands,
            "chips_per_hand": self.chips.mean,
            "interval": self.chips.estimate.interval,
            "deviation": deviation if isfinite(deviation) else None,  # JSON has no infinity
            "hands_won": self.won,
        }


def print_results(results: Sequence[Result], hands: int, seed: str, as_json: bool) -> None:
    """Print the scores, as JSON or as a table."""
    if as_json:
        print(json.dumps({"seed": seed, "hands": hands, "bots": [result.as_dict() for result in results]}, indent=2))
    else:
        Console().print(results_table(results))


def check_hands(game: Game, bots: Sequence[str]) -> None:
    """Make sure that so many bots can play the game with its stacks.

    Raises:
        SimulationError: too few or too many, or a stack that does not pay for one hand.
    """
    check_seats(game, bots)
    if game.start(len(bots)).over:
        raise SimulationError(f"a stack of {game.stack} chips does not pay {game.fee}")


def play_scored(game: Game, bots: Sequence[str], hands: int, reset_stacks: bool, seed: str) -> list[Result]:
    """The score of each bot, in the order given, with a progress bar on standard error.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    strategies = load_strategies(bots, [f"{seed}/{seat}" for seat in range(len(bots))])
    results = [Result(bot) for bot in bots]
    playing = play_hands(game, strategies, seed_from_text(seed), hands, reset_stacks)
    try:
        for played in with_progress(playing, "hands", hands):
            for seat, player in enumerate(played.players):
                results[player].chips.add(played.settlement.payoffs[seat])
                results[player].won += played.settlement.shares[seat] > 0
    except ArenaError as error:
        where = f"{bots[error.player]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__
    return results


def results_table(results: Sequence[Result]) -> FittingTable:
    """The scores as a terminal shows them, on a narrow one as a list."""
    table = new_table("Chips won a hand, with 95 % interval")
    table.add_column("Seat", justify="right", no_wrap=True)
    table.add_column("Bot", no_wrap=True)
    table.add_column("Chips a hand", justify="right")
    for heading in ("from", "to", "Hands", "Won"):
        table.add_column(heading, justify="right", no_wrap=True)
    for seat, result in enumerate(results):
        won = f"{result.won / max(result.hands, 1):.1%}"
        table.add_row(str(seat), escape(result.bot), *signed(result.chips.estimate), str(result.hands), won)
    return FittingTable(table, ("seat", "bot", "chips a hand", "from", "to", "hands", "won"))
