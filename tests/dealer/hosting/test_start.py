"""What starts a hosted tournament, in virtual time; and the bots of a league."""

import hashlib
import hmac
from collections.abc import Iterable
from io import StringIO
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from rich.console import Console
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.cli.flags import TournamentFlags
from dealer.errors import NoStartError, OptionError
from dealer.hosting import start
from dealer.hosting.programs import house_bots
from dealer.hosting.start import StartConditions, wait_for_start
from dealer.hosting.tournament_settings import agree, agree_on_duplicate, most_players
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from protocol.shuffle import commitment, seed_from_text, shuffled_places
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


#: The host's desk has already said that it shall start.
ASKED = trio.Event()
ASKED.set()


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
        (StartConditions(asked=ASKED), {}, 0.0),
    ],
    ids=["full", "wait over", "too few", "one is enough", "first of two", "desk"],
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


async def test_nothing_left_to_start(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    press_enter(monkeypatch)
    with pytest.raises(ExceptionGroup) as caught:
        await start_time(StartConditions(), {1.0: "ab"})
    assert caught.group_contains(NoStartError)


TEXT = "casino day 2026"
BOTS = ("stud", "stud", "tight", "pair-or-fold", "stud")


def flag(command: tuple[str, ...], name: str) -> str:
    return command[command.index(name) + 1]


def bot_seeds(text: str = TEXT) -> list[str]:
    return [flag(program.command, "--seed") for program in house_bots(BOTS, text)]


def test_command_lines_hold_no_tournament_seed() -> None:
    seed = seed_from_text(TEXT)
    line = "\n".join(word for program in house_bots(BOTS, TEXT) for word in program.command)
    for telltale in (TEXT, "casino day", seed.hex(), commitment(seed)):
        assert telltale not in line
        assert telltale.upper() not in line.upper()


def test_bot_seed_gives_no_deck_of_the_tournament() -> None:
    """Not the seed itself, nor what a text, a hash or an id makes of it."""
    deck = shuffled_places(seed_from_text(TEXT), 0, 1)
    ids = [flag(program.command, "--id") for program in house_bots(BOTS, TEXT)]
    guesses = set()
    for bot_seed, id_ in product(bot_seeds(), ["", *ids]):
        raw = bytes.fromhex(bot_seed)
        texts = [bot_seed, f"{id_}{bot_seed}", f"{bot_seed}{id_}", bot_seed.removesuffix(id_)]
        guesses |= {raw, hashlib.sha256(raw).digest(), hmac.digest(raw, id_.encode(), "sha256")}
        guesses |= {seed_from_text(text) for text in texts}
        guesses |= {hmac.digest(bot_seed.encode(), id_.encode(), "sha256")}
    assert all(shuffled_places(guess, 0, 1) != deck for guess in guesses)


@pytest.mark.parametrize("text", [TEXT, "", "x", "[red]x:pizza:", "é" * 200, "\0", "--seed"])
def test_bot_seed_is_a_keyed_hash_in_hexadecimal(text: str) -> None:
    for program in house_bots(BOTS, text):
        made = hmac.new(text.encode(), flag(program.command, "--id").encode(), hashlib.sha256).hexdigest()
        assert flag(program.command, "--seed") == made


def test_each_bot_of_each_tournament_has_its_own_seed() -> None:
    """And the same one again for the same text: a league can be played twice."""
    seeds = [*bot_seeds(), *bot_seeds("casino day 2027"), *bot_seeds("")]
    assert len(set(seeds)) == len(seeds) == 15
    assert bot_seeds() == bot_seeds()


@pytest.mark.parametrize(("preset", "seats"), [("cornell", 8), ("royale", 7)])
@pytest.mark.parametrize("table_size", [1, 9])
def test_a_table_of_a_preset_has_its_seats(preset: str, seats: int, table_size: int) -> None:
    options: dict[str, Any] = {"preset": preset}
    assert agree("holdem", options, TournamentFlags(), "x").table_size == seats
    assert agree("holdem", options, TournamentFlags(table_size=seats), "x").table_size == seats
    complaint = f"^--table-size: a table of holdem has 2 to {seats} seats here, got {table_size}$"
    with pytest.raises(OptionError, match=complaint):
        agree("holdem", options, TournamentFlags(table_size=table_size), "x")


def test_a_duplicate_league_of_a_preset_has_one_table() -> None:
    settings = agree_on_duplicate("holdem", {"preset": "royale", "reset_stacks": 1}, TournamentFlags(), "x")
    assert (settings.table_size, most_players(settings)) == (7, 7)


def test_a_tournament_of_cornell_is_played_until_one_player_is_left() -> None:
    """There is a bound, since players who never put in a chip would play for ever."""
    options: dict[str, Any] = {"preset": "cornell"}
    assert agree("holdem", options, TournamentFlags(), "x").hands == 10_000
    assert agree("holdem", {**options, "hands": 50}, TournamentFlags(), "x").hands == 50
    assert agree("holdem", {**options, "reset_stacks": 1}, TournamentFlags(), "x").hands == 200
    deals = {"hands": 300}
    assert agree_on_duplicate("holdem", options, TournamentFlags(), "x").games == 200
    assert agree_on_duplicate("holdem", {**options, **deals}, TournamentFlags(), "x").games == 300
