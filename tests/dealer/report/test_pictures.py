"""The pictures and highlights at the head of a report, and their links."""

import pytest
from msgspec.structs import replace

from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.report.charts import picture
from dealer.report.contents import Contents
from dealer.report.labels import PageLinks
from dealer.report.report_page import duels_picture, face, falls_picture, hand_picture, highlights
from dealer.report.story import winners_of
from dealer.settings import Settings
from protocol.cards import DECK, UNKNOWN
from protocol.events import WonPot
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
    hand, picture = contents.course.told.largest[0], hand_picture(contents, LINKS)
    assert picture is not None
    assert (hand.hand, picture.link.href) == (2, "replay.html#hand=2")
    assert picture.title == f"The largest pot: {hand.pot} in hand 2"
    assert [seat.label.short for seat in picture.seats if not seat.won] == ["Ben"]
    assert [len(seat.faces) for seat in picture.seats] == [2, 2]
    assert (len(picture.board), picture.folded) == (5, 1)


def test_falls_are_listed_the_last_one_first(contents: Contents) -> None:
    found = falls_picture(contents, LINKS)
    rows = [(row.player.short, row.by and row.by.short, row.why, row.link.text) for row in found]
    assert rows == [("Ben", "Ada", "", "hand 2"), ("Dot", None, "left for a fault: malformed", "hand 1")]


def test_highlights_link_to_hands_and_quote_faults(contents: Contents) -> None:
    found = highlights(contents, LINKS)
    assert [item.text for item in found["Knock-outs"]] == ["\u2068Ada\u2069 knocked out \u2068Ben\u2069."]
    (fault,) = found["Faults worth learning from"]
    assert fault.text == "\u2068Dot\u2069 sent 'you'; expected 'fold' or 'bet:<chips>'."
    assert fault.link.href == "replay.html#hand=1"
    assert fault.more
    without = highlights(contents, PageLinks())
    assert not [item for items in without.values() for item in items if item.link.href]


def test_curves_begin_with_the_stack_and_end_with_the_chips(contents: Contents) -> None:
    chart = picture(contents)
    assert [one.name for one in chart.series] == [contents.styles[player].name for player in contents.order]
    assert {one.values[0] for one in chart.series} == {200}
    ends = {standing.player: standing.chips for standing in contents.standings}
    assert [one.values[-1] for one in chart.series] == [ends[player] for player in contents.order]


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
    hand = contents.course.told.largest[0]
    pot = WonPot(sum(shares), tuple(enumerate(shares)), "flush", "a flush, king high")
    settled = replace(hand, pots=(pot,), payoffs=payoffs)
    assert winners_of(settled) == winners
