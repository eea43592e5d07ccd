"""Keys of the host: Ctrl-C asks what to do, signals together lose nothing, and the terminal is left as it was."""

import os
import pty
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.bad_bots.peer import Peer
from tests.dealer.support.raw_records import play_of
from tests.end_to_end.browser import line_with
from tests.end_to_end.casino import ENVIRONMENT, casino, start
from tests.end_to_end.forked import Forked
from tests.end_to_end.hosted import (
    AGREED,
    PORTS,
    SERVE,
    finish,
    first_asked,
    fold_all,
    held_ports,
    open_peer,
    two_players,
)
from tests.end_to_end.terminal import CTRL_C, open_terminal
from tests.patience import PATIENCE

if sys.platform == "win32":
    pytest.skip("no such terminals there", allow_module_level=True)

from tests.end_to_end.terminal import Terminal

#: Each is another signal, because a process that stands still has only one of each number.
TOGETHER = {
    "int term": (signal.SIGINT, signal.SIGTERM),
    "term int hup": (signal.SIGTERM, signal.SIGINT, signal.SIGHUP),
    "hup term": (signal.SIGHUP, signal.SIGTERM),
}
SEVERAL = pytest.mark.parametrize("several", TOGETHER.values(), ids=TOGETHER.keys())
ONE = {"int": (signal.SIGINT,), "term": (signal.SIGTERM,)}
ONE_OR_SEVERAL = pytest.mark.parametrize("several", [*ONE.values(), *TOGETHER.values()], ids=[*ONE, *TOGETHER])

#: What a dealer is started with, but for its page; and with a page or without.
WITHOUT_PAGE = [word for word in SERVE if word != "--no-page"]
PAGES = [["--no-page"], ["--page-port", "0", "--fast"]]


def send_together(process: trio.Process | Forked, several: Sequence[signal.Signals]) -> None:
    """Send signals to a process that stands still meanwhile: it takes them at one moment on a busy machine, too."""
    for number in (signal.SIGSTOP, *several, signal.SIGCONT):
        process.send_signal(number)


@pytest.fixture
def ports() -> Iterator[list[str]]:
    """Flags for a dealer that is started again, and finds its ports free."""
    with held_ports("--port", "--line-port") as held:
        yield ["--host", "127.0.0.1", *held]


def records(journal: Path) -> list[str]:
    """Types of records, and what the desk was told."""
    return [record.get("command") or record["type"] for record in play_of(journal)]


@asynccontextmanager
async def asked_at_terminal(
    *words: str | Path, ports: Sequence[str] = PORTS
) -> AsyncIterator[tuple[Terminal, Peer, list[Peer]]]:
    """A host who has pressed Ctrl-C in the first hand, the player who owes a reply, and both players."""
    async with open_terminal("serve", "stud", *ports, *AGREED, "--seats", "2", *words) as terminal:
        port = await terminal.port()
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            asked = await first_asked(a, b)
            await terminal.press(CTRL_C)
            await terminal.until("What now? ")
            yield terminal, asked, [a, b]


async def play_out(terminal: Terminal, peers: list[Peer]) -> int:
    """Fold until the dealer ends; its exit code."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(fold_all, *peers)
        return await terminal.ended()


async def test_go_on_after_ctrl_c(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    async with asked_at_terminal("--journal", journal) as (terminal, asked, peers):
        await terminal.press(b"what\n")
        await terminal.until("Not understood.")
        await terminal.press(b"g\n")
        await terminal.until("The tournament goes on.")
        await asked.say("fold")
        await fold_all(*peers)
        await terminal.until("n and Enter opens the lobby for the next tournament")
        await terminal.press(b"\n")
        assert await terminal.ended() == 0
    assert records(journal) == ["start", "services", "game", "pause", "resume", *["hand"] * 5, "end"]


async def test_end_after_ctrl_c(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    async with asked_at_terminal("--journal", journal) as (terminal, asked, peers):
        await asked.say("fold")
        await terminal.press(b"end\n")
        assert await play_out(terminal, peers) == 0
        assert "the same cards again" in terminal.seen
    assert records(journal)[-1] == "end"
    assert records(journal).count("hand") == 1


async def test_suspend_after_ctrl_c_and_resume(ports: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "j"
    async with asked_at_terminal("--journal", journal, ports=ports) as (terminal, asked, peers):
        await asked.say("fold")
        await terminal.press(b"s\n")
        assert await play_out(terminal, peers) == 0
        assert f"play on with: casino resume {journal}" in terminal.seen
        assert "the same cards again" not in terminal.seen
        assert {peer.done for peer in peers} == {
            "the tournament is suspended; it goes on another day, with the same chips"
        }
    before, after = records(journal)[:4], records(journal)[4:]
    assert before == ["start", "services", "game", "pause"]
    assert sorted(after[:-1]) == ["hand", "suspend"]  # both come at one time
    assert after[-1] == "stopped"
    async with start("resume", journal, "--no-page", stdin=subprocess.DEVNULL) as again:
        async with two_players(again) as (a, b):
            await finish(again, a, b)
            assert f"{journal}: 1 hand finished; no hand was under way." in again.out
    assert "void" not in records(journal)
    assert records(journal)[-1] == "end"


async def test_without_a_journal_nothing_is_suspended_and_no_answer_leaves_the_pause() -> None:
    async with asked_at_terminal("--no-journal") as (terminal, asked, peers):
        await terminal.press(b"\x04")
        await terminal.until("Ctrl-C asks again.")
        await terminal.press(CTRL_C)
        await terminal.until("What now? ")
        await terminal.press(b"s\n")
        await terminal.until("Not understood.")
        await terminal.press(b"e\n")
        await asked.say("fold")
        assert await play_out(terminal, peers) == 0
        assert "Standings" in terminal.seen


async def test_new_journal_after_ctrl_c_in_a_league_without_a_desk(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    endless = ("--hands", "100000", "--stack", "100000000", "--limit", "60")
    async with open_terminal("league", "stud", "caller", "tight", *endless, "--journal", journal) as terminal:
        await terminal.until("2 of 2 playing")
        journal.unlink()
        await terminal.until("No more hands for now: the journal was deleted or moved away.")
        await terminal.press(CTRL_C)
        await terminal.until("n: write a new journal with all so far, and go on;")
        await terminal.until("What now? ")
        await terminal.press(b"n\n")
        await terminal.until(f"play goes on. It is now {tmp_path / 'a-2.journal'}.")
        await terminal.press(CTRL_C)
        await terminal.until("What now? ")
        await terminal.press(b"n\n")
        await terminal.until("Not understood. e: end")
        await terminal.press(b"e\n")
        assert await terminal.ended() == 0
    assert not journal.exists()
    told = records(tmp_path / "a-2.journal")
    assert (told[0], told[-1]) == ("start", "end")
    assert told.index("pause") < told.index("resume")


async def test_new_journal_while_the_tournament_is_ending(tmp_path: Path) -> None:
    journal = tmp_path / "a.journal"
    async with asked_at_terminal("--journal", journal) as (terminal, asked, peers):
        await terminal.press(b"e\n")
        await terminal.until("Ending after this hand.")
        journal.unlink()
        await terminal.until("No more hands for now: the journal was deleted or moved away.")
        await terminal.press(CTRL_C)
        await terminal.until("the journal was deleted or moved away. n: write a new journal")
        await terminal.until("What now? ")
        await terminal.press(b"n\n")
        await terminal.until("play goes on. It is now")
        await asked.say("fold")
        assert await play_out(terminal, peers) == 0
    assert records(tmp_path / "a-2.journal") == ["start", "services", "game", "pause", "end", "hand", "end"]


async def test_closed_terminal_ends_the_tournament_after_the_hand(tmp_path: Path) -> None:
    journal = tmp_path / "j"
    async with asked_at_terminal("--journal", journal) as (terminal, asked, peers):
        await terminal.hang_up()
        await asked.say("fold")
        await fold_all(*peers)
        assert await terminal.process.wait() == 1  # the results have nowhere to go
    assert records(journal)[-1] == "end"


CLOSINGS = ["no player is here", "the player who is here is told", "the 2 players who are here are told"]


@pytest.mark.parametrize(("count", "told"), list(enumerate(CLOSINGS)))
async def test_ctrl_c_in_the_lobby_says_what_it_does(count: int, told: str) -> None:
    async with open_terminal(*SERVE, "--seats", "3", "--no-journal") as terminal, AsyncExitStack() as stack:
        port = await terminal.port()
        await terminal.until("The tournament starts when")
        peers = []
        for number in range(count):
            peers.append(await stack.enter_async_context(open_peer(port, f"p{number}:P{number}")))
            await terminal.until(f"({number + 1} here)")
        await terminal.press(CTRL_C)
        assert await play_out(terminal, peers) == 1
        assert f"Closing the lobby: nothing has been played yet, and {told}.\n" in terminal.seen
        assert "casino: the lobby was closed before the tournament started" in terminal.seen
    assert {peer.done for peer in peers} <= {"the dealer closed the lobby before the tournament started"}


@ONE_OR_SEVERAL
@pytest.mark.parametrize("page", PAGES, ids=["alone", "page"])
async def test_signals_end_a_tournament_after_the_hand_and_several_together_count_as_one(
    several: tuple[signal.Signals, ...], page: list[str], tmp_path: Path
) -> None:
    journal = tmp_path / "j"
    words = [*WITHOUT_PAGE, *page, "--seats", "2", "--journal", str(journal)]
    async with start(*words, stdin=subprocess.DEVNULL) as running:
        async with two_players(running) as (a, b):
            asked = await first_asked(a, b)
            send_together(running.process, several)
            await running.line_with("Stopping after this hand; interrupt again to stop at once.")
            await asked.say("fold")
            await fold_all(a, b)
            send_together(running.process, several)  # while it says goodbye
        outcome = await running.ended()
    assert outcome.code == 0
    assert "Standings" in outcome.out
    assert (a.done or "").startswith("the tournament is over")
    assert records(journal) == ["start", "services", "game", "stop", "hand", "end"]


@ONE_OR_SEVERAL
async def test_signals_in_the_lobby_close_it(several: tuple[signal.Signals, ...]) -> None:
    page = PAGES[several == (signal.SIGINT,)]  # the page ends, too
    async with start(*WITHOUT_PAGE, *page, "--seats", "2", stdin=subprocess.DEVNULL) as running:
        await running.line_with("The tournament starts when 2 players are here.")
        send_together(running.process, several)
        outcome = await running.ended()
    assert (outcome.code, outcome.complaint) == (1, ["casino: the lobby was closed before the tournament started"])


@SEVERAL
async def test_signals_together_end_a_podium(several: tuple[signal.Signals, ...]) -> None:
    words = ("--hands", "3", "--limit", "60", "--page-port", "0")
    async with open_terminal("league", "stud", "caller", "tight", *words) as terminal:
        await terminal.until("Standings")
        await terminal.until("The page stays up; Ctrl-C ends it.")
        send_together(terminal.process, several)
        assert await terminal.ended() == 0


@SEVERAL
async def test_signals_together_end_a_bench(several: tuple[signal.Signals, ...]) -> None:
    async with start("bench", "--seconds", "300") as running:
        while not running.children():
            await trio.sleep(0.05)  # another process, which tells nobody
        send_together(running.process, several)
        outcome = await running.ended()
    assert outcome.err.strip() == ""
    assert outcome.code == 130


#: Ctrl-D, at the begin of a line.
END_OF_INPUT = b"\x04"

LEAGUE = ("league", "stud", "caller", "tight", "--hands", "3", "--limit", "60", "--page-port", "0")


@pytest.mark.parametrize("how", ["ctrl-c", "end of input"])
def test_the_page_stays_until_the_host_has_seen_enough(how: str) -> None:
    host, terminal = pty.openpty()
    with subprocess.Popen(
        casino(*LEAGUE), stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT
    ) as process:
        line_with(process, "The page stays up; Ctrl-C ends it.")
        os.write(host, b"\n")
        if how == "end of input":
            os.write(host, END_OF_INPUT)
        else:
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    os.close(host)
    os.close(terminal)


def test_scripts_are_not_kept_waiting() -> None:
    host, terminal = pty.openpty()
    command = casino(*LEAGUE, "--json")
    done = subprocess.run(
        command, stdin=terminal, capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE, check=False
    )
    os.close(host)
    os.close(terminal)
    assert done.returncode == 0
    assert "stays up" not in done.stderr


WORDS = ("serve", "stud", *PORTS, "--no-page", "--no-journal", "--limit", "60", "--hands", "2", "--seats", "2")


async def test_keys_before_the_start_and_during_play() -> None:
    async with open_terminal(*WORDS) as terminal:
        port = await terminal.port()
        await terminal.until("? lists the keys")
        assert not terminal.takes_lines
        for key, answer in (
            (b"?", "the next hand, slowly"),
            (b"-", "The tournament will be a show of 10.0 min."),
            (b"+", "The tournament will be a show of 6.7 min."),
            (b"x ", "The tournament will begin with a pause."),
            (b"\n", "Not before "),
        ):
            await terminal.press(key)
            await terminal.until(answer)
        async with open_peer(port, "a:A") as a, open_peer(port, "b:B") as b:
            await terminal.until("The tournament begins with a pause.")
            await terminal.press(b"n")
            await terminal.until("One hand, slowly.")
            asked = await first_asked(a, b)
            await terminal.press(b" ")
            await terminal.until("The tournament goes on.")
            await terminal.press(b"+")
            await terminal.until("The tournament is now a show of 4.4 min.")
            await terminal.press(CTRL_C)
            await terminal.until("What now?")
            assert terminal.takes_lines, "the answer is a line"
            await terminal.press(b"e\n")
            await terminal.until("Ending after this hand.")
            await asked.say("fold")
            await fold_all(a, b)
        assert await terminal.ended() == 0
        assert terminal.takes_lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1])
async def test_a_signal_leaves_the_terminal_as_it_was(number: signal.Signals) -> None:
    async with open_terminal(*WORDS) as terminal:
        await terminal.until("? lists the keys")
        terminal.process.send_signal(number)
        await terminal.ended()
        assert terminal.takes_lines


CTRL_Z = b"\x1a"


async def test_keys_work_again_after_a_stop_that_cannot_be_caught() -> None:
    async with open_terminal(*WORDS) as terminal:
        await terminal.until("? lists the keys")
        terminal.process.send_signal(signal.SIGSTOP)
        await trio.to_thread.run_sync(os.waitid, os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT)
        terminal.shell_takes_it()
        terminal.process.send_signal(signal.SIGCONT)
        await terminal.press(b"+")
        await terminal.until("The tournament will be as fast as it goes.")
        await terminal.press(CTRL_C)
        await terminal.ended()
        assert terminal.takes_lines


async def test_keys_work_again_after_background_and_foreground() -> None:
    async with open_terminal(command=["bash", "--norc", "--noprofile", "--noediting", "-i"]) as shell:
        await shell.press(f"{shlex.join(casino(*WORDS))}\n".encode())
        await shell.until("? lists the keys")
        await shell.press(CTRL_Z)
        await shell.until("Stopped")
        assert shell.takes_lines
        await shell.press(b"bg\n")
        await shell.until("&")
        await shell.press(b"echo in $((6 * 7))\n")
        await shell.until("in 42")  # the shell has the terminal, and the dealer leaves its mode and its lines alone
        assert shell.takes_lines
        await shell.press(b"fg\n")
        await shell.until("dealer.main serve")
        await shell.press(b" ")
        await shell.until("The tournament will begin with a pause.")
        await shell.press(CTRL_C)
        await shell.until("the lobby was closed before the tournament started")
        await shell.press(b"exit\n")
        await shell.ended()
