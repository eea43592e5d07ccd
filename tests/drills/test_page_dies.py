"""The page's process is killed again and again in a show: it comes back, and nobody at the tables notices."""

import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

import psutil
import pytest
import trio

from dealer.web import own_process
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.stage import Watch
from tests.end_to_end.casino import Running, run, start
from tests.end_to_end.hosted import PORTS


async def page_process(dealer: Running, but: set[int]) -> psutil.Process:
    """The page of a dealer, once it is not one of those from before."""
    while True:
        for child in psutil.Process(dealer.process.pid).children():
            if child.pid not in but and own_process.__name__ in child.cmdline():
                return child
        await trio.sleep(0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="a process that is killed there looks like one that failed")
@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.heavy)])
async def test_page_is_killed_again_and_again_in_a_show(
    kills: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "a.journal"
    flags = ("--page-port", "0", "--seats", "3", "--show", "10", "--hands", "60", "--limit", "60")
    words = ("serve", "stud", *PORTS, *flags, "--journal", journal)
    watch, killed, away = Watch(), set[int](), list[float]()
    async with start(*words, stdin=subprocess.DEVNULL) as dealer, AsyncExitStack() as stack:
        port, told = await dealer.port(), await dealer.line_with("For browsers")
        page_port = int(told.rstrip("/").rpartition(":")[2])
        for bot in ("stud", "tight", "caller"):
            await stack.enter_async_context(start("bot", bot, "127.0.0.1", str(port), stdin=subprocess.DEVNULL))
        shown, died = 0, 0.0
        while len(killed) < kills:
            page = await page_process(dealer, killed)
            viewer = await watch(page_port)
            curves = await viewer.until(lambda name, facts: name == "curves" and facts["lines"])
            assert curves["hands"][0] == 0
            table = await viewer.until(lambda name, facts: name == "table" and "seats" in facts)
            assert table["hand"] >= shown
            shown = table["hand"]
            if killed:
                away.append(trio.current_time() - died)
            page.kill()
            killed.add(page.pid)
            died = trio.current_time()
        dealer.process.terminate()
        outcome = await dealer.ended()
        await watch.close()
    assert outcome.code == 0
    verdict = await run("verify", journal)
    assert (verdict.code, verdict.complaint) == (0, [])
    hands = [record for record in read_raw(journal) if record["type"] == "hand"]
    assert hands
    assert not any(hand["faults"] for hand in hands)
    with capsys.disabled():
        print(f"\nseconds until the page shows the table again: median {median(away):.2f}, most {max(away):.2f}")
