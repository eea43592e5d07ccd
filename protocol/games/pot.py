"""Dividing a pot without losing or inventing a chip, side pots of what each seat has put in, and what is at stake."""

from collections.abc import Collection, Sequence

from protocol.games.base import Action, Bet, Hand


def within_reach(hand: Hand, seat: int) -> int:
    """Chips that ``seat``, which is to act, can still lose to the largest opponent that has not folded, or win from it.

    They are its own chips, or those of the opponent together with what is owed, whichever is less.
    """
    largest = max(hand.stacks[other] for other in hand.live if other != seat)
    return min(hand.stacks[seat], largest + hand.view(seat).owed)


def at_stake(pot: int, reach: int, one: Action, other: Action) -> int:
    """Chips at stake in a choice between two actions: it may not be said to cost more.

    They are the pot, and what the larger of the two actions puts in, as far as the largest opponent can match it. What
    later bets may win or lose is not counted, since that is decided later.

    Args:
        pot: before the choice.
        reach: see ``within_reach``.
        one: an action.
        other: another one.
    """
    return pot + min(reach, max(action.amount if isinstance(action, Bet) else 0 for action in (one, other)))


def split_evenly(chips: int, seats: Sequence[int]) -> dict[int, int]:
    """Share ``chips`` equally; odd chips go one each to the seats named first."""
    share, odd = divmod(chips, len(seats))
    return {seat: share + (place < odd) for place, seat in enumerate(seats)}


def pots_of(put: Sequence[int], live: Collection[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The main pot and the side pots, as (chips, seats that can win them); the main pot first.

    A seat that is all in can win only as much from each other seat as it has put in itself. Chips of folded seats
    belong to the pots they reached.

    Args:
        put: chips that each seat has put in during the hand, by seat.
        live: the seats that have not folded.
    """
    most = max(put)
    if most and most == min([put[seat] for seat in live]):
        return [(sum(put), tuple(sorted(live)))]  # most hands: nobody is all in for less
    pots: list[tuple[int, tuple[int, ...]]] = []
    below = 0
    for level in sorted({put[seat] for seat in live}):
        chips = sum([min(amount, level) - min(amount, below) for amount in put])
        if chips:
            pots.append((chips, tuple(sorted([seat for seat in live if put[seat] >= level]))))
        below = level
    # What a folded seat put in beyond every live seat has no pot of its own: it falls to the last one.
    rest = sum([amount - below for amount in put if amount > below])
    if rest:
        pots[-1:] = [(pots[-1][0] + rest, pots[-1][1])] if pots else [(rest, tuple(sorted(live)))]
    return pots
