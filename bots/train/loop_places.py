"""Find from which places ``holdem`` calls and raises later in a hand in loops: ``python -m bots.train.loop_places``.

Hands of the preset ``royale`` are played by the kernel of ``holdem`` against kinds of players, the own seat by the
places found so far. One own question of a hand is answered in all ways, and the hand is played on after each with the
same cards and the same chance. What that wins is added up by situation, rivals and place. Each round ends with the
places that win most in these sums. The seed decides all chance.
"""

import argparse
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.strategies.holdem.ring_cards import Pool
from bots.strategies.holdem.ring_kernel import (
    BIG_BLIND,
    FULL_RAISE,
    IN,
    KIND_COUNT,
    LEFT,
    LIVE,
    LOOP,
    LOOPS,
    ME,
    MOST_IN_LOOPS,
    PLACES,
    PLAYERS,
    STREET,
    TABLE,
    TO_ACT,
    Dealt,
    Known,
    ask,
    deal,
    draw,
    finish,
    ints,
    next_to_act,
    offered,
    own_place,
    pay,
    situation,
)
from bots.strategies.holdem.ring_kinds import (
    LOOP_WIDTH,
    PATH,
    SITUATIONS,
    curves,
    gives_up,
    loop_places,
    rates,
    respect,
)
from bots.strategies.holdem.ring_player import new_dealt
from protocol.cards import DECK
from protocol.estimates.intervals import Estimate, mean
from protocol.games.holdem import PRESET_SEATS, HoldemGame
from protocol.games.kernels.compiling import jit

ROUNDS, TABLES, HANDS, SEED = 12, 6000, 100, 1
#: Own questions of a hand of which one is answered in all ways.
QUESTIONS = 6
#: How often an answer before that one is any call or raise.
EXPLORED = 0.2
#: How much the sums of the rounds before count in a round.
MEMORY = 0.6
#: Chips of a player before a hand: from fewer than it may lose in one hand to more.
STACKS = range(50, 2001)
#: The places to begin with: it calls with the better half of all cards, and raises with the best quarter.
FIRST = (PLACES // 2, 3 * PLACES // 4)
#: What is added up at a place: what a call wins, what a raise wins, and how often that was tried. A fold wins 0.
CALL, RAISE, COUNT = range(3)
ROYALE = HoldemGame.from_facts({"preset": "royale"})

#: As ``loop_places``, by situation and rivals less one: the place from which it calls, and that from which it raises.
Thresholds = NDArray[np.int64]
#: By situation, rivals less one, whether a raise was allowed, place, and what is added up.
Sums = NDArray[np.float64]


class Table(NamedTuple):
    """A table before the first action of a hand, the own cards and those that others may hold.

    Attributes:
        start: as ``Known.start``.
        limits: as ``Known.limits``: each opponent is of one kind, and may hold any cards.
    """

    start: NDArray[np.int64]
    pool: Pool
    limits: NDArray[np.float64]
    chance: int


def table_of(rng: Random) -> Table:
    """A table of the preset with any seats, stacks, kinds and own cards."""
    count, start = rng.choice(PRESET_SEATS["royale"]), np.zeros(TABLE, np.int64)
    start[[ME, PLAYERS, LIVE, STREET, LOOP]] = rng.randrange(count), count, count, 1, 1
    start[[FULL_RAISE, BIG_BLIND, LOOPS]] = ROYALE.bets.small_bet, ROYALE.bets.small_bet, ROYALE.loops
    start[IN : IN + count] = start[TO_ACT : TO_ACT + count] = 1
    start[LEFT : LEFT + count] = [rng.choice(STACKS) for _ in range(count)]
    pool = Pool(rng.sample(DECK, 2), rng)
    limits = np.zeros((count, KIND_COUNT, pool.size))
    for player in range(count):
        kind = rng.randrange(KIND_COUNT)
        limits[player, kind] = np.arange(1, pool.size + 1)
        limits[player, kind + 1 :] = pool.size
    return Table(start, pool, limits.ravel(), rng.getrandbits(48))


@jit
def _reaches(known: Known, dealt: Dealt, number: int, explored: float) -> bool:
    """Play a hand up to the own question of a number, from 0; whether there is one.

    The answer to an earlier one is any call or raise in this part of the hands, so that every situation is met.
    """
    table, me = dealt.table, known.start[ME]
    table[:] = known.start
    player = -1
    while True:
        player = next_to_act(table, player)
        if player < 0:
            return False
        owed, least = offered(table, player)
        if player == me and (owed or least):
            if not number:
                return True
            number -= 1
            if draw(dealt.chance) < explored:
                table[TO_ACT + me] = 0
                pay(table, me, least if least and draw(dealt.chance) < 0.5 else owed)
                continue
        ask(known, dealt, player)
        if not table[IN + me] or table[LIVE] == 1:
            return False


@jit
def _try_hands(known: Known, dealt: Dealt, hands: int, questions: int, explored: float, sums: Any) -> None:
    """Answer one of the first own questions of each hand in all ways, and add up what that wins; see ``Sums``."""
    table, kept = dealt.table, np.empty(TABLE, np.int64)
    for _ in range(hands):
        deal(known, dealt)
        if not _reaches(known, dealt, int(draw(dealt.chance) * questions), explored):
            continue
        owed, least = offered(table, table[ME])
        rivals = min(table[LIVE] - 1, MOST_IN_LOOPS)
        cell = sums[situation(dealt, owed), rivals - 1, 1 if least else 0, own_place(known, dealt)]
        kept[:] = table
        cell[COUNT] += 1
        cell[CALL] += finish(known, dealt, owed)
        if least:
            table[:] = kept
            cell[RAISE] += finish(known, dealt, least)


def try_hands(places: Thresholds, table: Table, hands: int, questions: int) -> Sums:
    """What the answers to own questions of so many hands win at one table."""
    fixed = rates(), curves(), respect(), gives_up()
    known: Any = Known(table.start, table.pool.holes, table.pool.now, *fixed, places.ravel(), table.limits, 0)  # type: ignore[arg-type]
    dealt = new_dealt(table.chance, ints(table.pool.deck))
    sums = np.zeros((SITUATIONS, MOST_IN_LOOPS, 2, PLACES + 1, COUNT + 1))
    _try_hands(known, dealt, hands, questions, EXPLORED, sums)
    return sums


def best_places(sums: Sums, before: Thresholds) -> Thresholds:
    """The places that win most in the sums; those before where others win no more."""
    found = before.copy()
    for line, rivals in product(range(SITUATIONS), range(MOST_IN_LOOPS)):
        won = _won(sums[line, rivals])
        if line // 3 % 3 == 0:  # nothing is owed, and nobody folds
            won, found[line, rivals, CALL] = won[:1], 0
        if won.max() > won[tuple(found[line, rivals])]:
            found[line, rivals] = np.unravel_index(won.argmax(), won.shape)
    return found


def _won(sums: Sums) -> Sums:
    """By the place from which it calls and that from which it raises: what is won in one situation, against so many."""
    above = np.zeros((2, PLACES + 2, COUNT + 1))  # the sums from a place on
    above[:, :-1] = np.cumsum(sums[:, ::-1], 1)[:, ::-1]
    only_calls, calls, raises = above[0, :, CALL], above[1, :, CALL], above[1, :, RAISE]
    called = np.triu(calls[:, None] - calls)  # where a raise is allowed, and from a higher place than a call
    return np.asarray(only_calls[:, None] + called + raises)


def learn(rounds: int, tables: int, hands: int, seed: int, tell: Callable[[str], None]) -> Thresholds:
    """The places after so many rounds of so many tables."""
    places = np.tile(np.array(FIRST), (SITUATIONS, MOST_IN_LOOPS, 1))
    sums: Sums = np.zeros(())
    for number in range(1, rounds + 1):
        sums = sums * MEMORY
        for table in range(1, tables + 1):
            tell(f"round {number} of {rounds}, table {table} of {tables}")
            sums = sums + try_hands(places, table_of(Random(f"{seed} {number} {table}")), hands, QUESTIONS)
        places = best_places(sums, places)
    return places


def compare(
    ones: Thresholds, others: Thresholds, tables: int, hands: int, seed: str
) -> tuple[Estimate | None, Estimate | None]:
    """Chips a hand won by the first places, and how many more than by the others in the same hands, table by table."""
    won, more = [], []
    for number in range(tables):
        table = table_of(Random(f"{seed} {number}"))
        first, second = (total(try_hands(places, table, hands, 1), places) / hands for places in (ones, others))
        won.append(first)
        more.append(first - second)
    return mean(won), mean(more)


def total(sums: Sums, places: Thresholds) -> float:
    """Chips that answers by the places have won in the sums."""
    cells = product(range(SITUATIONS), range(MOST_IN_LOOPS))
    return float(sum(_won(sums[cell])[tuple(places[cell])] for cell in cells))


def text_of(places: Thresholds) -> str:
    """The file, see ``bots.strategies.holdem.ring_kinds``."""
    return "".join(f"{' '.join(map(str, line))}\n" for line in places.reshape(SITUATIONS, LOOP_WIDTH))


def _tell(text: str) -> None:
    print(f"\r{text}  ", end="", file=sys.stderr, flush=True)


def main() -> None:
    """Write the file, and say what its places win more than those that were in it."""
    parser = argparse.ArgumentParser(description=main.__doc__, prog="python -m bots.train.loop_places")
    parser.add_argument("--out", type=Path, default=PATH)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--tables", type=int, default=TABLES, help="in a round")
    parser.add_argument("--hands", type=int, default=HANDS, help="at a table")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    before = np.array(loop_places()).reshape(SITUATIONS, MOST_IN_LOOPS, 2)
    found = learn(options.rounds, options.tables, options.hands, options.seed, _tell)
    _tell("comparing")
    won, more = compare(found, before, options.tables, options.hands, "compared")
    assert won is not None
    assert more is not None
    options.out.write_text(text_of(found), "ascii")
    print(f"\n{options.out}: {won.value:.2f} chips a hand, {more.value:+.2f} ({more.low:+.2f} to {more.high:+.2f})")


if __name__ == "__main__":
    main()
