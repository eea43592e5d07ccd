"""What practice needs to know of dice: the teacher, opponents of roll-outs, and situations."""

from dealer.practice.game_practice import GamePractice

#: B from which on a bet is large, and the smallest die that is high.
LARGE, HIGH = 11, 4

PRACTICE = GamePractice(
    teacher="dice-equilibrium",
    quick=("dice-equilibrium", "caller", "dice-four", "dice-price", "dice-luck", "random"),
    company=("dice-equilibrium",),
    streets=(1,),
    situations={
        "first player": lambda turn: not turn.second,
        "second player, facing a bet": lambda turn: bool(turn.second),
        f"a die of {HIGH} or more": lambda turn: turn.die >= HIGH,
        f"a die below {HIGH}": lambda turn: turn.die < HIGH,
        f"B of {LARGE} or more": lambda turn: turn.bet >= LARGE,
    },
)
