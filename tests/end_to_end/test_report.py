"""``casino report`` after ``casino league``, as people type it, also for a league that was played on."""

import json
from pathlib import Path

import pytest

from tests.dealer.support.reported import cut_journal, rows
from tests.end_to_end.casino import run

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


async def test_missing_out_flag_is_bad_usage(tmp_path: Path) -> None:
    outcome = await run("report", tmp_path / "journal")
    assert outcome.code == 2
    assert "--out" in outcome.err
