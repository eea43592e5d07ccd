"""Hands of which each deal is played in every seating, at tables of their own, and pairs of bots compared so.

A table for each seating plays the same deals in step: player ``p`` sits ``turn`` seats further left than it was named.
The bots at a table are made for it alone, so what one learns at a table it knows nowhere else.
"""

import signal
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import get_context
from typing import Any, NamedTuple

from rich.console import Group
from rich.text import Text

from bots.arena import ArenaError, play_hands
from bots.fitting_table import new_table
from bots.simulation.hand_scores import Result
from bots.simulation.plan import BrokenBotError, SimulationError, check_seats, load_strategies, with_progress
from protocol.estimates.intervals import Estimate
from protocol.games.game import Game
from protocol.shuffle import seed_from_text


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """One seating of a plan.

    Attributes:
        game: what is played.
        bots: by name, as players.
        deals: how many hands are played.
        reset_stacks: whether everybody has the first stack again before every hand.
        seed: any text; it deals the cards.
        turn: how many seats further left each player sits.
    """

    game: Game
    bots: tuple[str, ...]
    deals: int
    reset_stacks: bool
    seed: str
    turn: int


class Played(NamedTuple):
    """What one hand gave each player: chips won, and whether it collected a share."""

    payoffs: tuple[int, ...]
    collected: tuple[bool, ...]


def play_table(table: SeatedTable) -> list[Played]:
    """Play all deals at one table, in this process.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    count = len(table.bots)
    seated = [(seat + table.turn) % count for seat in range(count)]
    bots = [table.bots[player] for player in seated]
    strategies = load_strategies(bots, [f"{table.seed}/{player}/{table.turn}" for player in seated])
    hands = []
    try:
        for hand in play_hands(
            table.game, strategies, seed_from_text(table.seed), table.deals, reset_stacks=table.reset_stacks
        ):
            payoffs, collected = [0] * count, [False] * count
            for seat, player in enumerate(hand.players):
                payoffs[seated[player]] = hand.settlement.payoffs[seat]
                collected[seated[player]] = hand.settlement.shares[seat] > 0
            hands.append(Played(tuple(payoffs), tuple(collected)))
    except ArenaError as error:
        where = f"{bots[error.player]} in seat {error.player}, hand {error.number}"
        raise BrokenBotError(f"{where}: {error}") from error.__cause__
    return hands


def play_tables(tables: Sequence[SeatedTable], jobs: int) -> Generator[list[Played], None, None]:
    """The hands of each table, in their order, played by ``jobs`` processes.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    jobs = min(jobs, len(tables))
    if jobs == 1:
        yield from map(play_table, tables)
        return
    with get_context("spawn").Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap(play_table, tables)


def _seatings(game: Game, bots: Sequence[str], deals: int, reset_stacks: bool, seed: str) -> list[SeatedTable]:
    return [SeatedTable(game, tuple(bots), deals, reset_stacks, seed, turn) for turn in range(len(bots))]


def _results(bots: Sequence[str], tables: Sequence[Sequence[Played]]) -> list[Result]:
    """The score of each bot; one number for each deal, the mean of its seatings."""
    results = [Result(bot, seatings=len(tables)) for bot in bots]
    for seatings in zip(*tables, strict=True):
        for player, result in enumerate(results):
            result.chips.add(sum(hand.payoffs[player] for hand in seatings) / len(tables))
            result.won += sum(hand.collected[player] for hand in seatings)
    return results


def play_duplicate(
    game: Game, bots: Sequence[str], deals: int, reset_stacks: bool, seed: str, jobs: int
) -> list[Result]:
    """The score of each bot in deals that are played in every seating, with a progress bar on standard error.

    Raises:
        SimulationError: a bot is not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    tables = _seatings(game, bots, deals, reset_stacks, seed)
    with closing(play_tables(tables, jobs)) as played:
        return _results(bots, list(with_progress(played, "seatings", len(tables))))


@dataclass(frozen=True, slots=True)
class CrossedHands:
    """Every two of some bots against each other.

    Attributes:
        game: what was played.
        seed: any text.
        bots: by name.
        deals: of each pair, each played in both seats.
        scores: chips a hand of a bot against another, by their places in ``bots``.
    """

    game: Game
    seed: str
    bots: Sequence[str]
    deals: int
    scores: dict[tuple[int, int], Estimate]

    def as_dict(self) -> dict[str, Any]:
        """The facts; chips in chips, intervals at 95 %."""
        scores = [
            {
                "bot": self.bots[row],
                "against": self.bots[column],
                "chips_per_hand": score.value,
                "interval": score.interval,
            }
            for (row, column), score in sorted(self.scores.items())
        ]
        return {"game": self.game.name, **self.game.facts, "seed": self.seed, "deals": self.deals, "scores": scores}


def cross_hands(game: Game, bots: Sequence[str], deals: int, reset_stacks: bool, seed: str, jobs: int) -> CrossedHands:
    """Let every two bots play so many deals in both seats, with a progress bar on standard error.

    Raises:
        SimulationError: too few bots, one named twice or not installed.
        BrokenBotError: a bot broke the rules or raised something.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise SimulationError(f"a cross table needs at least 2 different bots, got {' '.join(bots)}")
    check_seats(game, bots[:2])
    load_strategies(bots, bots)  # before the first pair has played for minutes
    pairs = list(combinations(range(len(bots)), 2))
    tables = [
        table
        for first, second in pairs
        for table in _seatings(game, (bots[first], bots[second]), deals, reset_stacks, seed)
    ]
    with closing(play_tables(tables, jobs)) as playing:
        played = list(with_progress(playing, "seatings", len(tables)))
    scores = {}
    for index, (first, second) in enumerate(pairs):
        one, other = _results((bots[first], bots[second]), played[2 * index : 2 * index + 2])
        scores[first, second], scores[second, first] = one.chips.estimate, other.chips.estimate
    return CrossedHands(game, seed, bots, deals, scores)


def crossed_table(crossed: CrossedHands) -> Group:
    """Rows against columns; half the interval below each mean."""
    table = new_table(lines=True, narrow=True)
    table.add_column("", overflow="fold", min_width=6)
    for bot in crossed.bots:
        table.add_column(Text(bot), justify="right", overflow="fold")
    for row, bot in enumerate(crossed.bots):
        cells = [_cell(crossed.scores.get((row, column))) for column in range(len(crossed.bots))]
        table.add_row(Text(bot), *cells)
    return Group(
        f"Chips a hand won by the bot on the left; every two play {crossed.deals:,} deals, each in both seats",
        "",
        table,
        "± half the 95 % interval",
        Text(f"the same again: --seed {crossed.seed}"),
    )


def _cell(score: Estimate | None) -> str:
    if score is None:
        return "-"
    half = "" if score.interval is None else f"\n±{(score.high - score.low) / 2:.1f}"
    return f"{score.value:+.1f}{half}"
