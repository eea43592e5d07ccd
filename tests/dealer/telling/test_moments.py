"""The course of a tournament, told as events: leads, falls, pots and rare hands, and the moments worth seeing."""

import pytest

from dealer.telling.moments import EARLY_HANDS, LEADER_HANDS, RARE, Course, Moment
from protocol.events import HandOver, Left, Readmitted, RoundBegun, WonPot
from protocol.games.base import FOLDED


def over(number: int, *payoffs: int, kind: str = "pair", stack: int = 100, pot: int = 10) -> HandOver:
    """A hand of players 0, 1, ... with equal stacks: who won most has the pot."""
    players = tuple(range(len(payoffs)))
    winner = max(players, key=payoffs.__getitem__)
    pots = (WonPot(pot, ((winner, pot),), kind, kind),) if any(payoffs) else ()
    nothing, stacks = (0,) * len(players), (stack,) * len(players)
    return HandOver(0, number, 1, 1, players, stacks, nothing, nothing, None, None, None, (), (), pot, pots, 0, payoffs)


def heard(course: Course, *hands: HandOver) -> list[Moment]:
    return [moment for hand in hands for moment in course.hear(hand)]


def quiet(course: Course, hands: int = EARLY_HANDS) -> None:
    """Hands in which player 0 wins a chip of player 1, and nothing is worth seeing."""
    assert heard(course, *(over(number, 1, -1, 0, kind=FOLDED) for number in range(1, hands + 1))) == []


def test_larger_pot_than_all_before_is_worth_seeing_unless_it_is_early() -> None:
    course = Course()
    quiet(course)
    big, equal = over(21, -5, 5, 0, pot=40, kind=FOLDED), over(22, 5, -5, 0, pot=40, kind=FOLDED)
    assert heard(course, big, equal) == [Moment("pot", 0, 21, 1, 40)]
    assert course.largest[:2] == [big, equal]


def test_pot_that_nobody_won_is_not_among_the_largest() -> None:
    course = Course()
    assert heard(course, over(1, 0, 0, pot=500)) == []
    assert course.largest == []


def test_new_leader_is_worth_seeing_now_and_then() -> None:
    course = Course()
    quiet(course)
    assert heard(course, over(21, -60, 60, 0, kind=FOLDED)) == [Moment("leader", 0, 21, 1, 140)]
    there_and_back = [over(22 + number, 0, *((-60, 60), (60, -60))[number % 2]) for number in range(LEADER_HANDS - 1)]
    assert heard(course, *there_and_back) == []
    assert heard(course, over(21 + LEADER_HANDS, 0, 0, 0)) == [Moment("leader", 0, 21 + LEADER_HANDS, 2, 160)]
    assert course.leads.changes == LEADER_HANDS
    assert course.leads.latest[-1] == (2, 0, 20 + LEADER_HANDS, 1)


@pytest.mark.parametrize("kind", ["flush", FOLDED, ""])
def test_rare_kind_is_worth_seeing_unless_it_is_no_kind_of_cards(kind: str) -> None:
    course = Course()
    quiet(course, RARE)
    hand = over(RARE + 1, 1, -1, 0, kind=kind)
    assert heard(course, hand) == ([Moment("rare", 0, RARE + 1, 0, words="flush")] if kind == "flush" else [])
    assert course.rarest == ((hand, 1) if kind == "flush" else None)


def test_who_collects_most_of_the_last_chips_knocks_out() -> None:
    course = Course()
    hand = over(1, 30, 70, -100)
    pots = (WonPot(90, ((0, 90),), "pair", "pair"), WonPot(120, ((1, 120),), "pair", "pair"))
    course.hear(HandOver(*(*(getattr(hand, name) for name in HandOver.__struct_fields__[:14]), pots, 0, hand.payoffs)))
    left = Left(2, 0, 1, 100, True, None, "you are out: no chips are left")
    assert course.hear(left) == [Moment("out", 0, 1, 2, words="no chips are left")]
    assert [(fall.left, fall.by) for fall in course.falls] == [(left, 1)]


def test_nobody_knocks_out_who_has_chips_left_or_leaves_for_a_fault() -> None:
    course = Course()
    course.hear(over(1, 99, -99, 0))
    course.hear(Left(1, 0, 1, 100, True, None, "you are out: 1 chip does not pay the ante of 2"))
    (moment,) = course.hear(Left(2, 0, 1, 100, True, "late", "you are out: no reply came"))
    assert (moment.words, moment.reason) == ("late", "no reply came")
    assert [fall.by for fall in course.falls] == [None, None]


def test_player_who_is_out_leads_no_more_until_it_is_let_in_again() -> None:
    course = Course()
    course.hear(over(1, 5, 3, -8))
    course.hear(Left(0, 0, 1, 100, True, "late", "you are out: no reply came"))
    course.hear(over(2, 0, 0, 0))
    assert course.leads.leader == 1
    course.hear(Readmitted(0, 0))
    course.hear(over(3, 0, 0, 0))
    assert course.leads.leader == 0
    assert course.falls == []


def test_every_round_has_its_own_leader() -> None:
    course = Course()
    course.hear(over(1, 5, -5))
    course.hear(RoundBegun(2, [[0, 1]]))
    course.hear(over(1, -1, 1))
    assert (course.leads.leader, course.leads.changes) == (1, 0)
