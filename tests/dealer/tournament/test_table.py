"""A table alone: who is told results, what a record says, and the steps of a hand in the log."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import cast

import pytest
import trio
import trio.testing
from rich.console import Console
from structlog.testing import capture_logs

from dealer.cli.flags import LogLevel, PageFlags, RunFlags
from dealer.faults import FaultKind, SeatLost
from dealer.hosting.outputs import Outputs
from dealer.journal.records import Record
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import Deal
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from dealer.settings import Settings
from dealer.tournament.between_hands import BetweenHands
from dealer.tournament.opening import NewTournament
from dealer.tournament.presence import Presence
from dealer.tournament.table import Table
from protocol.cards import DECK, parse_cards
from protocol.events import type_of
from protocol.games.base import FOLD, Action, Bet, Status, Turn
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.dealer.support.rig import SEED, call
from tests.dealer.support.scribe import players

# Connections without sockets, for tests of a table alone.


#: Answers a turn, or raises what comes of it.
Answer = Callable[[Turn], Action]


class ActingSeat:
    """A connection at whose other end a function answers.

    Attributes:
        told: every status that was told, in order.
        reply_seconds: see ``Seat``; a millisecond more for each reply.
        heard: see ``Seat``.
        at_once: for each question, whether its reply might be taken at once.
    """

    def __init__(self, answer: Answer) -> None:
        self.told: list[Status] = []
        self.reply_seconds = 0.0
        self.heard = b""
        self.at_once: list[bool] = []
        self._answer = answer

    async def ask(self, turn: Turn, *, at_once: bool, within: float) -> Action:
        assert within == inf
        self.reply_seconds += 0.001
        self.at_once.append(at_once)
        return self._answer(turn)

    def tell(self, status: Status) -> None:
        self.told.append(status)

    def keeps_place(self) -> bool:
        return False

    def excuses(self, _: SeatLost) -> bool:
        return False


def acting_seat(answer: Answer) -> Seat:
    """An ``ActingSeat``, as a table takes it."""
    return cast(Seat, ActingSeat(answer))


def told(seat: Seat) -> list[Status]:
    return cast(ActingSeat, seat).told


def table_of(ledger: Ledger, journal: Journal | None = None, *, log_steps: bool = False) -> Table:
    """The first table of a ledger, ready to play."""
    journal = journal or Journal(None)
    presence = Presence(ledger, journal, None)
    pauses = BetweenHands(ledger, journal, presence).action_pauses()
    return Table(ledger.seating.tables[0], ledger, journal, presence, pauses, log_steps=log_steps)


GAME = StudGame(50, 2)


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


@pytest.mark.parametrize(("tables", "in_a_row"), [(1, 8), (2, 4), (3, 2), (20, 1)])
async def test_others_run_after_a_few_questions_however_fast_replies_come(
    tables: int, in_a_row: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From hand to hand; the more tables there are, the fewer questions each of them puts in a row."""
    monkeypatch.setattr("dealer.tournament.table.AT_ONCE", 8)
    seat = acting_seat(call)  # one for all, which notes all questions in one list
    ledger = Ledger(
        Settings(SEED, GAME, table_size=2), [Player(f"p{n}", f"P {n}", "t", seat) for n in range(2 * tables)]
    )
    table = table_of(ledger)
    ledger.begin_game(table.state)
    for _ in range(10):
        await table.play_hand()
    asked = cast(ActingSeat, seat).at_once
    assert asked == [place % in_a_row > 0 for place in range(1, len(asked) + 1)]
    assert len(asked) == 40


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
        both[0].seat = acting_seat(call)
        raise SeatLost(FaultKind.GONE, "the program closed the connection", connected=False)

    table, both, deal = begun(come_back, call)
    played = await table.play(deal)
    assert (played.record.faults, both[0].faults) == ([], [])
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
        assert state.match.stacks == (50, 50, 50)
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


def scripted(*actions: Action) -> Answer:
    """Answers with these actions, one after the other."""
    left = list(actions)
    return lambda turn: left.pop(0)


def deck_with(cards: str) -> bytes:
    """A deck that begins with these cards."""
    first = [DECK.index(card) for card in parse_cards(cards)]
    return bytes([*first, *(place for place in range(len(DECK)) if place not in first)])


def seated(settings: Settings, *answers: Answer) -> Ledger:
    """A ledger with one table, at which these answers sit; the first fault costs nobody the seat."""
    those = players("Ann", "Bob", "Cyd")[: len(answers)]
    for player, answer in zip(those, answers, strict=True):
        player.seat, player.lives = acting_seat(answer), 2
    return Ledger(settings, those)


async def logged(game: Game, stacks: Sequence[int], cards: str, *answers: Answer) -> list[str]:
    ledger = seated(Settings(SEED, game), *answers)
    match = replace(game.start(len(stacks)), stacks=tuple(stacks))
    deal = Deal(2, 7, 1, tuple(range(len(stacks))), match, deck_with(cards))
    table = table_of(ledger, log_steps=True)
    with capture_logs() as logged:
        table.tell_results(await table.play(deal))
    lines = [line for line in logged if line["log_level"] == "debug"]
    assert {(line["table"], line["hand"]) for line in lines} == {(2, 7)}
    return [line["event"] for line in lines]


def late(turn: Turn) -> Action:
    """No reply comes."""
    raise SeatLost(FaultKind.LATE, "no reply within 1 s", connected=True)


async def test_every_step_of_a_hand_with_a_side_pot() -> None:
    cards = "AS AH KS KH 7D 2C QS 9H 8D 3C 4C"
    ann, bob, cyd = scripted(Bet(30)), scripted(Bet(65), Bet(10)), scripted(Bet(60), FOLD)
    assert await logged(HoldemGame(), (30, 100, 100), cards, ann, bob, cyd) == [
        "hand 7 is dealt at level 1: Ann (seat 0) has 30, Bob (seat 1) has 100, Cyd (seat 2) has 100",
        "Ann (seat 0) has the button",
        "Bob (seat 1) posts 5",
        "Cyd (seat 2) posts 10",
        "street 1 begins, pot 15",
        "Ann (seat 0) is asked: call 10, raise with 20 to 30, or fold; pot 15, stack 30",
        "Ann (seat 0) raises 20, puts in 30, pot 45, after 1.00 ms",
        "Bob (seat 1) is asked: call 25, raise with 45 to 95, or fold; pot 45, stack 95",
        "Bob (seat 1) raises 40, puts in 65, pot 110, after 1.00 ms",
        "Cyd (seat 2) is asked: call 60, raise with 90, or fold; pot 110, stack 90",
        "Cyd (seat 2) calls 60, pot 170, after 1.00 ms",
        "street 2 begins, pot 170: board QS 9H 8D",
        "the main pot has 90 chips, for Ann (seat 0), Bob (seat 1), Cyd (seat 2)",
        "side pot 1 has 80 chips, for Bob (seat 1), Cyd (seat 2)",
        "Bob (seat 1) is asked: check, bet with 10 to 30, or fold; pot 170, stack 30",
        "Bob (seat 1) bets 10, pot 180, after 2.00 ms",
        "Cyd (seat 2) is asked: call 10, raise with 20 to 30, or fold; pot 180, stack 30",
        "Cyd (seat 2) folds, after 2.00 ms",
        "street 4 begins, pot 170: board QS 9H 8D 3C 4C",
        "the main pot has 90 chips, for Ann (seat 0), Bob (seat 1)",
        "side pot 1 has 80 chips, for Bob (seat 1)",
        "Ann (seat 0) shows AS AH: a pair of aces",
        "Bob (seat 1) shows KS KH: a pair of kings",
        "Ann (seat 0) collects 90: a pair of aces",
        "Bob (seat 1) collects 80: a pair of kings",
        "hand 7 is over: Ann (seat 0) 90 (+60), Bob (seat 1) 110 (+10), Cyd (seat 2) 30 (-70)",
    ]


async def test_antes_up_cards_and_a_late_reply() -> None:
    assert await logged(StudGame(50, 2), (50, 50), "AS AH KS KH 7D 2C", scripted(Bet(2)), late) == [
        "hand 7 is dealt at level 1: Ann (seat 0) has 50, Bob (seat 1) has 50",
        "Ann (seat 0) pays 2 into the pot",
        "Bob (seat 1) pays 2 into the pot",
        "street 1 begins, pot 4: Ann (seat 0) has AH face up, Bob (seat 1) has 7D face up",
        "Ann (seat 0) is asked: check, bet with 1 to 10, or fold; pot 4, stack 48",
        "Ann (seat 0) bets 2, pot 6, after 1.00 ms",
        "Bob (seat 1) is asked: call 2, raise with 3 to 12, or fold; pot 6, stack 48",
        "Bob (seat 1) is folded: late",
        "Ann (seat 0) collects 6: all others folded",
        "hand 7 is over: Ann (seat 0) 52 (+2), Bob (seat 1) 48 (-2)",
    ]


def callers(journal: Journal, *, log_steps: bool) -> Table:
    """A table of two callers, ready for its first hand."""
    ledger = seated(Settings(SEED, HoldemGame()), call, call)
    ledger.begin_game(ledger.seating.tables[0])
    return table_of(ledger, journal, log_steps=log_steps)


async def test_cards_and_result_wait_for_the_journal() -> None:
    journal = HeldJournal()
    table = callers(journal, log_steps=True)
    with capture_logs() as lines:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(table.play_hand)
            await journal.asked.wait()
            await trio.testing.wait_all_tasks_blocked()
            before = [line["event"] for line in lines]
            journal.on_disk.set()
    after = [line["event"] for line in lines[len(before) :]]
    assert before[-1] == "Ann (seat 0) checks, after 4.00 ms"
    assert not [text for text in before if "shows" in text or "collects" in text]
    assert [text.split()[2] for text in after[:2]] == ["0)", "1)"]
    assert [" shows " in text for text in after] == [True, True, False, False]
    assert after[-1].startswith("hand 1 is over: ")


@pytest.mark.parametrize(("level", "steps"), [("debug", True), ("info", False), ("warning", False), ("error", False)])
async def test_steps_are_logged_at_the_level_debug_alone(level: LogLevel, steps: bool) -> None:
    outputs = Outputs(Console(), RunFlags(log_level=level), PageFlags())
    scene = outputs.scene(NewTournament(Settings(SEED, HoldemGame()), 2))
    with capture_logs() as lines:
        await callers(Journal(None), log_steps=scene.log_steps).play_hand()
    assert bool(lines) == steps
