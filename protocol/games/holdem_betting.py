"""How much may be bet in Texas Hold'em, and why a bet is not allowed."""

from dataclasses import dataclass
from typing import Literal

from protocol.games.base import Legal
from protocol.plurals import plural

Limit = Literal["no-limit", "pot-limit", "fixed-limit"]
#: Bets a street in fixed limit: one bet and three raises; the big blind is the first bet before the flop.
MOST_BETS = 4

#: Big blinds that a seat puts into a hand of fixed limit, at most: the bets of two small streets and two big ones.
MOST_SPENT = MOST_BETS * (1 + 1 + 2 + 2)

#: Where no raise is allowed.
NO_RAISE = range(0)


@dataclass(frozen=True, slots=True)
class Betting:
    """How much may be bet.

    Attributes:
        limit: what bounds a raise: the stack, the pot, or one size.
        small_bet: chips of the least bet; of every bet on the first two streets in fixed limit.
        big_bet: chips of a bet on the last two streets in fixed limit.
        most_bets: bets a street, the big blind included; 0 for any number.
        loops: how often each seat is asked on a street, at most, and in the last loop nobody may raise; 0 for betting
            that goes on until all have put in the same.
    """

    limit: Limit
    small_bet: int
    big_bet: int
    most_bets: int = 0
    loops: int = 0

    def bet_size(self, street: int) -> int:
        """Chips of the least bet on a street."""
        return self.small_bet if self.limit != "fixed-limit" or street < 3 else self.big_bet


def why_illegal(amount: int, stack: int, legal: Legal) -> str:
    """The reason why a seat with ``stack`` chips may not put in ``amount``, and what it may do, for its author."""
    owed, raises = legal.to_call, legal.raises
    allowed = f"bet {owed} to {'call' if owed else 'check'}"
    if len(raises) == 1:
        allowed += f", {raises[0]} to raise"
    elif raises:
        allowed += f", {raises[0]} to {raises[-1]} to raise"
    allowed += ", or fold"
    if amount > stack:
        return f"you bet {amount} but have only {plural(stack, 'chip')}: {allowed}"
    if amount < owed:
        return f"you bet {amount} but owe {owed}: {allowed}"
    if not raises:
        return f"you bet {amount}, but no raise is allowed now: {allowed}"
    return f"you bet {amount}, which is {'less' if amount < raises[0] else 'more'} than a raise may be: {allowed}"
