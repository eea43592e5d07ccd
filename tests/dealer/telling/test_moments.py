"""The course of a tournament, told as events: leads, falls, pots and rare hands; the moments worth seeing; curves."""

from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.telling.curves import POINTS, Curves
from dealer.telling.moments import EARLY_HANDS, LEADER_HANDS, LEADER_SECONDS, RARE, Course, Moment
from dealer.tournament.opening import reopen_journal
from protocol.events import Figures, HandOver, Left, PlayerFigures, Readmitted, RoundBegun, WonPot
from protocol.games.base import FOLDED
from tests.dealer.support.altered_journals import play_until_suspended


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


def test_shared_pot_is_nobodys_moment() -> None:
    course = Course()
    quiet(course)
    shared = structs.replace(over(21, 0, 0, pot=50), pots=(WonPot(50, ((0, 25), (1, 25)), FOLDED, "tie"),))
    assert heard(course, shared) == []
    assert course.largest[0] is shared


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


def figures(
    leader: int = 0, *, level: int | None = 1, stage: str | None = None, speed: float = 0.0, tied: bool = False
) -> Figures:
    """The figures of two players, one of whom leads unless they are tied."""
    rows = [
        PlayerFigures(player, place, 900.4 / place, 900, 900, "in", 0, 0, 0, None, None)
        for player, place in ((leader, 1), (1 - leader, 1 if tied else 2))
    ]
    return Figures(1, 1, 1, 1, 0, speed, 0, 2, False, 0, None, False, level, {}, stage, tuple(rows), ())


def live(hands: int = 100) -> Course:
    course = Course(hands, live=True)
    assert course.hear(figures()) == []  # what was before is no news
    return course


def test_levels_and_stages_are_told_once() -> None:
    course = live()
    told = [course.hear(figures(level=2, stage=stage)) for stage in ("final", "final", "heads-up", None)]
    assert told == [[Moment("level", amount=2), Moment("final")], [], [Moment("heads-up")], []]


def test_figures_say_who_leads_alone() -> None:
    course = live()
    assert course.hear(figures(1, tied=True)) == []
    assert heard(course, over(1, -60, 60, kind=FOLDED)) == [Moment("pot", 0, 1, 1, 10)]
    assert course.hear(figures(1)) == [Moment("leader", 0, 1, 1, 900)]
    assert course.hear(figures(0)) == []
    quiet = [over(number, 0, 0, kind=FOLDED) for number in range(2, LEADER_HANDS + 1)]
    assert heard(course, *quiet) == []
    assert course.hear(figures(0)) == []
    course.hear(over(LEADER_HANDS + 1, 0, 0))
    assert course.hear(figures(0)) == [Moment("leader", 0, 0, 0, 900)]


def test_leaders_of_fast_tables_are_told_seconds_apart() -> None:
    course, fast = live(), 5.0
    course.hear(figures(1, speed=fast))
    told = []
    for number in range(1, 1 + round(fast * LEADER_SECONDS)):
        course.hear(over(number, 0, 0))
        told += [(number, moment.kind) for moment in course.hear(figures(0, speed=fast))]
    assert told == [(fast * LEADER_SECONDS, "leader")]


def test_leader_of_the_first_hands_is_no_news() -> None:
    course = live(0)
    course.hear(over(1, -60, 60))
    assert course.hear(figures(1)) == []


def test_hand_to_see_is_that_which_put_a_player_out_or_made_it_lead() -> None:
    course = live()
    last, other = over(7, 0, 50, -50), over(8, 5, -5)
    course.hear(last)
    (out,) = course.hear(Left(2, 0, 7, 50, True, None, "you are out: no chips are left"))
    assert course.hand_of(out) is last
    course.hear(other)
    (leads,) = course.hear(figures(1))
    assert course.hand_of(leads) is last
    for kind, hand in (("late", 8), (None, 9)):  # a hand that was ended by a fault, and one that is not known
        (out,) = course.hear(Left(1, 0, hand, 50, True, kind, "you are out: no reply came"))
        assert course.hand_of(out) is None


def test_best_hand_of_each_player_is_kept() -> None:
    course = Course()
    hands = [over(1, 9, -9, pot=20), over(2, -3, 3, pot=6), over(3, -2, 2, pot=6), over(4, 4, -4, pot=7)]
    heard(course, *hands)
    assert course.best.won == {0: (9, hands[0]), 1: (3, hands[1])}
    assert course.best.hands == [hands[0], hands[1], hands[3]]


# The curves of a tournament: bounded, whole from the first hand on, and the same after a resumption.


def test_a_curve_holds_every_hand_while_they_fit() -> None:
    curves: Curves[int] = Curves()
    for hand in range(POINTS):
        curves.note(hand, [hand, None])
    assert [point.hand for point in curves.points] == list(range(POINTS))
    assert curves.points[-1].chips == (POINTS - 1, None)


def test_a_curve_stays_bounded_and_keeps_its_ends() -> None:
    curves: Curves[int] = Curves()
    for hand in range(100_000):
        curves.note(hand, [hand])
        assert len(curves.points) <= POINTS + 1
    hands = [point.hand for point in curves.points]
    assert (hands[0], hands[-1]) == (0, 99_999)
    assert hands == sorted(set(hands))
    assert len(hands) > POINTS / 2 - 1


def test_a_curve_ends_with_how_things_stand_now() -> None:
    curves: Curves[int] = Curves()
    curves.note(7, [10])
    curves.note(7, [12])
    assert [(point.hand, point.chips) for point in curves.points] == [(7, (12,))]


def test_curve_ends_when_its_player_is_out() -> None:
    curves: Curves[int] = Curves()
    curves.note(0, [10, 10])
    curves.note(1, [20, 0], {1})
    curves.note(2, [20, 0], {1})
    assert [point.chips for point in curves.points] == [(10, 10), (20, 0), (20, None)]


async def test_curves_of_a_resumed_tournament_begin_with_its_first_hand(tmp_path: Path, tcp_clock: MockClock) -> None:
    path = tmp_path / "a.journal"
    await play_until_suspended(path)
    chips: dict[int, tuple[int | None, ...]] = {}
    rebuild = LedgerRebuild(path)
    for _ in rebuild.hands():
        stacks = {player.number: stack for player, stack in rebuild.ledger.stacks().items()}
        chips[rebuild.ledger.seating.hands_on] = tuple(stacks[number] for number in sorted(stacks))
    reopened = reopen_journal(path)
    with closing(reopened.file):
        assert reopened.curves is not None
        first, *others = reopened.curves.points
        assert (first.hand, len(set(first.chips))) == (0, 1)
        assert [point.hand for point in others] == list(chips)
