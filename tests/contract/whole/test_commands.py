"""Every command with every game, as a user types it; and every game from nothing but its contract."""

import json
import os
import re
import sys
from contextlib import AsyncExitStack
from itertools import takewhile
from pathlib import Path

import pytest
import trio

from dealer.checker.cases.game_cases import missing_cases
from dealer.journal.batches import read_batches
from dealer.journal.records import EndRecord
from tests.dealer.checker.checked import WHERE, examined
from tests.dealer.support.raw_records import read_raw
from tests.end_to_end.casino import ENVIRONMENT, Outcome, casino, start
from tests.end_to_end.forked import run_forked
from tests.end_to_end.terminal import open_terminal
from tests.patience import PATIENCE

#: The end-to-end tests play the house's own games with the same commands, so these are left to the slower tests here.
GAMES = (
    "leduc",
    "dice",
    # As dice, a game for two of a number of hands; and, as Leduc, one with cards and bets.
    *(pytest.param(game, marks=pytest.mark.heavy) for game in ("blockhead", "stud")),
)
BOTS = ("caller", "random")

#: Seconds for a reply that a busy machine keeps.
LIMIT = ("--limit", "60")

#: Games that practice has no file for.
NOT_PRACTISED = ("blockhead", "leduc")


class Typed:
    """Runs commands where Leduc is installed."""

    def __init__(self, leduc: Path, folder: Path) -> None:
        self.path = os.pathsep.join([str(leduc), os.environ.get("PYTHONPATH", "")])
        self.folder = folder

    def __call__(self, *words: str | Path, code: int = 0) -> Outcome:
        """The outcome of a command that ends with this exit code."""
        outcome = trio.run(self.run, words)
        assert outcome.code == code, outcome.out + outcome.err
        return outcome

    async def run(self, words: tuple[str | Path, ...]) -> Outcome:
        with trio.fail_after(PATIENCE):
            done = await run_forked([*map(str, words)], b"", {**ENVIRONMENT, "PYTHONPATH": self.path})
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="module")
def typed(leduc: Path, tmp_path_factory: pytest.TempPathFactory) -> Typed:
    return Typed(leduc, tmp_path_factory.mktemp("commands"))


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, typed: Typed) -> tuple[str, Path]:
    """A game, and the journal of a league of it."""
    game, journal = str(request.param), typed.folder / f"{request.param}.journal"
    words = ("--hands", "12", "--seed", "contract", *LIMIT, "--journal", journal, "--json")
    results = json.loads(typed("league", game, *BOTS, *words).out)
    assert results["game"] == game
    assert sorted(standing["bot"] for standing in results["standings"]) == sorted(BOTS)
    return game, journal


def test_verify(played: tuple[str, Path], typed: Typed) -> None:
    game, journal = played
    facts = json.loads(typed("verify", journal, "--json").out)
    assert (facts["ok"], facts["game"]) == (True, game)


def test_replay(played: tuple[str, Path], typed: Typed) -> None:
    _, journal = played
    shown = typed("replay", journal, "--speed", "0").out
    assert "collects" in shown
    lines = [json.loads(line) for line in typed("replay", journal, "--json").out.splitlines()]
    hands = [line for line in lines if line["type"] == "hand"]
    assert all(hand["pot"] - hand["carried"] == sum(part["chips"] for part in hand["collected"]) for hand in hands)
    table = typed("replay", journal, "--csv").out.splitlines()
    assert len(table) > len(hands)


def test_replay_for_a_seat_hides_the_other(played: tuple[str, Path], typed: Typed) -> None:
    _, journal = played
    lines = [json.loads(line) for line in typed("replay", journal, "--json", "--seat", "0").out.splitlines()]
    for line in lines:
        if line["type"] == "hand":
            assert line["seats"][0]["hole"]
            assert not line["seats"][1]["hole"]


def test_report(played: tuple[str, Path], typed: Typed) -> None:
    _, journal = played
    out = typed.folder / f"{journal.stem}-report"
    facts = json.loads(typed("report", journal, "--out", out, "--json").out)
    assert {standing["bot"] for standing in facts["standings"]} == set(BOTS)
    assert "<html" in (out / "index.html").read_text("utf-8").lower()


def test_regress(played: tuple[str, Path], typed: Typed) -> None:
    game, _ = played
    words = ("--games", game, "--against", "random", "--deals", "5", "--json")
    facts = json.loads(typed("regress", "caller", "caller", *words).out)
    assert [(one["hands"], one["changed"]) for one in facts["compared"]] == [(10, 0)]


def test_resume(played: tuple[str, Path], typed: Typed) -> None:
    """A league whose dealer died in the middle: its journal ends in the middle of a record."""
    _, journal = played
    torn = journal.with_suffix(".torn")
    data = journal.read_bytes()
    torn.write_bytes(data[: len(data) // 2])
    typed("resume", torn, "--json")
    assert json.loads(typed("verify", torn, "--json").out)["resumed"] == 1
    assert [record["type"] for record in read_raw(torn)].count("end") == 1


def test_journal_of_a_killed_dealer_ends_with_room_for_more(played: tuple[str, Path], typed: Typed) -> None:
    _, journal = played
    killed = journal.with_suffix(".killed")
    played_on = takewhile(lambda batch: not isinstance(batch.records[-1], EndRecord), read_batches(journal))
    *_, end = [batch.end for batch in played_on]
    killed.write_bytes(journal.read_bytes()[:end] + bytes(60_000))
    assert not json.loads(typed("verify", killed, "--json").out)["finished"]
    shown = [json.loads(line) for line in typed("replay", killed, "--json").out.splitlines()]
    assert [line["type"] for line in shown].count("hand") > 1
    out = typed.folder / f"{killed.stem}-killed-report"
    assert json.loads(typed("report", killed, "--unfinished", "--out", out, "--json").out)["torn"] == 0
    typed("resume", killed, "--json")
    assert json.loads(typed("verify", killed, "--json").out)["finished"]
    assert not [*killed.parent.glob(f"{killed.name}.torn*")]
    assert [record["cut"] for record in read_raw(killed) if record["type"] == "resume"] == [0]


@pytest.mark.parametrize("flags", [["--format", "round-robin"], ["--series", "2"], ["--duplicate"]])
def test_formats_of_a_game_from_outside(flags: list[str], typed: Typed) -> None:
    results = json.loads(typed("league", "leduc", *BOTS, "--hands", "4", *LIMIT, *flags, "--json").out)
    assert len(results["standings"]) == len(BOTS)


@pytest.mark.parametrize("game", GAMES)
def test_levels_rise_or_are_refused(game: str, typed: Typed) -> None:
    if game == "stud":
        assert json.loads(typed("league", game, *BOTS, "--stack", "30", "--levels", "5", *LIMIT, "--json").out)["hands"]
    else:
        refused = typed("league", game, *BOTS, "--levels", "5", code=2)
        assert f"--levels needs stakes that can rise; in {game}" in refused.err


@pytest.mark.parametrize("game", GAMES)
def test_serve_to_bots_that_connect(game: str, typed: Typed) -> None:
    """A hosted tournament with its page and its feed, and two bots that connect to it."""

    async def host() -> Outcome:
        words = ["serve", game, "--seats", "2", "--hands", "6", *LIMIT, "--no-journal", "--json", "--host", "127.0.0.1"]
        ports = ["--port", "0", "--line-port", "0", "--page-port", "0", "--feed-port", "0"]
        async with start(command=casino(*words, *ports), PYTHONPATH=typed.path) as dealer:
            await dealer.complaint_with("tournament starts when")
            port = re.search(r"address 127.0.0.1  port (\d+)", dealer.err.decode())
            assert port is not None
            async with trio.open_nursery() as nursery:
                for bot in BOTS:
                    nursery.start_soon(typed.run, ("bot", bot, "127.0.0.1", port[1]))
                return await dealer.ended()

    outcome = trio.run(host)
    assert outcome.code == 0, outcome.err
    assert len(json.loads(outcome.out)["standings"]) == len(BOTS)


def test_default_league_of_a_game_from_outside(typed: Typed) -> None:
    refused = typed("league", "leduc", code=2)
    assert "a league of leduc needs 2 to" in refused.err


@pytest.mark.parametrize("game", GAMES)
def test_simulate(game: str, typed: Typed) -> None:
    told = typed("simulate", game, *BOTS, "--deals", "3", "--json").out
    assert isinstance(json.loads(told), dict)
    assert all(f'"{bot}"' in told for bot in BOTS)


@pytest.mark.parametrize("game", NOT_PRACTISED)
def test_practice_says_what_is_missing(game: str, typed: Typed) -> None:
    refused = typed("practice", game, "--", "program", "{host}", "{port}", code=2)
    assert f"practice does not know {game} yet; it knows dice, holdem, stud" in refused.err


def test_help_and_lists_name_the_game(typed: Typed) -> None:
    assert "leduc: 200" in typed("league", "--help").out.replace("\n", " ")
    bots = json.loads(typed("bots", "--json").out)
    assert {"name": "leduc-value", "games": ["leduc"]}.items() <= next(
        bot for bot in bots if bot["name"] == "leduc-value"
    ).items()


def test_an_option_of_another_game_is_refused(typed: Typed) -> None:
    assert (
        "--ante is for holdem and stud; leduc has no such option" in typed("league", "leduc", "--ante", "2", code=2).err
    )


def test_an_unknown_game_is_never_another_one(typed: Typed) -> None:
    for command in ("league", "serve", "simulate"):
        assert "chess" in typed(command, "chess", "caller", "random", code=2).err


async def test_person_plays_a_game_of_which_only_the_rules_are_known(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", typed.path)
    async with open_terminal("play", "leduc", "--against", "caller", "--speed", "none", columns=80) as person:
        await person.sees("hand 1", "Your turn")
        await person.press(b"c")
        await person.sees("street 2", "Your turn")
        await person.press(b"c")
        await person.sees("the next hand")
        await person.press(b"\x1b[21~")
        await person.sees("Leave the table?")
        await person.press(b"\r")
        assert await person.ended() == 0
    assert "Leduc hold'em against caller\nYou have left the table.\n1 hand: 200 chips at first" in person.seen


async def test_people_meet_at_a_dealer_in_a_game_of_which_only_the_rules_are_known(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", typed.path)
    flags = ("--people", "1", "--people-port", "0", "--port", "0", "--line-port", "0", "--seats", "2")
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(open_terminal("serve", "leduc", "--no-page", "--no-journal", *flags))
        await host.until("min a reply: port ")
        while ")" not in host.seen:
            await host.read_more()
        port = host.seen.partition(")")[0]
        ann, bob = [
            await stack.enter_async_context(open_terminal("play", "127.0.0.1", port, "--id", name, columns=80))
            for name in ("ann", "bob")
        ]
        await ann.sees("Hand 1: 2 players")
        await bob.sees("Hand 1: 2 players")


@pytest.mark.usefixtures("_leduc_on_path")
async def test_check_of_a_game_without_cases(
    leduc: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(leduc), os.environ.get("PYTHONPATH", "")]))
    bot = [sys.executable, "-m", "dealer.main", "bot", "leduc-value", *WHERE, "--patience", "0"]
    results = await examined("leduc", bot, limit=30.0)
    assert (results.points, results.of) == (120, 120)
    assert missing_cases("leduc") in capsys.readouterr().err
    assert missing_cases("leduc").startswith(
        "the checker does not know leduc yet; it knows blockhead, dice, holdem, stud"
    )
