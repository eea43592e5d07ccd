"""Single keys at the host's terminal, and the page that stays up after the end of the tournament."""

import os
import pty
import shlex
import signal
import subprocess
import sys

import pytest
import trio

from tests.end_to_end.browser import line_with
from tests.end_to_end.casino import ENVIRONMENT, casino
from tests.end_to_end.hosted import PORTS, first_asked, fold_all, open_peer
from tests.end_to_end.terminal import CTRL_C, open_terminal
from tests.patience import PATIENCE

if sys.platform == "win32":
    pytest.skip("no such terminals there", allow_module_level=True)

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
