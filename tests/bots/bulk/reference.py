"""A bulk tournament played by the rules of the game and the bots of dice: the yardstick of the compiled forms."""

from itertools import combinations
from random import Random
from typing import Any, Protocol

from bots.bulk.chance import Deal, Rand, deal, rand_seed, tournament_key
from bots.strategies.caller import Caller
from bots.strategies.dice.adaptive import DiceAdaptive
from bots.strategies.dice.equilibrium import DiceEquilibrium
from bots.strategies.dice.samples import Four, Luck, Memory, Price
from protocol.dice import DICE, BetSize
from protocol.games import dice
from protocol.games.base import FOLD, Bet
from protocol.games.dice import DiceStatus, DiceTurn

#: The bots that bulk tournaments have in other forms.
BOTS: dict[str, Any] = {
    "dice-four": Four,
    "dice-price": Price,
    "dice-luck": Luck,
    "caller": Caller,
    "dice-memory": Memory,
    "dice-equilibrium": DiceEquilibrium,
    "dice-adaptive": DiceAdaptive,
}


class Player(Protocol):
    def __call__(self, op: int, b: int, state: int, d: int) -> int: ...


class RandomByRand(Random):
    """The chance of a bot, drawn from the ``rand()`` of an AI."""

    def __init__(self, rand: Rand) -> None:
        super().__init__()
        self._rand = rand

    def getrandbits(self, bits: int) -> int:
        assert bits == 31
        return self._rand()

    def randrange(self, stop: int) -> int:  # type: ignore[override]
        return self._rand() % stop


def as_player(name: str, rand: Rand) -> Player:
    bot = BOTS[name](RandomByRand(rand))

    def call(op: int, b: int, state: int, d: int) -> int:
        if state < 2:
            return int(bot.decide(DiceTurn(b, state, d, op)) != FOLD)
        bot.hand_over(DiceStatus(state % 2, state >= 4, d, 0))
        return 0

    return call


def play(names: list[str], rounds: int, seed: str, series: int = 0) -> list[list[int]]:
    """Chips that each player has won as the first player from each other one."""
    key = tournament_key(seed, series)
    players = [as_player(name, Rand(rand_seed(seed, series, number))) for number, name in enumerate(names)]
    chips = [[0] * len(names) for _ in names]
    number = 0
    for turn in range(rounds):
        for pair in combinations(range(len(names)), 2):
            first, second = pair if turn % 2 == 0 else pair[::-1]
            chips[first][second] += play_deal(players[first], players[second], first, second, deal(key, number))
            number += 1
    return chips


def play_deal(one: Player, other: Player, first: int, second: int, dealt: Deal) -> int:
    """Chips that the first player wins in one deal, by the rules of the game."""
    roll = BetSize(dealt.b, ""), DICE[dealt.first - 1], DICE[dealt.second - 1]
    hand = dice.deal(roll, (0, 0), 0, (first, second))
    while (seat := hand.to_act) is not None:
        turn = hand.view(seat)
        decide = other if seat else one
        bets = decide(turn.opponent, turn.bet, turn.second, turn.die)
        hand = hand.apply(Bet(turn.owed)) if bets else hand.concede()
    settlement = hand.settle()
    for seat, status in enumerate(settlement.told):
        if status is not None:
            (other if seat else one)(hand.numbers[1 - seat], dealt.b, status.state, status.die)
    return settlement.payoffs[0]


# The simple AIs as authors write them in Python: the source of each function becomes a file.


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
