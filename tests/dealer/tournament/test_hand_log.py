"""The steps of a hand in the log, word by word, and when each is told."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
import trio
import trio.testing
from rich.console import Console
from structlog.testing import capture_logs

from dealer.cli.flags import LogLevel, PageFlags, RunFlags
from dealer.faults import FaultKind, SeatLost
from dealer.hosting.outputs import Outputs
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import Deal
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.table import Table
from protocol.cards import DECK, parse_cards
from protocol.games.base import FOLD, Action, Bet, Turn
from protocol.games.game import Game
from protocol.games.holdem import HoldemGame
from protocol.games.stud import StudGame
from tests.dealer.support.acting_seats import Answer, acting_seat, table_of
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import players
from tests.dealer.tournament.test_table import HeldJournal


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
    """What the log tells of one hand."""
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
        "Ann (seat 0) collects 90 of 170: a pair of aces",
        "Bob (seat 1) collects 80 of 170: a pair of kings",
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
        "Ann (seat 0) collects 6 of 6: all others folded",
        "hand 7 is over: Ann (seat 0) 52 (+2), Bob (seat 1) 48 (-2)",
    ]


def callers(journal: Journal, *, log_steps: bool) -> Table:
    """A table of two callers, ready for its first hand."""
    ledger = seated(Settings(SEED, HoldemGame()), *[lambda turn: Bet(turn.owed)] * 2)
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
