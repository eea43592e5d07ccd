"""The history that the page keeps: bounded, and exact at both ends."""

import json
from typing import Any

from trio.testing import MockClock

from dealer.settings import Settings
from dealer.tournament.scene import Scene
from dealer.web.board import Board
from dealer.web.history import POINTS, RECENT_SECONDS, Curves, Rate, Recent, Stood
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED, call, good_clients, open_rig


def test_a_curve_holds_every_hand_while_they_fit() -> None:
    curves = Curves()
    for hand in range(POINTS):
        curves.note(hand, [hand, None])
    assert [point.hand for point in curves.points] == list(range(POINTS))
    assert curves.points[-1].chips == (POINTS - 1, None)


def test_a_curve_stays_bounded_and_keeps_its_ends() -> None:
    curves = Curves()
    for hand in range(100_000):
        curves.note(hand, [hand])
        assert len(curves.points) <= POINTS + 1
    hands = [point.hand for point in curves.points]
    assert (hands[0], hands[-1]) == (0, 99_999)
    assert hands == sorted(set(hands))
    assert len(hands) > POINTS / 2 - 1


def test_a_curve_ends_with_how_things_stand_now() -> None:
    curves = Curves()
    curves.note(7, [10])
    curves.note(7, [12])
    assert [(point.hand, point.chips) for point in curves.points] == [(7, (12,))]


def test_curve_ends_when_its_player_is_out() -> None:
    curves = Curves()
    curves.note(0, [10, 10])
    curves.note(1, [20, 0], {1})
    curves.note(2, [20, 0], {1})
    assert [point.chips for point in curves.points] == [(10, 10), (20, 0), (20, None)]


def test_gains_compare_with_recent_standings() -> None:
    recent = Recent()
    assert recent.before(0) is None
    for second in range(60):
        recent.note(second, {0: Stood(1, second)})
    before = recent.before(0)
    assert before is not None
    assert before.chips == 59 - RECENT_SECONDS
    assert recent.before(1) is None


def test_rate_measures_recent_growth() -> None:
    rate = Rate()
    assert rate.per_second == 0
    rate.note(0.0, 0)
    assert rate.per_second == 0
    for tenth in range(1, 100):
        rate.note(tenth / 10, tenth)
    assert round(rate.per_second) == 10
    for tenth in range(100, 200):
        rate.note(tenth / 10, 99)
    assert rate.per_second == 0


async def curves_of(settings: Settings) -> dict[str, Any]:
    """Play a tournament of three players, and return the facts of the event ``curves`` for a viewer who comes after."""
    async with open_rig(settings) as rig:
        await rig.admit(*good_clients(3, call))
        scene = Scene(rig.opening, journal=rig.journal)
        board = Board(scene)
        board.look()
        scene.tournament = rig.begin()
        await scene.tournament.run()
        with board.watched(None, "127.0.0.1"):
            messages = board.since(0, None).decode().split("\n\n")
    (curves,) = (message for message in messages if message.startswith("event: curves"))
    facts: dict[str, Any] = json.loads(curves.partition("data: ")[2])
    return facts


async def test_fast_tournament_still_has_curves(tcp_clock: MockClock) -> None:
    """A fast table plays hundreds of hands in the time of one look; the journal tells the page of each."""
    settings = Settings(SEED, StudGame(), hands=60)
    hands = (await curves_of(settings))["hands"]
    assert (hands[0], hands[-1]) == (0, 60)
    assert len(hands) > 30


async def test_curves_of_a_round_robin_begin_with_the_first_stack(tcp_clock: MockClock) -> None:
    """Their chips are averages over games; a player who has not finished one has no average of 0."""
    settings = Settings(SEED, StudGame(), hands=5, format="round-robin")
    lines = (await curves_of(settings))["lines"]
    assert all(chips > 0 for _, points in lines for chips in points)


async def test_curves_of_a_round_robin_move_during_games(tcp_clock: MockClock) -> None:
    """In the first round two of the three play the first game of 30 hands."""
    facts = await curves_of(Settings(SEED, StudGame(), hands=30, format="round-robin"))
    during = [
        [chips for hand, chips in zip(facts["hands"], line, strict=True) if hand < 30] for _, line in facts["lines"]
    ]
    assert sorted(len(set(chips)) > 1 for chips in during) == [False, True, True]
    assert all(chips[0] == StudGame().start(2).stacks[0] for chips in during)
