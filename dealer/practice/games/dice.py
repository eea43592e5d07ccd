"""What practice needs to know of dice: the teacher, situations, and how the opponent's die is rolled anew."""

from random import Random

from dealer.practice.game_practice import GamePractice
from protocol.dice import DICE, Die
from protocol.games.dice import DiceHand, DiceTurn

#: B from which on a bet is large, and the smallest die that is high.
LARGE, HIGH = 11, 4


def _seen(turn: DiceTurn) -> tuple[Die, ...]:
    return turn.own


def _redeal(hand: DiceHand, seat: int, _seen: frozenset[Die], rng: Random) -> DiceHand:
    bet, *dice = hand.roll
    dice[1 - seat] = rng.choice(DICE)
    return hand._replace(roll=(bet, dice[0], dice[1]))


PRACTICE = GamePractice(
    teacher="dice-equilibrium",
    streets=(1,),
    situations={
        "all": lambda turn: True,
        "first player": lambda turn: not turn.second,
        "second player, facing a bet": lambda turn: bool(turn.second),
        f"a die of {HIGH} or more": lambda turn: turn.die >= HIGH,
        f"a die below {HIGH}": lambda turn: turn.die < HIGH,
        f"B of {LARGE} or more": lambda turn: turn.bet >= LARGE,
    },
    seen=_seen,
    redeal=_redeal,
)
