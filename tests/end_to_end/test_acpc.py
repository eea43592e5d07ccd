"""Programs of the ACPC as processes of their own: leagues, mixed tables, kills, and a tournament played on."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from dealer.errors import JournalError
from protocol.wire.framing import LineFraming
from tests.acpc_client.dealer import DEFINITIONS, CompetitionDealer
from tests.bad_bots.peer import Peer
from tests.compiled import needs
from tests.dealer.support.acpc_players import exported
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import read_records
from tests.docs.pages import ROOT
from tests.end_to_end.casino import Outcome, run, start
from tests.end_to_end.hosted import held_ports

SERVE = ("serve", "holdem", "--host", "127.0.0.1", "--no-page", "--limit", "30", "--acpc-limit", "30")
PLAYER = ROOT / "tests" / "acpc_client" / "player.py"


def command(seed: int, game: str = "nolimit") -> str:
    """A program of the ACPC."""
    return f"{shlex.join(['env', f'ACPC_GAME={game}', sys.executable, str(PLAYER)])} {{host}} {{port}} {seed}"


async def league(path: Path, *words: str) -> dict[str, Any]:
    """The results of a league without a fault, whose journal says the same."""
    outcome = await run("league", "holdem", *words, "--seed", "x", "--limit", "60", "--json", "--journal", path)
    assert outcome.code == 0, outcome.err
    verdict = await run("verify", path)
    assert (verdict.code, verdict.complaint) == (0, [])
    facts: dict[str, Any] = json.loads(outcome.out)
    assert not any(standing["faults"] for standing in facts["standings"])
    return facts


@pytest.mark.parametrize("game", ["nolimit", "limit"])
async def test_league_of_text_programs_and_programs_of_the_acpc(game: str, tmp_path: Path) -> None:
    betting = "no-limit" if game == "nolimit" else "fixed-limit"
    programs = [word for seed in (1, 2) for word in ("--acpc-cmd", command(seed, game))]
    words = ("random", "simple", *programs, "--acpc-names", "ann,bob", "--hands", "30", "--betting", betting)
    facts = await league(tmp_path / "j", *words)
    assert {standing["id"] for standing in facts["standings"]} == {"random", "simple", "ann", "bob"}
    assert facts["agreed"]["reset_stacks"] == facts["agreed"]["acpc"] == 1
    assert sum(standing["chips"] for standing in facts["standings"]) == 4 * facts["agreed"]["stack"]


async def test_program_that_leaves_during_play_is_reported_in_words_of_the_acpc(tmp_path: Path) -> None:
    leaves = "import socket, sys; s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
    code = f"{leaves}; s.sendall(b'VERSION:2.0.0' + bytes([10])); s.recv(1)"
    words = ("league", "holdem", "caller", "--acpc-cmd", shlex.join([sys.executable, "-c", code, "{port}"]))
    outcome = await run(*words, "--hands", "5", "--limit", "30", "--journal", tmp_path / "j", "--json")
    assert outcome.code == 1
    told = [failure["what"] for failure in json.loads(outcome.out)["failures"]]
    assert told == ["left before the tournament was over"]


async def test_house_bots_at_the_dealer_of_the_competition(tmp_path: Path) -> None:
    """Processes at a dealer whose rules are the competition's own: a whole match, one broken off, another game."""
    file = tmp_path / "holdem.game"
    file.write_text(DEFINITIONS["limit-2"])

    async def match(answers: int) -> list[Outcome]:
        outcomes = []

        async def play(bot: str, port: int) -> None:
            outcomes.append(await run("bot", bot, "127.0.0.1", str(port), "--acpc", file))

        with CompetitionDealer(DEFINITIONS["limit-2"]) as dealer:
            async with trio.open_nursery() as nursery:
                for bot, port in zip(("maniac", "caller"), dealer.ports, strict=True):
                    nursery.start_soon(play, bot, port)
                await trio.to_thread.run_sync(dealer.play, 20, answers)
        return outcomes

    for outcome in await match(10**9):
        assert (outcome.code, outcome.complaint) == (0, [])
        assert "the match is over after 20 hands" in outcome.out
    for outcome in await match(15):
        assert outcome.code == 1
        assert "the dealer closed the connection during hand" in outcome.complaint[-1]
    file.write_text(DEFINITIONS["limit-2"].replace("numRanks = 13", "numRanks = 3"))
    refused = await run("bot", "caller", "127.0.0.1", "1", "--acpc", file)
    assert (refused.code, len(refused.complaint)) == (2, 1)
    assert "numRanks: expected 13, got 3" in refused.complaint[0]
    named = await run("bot", "caller", "127.0.0.1", "1", "--acpc", file, "--id", "ann")
    assert (named.code, len(named.complaint)) == (2, 1)


async def test_house_bot_as_a_program_of_the_acpc_at_our_own_dealer(tmp_path: Path) -> None:
    (tmp_path / "three.game").write_text(DEFINITIONS["nolimit-3"])
    bot = shlex.join([sys.executable, "-m", "dealer.main", "bot", "maniac", "{host}", "{port}", "--acpc"])
    words = ("caller", *["--acpc-cmd", f"{bot} {tmp_path / 'three.game'}"] * 2, "--hands", "30")
    facts = await league(tmp_path / "j", *words, "--small-blind", "50", "--big-blind", "100", "--stack", "2000")
    assert facts["hands"] == 30


async def test_program_in_c_plus_plus_plays_heads_up(tmp_path: Path) -> None:
    needs("g++")
    program = tmp_path / "caller"
    source = ROOT / "tests" / "acpc_client" / "caller.cpp"
    await trio.run_process(["g++", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source)])
    words = ("--acpc-cmd", f"{program} {{host}} {{port}}", "--acpc-cmd", command(2), "--hands", "60")
    facts = await league(tmp_path / "j", *words)
    assert [standing["hands_survived"] for standing in facts["standings"]] == [60, 60]


async def test_duplicate_league_deals_the_same_cards_to_both(tmp_path: Path) -> None:
    words = ("--acpc-cmd", command(1), "--acpc-cmd", command(2), "--hands", "5", "--duplicate")
    await league(tmp_path / "j", *words)
    decks = [record["deck"] for record in read_records(tmp_path / "j") if record["type"] == "hand"]
    assert len(decks) == 10
    assert decks[:5] == decks[5:]


#: The program above, killed by the system in its sixth hand or soon after, where it has to act and owes nothing.
KILLED = f"""
import os, signal, sys

sys.path.insert(0, {str(PLAYER.parent)!r})
import player

usual = player.answer

def answer(line, chance):
    reply = usual(line, chance)
    _, _, hand, betting, cards = line.split(":")
    if reply is not None and int(hand) >= 5 and not player.State(betting, cards.count("|") + 1).owed:
        os.kill(os.getpid(), signal.SIGKILL)
    return reply

player.answer = answer
player.main(*sys.argv[1:])
"""


async def test_killed_program_is_out_and_the_others_play_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The rest sees it as a player who checks and folds at the first bet, and its position stays."""
    killed = tmp_path / "killed.py"
    killed.write_text(KILLED)
    commands = [command(1).replace(str(PLAYER), str(killed)), command(2), command(3)]
    words = [word for program in commands for word in ("--acpc-cmd", program)]
    agreed = ("--hands", "400", "--seed", "x", "--limit", "60", "--journal", tmp_path / "j")
    outcome = await run("league", "holdem", *words, *agreed)
    assert outcome.code == 1
    records = read_records(tmp_path / "j")
    (out,) = [record for record in records if record["type"] == "out"]
    assert out["kind"] == "gone"
    hands = [record for record in records if record["type"] == "hand"]
    assert len(hands) == 400
    assert len(hands[-1]["players"]) == 2
    assert not [record for record in records if record["type"] == "corrected"]
    assert len(exported(tmp_path / "j", capsys)) == 401


def _hands(path: Path) -> int:
    """How many hands are in a journal that may not be there yet, or be written at the moment."""
    try:
        return sum(record["type"] == "hand" for record in read_raw(path))
    except JournalError:
        return 0


async def test_tournament_is_played_on_with_the_same_names(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    flags = ("--acpc-names", "ann,bob", "--hands", "100000", "--seed", "x", "--journal", journal, "--seats", "2")
    with held_ports("--port", "--line-port", "--acpc-port") as ports:
        await played_twice(journal, *flags, *ports)
    records = read_records(journal)
    assert [player["id"] for player in records[0]["players"]] == ["ann", "bob"]
    assert not any(record["type"] == "out" for record in records)


async def played_twice(journal: Path, *flags: str | Path) -> None:
    """Play until the dealer is killed, and play on a while."""
    async with trio.open_nursery() as nursery:

        async def join(port: int, seed: int) -> None:
            words = [sys.executable, str(PLAYER), "127.0.0.1", str(port), str(seed)]
            await trio.run_process(words, check=False, capture_stderr=True)

        async with start(*SERVE, *flags, stdin=subprocess.DEVNULL) as running:
            port = await running.port("Annual Computer Poker Competition")
            nursery.start_soon(join, port, 1)
            nursery.start_soon(join, port, 2)
            while not _hands(journal):
                await trio.sleep(0.01)
            running.process.kill()
            await running.process.wait()
        async with start("resume", journal, stdin=subprocess.DEVNULL) as resumed:
            assert await resumed.port("Annual Computer Poker Competition") == port
            nursery.start_soon(join, port, 1)
            nursery.start_soon(join, port, 2)
            await resumed.line_with("The tournament goes on with 2 players")
            resumed.process.terminate()
            await resumed.ended()


async def test_program_of_the_acpc_at_the_usual_port_is_told_its_own() -> None:
    words = (*SERVE, "--port", "0", "--acpc-port", "0", "--no-journal")
    async with start(*words) as running:
        port, acpc = await running.port(), await running.port("Annual Computer Poker Competition")
        async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
            peer = Peer(stream, LineFraming())
            await peer.send(b"VERSION:2.0.0\r\n")
            await peer.hear_out()
        assert peer.heard[-1].endswith(f"; programs of the ACPC connect to port {acpc}")
        running.process.terminate()
        await running.ended()
