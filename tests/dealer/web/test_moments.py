"""Moments: found by comparing what the page is told with what it was told before."""

from typing import Any

from dealer.web.highlights import Win
from dealer.web.moments import LEADER_SECONDS, Moments
from tests.dealer.web.test_highlights import finished


def board(*, leader: int = 0, level: int | None = 1, stage: str | None = None, hand: int = 100) -> dict[str, Any]:
    rows = [[leader, 1, 900], [1 - leader, 2, 100]]
    return {"rows": rows, "level": level, "stage": stage, "hand": hand}


def news(*out: tuple[int, str, str]) -> dict[str, Any]:
    return {"out": [[player, 9, kind, why] for player, kind, why in out], "faults": []}


def told(moments: Moments) -> list[tuple[Any, ...]]:
    return [tuple(moment[1:]) for moment in moments.latest]


def begun() -> Moments:
    moments = Moments()
    moments.note(board(), news((5, "out", "broke")), None, 0)
    assert told(moments) == []  # what was before anybody watched is no news
    return moments


def test_knock_outs_are_told_with_their_reasons_in_their_order() -> None:
    moments = begun()
    moments.note(board(), news((7, "late", "no reply within 1 s"), (6, "out", "broke"), (5, "out", "broke")), None, 1)
    assert told(moments) == [("out", 6, "broke", 0), ("out", 7, "late: no reply within 1 s", 0)]
    assert [moment.number for moment in moments.latest] == [1, 2]


def test_level_and_stage_are_told_once() -> None:
    moments = begun()
    for stage in ("final", "final", "heads-up", None):
        moments.note(board(level=2, stage=stage), news((5, "out", "broke")), None, 1)
    assert told(moments) == [("level", None, "", 2), ("final", None, "", 0), ("heads-up", None, "", 0)]


def test_leaders_are_told_now_and_then() -> None:
    moments = begun()
    for leader, now in ((1, 1), (0, 5), (1, 6), (0, 1 + LEADER_SECONDS)):
        moments.note(board(leader=leader), news(), None, now)
    assert told(moments) == [("leader", 1, "", 900), ("leader", 0, "", 900)]


def test_shared_lead_is_nobodys() -> None:
    moments = begun()
    shared = board(leader=1)
    shared["rows"][1][1] = 1
    moments.note(shared, news(), None, 1)
    assert told(moments) == []


async def test_only_larger_pots_are_huge_and_none_at_the_start() -> None:
    moments = begun()
    for pot, hand in ((10, 3), (20, 100), (20, 101), (15, 102)):
        moments.note(board(hand=hand), news(), Win(4, 5, pot, finished(hand)[1]), 1)
    assert told(moments) == [("pot", 4, "", 20)]
