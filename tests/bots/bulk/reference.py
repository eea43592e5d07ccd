"""A bulk tournament as plain Python, by the rules of the game: the yardstick of the compiled forms."""

from itertools import combinations
from typing import Protocol

from bots.bulk.chance import Rand, deal, rand_seed, tournament_key


class Player(Protocol):
    """An AI of the tournament."""

    def __call__(self, op: int, b: int, state: int, d: int) -> int: ...


def four(rand: Rand) -> Player:
    return lambda op, b, state, d: d >= 4


def price(rand: Rand) -> Player:
    return lambda op, b, state, d: d >= 2 + (b + 1) // 4


def luck(rand: Rand) -> Player:
    return lambda op, b, state, d: rand() % 6 < d if state < 2 else 0


def caller(rand: Rand) -> Player:
    return lambda op, b, state, d: 1


def memory(rand: Rand) -> Player:
    bets, folds, shown, pips = ([0] * 256 for _ in range(4))

    def decide(op: int, b: int, state: int, d: int) -> int:
        if state == 0:
            answer = d >= 4 or 2 * folds[op] > bets[op]
            bets[op] += answer
            return answer
        if state == 1:
            return d * shown[op] >= pips[op] if shown[op] else d >= 4
        if state == 2:
            folds[op] += 1
        if state == 5:
            shown[op] += 1
            pips[op] += d
        return 0

    return decide


PLAYERS = {"dice-four": four, "dice-price": price, "dice-luck": luck, "caller": caller, "dice-memory": memory}


def play(names: list[str], rounds: int, seed: str, series: int = 0) -> list[list[int]]:
    """Chips that each player has won as the first player from each other one."""
    key = tournament_key(seed, series)
    players = [PLAYERS[name](Rand(rand_seed(seed, series, number))) for number, name in enumerate(names)]
    chips = [[0] * len(names) for _ in names]
    number = 0
    for turn in range(rounds):
        for pair in combinations(range(len(names)), 2):
            first, second = pair if turn % 2 == 0 else pair[::-1]
            chips[first][second] += play_deal(players[first], players[second], first, second, *deal(key, number))
            number += 1
    return chips


def play_deal(one: Player, other: Player, first: int, second: int, b: int, own: int, others: int) -> int:
    """Chips that the first player wins in one deal."""
    if not one(second, b, 0, own):
        other(first, b, 3, 0)
        return -1
    if not other(first, b, 1, others):
        one(second, b, 2, 0)
        return 2
    one(second, b, 4, others)
    other(first, b, 5, own)
    return b * ((own > others) - (own < others))
