"""A table alone: who is told results, when, and what a record says."""

import trio

from dealer.faults import FaultKind, SeatLost
from dealer.journal.writer import Journal
from dealer.ledger.deal import Deal
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.hand_player import OwnTables, TableTerms
from dealer.tournament.table import Table
from dealer.tournament.table_run import TableRun
from protocol.games.base import Action, Bet, Turn
from protocol.games.stud import StudGame
from tests.dealer.support.acting_seats import Chair, acting_seat, never_lost, told
from tests.dealer.support.rig import SEED

GAME = StudGame(50, 2)


def call(turn: Turn) -> Action:
    """Put in what is owed."""
    return Bet(turn.owed)


def begun(count: int) -> tuple[Ledger, Deal]:
    """A ledger of so many players at one table, and its first deal."""
    ledger = Ledger(Settings(SEED, GAME), [Player(f"p{number}", f"P {number}", "test") for number in range(count)])
    (table,) = ledger.seating.tables
    ledger.begin_game(table)
    return ledger, ledger.deal(table, ledger.next_deck(table))


async def test_all_who_played_a_hand_are_told_its_result() -> None:
    _, deal = begun(3)
    chairs = [Chair(acting_seat(call)) for _ in range(3)]
    table = Table(GAME, chairs, never_lost)
    played = await table.play(deal)
    assert [told(chair.seat) for chair in chairs if chair.seat] == [[], [], []]
    table.tell_results(played)
    assert [told(chair.seat) for chair in chairs if chair.seat] == [[one] for one in played.settlement.statuses()]


async def test_no_status_for_a_connection_that_was_replaced() -> None:
    """A player who comes back between the last action and the result: neither connection hears it."""
    _, deal = begun(2)
    first, other = acting_seat(call), acting_seat(call)
    chairs = [Chair(first), Chair(other)]
    table = Table(GAME, chairs, never_lost)
    played = await table.play(deal)
    chairs[0].seat = second = acting_seat(call)
    table.tell_results(played)
    assert (told(first), told(second)) == ([], [])
    assert len(told(other)) == 1


async def test_a_lost_connection_that_was_replaced_is_no_fault() -> None:
    """Its player is not judged, and is asked on the new connection from the next turn on."""
    chairs = [Chair(None), Chair(acting_seat(call))]

    def come_back(turn: Turn) -> Action:
        chairs[0].seat = acting_seat(call)
        raise SeatLost(FaultKind.GONE, "the program closed the connection", connected=False)

    chairs[0].seat = acting_seat(come_back)
    played = await Table(GAME, chairs, never_lost).play(begun(2)[1])
    assert played.record.faults == []
    assert [action for action in played.record.actions if action[0] == 0] == [(0, -1, None)]


async def test_a_fault_is_noted_with_its_seat() -> None:
    judged: list[tuple[int, FaultKind]] = []

    async def judge(number: int, lost: SeatLost) -> bool:
        judged.append((number, lost.fault.kind))
        return True

    def bet_too_much(turn: Turn) -> Action:
        return Bet((turn.stack or 0) + 1)

    played = await Table(GAME, [Chair(acting_seat(bet_too_much)), Chair(acting_seat(call))], judge).play(begun(2)[1])
    assert judged == [(0, FaultKind.ILLEGAL)]
    ((seat, kind, reason),) = played.record.faults
    assert (seat, kind) == (0, "illegal")
    assert reason.startswith("you bet 49 but have only 48 chips")


async def test_the_record_so_far_is_a_copy() -> None:
    """A record that was shown does not change when the table plays on."""
    shown = []

    def look_and_call(turn: Turn) -> Action:
        shown.append(table.so_far())
        return Bet(turn.owed)

    table = Table(GAME, [Chair(acting_seat(look_and_call)) for _ in range(2)], never_lost)
    assert table.so_far() is None
    played = await table.play(begun(2)[1])
    assert [len(record.actions) for record in shown if record] == list(range(len(played.record.actions)))
    table.tell_results(played)
    assert table.so_far() is None


class HeldJournal(Journal):
    """A journal that says that records are on the disk when the test says so."""

    is_read = True

    def __init__(self) -> None:
        super().__init__(None)
        self.types: list[str] = []
        self.asked = trio.Event()
        self.on_disk = trio.Event()

    def record(self, type_: str, **facts: object) -> None:
        """See ``Journal``."""
        self.types.append(type_)

    async def saved(self) -> None:
        """See ``Journal``."""
        self.asked.set()
        await self.on_disk.wait()


async def test_no_result_is_told_before_it_is_saved() -> None:
    """Until then no chips move either, and watchers still see a hand under way."""
    players = [Player(f"p{number}", f"P {number}", "test", acting_seat(call)) for number in range(3)]
    ledger, journal = Ledger(Settings(SEED, GAME), players), HeldJournal()
    (state,) = ledger.seating.tables
    ledger.begin_game(state)
    terms = TableTerms(state.number, ledger, lambda player, lost: True, lambda *_: None)
    run = TableRun(state, ledger, journal, OwnTables().at_table(terms))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run.play_hand)
        await journal.asked.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert journal.types == ["hand"]
        assert [told(player.seat) for player in players if player.seat] == [[], [], []]
        assert (state.match.stacks, run.last) == ((50, 50, 50), None)
        under_way = run.in_play
        assert under_way is not None
        replies = run.decisions_in_play
        journal.on_disk.set()
    assert [len(told(player.seat)) for player in players if player.seat] == [1, 1, 1]
    assert run.last is not None
    assert (run.in_play, run.last.record) == (None, under_way)
    assert (replies, run.decisions_in_play) == (sum(player.decisions for player in players), 0)
    assert replies > 0
    assert state.match.stacks != (50, 50, 50)
    assert state.match.stacks == tuple(50 + chips for chips in run.last.settlement.payoffs)
