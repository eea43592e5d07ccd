"""The figures of the page: what was measured, what is wanted, and the measuring itself in the order of a table."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, Page

from tests.end_to_end.browser import line_with, started
from tests.end_to_end.reach.clicks import any_state, click_times, next_question
from tests.end_to_end.reach.crowded import FAST, PLAYERS, SHOW, TABLE_SIZE, Crowd, crowded, module
from tests.end_to_end.reach.watched import FIRST_ROWS, first_paint, frames, fresh_page, weight, work

VIEWERS = 200

#: Windows of projectors.
SIZES = ((1920, 1080), (3840, 2160))

#: Milliseconds of a long task, during which a page answers nobody.
LONG_MS = 50

#: Seconds in which a tournament begins.
BEGINS_SECONDS = 10.0


@dataclass(frozen=True)
class Figure:
    """A measured value.

    Attributes:
        name: what it is.
        value: in ``unit``.
        unit: of the value.
        wanted: the value that is at most, or with ``least`` at least, wanted; None if it is told for its own sake.
        least: see above.
    """

    name: str
    value: float
    unit: str
    wanted: float | None = None
    least: bool = False

    @property
    def reached(self) -> bool:
        if self.wanted is None:
            return True
        return self.value >= self.wanted if self.least else self.value <= self.wanted


def measured(browser: Browser, seconds: float, loads: int, clicks: int) -> Iterator[Figure]:
    """Measure everything; each figure comes as soon as it is known.

    Args:
        browser: for the page.
        seconds: for which frames and the dealer's processor time are watched.
        loads: how often the page is loaded for its first paint.
        clicks: of the person.
    """
    yield from _clicks(clicks)
    with _playing(SHOW) as crowd:
        yield from _viewers(crowd, seconds)
        yield from _smoothness(browser, crowd, seconds, "in a show", 59)
    with _playing(FAST) as crowd:
        yield from _loads(browser, crowd, loads)
        yield from _smoothness(browser, crowd, seconds, "at full speed", None)


@contextmanager
def _playing(tempo: Sequence[str]) -> Iterator[Crowd]:
    with crowded(tempo) as crowd:
        time.sleep(BEGINS_SECONDS)
        yield crowd


def _clicks(clicks: int) -> Iterator[Figure]:
    """A person among the players: heads-up at full speed, and at a full table of a show."""
    for name, answers in (("state", any_state), ("question", next_question)):
        with crowded(FAST, PLAYERS - 1, people=1, table_size=2) as crowd:
            times = sorted(click_times(crowd.port, clicks, answers))
        where = f"click to next {name}, heads-up at full speed"
        yield Figure(f"{where}, p50", median(times), "ms")
        yield Figure(f"{where}, p95", times[int(0.95 * len(times))], "ms", 50)
    with crowded(SHOW, PLAYERS - 1, people=1) as crowd:
        times = sorted(click_times(crowd.port, max(2, clicks // 20), any_state))
    yield Figure("click to next state, in a show, longest", times[-1], "ms", 50)


def _viewers(crowd: Crowd, seconds: float) -> Iterator[Figure]:
    """The dealer's share of a core, without and with viewers of the leader's table, and with viewers of all tables."""
    for name, tables in (("of the leader's table", 0), ("of all tables", PLAYERS // TABLE_SIZE)):
        quiet, descriptors = crowd.share(seconds), crowd.dealer.num_fds()
        with started(module("viewers", crowd.port, VIEWERS, tables)) as viewers:
            line_with(viewers, "watching")
            watched = crowd.share(seconds)
        while crowd.dealer.num_fds() > descriptors + VIEWERS // 2:
            time.sleep(0.1)
        yield Figure(f"core that {VIEWERS} viewers {name} take", 100 * (watched - quiet), "%", 5)
    yield Figure("core that play takes without viewers", 100 * quiet, "%")


def _loads(browser: Browser, crowd: Crowd, loads: int) -> Iterator[Figure]:
    times = [first_paint(browser, crowd.url, SIZES[0]) for _ in range(loads)]
    paints, rows = (sorted(column) for column in zip(*times, strict=True))
    yield Figure("first paint, median", median(paints), "ms", 500)
    yield Figure("first paint, longest", paints[-1], "ms", 500)
    yield Figure("first rows of the leader board, median", median(rows), "ms")
    received, requests = weight(browser, crowd.url, SIZES[0])
    yield Figure("weight until the leader board has rows", received / 1000, "kB", 150)
    yield Figure("requests until then", requests, "")


def _smoothness(
    browser: Browser, crowd: Crowd, seconds: float, tempo: str, least_frames: float | None
) -> Iterator[Figure]:
    """Frames and long tasks.

    Tasks are judged by processor time: by the clock, one is also long when the machine was busy with something else,
    as two cores are that also paint a large screen. The clock's figures are told beside them.

    Args:
        browser: for the page.
        crowd: who plays.
        seconds: for which the page is watched.
        tempo: how a figure calls the tempo.
        least_frames: wanted by the clock, a second.
    """
    for size in SIZES:
        where = f"{tempo}, {size[0]} x {size[1]}"
        with _watched(browser, crowd, size) as page:
            done, seen = work(browser, page, seconds), frames(page, seconds)
        long = [task for task in done.tasks if task > LONG_MS]
        yield Figure(f"tasks over {LONG_MS} ms of processor time, {where}", len(long), "", 0)
        yield Figure(f"longest task by processor time, {where}", max(done.tasks), "ms")
        yield Figure(
            f"frames that the page's thread has time for, {where}", done.frames_per_second, "/s", 58, least=True
        )
        yield Figure(f"frames by the clock, {where}", seen.per_second, "/s", least_frames, least=True)
        yield Figure(f"tasks over {LONG_MS} ms by the clock, {where}", len(seen.long_tasks), "")
        yield Figure(f"longest of them, {where}", max(seen.long_tasks, default=0), "ms")
        yield Figure(f"core of the page's thread, {where}", 100 * seen.busy, "%")


@contextmanager
def _watched(browser: Browser, crowd: Crowd, size: tuple[int, int]) -> Iterator[Page]:
    with fresh_page(browser, size) as page:
        page.goto(crowd.url)
        page.evaluate(FIRST_ROWS)
        yield page
