"""Make the table of ``equilibrium``: fixed-limit hold'em between two players, by Monte Carlo CFR.

    python -m bots.train.limit_equilibrium --minutes 30

Hole cards are put into buckets by what percentile of all hole cards they will reach on the river (mean and mean
square), boards by their texture. Boards are drawn from a sample whose buckets are computed first. The table that is
written ends before the river, which the bot solves itself. With ``--checkpoints``, a local best response measures the
table while it is learned, with the river solved.
"""

import argparse
import lzma
import sys
import time
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.limit_board import LIVE, hole_buckets, opening_classes
from bots.strategies.holdem.limit_tree import (
    FILE,
    FOLD,
    GROUPS,
    LEVELS,
    PARTS,
    RAISE,
    RIVER,
    SEEN,
    STREETS,
    Thresholds,
    rows,
    texture,
)
from bots.train.limit_learning import Boards, Learner, Sums
from bots.train.limit_ranges import Rivers
from bots.train.local_best_response import measure
from protocol.games.kernels.holdem import BOARD, CARDS, Cards, mean_percentiles, seeded

#: How often turn and river are dealt to put hole cards into a bucket on the flop.
FLOP_ROUNDS = 100
#: Boards from which the bounds of buckets are taken.
BOUNDS_FROM = 1000
#: Boards between two looks at the clock.
STEP = 20
#: The seed of the boards on which checkpoints are measured.
MEASURE_SEED = 1

Features = NDArray[np.float64]


def features(board: Cards, street: int, seed: int) -> Features:
    """By pair: the mean percentile and the mean square on a street from the flop, float64 (PAIRS, 2)."""
    return mean_percentiles(board[: SEEN[street]], FLOP_ROUNDS, np.uint64(seed))


def bounds(boards: Cards, seed: int) -> Thresholds:
    """Bounds of the buckets on flop and turn, such that hole cards on these boards are equally many in each."""
    thresholds = []
    for street in (1, 2):
        values = np.concatenate([features(board, street, seed + number) for number, board in enumerate(boards)])
        thresholds.append(_quantiles(values[values[:, 0] > 0]))
    return thresholds


def _quantiles(values: Features) -> tuple[list[float], list[list[float]]]:
    """Bounds of groups of equal size by the mean square, and in each group by the mean."""
    groups = np.quantile(values[:, 1], np.arange(1, GROUPS) / GROUPS)
    group = np.searchsorted(groups, values[:, 1], side="right")
    parts = [np.quantile(values[group == each, 0], np.arange(1, PARTS) / PARTS).tolist() for each in range(GROUPS)]
    return groups.tolist(), parts


def sample_boards(count: int, seed: int) -> tuple[Boards, Thresholds]:
    """Deal boards, and put all hole cards into buckets."""
    rng = np.random.default_rng(seed)
    deals = np.array([rng.choice(CARDS, BOARD, replace=False) for _ in range(count)], np.int8)
    thresholds = bounds(deals[:BOUNDS_FROM], seed)
    openings = opening_classes().astype(np.uint8)
    rivers = Rivers.of(deals)
    textures = np.zeros((count, STREETS), np.uint8)
    buckets = np.zeros((count, STREETS, LIVE), np.uint8)
    for number, board in enumerate(deals):
        order = rivers.order[number]
        buckets[number, 0] = openings[order]
        for street in range(1, STREETS):
            textures[number, street] = texture(board[: SEEN[street]].tolist())
            values = features(board, street, seed + number)[order]
            buckets[number, street] = hole_buckets(street, values, thresholds)
        if (number + 1) % 1000 == 0:
            _say(f"{number + 1:,} of {count:,} boards")
    return Boards(rivers, textures, buckets), thresholds


def pack(averages: Sums) -> bytes:
    """Two half bytes a row before the river: how often it folds and raises, in ``LEVELS`` steps; the rest calls."""
    averages = averages[: rows(RIVER)]
    total = averages.sum(axis=1)
    played = total > 0
    moves = np.zeros(len(averages), np.uint8)
    shares = averages[played] / total[played, None]
    folds = np.rint(shares[:, FOLD] * LEVELS).astype(np.uint8)
    raises = np.minimum(np.rint(shares[:, RAISE] * LEVELS).astype(np.uint8), LEVELS - folds)
    moves[played] = folds << 4 | raises
    return moves.tobytes()


def save(path: Path, table: dict[str, Any]) -> None:
    """Write the table, compressed."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(lzma.compress(msgpack.packb(table)))
    part.replace(path)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Make the table and write it."""
    parser = argparse.ArgumentParser(description="Make the table of the bot equilibrium.")
    parser.add_argument("--minutes", type=float, default=30.0, help="processor time to learn, after boards are dealt")
    parser.add_argument("--boards", type=int, default=16_000, help="boards of the sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE, help="the file to write")
    parser.add_argument("--checkpoints", type=int, default=1, help="how often to write the table")
    parser.add_argument("--measure", type=int, default=0, help="boards on which each checkpoint is measured")
    args = parser.parse_args()
    boards, thresholds = sample_boards(args.boards, args.seed)
    learner = Learner(boards, seeded(np.uint64(args.seed)))
    spent = 0.0
    for checkpoint in range(1, args.checkpoints + 1):
        while spent < 60 * args.minutes * checkpoint / args.checkpoints:
            began = time.process_time()
            learner.learn(STEP)
            spent += time.process_time() - began
        table = {"thresholds": thresholds, "moves": pack(learner.averages)}
        save(args.out, table)
        result = f"{learner.done:,} boards in {spent / 60:.1f} min"
        if args.measure:
            for mean, half in measure(table, args.measure, MEASURE_SEED):
                found = f"local best response {mean:.3f} ± {half:.3f} big blinds a hand"
            result = f"{result}: {found}"
        print(result, flush=True)


if __name__ == "__main__":
    main()
