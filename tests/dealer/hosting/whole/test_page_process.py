"""The page's process: one that fails says why, and is started again."""

from typing import Any

import pytest
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


async def test_page_that_fails_says_why_and_is_started_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], watch: Watch
) -> None:
    check, refusals = HostToken.check, ["not yet"]

    def refuse_once(token: HostToken, *given: Any) -> None:
        if refusals:
            raise WrongToken(refusals.pop())
        check(token, *given)

    monkeypatch.setattr(HostToken, "check", refuse_once)
    scene = Scene(NewTournament(Settings(SEED, StudGame()), 2), desk=True, journal=Journal(None))
    with capture_logs() as lines:
        async with (
            open_desk(scene, None) as desk,
            open_feed(scene, HOST, None, desk) as feed,
            open_page(scene, PagePlace(HOST, 0), print, feed, desk),
        ):
            assert scene.page_port is not None
            viewer = await watch(scene.page_port)  # which waits at the socket until there is a page
            assert (await viewer.until_named("scene"))["phase"] == "lobby"
    told = capsys.readouterr().err
    await viewer.until_named("bye")
    assert "refuses the page: not yet" in told
    assert [line["code"] for line in lines if line["event"].startswith("the page's process died")] == [1]
