"""Which hand of a table is shown, and what a seat says of it."""

from dealer.web.snapshot import numbers
from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, table_facts
from protocol.cards import DECK
from tests.dealer.web.test_page_secrets import deal, finish, stage


async def test_displayed_hand_stays_until_it_can_be_read() -> None:
    _, tournament = stage("stud", 2)
    (table,), displayed = tournament.tables, DisplayedHand()
    assert displayed.at(table, 0, HOLD_SECONDS) is None
    first = deal(tournament, DECK)
    assert displayed.at(table, 1, HOLD_SECONDS) is first
    newer = deal(tournament, DECK)  # the table has played on since
    assert displayed.at(table, 20, HOLD_SECONDS) is first
    await finish(first)
    assert displayed.at(table, 30, HOLD_SECONDS) is first
    assert displayed.at(table, 30 + HOLD_SECONDS - 0.1, HOLD_SECONDS) is first
    assert displayed.at(table, 30 + HOLD_SECONDS, HOLD_SECONDS) is newer


async def test_last_hand_stays_displayed() -> None:
    _, tournament = stage("stud", 2)
    (table,), displayed = tournament.tables, DisplayedHand()
    last = deal(tournament, DECK)
    await finish(last)
    table.last, table.current = last, None
    assert [displayed.at(table, now, HOLD_SECONDS) for now in range(10)] == [last] * 10


async def test_seat_and_log_show_action_and_time() -> None:
    scene, tournament = stage("stud", 3)
    shown = deal(tournament, DECK)
    names, blind = numbers(scene), CardVisibility(during=False, after=False)
    turn = shown.hand.to_act
    assert turn is not None
    assert table_facts(shown, tournament.settings.game, names, blind)["seats"][turn]["turn"]
    shown.record.actions.append((turn, -1, 1500))
    shown.hand = shown.hand.concede()
    facts = table_facts(shown, tournament.settings.game, names, blind)
    assert (facts["seats"][turn]["last"], "live" in facts["seats"][turn]) == ("folds", False)
    assert facts["log"] == [[turn, "folds", 1500]]
    assert (facts["pot"], facts["over"]) == (3, False)
