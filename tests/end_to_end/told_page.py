"""Pages without a process of a dealer: facts that a test makes up, and tables of house bots in a thread."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import trio
from playwright.sync_api import Browser, Page, Route
from starlette.applications import Starlette
from starlette.routing import Mount

from bots.human.table_order import Order
from bots.human.web.app import build_app
from bots.human.web.guests import open_guests
from bots.human.web.server import HouseRoom
from dealer.feed.public_facts import port_facts
from dealer.settings import OpenPorts
from dealer.web.app import HEADERS, page_files
from dealer.web.serving import open_app_server
from dealer.web.shared_files import TYPES
from tests.end_to_end.browser import PATIENCE_MS, Scheme
from tests.patience import PATIENCE

ADDRESS = "http://page.test/"

#: As in the pictures.
OPEN = OpenPorts("0.0.0.0", {"port": 4000, "line_port": 4001, "people_port": 4002, "acpc_port": 4003})

Facts = dict[str, Any]


def names(count: int, *, wide: bool = False) -> list[str]:
    """Avatars; the wide ones are as long as may be, of letters and of emoji."""
    if wide:
        return [f"{number:02}{'W' * 30 if number % 2 else '🎲' * 15}" for number in range(count)]
    return [f"Player {number}" for number in range(count)]


def row(player: int, score: float, **others: Any) -> dict[str, Any]:
    """A row of the leader board."""
    usual = {"climbed": 0, "gained": 0, "state": "in", "faults": 0, "won": 3, "reply": 1.2}
    return {"player": player, "place": player + 1, "score": score, **usual, **others}


def told(count: int, *, phase: str = "play", table_size: int = 8, wide: bool = False) -> dict[str, Facts]:
    """The facts of a tournament by event: player 0 leads with 100 chips for each player, and each has 90 less."""
    chips = [100 * count - 90 * number for number in range(count)]
    seated = [range(first, min(first + table_size, count)) for first in range(0, count, table_size)]
    tables = [
        [table, 31 + table, 40 * (table + 1), [[seat, chips[seat]] for seat in seats]]
        for table, seats in enumerate(seated)
    ]
    return {
        "scene": {
            "phase": phase, "game": "holdem", "title": "hold'em", "suits": {}, "piece": "card", "measure": "chips",
            "format": "freezeout", "players": names(count, wide=wide), "awaited": [],
            "colours": list(range(count)), "addresses": ["192.168.1.20"],
            "ports": port_facts(OPEN, "192.168.1.20"), "capacity": count,
            "page": "http://192.168.1.20:8080/", "seats": count + 1, "replay": None,
            "commitment": "ab" * 32, "seed": "cd" * 32 if phase == "over" else None, "head": None,
        },
        "lobby": {"startsIn": 102},
        "board": {
            "round": 1, "rounds": 1, "hand": 31, "hands": 200, "decisions": 4711, "hands_per_second": 5,
            "decisions_per_second": 40, "playing": count, "paused": False, "pace": 5.0, "show_left": 431,
            "trouble": False, "level": None, "stakes": {"small_blind": 50, "big_blind": 100}, "stage": None,
            "rows": [row(number, chips[number]) for number in range(count)],
            "tables": tables,
        },
        "news": {"out": [], "faults": []},
        "moments": {"latest": []},
        "curves": {"hands": [0, 30], "lines": [[number, [900, chips[number]]] for number in range(min(count, 12))]},
        "table": table_of(min(count, table_size)),
    }  # fmt: skip


def table_of(seats: int, hole: int = 2, up: int = 0, board: int = 5) -> Facts:
    """A hand under way, with all its cards and the longest words that a seat has."""
    seat = {"stack": 9_999_999, "live": True, "hole": ["10S"] * hole, "up": ["10H"] * up, "last": "raises 1,000,000"}
    places: list[Facts] = [{**seat, "player": number} for number in range(seats)]
    places[0] |= {"button": True, "turn": True}
    return {
        "table": 0, "auto": True, "hand": 31, "street": 3, "pot": 48_200, "pots": [[40_000, [0]], [8_200, [1]]],
        "board": ["10C"] * board, "seats": places, "log": [[0, "raises 5, puts in 15", 1234]], "skipped": [31, 0, 420],
        "over": False,
    }  # fmt: skip


#: In place of the dealer's stream: the facts come at once, and later ones by ``tell``.
STREAM = """(told) => {
  // The page draws its large parts in frames to come, and turns the leader board's pages by itself.
  const ask = requestAnimationFrame.bind(globalThis);
  let frames = 0;
  let finish = null;
  globalThis.drawn = new Promise((resolve) => (finish = resolve));
  globalThis.requestAnimationFrame = (draw) => {
    frames += 1;
    return ask((time) => {
      draw(time);
      frames -= 1;
      if (!frames) finish();
    });
  };
  globalThis.setInterval = () => 0;
  globalThis.EventSource = class extends EventTarget {
    constructor() {
      super();
      globalThis.tell = (facts) => {
        for (const [name, data] of Object.entries(facts))
          this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
      };
      setTimeout(() => {
        tell(told);
        if (!frames) finish();
      });
    }
    close() {}
  };
}"""


@contextmanager
def open_alone(
    browser: Browser,
    script: str,
    answer: Callable[[Route], None],
    size: tuple[int, int],
    scheme: Scheme,
    *,
    moves: bool = False,
) -> Iterator[Page]:
    """A page without a dealer, in a window of that size; in the end it had no errors.

    Args:
        browser: to open it in.
        script: run before those of the page.
        answer: all that the page asks for.
        size: of the window, in pixels.
        scheme: dark or light.
        moves: whether things may move; else the page is asked for reduced motion.
    """
    troubles: list[str] = []
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="no-preference" if moves else "reduce",
        timezone_id="UTC",
    )
    context.set_default_timeout(PATIENCE_MS)
    context.route("**/*", answer)
    context.add_init_script(script)
    page = context.new_page()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    yield page
    context.close()
    assert troubles == []


@contextmanager
def open_told(
    browser: Browser, facts: Mapping[str, Facts], size: tuple[int, int], scheme: Scheme = "dark", *, moves: bool = False
) -> Iterator[Page]:
    """The page after it has heard the facts, by event, and drawn all of them."""
    with open_alone(browser, f"({STREAM})({json.dumps(facts)})", _answer, size, scheme, moves=moves) as page:
        page.goto(ADDRESS)
        page.evaluate("drawn")
        yield page


def _answer(route: Route) -> None:
    """Answer as the dealer does, from the files of the page."""
    name = route.request.url.removeprefix(ADDRESS).partition("?")[0] or "index.html"
    file = page_files().get(name)
    if file is not None:
        route.fulfill(body=file, headers={**HEADERS, "content-type": TYPES[name.rpartition(".")[2]]})
    else:
        route.fulfill(status=404)


# The page with tables of house bots, a game each, served in a thread of the test, so that no process has to start.

HOST = "127.0.0.1"


@contextmanager
def served_tables(orders: Sequence[Order]) -> Iterator[str]:
    """The address under which the page of each game is at its name."""
    begun, stop, trio_token = threading.Event(), trio.Event(), []

    async def serve(sock: socket.socket) -> None:
        trio_token.append(trio.lowlevel.current_trio_token())
        async with AsyncExitStack() as stack:
            routes = []
            for order in orders:
                guests = await stack.enter_async_context(open_guests(HouseRoom(order), 8))
                routes.append(Mount(f"/{order.game}", build_app(guests)))
            await stack.enter_async_context(open_app_server(Starlette(routes=routes), sock))
            begun.set()
            await stop.wait()

    with socket.create_server((HOST, 0)) as sock:
        thread = threading.Thread(target=trio.run, args=(serve, sock))
        thread.start()
        assert begun.wait(PATIENCE)
        try:
            yield f"http://{HOST}:{sock.getsockname()[1]}/"
        finally:
            trio_token[0].run_sync_soon(stop.set)
            thread.join()
