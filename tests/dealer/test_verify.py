"""A journal that says what cannot have been is named by its record, whatever was altered in it.

Every alteration is written with checksums that are right: these are not accidents, somebody meant them.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from dealer.journal.file import AppendFile
from dealer.journal.records import JournalError
from dealer.journal.shapes import SHAPES
from dealer.journal.writer import open_journal
from dealer.refold import RefoldError, refold
from dealer.settings import LeagueWords, Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from protocol.shuffle import commitment, shuffled_places
from tests.bad_bots import replies
from tests.bad_bots.peer import Peer
from tests.dealer.recorded import clients_by_chance, facts, play_on, read_records, record, run_at_once, write_records
from tests.dealer.rig import SEED, open_rig

Records = list[dict[str, Any]]

STUD = Settings(SEED, hands=30, game=StudGame(60, 2), table_size=3)
BLOCKHEAD = Settings(SEED, BlockheadGame(200, 3), hands=3, games=3, lives=2, origin=LeagueWords(("alpha",), ()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("verify")


@pytest.fixture(scope="module")
def stud(folder: Path) -> Records:
    """Six players at two tables; one bets wrongly in its first hand."""
    path = folder / "stud.journal"
    run_at_once(partial(record, path, [*clients_by_chance(5), replies.bets_too_much], STUD))
    return read_records(path)


@pytest.fixture(scope="module")
def blockhead(folder: Path) -> Records:
    """Three players; one makes two mistakes and is out."""
    path = folder / "blockhead.journal"
    run_at_once(partial(record, path, [*clients_by_chance(2), replies.malformed], BLOCKHEAD))
    return read_records(path)


@pytest.fixture(scope="module")
def resumed(folder: Path, stud: Records) -> Records:
    """The tournament of stud again, whose dealer died after the fifth hand, and one player did not come back."""
    path = folder / "resumed.journal"
    fifth = numbers(stud, "hand")[4]
    write_records(path, stud[:fifth + 1])
    run_at_once(partial(play_on, path, {"chance-1"}))
    return read_records(path)


@pytest.fixture(scope="module")
def reunited(folder: Path) -> Records:
    """A player loses its connection, comes back, and loses it again for good."""
    path = folder / "reunited.journal"
    run_at_once(partial(play_with_absences, path))
    return read_records(path)


async def play_with_absences(path: Path) -> None:
    async with open_journal(AppendFile.create(path)) as journal:
        async with open_rig(replace(STUD, rejoin=5.0), journal=journal) as rig:
            first = Peer(await rig.connect())
            await first.log_in("steph:Steph")
            while not rig.lobby.players:
                await rig.lobby.changed()
            await rig.admit(*clients_by_chance(2))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(rig.begin().run)
                await first.hear_question()
                await first.stream.aclose()
                second = Peer(await rig.connect())
                await second.log_in("steph:Steph")
                await second.hear_question()
                await second.say("fold")
                await second.hear_question()
                await second.stream.aclose()


def numbers(records: Records, type_: str) -> list[int]:
    """Where the records of a type are, from 0."""
    return [number for number, told in enumerate(records) if told["type"] == type_]


def verdict(folder: Path, records: Records) -> str | None:
    """What is wrong with these records, without the name of the file; None if nothing is."""
    path = folder / "altered.journal"
    write_records(path, records)
    try:
        refold(path)
    except RefoldError as error:
        assert "\n" not in str(error)
        return str(error).removeprefix(f"{path}: ")
    return None


@pytest.fixture(params=["stud", "blockhead", "resumed", "reunited"])
def records(request: pytest.FixtureRequest) -> Records:
    """Each of the journals; a copy."""
    return deepcopy(request.getfixturevalue(request.param))


def test_each_journal_is_right_and_together_they_hold_every_type_of_record(
    folder: Path, stud: Records, blockhead: Records, resumed: Records, reunited: Records
) -> None:
    for journal in (stud, blockhead, resumed, reunited):
        assert verdict(folder, journal) is None
    every = [*stud, *blockhead, *resumed, *reunited]
    assert {told["type"] for told in every} == set(SHAPES)
    assert {kind for told in every if told["type"] == "hand" for _, kind, _ in told["faults"]} == {
        "illegal", "malformed", "late"
    }  # fmt: skip


# --- altered by somebody who knows what it means


def other_deck(told: dict[str, Any]) -> None:
    told["deck"] = told["deck"][::-1]


def stacked_deck(told: dict[str, Any]) -> None:
    deck = bytearray(told["deck"])
    deck[0], deck[1] = deck[1], deck[0]
    told["deck"] = bytes(deck)


def other_hands_deck(told: dict[str, Any]) -> None:
    told["deck"] = shuffled_places(SEED, told["table"], told["hand"] + 1)


def illegal_action(told: dict[str, Any]) -> None:
    first = told["actions"][0]
    told["actions"][0] = [first[0], 59, 5]


def other_action(told: dict[str, Any]) -> None:
    told["actions"] = told["actions"][:-1] + [[told["actions"][-1][0], -1, 5]]


def wrong_seat(told: dict[str, Any]) -> None:
    told["actions"][0][0] += 1


def action_too_few(told: dict[str, Any]) -> None:
    del told["actions"][-1]


def action_too_many(told: dict[str, Any]) -> None:
    told["actions"].append([0, 0, 5])


def no_actions(told: dict[str, Any]) -> None:
    told["actions"] = []


def wrong_payoff(told: dict[str, Any]) -> None:
    told["payoffs"][0] += 1
    told["payoffs"][1] -= 1


def payoff_too_many(told: dict[str, Any]) -> None:
    told["payoffs"].append(0)


def wrong_stacks(told: dict[str, Any]) -> None:
    told["stacks"][0] += 1
    told["stacks"][1] -= 1


def other_players(told: dict[str, Any]) -> None:
    told["players"].reverse()


def player_too_few(told: dict[str, Any]) -> None:
    told["players"].pop()


def made_up_fault(told: dict[str, Any]) -> None:
    told["faults"].append([0, "late", "no reply within 1 s"])


def no_reply(told: dict[str, Any]) -> None:
    told["actions"][0][2] = None


def given_up(told: dict[str, Any]) -> None:
    told["actions"] = [[seat, -1, None] for seat, _, _ in told["actions"][:2]]
    told["actions"][0][1:] = [-1, None]


def next_number(told: dict[str, Any]) -> None:
    told["hand"] += 1


def other_table(told: dict[str, Any]) -> None:
    told["table"] = 1 - told["table"]


def no_table(told: dict[str, Any]) -> None:
    told["table"] = 7


@pytest.mark.parametrize(
    ("alter", "told"),
    [
        (other_deck, r"deck: expected b'.*', got b'"),
        (stacked_deck, r"deck: expected b'.*', got b'"),
        (other_hands_deck, r"deck: expected b'.*', got b'"),
        (illegal_action, r"you bet 59, more than 10 above the \d+ you owe"),
        (wrong_seat, r"the seat to act: expected \d, got \d"),
        (action_too_few, r"the hand is not over: seat \d has to act"),
        (action_too_many, r"the seat to act: expected 0, got None|the seat to act: expected None, got 0"),
        (no_actions, r"the hand is not over: seat \d has to act"),
        (wrong_payoff, r"payoffs: expected \(.*\), got \("),
        (payoff_too_many, r"payoffs: expected \(.*\), got \("),
        (wrong_stacks, r"stacks: expected \(.*\), got \("),
        (other_players, r"players: expected \(.*\), got \("),
        (player_too_few, r"players: expected \(.*\), got \("),
        (made_up_fault, r"faults for which no hand was given up: expected \{\}, got \{0: .*late"),
        (no_reply, r"chips of a hand that was given up: expected -1, got \d+"),
        (next_number, r"hand: expected \d+, got \d+"),
        (other_table, r"(hand|players|deck): expected"),
        (no_table, r"there is no table 7"),
    ],
)
def test_a_hand_that_was_altered_is_named(
    alter: Callable[[dict[str, Any]], None], told: str, folder: Path, stud: Records
) -> None:
    """The last full hand of the second table: much was right before it."""
    records = deepcopy(stud)
    number = [n for n in numbers(records, "hand") if records[n]["table"] == 1 and not records[n]["faults"]][1]
    if alter is no_reply:  # of a seat that did not fold
        records[number]["actions"].sort(key=lambda action: action[1] == -1)
    before = records[number]["hand"], records[number]["table"]
    alter(records[number])
    found = verdict(folder, records)
    assert found is not None
    after = records[number]["hand"], records[number]["table"]
    assert found.startswith(f"record {number + 1} (hand, hand {after[0]} at table {after[1]}): ")
    assert re.search(told, found), found
    assert before is not None
