"""The guard of the desk: foreign pages, missing and wrong tokens, and malformed requests are refused."""

import json
from collections.abc import Mapping

import pytest
from trio.testing import MockClock

from dealer.settings import Settings
from protocol.games.stud import StudGame
from tests.dealer.support.desks import begun_desk, nothing_happened, open_desk
from tests.dealer.support.http_routes import request
from tests.dealer.support.rig import HOST, SEED

SETTINGS = Settings(SEED, StudGame())
END = json.dumps({"command": "end"}).encode()


FOREIGN: Mapping[str, Mapping[str, str]] = {
    "another site": {"origin": "http://evil.example"},
    "another site over TLS": {"origin": "https://evil.example"},
    "a page without origin": {"origin": "null"},
    "another port of this machine": {"origin": f"http://{HOST}:1"},
    "a browser that says so": {"sec-fetch-site": "cross-site"},
    "the same site, another origin": {"sec-fetch-site": "same-site"},
    "a name that leads here": {"host": "evil.example"},
    "a name and its origin": {"host": "evil.example:8080", "origin": "http://evil.example:8080"},
    "a name like an address": {"host": "127.0.0.1.evil.example"},
    "no readable host": {"host": "[::1"},
}


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
async def test_foreign_page_is_refused_even_with_the_token(headers: Mapping[str, str], tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, _):
        assert (await desk.post(END, headers)).status == 403
        assert nothing_happened(desk)


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "[::1]:{}", "192.168.1.20"])
async def test_own_page_is_accepted(host: str, tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, _):
        address = host.format(desk.port)
        own = {"host": address, "origin": f"http://{address}", "sec-fetch-site": "same-origin"}
        assert (await desk.post(END, own)).status == 200
        assert not nothing_happened(desk)


WRONG: Mapping[str, str] = {
    "none": "",
    "empty": "Bearer",
    "another": "Bearer x",
    "another scheme": "Basic {token}",
    "too short": "Bearer {short}",
    "too long": "Bearer {token}x",
    "not ASCII": "Bearer é",
    "in capitals": "Bearer {upper}",
}


@pytest.mark.parametrize("header", WRONG.values(), ids=WRONG)
async def test_request_without_the_token_is_refused(header: str, tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, _):
        token = desk.token
        given = header.format(token=token, short=token[:-1], upper=token.swapcase())
        reply = await desk.post(END, {"authorization": given})
        assert reply.status == 401
        assert reply.headers["www-authenticate"] == "Bearer"
        assert reply.facts == {"error": "this is not the token that the dealer's terminal shows"}
        assert token.encode() not in reply.body
        assert nothing_happened(desk)


async def test_token_in_the_url_is_refused(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        reply = await request(desk.port, "POST", f"/desk?token={desk.token}", {"content-type": "application/json"}, END)
        assert reply.status == 401


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
async def test_only_post_is_accepted(method: str, tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        reply = await request(desk.port, method, "/desk", {"authorization": f"Bearer {desk.token}"})
        assert reply.status == 405
        assert "access-control-allow-origin" not in reply.headers


async def test_wrong_tokens_never_lock_the_right_one_out(
    tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_desk(SETTINGS) as desk:
        replies = [await desk.post(END, {"authorization": f"Bearer guess-{number}"}) for number in range(12)]
        assert [reply.status for reply in replies] == [401] * 10 + [429] * 2
        assert 1 <= int(replies[-1].headers["retry-after"]) <= 61
        assert (await desk.order(command="show")).status == 200
        logged = capsys.readouterr().out
        assert desk.token not in logged
        assert "guess" not in logged
        assert logged.count("desk refused") <= 2


BAD_BODIES: Mapping[str, tuple[bytes, str]] = {
    "nothing": (b"", "the body is no JSON"),
    "no JSON": (b"{", "the body is no JSON"),
    "no text": (b"\xff", "the body is no JSON"),
    "very deep": (b"[" * 4000, "the body is no JSON"),
    "a list": (b"[]", "expected an object like"),
    "no command": (b"{}", "expected an object like"),
    "an unknown command": (b'{"command": "shuffle"}', "expected an object like"),
    "a command that is no text": (b'{"command": ["end"]}', "expected an object like"),
    "one thing too many": (b'{"command": "end", "seconds": 1}', "the command 'end' takes nothing else"),
    "one thing too few": (b'{"command": "pace"}', "the command 'pace' takes seconds"),
    "no reason": (b'{"command": "remove", "player": "Good 1"}', "the command 'remove' takes player and reason"),
    "seconds that are text": (b'{"command": "pace", "seconds": "1"}', "seconds must be a number"),
    "seconds that are true": (b'{"command": "pace", "seconds": true}', "seconds must be a number"),
    "a player that is a number": (b'{"command": "remove", "player": 1, "reason": "x"}', "player must be text"),
}


@pytest.mark.parametrize(("body", "told"), BAD_BODIES.values(), ids=BAD_BODIES)
async def test_each_kind_of_malformed_order_has_a_reason(body: bytes, told: str, tcp_clock: MockClock) -> None:
    async with begun_desk(SETTINGS) as (desk, _):
        reply = await desk.post(body)
        assert reply.status == 400
        assert reply.facts["error"].startswith(told)
        assert nothing_happened(desk)


@pytest.mark.parametrize("type_", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_another_type_of_content_is_refused(type_: str, tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        assert (await desk.post(END, {"content-type": type_})).status == 415
        assert (await desk.post(END, {"content-type": "Application/JSON; charset=utf-8"})).status == 409


async def test_body_is_read_up_to_its_limit(tcp_clock: MockClock) -> None:
    async with open_desk(SETTINGS) as desk:
        long = json.dumps({"command": "remove", "player": "x", "reason": "y" * 5000}).encode()
        assert (await desk.post(long)).status == 413
