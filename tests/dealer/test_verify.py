"""A journal that says what cannot have been is named by its record, whatever was altered in it.

Every alteration is written with checksums that are right: these are not accidents, somebody meant them.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from dealer.journal.file import AppendFile
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
    write_records(path, stud[: fifth + 1])
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
    told = None
    try:
        refold(path)
    except RefoldError as error:
        told = str(error)
    assert told is None or ("\n" not in told and told.startswith(f"{path}: "))
    return told and told.removeprefix(f"{path}: ")


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


Alteration = Callable[[dict[str, Any]], dict[str, Any]]

HANDS: dict[str, tuple[Alteration, str]] = {
    "another deck": (lambda hand: {"deck": hand["deck"][::-1]}, r"deck: expected b.*, got b"),
    "two cards exchanged": (
        lambda hand: {"deck": hand["deck"][1::-1] + hand["deck"][2:]},
        r"deck: expected b.*, got b",
    ),
    "the deck of the next hand": (
        lambda hand: {"deck": shuffled_places(SEED, hand["table"], hand["hand"] + 1)},
        r"deck: expected b.*, got b",
    ),
    "a bet too high": (
        lambda hand: {"actions": [[hand["actions"][0][0], 50, 5], *hand["actions"][1:]]},
        r"you bet 50, more than 10 above the \d+ you owe",
    ),
    "a bet too low": (
        lambda hand: {"actions": [*hand["actions"][:1], [hand["actions"][1][0], 0, 5]]},
        r"you bet 0 but owe \d+|the hand is not over",
    ),
    "another seat acts": (
        lambda hand: {"actions": [[hand["actions"][0][0] + 1, 0, 5], *hand["actions"][1:]]},
        r"the seat to act: expected \d, got \d",
    ),
    "an action too few": (lambda hand: {"actions": hand["actions"][:-1]}, r"the hand is not over: seat \d has to act"),
    "an action too many": (
        lambda hand: {"actions": [*hand["actions"], [0, 0, 5]]},
        r"the seat to act: expected (0, got None|None, got 0)",
    ),
    "no actions": (lambda _: {"actions": []}, r"the hand is not over: seat \d has to act"),
    "a chip moved in the payoffs": (
        lambda hand: {"payoffs": [hand["payoffs"][0] + 1, hand["payoffs"][1] - 1, *hand["payoffs"][2:]]},
        r"payoffs: expected \(.*\), got \(",
    ),
    "a payoff too many": (lambda hand: {"payoffs": [*hand["payoffs"], 0]}, r"payoffs: expected \(.*\), got \("),
    "a chip moved in the stacks": (
        lambda hand: {"stacks": [hand["stacks"][0] + 1, hand["stacks"][1] - 1, *hand["stacks"][2:]]},
        r"stacks: expected \(.*\), got \(",
    ),
    "players in another order": (lambda hand: {"players": hand["players"][::-1]}, r"players: expected \(.*\), got \("),
    "a player left out": (lambda hand: {"players": hand["players"][:-1]}, r"players: expected \(.*\), got \("),
    "a fault that nobody had": (
        lambda _: {"faults": [[0, "late", "no reply within 1 s"]]},
        r"faults for which no hand was given up: expected \{\}, got \{0: .*late",
    ),
    "a bet without a reply": (
        lambda hand: {"actions": [[*hand["actions"][0][:2], None], *hand["actions"][1:]]},
        r"chips of a hand that was given up: expected -1, got \d+",
    ),
    "another number": (lambda hand: {"hand": hand["hand"] + 1}, r"hand: expected \d+, got \d+"),
    "no such table": (lambda _: {"table": 7}, r"there is no table 7"),
    "the other table": (lambda hand: {"table": 1 - hand["table"]}, r"(hand|players|deck): expected"),
}
"""What somebody might say about a hand, and what it is told."""


@pytest.mark.parametrize(("alter", "told"), HANDS.values(), ids=HANDS)
def test_a_hand_that_was_altered_is_named(alter: Alteration, told: str, folder: Path, stud: Records) -> None:
    records = deepcopy(stud)
    number = next(
        number
        for number in numbers(records, "hand")
        if records[number]["hand"] > 1 and records[number]["actions"][0][1] >= 0 and len(records[number]["actions"]) > 3
    )
    hand = records[number]
    hand.update(alter(hand))
    found = verdict(folder, records)
    assert found is not None
    assert found.startswith(f"record {number + 1} (hand, hand {hand['hand']} at table {hand['table']}): "), found
    assert re.search(told, found), found


def test_a_hand_given_up_without_reply_or_fault_is_named(folder: Path, stud: Records) -> None:
    """A fold that is said to have been no answer: everything else about the hand stays as it was."""
    records = deepcopy(stud)
    folds = [
        (number, action)
        for number in numbers(records, "hand")
        for action in records[number]["actions"]
        if action[1] < 0
    ]
    number, fold = next((number, action) for number, action in folds if action[2] is not None)
    fold[2] = None
    found = verdict(folder, records) or ""
    assert found.startswith(f"record {number + 1} (hand")
    assert found.endswith(f": seat {fold[0]} gave up its hand without a reply, a fault or an absence")


OTHERS: dict[str, tuple[str, Alteration, str]] = {
    "another seed": ("start", lambda _: {"seed": bytes(32)}, r"commitment: expected '66687aad"),
    "another seed that is committed to": (
        "start",
        lambda _: {"seed": bytes(32), "commitment": commitment(bytes(32))},
        r"record \d \(hand, hand 1 at table \d\): deck: expected",
    ),
    "another commitment": ("start", lambda _: {"commitment": "00" * 32}, r"commitment: expected '\w{64}', got '0000"),
    "another text for the seed": ("start", lambda _: {"seed_text": "casino"}, r"seed: expected b.*, got b"),
    "another version": ("start", lambda _: {"version": 3}, "is of version 3, this program reads version 2"),
    "an unknown game": ("start", lambda _: {"game": "holdem"}, "this program does not know the game 'holdem'"),
    "another game": ("start", lambda _: {"game": "blockhead"}, "ranks: expected one of blockhead, poker, got None"),
    "no ante": ("start", lambda _: {"ante": 0}, "ante: expected a whole number from 1, got 0"),
    "another ante": ("start", lambda _: {"ante": 3}, r"\(hand, hand \d+ at table \d\)"),
    "another stack": (
        "start",
        lambda _: {"stack": 61},
        r"\(hand, .*stacks: expected \(61, 61|\(out.*chips: expected 61, got 60",
    ),
    "smaller tables": ("start", lambda _: {"table_size": 2}, r"no game is under way at this table|players: exp"),
    "one player": ("start", lambda start: {"players": start["players"][:1]}, "a tournament has 2 players or more"),
    "a player too few": (
        "start",
        lambda start: {"players": start["players"][:-1]},
        r"there is no player 5|players: exp",
    ),
    "a player twice": (
        "start",
        lambda start: {"players": [*start["players"][1:], start["players"][-1]]},
        "no two players have the same id",
    ),
    "players exchanged": (
        "start",
        lambda start: {"players": start["players"][::-1]},
        r"last fault of|in the standings: expected",
    ),
    "a game too early": ("game", lambda _: {"game": 2}, "game: expected 1, got 2"),
    "a game that begins elsewhere": ("game", lambda _: {"hand": 2}, "hand: expected 1, got 2"),
    "who left had other chips": ("out", lambda out: {"chips": out["chips"] + 1}, r"chips: expected \d+, got \d+"),
    "another left": ("out", lambda out: {"player": (out["player"] + 2) % 6}, r"last fault of|gave up its hand"),
    "a player nobody knows": ("out", lambda _: {"player": 6}, "there is no player 6"),
    "left for no fault": ("out", lambda _: {"kind": None}, "'bad' has no reason to leave a hand"),
    "left for another fault": ("out", lambda _: {"kind": "late"}, r"last fault of 'bad', who left: expected .*LATE"),
    "left with other words": ("out", lambda _: {"reason": "bye"}, r"last fault of 'bad', who left: expected .*bye"),
    "left in another hand": ("out", lambda _: {"hand": 3}, "hand: expected 0 or 1, got 3"),
    "left after another hand": ("out", lambda _: {"hand": 0}, "'bad' was not away, and no hand was under way"),
    "a standing too few": (
        "end",
        lambda end: {"standings": end["standings"][1:]},
        "number of standings: expected 6, got 5",
    ),
    "places exchanged": (
        "end",
        lambda end: {"standings": end["standings"][::-1]},
        r"(place|id) of .* in the standings",
    ),
}
"""What somebody might say elsewhere, in the first record of a type, and what it is told."""


@pytest.mark.parametrize(("type_", "alter", "told"), OTHERS.values(), ids=OTHERS)
def test_another_record_that_was_altered_is_named(
    type_: str, alter: Alteration, told: str, folder: Path, stud: Records
) -> None:
    records = deepcopy(stud)
    number = numbers(records, type_)[0]
    records[number].update(alter(records[number]))
    found = verdict(folder, records)
    assert found is not None
    assert re.search(told, found), found
    if "record" not in told and found.startswith(f"record {number + 1} "):
        assert found.startswith(f"record {number + 1} ({type_}")


ANOTHER: dict[type, Callable[[Any], Any]] = {
    int: lambda old: old + 1,
    str: lambda old: old + "x",
    list: lambda old: [*old, {"kind": "late", "reason": ""}],
    type(None): lambda _: "you are out",
}
STANDING = ("place", "id", "avatar", "bot", "chips", "hands_won", "hands_survived", "decisions", "faults", "left")


@pytest.mark.parametrize("fact", STANDING)
def test_every_fact_of_a_standing_is_checked(fact: str, folder: Path, records: Records) -> None:
    for place, standing in enumerate(records[-1]["standings"]):
        altered = deepcopy(records)
        altered[-1]["standings"][place][fact] = ANOTHER[type(standing[fact])](standing[fact])
        said = rf"record {len(records)} \(end\): {fact} of '{standing['id']}' in the standings: expected .*, got "
        assert re.match(said, verdict(folder, altered) or "")


def test_a_record_left_out_is_missed(folder: Path, records: Records) -> None:
    """But for the end itself, and for what nobody could have known by other records."""
    for number, told in enumerate(records[:-1]):
        found = verdict(folder, records[:number] + records[number + 1 :])
        assert found is not None or told["type"] in ("away", "back"), told
        if found is not None and told["type"] == "hand":
            assert int(found.split()[1]) > number


def test_without_its_last_records_a_tournament_is_only_not_finished(folder: Path, stud: Records) -> None:
    for count in range(1, len(stud)):
        assert verdict(folder, stud[:count]) is None


def test_a_record_twice_is_named(folder: Path, records: Records) -> None:
    for number, told in enumerate(records):
        found = verdict(folder, records[: number + 1] + records[number:])
        if told["type"] in ("back", "resume"):  # who comes back may not have been missed; a dealer may die at once
            continue
        assert found is not None, told
        assert found.startswith(f"record {number + 2} ({told['type']}")


def test_records_exchanged_are_named_or_were_in_no_order(folder: Path, records: Records) -> None:
    """Tables do not wait for each other: what happened at one may stand before or behind what did at another."""
    path = folder / "altered.journal"
    assert verdict(folder, records) is None
    right = facts(refold(path).ledger)
    swapped = 0
    for number in range(len(records) - 1):
        altered = deepcopy(records)
        altered[number : number + 2] = altered[number + 1], altered[number]
        if altered == records:
            continue
        if verdict(folder, altered) is None:
            assert facts(refold(path).ledger) == right
        else:
            swapped += 1
        same_table = [told.get("table") for told in altered[number : number + 2]]
        if same_table[0] is not None and same_table[0] == same_table[1]:
            assert verdict(folder, altered) is not None
    assert swapped > 3


@pytest.mark.parametrize("type_", sorted(SHAPES))
def test_nothing_may_follow_the_end(
    type_: str, folder: Path, stud: Records, resumed: Records, reunited: Records
) -> None:
    record_ = next(told for told in [*stud, *resumed, *reunited] if told["type"] == type_)
    found = verdict(folder, [*stud, record_])
    assert found is not None
    assert found.startswith(f"record {len(stud) + 1} ({type_}")
    assert found.endswith("the tournament is over, no record may follow")


@pytest.mark.parametrize("type_", sorted(set(SHAPES) - {"start"}))
def test_nothing_may_come_before_the_start(
    type_: str, folder: Path, stud: Records, resumed: Records, reunited: Records
) -> None:
    record_ = next(told for told in [*stud, *resumed, *reunited] if told["type"] == type_)
    found = verdict(folder, [record_, *stud])
    assert found is not None
    assert found.startswith(f"record 1 ({type_}")


WRONG: list[Any] = [None, True, -1, -2, 1.5, float("nan"), 2**64 - 1, "x", b"x", [], [[]], [None], {}, {"kind": 1}]


@pytest.mark.parametrize(("type_", "field"), [(type_, field) for type_, fields in SHAPES.items() for field in fields])
def test_every_field_of_every_record_must_be_there_and_of_its_form(
    type_: str, field: str, folder: Path, stud: Records, resumed: Records, reunited: Records
) -> None:
    journal = next(records for records in (stud, resumed, reunited) if numbers(records, type_))
    number = numbers(journal, type_)[0]
    records = deepcopy(journal)
    del records[number][field]
    assert verdict(folder, records) == f"record {number + 1}: {field} is missing"
    refused = 0
    for wrong in WRONG:
        records[number][field] = wrong
        found = verdict(folder, records)
        refused += (found or "").startswith(f"record {number + 1}: {field}")
    assert refused >= 5


@pytest.mark.parametrize("type_", [None, 5, "hands", "", b"hand", ["hand"], "x" * 10**4])
def test_an_unknown_type_of_record_is_named(type_: Any, folder: Path, stud: Records) -> None:
    path = folder / "altered.journal"
    write_records(path, [*stud[:2], {"type": type_, "table": 0}])
    with pytest.raises(RefoldError, match=r"record 3: expected a record of a type from start, game, .*; got ") as told:
        refold(path)
    assert len(str(told.value)) < 300 + len(str(path))


@pytest.mark.parametrize("other", [5, None, "text", [1, 2], True])
def test_what_is_no_record_is_named(other: Any, folder: Path, stud: Records) -> None:
    path = folder / "altered.journal"
    write_records(path, [*stud[:2], other])
    with pytest.raises(RefoldError, match=r"record 3: expected a record, got "):
        refold(path)


def test_an_absence_that_was_none_is_named(folder: Path, reunited: Records) -> None:
    away, back = numbers(reunited, "away")[0], numbers(reunited, "back")[0]
    records = deepcopy(reunited)
    records[away]["player"] = 1
    assert "gave up its hand without" in (verdict(folder, records) or "")
    records = deepcopy(reunited)
    records[back]["player"] = 1
    assert re.search(r"seat \d answered, but its player was not there", verdict(folder, records) or "")
    records = deepcopy(reunited)
    records[0]["rejoin"] = None
    assert verdict(folder, records) == f"record {away + 1} (away): nobody can come back to this tournament"


def test_a_hand_that_was_voided_without_need_is_named(folder: Path, stud: Records, resumed: Records) -> None:
    void = {"type": "void", "table": 0, "hand": 1}
    found = verdict(folder, [*stud[:3], void, *stud[3:]])
    assert found == (
        "record 4 (void, hand 1 at table 0): no hand was under way at this table when the dealer was started again"
    )
    voids = numbers(resumed, "void")
    found = verdict(folder, [told for number, told in enumerate(resumed) if number != voids[0]])
    assert "the hand under way when the dealer was started again must be void first" in (found or "")


def test_nobody_is_thrown_out_for_nothing(folder: Path, stud: Records) -> None:
    """Between two hands, with every later record about the player taken out as well."""
    out = {"type": "out", "player": 0, "hand": 0, "chips": 60, "kind": None, "reason": "you are out"}
    assert "'chance-0' can pay for the next hand, and does not leave" in (verdict(folder, [*stud[:3], out]) or "")
    out["kind"] = "gone"
    assert "'chance-0' was not away, and no hand was under way" in (verdict(folder, [*stud[:3], out]) or "")


def test_nobody_plays_on_without_lives(folder: Path, blockhead: Records) -> None:
    out = numbers(blockhead, "out")[0]
    found = verdict(folder, blockhead[:out] + blockhead[out + 1 :])
    assert "'bad' has no life left and plays on" in (found or "")


# --- altered by somebody who does not know what it means

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 60) | st.integers(-(2**63), 2**64 - 1) | st.floats()
    | st.text(max_size=4) | st.binary(max_size=4) | st.sampled_from(["late", "gone", "stud", "hand", "end", bytes(32)]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip

FREE = {
    "start": "started hands limit lives games duplicate table_size seed_text rejoin secrets origin players.*.proof",
    "hand": "actions.*.1 actions.*.2",
    "resume": "started cut",
    "away": "hand player",
    "back": "hand player",
    "end": "standings.*.reply_p50 standings.*.reply_p99",
}
"""What only the dealer knew: how long a player thought, how high a bet was that nobody called."""


def is_free(type_: str, place: tuple[Any, ...]) -> bool:
    """Whether no other record tells what is there."""
    dotted = ".".join(str(step) for step in place)
    return any(fnmatch(dotted, free) or fnmatch(dotted, f"{free}.*") for free in FREE.get(type_, "").split())


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything inside a value."""
    inner: list[tuple[Any, ...]] = []
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            inner += places(part, (*place, key))
    return [place, *inner] if place else inner


@given(data=st.data())
def test_whatever_is_put_wherever_a_journal_is_wrong_or_right_and_never_a_riddle(
    data: st.DataObject, folder: Path, stud: Records, blockhead: Records, resumed: Records, reunited: Records
) -> None:
    journals = {"stud": stud, "blockhead": blockhead, "resumed": resumed, "reunited": reunited}
    records = deepcopy(journals[data.draw(st.sampled_from(sorted(journals)), label="journal")])
    type_ = data.draw(st.sampled_from(sorted({told["type"] for told in records})), label="type")
    number = data.draw(st.sampled_from(numbers(records, type_)), label="record")
    *way, key = data.draw(st.sampled_from(places(records[number])), label="place")
    holder: Any = records[number]
    for step in way:
        holder = holder[step]
    before = deepcopy(records[number])
    if data.draw(st.integers(0, 4)) == 0:
        del holder[key]
    else:
        old = holder[key]
        near = st.integers(old - 2, old + 2) if type(old) is int else st.nothing()
        holder[key] = data.draw(near | VALUES, label="value")
    found = verdict(folder, records)
    if found is None and repr(before) != repr(records[number]):
        assert is_free(type_, (*way, key)), (type_, way, key)


@given(data=st.data())
def test_an_altered_action_is_named_or_moves_no_chip(data: st.DataObject, folder: Path, stud: Records) -> None:
    """A bet that nobody called may be said to have been another: whoever made it has it back."""
    records = deepcopy(stud)
    number = data.draw(st.sampled_from(numbers(records, "hand")), label="record")
    place = data.draw(st.integers(0, len(records[number]["actions"]) - 1), label="action")
    part = data.draw(st.integers(0, 2), label="part")
    action = records[number]["actions"][place]
    before, action[part] = action[part], data.draw(st.integers(-1, 70) | st.none(), label="value")
    found = verdict(folder, records)
    if found is not None:
        return
    assert part == 2 or before == action[part] or (part == 1 and min(before, action[1]) >= 0)
    assert (before is None) == (action[part] is None)
    path = folder / "right.journal"
    write_records(path, stud)
    assert facts(refold(folder / "altered.journal").ledger) == facts(refold(path).ledger)
