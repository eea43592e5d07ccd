"""One betting street, who owes what, pots: how they are split, and who is told of a win; and boards that may come."""

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import DECK, Suit, parse_cards
from protocol.games.base import FOLD, Bet
from protocol.games.betting import Street
from protocol.games.boards import FIVE, strengths_to_come
from protocol.games.holdem_betting import Betting
from protocol.games.holdem_deal import deal
from protocol.games.holdem_settlement import Pots, Showdown
from protocol.games.poker_strength import poker_strength
from protocol.games.pot import at_stake, pots_of, split_evenly, within_reach

THREE = Street.open((0, 1, 2), 0, 3)


@pytest.mark.parametrize(
    ("street", "live", "queue", "owed"),
    [
        # The opener acts first, and then everybody clockwise; seats that folded earlier are passed over.
        (Street.open((0, 1, 2, 3), 2, 4), (2, 3, 0, 1), (2, 3, 0, 1), [0, 0, 0, 0]),
        (Street.open((1, 3, 4), 4, 6), (4, 1, 3), (4, 1, 3), [0] * 6),
        # The street ends when all have checked.
        (THREE.bet(0).bet(0), (0, 1, 2), (2,), [0, 0, 0]),
        (THREE.bet(0).bet(0).bet(0), (0, 1, 2), (), [0, 0, 0]),
        # A raise puts everybody else back in the queue; a caller does not bring the raiser back.
        (THREE.bet(0).bet(5), (0, 1, 2), (2, 0), [5, 0, 5]),
        (THREE.bet(5).bet(5), (0, 1, 2), (2,), [0, 0, 5]),
        (THREE.bet(5).bet(5).bet(5), (0, 1, 2), (), [0, 0, 0]),
        # The first raiser owes the difference to a second raise.
        (Street.open((0, 1), 0, 2).bet(10).bet(15), (0, 1), (0,), [5, 0]),
        # A fold leaves what is owed alone, and the order; the last seat left need not act.
        (THREE.bet(10).fold(), (0, 2), (2,), [0, 10, 10]),
        (Street.open((0, 1, 2), 1, 3).fold(), (2, 0), (2, 0), [0, 0, 0]),
        (Street.open((0, 1), 0, 2).fold(), (1,), (), [0, 0]),
    ],
)
def test_who_acts_next_and_who_owes_what(
    street: Street, live: tuple[int, ...], queue: tuple[int, ...], owed: list[int]
) -> None:
    assert (street.live, street.queue) == (live, queue)
    assert [street.owed(seat) for seat in range(len(owed))] == owed


def test_a_street_is_left_alone_by_what_follows_it() -> None:
    street = Street.open((0, 1), 0, 2)
    street.bet(10)
    street.fold()
    assert street == Street((0, 1), (0, 1), (0, 0))


@given(st.integers(2, 17), st.lists(st.integers(-1, 10), max_size=60))
def test_all_live_seats_have_put_in_the_same_when_it_is_over(seats: int, moves: list[int]) -> None:
    """A move is a fold (-1) or a raise by that much; when the moves run out everybody calls."""
    street = Street.open(tuple(range(seats)), 0, seats)
    for move in moves:
        if not street.queue:
            break
        street = street.fold() if move < 0 else street.bet(street.owed(street.queue[0]) + move)
    while street.queue:
        street = street.bet(street.owed(street.queue[0]))
    assert len(street.live) == 1 or {street.put[seat] for seat in street.live} == {street.highest}


def test_odd_chips_go_one_each_to_the_seats_named_first() -> None:
    assert split_evenly(11, [4, 0, 2]) == {4: 4, 0: 4, 2: 3}
    assert split_evenly(2, [1, 2, 0]) == {1: 1, 2: 1, 0: 0}


@given(st.integers(0, 10**9), st.lists(st.integers(0, 16), min_size=1, unique=True))
def test_split_conserves_chips_and_is_even(chips: int, seats: list[int]) -> None:
    shares = split_evenly(chips, seats)
    assert list(shares) == seats
    assert sum(shares.values()) == chips
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert max(shares.values()) - min(shares.values()) <= 1


def test_each_all_in_makes_a_side_pot_and_folded_chips_stay_in_those_they_reached() -> None:
    assert pots_of([50, 100, 200, 200], live=[0, 1, 2, 3]) == [(200, (0, 1, 2, 3)), (150, (1, 2, 3)), (200, (2, 3))]
    assert pots_of([50, 80, 100, 100], live=[0, 2, 3]) == [(200, (0, 2, 3)), (130, (2, 3))]
    assert pots_of([50, 300, 50], live=[0, 2]) == [(400, (0, 2))]


@given(st.lists(st.tuples(st.integers(0, 300), st.booleans()), min_size=2, max_size=9))
def test_pots_hold_every_chip_once(seats: list[tuple[int, bool]]) -> None:
    put = [chips for chips, _ in seats]
    live = [seat for seat, (_, stays) in enumerate(seats) if stays] or [0]
    pots = pots_of(put, live)
    assert sum(chips for chips, _ in pots) == sum(put)
    assert all(set(winners) <= set(live) for _, winners in pots)


def test_what_is_at_stake_ends_with_the_shorter_stack() -> None:
    hand = deal(DECK, (1000, 40, 300), Betting("no-limit", 10, 10), button=0, blinds=(0, 5, 10))
    assert within_reach(hand, 0) == 300  # the big blind's
    hand = hand.apply(Bet(100))
    assert within_reach(hand, 1) == 35
    assert within_reach(hand.apply(FOLD), 2) == 290
    assert at_stake(115, 290, FOLD, Bet(90)) == 115 + 90
    assert at_stake(115, 290, Bet(90), FOLD) == 115 + 90
    assert at_stake(115, 35, FOLD, Bet(90)) == 115 + 35


HOLES = {0: parse_cards("AS AH"), 1: parse_cards("AD AC"), 2: parse_cards("KS KH")}
BOARD = parse_cards("2C 7D 9H JS 3D")


@pytest.mark.parametrize(
    ("pots", "ties", "shares"),
    [
        (((30, (0, 2)),), (), (30, 0, 0)),
        (((30, (0, 1, 2)),), (0, 1), (15, 15, 0)),
        (((30, (0, 1, 2)), (20, (1, 2))), (0,), (15, 35, 0)),
        (((31, (0, 1, 2)), (20, (0, 1))), (0, 1), (25, 26, 0)),
    ],
)
def test_seats_with_parts_of_pots_only_are_told_of_a_tie(
    pots: Pots, ties: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    settlement = Showdown(HOLES, BOARD, pots, 1, None).settlement((100, 100, 100), (50, 50, 50))
    assert settlement.ties == ties
    assert settlement.shares == shares
    assert settlement.payoffs == tuple(share - 50 for share in shares)


# Boards that may still come: the same as dealing every one of them.


@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(0, 4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_strengths_equal_those_of_every_board(chance: Random, seats: int, known: int, suited: bool) -> None:
    deck = [card for card in DECK if not suited or card.suit in (Suit.SPADES, Suit.HEARTS)]  # so that flushes come
    cards = chance.sample(deck, min(len(deck), 2 * seats + known + 10))
    holes = [cards[2 * seat : 2 * seat + 2] for seat in range(seats)]
    board, unseen = cards[2 * seats : 2 * seats + known], cards[2 * seats + known :]
    expected = Counter(
        tuple(poker_strength((*hole, *board, *more)) for hole in holes) for more in combinations(unseen, FIVE - known)
    )
    strengths, numbers = strengths_to_come(board, unseen, holes)
    found: Counter[tuple[int, ...]] = Counter()
    for mine, number in zip(zip(*strengths, strict=True), numbers, strict=True):
        found[mine] += number
    assert {mine: number for mine, number in found.items() if number} == expected


def test_every_board_is_counted_once() -> None:
    aces, kings = parse_cards("AS AD"), parse_cards("KH KC")
    unseen = [card for card in DECK if card not in (*aces, *kings)]
    _, numbers = strengths_to_come((), unseen, (aces, kings))
    assert sum(numbers) == comb(48, 5)
