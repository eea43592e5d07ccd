"""Who wins the pots of a hand of Texas Hold'em: side pots, the showdown, and boards that may still come."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import compress
from operator import eq
from typing import NamedTuple

from protocol.cards import Card
from protocol.games.base import FOLDED, Pot, Settlement
from protocol.games.boards import strengths_to_come
from protocol.games.poker_strength import best_five, card_bits, strength_of_bits
from protocol.games.pot import pots_of, split_evenly
from protocol.games.ranks import five_card_kind, five_cards_in_words
from protocol.games.run_out import PotsWon, RunOut

#: Pots as (chips, seats that can win them); the main pot first.
Pots = tuple[tuple[int, tuple[int, ...]], ...]


def side_pots(put: Sequence[int], live: tuple[int, ...], dead: int) -> Pots:
    """The main pot and the side pots.

    Args:
        put: chips that each seat has put in during the hand, without ``dead``.
        live: the seats that have not folded, in seat order.
        dead: chips of antes that belong to the main pot, no matter which seat paid them.
    """
    made = pots_of(put, live)
    # A seat whose last chip went into such an ante can win it, and nothing else.
    if made and made[0][1] == live:
        (chips, seats), *made = made
        return ((chips + dead, seats), *made)
    return ((dead, live), *made)


class Showdown(NamedTuple):
    """The seats that compare their cards, and what they compare them for.

    Attributes:
        holes: the two hole cards of each live seat, by seat in seat order.
        board: all five cards on the board.
        pots: chips, and who can win them.
        first: the seat left of the button, from which odd chips are given out.
        aggressor: the seat that bet or raised last; None if nobody did.
    """

    holes: Mapping[int, tuple[Card, ...]]
    board: tuple[Card, ...]
    pots: Pots
    first: int
    aggressor: int | None

    def settlement(self, starting: Sequence[int], stacks: Sequence[int]) -> Settlement:
        """Each pot goes to the best cards among the seats that can win it.

        Odd chips go to the first seats left of the button. Cards are turned up in order, those of the seat that bet
        last first.

        Args:
            starting: chips of each seat before the hand.
            stacks: chips in front of each seat before pots are paid out.
        """
        holes, board, pots, first, aggressor = self
        live = tuple(holes)
        order = _from(first, live)
        on_board = card_bits(board)
        strengths = {}
        for seat, hole in holes.items():
            strengths[seat] = strength_of_bits(card_bits(hole) | on_board)
        won = tuple([_pot(chips, seats, strengths, order) for chips, seats in pots])
        winner, _ = won[0].shares[0]
        cards = best_five((*holes[winner], *board), strengths[winner])
        shown = order if aggressor is None or aggressor not in holes else _from(aggressor, live)
        return _settlement(starting, stacks, won, cards, tuple([(seat, holes[seat]) for seat in shown]))


def _from(first: int, seats: tuple[int, ...]) -> tuple[int, ...]:
    """``seats``, which are in seat order, from seat ``first`` on."""
    place = bisect_left(seats, first)
    return seats[place:] + seats[:place]


def all_folded(winner: int, pot: int, starting: Sequence[int], stacks: Sequence[int]) -> Settlement:
    """The pot goes to the only seat that has not folded, which shows no cards.

    Args:
        stacks: chips in front of each seat before the pot is paid out.
    """
    return _settlement(starting, stacks, (Pot(pot, ((winner, pot),), FOLDED, FOLDED),))


def _settlement(
    starting: Sequence[int],
    stacks: Sequence[int],
    pots: tuple[Pot, ...],
    cards: tuple[Card, ...] = (),
    shown: tuple[tuple[int, tuple[Card, ...]], ...] = (),
) -> Settlement:
    """Payoffs and shares of each seat from the pots that were won."""
    shares = [0] * len(stacks)
    for pot in pots:
        for seat, chips in pot.shares:
            shares[seat] += chips
    payoffs = tuple([stack + share - start for start, stack, share in zip(starting, stacks, shares, strict=True)])
    return Settlement(payoffs, tuple(shares), cards, shown=shown, pots=pots, ties=_ties(pots), told_shares=True)


def _pot(chips: int, seats: Sequence[int], strengths: Mapping[int, int], order: Sequence[int]) -> Pot:
    """Who wins a pot, and why."""
    best = max([strengths[seat] for seat in seats])
    winners = [seat for seat in order if seat in seats and strengths[seat] == best]
    kind, words = five_card_kind(best), five_cards_in_words(best)
    if len(winners) == 1:
        return Pot(chips, ((winners[0], chips),), kind, words)
    return Pot(chips, tuple(split_evenly(chips, winners).items()), kind, f"a tie with {words}")


def _ties(pots: Sequence[Pot]) -> tuple[int, ...]:
    """The seats that collected only parts of pots, and no whole one."""
    if max([len(pot.shares) for pot in pots]) == 1:
        return ()  # most hands
    alone = {pot.winners[0] for pot in pots if len(pot.winners) == 1}
    return tuple(sorted({seat for pot in pots for seat in pot.winners} - alone))


def run_out(
    street: int, deck: Sequence[Card], holes: Mapping[int, tuple[Card, ...]], board: tuple[Card, ...], pots: Pots
) -> RunOut:
    """A street on which all live seats have shown their cards, and what boards may still come.

    Args:
        holes: the two hole cards of each live seat, by seat in seat order.
        board: the cards on the board on that street.
        pots: chips, and who can win them.
    """
    return RunOut(street, board, tuple(holes), partial(_pots_won, tuple(deck), tuple(holes.items()), board, pots))


@lru_cache(maxsize=1000)  # a report tells the same hand to each of its players
def _pots_won(
    deck: tuple[Card, ...], holes: tuple[tuple[int, tuple[Card, ...]], ...], board: tuple[Card, ...], pots: Pots
) -> Mapping[PotsWon, int]:
    seen = {*board, *[card for _, hole in holes for card in hole]}
    strengths, numbers = strengths_to_come(
        board, [card for card in deck if card not in seen], [hole for _, hole in holes]
    )
    by_seat = dict(zip([seat for seat, _ in holes], strengths, strict=True))
    wins = [_wins([by_seat[seat] for seat in own]) for _, own in pots]
    counted: Counter[tuple[tuple[bool, ...], ...]] = Counter()
    for bests, number in zip(zip(*wins, strict=True), numbers, strict=True):
        counted[bests] += number
    return {_won(pots, bests): number for bests, number in counted.items()}


def _won(pots: Pots, best: Sequence[Sequence[bool]]) -> PotsWon:
    """Who wins each pot; ``best`` says which of the seats that can win it have the best cards."""
    return tuple([(chips, tuple(compress(seats, own))) for (chips, seats), own in zip(pots, best, strict=True)])


def _wins(strengths: Sequence[Sequence[int]]) -> Iterator[tuple[bool, ...]]:
    """Which seats have the best cards on each of several boards; ``strengths`` has those of each seat."""
    best = list(map(max, *strengths)) if len(strengths) > 1 else strengths[0]
    return zip(*[map(eq, own, best) for own in strengths], strict=True)
