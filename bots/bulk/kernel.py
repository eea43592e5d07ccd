"""The house's simple AIs of dice, compiled by numba, and a tournament of them.

It plays exactly what ``cpp/driver.cpp`` plays with the AIs of ``cpp/house``; tests hold both equal, deal by deal.

A worker process runs this file as a script, so it imports nothing of the project. All of it is one file, because
numba's cache does not notice changes in others.
"""

import ctypes
import json
import mmap
import signal
import sys
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from time import process_time_ns
from typing import Any

import numpy as np
from numba import njit, types

#: With which dice the AIs bet that look at B and their die alone.
RULES: dict[str, Callable[[int, int], bool]] = {
    "dice-four": lambda b, d: d >= 4,
    "dice-price": lambda b, d: d >= 2 + (b + 1) // 4,
    "caller": lambda b, d: True,
}

#: The AI that draws by chance, and the one that remembers its opponents.
LUCK, MEMORY = "dice-luck", "dice-memory"
NAMES = (*RULES, LUCK, MEMORY)

#: What an AI is, as numbers.
_BY_RULE, _BY_CHANCE, _BY_MEMORY = range(3)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_0, _1, _2, _3, _4, _6, _8, _27, _30, _31, _33, _60 = map(np.uint64, (0, 1, 2, 3, 4, 6, 8, 27, 30, 31, 33, 60))
_128 = np.uint64(128)
_BETS, _FOLDS, _SHOWN, _PIPS = _0, _1, _2, _3  # what a player remembers of an opponent
_LOW_30 = np.uint64(2**30 - 1)

#: Rounds between two notes of the progress.
_PIECE = 4096

#: Of prctl: what this process is sent when the one that watches it has ended (linux/prctl.h).
_DEATH_SIGNAL = 1

#: Places of 8 bytes in the shared page (cpp/page.h), and what stands there.
_STAGE, _ROUND, _PLAY_NANOSECONDS = 0, 3, 5
_PLAYING, _DONE = 3, 4


@njit(inline="always")
def _mix(z):  # type: ignore[no-untyped-def] # numba finds the types
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


# Three things make this as fast as compiled C++. Arrays stay in one function, because numba counts who holds an array
# wherever one is handed over. All numbers that meet in an index are without a sign, because for those with one numba
# looks whether they count from the end. And few branches hang on a die, which no processor can predict.


_ARGUMENTS = (
    types.boolean[::1],  # by player, B less 3 (16 of them) and die (8): whether a player with a rule bets
    types.int64[::1],  # kinds of the players
    types.uint64[::1],  # states of their rand()
    types.uint64[::1],  # by player and opponent: bets, folds, dice shown and their pips
    types.uint64,  # the key of the deals
    types.int64,  # the first round
    types.int64,  # the round after the last one
    types.int64[::1],  # by player and opponent: chips won by the first player from the second, to which this adds
)


@njit(types.void(*_ARGUMENTS), cache=True)
def play_rounds(rules, kinds, rands, memory, key, start, end, chips):  # type: ignore[no-untyped-def]
    """Play the rounds from ``start`` to before ``end``. The rules are those of the game (protocol/games/dice.py)."""
    players = np.uint64(len(kinds))
    pairs = np.uint64(len(kinds) * (len(kinds) - 1) // 2)
    state = key + np.uint64(start) * pairs * _GOLDEN
    for number in range(start, end):
        turned = number % 2 == 1
        for low in range(players):
            for high in range(low + _1, players):
                first, second = (high, low) if turned else (low, high)
                bits = _mix(state)
                state += _GOLDEN
                b = bits >> _60
                own = _1 + (((bits & _LOW_30) * _6) >> _30)
                other = _1 + ((((bits >> _30) & _LOW_30) * _6) >> _30)
                its_row = (first * players + second) * _4
                other_row = (second * players + first) * _4

                its_kind, other_kind = kinds[first], kinds[second]
                if its_kind == _BY_RULE:
                    bet = rules[first * _128 + b * _8 + own]
                elif its_kind == _BY_CHANCE:
                    rands[first] += _GOLDEN
                    bet = (_mix(rands[first]) >> _33) % _6 < own
                else:
                    bet = (own >= _4) | (_2 * memory[its_row + _FOLDS] > memory[its_row + _BETS])
                if other_kind == _BY_RULE:
                    called = bet & rules[second * _128 + b * _8 + other]
                elif other_kind == _BY_CHANCE:
                    drawn = rands[second] + _GOLDEN
                    rands[second] += _GOLDEN * np.uint64(bet)
                    called = bet & ((_mix(drawn) >> _33) % _6 < other)
                else:
                    shown, pips = memory[other_row + _SHOWN], memory[other_row + _PIPS]
                    known = shown != _0
                    called = bet & (((not known) & (other >= _4)) | (known & (other * shown >= pips)))

                if its_kind == _BY_MEMORY:
                    memory[its_row + _BETS] += np.uint64(bet)
                    memory[its_row + _FOLDS] += np.uint64(bet & (not called))
                if other_kind == _BY_MEMORY:
                    memory[other_row + _SHOWN] += np.uint64(called)
                    memory[other_row + _PIPS] += own * np.uint64(called)
                winner = np.int64(own > other) - np.int64(own < other)
                won = np.int64(called) * winner * np.int64(b + _3)
                chips[first * players + second] += won + 2 * np.int64(bet & (not called)) - np.int64(not bet)


class Tournament:
    """The state of a tournament between rounds.

    Attributes:
        state: what ``play_rounds`` takes first.
    """

    def __init__(self, names: Sequence[str], rands: Sequence[int], key: int) -> None:
        rules = np.zeros((len(names), 16, 8), np.bool_)
        for player, name in enumerate(names):
            for b, d in product(range(16), range(1, 7)) if name in RULES else ():
                rules[player, b, d] = RULES[name](b + 3, d)
        kinds = [{LUCK: _BY_CHANCE, MEMORY: _BY_MEMORY}.get(name, _BY_RULE) for name in names]
        memory = np.zeros(4 * len(names) ** 2, np.uint64)
        self.state = (rules.ravel(), np.array(kinds), np.array(rands, np.uint64), memory, np.uint64(key))

    def play(self, start: int, end: int, chips: Any) -> None:
        """Play the rounds from ``start`` to before ``end``, and add to ``chips``."""
        play_rounds(*self.state, start, end, chips)


def main(plan: dict[str, Any]) -> None:
    """Play the tournament of ``plan``, which ``supervisor.py`` made."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    page = mmap.mmap(plan["page"], 0)
    count, blocks = len(plan["players"]), plan["blocks"]
    facts = np.frombuffer(page, np.int64, 6)
    chips = np.frombuffer(page, np.int64, blocks * count * count, plan["chips_at"]).reshape(blocks, -1)
    players = plan["players"]
    tournament = Tournament([one["house"] for one in players], [one["rand"] for one in players], plan["key"])
    facts[_STAGE] = _PLAYING
    began = process_time_ns()
    for block in range(blocks):
        start, end = (plan["rounds"] * edge // blocks for edge in (block, block + 1))
        for piece in range(start, end, _PIECE):
            tournament.play(piece, min(piece + _PIECE, end), chips[block])
            facts[_ROUND] = min(piece + _PIECE, end)
    facts[_PLAY_NANOSECONDS] = process_time_ns() - began
    facts[_STAGE] = _DONE


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
