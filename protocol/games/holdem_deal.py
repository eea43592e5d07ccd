"""Deal a hand of Texas Hold'em: antes, blinds, hole cards, and who acts first."""

from collections.abc import Sequence

from protocol.cards import Card
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_hand import SEATS, HoldemHand, in_turn


def deal(
    deck: Sequence[Card],
    stacks: Sequence[int],
    betting: Betting,
    *,
    button: int,
    blinds: Sequence[int] = (),
    antes: Sequence[int] = (),
    dead_antes: bool = False,
) -> HoldemHand:
    """The hand after antes, blinds and hole cards, at its first real choice.

    Args:
        deck: all 52 cards, shuffled.
        stacks: chips of each seat, at least one each.
        betting: how much may be bet.
        button: the seat that acts last from the flop on; before the flop it does so if there are no blinds.
        blinds: chips that each seat posts as its first bet, straddles included; none if empty. A seat posts
            what it has. An amount below zero is the post of a player who has just sat down: a bet of as many chips
            that does not change who acts first.
        antes: chips that each seat puts into the pot before that; none if empty.
        dead_antes: whether antes belong to the main pot as a whole, as one paid for all does; else a seat that cannot
            pay its whole ante wins of each other ante only as much as it has paid.

    Raises:
        ValueError: too few or too many seats, or a seat without chips.
    """
    count = len(stacks)
    if count not in SEATS or min(stacks) < 1:
        raise ValueError(f"hold'em needs {SEATS[0]}-{SEATS[-1]} seats with chips, got {list(stacks)}")
    nothing = (0,) * count
    paid = _antes_paid(antes, stacks, dead_antes) if any(antes) else nothing
    left = [stack - ante for stack, ante in zip(stacks, paid, strict=True)]
    posted = tuple([min(abs(blind), stack) for blind, stack in zip(blinds or nothing, left, strict=True)])
    highest = max(posted)
    behind = tuple([stack - blind for stack, blind in zip(left, posted, strict=True)])
    seats = tuple(range(count))
    start = HoldemHand(
        betting,
        tuple(deck),
        tuple(stacks),
        behind,
        sum(paid) + sum(posted),
        sum(paid) if dead_antes else 0,
        nothing if dead_antes else paid,
        posted,
        1,
        button % count,
        seats,
        in_turn(seats, _last_blind(blinds, button, count) + 1, behind),
        highest,
        betting.bet_size(1),
        max(1, highest // betting.small_bet) if highest else 0,
        frozenset(),
        1,
        False,
        None,
    )
    return start.moved_on()


def _antes_paid(antes: Sequence[int], stacks: Sequence[int], dead: bool) -> tuple[int, ...]:
    """Chips that each seat really pays; see ``deal`` for the arguments."""
    paid = [min(ante, stack) for ante, stack in zip(antes, stacks, strict=True)]
    if not dead:
        most = sorted(paid)[-2]  # a seat that pays more than all others has the rest back
        paid = [min(ante, most) for ante in paid]
    return tuple(paid)


def _last_blind(blinds: Sequence[int], button: int, count: int) -> int:
    """The seat that posts the largest blind, the last such one in acting order; the button if there are none."""
    most = max(blinds, default=0)
    for back in range(count):
        seat = (button - back) % count  # the button is the last in acting order
        if most and blinds[seat] == most:
            return seat
    return button
