"""How a hand at a no-limit table goes on: all act by their kinds until it ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bots.strategies.holdem.chances import RIVER
from bots.strategies.holdem.ring_cards import Runout
from bots.strategies.holdem.ring_kinds import BLIND, GIVE_UP, KINDS, MOST_RIVALS, RESPECT, STEPS, Ask
from bots.strategies.holdem.side_pots import chips_collected

#: The own play later in the hand: bets the pot with this many times an equal share of it, once a street, ...
RAISES = 1.4
#: ... and calls when its chance is this much above the price.
MARGIN = 0.05
#: The part of the pot that is bet where nobody seems to have good cards.
BLUFF = 0.6
#: Numbers that chance draws for a deal. The player, street and question say which one decides, so that two choices meet
#: the same luck; few of them share a number.
LUCK = 61


class RingDeal(NamedTuple):
    """Cards of everybody who has not folded, the kinds of the opponents, and their luck.

    Attributes:
        runout: the board.
        kinds: by place in the order; the own one counts for nothing.
        places: of the cards in the pool, by place in the order.
        luck: ``LUCK`` numbers from 0 to 1.
    """

    runout: Runout
    kinds: Sequence[int]
    places: Sequence[int]
    luck: Sequence[float]


@dataclass(frozen=True, slots=True)
class RingTable:
    """The betting at an own question; players are counted in the order in which they act after the flop.

    Attributes:
        me: the own place in the order.
        left: chips in front of each.
        put: chips that each has put in on the street.
        spent: chips that each has put in in the hand.
        pot: all chips put in.
        street: under way.
        pending: the players who still have to act, from the own one on.
        asked: how often each has been asked on the street.
        highest: the most chips that a player has put in on the street.
        full_raise: chips of the last full raise.
        big_blind: chips of the least bet.
        raisers: players who have raised in the hand.
        quiet: whether nobody bet on the street before.
    """

    me: int
    left: Sequence[int]
    put: Sequence[int]
    spent: Sequence[int]
    pot: int
    street: int
    pending: Sequence[int]
    asked: Sequence[int]
    highest: int
    full_raise: int
    big_blind: int
    raisers: frozenset[int]
    quiet: bool

    def play_on(self, chips: int, deal: RingDeal) -> float:
        """Chips won by the end of the hand when so many are put in now, less those put in from now on."""
        return _Playout(self, deal).play(chips)


class _Playout:
    """One way in which the hand goes on."""

    def __init__(self, table: RingTable, deal: RingDeal) -> None:
        self._table, self._deal = table, deal
        self._left, self._put, self._asked = list(table.left), list(table.put), list(table.asked)
        self._pot, self._highest, self._full_raise = table.pot, table.highest, table.full_raise
        self._live = list(range(len(self._left)))
        self._pending = list(table.pending[1:])
        self._street = table.street
        self._raisers = set(table.raisers)
        self._quiet = table.quiet

    def play(self, chips: int) -> float:
        """See ``RingTable.play_on``."""
        table = self._table
        me, first, live = table.me, table.left[table.me], self._live
        self._pay(me, chips)
        while True:
            while self._pending:
                player = self._pending.pop(0)
                self._ask(player)
                if me not in live:
                    return self._left[me] - first
                if len(live) == 1:
                    return self._pot + self._left[me] - first
            if self._street == RIVER or not self._next_street():
                break
        return self._showdown() + self._left[me] - first

    def _next_street(self) -> bool:
        """Go on to the next street; False where at most one player could bet."""
        left = self._left
        able = [player for player in self._live if left[player]]
        if len(able) < 2:
            return False
        self._return_uncalled()
        self._street += 1
        self._quiet = not self._highest
        self._put, self._asked = [0] * len(left), [0] * len(left)
        self._highest, self._full_raise = 0, self._table.big_blind
        self._pending = able
        return True

    def _return_uncalled(self) -> None:
        """Give back what nobody called, which happens only where a player is all in."""
        second, first = sorted(self._put)[-2:]
        if first > second:
            player = self._put.index(first)
            self._left[player] += first - second
            self._pot -= first - second

    def _pay(self, player: int, chips: int) -> None:
        self._asked[player] += 1
        if not chips:
            return
        self._left[player] -= chips
        self._pot += chips
        put = self._put[player] = self._put[player] + chips
        if put > self._highest:
            self._full_raise = max(self._full_raise, put - self._highest)
            self._highest = put
            self._raisers.add(player)
            left = self._left
            live = self._live
            self._pending = [other for other in live if other > player and left[other]] + [
                other for other in live if other < player and left[other]
            ]

    def _ask(self, player: int) -> None:
        """Let a player act."""
        left = self._left[player]
        owed = min(self._highest - self._put[player], left)
        least = min(left, owed + self._full_raise) if left > owed and self._can_be_called(player) else 0
        if not owed and not least:
            return
        chips = self._own(owed, least) if player == self._table.me else self._other(player, owed, least)
        if chips is None:
            self._live.remove(player)
        else:
            self._pay(player, chips)

    def _can_be_called(self, player: int) -> bool:
        """Whether another player has chips for a raise."""
        left, put, highest = self._left, self._put, self._highest
        for other in self._live:  # noqa: SIM110 - a loop costs half of what a generator does, at each action
            if other != player and left[other] + put[other] > highest:
                return True
        return False

    def _other(self, player: int, owed: int, least: int) -> int | None:
        """Chips that an opponent puts in; None for a fold."""
        deal, street, left = self._deal, self._street, self._left[player]
        asked = self._asked[player] + 1
        ask = Ask(street, len(self._live) - 1, owed, self._pot, left, least, asked)
        looks_at, limits, low, high = KINDS[deal.kinds[player]](ask)
        raises, stays = limits[deal.runout.spots[street].value(looks_at, deal.places[player])]
        drawn = deal.luck[(13 * player + 3 * street + asked) % LUCK]
        if drawn < raises and least:
            size = low if low == high else low + int((high - low) * drawn / raises)
            return min(max(size, least), left)
        return owed if drawn < stays or not owed else None

    def _own(self, owed: int, least: int) -> int | None:
        """Chips that the own later play puts in; None for a fold."""
        deal, street, me = self._deal, self._street, self._table.me
        rivals = len(self._live) - 1
        respect = 0
        for player in self._raisers:
            if player != me and player in self._live:
                respect = max(respect, RESPECT[deal.kinds[player]])
        win = deal.runout.spots[street].value(min(MOST_RIVALS, rivals + respect), deal.places[me]) / STEPS
        if least and not owed and self._all_give_up():
            return min(max(int(BLUFF * self._pot), least), self._left[me])
        if least and self._asked[me] < 2 and win > RAISES / (rivals + 1):
            return min(max(2 * owed + self._pot, least), self._left[me])
        return owed if not owed or win > owed / (self._pot + owed) + MARGIN else None

    def _all_give_up(self) -> bool:
        """Whether all rivals have shown no interest in the pot, and mostly fold then."""
        me, kinds, asked, quiet = self._table.me, self._deal.kinds, self._asked, self._quiet
        return all(player == me or (kinds[player] in GIVE_UP and (quiet or asked[player])) for player in self._live)

    def _showdown(self) -> float:
        """Chips collected; one who has put in less than others wins no more than that of each."""
        table, deal = self._table, self._deal
        spent = [total + first - left for total, first, left in zip(table.spent, table.left, self._left, strict=True)]
        if all(player == table.me or deal.kinds[player] in BLIND for player in self._live):
            return self._against_any_cards(spent)
        strengths = [deal.runout.strength(place) for place in deal.places]
        return chips_collected(table.me, self._live, strengths, spent, self._pot)

    def _against_any_cards(self, spent: Sequence[int]) -> float:
        """Chips collected on average from rivals with any cards, which differs less from deal to deal."""
        me, live, runout = self._table.me, self._live, self._deal.runout
        beats = runout.beats_any_board if self._street == 1 else runout.beats
        dead, below, won = self._pot - sum(spent), 0, 0.0
        for level in sorted({spent[player] for player in live if spent[player] <= spent[me]}):
            chips = sum([min(max(chips - below, 0), level - below) for chips in spent]) + dead
            won += chips * beats(sum([spent[player] >= level for player in live]) - 1)
            dead, below = 0, level
        return won
