"""Programs as processes: what they write, and programs that others of their own have started."""

import shlex
import sys

import trio

from dealer.lobby.lobby import Lobby
from dealer.net.watchdog import open_watchdog
from dealer.programs import SAID_BYTES, SAID_LINES, Participant, Program, gather, start_program
from tests.patience import PATIENCE

#: Writes thirty times as much as is kept, and to its standard output as much.
TALKER = """
import sys
for number in range(30 * 1000):
    print(f"{number:099}", file=sys.stderr)
    print(number)
print("\\x1b[2J", file=sys.stderr)
sys.exit(3)
"""


async def test_end_of_what_a_program_writes_is_kept() -> None:
    """A pipe that nobody reads would stop the program, and a file that takes it all would fill the disk."""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            running = await start_program(Program("", (sys.executable, "-c", TALKER)), 0, nursery)
            await running.wait()
    assert (running.code, len(running.complained), running.printed) == (3, SAID_BYTES, "")
    *numbers, last = running.last_lines
    assert [int(line) for line in numbers] == list(range(30_001 - SAID_LINES, 30_000))
    assert last == "\N{REPLACEMENT CHARACTER}[2J"


async def test_program_of_a_script_that_has_ended_logs_in() -> None:
    bot = shlex.join([sys.executable, "-m", "dealer.main", "bot", "caller", "$0", "$1"]).replace("'", "")
    one = Participant(Program("caller", ("sh", "-c", f"{bot} &", "{host}", "{port}")), Lobby(1), PATIENCE)
    with trio.fail_after(PATIENCE):
        async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
            await one.start(nursery, watchdog, print)
            await gather([one], watchdog.stalls)
            assert one.running.code == 0
            one.lobby.close(lambda: "")
            assert one.player is not None
            assert one.player.seat is not None
            await one.player.seat.close("bye")
            await one.running.wait()
            await one.stop()
            nursery.cancel_scope.cancel()
    assert one.failure is None
