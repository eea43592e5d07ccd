"""The host's page without a dealer: a browser is given its files, and the facts that a test makes up."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from playwright.sync_api import Browser, Page, Route, expect

from dealer.web.app import HEADERS, TYPES
from tests.end_to_end.browser import PATIENCE_MS, Scheme
from tests.end_to_end.told_page import ADDRESS, Facts, names

#: The time on the page's clock, in seconds since 1970.
NOW = 1_800_000_000

#: In place of the dealer's stream, which stays open after all is told.
STREAM = """(lines) => {
  globalThis.fetch = async () => new Response(new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(lines)),
  }));
}"""


def host_facts(count: int, *, wide: bool = False) -> dict[str, Facts | list[Facts]]:
    """What the host sees of a tournament: every third player is out, and there were two faults and a refused login."""
    players = [
        {
            "id": f"student-{number:03}", "avatar": avatar, "name": None, "here": number % 3 < 2,
            "out": "removed by the host: two programs" if number % 3 == 2 else None,
            "address": f"192.168.1.{number % 200}:41000" if number % 3 < 2 else None, "thinking": None,
            "replied": NOW - number % 7, "reply_ms": 12.5, "p99_ms": 80.0, "faults": number % 2,
            "chips": 12_000 - number, "place": number + 1, "table": number // 8, "leaving": False, "let_in": False,
        }
        for number, avatar in enumerate(names(count, wide=wide))
    ]  # fmt: skip
    fault = {
        "time": NOW - 60, "times": 1, "id": "student-001", "avatar": players[1]["avatar"], "hand": 7, "kind": "illegal",
        "reason": "a bet of 7 is too little; the least is 10", "sent": "bet1:7\\n", "effect": "plays on, 1 life left",
    }  # fmt: skip
    refused = {
        "time": NOW - 90, "times": 3, "address": "192.168.1.77:5", "port": 4001, "kind": "duplicate",
        "reason": "the id is here already", "id": "student-001", "sent": "student-001:Brian\\n",
    }  # fmt: skip
    state = {
        "phase": "playing", "paused": False, "pace": 0.0, "show_left": 431.0, "trouble": None, "message": None,
        "game": "hold'em", "hand": 31, "hands": 200, "playing": count, "level": 2, "stakes": {"big_blind": 100},
        "next": False, "tournament": 1, "tournaments": [{"number": 1, "journal": "friday.journal", "over": False}],
    }  # fmt: skip
    return {"state": state, "players": players, "incidents": [fault, fault], "logins": [refused]}


@contextmanager
def open_told_host(browser: Browser, count: int, size: tuple[int, int], scheme: Scheme = "dark") -> Iterator[Page]:
    """The host's page after it has heard of so many players; in the end it had no errors."""
    troubles: list[str] = []
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce", timezone_id="UTC"
    )
    context.set_default_timeout(PATIENCE_MS)
    context.route("**/*", _answer)
    lines = "".join(json.dumps({name: part}) + "\n" for name, part in host_facts(count).items())
    context.add_init_script(f"({STREAM})({json.dumps(lines)})")
    page = context.new_page()
    page.clock.set_fixed_time(NOW)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{ADDRESS}host")
    expect(page.locator("#logins-list li")).to_have_count(1)
    yield page
    context.close()
    assert troubles == []


def _answer(route: Route) -> None:
    """Answer as the dealer does, from the files of the page and of the host's page."""
    path = route.request.url.removeprefix(ADDRESS)
    name = "host.html" if path == "host" else path.removeprefix("host/")
    folder = files("dealer.web.admin") if path.startswith("host") else files("dealer.web")
    body = folder.joinpath("page", name).read_bytes()
    route.fulfill(body=body, headers={**HEADERS, "content-type": TYPES[name.rpartition(".")[2]]})
