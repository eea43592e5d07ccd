"""The page in a browser while a dealer plays: first paint, bytes, frames, and tasks that hold it up."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from playwright.sync_api import Browser, Page

#: Milliseconds until a browser has painted the first text of the page, measured by itself.
FIRST_PAINT = """() => new Promise((told) => {
  new PerformanceObserver((list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) told(paint.startTime);
  }).observe({ type: "paint", buffered: true });
})"""

#: Milliseconds until the leader board has rows.
FIRST_ROWS = """() => new Promise((told) => {
  const rows = document.getElementById("rows");
  const look = () => (rows.children.length ? told(performance.now()) : requestAnimationFrame(look));
  look();
})"""

#: The times of all frames for some milliseconds, and the length of each task over 50 ms.
FRAMES = """(milliseconds) => new Promise((told) => {
  const frames = [];
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)));
  observer.observe({ type: "longtask" });
  const next = (now) => {
    frames.push(now);
    if (now - frames[0] < milliseconds) return void requestAnimationFrame(next);
    tasks.push(...observer.takeRecords().map((task) => task.duration));
    observer.disconnect();
    told([frames, tasks]);
  };
  requestAnimationFrame(next);
})"""


#: Seconds of one trace: those of a large screen have megabytes a second.
TRACE_SECONDS = 10.0

#: Milliseconds from one frame to the next, where none is late.
FRAME_MS = 1000 / 60


@dataclass(frozen=True)
class Frames:
    """How smoothly a page ran.

    Attributes:
        per_second: frames.
        longest: the longest time from one frame to the next, in milliseconds.
        long_tasks: the length of each task over 50 ms, in milliseconds.
        busy: the share of the time in which the page's own thread had work, as the processor counts it.
    """

    per_second: float
    longest: float
    long_tasks: tuple[float, ...]
    busy: float


@dataclass(frozen=True)
class Work:
    """What a page's own thread did, as the processor counts it: time that a task waits for the processor is none of it.

    Attributes:
        seconds: for which it was watched.
        tasks: processor time of each task, in milliseconds.
    """

    seconds: float
    tasks: tuple[float, ...]

    @property
    def frames_per_second(self) -> float:
        """That the thread leaves room for: a task that is longer than a frame takes the place of the next ones."""
        return 1000 / FRAME_MS - sum(task // FRAME_MS for task in self.tasks) / self.seconds


class Weight:
    """Counts the bytes that a page receives, compressed as they come and with the heads of the answers."""

    def __init__(self, page: Page) -> None:
        self._bytes: dict[str, float] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.dataReceived", self._received)
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    @property
    def bytes(self) -> float:
        """So far, in all answers."""
        return sum(self._bytes.values())

    @property
    def requests(self) -> int:
        """That were answered so far."""
        return len(self._bytes)

    def _answered(self, event: dict[str, Any]) -> None:
        self._bytes[event["requestId"]] = event["response"]["encodedDataLength"]

    def _received(self, event: dict[str, Any]) -> None:
        """Count a part; that of a stream has no length of its own, and is not compressed."""
        self._bytes[event["requestId"]] += event["encodedDataLength"] or event["dataLength"]

    def _finished(self, event: dict[str, Any]) -> None:
        self._bytes[event["requestId"]] = event["encodedDataLength"]


@contextmanager
def fresh_page(browser: Browser, size: tuple[int, int]) -> Iterator[Page]:
    """A page of a browser that has nothing of it yet."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme="dark")
    yield context.new_page()
    context.close()


def first_paint(browser: Browser, url: str, size: tuple[int, int]) -> tuple[float, float]:
    """Milliseconds until the first text is painted, and until the leader board has rows."""
    with fresh_page(browser, size) as page:
        page.goto(url)
        return page.evaluate(FIRST_PAINT), page.evaluate(FIRST_ROWS)


def weight(browser: Browser, url: str, size: tuple[int, int]) -> tuple[float, int]:
    """Bytes and requests until the leader board has rows."""
    with fresh_page(browser, size) as page:
        counted = Weight(page)
        page.goto(url)
        page.evaluate(FIRST_ROWS)
        return counted.bytes, counted.requests


def frames(page: Page, seconds: float) -> Frames:
    """Watch a page for so long."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _busy(session)
    began = time.perf_counter()
    stamps, tasks = page.evaluate(FRAMES, 1000 * seconds)
    busy = (_busy(session) - before) / (time.perf_counter() - began)
    gaps = [after - at for at, after in pairwise(stamps)]
    return Frames(1000 * len(gaps) / (stamps[-1] - stamps[0]), max(gaps), tuple(tasks), busy)


def work(browser: Browser, page: Page, seconds: float) -> Work:
    """Watch the tasks of a page for so long, in traces of the browser."""
    tasks: list[float] = []
    left = seconds
    while left > 0:
        browser.start_tracing(page=page, categories=["toplevel"])
        page.wait_for_timeout(1000 * min(left, TRACE_SECONDS))
        tasks += _task_times(json.loads(browser.stop_tracing())["traceEvents"])
        left -= TRACE_SECONDS
    return Work(seconds, tuple(tasks))


def _task_times(events: Sequence[dict[str, Any]]) -> list[float]:
    """Processor time of each task of the thread that runs the page, in milliseconds.

    A task that still ran when the trace ended has none and is left out.
    """
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "ThreadControllerImpl::RunTask"
        and (event["pid"], event["tid"]) in threads
        and "tdur" in event
    ]


def _busy(session: Any) -> float:
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"])
