"""The number of ways in which a small heads-up hand can be bet, counted by the rules and by a second, separate count.

A mistake in when a street ends, who acts or what may be raised changes the number of action sequences.
"""

from dataclasses import dataclass, replace
from functools import cache

import pytest

from protocol.cards import DECK
from protocol.games.base import Action, Bet, Fold
from protocol.games.holdem_betting import MOST_BETS, Betting, Limit
from protocol.games.holdem_deal import deal
from protocol.games.holdem_hand import HoldemHand

#: Limit, chips of the button and of the other seat, and the number of action sequences that end a hand.
TREES: tuple[tuple[Limit, tuple[int, int], int], ...] = (
    ("no-limit", (1, 9), 1),
    ("no-limit", (3, 3), 25),
    ("no-limit", (6, 6), 233),
    ("no-limit", (9, 5), 257),
    ("no-limit", (10, 10), 5257),
    ("pot-limit", (9, 9), 2553),
    ("pot-limit", (6, 11), 513),
    ("fixed-limit", (9, 9), 493),
    ("fixed-limit", (7, 12), 237),
    ("fixed-limit", (20, 20), 3673),
)


def by_rules(hand: HoldemHand) -> int:
    """Action sequences from here to the end of the hand."""
    if hand.to_act is None:
        return 1
    legal = hand.legal()
    actions: list[Action] = [Fold(), Bet(legal.to_call), *map(Bet, legal.raises)]
    return sum(by_rules(hand.apply(action)) for action in actions)


@dataclass(frozen=True)
class Table:
    """A hand between two players, with all amounts counted from the start of the street.

    Attributes:
        limit: of the game; the least bet is 2, and 4 on turn and river in fixed limit.
        street: from 1 to 4.
        pot: chips of earlier streets.
        me, you: chips put in on this street by the player to act and by the other.
        mine, yours: chips that they have left.
        step: size of the last full raise.
        bets: made on this street.
        i_acted, you_acted: whether they have acted on this street.
        i_am_button: whether the player to act has the button.
    """

    limit: Limit
    street: int
    pot: int
    me: int
    you: int
    mine: int
    yours: int
    step: int
    bets: int
    i_acted: bool
    you_acted: bool
    i_am_button: bool

    def turned(self) -> "Table":
        """The same from the other side."""
        return replace(
            self,
            me=self.you,
            you=self.me,
            mine=self.yours,
            yours=self.mine,
            i_acted=self.you_acted,
            you_acted=self.i_acted,
            i_am_button=not self.i_am_button,
        )


def raises(table: Table) -> list[int]:
    """The totals to which the player to act may raise."""
    highest, all_in = table.you, table.me + table.mine
    closed = table.i_acted and highest - table.me < table.step
    full = table.limit == "fixed-limit" and table.bets == MOST_BETS
    if all_in <= highest or not table.yours or closed or full:
        return []
    least = highest + table.step
    if all_in < least:
        return [all_in]
    pot_after_call = table.pot + 2 * highest
    most = {"no-limit": all_in, "pot-limit": highest + max(pot_after_call, table.step), "fixed-limit": least}
    return list(range(least, min(most[table.limit], all_in) + 1))


@cache
def by_hand(table: Table) -> int:
    """Action sequences from here to the end of the hand."""
    to = raises(table)
    if not table.mine:
        return 1
    if table.you <= table.me and not to:
        return 1 if table.street == 4 or not (table.mine and table.yours) else next_street(table)
    folded = 1
    paid = min(table.you - table.me, table.mine)
    called = replace(table, me=table.me + paid, mine=table.mine - paid, i_acted=True)
    over = table.you_acted or not table.yours
    after_call = next_street(called) if over else by_hand(called.turned())
    after_raises = 0
    for total in to:
        put = total - table.me
        raised = replace(table, me=total, mine=table.mine - put, i_acted=True, bets=table.bets + 1)
        after_raises += by_hand(replace(raised, step=max(table.step, total - table.you)).turned())
    return folded + after_call + after_raises


def next_street(table: Table) -> int:
    """Action sequences after the end of a street."""
    if table.street == 4 or not (table.mine and table.yours):
        return 1
    first = table.turned() if table.i_am_button else table
    street = table.street + 1
    return by_hand(
        replace(
            first,
            street=street,
            pot=table.pot + table.me + table.you,
            me=0,
            you=0,
            step=4 if street > 2 and table.limit == "fixed-limit" else 2,
            bets=0,
            i_acted=False,
            you_acted=False,
        )
    )


@pytest.mark.parametrize(("limit", "stacks", "sequences"), TREES)
def test_action_sequences(limit: Limit, stacks: tuple[int, int], sequences: int) -> None:
    betting = Betting(limit, 2, 4, MOST_BETS if limit == "fixed-limit" else 0)
    hand = deal(DECK, stacks, betting, button=0, blinds=(1, 2))
    button, other = stacks
    start = Table(limit, 1, 0, 1, 2, button - 1, other - 2, 2, 1, i_acted=False, you_acted=False, i_am_button=True)
    assert by_rules(hand) == by_hand(start) == sequences
