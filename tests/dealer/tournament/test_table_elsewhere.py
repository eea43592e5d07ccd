"""A table that knows the tournament only by messages, as one in another process would."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgpack
import pytest
import trio

from dealer.audit.hands import play_so_far
from dealer.faults import FaultKind, SeatLost
from dealer.ledger.deal import Deal
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.table import Table
from protocol.games.base import Action, Bet, Turn
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stud import StudGame
from tests.dealer.support.acting_seats import Answer, Chair, acting_seat, told
from tests.dealer.support.recorded import facts
from tests.dealer.support.rig import SEED, by_chance

PLAYERS = 4
SETTINGS = {
    "stud": Settings(SEED, StudGame(300, 2), hands=25, table_size=PLAYERS),
    "stud with levels": Settings(SEED, StudGame(300, 2), hands=25, table_size=PLAYERS, levels=3),
    "blockhead": Settings(SEED, BlockheadGame(100, 5), hands=5, games=2, table_size=PLAYERS),
}


class Wire:
    """One end of a connection between two processes: messages travel as bytes."""

    def __init__(self, send: trio.MemorySendChannel[bytes], receive: trio.MemoryReceiveChannel[bytes]) -> None:
        self._send = send
        self._receive = receive

    async def send(self, **message: Any) -> None:
        """Send a message."""
        await self._send.send(msgpack.packb(message))

    async def receive(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = msgpack.unpackb(await self._receive.receive())
        return message


def wires() -> tuple[Wire, Wire]:
    """Both ends of a connection."""
    to_table, from_house = trio.open_memory_channel[bytes](0)
    to_house, from_table = trio.open_memory_channel[bytes](0)
    return Wire(to_table, from_table), Wire(to_house, from_house)


async def run_table(wire: Wire, game: Game, chairs: Sequence[Chair]) -> None:
    """The process of the table: plays the deals that come, and tells results when it hears that they are saved."""

    async def judge(number: int, lost: SeatLost) -> bool:
        await wire.send(lost=[number, lost.fault.kind.value, lost.fault.reason, lost.connected, lost.reached])
        verdict = await wire.receive()
        if verdict["out"]:
            chairs[number].seat = None
        return bool(verdict["fault"])

    table = Table(game, chairs, judge)
    while (message := await wire.receive())["deal"] is not None:
        played = await table.play(Deal.from_plain(message["deal"], game))
        await wire.send(record=played.record.to_plain())
        await wire.receive()
        table.tell_results(played)


async def play_elsewhere(ledger: Ledger, chairs: Sequence[Chair]) -> list[dict[str, Any]]:
    """Play the only table of a ledger through messages; the journal's records of its hands."""
    (state,), game = ledger.seating.tables, ledger.settings.game
    house, theirs = wires()
    records = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_table, theirs, game, chairs)
        while next_hand(ledger, state):
            await house.send(deal=ledger.deal(state, ledger.next_deck(state)).to_plain())
            while "lost" in (message := await house.receive()):
                number, kind, reason, *_ = message["lost"]
                put_out(ledger, state, number, f"{kind}: {reason}")
                await house.send(fault=True, out=True)
            record = HandRecord.from_plain(message["record"], game)
            last = play_so_far(record.deal.begin(game), record)[1]
            played = PlayedHand.of(record, last, last.settle())
            records.append(played.facts)
            ledger.finish(state, played)
            await house.send(saved=True)
        await house.send(deal=None)
    return records


async def play_here(ledger: Ledger, chairs: Sequence[Chair]) -> list[dict[str, Any]]:
    """The same in this process, where values are passed on as they are."""
    (state,) = ledger.seating.tables

    async def judge(number: int, lost: SeatLost) -> bool:
        fault = lost.fault
        put_out(ledger, state, number, f"{fault.kind.value}: {fault.reason}")
        chairs[number].seat = None
        return True

    table, records = Table(ledger.settings.game, chairs, judge), []
    while next_hand(ledger, state):
        played = await table.play(ledger.deal(state, ledger.next_deck(state)))
        records.append(played.facts)
        ledger.finish(state, played)
        table.tell_results(played)
    return records


def put_out(ledger: Ledger, state: TableState, number: int, reason: str) -> None:
    """Put a player out in the hand under way."""
    ledger.leave(ledger.players[number], state.hand_number, state.stacks_before[number], reason)


def next_hand(ledger: Ledger, state: TableState) -> bool:
    """Put out who cannot pay, raise the level if it is time, begin a game if one is due; whether a hand follows."""
    if ledger.levels.due(state):
        ledger.levels.begin_next()
    for player in ledger.broke(state):
        ledger.leave(player, state.hand_number, state.chips_before(player), "no chips")
    ledger.tidy(state)
    if not ledger.seating.table_over(state) and state.game_due:
        ledger.begin_game(state)
    return not ledger.seating.table_over(state)


def players_and_chairs() -> tuple[list[Player], list[Chair]]:
    """Players who act by chance; the last one is late with its fourth reply."""
    answers: list[Answer] = [by_chance(number) for number in range(PLAYERS)]
    answers[-1] = late_at_fourth_turn(answers[-1])
    players = [Player(f"p{number}", f"P {number}", "test") for number in range(PLAYERS)]
    return players, [Chair(acting_seat(answer)) for answer in answers]


def late_at_fourth_turn(answer: Answer) -> Answer:
    """The same answers, but the fourth does not come."""
    asked = 0

    def decide(turn: Turn) -> Action:
        nonlocal asked
        asked += 1
        if asked == 4:
            raise SeatLost(FaultKind.LATE, "no complete reply came", connected=True)
        return answer(turn)

    return decide


@pytest.mark.parametrize("name", SETTINGS)
async def test_a_table_elsewhere_plays_the_same_tournament(name: str) -> None:
    outcomes = []
    for play in (play_here, play_elsewhere):
        players, chairs = players_and_chairs()
        seats = [chair.seat for chair in chairs]
        ledger = Ledger(SETTINGS[name], players)
        records = await play(ledger, chairs)
        outcomes.append((records, facts(ledger), [told(seat) for seat in seats if seat]))
    assert outcomes[0] == outcomes[1]
    records, _, statuses = outcomes[0]
    assert len(records) > 5
    assert sum(len(record["faults"]) for record in records) == 1
    assert all(statuses[:-1])  # the last player is out in the first hand


@pytest.mark.parametrize("name", SETTINGS)
def test_deals_and_records_survive_messagepack(name: str) -> None:
    """Also with chips from a pot of the hand before, and antes that have risen."""
    game = SETTINGS[name].game
    match = game.start(3)
    carrying: dict[str, Any] = {"carried": 7, "played": 2} if hasattr(match, "carried") else {}
    match = replace(match, stacks=(10, 70, 40), seated=(1, 2, 0), **carrying)
    deal = Deal(3, 5, 2, (4, 0, 2), match, bytes(range(52)))
    record = HandRecord(deal, [(1, 2, 300), (2, -1, None)], [(2, "late", "no reply")], [(0, "raise to 1")])
    again = HandRecord.from_plain(msgpack.unpackb(msgpack.packb(record.to_plain())), game)
    assert again == record
    assert again.deal.begin(game) == deal.begin(game)
    assert Bet(0) in deal.begin(game).legal()
