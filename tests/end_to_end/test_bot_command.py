"""``casino bot`` at a real dealer: one that is refused, and what was learned."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from tests.bots.environments.untrained import save_untrained
from tests.end_to_end.casino import Outcome, run, start
from tests.end_to_end.hosted import AGREED, PORTS, open_peer, serve


async def test_a_bot_that_is_refused_prints_the_reason() -> None:
    async with serve() as dealer:
        port = await dealer.port()
        async with open_peer(port, "caller:The first"):
            await dealer.line_with("(1 here)")
            outcome = await run("bot", "caller", "127.0.0.1", str(port))
    assert outcome.code == 0
    assert "the id 'caller' is already seated" in outcome.out


#: Seconds for a reply that a busy machine keeps, also for the first one of a bot that loads what it has learned.
LIMIT = ("--limit", "60")


@pytest.mark.parametrize("game", ["stud", "holdem"])
async def test_a_file_plays_a_tournament_over_tcp(game: str, tmp_path: Path) -> None:
    outcomes: dict[str, Outcome] = {}

    async def play(name: str, port: int) -> None:
        outcomes[Path(name).stem] = await run("bot", name, "127.0.0.1", str(port))

    file = tmp_path / f"my-{game}.npz"
    save_untrained(file, game)
    words = ("serve", game, *PORTS, *AGREED, "--seats", "2")
    async with start(*words, stdin=subprocess.DEVNULL) as dealer, trio.open_nursery() as nursery:
        port = await dealer.port()
        for name in (str(file), "caller"):
            nursery.start_soon(play, name, port)
        ended = await dealer.ended()
    assert ended.code == 0
    assert f"my-{game}" in ended.out, "the file without folder and ending is its name"
    assert {name: outcome.code for name, outcome in outcomes.items()} == {f"my-{game}": 0, "caller": 0}
    # Without having learned anything it may be broke before the end.
    assert re.search("the tournament is over; you are number|you are out; broke", outcomes[f"my-{game}"].out)


async def test_a_file_that_cannot_be_played_is_said_before_connecting(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("no bot")
    outcome = await run("bot", str(tmp_path / "text.npz"), "127.0.0.1", "1")
    assert outcome.code == 2
    assert "holds no bot that has learned" in outcome.complaint[0]


@pytest.mark.parametrize("words", [("simulate", "stud"), ("league", "stud")], ids=["simulate", "league"])
def test_without_numpy_it_says_what_to_install(words: tuple[str, ...]) -> None:
    argv = ["casino", *words, "learned.npz", "caller", "--hands", "2"]
    program = f"import sys; sys.modules['numpy'] = None; sys.argv = {argv}; from dealer.main import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    needs = "cannot be loaded: a bot that has learned needs numpy: pip install '.[rl]' in the folder of Casino Day\n"
    assert done.stderr.endswith(needs)
    assert done.stderr.count("\n") == 1


@pytest.mark.long
async def test_a_file_is_a_bot_of_a_league_of_a_check_and_of_practice(tmp_path: Path) -> None:
    file = tmp_path / "learned.npz"
    save_untrained(file, "stud")
    for words in ((file, "caller"), ("caller", "--bot-cmd", file), (file, "--bot-cmd", file)):
        league = await run("league", "stud", *words, "--hands", "2", "--json", *LIMIT)
        assert league.code == 0, league.err
        assert "learned" in {standing["id"] for standing in json.loads(league.out)["standings"]}
    check = await run("check", "stud", "--json", *LIMIT, "--", file)
    assert json.loads(check.out)["what"] == str(file)
    assert "this bot has not learned such a table" in check.out, "it asks at tables of more than two players, too"
    short = ("--tournaments", "1", "--stack", "20", *LIMIT)
    practice = await run("practice", "stud", "--against", "caller", *short, "--out", tmp_path / "kept", "--", file)
    assert practice.code == 0, practice.err
