"""What a report says of programs of the ACPC: corrected actions, and what passed in their own words."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.report.write import ReportOptions, write_report
from protocol.games.base import FOLD, Bet
from protocol.games.holdem import HoldemGame
from protocol.wire.messages import Name
from tests.acpc_client.player import answer
from tests.bad_bots.peer import Peer
from tests.dealer.support.acpc_players import ACPC, Change, admit, forbidden, play_acpc, player, unchanged
from tests.dealer.support.recorded import run_at_once
from tests.dealer.support.rig import Client, open_rig


def test_corrected_actions_are_told_with_their_hands(tmp_path: Path) -> None:
    journal, out = tmp_path / "j", tmp_path / "report"
    run_at_once(partial(play_acpc, journal))
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    summary = (out / "players" / "acpc-2" / "summary.txt").read_text()
    assert "Fault 1: corrected" in summary
    assert "does not count" not in summary
    first = summary.split("Fault 1: corrected")[1].split("Fault 2")[0]
    assert "casino replay j --hand " in first
    assert "--seat " in first
    assert "No faults." in (out / "players" / "acpc-1" / "summary.txt").read_text()
    header, *rows = (out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    column = header.split(",").index("corrected")
    counts = {row.split(",")[0]: int(row.split(",")[column]) for row in rows}
    assert counts["acpc-1"] == 0
    assert counts["acpc-2"] == summary.count(": corrected\n")


HUGE = "9" * 38


def rubbish(line: str, reply: str) -> str:
    """Answers the third hand with what is no action."""
    return f"{line}:x" if line.split(":")[2] == "2" else reply


def huge(line: str, reply: str) -> str:
    """Raises to more than anybody has, every time."""
    return f"{line}:r{HUGE}"


def recorded(change: Change, seed: int, talk: list[str]) -> Callable[[Peer], Awaitable[None]]:
    """A program that notes all that it hears and says."""

    async def run(peer: Peer) -> None:
        await peer.say("VERSION:2.0.0")
        chance = Random(seed)
        while (line := await peer.hear()) is not None:
            talk.append(f"dealer:  {line}")
            reply = answer(line, chance) if line.startswith("MATCHSTATE:") else None
            if reply is not None:
                talk.append(f"you:     {change(line, reply)}")
                await peer.send(f"{change(line, reply)}\r\n".encode())

    return run


@pytest.mark.parametrize(
    ("betting", "change", "lives"),
    [
        ("no-limit", forbidden, 1),
        ("no-limit", huge, 1),
        ("no-limit", rubbish, 1),
        ("fixed-limit", rubbish, 1),
        ("fixed-limit", rubbish, 2),
    ],
    ids=["corrected", "huge", "malformed", "fixed-limit", "twice in a hand"],
)
def test_transcript_is_what_passed(
    betting: str, change: Change, lives: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.acpc_client.player.NO_LIMIT", betting == "no-limit")
    game = HoldemGame.from_facts({"acpc": 1, "reset_stacks": 1, "betting": betting})
    journal, out, talks = tmp_path / "j", tmp_path / "report", (list[str](), list[str]())

    async def play() -> None:
        async with (
            open_journal(AppendFile.create(journal)) as opened,
            open_rig(replace(ACPC, game=game, lives=lives), journal=opened) as rig,
        ):
            await admit(rig, recorded(unchanged, 1, talks[0]), recorded(change, 2, talks[1]))
            await rig.begin().run()

    run_at_once(play)
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    for number, talk in enumerate(talks, 1):
        text = (out / "players" / f"acpc-{number}" / "transcript.txt").read_text()
        told = text.partition("\n\n-- the program")[2].splitlines()
        lines = [line for line in told if line.startswith(("dealer:", "you:"))]
        passed = [line.rsplit(" ", 2)[0] if line.startswith("you:") else line for line in lines]
        # the text of what cannot be read is not in the journal
        said = [line.replace(HUGE, "(a number of 38 digits)") for line in talk if not line.endswith(":x")]
        assert passed == said
    if change is rubbish:
        assert "-- malformed: expected 'f', 'c' or 'r'" in text
        summary = (out / "players" / "acpc-2" / "summary.txt").read_text()
        assert "The line was no answer that can be read." in summary
        assert "bet:" not in summary
    if lives > 1:
        assert (text.count("; the dealer checked"), text.count("# you are out")) == (2, 1)


def test_needless_fold_of_another_program_is_told(tmp_path: Path) -> None:
    journal, out = tmp_path / "j", tmp_path / "report"

    async def play() -> None:
        async with open_journal(AppendFile.create(journal)) as opened, open_rig(ACPC, journal=opened) as rig:
            await rig.admit(Client(Name("text", "Text"), lambda turn: Bet(turn.owed) if turn.owed else FOLD))
            await admit(rig, player())
            await rig.begin().run()

    run_at_once(play)
    assert write_report(ReportOptions(journal, out, None, False, False, False)) == 0
    text = (out / "players" / "text" / "transcript.txt").read_text()
    assert re.search(r"^you:     fold +[\d.]+ ms\n-- corrected: bet:0 was taken instead$", text, re.MULTILINE)
