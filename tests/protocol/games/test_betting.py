"""One betting street: who acts next, who owes what."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.games.betting import Street


def test_the_opener_acts_first_and_then_everybody_clockwise() -> None:
    street = Street.open((0, 1, 2, 3), 2, 4)
    assert street.queue == street.live == (2, 3, 0, 1)


def test_seats_that_folded_earlier_are_passed_over() -> None:
    street = Street.open((1, 3, 4), 4, 6)
    assert street.queue == (4, 1, 3)


def test_the_street_ends_when_all_have_checked() -> None:
    street = Street.open((0, 1, 2), 0, 3)
    assert street.bet(0).bet(0).queue == (2,)
    assert street.bet(0).bet(0).bet(0).queue == ()


def test_a_raise_puts_everybody_else_back_in_the_queue() -> None:
    street = Street.open((0, 1, 2), 0, 3).bet(0).bet(5)
    assert street.queue == (2, 0)
    assert [street.owed(seat) for seat in range(3)] == [5, 0, 5]


def test_a_caller_does_not_bring_the_raiser_back() -> None:
    street = Street.open((0, 1, 2), 0, 3).bet(5).bet(5)
    assert street.queue == (2,)
    assert street.bet(5).queue == ()


def test_all_in_seats_are_not_asked_again() -> None:
    street = Street.open((0, 1, 2), 0, 3).bet(20, all_in=True).bet(50)
    assert street.queue == (2,)
    assert (street.all_in, street.highest) == ((0,), 50)


def test_a_short_all_in_is_no_raise() -> None:
    street = Street.open((0, 1, 2), 0, 3).bet(50).bet(30, all_in=True)
    assert street.queue == (2,)
    assert (street.highest, street.owed(2)) == (50, 50)


def test_an_all_in_above_the_bet_is_a_raise() -> None:
    street = Street.open((0, 1, 2), 0, 3).bet(50).bet(70, all_in=True)
    assert street.queue == (2, 0)
    assert street.owed(0) == 20


def test_all_in_seats_wait_for_the_next_street() -> None:
    street = Street.open((0, 1, 2), 1, 3, all_in=(1,))
    assert (street.live, street.queue) == ((1, 2, 0), (2, 0))


def test_first_raiser_owes_the_difference_to_a_second_raise() -> None:
    street = Street.open((0, 1), 0, 2).bet(10).bet(15)
    assert street.queue == (0,)
    assert street.owed(0) == 5


def test_a_fold_leaves_what_is_owed_alone() -> None:
    street = Street.open((0, 1, 2), 0, 3).bet(10).fold()
    assert (street.live, street.queue, street.highest) == ((0, 2), (2,), 10)


def test_order_continues_after_the_opener_folds() -> None:
    street = Street.open((0, 1, 2), 1, 3).fold()
    assert street.live == (2, 0)


def test_the_last_seat_left_need_not_act() -> None:
    assert Street.open((0, 1), 0, 2).fold().queue == ()


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
