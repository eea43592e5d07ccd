"""A journal that says what cannot have been is named by its record, whatever was altered in it.

Every alteration is written with checksums that are right: these are not accidents but forgeries.
"""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dealer.audit.verify import verify_journal
from dealer.errors import RebuildError
from dealer.faults import Fault, FaultKind
from dealer.journal.records import TYPES
from dealer.settings import AcpcTerms, Settings
from protocol.games.base import Bet
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame
from protocol.shuffle import commitment, shuffled_places
from tests.dealer.support.altered_journals import Records, numbers, verdict
from tests.dealer.support.raw_records import without_closings
from tests.dealer.support.recorded import facts, play_on, read_records, rebuilt, run_at_once, write_records
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Scribe, players


def test_journals_are_right_and_hold_every_record_type(folder: Path, journals: list[Records]) -> None:
    for journal in journals:
        assert verdict(folder, journal) is None
    every = [told for journal in journals for told in journal]
    assert {told["type"] for told in every} == set(TYPES)
    assert {kind for told in every if told["type"] == "hand" for _, kind, _ in told["faults"]} == {
        "illegal", "malformed", "late"
    }  # fmt: skip


Alteration = Callable[[dict[str, Any]], dict[str, Any]]

#: Forged claims about a hand, and the error of each.
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
        r"you bet 50(, more than 10 above the \d+ you owe| but have only \d+ chips)",
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
    "another pot": (lambda hand: {"pot": hand["pot"] + 1}, r"pot: expected \d+, got \d+"),
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


def test_dealer_checks_for_a_seat_only_where_programs_of_the_acpc_play(folder: Path) -> None:
    settings = Settings(SEED, HoldemGame(acpc=1, reset_stacks=1), hands=1, acpc=AcpcTerms())
    scribe = Scribe(settings, players("Ann", "Bob"))
    late = Fault(FaultKind.LATE, "no complete reply within 1 s")
    scribe.play_round(lambda _, turn: Bet(turn.owed) if turn.owed else late)
    scribe.end()
    records = read_records(scribe.write(folder / "checked.journal"))
    assert verdict(folder, records) is None
    found = verdict(folder, [records[0] | {"acpc_terms": None}, *records[1:]])
    assert found is not None
    assert re.search(r"the dealer checked for seat \d, and had to fold for it$", found), found


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


#: Forged claims in the first record of another type, and the error of each.
OTHERS: dict[str, tuple[str, Alteration, str]] = {
    "another seed": ("start", lambda _: {"seed": bytes(32)}, r"commitment: expected '66687aad"),
    "another seed that is committed to": (
        "start",
        lambda _: {"seed": bytes(32), "commitment": commitment(bytes(32))},
        r"record \d \(hand, hand 1 at table \d\): deck: expected",
    ),
    "another commitment": ("start", lambda _: {"commitment": "00" * 32}, r"commitment: expected '\w{64}', got '0000"),
    "another text for the seed": ("start", lambda _: {"seed_text": "casino"}, r"seed: expected b.*, got b"),
    "another version": ("start", lambda _: {"version": 2}, "is of version 2, this program reads versions 6 and 7"),
    "an unknown game": ("start", lambda _: {"game": "chess"}, "this program does not know the game 'chess'"),
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
    "a program of the ACPC": (
        "start",
        lambda start: {"players": [start["players"][0] | {"acpc": True}, *start["players"][1:]]},
        "no program of the ACPC could take part",
    ),
    "programs of the ACPC": (
        "start",
        lambda _: {"acpc_terms": {"names": [], "limit": 7.0, "strict": False, "average": None}},
        "programs of the ACPC do not play stud",
    ),
    "rounds of Swiss": ("start", lambda _: {"format": "round-robin", "rounds": 3}, "rounds: expected None, got 3"),
    "players exchanged": (
        "start",
        lambda start: {"players": start["players"][::-1]},
        r"last fault of|in the standings: expected",
    ),
    "a game too early": ("game", lambda _: {"game": 2}, "game: expected 1, got 2"),
    "a game that begins elsewhere": ("game", lambda _: {"hand": 2}, "hand: expected 1, got 2"),
    "who left had other chips": ("out", lambda out: {"chips": out["chips"] + 1}, r"chips: expected \d+, got \d+"),
    "another left": (
        "out",
        lambda out: {"player": (out["player"] + 2) % 6},
        r"last fault of|gave up its hand|is still in, so its connection was not closed",
    ),
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
    (end,) = numbers(records, "end")
    for place, standing in enumerate(records[end]["standings"]):
        altered = deepcopy(records)
        altered[end]["standings"][place][fact] = ANOTHER[type(standing[fact])](standing[fact])
        said = rf"record {end + 1} \(end\): {fact} of '{standing['id']}' in the standings: expected .*, got "
        assert re.match(said, verdict(folder, altered) or "")


def is_missed_by_nobody(records: Records, number: int) -> bool:
    """Whether a journal without a record would be as right: nothing that came later depends on it."""
    told, later = records[number], records[number + 1 :]
    rounds = numbers(later, "round")
    hands = numbers(later[: rounds[0]] if rounds else later, "hand")
    match told["type"]:
        case "away" | "back" | "closed" | "stall" | "refused" | "services":
            return True
        case "desk":
            return told["command"] in ("pause", "resume", "pace")
        case "game":
            return told["table"] not in [later[hand]["table"] for hand in hands]
        case "level":
            return not hands
        case "out":  # who went broke in a round that others have followed plays again
            return told["kind"] is None and bool(rounds)
    return told["type"] == "end" and not without_closings(later)


def test_a_record_left_out_is_missed(folder: Path, records: Records) -> None:
    """But for the end itself, and for what nobody could have known by other records."""
    for number, told in enumerate(records):
        found = verdict(folder, records[:number] + records[number + 1 :])
        free = is_missed_by_nobody(records, number)
        assert found is not None or free, told
        if found is not None and told["type"] == "hand":
            assert int(found.split()[1]) > number


def test_journal_without_its_last_records_is_unfinished(folder: Path, stud: Records) -> None:
    for count in range(1, len(stud)):
        assert verdict(folder, stud[:count]) is None


def test_a_player_who_left_in_an_unfinished_hand_is_named(folder: Path, stud: Records) -> None:
    """The hand in which a fault put a player out is missing, and the tournament is said to be over."""
    (left,) = [number for number in numbers(stud, "out") if stud[number]["kind"] == "illegal"]
    records = [*stud[: left + 1], stud[numbers(stud, "end")[0]]]
    assert verdict(folder, records) == f"record {len(records)} (end): 'bad' left in a hand that is not over"


@pytest.mark.parametrize("levels", [1, [{"hands": 5, "ante": 2}]])
def test_levels_of_a_game_in_which_nothing_rises_are_named(levels: object, folder: Path, blockhead: Records) -> None:
    found = verdict(folder, [blockhead[0] | {"levels": levels}, *blockhead[1:]])
    assert found is not None
    assert found.startswith("record 1 (start): ")
    assert "in blockhead nothing can rise" in found


def test_a_game_that_begins_before_the_last_is_over_is_named(folder: Path, blockhead: Records) -> None:
    first = numbers(blockhead, "hand")[0]
    early = {"type": "game", "table": 0, "game": 2, "hand": 2}
    found = verdict(folder, [*blockhead[: first + 1], early])
    assert found is not None
    assert "a game begins when the one before it is over, as long as there are any" in found


def test_a_game_at_a_table_of_one_player_is_named(folder: Path) -> None:
    """The other player left in the first game, so there is nobody to play the second with."""
    settings = Settings(SEED, BlockheadGame(100, 2), hands=2, games=2)
    scribe = Scribe(settings, players("Amit", "Brian"))
    scribe.game()
    late = Fault(FaultKind.LATE, "no reply")
    scribe.hand(lambda player, turn: late if player is scribe.players[0] else Bet(turn.owed))
    assert rebuilt(scribe.write(folder / "alone.journal")).ledger.seating.over
    scribe.record("game", table=0, game=2, hand=2)
    with pytest.raises(RebuildError, match="this table has no more games to play"):
        rebuilt(scribe.write(folder / "alone.journal"))


def test_an_end_before_a_hand_in_progress_is_void_is_named(folder: Path, stud: Records, resumed: Records) -> None:
    (again,) = numbers(resumed, "resume")
    records = [*resumed[: again + 1], stud[numbers(stud, "end")[0]]]
    assert (verdict(folder, records) or "").startswith(f"record {len(records)} (end): a hand is under way at table ")


def test_a_connection_closed_while_its_player_is_in_is_named(folder: Path, stud: Records) -> None:
    early = {"type": "closed", "player": 0, "in_time": True}
    found = verdict(folder, [stud[0], early])
    assert found == "record 2 (closed): 'chance-0' is still in, so its connection was not closed"


def test_a_removal_without_a_reason_is_named(folder: Path, hosted: Records) -> None:
    records = deepcopy(hosted)
    (number,) = [number for number in numbers(records, "desk") if records[number]["command"] == "remove"]
    records[number]["reason"] = None
    assert verdict(folder, records) == f"record {number + 1} (desk): a player is removed for a reason"


def test_a_record_twice_is_named(folder: Path, records: Records) -> None:
    for number, told in enumerate(records):
        found = verdict(folder, records[: number + 1] + records[number:])
        # who comes back may not have been missed; hosts may repeat; a dealer may stand still twice, and refuse twice
        if told["type"] in ("back", "resume", "desk", "stall", "refused", "services", "corrected"):
            continue
        assert found is not None, told
        assert found.startswith(f"record {number + 2} ({told['type']}")


def test_records_exchanged_are_named_or_were_in_no_order(folder: Path, records: Records) -> None:
    """Tables do not wait for each other: what happened at one may stand before or behind what did at another."""
    path = folder / "altered.journal"
    assert verdict(folder, records) is None
    right = outcome(path)
    swapped = 0
    for number in range(len(records) - 1):
        altered = deepcopy(records)
        altered[number : number + 2] = altered[number + 1], altered[number]
        if altered == records:
            continue
        if verdict(folder, altered) is None:
            assert outcome(path) == right
        else:
            swapped += 1
        pair = altered[number : number + 2]
        same_table = [told.get("table") for told in pair]
        if {"move", "readmitted"} & {
            told["type"] for told in pair
        }:  # who goes to a table during a hand is dealt in only next
            continue
        if same_table[0] is not None and same_table[0] == same_table[1]:
            assert verdict(folder, altered) is not None
    assert swapped > 3


def outcome(path: Path) -> dict[str, Any]:
    """All that a journal tells, but for the ante of a table at which nobody plays any more."""
    told = facts(rebuilt(path).ledger)
    for table in told["tables"]:
        if not table["match"].seated:
            table["match"] = table["match"].stacks
    return told


@pytest.mark.parametrize("type_", sorted(TYPES))
def test_nothing_may_follow_the_end_or_come_before_the_start(
    type_: str, folder: Path, stud: Records, journals: list[Records]
) -> None:
    record_ = next(told for journal in journals for told in journal if told["type"] == type_)
    found = verdict(folder, [*stud, record_])
    assert found is not None
    assert found.startswith(f"record {len(stud) + 1} ({type_}")
    assert found.endswith(
        "was closed before" if type_ == "closed" else "the tournament is over, no such record may follow"
    )
    if type_ != "start":
        assert (verdict(folder, [record_, *stud]) or "").startswith(f"record 1 ({type_}")


def test_an_absence_that_was_none_is_named(folder: Path, reunited: Records) -> None:
    away, back = numbers(reunited, "away")[0], numbers(reunited, "back")[0]
    records = deepcopy(reunited)
    records[away]["player"] = 1
    told = r"seat \d (gave up its hand without|answered, but its player was not there)"
    assert re.search(told, verdict(folder, records) or "")
    records = deepcopy(reunited)
    records[back]["player"] = 1
    assert re.search(r"seat \d answered, but its player was not there", verdict(folder, records) or "")
    records = deepcopy(reunited)
    records[0]["rejoin"] = None
    assert verdict(folder, records) == f"record {away + 1} (away): nobody can come back to this tournament"


def test_coming_back_without_an_absence_excuses_nothing(folder: Path, reunited: Records) -> None:
    """Without rejoin only a person comes back whose page was gone for a moment, and the table waits for that."""
    away, back = numbers(reunited, "away")[0], numbers(reunited, "back")[0]
    records = deepcopy(reunited)
    records[0]["rejoin"] = None
    records[away] = {**records[back], "hand": records[away]["hand"]}
    found = verdict(folder, records) or ""
    assert f"hand {records[away]['hand']} at" in found
    assert re.search(r"seat \d gave up its hand without a reply, a fault or an absence", found)


def test_player_away_at_the_crash_may_come_back(folder: Path, reunited: Records) -> None:
    path = folder / "away.journal"
    write_records(path, reunited[: numbers(reunited, "away")[0] + 1])
    played = run_at_once(partial(play_on, path))
    steph = played.tournament.players[0]
    assert steph.decisions > 1
    assert facts(rebuilt(path).ledger) == facts(played.tournament.ledger)


def test_a_hand_that_was_voided_without_need_is_named(folder: Path, stud: Records, resumed: Records) -> None:
    begun = numbers(stud, "game")[0] + 1
    found = verdict(folder, [*stud[:begun], {"type": "void", "table": 0, "hand": 1}, *stud[begun:]])
    assert "no hand was under way at this table when the dealer was started again" in (found or "")
    voids = numbers(resumed, "void")
    found = verdict(folder, [told for number, told in enumerate(resumed) if number != voids[0]])
    assert "the hand under way when the dealer was started again must be void first" in (found or "")


def test_no_hand_is_void_after_a_suspension(suspended: Records) -> None:
    (stopped,), (resumed,) = numbers(suspended, "stopped"), numbers(suspended, "resume")
    assert {told["type"] for told in suspended[stopped + 1 : resumed]} <= {"closed"}
    assert not numbers(suspended, "void")
    dealt = [(told["table"], told["hand"]) for told in suspended if told["type"] == "hand"]
    for table, last in dict(dealt).items():
        assert [hand for place, hand in dealt if place == table] == list(range(1, last + 1))


def test_dealer_killed_before_it_has_told_that_all_tables_stopped_voids_hands(folder: Path, suspended: Records) -> None:
    path = folder / "killed.journal"
    (stopped,) = numbers(suspended, "stopped")
    for count, voided in ((stopped, True), (stopped + 1, False)):
        write_records(path, suspended[:count])
        played = run_at_once(partial(play_on, path))
        assert facts(rebuilt(path).ledger) == facts(played.tournament.ledger)
        assert bool(numbers(read_records(path), "void")) == voided


def test_dealer_killed_after_it_was_resumed_from_a_suspension_voids_hands(folder: Path, suspended: Records) -> None:
    path = folder / "killed.journal"
    (resumed,) = numbers(suspended, "resume")
    write_records(path, suspended[: resumed + 1])
    run_at_once(partial(play_on, path))
    assert numbers(read_records(path), "void")


def test_a_stop_that_was_none_is_named(folder: Path, stud: Records, suspended: Records) -> None:
    stop = {"type": "stopped"}
    found = verdict(folder, [*stud[:3], stop])
    assert found == "record 4 (stopped): the host did not suspend the tournament"
    suspend = {"type": "desk", "command": "suspend", "player": None, "seconds": None, "reason": None}
    (left,) = [number for number in numbers(stud, "out") if stud[number]["kind"] == "illegal"]
    found = verdict(folder, [*stud[: left + 1], suspend, stop])
    assert found == f"record {left + 3} (stopped): 'bad' left in a hand that is not over"
    (stopped,) = numbers(suspended, "stopped")
    hand = next(number for number in numbers(suspended, "hand") if number > stopped)
    found = verdict(folder, [*suspended[: stopped + 1], suspended[hand]])
    assert (found or "").endswith("all tables have stopped, and none plays on")
    (resumed,) = numbers(suspended, "resume")
    found = verdict(folder, [*suspended[: resumed + 1], stop])
    assert (found or "").endswith("the host did not suspend the tournament"), "it was resumed since"


def test_nobody_is_thrown_out_for_nothing(folder: Path, stud: Records) -> None:
    """Between two hands, with every later record about the player taken out as well."""
    out = {"type": "out", "player": 0, "hand": 0, "chips": 60, "kind": None, "reason": "you are out"}
    assert "'chance-0' can pay for the next hand, and does not leave" in (verdict(folder, [*stud[:3], out]) or "")
    out["kind"] = "gone"
    assert "'chance-0' was not away, and no hand was under way" in (verdict(folder, [*stud[:3], out]) or "")


def test_nobody_is_late_for_a_resumption_after_its_first_hand(folder: Path, resumed: Records) -> None:
    number = next(number for number in numbers(resumed, "out") if resumed[number]["reason"] == "you are out: broke")
    records = [*resumed[:number], resumed[number] | {"kind": "gone"}, *resumed[number + 1 :]]
    assert "was not away, and no hand was under way" in (verdict(folder, records) or "")


def test_nobody_plays_on_without_lives(folder: Path, blockhead: Records) -> None:
    out = numbers(blockhead, "out")[0]
    found = verdict(folder, without_closings(blockhead[:out] + blockhead[out + 1 :]))
    assert "'bad' has no life left and plays on" in (found or "")


def test_who_is_removed_without_the_hosts_word_is_named(folder: Path, reunited: Records) -> None:
    (order,) = [number for number in numbers(reunited, "desk") if reunited[number]["command"] == "remove"]
    removed = next(told for told in reunited if told.get("kind") == "removed")
    assert removed["reason"] == f"you are out: {reunited[order]['reason']}"
    for change in ({"player": 0}, {"command": "pause"}):
        records = deepcopy(reunited)
        records[order].update(change)
        assert (verdict(folder, records) or "").endswith("'chance-2' was not removed by the host")
    records = deepcopy(reunited)
    records[order]["player"] = None
    assert verdict(folder, records) == (f"record {order + 1} (desk): an order to remove names a player")


def test_what_happened_between_tables_is_told(
    folder: Path, hosted: Records, stud: Records, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "hosted-again.journal"
    write_records(path, hosted)
    assert verify_journal(path, None, None, as_json=True) == 0
    facts = json.loads(capsys.readouterr().out)
    counts = {key: len(numbers(hosted, type_)) for key, type_ in (("moves", "move"), ("levels", "level"))}
    assert facts["tables"] == 4 + len(hosted[numbers(hosted, "round")[0]]["tables"])
    assert facts["chips"] == 60 * sum(map(len, hosted[numbers(hosted, "round")[0]]["tables"]))
    assert {**facts, **counts, "rounds": 2, "desk": 5} == facts
    assert verify_journal(path, None, None, as_json=False) == 0
    said = capsys.readouterr().out
    assert (
        f"\n8 players at {facts['tables']} tables, {facts['chips']} chips, all of them where they should be\n" in said
    )
    expected = f"2 rounds, moves between tables: {facts['moves']}, rises of the stakes: {facts['levels']}"
    assert f"\n{expected}, orders of the host: 5\n" in said
    write_records(path, [told for told in stud if told["type"] in ("start", "game")])
    assert verify_journal(path, None, None, as_json=False) == 0
    assert "moves" not in capsys.readouterr().out
