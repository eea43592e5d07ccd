"""How a hand with betting in loops goes on: all act by their habits until it ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bots.strategies.holdem.chances import RIVER, chances
from bots.strategies.holdem.habits import CALL, FOLD, RAISE, Spot, moves_of, price_of
from bots.strategies.holdem.side_pots import chips_collected

#: The own play later in the hand: raises with this many times an equal share of the pot, ...
RAISES = 1.25
#: ... and calls when its chance is this much above the price.
MARGIN = 0.1
#: Numbers that chance draws for a deal. The player, street and loop say which one decides, so that two choices meet the
#: same luck; few of them share a number.
LUCK = 61


class Deal(NamedTuple):
    """Cards of everybody who has not folded, the kinds of the opponents, and their luck.

    Attributes:
        kinds: by place in the order; the own one counts for nothing.
        steps: by street, the steps of the places of the cards.
        strengths: at the end.
        luck: ``LUCK`` numbers from 0 to 1.
    """

    kinds: Sequence[int]
    steps: Sequence[Sequence[int]]
    strengths: Sequence[int]
    luck: Sequence[float]


@dataclass(frozen=True, slots=True)
class LoopTable:
    """The betting at an own question.

    Attributes:
        me: the own place in the order; players are counted in the order in which they act.
        left: chips in front of each.
        put: chips that each has put in on the street.
        spent: chips that each has put in in the hand.
        pot: all chips put in.
        street: under way.
        loop: under way, from 1.
        raised: whether somebody has raised in this loop.
        highest: the most chips that a player has put in on the street.
        bet: chips of a raise.
        loops: how often each is asked on a street, at most.
    """

    me: int
    left: Sequence[int]
    put: Sequence[int]
    spent: Sequence[int]
    pot: int
    street: int
    loop: int
    raised: bool
    highest: int
    bet: int
    loops: int

    def play_on(self, choice: int, deal: Deal) -> float:
        """Chips won by the end of the hand from ``choice`` on, less those put in from now on."""
        return _Playout(self, deal).play(choice)


#: By kind, street, number of rivals and price: how often a player raises, and raises or calls, by step.
_LIMITS: dict[int, list[tuple[float, float]]] = {}


def _limits(kind: int, street: int, rivals: int, price: int) -> list[tuple[float, float]]:
    key = ((kind * 5 + street) * 11 + rivals) * 4 + price
    limits = _LIMITS.get(key)
    if limits is None:
        # without slips: six opponents who give up good cards now and then would make any bluff seem good
        moves = moves_of(kind, Spot(street, rivals, price, False))
        limits = _LIMITS[key] = [(raises, raises + calls) for _, calls, raises in moves]
    return limits


class _Playout:
    """One way in which the hand goes on."""

    def __init__(self, table: LoopTable, deal: Deal) -> None:
        self._table, self._deal = table, deal
        self._left, self._put = list(table.left), list(table.put)
        self._pot, self._highest = table.pot, table.highest
        self._staying = list(range(len(self._left)))
        self._raised = table.raised
        self._street, self._loop = table.street, table.loop

    def play(self, choice: int) -> float:
        """See ``LoopTable.play_on``."""
        table = self._table
        me, first = table.me, table.left[table.me]
        self._act(me, choice)
        if me not in self._staying:
            return 0.0
        self._loop_from(me + 1)
        while me in self._staying and len(self._staying) > 1 and self._next_loop():
            self._loop_from(0)
        if me not in self._staying:
            return self._left[me] - first
        won = self._pot if len(self._staying) == 1 else self._showdown()
        return won + self._left[me] - first

    def _loop_from(self, start: int) -> None:
        """Let those act who have not folded, from a place on to the last one of the loop."""
        me, more_loops = self._table.me, self._loop < self._table.loops
        left, put = self._left, self._put
        for player in self._staying[:]:
            if player < start or not left[player]:
                continue
            owed = min(self._highest - put[player], left[player])
            may_raise = more_loops and left[player] > owed and self._can_be_called(player)
            if not owed and not may_raise:
                continue
            choice = self._own(owed) if player == me else self._others(player, owed)
            if choice == RAISE and not may_raise:
                choice = CALL
            if choice != CALL or owed:
                self._act(player, choice)
                if len(self._staying) == 1 or (player == me and choice == FOLD and owed):
                    return

    def _can_be_called(self, player: int) -> bool:
        """Whether another player has chips for a raise."""
        left, put, highest = self._left, self._put, self._highest
        for other in self._staying:  # noqa: SIM110 - a loop costs half of what a generator does, at each action
            if other != player and left[other] + put[other] > highest:
                return True
        return False

    def _next_loop(self) -> bool:
        """Go on to the next loop or street; False when there is none."""
        if self._raised and self._loop < self._table.loops:
            self._loop += 1
        elif self._street == RIVER:
            return False
        else:
            self._return_uncalled()
            self._street, self._loop, self._highest = self._street + 1, 1, 0
            self._put = [0] * len(self._put)
        self._raised = False
        return True

    def _return_uncalled(self) -> None:
        """Give back what nobody called, which happens only where a player is all in."""
        if all(self._left):
            return
        second, first = sorted(self._put)[-2:]
        player = self._put.index(first)
        self._left[player] += first - second
        self._pot -= first - second

    def _act(self, player: int, choice: int) -> None:
        owed, left = self._highest - self._put[player], self._left[player]
        if choice == FOLD and owed:
            self._staying.remove(player)
            return
        pays = min(left, owed + self._table.bet if choice == RAISE else owed)
        self._left[player] = left - pays
        self._pot += pays
        put = self._put[player] = self._put[player] + pays
        if put > self._highest:
            self._highest, self._raised = put, True

    def _others(self, player: int, owed: int) -> int:
        deal, street = self._deal, self._street
        limits = _limits(deal.kinds[player], street, len(self._staying) - 1, price_of(owed, self._left[player]))
        raises, calls = limits[deal.steps[street][player]]
        drawn = deal.luck[(13 * player + 3 * street + self._loop) % LUCK]
        return RAISE if drawn < raises else CALL if drawn < calls else FOLD

    def _own(self, owed: int) -> int:
        street, rivals = self._street, len(self._staying) - 1
        win = chances(street, rivals)[self._deal.steps[street][self._table.me]]
        if win > RAISES / (rivals + 1):
            return RAISE
        return CALL if not owed or win > owed / (self._pot + owed) + MARGIN else FOLD

    def _showdown(self) -> float:
        """Chips collected; one who has put in less than others wins no more than that of each."""
        table = self._table
        spent = [total + first - left for total, first, left in zip(table.spent, table.left, self._left, strict=True)]
        return chips_collected(table.me, self._staying, self._deal.strengths, spent, self._pot)
