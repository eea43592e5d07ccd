"""The pictures and highlights at the head of a report, and their links."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.report.contents import Contents
from dealer.report.labels import PageLinks
from dealer.report.pictures import (
    BOTTOM,
    HEIGHT,
    LINE,
    TOP,
    curve_picture,
    duels_picture,
    face,
    falls_picture,
    fitted,
    hand_picture,
    short,
    spread,
    ticks,
)
from dealer.report.report_page import highlights
from dealer.report.story import winners_of
from dealer.settings import Settings
from protocol.cards import DECK, UNKNOWN
from protocol.games.base import FOLD, Bet, Turn
from protocol.games.holdem import HoldemGame
from tests.dealer.support.reported import contents_of
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Scribe
from tests.dealer.support.scribe import players as some_players


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Contents:
    """Four players of hold'em: in hand 1 one is at fault, in hand 2 two are all in, and one folds."""
    scribe = Scribe(Settings(SEED, HoldemGame(200), hands=3), some_players("Ada", "Ben", "Cem", "Dot"))
    nonsense = Fault(FaultKind.MALFORMED, "expected 'fold' or 'bet:<chips>', got 'you'")

    def answers(player: Player, turn: Turn) -> Answer:
        number = scribe.ledger.seating.tables[0].hand_number
        legal = turn.legal()
        if number == 1:
            return nonsense if player.number == 3 else Bet(legal.to_call)
        return (
            Bet(legal.raises[-1])
            if legal.raises and player.number < 2
            else Bet(legal.to_call)
            if player.number < 2
            else FOLD
        )

    scribe.game()
    for _ in range(2):
        scribe.hand(answers)
    scribe.end()
    return contents_of(scribe.write(tmp_path_factory.mktemp("pictures") / "journal"))


LINKS = PageLinks(["replay.html", "players/p0/summary.txt", "players/p0/transcript.txt"])


def test_hand_with_the_largest_pot_is_drawn(contents: Contents) -> None:
    hand, picture = contents.course.largest[0], hand_picture(contents, LINKS)
    assert picture is not None
    assert (hand.number, picture.link.href) == (2, "replay.html#hand=2")
    assert picture.title == f"The largest pot: {hand.last.pot} in hand 2"
    assert [seat.label.short for seat in picture.seats if not seat.won] == ["Ben"]
    assert [len(seat.faces) for seat in picture.seats] == [2, 2]
    assert (len(picture.board), picture.folded) == (5, 1)


def test_falls_are_listed_the_last_one_first(contents: Contents) -> None:
    picture = falls_picture(contents, LINKS)
    assert picture is not None
    rows = [(row.player.short, row.by and row.by.short, row.why, row.link.text) for row in picture.rows]
    assert rows == [("Ben", "Ada", "", "hand 2"), ("Dot", None, "left for a fault: malformed", "hand 1")]


def test_highlights_link_to_hands_and_quote_faults(contents: Contents) -> None:
    found = {one.heading: one.items for one in highlights(contents, LINKS)}
    assert [item.text for item in found["Knock-outs"]] == ["\u2068Ada\u2069 knocked out \u2068Ben\u2069."]
    (fault,) = found["Faults worth learning from"]
    assert fault.text == "\u2068Dot\u2069 sent 'you'; expected 'fold' or 'bet:<chips>'."
    assert fault.link.href == "replay.html#hand=1"
    assert fault.more
    without = highlights(contents, PageLinks())
    assert not [item for one in without for item in one.items if item.link.href]


def test_curves_begin_with_the_stack_and_end_with_the_chips(contents: Contents) -> None:
    picture = curve_picture(contents)
    names = [curve.name for curve in picture.curves]
    assert names == [contents.styles[player].name for player in contents.order]
    starts = {curve.points.split()[0] for curve in picture.curves}
    assert len(starts) == 1
    ends = [float(curve.points.split()[-1].split(",")[1]) for curve in picture.curves]
    assert ends[0] == min(ends)  # the winner's curve is the highest, and heights count from the top
    assert [curve.y for curve in picture.curves] == ends


def test_duels_are_the_best_against_each_other(contents: Contents) -> None:
    picture = duels_picture(contents)
    rows = {name: dict(zip(picture.names, cells, strict=True)) for name, cells in picture.rows}
    assert rows["Ada"]["Ada"].tone == "self"
    assert rows["Ada"]["Ben"].tone == "gain"
    assert rows["Ben"]["Ada"].text.startswith("\N{MINUS SIGN}")


def test_links_name_the_table_where_there_are_several_and_files_that_were_written(contents: Contents) -> None:
    links = PageLinks(["replay.html"], many_tables=True)
    assert links.hand(2, 1031).href == "replay.html#hand=1031&table=2"
    assert links.hand(2, 1031).text == "hand 1,031 at table 2"
    assert links.hand(0, 0).href == ""
    ada, ben, *_ = contents.labels.values()
    assert LINKS.player(ada) == (("summary", "players/p0/summary.txt"), ("transcript", "players/p0/transcript.txt"))
    assert LINKS.player(ben) == ()


def test_every_card_has_a_face() -> None:
    assert len({face(card) for card in DECK}) == 52
    assert (face(DECK[-1]).rank, face(DECK[-1]).symbol) == ("A", "\u2660")
    assert (face(UNKNOWN).rank, face(UNKNOWN).suit) == ("??", "")


@given(st.lists(st.floats(TOP, HEIGHT - BOTTOM), min_size=1, max_size=6))
def test_names_of_curves_stay_apart_and_in_order(ends: list[float]) -> None:
    heights = spread(ends)
    ordered = sorted(heights)
    assert all(below - above >= LINE - 1e-6 for above, below in pairwise(ordered))
    assert ordered[0] >= TOP
    assert ordered[-1] <= HEIGHT - BOTTOM + 1e-6
    assert [ends[place] for place in sorted(range(len(ends)), key=heights.__getitem__)] == sorted(ends)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_ticks_are_few_and_inside(low: int, size: int) -> None:
    found = ticks(low, low + size)
    assert 1 <= len(found) <= 7
    assert low <= found[0] <= found[-1] <= low + size


@pytest.mark.parametrize(
    ("shorten", "value", "text"),
    [
        (short, 0, "0"),
        (short, 9999, "9999"),
        (short, 12_000, "12k"),
        (short, -1500, "\N{MINUS SIGN}1500"),
        (short, 3_500_000, "3.5M"),
        (fitted, "Steph", "Steph"),
        (fitted, "Pair Or Fold 12", "Pair Or Fold \u2026"),
        (fitted, "\u5f20" * 7, "\u5f20" * 7),
        (fitted, "\u5f20" * 8, "\u5f20" * 6 + "\u2026"),
    ],
)
def test_chips_on_an_axis_and_names_beside_curves_are_short(
    shorten: Callable[[Any], str], value: int | str, text: str
) -> None:
    """Names are cut by their width."""
    assert shorten(value) == text


@pytest.mark.parametrize(
    ("shares", "payoffs", "winners"),
    [
        ((50, 300, 0), (-150, 250, -100), [1]),  # seat 0 lost chips, though a side pot was its own
        ((100, 300, 0), (50, 150, -200), [1, 0]),
        ((20, 20), (0, 0), [0, 1]),
    ],
)
def test_who_only_gets_chips_back_has_not_won(
    shares: tuple[int, ...], payoffs: tuple[int, ...], winners: list[int], contents: Contents
) -> None:
    hand = contents.course.largest[0]
    settled = replace(hand, settlement=hand.settlement._replace(shares=shares, payoffs=payoffs))
    assert winners_of(settled) == winners
