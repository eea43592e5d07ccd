from hypothesis import given
from hypothesis import strategies as st

from protocol.games.pot import split_evenly


def test_odd_chips_go_one_each_to_the_seats_named_first() -> None:
    assert split_evenly(11, [4, 0, 2]) == {4: 4, 0: 4, 2: 3}


def test_fewer_chips_than_seats_leave_the_last_with_none() -> None:
    assert split_evenly(2, [1, 2, 0]) == {1: 1, 2: 1, 0: 0}


@given(st.integers(0, 10**9), st.lists(st.integers(0, 16), min_size=1, unique=True))
def test_no_chip_is_lost_or_invented_and_nobody_gets_two_more_than_another(chips: int, seats: list[int]) -> None:
    shares = split_evenly(chips, seats)
    assert list(shares) == seats
    assert sum(shares.values()) == chips
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert max(shares.values()) - min(shares.values()) <= 1
