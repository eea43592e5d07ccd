"""What starts a hosted tournament: each condition by itself, in virtual time."""

from collections.abc import Iterable
from io import StringIO
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from rich.console import Console
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.errors import NoStartError
from dealer.hosting import start
from dealer.hosting.start import StartConditions, wait_for_start
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from protocol.wire.messages import Name


def press_enter(monkeypatch: pytest.MonkeyPatch, *presses: float) -> None:
    """Let the host press Enter after so many seconds each; standard input is closed after the last."""
    left = list(presses)

    async def enter_pressed() -> bool:
        if left:
            await trio.sleep(left.pop(0))
            return True
        return False

    monkeypatch.setattr(start, "enter_pressed", enter_pressed)
    monkeypatch.setattr("sys.stdin", StringIO())  # no terminal, wherever the tests run


def log_in(lobby: Lobby, ids: Iterable[str]) -> None:
    """Let players log in; the lobby only keeps their seats."""
    for id_ in ids:
        lobby.admit(Name(id_, id_.title()), None, cast(Seat, SimpleNamespace(follows=False)), "a program")


async def start_time(conditions: StartConditions, logins: dict[float, str]) -> tuple[float, str]:
    """The seconds until a tournament starts for which players log in at these times, and what the host is told."""
    lobby, out = Lobby(10), StringIO()
    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:

            async def arrive() -> None:
                for at, ids in logins.items():
                    await trio.sleep(at - trio.current_time())
                    log_in(lobby, ids)
                    await wait_all_tasks_blocked()

            nursery.start_soon(arrive)
            await wait_for_start(lobby, conditions, Console(file=out, width=200))
            started = trio.current_time()
            nursery.cancel_scope.cancel()
    return started, out.getvalue()


@pytest.mark.parametrize(
    ("conditions", "logins", "started"),
    [
        (StartConditions(seats=3), {1.0: "ab", 5.0: "c"}, 5.0),
        (StartConditions(wait=4.0), {1.0: "ab"}, 4.0),
        (StartConditions(wait=4.0), {1.0: "a", 7.0: "b"}, 7.0),
        (StartConditions(wait=4.0, least=1), {1.0: "a", 7.0: "b"}, 4.0),
        (StartConditions(seats=2, wait=4.0), {1.0: "ab"}, 1.0),
    ],
    ids=["full", "wait over", "too few", "one is enough", "first of two"],
)
async def test_start_without_enter(
    conditions: StartConditions,
    logins: dict[float, str],
    started: float,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: MockClock,
) -> None:
    press_enter(monkeypatch)
    assert (await start_time(conditions, logins))[0] == pytest.approx(started)


async def test_enter_starts_with_enough_players(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    press_enter(monkeypatch, 2.0, 4.0)
    started, told = await start_time(StartConditions(), {1.0: "a", 5.0: "b"})
    assert started == pytest.approx(6.0)
    assert told.splitlines() == [
        "The tournament starts on a line of input.",
        "  + A (1 here), id a",
        "Not before 2 players are here.",
        "  + B (2 here), id b",
    ]


def test_resumed_tournament_is_said_to_go_on() -> None:
    conditions = StartConditions(seats=1, wait=5.0, resumed=True)
    assert conditions.in_words().startswith("The tournament goes on when one player is here, or after 5 s")


async def test_desk_starts_at_once(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    press_enter(monkeypatch)
    asked = trio.Event()
    asked.set()
    assert (await start_time(StartConditions(asked=asked), {}))[0] == pytest.approx(0.0)


async def test_nothing_left_to_start(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    press_enter(monkeypatch)
    with pytest.raises(ExceptionGroup) as caught:
        await start_time(StartConditions(), {1.0: "ab"})
    assert caught.group_contains(NoStartError)
