"""``casino verify`` and ``casino report``, as a person runs them after a league."""

import json
import shutil
from functools import partial
from pathlib import Path
from zlib import crc32

import msgpack
import pytest
import trio

from dealer.errors import BAD_USAGE, FAILED
from dealer.journal.batches import read_batches
from dealer.journal.records import VERSION
from protocol.shuffle import commitment, seed_from_text
from tests.dealer.support.raw_records import chained, play_of, read_raw
from tests.dealer.support.reported import cut_journal, rows
from tests.end_to_end.casino import run

LEAGUE = (
    *("league", "stud", "caller", "tight", "maniac"),
    *("--hands", "20", "--stack", "5000", "--seed", "x", "--limit", "60"),
)
SEED = seed_from_text("x")
SHOWN = commitment(SEED)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a league of three that was played to its end."""
    path = tmp_path_factory.mktemp("league") / "league.journal"
    outcome = trio.run(partial(run, *LEAGUE, "--journal", path))
    assert outcome.code == 0
    assert f"check it with: casino verify {path}" in outcome.out
    assert f"head       {head_of(path)}" in outcome.out
    return path


@pytest.fixture
def journal(played: Path, tmp_path: Path) -> Path:
    """A copy of it, for a test to alter."""
    return Path(shutil.copy(played, tmp_path))


def head_of(journal: Path) -> str:
    """The head of a whole journal, in hex."""
    *_, last = read_batches(journal)
    return last.head.hex()


async def complaint(*words: str | Path, code: int = FAILED) -> str:
    """The one line of a run that could not do what it should."""
    outcome = await run("verify", *words)
    assert (outcome.code, outcome.out) == (code, "")
    (line,) = outcome.complaint
    return line


async def test_a_journal_that_is_right_is_told_with_what_was_counted(journal: Path) -> None:
    records = list(read_raw(journal))
    hands = [record for record in records if record["type"] == "hand"]
    decisions = sum(action[2] is not None for hand in hands for action in hand["actions"])
    outcome = await run("verify", journal)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines() == [
        f"OK: {len(records)} records, 20 hands of stud, {decisions} decisions, 0 faults, 0 hands voided",
        "3 players, 15000 chips, all of them where they should be",
        f"commitment {SHOWN}",
        f"seed       {SEED.hex()}",
        f"head       {head_of(journal)}",
    ]


async def test_json_says_the_same_as_the_table(journal: Path) -> None:
    outcome = await run("verify", journal, "--json")
    facts = json.loads(outcome.out)
    assert (outcome.code, outcome.err) == (0, "")
    assert facts.pop("records") == len(list(read_raw(journal)))
    assert facts.pop("decisions") > 20
    assert facts == {
        **{"ok": True, "finished": True, "game": "stud", "players": 3, "hands": 20, "faults": 0, "voided": 0},
        **{"tables": 1, "rounds": 1, "levels": 0, "moves": 0, "desk": 0},
        **{"resumed": 0, "chips": 15000, "commitment": SHOWN, "seed": SEED.hex(), "head": head_of(journal)},
        **{"imported": False, "unknown_cards": None, "unproven_results": None},
    }


async def test_the_commitment_that_was_shown_is_compared(journal: Path) -> None:
    for shown in (SHOWN, SHOWN.upper(), f" {SHOWN}\n"):
        assert (await run("verify", journal, "--commitment", shown)).code == 0
    other = commitment(seed_from_text("y"))
    assert await complaint(journal, "--commitment", other) == (
        f"casino: {journal}: its commitment is {SHOWN}, not {other}"
    )


async def test_head_that_was_shown_is_compared(journal: Path) -> None:
    head = head_of(journal)
    for shown in (head, head.upper(), f" {head}\n"):
        assert (await run("verify", journal, "--head", shown)).code == 0
    records = list(read_raw(journal))
    more = [{**records[0], "seed_text": None}, *records[1:]]
    for forged, others in (("cut", records[:-1]), ("altered", more)):
        path = journal.with_name(forged)
        path.write_bytes(b"".join(chained(msgpack.packb(record) for record in others)))
        assert (await run("verify", path)).code == 0  # the forger computes all links anew
        assert await complaint(path, "--head", head) == (
            f"casino: {path}: its head is {head_of(path)}, not {head}: a record was altered, added or cut off"
        )


async def test_earlier_head_is_recognised(journal: Path) -> None:
    """A host wrote it down when the tournament was stopped, to be played on another day."""
    *_, before, last = read_batches(journal)
    assert await complaint(journal, "--head", before.head.hex()) == (
        f"casino: {journal}: {before.head.hex()} was its head after "
        f"{len(list(read_raw(journal))) - len(last.records)} records, which are as they were; "
        f"{len(last.records)} came later"
    )


async def test_what_is_wrong_is_one_line_and_a_field_of_json(journal: Path) -> None:
    records = list(read_raw(journal))
    place = next(place for place, record in enumerate(records) if record.get("hand") == 4)
    records[place] = {**records[place], "payoffs": [1, 2, 3]}
    journal.write_bytes(b"".join(chained(msgpack.packb(record) for record in records)))
    line = await complaint(journal)
    assert line.startswith(f"casino: {journal}: record {place + 1} (hand, hand 4 at table 0): payoffs: expected (")
    assert line.endswith("), got (1, 2, 3)")
    outcome = await run("verify", journal, "--json")
    assert outcome.code == 1
    assert json.loads(outcome.out) == {"ok": False, "error": line.removeprefix("casino: ")}
    assert outcome.complaint == [line]


async def test_a_tournament_that_is_not_finished_keeps_its_seed(journal: Path) -> None:
    records = play_of(journal)[:-1]
    journal.write_bytes(b"".join(chained(msgpack.packb(record) for record in records)))
    outcome = await run("verify", journal)
    assert outcome.code == 0
    assert "not finished; its seed stays secret, and `casino resume` plays it on" in outcome.out
    as_json = await run("verify", journal, "--json")
    facts = json.loads(as_json.out)
    assert (facts["finished"], facts["seed"]) == (False, None)
    for text in (outcome.out, as_json.out):
        assert SEED.hex() not in text


async def test_a_torn_end_and_damage_are_told_apart(journal: Path) -> None:
    data = journal.read_bytes()
    journal.write_bytes(data[:-5])
    assert "its end is torn (" in await complaint(journal)
    journal.write_bytes(data[:1000] + b"?" + data[1001:])
    assert "is damaged or altered, at byte " in await complaint(journal)


async def test_files_that_are_no_journal_are_named(tmp_path: Path) -> None:
    missing, text, empty = tmp_path / "missing", tmp_path / "text", tmp_path / "empty"
    text.write_text("casino: a list of things to do\n")
    empty.touch()
    first = tmp_path / "first"
    body = msgpack.packb({"type": "start", "version": 1, "seed": SEED})
    first.write_bytes(msgpack.packb([crc32(body), body]))
    endless = tmp_path / ("x" * 300)
    no_use = await complaint(missing, code=BAD_USAGE)
    assert no_use == f"casino: cannot read the journal {missing}: No such file or directory"
    no_use = await complaint(tmp_path, code=BAD_USAGE)
    assert no_use == f"casino: cannot read the journal {tmp_path}: Is a directory"
    assert await complaint(text) == f"casino: {text} is no journal"
    assert await complaint(empty) == f"casino: {empty}: no tournament was started in this journal"
    no_use = await complaint(endless, code=BAD_USAGE)
    assert no_use == f"casino: cannot read the journal {endless}: File name too long"
    assert await complaint(first) == (
        f"casino: {first}: this journal is of version 1, this program reads versions 6 and {VERSION}"
    )


@pytest.mark.parametrize("words", [[], ["a", "b"], ["a", "--commitment"], ["a", "--nothing"]])
async def test_bad_usage_is_said_to_be_bad_usage(words: list[str]) -> None:
    outcome = await run("verify", *words)
    assert outcome.code == 2
    assert outcome.out + outcome.err


AGREED = ("--seed", "report", "--limit", "30")


@pytest.mark.parametrize("game", ["stud", "blockhead"])
async def test_a_league_and_its_report(game: str, tmp_path: Path) -> None:
    journal, out = tmp_path / "league.journal", tmp_path / "out"
    bots = ("tight", "caller", "random") if game == "stud" else ("alpha", "beta")
    league = await run("league", game, *bots, "--hands", "20", *AGREED, "--journal", journal, "--json")
    assert league.code == 0
    outcome = await run("report", journal, "--out", out)
    assert (outcome.code, outcome.complaint) == (0, [])
    assert "begin with" in outcome.out
    standings = [(one["place"], one["id"], one["chips"]) for one in json.loads(league.out)["standings"]]
    sheet = [(int(row["place"]), row["id"], int(row["chips"])) for row in rows(out / "standings.csv")]
    assert sheet == standings
    summary = (out / "players" / standings[0][1] / "summary.txt").read_text(encoding="utf-8")
    command = next(line for line in summary.splitlines() if "casino replay" in line)
    replay = await run(
        *[str(journal) if word == journal.name else word for word in command.split()[1:]], "--speed", "0"
    )
    assert (replay.code, replay.complaint) == (0, [])
    assert f"hand {command.split('--hand ')[1].split()[0]}" in replay.out.casefold()
    again = await run("report", journal, "--out", out, "--anonymous", "--json")
    assert (again.code, again.complaint) == (0, [])
    assert "players/player-1/summary.txt" in json.loads(again.out)["files"]


async def test_a_league_that_was_played_on(tmp_path: Path) -> None:
    words = ("--games", "3", "--hands", "5", *AGREED)
    league = await run("league", "blockhead", "alpha", "beta", *words, "--journal", tmp_path / "whole")
    assert league.code == 0
    cut_journal(tmp_path / "whole", tmp_path / "journal", 9)  # two hands into the second game
    refused = await run("report", tmp_path / "journal", "--out", tmp_path / "out")
    assert refused.code == 1
    assert "has not ended" in refused.complaint[0]
    assert (await run("resume", tmp_path / "journal")).code == 0
    outcome = await run("report", tmp_path / "journal", "--out", tmp_path / "out", "--json")
    assert (outcome.code, outcome.complaint) == (0, [])
    facts = json.loads(outcome.out)
    assert (facts["finished"], facts["resumed"], facts["voided"]) == (True, 1, 1)
    told = "The dealer was started again once; 1 hand that may have been in progress did not count."
    assert told in (tmp_path / "out/index.html").read_text(encoding="utf-8")
    transcript = (tmp_path / "out/players/alpha/transcript.txt").read_text(encoding="utf-8")
    assert transcript.count("dealer:  game:") == 4  # three games, one of which was told of twice
    assert "-- the dealer was started again" in transcript
    assert "does not count: every chip was returned" in transcript
