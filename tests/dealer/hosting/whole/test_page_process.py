"""The page's process: one that fails says why, and is started again."""

from typing import Any

import pytest
import trio
from structlog.testing import capture_logs

from dealer.desk.desk import open_desk
from dealer.desk.token import HostToken, WrongToken
from dealer.feed.port import open_feed
from dealer.hosting.page_process import open_page
from dealer.journal.writer import Journal
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament
from dealer.tournament.scene import Scene
from dealer.web.serving import PagePlace
from protocol.games.stud import StudGame
from tests.dealer.support.rig import HOST, SEED
from tests.dealer.support.stage import Watch


async def a_viewer_sees_the_lobby(watch: Watch) -> None:
    """Serve the page of a dealer until a viewer has seen it, who waits at the socket until there is a page."""
    scene = Scene(NewTournament(Settings(SEED, StudGame()), 2), desk=True, journal=Journal(None))
    async with (
        open_desk(scene, None) as desk,
        open_feed(scene, HOST, None, desk) as feed,
        open_page(scene, PagePlace(HOST, 0), print, feed, desk),
    ):
        assert scene.page_port is not None
        viewer = await watch(scene.page_port)
        assert (await viewer.until_named("scene"))["phase"] == "lobby"
    await viewer.until_named("bye")


async def test_page_that_fails_says_why_and_is_started_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], watch: Watch
) -> None:
    check, refusals = HostToken.check, ["not yet"]

    def refuse_once(token: HostToken, *given: Any) -> None:
        if refusals:
            raise WrongToken(refusals.pop())
        check(token, *given)

    monkeypatch.setattr(HostToken, "check", refuse_once)
    with capture_logs() as lines:
        await a_viewer_sees_the_lobby(watch)
    assert "refuses the page: not yet" in capsys.readouterr().err
    assert [line["code"] for line in lines if line["event"].startswith("the page's process died")] == [1]


async def test_system_that_has_no_room_for_the_page_ends_nothing(monkeypatch: pytest.MonkeyPatch, watch: Watch) -> None:
    start, failures = trio.lowlevel.open_process, [OSError(24, "Too many open files")]

    async def fail_once(*words: Any, **options: Any) -> trio.Process:
        if failures:
            raise failures.pop()
        return await start(*words, **options)

    monkeypatch.setattr(trio.lowlevel, "open_process", fail_once)
    with capture_logs() as lines:
        await a_viewer_sees_the_lobby(watch)
    assert [line["event"] for line in lines if line["log_level"] == "error"] == [
        "the page's process cannot be started; the tournament goes on"
    ]
