"""The curves of a tournament: bounded, whole from the first hand on, and the same after a resumption."""

from contextlib import closing
from pathlib import Path

from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.telling.curves import POINTS, Curves
from dealer.tournament.opening import reopen_journal
from tests.dealer.support.altered_journals import play_until_suspended


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
