"""The simple AIs as authors write them in Python: the source of each function becomes a file."""

from bots.bulk.chance import Rand
from tests.bots.bulk.reference import Player


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
