"""The table view of hold'em: button, blinds, side pots, and hands that are all in early, street by street."""

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.audit.win_chances import ChanceCount, win_chances
from dealer.tournament.tournament import Tournament
from dealer.web.board import Board
from dealer.web.chance_worker import PAUSE_SECONDS, PIECE, REMEMBERED, ChanceWorker
from dealer.web.table_view import HOLD_SECONDS, RUN_OUT_SECONDS, CardVisibility, DisplayedHand, Shown, table_facts
from protocol.cards import DECK, parse_cards
from protocol.games import holdem_deal
from protocol.games.base import Bet
from protocol.games.holdem import HoldemGame
from protocol.games.run_out import RunOut
from tests.dealer.web.test_page_secrets import GAMES, PlayedTable, Stage, deal, parts, seen, stage

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
    return table_facts(shown, GAME, table.state.players, visible, chances)


async def test_button_and_blinds_are_shown(holdem: Stage) -> None:
    table = deal(holdem[1], ACES)
    told = facts(table, DisplayedHand(GAME, shows_cards=True).at(table, 0, HOLD_SECONDS), OPEN)
    button = table.hand.public().button
    assert [seat.get("button", False) for seat in told["seats"]] == [seat == button for seat in (0, 1)]
    assert sorted(seat["last"] for seat in told["seats"]) == ["posts 10", "posts 5"]
    assert told["pots"] == []


async def test_corrected_action_names_what_was_asked_for(holdem: Stage) -> None:
    table = deal(holdem[1], ACES)
    table.act(Bet(15))
    assert table.record is not None
    table.record = table.record._replace(corrections=[(0, "raise to 11"), (99, "fold")])
    told = facts(table, DisplayedHand(GAME, shows_cards=True).at(table, 0, HOLD_SECONDS), OPEN)
    assert told["log"][-1][1] == "raises 10, puts in 15 (asked to raise to 11, counted as 20)"
    assert "raises 10" in [seat["last"] for seat in told["seats"]]
    record = table.finish()
    assert record["corrections"][0] == (0, "raise to 11")


async def test_run_out_is_shown_street_by_street(holdem: Stage) -> None:
    table = all_in(holdem[1])
    displayed = DisplayedHand(GAME, shows_cards=True)
    boards = []
    for stage_ in range(4):
        shown = displayed.at(table, 10 + stage_ * RUN_OUT_SECONDS, HOLD_SECONDS)
        assert shown is not None
        street = shown.street
        chances = win_chances(street, 2) if street else None
        told = facts(table, shown, OPEN, chances)
        boards.append(told["board"])
        assert told["over"] == (stage_ == 3)
        assert [seat.get("allIn", False) for seat in told["seats"]] == [stage_ < 3] * 2
        assert [seat["hole"] for seat in told["seats"]] == [["AS", "AD"], ["KS", "KD"]]
        if street is not None:
            assert chances is not None
            assert [seat["chance"] for seat in told["seats"]] == [round(win, 3) for win in chances.wins]
            assert not any(seat.get("won") for seat in told["seats"])
        else:
            assert "chance" not in told["seats"][0]
    texts = [card.text for card in CARDS[4:]]
    assert boards == [[], texts[:3], texts[:4], texts]


async def test_next_hand_waits_for_the_run_out(holdem: Stage) -> None:
    table = all_in(holdem[1])
    displayed = DisplayedHand(GAME, shows_cards=True)
    displayed.at(table, 0, 0)
    table.deal(ACES)
    over = 3 * RUN_OUT_SECONDS
    for now, number in ((over - 0.1, 1), (over, 2)):
        shown = displayed.at(table, now, 0)
        assert shown is not None
        assert shown.record.deal.number == number


async def test_hidden_cards_have_no_chances(holdem: Stage) -> None:
    table = all_in(holdem[1])
    shown = DisplayedHand(GAME, shows_cards=False).at(table, 0, HOLD_SECONDS)
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


async def test_chances_are_counted_in_small_pieces(
    holdem: Stage, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    shown = DisplayedHand(GAME, shows_cards=True).at(all_in(holdem[1]), 0, HOLD_SECONDS)
    assert shown is not None
    pieces: list[int] = []
    count = ChanceCount.add

    def counted(self: ChanceCount, boards: int) -> bool:
        pieces.append(boards)
        return count(self, boards)

    monkeypatch.setattr(ChanceCount, "add", counted)
    worker = ChanceWorker()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worker.run)
        assert [worker.chances(street, 2) for street in shown.streets] == [None] * 3
        began = trio.current_time()
        while None in [worker.chances(street, 2) for street in shown.streets]:
            await trio.sleep(PAUSE_SECONDS)
        nursery.cancel_scope.cancel()
    assert set(pieces) == {PIECE // 2}
    assert trio.current_time() - began >= (len(pieces) - 1) * PAUSE_SECONDS
    monkeypatch.undo()
    assert [worker.chances(street, 2) for street in shown.streets] == [
        win_chances(street, 2) for street in shown.streets
    ]


async def test_old_chances_are_forgotten(holdem: Stage, autojump_clock: MockClock) -> None:
    table = all_in(holdem[1])
    worker = ChanceWorker()
    streets: list[RunOut] = []
    for _ in range(REMEMBERED + 1):
        shown = DisplayedHand(GAME, shows_cards=True).at(table, 0, 0)
        assert shown is not None
        streets.append(shown.streets[2])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worker.run)
        for street in streets:
            worker.chances(street, 2)
        await trio.sleep(60)
        assert worker.chances(streets[-1], 2) is not None
        assert worker.chances(streets[0], 2) is None
        nursery.cancel_scope.cancel()


async def test_viewers_are_told_chances(holdem: Stage, autojump_clock: MockClock) -> None:
    scene, tournament = holdem
    table = all_in(tournament)
    board = Board(scene)
    with board.watched(None, "127.0.0.1"):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(board.run)
            await trio.sleep(RUN_OUT_SECONDS - 0.1)
            told = parts(board.since(0, None))["table"]
            assert told["allIn"]
            assert sum(seat["chance"] for seat in told["seats"]) == pytest.approx(1, abs=0.002)
            # The clock goes on while a thread computes chances, so the page may need more of its time.
            while not parts(board.since(0, None))["table"]["over"]:
                await trio.sleep(RUN_OUT_SECONDS)
            nursery.cancel_scope.cancel()
    assert table.last is not None
    assert b"chance" not in await seen(stage("stud", 2)[0])
