"""Which hand of a table is shown, and what a seat says of it."""

from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, Shown, table_facts
from protocol.cards import DECK
from protocol.games.base import FOLD
from tests.dealer.web.test_page_secrets import deal, stage


def number_shown(shown: Shown | None) -> tuple[int, bool] | None:
    """The number of the hand that is shown, and whether it is shown as over; None if there is none."""
    return shown and (shown.record.deal.number, shown.over)


async def test_displayed_hand_stays_until_it_can_be_read() -> None:
    _, tournament = stage("stud", 2)
    displayed = DisplayedHand()
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


async def test_hand_that_ended_unheard_gives_way_to_the_newest() -> None:
    _, tournament = stage("stud", 2)
    table, displayed = deal(tournament, DECK), DisplayedHand()
    displayed.at(table, 0, HOLD_SECONDS)
    table.finish()
    table.deal(DECK)
    assert number_shown(displayed.at(table, 1, HOLD_SECONDS)) == (2, False)


async def test_last_hand_stays_displayed() -> None:
    _, tournament = stage("stud", 2)
    table, displayed = deal(tournament, DECK), DisplayedHand()
    table.finish()
    assert [number_shown(displayed.at(table, now, HOLD_SECONDS)) for now in range(10)] == [(1, True)] * 10


async def test_seat_and_log_show_action_and_time() -> None:
    _, tournament = stage("stud", 3)
    table, displayed, blind = deal(tournament, DECK), DisplayedHand(), CardVisibility(during=False, after=False)
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
