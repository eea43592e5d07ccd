"""The command lines of the documentation that need a dealer, an order of things or a terminal are run as they stand.

Only addresses and ports are replaced: the pages name those of a class room, the tests take free ones.
"""

import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path

import pytest
import trio

from tests.dealer.support.golden_replays import write_stud
from tests.docs.test_pages import PAGES, command_lines
from tests.end_to_end.casino import Running, start
from tests.end_to_end.hosted import PORTS, first_asked, fold_to_the_end, held_ports, open_peer
from tests.end_to_end.terminal import open_terminal
from tests.end_to_end.test_hosting import order
from tests.end_to_end.test_next_tournament import lines_with

if sys.platform == "win32":
    pytest.skip("the commands are those of a shell", allow_module_level=True)

from tests.bots.environments.untrained import save_untrained


def lines_of(command: str) -> list[str]:
    """The lines of all pages that begin with ``casino command``, each once, in the order of the pages."""
    found = (shlex.join(words) for path in PAGES for words in command_lines(path) if words[0] == command)
    return list(dict.fromkeys(found))


SERVE, RESUME, DESK, BOT, PLAY = map(lines_of, ("serve", "resume", "desk", "bot", "play"))
REPLAY = [line for line in lines_of("replay") if "--page" in line]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the rosters and the bot that the pages speak of."""
    monkeypatch.chdir(tmp_path)
    save_untrained(tmp_path / "stud.npz", "stud")
    for roster in ("class.csv", "school.csv"):
        (tmp_path / roster).write_text("id,name\nada,Ada L.\nsteph,Steph K.\n")
    return tmp_path


@pytest.fixture
def ports() -> Iterator[list[str]]:
    """Flags for a dealer that is started again, and finds its ports free."""
    with held_ports("--port", "--line-port", "--page-port") as held:
        yield ["--host", "127.0.0.1", *held]


def hosted(*words: str) -> AbstractAsyncContextManager[Running]:
    """A dealer of stud on free ports, without a page."""
    return start("serve", "stud", *words, *PORTS, "--no-page", "--limit", "30")


def test_pages_have_lines_of_each_command() -> None:
    assert all([SERVE, RESUME, DESK, BOT, PLAY, REPLAY])


@pytest.mark.parametrize("line", SERVE)
async def test_serve_line_opens_a_lobby(line: str, folder: Path) -> None:
    words = shlex.split(line)
    ports = [*PORTS, "--page-port", "0"]
    if "--people" in words:
        ports += ["--people-port", "0"]
    if "--acpc-port" in words:
        words[words.index("--acpc-port") + 1] = "0"
    async with start(*words, *ports) as running:
        async with open_peer(await running.port(), "ada:Ada"):
            await running.line_with("Ada")
            running.process.send_signal(signal.SIGTERM)
            outcome = await running.ended()
    assert outcome.complaint[-1] == "casino: the lobby was closed before the tournament started"
    assert outcome.code == 1


@pytest.mark.parametrize("line", RESUME)
async def test_resume_line_plays_on(line: str, ports: list[str], folder: Path) -> None:
    words = shlex.split(line)
    opening = ("serve", "stud", *ports, "--no-page", "--limit", "30")
    async with start(*opening, "--seats", "2", "--hands", "3", "--journal", words[1]) as running:
        port = await running.port()
        async with open_peer(port, "ada:Ada") as ada, open_peer(port, "steph:Steph") as steph:
            await first_asked(ada, steph)
            running.process.kill()
            await running.process.wait()
    async with start(*words) as running, trio.open_nursery() as nursery:
        port = await running.port()
        async with open_peer(port, "ada:Ada") as ada, open_peer(port, "steph:Steph") as steph:
            nursery.start_soon(fold_to_the_end, ada)
            await fold_to_the_end(steph)
            assert (await running.ended()).code == 0


@pytest.mark.parametrize("line", REPLAY)
async def test_replay_line_serves_a_page(line: str, folder: Path) -> None:
    words = shlex.split(line)
    if "--hand" in words:
        words[words.index("--hand") + 1] = "4"  # the journal holds five
    write_stud(folder / words[1])
    async with start(*words, "--page-port", "0") as running:
        await running.line_with("For browsers")
        running.process.send_signal(signal.SIGINT)
        assert (await running.ended()).code == 0


@pytest.mark.parametrize("line", [line for line in BOT if "--acpc" not in line])  # needs another kind of dealer
async def test_bot_line_plays_to_the_end(line: str, folder: Path) -> None:
    words = shlex.split(line)
    door = "(programs that send lines" if "--lines" in words else "address"
    async with hosted("--seats", "2", "--hands", "3", "--no-journal") as running:
        words[2:4] = ["127.0.0.1", str(await running.port(door))]
        async with open_peer(await running.port(), "ada:Ada") as ada, start(*words) as bot:
            await fold_to_the_end(ada)
            assert (await bot.ended()).code == 0
        assert (await running.ended()).code == 0


@pytest.mark.long
async def test_desk_lines_are_obeyed(ports: list[str], folder: Path) -> None:
    """In the order of the page. The suspended tournament is resumed for the orders below that line, and has a next."""
    journal = folder / "friday.journal"
    opening = ["serve", "stud", *ports, "--fast", "--limit", "30", "--desk"]
    opening += ["--levels", "100000", "--journal", journal.name]
    left = [shlex.split(line)[2:] for line in DESK]
    players = ["steph:Steph", "ada:Ada", "bob:Bob", "cem:Cem"]
    while left:
        async with AsyncExitStack() as stack:
            running = await stack.enter_async_context(start(*opening))
            port = await play_against_each_other(stack, running, players)
            token = (await running.line_with("desk token")).split()[-1]
            place = (await running.line_with("For browsers")).split()[-1]
            said = ""
            while left and said not in {"suspend", "end"}:
                said, *rest = left.pop(0)
                if said == "journal":
                    journal.unlink()
                    await running.complaint_with(str(journal.name))
                if said == "readmit":  # Steph was removed before the start
                    rest = ["Bob"]
                    await order(place, token, "remove", "Bob", "by mistake", "--yes")
                obeyed = await order(place, token, said, *rest, "--yes", folder=folder)
                while said == "readmit" and "is still in" in obeyed.err:  # until the hand under way is over
                    obeyed = await order(place, token, said, *rest, "--yes")
                assert obeyed.code == 0, (said, obeyed)
            if said == "end":  # after "next"
                await running.line_with("Tournament 2, with the same players")
                await lines_with(running, f"port {port}", 2)  # the lobby is open again
                running.process.send_signal(signal.SIGTERM)
            assert (await running.ended()).code == 0
        players = [player for player in players if player != "steph:Steph"]
        opening = ["resume", journal.name]


async def play_against_each_other(stack: AsyncExitStack, running: Running, players: list[str]) -> int:
    """Log players in, who fold whenever they are asked; return the port at which they are."""
    nursery = await stack.enter_async_context(trio.open_nursery())
    port = await running.port()
    for player in players:
        nursery.start_soon(fold_to_the_end, await stack.enter_async_context(open_peer(port, player)))
    return port


@pytest.mark.parametrize("line", PLAY)
async def test_play_line_shows_a_table(line: str, folder: Path) -> None:
    words = shlex.split(line)
    if "--web" in words:
        async with start(*words, "--web-port", "0") as running:
            await running.line_with("http://")
        return
    if words[1].isalpha():
        await leave(words)
        return
    async with hosted("--seats", "2", "--people-port", "0", "--no-journal") as running:
        words[1:3] = ["127.0.0.1", str(await running.port("people at"))]
        async with open_peer(await running.port(), "caller:Caller") as other, trio.open_nursery() as nursery:
            nursery.start_soon(fold_to_the_end, other)
            await leave(words)
            assert (await running.ended()).code == 0


async def leave(words: list[str]) -> None:
    """Run the command at a terminal until it asks the person, and press the key that leaves."""
    at_table = "--against" in words or words[1] == "127.0.0.1"
    async with open_terminal(*words, columns=80) as person:
        await person.sees("Your turn" if at_table else "Who may sit down")
        await person.press(b"\x1b[21~")
        if at_table:
            await person.sees("Leave the table?")
            await person.press(b"\r")
        assert await person.ended() == 0
