"""Journals of imported hands: what replay, report and verify make of them, and what they do not invent."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, structs

from dealer.audit.rebuild import LedgerRebuild
from dealer.audit.verify import verify_journal
from dealer.errors import JournalError
from dealer.replay.journal_reader import Choice, replay_items
from dealer.replay.phh.command import import_files
from dealer.replay.show import export_histories
from dealer.telling.seen_hand import ChancesShown, SeenHand
from protocol.events import Acted, StreetDealt
from protocol.games.holdem import HoldemGame
from protocol.games.holdem_history import RecordedDeal
from protocol.games.stud import StudGame
from tests.dealer.replay.test_phh_import import DWAN_IVEY, toml
from tests.dealer.support.golden_replays import painted
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.raw_records import chained, pack_raw, read_raw
from tests.dealer.support.reported import report, rows

NAMES = {"players": ["Phil", "Patrik", "Tom"]}

Verified = Callable[[Path], dict[str, Any]]


@pytest.fixture
def verified(capsys: pytest.CaptureFixture[str]) -> Verified:
    def run(path: Path) -> dict[str, Any]:
        capsys.readouterr()
        verify_journal(path, None, None, True)
        facts: dict[str, Any] = json.loads(capsys.readouterr().out)
        return facts

    return run


def imported(tmp_path: Path, *texts: str, code: int = 0) -> Path:
    files = []
    for number, text in enumerate(texts):
        files.append(tmp_path / f"{number}.phhs")
        files[-1].write_text(text, "utf-8")
    path = tmp_path / "imported.journal"
    assert import_files(files, as_json=True, journal=path) == code
    return path


def exported(path: Path, capsys: pytest.CaptureFixture[str], choice: Choice = Choice()) -> str:  # noqa: B008 - frozen
    capsys.readouterr()
    export_histories(path, choice, "phh")
    return capsys.readouterr().out


def hands(path: Path) -> list[SeenHand]:
    return [item for item in replay_items(path, Choice()) if isinstance(item, SeenHand)]


def as_imported(seen: SeenHand, own: SeenHand) -> SeenHand:
    """A hand of our own as the imported one should be: its seats begin left of the button, and no times are known."""
    order = [next(shown.seat for shown in own.seats if shown.avatar == seat.avatar) for seat in seen.seats]
    to = {seat: place for place, seat in enumerate(order)}

    def moved(part: Any) -> Any:
        facts: dict[str, Any] = {"seat": to[part.seat]} if hasattr(part, "seat") else {}
        if isinstance(part, StreetDealt | ChancesShown):
            facts["seats"] = tuple(sorted(map(moved, part.seats), key=lambda one: one.seat))
        if hasattr(part, "microseconds"):
            facts |= {"microseconds": None, "fault": None, "reason": None}
            facts |= {"action": "fold"} if part.action == "given-up" else {}
        if isinstance(part, StreetDealt | Acted):
            pots = tuple([(chips, tuple(sorted(to[seat] for seat in able))) for chips, able in part.pots])
            facts |= {"table": 0, "hand": seen.hand, "pots": pots}
            facts |= {"to_act": None if part.to_act is None else to[part.to_act]}
        return structs.replace(part, **facts) if isinstance(part, Struct) else replace(part, **facts)

    return replace(
        own,
        table=0,
        hand=seen.hand,
        game=1,
        level=1,
        seats=tuple(replace(own.seats[seat], seat=to[seat], id=seen.seats[to[seat]].id) for seat in order),
        events=tuple(map(moved, own.events)),
        told=tuple(sorted(map(moved, own.told), key=lambda one: one.seat)),
        collected=tuple(sorted(map(moved, own.collected), key=lambda one: one.seat)),
    )


@pytest.mark.parametrize("seed", range(8))
def test_imported_journal_replays_as_the_one_it_came_from(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], verified: Verified
) -> None:
    own = write_league(tmp_path / "own.journal", Random(seed))
    path = imported(tmp_path, exported(own, capsys))
    facts = verified(path)
    assert (facts["ok"], facts["imported"], facts["unknown_cards"], facts["unproven_results"]) == (True, True, 0, 0)
    assert (facts["commitment"], facts["seed"]) == (None, None)
    ours, theirs = hands(own), hands(path)
    assert theirs == [as_imported(seen, mine) for seen, mine in zip(theirs, ours, strict=True)]
    again = exported(path, capsys).replace('table = "0"', "")
    kept = ("actions", "finishing_stacks", "starting_stacks", "players", "antes", "blinds")
    assert [line for line in again.splitlines() if line.startswith(kept)] == [
        line.replace(" # the dealer folded for this player", "")
        for line in exported(own, capsys).splitlines()
        if line.startswith(kept)
    ]


def test_pot_limit_is_imported_as_it_was_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = write_league(tmp_path / "own.journal", Random(4), HoldemGame(betting="pot-limit"))
    path = imported(tmp_path, exported(own, capsys))
    assert next(iter(read_raw(path)))["betting"] == "pot-limit"
    limits = [line for line in exported(path, capsys).splitlines() if line.startswith("_limit")]
    assert limits == ['_limit = "pot-limit"'] * len(hands(own))


def test_cards_that_are_not_known_stay_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], verified: Verified
) -> None:
    """Hands as one seat saw them: others' cards are known where they were shown."""
    own = write_league(tmp_path / "own.journal", Random(3), HoldemGame(reset_stacks=1), hands=30)
    path = imported(tmp_path, exported(own, capsys, Choice(seat="0", table=0)))
    facts = verified(path)
    assert facts["ok"]
    assert facts["unknown_cards"] > 0
    ours = {seen.hand: seen for seen in hands(own) if seen.table == 0}
    assert len(ours) == len(hands(path)) == facts["hands"]
    for seen, own_hand in zip(hands(path), ours.values(), strict=True):
        after = {seat.avatar: seat.after for seat in own_hand.seats}
        known = {seat.avatar: seat.hole for seat in own_hand.seats}
        for seat in seen.seats:
            assert seat.after == after[seat.avatar]
            assert seat.hole in (known[seat.avatar], ("??", "??"))
    assert "??" in painted(path, Choice())


def test_result_that_is_only_told(tmp_path: Path, verified: Verified) -> None:
    """Nobody showed cards, and the file tells who has the chips."""
    actions = [action for action in DWAN_IVEY["actions"] if " sm " not in action]
    hidden = [action.replace("7h6h", "????").replace("Ac2d", "????") for action in actions]
    path = imported(tmp_path, toml({**DWAN_IVEY, **NAMES, "actions": hidden}))
    facts = verified(path)
    assert (facts["unproven_results"], facts["unknown_cards"]) == (1, 6)
    (seen,) = hands(path)
    assert [(part.seat, part.chips, part.why) for part in seen.collected] == [(2, 1109500, "cards that are not known")]
    assert seen.told == ()
    assert [seat.hole for seat in seen.seats] == [("??", "??")] * 3
    assert "%" not in painted(path, Choice())
    report(path, tmp_path / "out")
    assert not list((tmp_path / "out").rglob("transcript.txt"))
    table = {row["avatar"]: row for row in rows(tmp_path / "out" / "holdem.csv")}
    assert (table["Tom"]["collected"], table["Tom"]["all_in_hands"]) == ("1109500", "0")
    page = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "from hand histories of other programs" in page
    assert "follow from no seed" in page


def test_who_mucked_collects_nothing(tmp_path: Path, verified: Verified) -> None:
    actions = [*DWAN_IVEY["actions"][:15], "p3 sm 7h6h", "p1 sm", "d db Jh"]
    fields = {**DWAN_IVEY, **NAMES, "actions": [action.replace("Ac2d", "????") for action in actions]}
    path = imported(tmp_path, toml(fields))
    assert verified(path)["unproven_results"] == 0
    (record,) = [record for record in read_raw(path) if record["type"] == "hand"]
    assert record["recorded"]["mucked"] == [0]
    assert record["payoffs"][0] < 0


def test_hands_that_nobody_can_settle_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hidden = [action.replace("7h6h", "????") for action in DWAN_IVEY["actions"]]
    unknown = {name: value for name, value in DWAN_IVEY.items() if name != "finishing_stacks"} | {"actions": hidden}
    path = imported(tmp_path, toml(unknown), toml({**DWAN_IVEY, **NAMES}))
    told = json.loads(capsys.readouterr().out)["journal"]
    assert told == {"path": str(path), "hands": 1, "left_out": 1}
    path.unlink()
    imported(tmp_path, toml(unknown), code=2)
    assert "no hand of which the files tell who won what" in capsys.readouterr().err
    assert not path.exists()


def test_journal_is_never_overwritten_and_never_made_of_wrong_hands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = imported(tmp_path, toml(DWAN_IVEY))
    before = path.read_bytes()
    imported(tmp_path, toml(DWAN_IVEY), code=1)
    assert "exists already" in capsys.readouterr().err
    assert path.read_bytes() == before
    path.unlink()
    imported(tmp_path, toml(DWAN_IVEY), toml({**DWAN_IVEY, "finishing_stacks": [572101, 1997500, 1109499]}), code=1)
    assert not path.exists()


def test_amounts_with_cents_share_one_unit(tmp_path: Path) -> None:
    cents = {"min_bet": 20, "antes": [5, 5, 5], "blinds_or_straddles": [10, 20, 0]}
    fields = {**DWAN_IVEY, **cents, "starting_stacks": [112, 200, 55], "finishing_stacks": [127, 175, 65]}
    del fields["finishing_stacks"]
    text = toml({**fields, "actions": ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 f", "p1 f"]})
    halves = text.replace("[5, 5, 5]", "[0.5, 0.5, 0.5]")
    path = imported(tmp_path, text, halves)
    stacks = [record["stacks"] for record in read_raw(path) if record["type"] == "hand"]
    assert stacks == [[1120, 2000, 550]] * 2


def test_two_players_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported(tmp_path, toml({**DWAN_IVEY, "players": ["Tom", "Tom", "Phil"]}), code=2)
    assert "expected different names" in capsys.readouterr().err


def rewritten(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The journal with its hand changed, and links that are right."""
    packed = []
    for record in read_raw(path):
        facts = dict(record)
        if facts["type"] == "hand":
            change(facts)
        packed.append(pack_raw(facts.pop("type"), facts))
    path.write_bytes(b"".join(chained(packed)))
    return path


def first_card_again(record: dict[str, Any]) -> None:
    record["deck"] = record["deck"][:1] * 2 + record["deck"][2:]


def other_payoffs(record: dict[str, Any]) -> None:
    record["payoffs"] = [record["payoffs"][1], record["payoffs"][0], record["payoffs"][2]]


def told_otherwise(record: dict[str, Any]) -> None:
    record["recorded"] = {**record["recorded"], "told": [0, 0, 0]}


def another_muck(record: dict[str, Any]) -> None:
    record["recorded"] = {**record["recorded"], "mucked": [2]}


def fewer_cards(record: dict[str, Any]) -> None:
    record["deck"] = record["deck"][:-1]


def nothing_recorded(record: dict[str, Any]) -> None:
    del record["recorded"]


def larger_call(record: dict[str, Any]) -> None:
    *others, (seat, chips, time) = record["actions"]
    record["actions"] = [*others, [seat, chips + 1, time]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (first_card_again, "is dealt twice"),
        (other_payoffs, "payoffs: expected"),
        (told_otherwise, "the history tells"),
        (another_muck, "payoffs: expected"),
        (fewer_cards, "two cards a seat and five for the board"),
        (nothing_recorded, "recorded: expected a map"),
        (larger_call, "to call"),
    ],
)
def test_altered_hand_is_found(change: Callable[[dict[str, Any]], None], said: str, tmp_path: Path) -> None:
    path = rewritten(imported(tmp_path, toml(DWAN_IVEY)), change)
    with pytest.raises(JournalError, match=said):
        list(LedgerRebuild(path).hands())


def test_commitment_cannot_be_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = imported(tmp_path, toml(DWAN_IVEY))
    assert verify_journal(path, "00" * 32, None, False) == 1
    assert "it has no commitment" in capsys.readouterr().err
    assert verify_journal(path, None, None, False) == 0
    assert "nothing proves by which chance" in capsys.readouterr().out


DEAL = RecordedDeal(
    (100, 200), HoldemGame().bets, 1, (10, 5), (0, 0), dead_antes=False, mucked=(), told=None
)  # between two players the first seat has the big blind


def test_facts_of_a_deal_lead_back_to_it() -> None:
    assert RecordedDeal.from_facts(DEAL.starting, DEAL.facts) == DEAL


@given(
    st.sampled_from([*DEAL.facts, "stacks"]),
    st.one_of(st.none(), st.integers(-2, 2), st.text(max_size=2), st.lists(st.integers(-1, 3)), st.lists(st.none())),
)
def test_wrong_facts_of_a_deal_are_refused(name: str, value: Any) -> None:
    facts: Mapping[str, Any] = {**DEAL.facts, name: value}
    starting = value if name == "stacks" and isinstance(value, list) else DEAL.starting
    try:
        told = RecordedDeal.from_facts(starting, facts)
    except ValueError:
        return
    if told.button < len(told.starting):
        told.deal(())


def test_games_without_histories_refuse_imported_hands() -> None:
    game = StudGame()
    match = game.start(2)
    with pytest.raises(ValueError, match="has no imported hands"):
        game.recorded_match(match, (0, 1), (100, 100), {})
    with pytest.raises(ValueError, match="has no imported hands"):
        game.recorded_hand(match, bytes(9))
    with pytest.raises(ValueError, match="has no imported hands"):
        game.settle_recorded(match, match.deal(game.chance.outcome(game.chance.draw(bytes(32), 0, 1))))
