"""The table view: which hand is displayed, and what it shows of each seat."""

from pathlib import Path
from typing import Any

import pytest

from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, Shown, table_facts
from protocol.cards import DECK
from protocol.games.base import FOLD, Bet
from tests.dealer.web.test_page_secrets import GAMES, deal, stage

#: Leduc hold'em, a game with a board.
LEDUC = Path(__file__).parents[2] / "leduc_package"


def number_shown(shown: Shown | None) -> tuple[int, bool] | None:
    """The number of the hand that is shown, and whether it is shown as over; None if there is none."""
    return shown and (shown.record.deal.number, shown.over)


async def test_displayed_hand_stays_until_it_can_be_read() -> None:
    _, tournament = stage("stud", 2)
    displayed = DisplayedHand(tournament.settings.game, shows_cards=True)
    assert displayed.at(None, 0, HOLD_SECONDS) is None
    table = deal(tournament, DECK)
    assert number_shown(displayed.at(table, 1, HOLD_SECONDS)) == (1, False)
    displayed.hear(table.finish())
    for _ in range(2):  # the table has played on since
        table.deal(DECK)
        displayed.hear(table.finish())
    table.deal(DECK)
    assert number_shown(displayed.at(table, 30, HOLD_SECONDS)) == (1, True)
    assert number_shown(displayed.at(table, 30 + HOLD_SECONDS - 0.1, HOLD_SECONDS)) == (1, True)
    assert number_shown(displayed.at(table, 30 + HOLD_SECONDS, HOLD_SECONDS)) == (4, False)


async def test_hands_that_were_not_shown_are_summed_up() -> None:
    _, tournament = stage("stud", 2)
    displayed = DisplayedHand(tournament.settings.game, shows_cards=True)
    table = deal(tournament, DECK)
    displayed.at(table, 0, HOLD_SECONDS)
    displayed.hear(table.finish())
    displayed.at(table, 1, HOLD_SECONDS)
    for payoffs in ((5, -5), (-2, 2), (1, -1)):
        table.deal(DECK)
        displayed.hear({**table.finish(), "players": (0, 1), "payoffs": payoffs})
    table.deal(DECK)
    for now in (30, 30.3):
        shown = displayed.at(table, now, HOLD_SECONDS)
        assert shown is not None
        assert shown.skipped == (3, 0, 4)
    displayed.hear(table.finish())
    displayed.at(table, 31, HOLD_SECONDS)
    table.deal(DECK)
    shown = displayed.at(table, 60, HOLD_SECONDS)
    assert shown is not None
    assert (shown.record.deal.number, shown.skipped) == (6, None)


async def test_last_hand_is_shown_and_not_counted_as_skipped() -> None:
    _, tournament = stage("stud", 2)
    displayed = DisplayedHand(tournament.settings.game, shows_cards=True)
    table = deal(tournament, DECK)
    displayed.at(table, 0, HOLD_SECONDS)
    displayed.hear(table.finish())
    displayed.at(table, 1, HOLD_SECONDS)
    for payoffs in ((5, -5), (-50, 50)):
        table.deal(DECK)
        displayed.hear({**table.finish(), "players": (0, 1), "payoffs": payoffs})
    shown = displayed.at(table, 30, HOLD_SECONDS)
    assert shown is not None
    assert (shown.record.deal.number, shown.over, shown.skipped) == (3, True, (1, 0, 5))


async def test_hand_that_ended_unheard_gives_way_to_the_newest() -> None:
    _, tournament = stage("stud", 2)
    table, displayed = deal(tournament, DECK), DisplayedHand(tournament.settings.game, shows_cards=True)
    displayed.at(table, 0, HOLD_SECONDS)
    table.finish()
    table.deal(DECK)
    assert number_shown(displayed.at(table, 1, HOLD_SECONDS)) == (2, False)


async def test_last_hand_stays_displayed() -> None:
    _, tournament = stage("stud", 2)
    table, displayed = deal(tournament, DECK), DisplayedHand(tournament.settings.game, shows_cards=True)
    table.finish()
    assert [number_shown(displayed.at(table, now, HOLD_SECONDS)) for now in range(10)] == [(1, True)] * 10


async def test_seat_and_log_show_action_and_time() -> None:
    _, tournament = stage("stud", 3)
    table, displayed = deal(tournament, DECK), DisplayedHand(tournament.settings.game, shows_cards=False)
    blind = CardVisibility(during=False, after=False)
    turn = table.hand.to_act
    assert turn is not None
    shown = displayed.at(table, 0, HOLD_SECONDS)
    assert shown is not None
    assert table_facts(shown, table.game, tournament.players, blind)["seats"][turn]["turn"]
    table.act(FOLD, 1500)
    shown = displayed.at(table, 1, HOLD_SECONDS)
    assert shown is not None
    facts = table_facts(shown, table.game, tournament.players, blind)
    assert (facts["seats"][turn]["last"], "live" in facts["seats"][turn]) == ("folds", False)
    assert facts["log"] == [[turn, "folds", 1500]]
    assert (facts["pot"], facts["over"]) == (3, False)


async def test_board_and_every_hidden_card_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(LEDUC)
    from leduc.rules import CARDS, LeducGame  # noqa: PLC0415 - a package of its own, which may not be installed

    monkeypatch.setitem(GAMES, "leduc", (LeducGame(), 1))
    _, tournament = stage("leduc", 2)
    table, displayed = deal(tournament, CARDS), DisplayedHand(tournament.settings.game, shows_cards=False)
    blind, open_ = CardVisibility(during=False, after=False), CardVisibility(during=True, after=True)

    def facts(visible: CardVisibility) -> dict[str, Any]:
        shown = displayed.at(table, 0, HOLD_SECONDS)
        assert shown is not None
        return table_facts(shown, table.game, tournament.players, visible)

    assert facts(blind)["board"] == []
    assert [(seat["hidden"], "hole" in seat) for seat in facts(blind)["seats"]] == [(1, False)] * 2
    for _ in range(2):
        table.act(Bet(table.hand.legal().to_call))
    board = table.hand.public().board
    assert facts(blind)["board"] == [card.text for card in board] != []
    assert [seat["hole"] for seat in facts(open_)["seats"]] == [[card.text] for card in CARDS[:2]]
