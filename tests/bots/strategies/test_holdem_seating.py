"""Which player sits in which seat, found from the stacks."""

from bots.strategies.holdem.seating import Seating
from protocol.cards import parse_cards
from protocol.games.base import Status
from protocol.games.holdem_turn import HoldemTurn, SeatView


def asked(*stacks: int) -> HoldemTurn:
    first, second = parse_cards("AS KS")
    seats = tuple(SeatView(stack, 0, "live") for stack in stacks)
    return HoldemTurn(1, 100, 0, 0, (first, second), (), 0, 0, seats, 0)


def over(**collected: int) -> Status:
    return Status(False, (), collected=tuple((int(seat[1:]), chips) for seat, chips in collected.items()))


def players(seating: Seating, count: int) -> list[int]:
    return [seating.player(seat) for seat in range(count)]


def test_players_move_up_when_another_leaves() -> None:
    seating = Seating(True)
    seating.question(asked(100, 40, 60, 200), 0)
    first = players(seating, 4)
    seating.hand_over(over(s3=80))
    seating.question(asked(80, 60, 260), 0)
    assert players(seating, 3) == [first[0], first[2], first[3]]


def test_the_own_seat_moves_too() -> None:
    seating = Seating(True)
    seating.question(asked(30, 100, 270), 1)
    first = players(seating, 3)
    seating.hand_over(over(s2=60))
    seating.question(asked(70, 330), 0)
    assert players(seating, 2) == first[1:]


def test_players_are_new_where_two_may_have_left() -> None:
    seating = Seating(True)
    seating.question(asked(100, 100, 100, 100), 0)
    first = players(seating, 4)
    seating.hand_over(over(s3=200))
    seating.question(asked(50, 50, 300), 0)
    after = players(seating, 3)
    assert (after[0], after[2]) == (first[0], first[3])
    assert after[1] not in first


def test_all_are_new_at_another_table() -> None:
    seating = Seating(True)
    seating.question(asked(100, 100, 100), 0)
    first = players(seating, 3)
    seating.hand_over(over())
    seating.question(asked(100, 500, 300), 0)
    assert not set(players(seating, 3)) & set(first)


def test_a_player_who_came_is_new() -> None:
    seating = Seating(True)
    seating.question(asked(100, 100), 0)
    first = players(seating, 2)
    seating.hand_over(over())
    seating.question(asked(100, 100, 100), 0)
    assert not set(players(seating, 3)) & set(first)


def test_hands_without_a_question_leave_seats_as_they_are() -> None:
    seating = Seating(True)
    seating.question(asked(100, 100), 0)
    first = players(seating, 2)
    seating.hand_over(over(s1=20))
    seating.hand_over(over(s1=20))
    seating.question(asked(60, 140), 0)
    assert players(seating, 2) == first
    seating.hand_over(over())
    seating.hand_over(over())
    seating.question(asked(200), 0)
    assert seating.player(0) not in first


def test_seats_stay_where_every_hand_begins_with_equal_stacks() -> None:
    seating = Seating(False)
    seating.question(asked(10, 190), 0)
    first = players(seating, 2)
    seating.hand_over(over())
    seating.question(asked(100, 100), 0)
    assert players(seating, 2) == first
