"""The table view: which hand is displayed, and what it shows of each seat."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.audit.hands import play_so_far
from dealer.audit.win_chances import win_chances
from dealer.telling.hand_events import HandEvents
from dealer.telling.scene import RUN_OUT_SECONDS
from dealer.tournament.tournament import Tournament
from dealer.web.chance_worker import REMEMBERED, ChanceWorker
from dealer.web.table_view import HOLD_SECONDS, CardVisibility, DisplayedHand, Shown, table_facts
from protocol.cards import DECK, parse_cards
from protocol.games import holdem_deal
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame
from protocol.games.run_out import RunOut
from tests.dealer.support.stage import NearBoard
from tests.dealer.web.test_page_secrets import GAMES, PlayedTable, Stage, deal, parts, seen, stage

#: Leduc hold'em, a game with a board.
LEDUC = Path(__file__).parents[2] / "leduc_package"


def number_shown(shown: Shown | None) -> tuple[int, bool] | None:
    """The number of the hand that is shown, and whether it is shown as over; None if there is none."""
    return shown and (shown.hand, shown.ended is not None)


def look(displayed: DisplayedHand, table: PlayedTable, now: float, hold: float = HOLD_SECONDS) -> Shown | None:
    """The hand that is shown at a time, after all of the hand under way was told."""
    if (record := table.in_play) is not None:
        steps, hand = play_so_far(record.deal.begin(table.game), record)
        for event in HandEvents.of_deal(record.deal).steps(steps, hand):
            displayed.hear(event)
    return displayed.at(now, hold)


def finish(displayed: DisplayedHand, table: PlayedTable, payoffs: Sequence[int] | None = None) -> None:
    """Let the hand end, and tell that; perhaps with other payoffs than it has."""
    table.finish()
    tell_end(displayed, table, payoffs)


def tell_end(displayed: DisplayedHand, table: PlayedTable, payoffs: Sequence[int] | None = None) -> None:
    """Tell how the last hand of a table ended."""
    assert table.last is not None
    displayed.end(table.last.record, payoffs or table.last.settlement.payoffs)


def displayed_end(table: PlayedTable, *, shows_cards: bool = True) -> DisplayedHand:
    """What is displayed of a table by one who was told its last hand alone."""
    displayed = DisplayedHand(table.game, shows_cards=shows_cards)
    tell_end(displayed, table)
    return displayed


async def test_displayed_hand_stays_until_it_can_be_read() -> None:
    _, tournament = stage("stud", 2)
    displayed = DisplayedHand(tournament.settings.game, shows_cards=True)
    assert displayed.at(0, HOLD_SECONDS) is None
    table = deal(tournament, DECK)
    assert number_shown(look(displayed, table, 1)) == (1, False)
    finish(displayed, table)
    for _ in range(2):  # the table has played on since
        table.deal(DECK)
        finish(displayed, table)
    table.deal(DECK)
    assert number_shown(look(displayed, table, 30)) == (1, True)
    assert number_shown(look(displayed, table, 30 + HOLD_SECONDS - 0.1)) == (1, True)
    assert number_shown(look(displayed, table, 30 + HOLD_SECONDS)) == (4, False)


def after_hands(*payoffs: tuple[int, int]) -> tuple[DisplayedHand, PlayedTable]:
    """What is displayed of a table after a hand that was shown, and others that were not, of which it has heard."""
    _, tournament = stage("stud", 2)
    displayed = DisplayedHand(tournament.settings.game, shows_cards=True)
    table = deal(tournament, DECK)
    look(displayed, table, 0)
    finish(displayed, table)
    look(displayed, table, 1)
    for won in payoffs:
        table.deal(DECK)
        finish(displayed, table, won)
    return displayed, table


def shown_at(displayed: DisplayedHand, table: PlayedTable, now: float, hold: float = HOLD_SECONDS) -> Shown:
    """The hand that is shown at a time."""
    shown = look(displayed, table, now, hold)
    assert shown is not None
    return shown


async def test_hands_that_were_not_shown_are_summed_up() -> None:
    displayed, table = after_hands((5, -5), (-2, 2), (1, -1))
    table.deal(DECK)
    for now in (30, 30.3):
        assert shown_at(displayed, table, now).skipped == (3, 0, 4)
    finish(displayed, table)
    look(displayed, table, 31)
    table.deal(DECK)
    shown = shown_at(displayed, table, 60)
    assert (shown.hand, shown.skipped) == (6, None)


async def test_last_hand_is_shown_and_not_counted_as_skipped() -> None:
    displayed, table = after_hands((5, -5), (-50, 50))
    shown = shown_at(displayed, table, 30)
    assert (shown.hand, shown.ended is not None, shown.skipped) == (3, True, (1, 0, 5))


async def test_hand_that_ended_unheard_gives_way_to_the_newest() -> None:
    _, tournament = stage("stud", 2)
    table, displayed = deal(tournament, DECK), DisplayedHand(tournament.settings.game, shows_cards=True)
    look(displayed, table, 0)
    table.finish()
    table.deal(DECK)
    assert number_shown(look(displayed, table, 1)) == (2, False)


async def test_last_hand_stays_displayed() -> None:
    _, tournament = stage("stud", 2)
    table, displayed = deal(tournament, DECK), DisplayedHand(tournament.settings.game, shows_cards=True)
    finish(displayed, table)
    assert [number_shown(look(displayed, table, now)) for now in range(10)] == [(1, True)] * 10


async def test_seat_and_log_show_action_and_time() -> None:
    _, tournament = stage("stud", 3)
    table, displayed = deal(tournament, DECK), DisplayedHand(tournament.settings.game, shows_cards=False)
    blind = CardVisibility(during=False, after=False)
    turn = table.hand.to_act
    assert turn is not None
    shown = shown_at(displayed, table, 0)
    assert table_facts(shown, table.game, blind)["seats"][turn]["turn"]
    table.act(FOLD, 1500)
    shown = shown_at(displayed, table, 1)
    facts = table_facts(shown, table.game, blind)
    assert (facts["seats"][turn]["last"], "live" in facts["seats"][turn]) == ("folds", False)
    assert facts["log"] == [(turn, "folds", 1500)]
    assert (facts["pot"], facts["over"]) == (3, False)


async def test_board_and_every_hidden_card_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(LEDUC)
    from leduc.rules import CARDS, LeducGame  # noqa: PLC0415 - a package of its own, which may not be installed

    monkeypatch.setitem(GAMES, "leduc", (LeducGame(), 1))
    _, tournament = stage("leduc", 2)
    table, displayed = deal(tournament, CARDS), DisplayedHand(tournament.settings.game, shows_cards=False)
    blind, open_ = CardVisibility(during=False, after=False), CardVisibility(during=True, after=True)

    def facts(visible: CardVisibility) -> dict[str, Any]:
        shown = shown_at(displayed, table, 0)
        return table_facts(shown, table.game, visible)

    assert facts(blind)["board"] == []
    assert [(seat["hidden"], "hole" in seat) for seat in facts(blind)["seats"]] == [(1, False)] * 2
    for _ in range(2):
        table.act(Bet(table.hand.legal().to_call))
    board = table.hand.public().board
    assert facts(blind)["board"] == [card.text for card in board] != []
    assert [seat["hole"] for seat in facts(open_)["seats"]] == [(card.text,) for card in CARDS[:2]]


GAME = HoldemGame(stack=100)
OPEN, BLIND = CardVisibility(during=False, after=True), CardVisibility(during=False, after=False)

#: Aces against kings, and a board that changes nothing.
CARDS = parse_cards("AS AD KS KD 2C 7H 9D 4S 3C")
ACES = (*CARDS, *[card for card in DECK if card not in CARDS])


@pytest.fixture
async def holdem(monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Two players."""
    monkeypatch.setitem(GAMES, "holdem", (GAME, 2))
    return stage("holdem", 2)


def all_in(tournament: Tournament) -> PlayedTable:
    """A table whose players have put in all their chips before the flop."""
    table = deal(tournament, ACES)
    while table.hand.to_act is not None:
        legal = table.hand.legal()
        table.act(Bet(max(legal.raises, default=legal.to_call)))
    table.finish()
    return table


def facts(table: PlayedTable, shown: Shown | None, visible: CardVisibility, chances: Any = None) -> dict[str, Any]:
    assert shown is not None
    return table_facts(shown, GAME, visible, chances)


async def test_button_and_blinds_are_shown(holdem: Stage) -> None:
    table = deal(holdem[1], ACES)
    told = facts(table, look(DisplayedHand(GAME, shows_cards=True), table, 0), OPEN)
    button = table.hand.public().button
    assert [seat.get("button", False) for seat in told["seats"]] == [seat == button for seat in (0, 1)]
    assert sorted(seat["last"] for seat in told["seats"]) == ["posts 10", "posts 5"]
    assert told["pots"] == []


async def test_corrected_action_names_what_was_asked_for(holdem: Stage) -> None:
    table = deal(holdem[1], ACES)
    table.act(Bet(15))
    assert table.record is not None
    table.record = table.record._replace(corrections=[(0, "raise to 11"), (99, "fold")])
    told = facts(table, look(DisplayedHand(GAME, shows_cards=True), table, 0), OPEN)
    assert told["log"][-1][1] == "raises 10, puts in 15 (asked to raise to 11, counted as 20)"
    assert "raises 10" in [seat["last"] for seat in told["seats"]]
    record = table.finish()
    assert record.corrections[0] == (0, "raise to 11")


async def test_run_out_is_shown_street_by_street(holdem: Stage) -> None:
    table = all_in(holdem[1])
    displayed = displayed_end(table)
    boards = []
    for stage_ in range(4):
        shown = shown_at(displayed, table, 10 + stage_ * RUN_OUT_SECONDS)
        street = shown.street
        chances = win_chances(street, 2) if street else None
        told = facts(table, shown, OPEN, chances)
        boards.append(told["board"])
        assert told["over"] == (stage_ == 3)
        assert [seat.get("allIn", False) for seat in told["seats"]] == [stage_ < 3] * 2
        assert [seat["hole"] for seat in told["seats"]] == [("AS", "AD"), ("KS", "KD")]
        assert table.last is not None
        assert told["pot"] == table.last.pot
        if street is not None:
            assert [seat["stack"] for seat in told["seats"]] == list(table.last.last.stacks)
            assert chances is not None
            assert [seat["chance"] for seat in told["seats"]] == [round(win, 3) for win in chances.wins]
            assert not any(seat.get("won") for seat in told["seats"])
        else:
            assert "chance" not in told["seats"][0]
    texts = [card.text for card in CARDS[4:]]
    assert boards == [[], texts[:3], texts[:4], texts]


async def test_next_hand_waits_for_the_run_out(holdem: Stage) -> None:
    table = all_in(holdem[1])
    displayed = displayed_end(table)
    look(displayed, table, 0, 0)
    table.deal(ACES)
    over = 3 * RUN_OUT_SECONDS
    for now, number in ((over - 0.1, 1), (over, 2)):
        shown = shown_at(displayed, table, now, 0)
        assert shown.hand == number


async def test_hidden_cards_have_no_chances(holdem: Stage) -> None:
    table = all_in(holdem[1])
    shown = displayed_end(table, shows_cards=False).at(0, HOLD_SECONDS)
    told = facts(table, shown, BLIND)
    assert told["over"]
    assert not any("hole" in seat or "chance" in seat for seat in told["seats"])


def test_side_pots_begin_where_a_seat_is_all_in() -> None:
    """Unequal bets of seats that have chips left make no pots of their own."""

    def told(stacks: Sequence[int], *amounts: int) -> list[tuple[int, tuple[int, ...]]]:
        hand = holdem_deal.deal(DECK, stacks, GAME.bets, button=0, blinds=(0, 5, 10))
        for amount in amounts:
            hand = hand.apply(Bet(amount))
        return hand.public().side_pots()

    assert told((100, 100, 100), 40) == []
    assert told((100, 100, 100), 40, 35) == []
    assert told((30, 100, 100), 30) == []
    assert told((30, 100, 100), 30, 65) == [(70, (0, 1, 2)), (40, (1,))]
    assert told((30, 60, 100), 30, 55, 50) == [(90, (0, 1, 2)), (60, (1, 2))]


async def test_chances_are_counted_once_and_old_ones_forgotten(holdem: Stage) -> None:
    table = all_in(holdem[1])
    worker = ChanceWorker()
    streets: list[RunOut] = []
    for _ in range(REMEMBERED + 1):
        shown = displayed_end(table).at(0, HOLD_SECONDS)
        assert shown is not None
        streets.append(shown.streets[2])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worker.run)
        for street in streets:
            while (counted := worker.chances(street, 2)) is None:
                await trio.lowlevel.checkpoint()
            assert counted == win_chances(street, 2)
        assert worker.chances(streets[-1], 2) is not None
        assert worker.chances(streets[0], 2) is None
        nursery.cancel_scope.cancel()


async def test_viewers_are_told_chances(
    holdem: Stage, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(function: Callable[..., object], *words: object) -> object:
        return function(*words)

    monkeypatch.setattr(trio.to_thread, "run_sync", at_once)  # this clock does not wait for threads
    scene, tournament = holdem
    table = all_in(tournament)
    board = NearBoard(scene)
    with board.watched(None, "127.0.0.1"):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(board.run)
            await trio.sleep(RUN_OUT_SECONDS - 0.1)
            told = parts(board.since(0, None))["table"]
            assert told["allIn"]
            assert sum(seat["chance"] for seat in told["seats"]) == pytest.approx(1, abs=0.002)
            while not parts(board.since(0, None))["table"]["over"]:
                await trio.sleep(RUN_OUT_SECONDS)
            nursery.cancel_scope.cancel()
    assert table.last is not None
    assert b"chance" not in await seen(stage("stud", 2)[0])
