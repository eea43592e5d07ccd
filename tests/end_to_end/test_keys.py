"""Single keys at the host's terminal, before the start and during play; the terminal is as before on every exit."""

import signal

import pytest
import trio

from tests.end_to_end.hosted import PORTS, first_asked, fold_to_the_end, open_peer
from tests.end_to_end.terminal import CTRL_C, open_terminal

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
            async with trio.open_nursery() as nursery:
                for peer in (a, b):
                    nursery.start_soon(fold_to_the_end, peer)
        assert await terminal.ended() == 0
        assert terminal.takes_lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1])
async def test_a_signal_leaves_the_terminal_as_it_was(number: signal.Signals) -> None:
    async with open_terminal(*WORDS) as terminal:
        await terminal.until("? lists the keys")
        terminal.process.send_signal(number)
        await terminal.ended()
        assert terminal.takes_lines
