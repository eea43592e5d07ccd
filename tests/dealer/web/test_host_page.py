"""The host's page over HTTP: its session, what it is told, and who is kept out."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.settings import Settings
from dealer.web.admin.guard import SESSIONS
from dealer.web.admin.host_routes import STREAMS
from protocol.games.stud import StudGame
from tests.dealer.support.desks import DeskRig, bad_reply, begun_desk, nothing_happened, open_desk, until
from tests.dealer.support.host_pages import HostPage, told
from tests.dealer.support.http_routes import request
from tests.dealer.support.rig import HOST, SEED, call, good_clients

SETTINGS = Settings(SEED, hands=30, game=StudGame(500))
END = {"command": "end"}


@asynccontextmanager
async def played() -> AsyncIterator[tuple[DeskRig, HostPage]]:
    """A tournament of two players that has not dealt yet, and a host who is logged in."""
    async with begun_desk(SETTINGS) as (desk, _):
        page = HostPage(desk.port, desk.token)
        await page.log_in()
        yield desk, page


async def test_the_token_is_given_once(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        page = HostPage(desk.port, desk.token)
        assert (await page.post("/host/orders", {"command": "show"})).status == 401
        reply = await page.log_in()
        assert reply.headers["set-cookie"].split("; ")[1:] == ["Path=/host", "HttpOnly", "SameSite=Strict"]
        assert reply.headers["cache-control"] == "no-store"
        assert desk.token not in reply.headers["set-cookie"]
        shown = await page.post("/host/orders", {"command": "show"})
        assert (shown.status, shown.facts["state"]["phase"]) == (200, "lobby")
        assert (await page.post("/host/orders", {"command": "pace"})).status == 400
        assert (await page.post("/host/orders", END)).status == 409
        gone = await page.post("/host/logout", {})
        assert "Max-Age=0" in gone.headers["set-cookie"]
        assert (await page.post("/host/orders", {"command": "show"})).status == 401


FOREIGN: Mapping[str, Mapping[str, str]] = {
    "another site": {"origin": "http://evil.example"},
    "a page without origin": {"origin": "null"},
    "a request that tells no origin": {"origin": ""},
    "another port of the same address": {"origin": f"http://{HOST}:1"},
    "a browser that says so": {"sec-fetch-site": "cross-site"},
    "the same site, another port": {"sec-fetch-site": "same-site"},
    "a name that leads here": {"host": "evil.example:8080", "origin": "http://evil.example:8080"},
}


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
async def test_the_cookie_is_worth_nothing_to_other_pages(headers: Mapping[str, str], tcp_clock: MockClock) -> None:
    async with played() as (desk, page):
        for path, facts in {"/host/orders": END, "/host/events": {}, "/host/logout": {}}.items():
            assert (await page.post(path, facts, headers)).status == 403, path
        assert (await page.post("/host/login", {"token": desk.token}, headers)).status == 403
        assert nothing_happened(desk)
        assert (await page.post("/host/orders", {"command": "show"})).status == 200


@pytest.mark.parametrize("type_", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_what_a_form_can_send_is_refused(type_: str, tcp_clock: MockClock) -> None:
    async with played() as (desk, page):
        assert (await page.post("/host/orders", END, {"content-type": type_})).status == 415
        assert nothing_happened(desk)


@pytest.mark.parametrize("path", ["/host/orders", "/host/events", "/host/logout", "/host/login"])
async def test_a_link_or_a_picture_reaches_nothing(path: str, tcp_clock: MockClock) -> None:
    async with played() as (desk, page):
        reply = await request(desk.port, "GET", path, {"cookie": page.cookie})
        assert reply.status in (404, 405)
        assert (await page.post("/host/orders", {"command": "show"})).status == 200


async def test_other_cookies_are_no_session(tcp_clock: MockClock) -> None:
    async with played() as (desk, page):
        name, _, secret = page.cookie.partition("=")
        for cookie in (f"{name}={desk.token}", f"{name}={secret[:-1]}", f"{name}=", f"x={secret}", "\xe9=;;", name):
            assert (await page.post("/host/orders", END, {"cookie": cookie})).status == 401, cookie
        bare = {"cookie": page.cookie, "authorization": "", "content-type": "application/json"}
        assert (await desk.post(b'{"command": "end"}', bare)).status == 401, "the cookie opens no other door"
        assert nothing_happened(desk)


async def test_guesses_are_slowed_down_and_never_logged(
    tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_desk(SETTINGS) as desk:
        page = HostPage(desk.port, desk.token)
        guesses: list[Any] = [f"guess-{number}" for number in range(8)]
        replies = [await page.post("/host/login", {"token": token}) for token in [*guesses, None, "\ud800", 7, "x"]]
        assert [reply.status for reply in replies] == [401] * 10 + [429] * 2
        assert not any("set-cookie" in reply.headers for reply in replies)
        assert (await page.post("/host/login", ["token"])).status == 429
        assert (await page.log_in()).status == 200
        logged = capsys.readouterr().out
        assert "host logged in" in logged
        assert not any(secret in logged for secret in (desk.token, page.cookie.partition("=")[2], "guess"))


async def test_the_oldest_of_too_many_sessions_ends(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        first, last = HostPage(desk.port, desk.token), HostPage(desk.port, desk.token)
        await first.log_in()
        for _ in range(SESSIONS):
            await last.log_in()
        statuses = [(await page.post("/host/orders", {"command": "show"})).status for page in (first, last)]
        assert statuses == [401, 200]


async def test_the_page_is_told_what_changes_until_the_host_leaves(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        page = HostPage(desk.port, desk.token)
        await page.log_in()
        async with page.followed() as lines:
            assert (await told(lines, "state"))["phase"] == "lobby"
            assert await told(lines, "players") == []
            await desk.rig.start(bad_reply)
            assert [player["id"] for player in await told(lines, "players")] == ["bad"]
            await desk.rig.admit(*good_clients(2, call))
            tournament = desk.begin()
            desk.play()
            (incident,) = await told(lines, "incidents")
            assert (incident["id"], incident["sent"]) == ("bad", r"\x00\x07bet:all")
            await page.post("/host/logout", {})
            assert {"bye": True} in [facts async for facts in lines]
        await until(lambda: not desk.board.viewers)
        await until(lambda: tournament.ended)


async def test_the_page_is_told_that_the_dealer_closes_it(tcp_clock: MockClock) -> None:
    async with played() as (desk, page), page.followed() as lines:
        await told(lines, "logins")
        desk.board.close()
        assert {"bye": True} in [facts async for facts in lines]


async def test_streams_are_limited(tcp_clock: MockClock) -> None:
    async with played() as (desk, page), trio.open_nursery() as nursery:

        async def follow() -> None:
            async with page.followed() as lines:
                await told(lines, "bye")

        for _ in range(STREAMS):
            nursery.start_soon(follow)
        await until(lambda: desk.board.viewers == STREAMS)
        refused = await page.post("/host/events", {})
        assert (refused.status, refused.facts["error"]) == (503, "the host's page is open 8 times; close one of them")
        desk.board.close()


async def test_the_files_of_the_page_hold_no_secret_and_are_small(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        await desk.rig.admit(*good_clients(1))
        names = ["", "/host.js", "/host.css", "/link.js", "/players.js", "/controls.js", "/troubles.js", "/keys.js"]
        replies = [await request(desk.port, "GET", f"/host{name}") for name in names]
        assert {reply.status for reply in replies} == {200}
        assert {reply.headers["cross-origin-resource-policy"] for reply in replies} == {"same-origin"}
        whole = b"".join(reply.body for reply in replies)
        assert len(whole) < 50_000
        assert not any(text.encode() in whole for text in (desk.token, "good-1"))
        assert (await request(desk.port, "GET", "/host/nothing.js")).status == 404
