"""Make the table of ``equilibrium``: fixed-limit hold'em between two players, by Monte Carlo CFR.

    python -m bots.train.limit_equilibrium --minutes 8

Cards are put into buckets by what percentile of all hands they will reach on the river (mean and mean square). Deals
are drawn from a sample of boards whose buckets are computed first. External sampling: one player tries all actions, the
other's are drawn. Averages are weighted by the number of the deal, and moves with large negative regrets are mostly
left out. Regrets may fall below 0: with drawn deals a floor would keep bad moves alive by chance.
"""

import argparse
import lzma
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import msgpack
import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.limit_cards import GROUPS, PARTS, RIVER_BUCKETS, opening_bucket
from bots.strategies.holdem.limit_table import FILE, LEVELS
from bots.strategies.holdem.limit_tree import rows, tree
from bots.train.compiling import jit
from protocol.games.kernels.holdem import CARDS, PAIRS, Cards, mean_percentiles, next_random, seeded

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Sums = NDArray[np.float32]

FOLD, CALL, RAISE = range(3)
#: Where a call of a node leads if that is the showdown, and a move that is not allowed.
SHOWDOWN, NOT_ALLOWED = -1, -2
FLOP_ROUNDS = 100
#: Big blinds of regret below which a move is tried only now and then, and how often.
HOPELESS, TRIED = -150.0, 0.05
#: Columns of the tree as an array.
STREET, FIRST_ACTS, OWES, ON_CALL, ON_RAISE, ROW = range(6)


def tree_arrays() -> tuple[Ints, Floats]:
    """The tree as int64 (nodes, 6), and by node what a fold loses and what a showdown after a call is for."""
    nodes = list(tree().values())
    number = {node.betting: index for index, node in enumerate(nodes)}
    shape = np.array(
        [
            (
                node.street,
                node.first_acts,
                node.owes,
                SHOWDOWN if node.after_call is None else number[node.after_call],
                number[node.after_raise] if node.may_raise else NOT_ALLOWED,
                node.row,
            )
            for node in nodes
        ],
        np.int64,
    )
    return shape, np.array([(node.loss, node.stake) for node in nodes])


@dataclass(frozen=True, slots=True)
class Boards:
    """A sample of boards.

    Attributes:
        buckets: uint8 (boards, 3, PAIRS), of each pair on the flop, turn and river.
        ranks: int16 (boards, PAIRS), larger for stronger pairs on the river; -1 for pairs on the board.
        thresholds: see ``board_bucket``.
    """

    buckets: NDArray[np.uint8]
    ranks: NDArray[np.int16]
    thresholds: list[tuple[list[float], list[list[float]]]]


@jit
def sample_features(boards: Cards, seed: int, features: NDArray[np.float32]) -> None:
    """Fill float32 (boards, 3, PAIRS, 2): mean percentile and mean square of each pair on each street."""
    for number in range(len(boards)):
        for street in range(3):
            values = mean_percentiles(boards[number, : 3 + street], FLOP_ROUNDS, np.uint64(seed + number))
            for pair in range(PAIRS):
                features[number, street, pair, 0] = values[pair, 0]
                features[number, street, pair, 1] = values[pair, 1]


def sample_boards(count: int, seed: int) -> Boards:
    """Deal boards, and put all pairs into buckets whose bounds are quantiles of the sample's first part."""
    rng = np.random.default_rng(seed)
    deals = np.array([rng.choice(CARDS, 5, replace=False) for _ in range(count)], np.int8)
    buckets = np.zeros((count, 3, PAIRS), np.uint8)
    ranks = np.zeros((count, PAIRS), np.int16)
    thresholds: list[tuple[list[float], list[list[float]]]] = []
    part = 1000
    for start in range(0, count, part):
        chosen = deals[start : start + part]
        features = np.zeros((len(chosen), 3, PAIRS, 2), np.float32)
        sample_features(chosen, seed + start, features)
        if not thresholds:
            thresholds = [_quantiles(features[:, street]) for street in (0, 1)]
        for street in (0, 1):
            buckets[start : start + part, street] = _nested(features[:, street], *thresholds[street])
        river = features[:, 2, :, 0]
        buckets[start : start + part, 2] = np.clip(river * RIVER_BUCKETS, 0, RIVER_BUCKETS - 1)
        ranks[start : start + part] = np.where(river > 0, np.rint(river * 2162), -1)
        _say(f"{start + len(chosen)} of {count} boards")
    return Boards(buckets, ranks, thresholds)


def _quantiles(features: NDArray[np.float32]) -> tuple[list[float], list[list[float]]]:
    """Bounds of groups of equal size by the mean square, and in each group by the mean."""
    on = features[features[..., 0] > 0]
    groups = np.quantile(on[:, 1], np.arange(1, GROUPS) / GROUPS)
    group = np.searchsorted(groups, on[:, 1], side="right")
    parts = [np.quantile(on[group == each, 0], np.arange(1, PARTS) / PARTS).tolist() for each in range(GROUPS)]
    return groups.tolist(), parts


def _nested(features: NDArray[np.float32], groups: list[float], parts: list[list[float]]) -> NDArray[np.uint8]:
    group = np.searchsorted(np.array(groups), features[..., 1], side="right")
    bounds = np.array(parts)[group]
    return np.asarray(group * PARTS + (features[..., 0, None] >= bounds).sum(axis=-1), np.uint8)


@jit
def match(regrets: Sums, owes: bool, may_raise: bool, strategy: Floats) -> None:
    """Regret matching; where there is no regret, all that is allowed in equal parts."""
    total = 0.0
    for move in range(3):
        allowed = move == 1 or (move == 0 and owes) or (move == 2 and may_raise)
        strategy[move] = max(regrets[move], 0.0) if allowed else 0.0
        total += strategy[move]
    if total > 0:
        for move in range(3):
            strategy[move] /= total
        return
    part = 1.0 / (1 + owes + may_raise)
    strategy[0], strategy[1], strategy[2] = part * owes, part, part * may_raise


@jit
def walk(
    node: int,
    learner: int,
    cards: Ints,
    won: int,
    weight: float,
    shape: Ints,
    chips: Floats,
    regrets: Sums,
    averages: Sums,
    state: NDArray[np.uint64],
) -> float:
    """Big blinds that the learner wins from a node on; it tries all moves, and the other's are drawn.

    Args:
        node: in ``shape``.
        learner: 0 is the button, which acts first before the flop and last after it.
        cards: int64 (2, 4), the buckets of both players by street.
        won: 1 if the learner has the stronger cards, -1 if the other has, 0 for a tie.
        weight: of this iteration in the averages.
        shape: see ``tree_arrays``.
        chips: see ``tree_arrays``.
        regrets: float32 (rows, 3).
        averages: float32 (rows, 3).
        state: uint64 (1,), of the generator.
    """
    if node < 0:
        return 0.0
    street = shape[node, STREET]
    player = 1 - shape[node, FIRST_ACTS] if street == 0 else shape[node, FIRST_ACTS]
    row = shape[node, ROW] + cards[player, street]
    owes, may_raise = shape[node, OWES] == 1, shape[node, ON_RAISE] >= 0
    strategy = np.empty(3)
    match(regrets[row], owes, may_raise, strategy)
    values = np.zeros(3)
    move, skipped = 1, 0
    if player != learner:
        for tried in range(3):
            averages[row, tried] += weight * strategy[tried]
        state[0] = next_random(state[0])
        drawn = (state[0] >> np.uint64(11)) / 9007199254740992.0
        move = 0 if drawn < strategy[0] else 2 if drawn >= strategy[0] + strategy[1] and may_raise else 1
    for tried in range(3):
        if (player != learner and tried != move) or (tried == 0 and not owes) or (tried == 2 and not may_raise):
            continue
        if player == learner and regrets[row, tried] < HOPELESS:
            state[0] = next_random(state[0])
            if (state[0] >> np.uint64(11)) / 9007199254740992.0 > TRIED:
                skipped |= 1 << tried
                continue
        if tried == 0:
            values[0] = -chips[node, 0] if player == learner else chips[node, 0]
        elif tried == 1 and shape[node, ON_CALL] < 0:
            values[1] = won * chips[node, 1]
        else:
            to = shape[node, ON_CALL] if tried == 1 else shape[node, ON_RAISE]
            values[tried] = walk(to, learner, cards, won, weight, shape, chips, regrets, averages, state)
    if player != learner:
        return values[move]
    mean = (strategy * values).sum()
    for tried in range(3):
        if not skipped >> tried & 1:
            regrets[row, tried] += values[tried] - mean
    return mean


@jit
def iterate(
    count: int,
    begin: int,
    openings: Ints,
    buckets: NDArray[np.uint8],
    ranks: NDArray[np.int16],
    shape: Ints,
    chips: Floats,
    regrets: Sums,
    averages: Sums,
    state: NDArray[np.uint64],
) -> None:
    """``count`` deals, numbered from ``begin``; both players learn from each."""
    cards = np.empty((2, 4), np.int64)
    pairs = np.empty(2, np.int64)
    taken = np.empty(4, np.int64)
    for number in range(count):
        state[0] = next_random(state[0])
        board = np.int64(((state[0] >> np.uint64(32)) * np.uint64(len(ranks))) >> np.uint64(32))
        fresh = False
        while not fresh:
            for player in range(2):
                state[0] = next_random(state[0])
                pairs[player] = np.int64(((state[0] >> np.uint64(32)) * np.uint64(PAIRS)) >> np.uint64(32))
                taken[2 * player], taken[2 * player + 1] = openings[pairs[player], 1], openings[pairs[player], 2]
            fresh = ranks[board, pairs[0]] >= 0 and ranks[board, pairs[1]] >= 0
            fresh = fresh and not (
                taken[0] == taken[2] or taken[0] == taken[3] or taken[1] == taken[2] or taken[1] == taken[3]
            )
        for player in range(2):
            cards[player, 0] = openings[pairs[player], 0]
            for street in range(3):
                cards[player, street + 1] = buckets[board, street, pairs[player]]
        margin = np.int64(ranks[board, pairs[0]]) - np.int64(ranks[board, pairs[1]])
        sign = 1 if margin > 0 else -1 if margin < 0 else 0
        weight = float(begin + number) * 1e-6
        for learner in range(2):
            won = sign if learner == 0 else -sign
            walk(0, learner, cards, won, weight, shape, chips, regrets, averages, state)


def opening_rows() -> Ints:
    """By pair: its bucket before the flop and its two cards; int64 (PAIRS, 3)."""
    return np.array(
        [(opening_bucket(first, second), first, second) for second in range(CARDS) for first in range(second)], np.int64
    )


def pack(averages: Sums) -> bytes:
    """Two half bytes a row: how often it folds and raises, in ``LEVELS`` equal steps; the rest calls."""
    total = averages.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, averages / np.where(total > 0, total, 1.0), [0.0, 1.0, 0.0])
    folds = np.rint(shares[:, FOLD] * LEVELS).astype(np.uint8)
    raises = np.minimum(np.rint(shares[:, RAISE] * LEVELS).astype(np.uint8), LEVELS - folds)
    return bytes((folds << 4 | raises).astype(np.uint8))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Make the table and write it."""
    parser = argparse.ArgumentParser(description="Make the table of the bot equilibrium.")
    parser.add_argument("--minutes", type=float, default=8.0, help="how long to learn, after the boards are dealt")
    parser.add_argument("--boards", type=int, default=16_000, help="boards from which deals are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default=str(FILE), help="the file to write")
    args = parser.parse_args()
    boards = sample_boards(args.boards, args.seed)
    shape, chips = tree_arrays()
    regrets, averages = np.zeros((rows(), 3), np.float32), np.zeros((rows(), 3), np.float32)
    state = np.array([seeded(np.uint64(args.seed))], np.uint64)
    openings = opening_rows()
    began, done, part = time.monotonic(), 0, 200_000
    while time.monotonic() - began < 60 * args.minutes:
        iterate(part, done, openings, boards.buckets, boards.ranks, shape, chips, regrets, averages, state)
        done += part
        if done // part % 2 == 0:
            _say(f"{done:,} deals in {time.monotonic() - began:.0f} s")
            save(args.out, boards, averages)
    save(args.out, boards, averages)


def save(path: str, boards: Boards, averages: Sums) -> None:
    """Write the table, compressed."""
    table = {"thresholds": boards.thresholds, "moves": pack(averages)}
    part = Path(f"{path}.part")
    part.write_bytes(lzma.compress(msgpack.packb(table)))
    part.replace(path)


if __name__ == "__main__":
    main()
