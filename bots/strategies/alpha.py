"""``alpha``: plays the assignment's rules for Alpha, which are thresholds for one number, the delta."""

from functools import lru_cache
from typing import ClassVar

from bots.strategies.blockhead.blockhead_bot import BlockheadPlayer
from bots.strategies.blockhead.turn_numbers import CALL, FOLD
from protocol.games.base import FOLD as FOLDED
from protocol.games.base import Action, Bet
from protocol.games.blockhead import MAX_RAISES, NAME, STREETS, BlockheadTurn, card_value, cards_value

#: (delta must be above this, move): the first row that holds decides. The move of no row is CALL or FOLD.
Rows = tuple[tuple[int, int], ...]

#: Below every delta.
NEVER = -99


@lru_cache(maxsize=4096)
def rows(last: bool, prior: int | None, pot: int) -> Rows:
    """Alpha's rules.

    Args:
        last: whether no cards are left to draw.
        prior: None if nobody has acted on this street, 0 after a check, else the size of the raise alone.
        pot: all chips in the pot, that raise included.
    """
    # Nobody has acted: raise 10 with a delta above 10, 5 above 5, and on the last street nothing smaller.
    if prior is None:
        return ((10, 10), (5, 5)) if last else ((10, 10), (5, 5), (0, 1))
    # Every ten chips in the pot make Alpha one point of delta bolder.
    factor = pot // 10
    if prior == 0:
        return ((10 - factor, 10),) if last else ((5 - factor, 10), (0 - factor, 1))
    # A raise counts as small or as big by what the pot holds.
    if prior < 1 + factor * 2:
        return ((6 - factor, 10), (2, CALL)) if last else ((8 - factor, 10), (-2 - factor, 1), (-4 - factor, CALL))
    return ((8 - factor, 10), (4, CALL)) if last else ((10 - factor, 10), (0 - factor, 1), (-2 - factor, CALL))


@lru_cache(maxsize=4096)
def answers(last: bool, prior: int | None, pot: int, raises: int) -> Rows:
    """What Alpha does after ``raises`` raises, complete: a rule that says raise calls when no raise is left."""
    table = rows(last, prior, pot)
    if raises == MAX_RAISES:
        table = ((min(above for above, _ in table), CALL),)
    return (*table, (NEVER, FOLD if prior else CALL))


def alpha_move(last: bool, prior: int | None, pot: int, raises: int, delta: int) -> int:
    """What Alpha does with its ``delta``: FOLD, CALL (or check) or the chips of a raise."""
    return next(move for above, move in answers(last, prior, pot, raises) if delta > above)


class Alpha(BlockheadPlayer):
    """Plays by the table of rules alone: stacks and hands left make no difference to it.

    The table is for two players and for card values. With more players it compares itself with the best visible
    cards, and where real poker hands decide it still counts values: legal, but weak.
    """

    default_in: ClassVar = {NAME: 1}
    level = "medium"
    source = "the assignment's rules for Alpha, line by line"

    def _answer(self, turn: BlockheadTurn) -> Action:
        """ "A delta value is calculated by getting the value of the AI players hand and subtracting the value of the

        opponent's visible hand."
        """
        delta = card_value(turn.hole) + cards_value(turn.up) - max(map(cards_value, turn.others))
        raises = 0 if turn.max_raise else MAX_RAISES
        move = alpha_move(turn.street == STREETS, turn.owed if turn.bets else None, turn.pot, raises, delta)
        return FOLDED if move == FOLD else Bet(turn.owed + move)
