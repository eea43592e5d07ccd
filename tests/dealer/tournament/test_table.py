"""A table alone: who is told results, when, and what a record says."""

from collections.abc import Sequence

import trio

from dealer.faults import FaultKind, SeatLost
from dealer.journal.records import Record, type_of
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import Deal
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.table import Table
from protocol.games.base import Action, Bet, Status, Turn
from protocol.games.stud import StudGame
from tests.dealer.support.acting_seats import Answer, acting_seat, table_of, told
from tests.dealer.support.rig import SEED

GAME = StudGame(50, 2)


def call(turn: Turn) -> Action:
    return Bet(turn.owed)


def begun(*answers: Answer) -> tuple[Table, list[Player], Deal]:
    """A table at which these answers sit, its players, who have two lives each, and its first deal."""
    players = [
        Player(f"p{number}", f"P {number}", "test", acting_seat(one), lives=2) for number, one in enumerate(answers)
    ]
    ledger = Ledger(Settings(SEED, GAME), players)
    (state,) = ledger.seating.tables
    ledger.begin_game(state)
    return table_of(ledger), players, ledger.deal(state, ledger.next_deck(state))


def heard(players: Sequence[Player]) -> list[list[Status]]:
    """What players were told on the connections that they have."""
    return [told(player.seat) for player in players if player.seat]


async def test_all_who_played_a_hand_are_told_its_result() -> None:
    table, players, deal = begun(call, call, call)
    played = await table.play(deal)
    assert heard(players) == [[], [], []]
    table.tell_results(played)
    assert heard(players) == [[one] for one in played.settlement.statuses()]


async def test_no_status_for_a_connection_that_was_replaced() -> None:
    """A player who comes back between the last action and the result: neither connection hears it."""
    table, players, deal = begun(call, call)
    first = players[0].seat
    played = await table.play(deal)
    players[0].seat = acting_seat(call)
    table.tell_results(played)
    assert first is not None
    assert (told(first), list(map(len, heard(players)))) == ([], [0, 1])


async def test_a_lost_connection_that_was_replaced_is_no_fault() -> None:
    """Its player is not judged, and is asked on the new connection from the next turn on."""

    def come_back(turn: Turn) -> Action:
        players[0].seat = acting_seat(call)
        raise SeatLost(FaultKind.GONE, "the program closed the connection", connected=False)

    table, players, deal = begun(come_back, call)
    played = await table.play(deal)
    assert (played.record.faults, players[0].faults) == ([], [])
    assert [action for action in played.record.actions if action[0] == 0] == [(0, -1, None)]


async def test_a_fault_is_noted_with_its_seat() -> None:
    def bet_too_much(turn: Turn) -> Action:
        return Bet((turn.stack or 0) + 1)

    table, players, deal = begun(bet_too_much, call)
    played = await table.play(deal)
    assert [[fault.kind for fault in player.faults] for player in players] == [[FaultKind.ILLEGAL], []]
    ((seat, kind, reason),) = played.record.faults
    assert (seat, kind) == (0, "illegal")
    assert reason.startswith("you bet 49 but have only 48 chips")


async def test_the_record_so_far_is_a_copy() -> None:
    """A record that was shown does not change when the table plays on."""
    shown = []

    def look_and_call(turn: Turn) -> Action:
        shown.append(table.in_play)
        return Bet(turn.owed)

    table, _, deal = begun(look_and_call, look_and_call)
    assert table.in_play is None
    played = await table.play(deal)
    assert [len(record.actions) for record in shown if record] == list(range(len(played.record.actions)))
    table.tell_results(played)
    assert table.in_play is None


class HeldJournal(Journal):
    """A journal that says that records are on the disk when the test says so."""

    is_read = True

    def __init__(self) -> None:
        super().__init__(None)
        self.types: list[str] = []
        self.asked = trio.Event()
        self.on_disk = trio.Event()

    def record(self, record: Record) -> None:
        self.types.append(type_of(record))

    async def saved(self) -> None:
        self.asked.set()
        await self.on_disk.wait()


async def test_no_result_is_told_before_it_is_saved() -> None:
    """Until then no chips move either, and watchers still see a hand under way."""
    players = [Player(f"p{number}", f"P {number}", "test", acting_seat(call)) for number in range(3)]
    ledger, journal = Ledger(Settings(SEED, GAME), players), HeldJournal()
    (state,) = ledger.seating.tables
    ledger.begin_game(state)
    table = table_of(ledger, journal)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.play_hand)
        await journal.asked.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert journal.types == ["hand"]
        assert heard(players) == [[], [], []]
        assert (state.match.stacks, table.last) == ((50, 50, 50), None)
        under_way = table.in_play
        assert under_way is not None
        replies = table.decisions_in_play
        journal.on_disk.set()
    assert list(map(len, heard(players))) == [1, 1, 1]
    assert table.last is not None
    assert (table.in_play, table.last.record) == (None, under_way)
    assert (replies, table.decisions_in_play) == (sum(player.decisions for player in players), 0)
    assert replies > 0
    assert state.match.stacks != (50, 50, 50)
    assert state.match.stacks == tuple(50 + chips for chips in table.last.settlement.payoffs)
