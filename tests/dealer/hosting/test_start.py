"""What starts a hosted tournament, in virtual time; and the bots of a league.

Then what the host sees: the time left, keys, the page that stays up, and a replay at a terminal.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from io import StringIO
from itertools import product
from math import inf
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
from rich.console import Console
from rich.progress import Progress
from trio.testing import MockClock, wait_all_tasks_blocked

from dealer.cli.flags import TournamentFlags
from dealer.cli.output import harmless
from dealer.cli.tables import CardStyle
from dealer.errors import NoStartError, OptionError
from dealer.hosting import guests, replay_screen
from dealer.hosting import progress as progress_module
from dealer.hosting.guests import StartConditions, wait_for_start
from dealer.hosting.pace_keys import hint
from dealer.hosting.progress import TimeLeft, stay_until_told
from dealer.hosting.replay_screen import HINT, HandWalk
from dealer.hosting.tournament_settings import agree, agree_on_duplicate, most_players
from dealer.lobby.lobby import Lobby
from dealer.net.seat import Seat
from dealer.programs import house_bots
from dealer.replay.journal_reader import Choice, replay_items
from dealer.settings import Settings
from protocol.games.stud import StudGame
from protocol.shuffle import commitment, seed_from_text, shuffled_places
from protocol.wire.messages import Name
from tests.dealer.support.golden_replays import write_hosted, write_stud
from tests.dealer.support.replay_files import by_chance
from tests.dealer.support.scribe import Scribe, players


def press_enter(monkeypatch: pytest.MonkeyPatch, *presses: float) -> None:
    """Let the host press Enter after so many seconds each; standard input is closed after the last."""
    left = list(presses)

    async def enter_pressed() -> bool:
        if left:
            await trio.sleep(left.pop(0))
            return True
        return False

    monkeypatch.setattr(guests, "enter_pressed", enter_pressed)
    monkeypatch.setattr("sys.stdin", StringIO())  # no terminal, wherever the tests run


#: The host's desk has already said that it shall start.
ASKED = trio.Event()
ASKED.set()


def log_in(lobby: Lobby, ids: Iterable[str]) -> None:
    """Let players log in; the lobby only keeps their seats."""
    for id_ in ids:
        lobby.admit(
            Name(id_, id_.title()), None, cast(Seat, SimpleNamespace(follows=False, watches=False)), "a program"
        )


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


RIGHT, LEFT, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B"


def walk_through(path: Path, choice: Choice | None = None) -> HandWalk:
    return HandWalk(replay_items(path, choice or Choice()), 1, CardStyle(Console(file=StringIO())))


def shown(walk: HandWalk) -> str:
    return "\n".join(line.plain for line in walk.lines(80, 24))


@pytest.fixture
def stud(tmp_path: Path) -> HandWalk:
    return walk_through(write_stud(tmp_path / "a.journal"))


def test_hand_of_eight_fits_a_screen_at_every_moment(tmp_path: Path) -> None:
    settings = Settings(bytes(32), StudGame(60, 2), hands=3, table_size=8)
    scribe = Scribe(settings, players(*[f"{number} {'德妮絲' * 6}" for number in range(8)]))
    scribe.play_round(by_chance(Random(3)))
    scribe.end()
    walk = walk_through(scribe.write(tmp_path / "a.journal"))
    moments = 0
    while walk.seconds < inf:
        lines = walk.lines(80, 24)
        assert len(lines) == 24
        assert all(line.cell_len <= 80 for line in lines)
        if lines[0].plain.startswith("Hand 1,"):
            assert [line.plain[:2] for line in lines[3:11]] == [f"{seat:>2}" for seat in range(8)]
        walk.forward()
        moments += 1
    assert moments > 20


@pytest.mark.parametrize("width", [40, 60])
def test_chips_of_every_seat_are_in_sight_in_a_narrow_terminal(tmp_path: Path, width: int) -> None:
    settings = Settings(bytes(32), StudGame(60000, 2), hands=3, table_size=8)
    scribe = Scribe(settings, players(*[f"{number} {'a long name' * 2}" for number in range(8)]))
    scribe.play_round(by_chance(Random(3)))
    scribe.end()
    walk = walk_through(scribe.write(tmp_path / "a.journal"))
    while walk.seconds < inf:
        for line in walk.lines(width, 24)[3:11]:
            assert line.cell_len <= width
            assert re.search(r" \d{5}\b", line.plain)
        walk.forward()


def test_steps_by_action_and_by_hand(stud: HandWalk) -> None:
    first = shown(stud)
    assert "Hand 1, table 0" in first
    assert HINT in first
    stud.press(RIGHT)
    assert "bets 5" in shown(stud)
    stud.press(LEFT)
    assert shown(stud).splitlines()[:-1] == first.splitlines()[:-1]
    stud.press(DOWN)
    assert "Hand 2, table 0" in shown(stud)
    stud.press(LEFT)
    assert "Hand 1, table 0" in shown(stud)
    assert "the end" in shown(stud)
    stud.press(UP)
    assert shown(stud).splitlines()[1:-1] == first.splitlines()[1:-1]


def test_space_pauses_and_goes_on(stud: HandWalk) -> None:
    assert stud.seconds < inf
    stud.press(" ")
    assert stud.seconds == inf
    stud.press(" ")
    assert stud.seconds < inf
    before = stud.seconds
    stud.press("+")
    assert stud.seconds == before / 2
    stud.press("--")
    assert stud.seconds == before * 2
    stud.press("xyz\x1b")
    assert not stud.over
    stud.press("q")
    assert stud.over


def test_fault_with_its_reason_and_the_end_of_the_tournament(stud: HandWalk) -> None:
    seen = ""
    while stud.seconds < inf:
        seen += shown(stud)
        stud.forward()
    assert "is folded: malformed" in seen
    assert "expected 'fold' or 'bet:<chips>'" in seen
    assert "The end of the tournament." in shown(stud)


def test_seat_sees_its_own_cards(tmp_path: Path) -> None:
    walk = walk_through(write_stud(tmp_path / "a.journal"), Choice(seat="p1"))
    rows = shown(walk).splitlines()[3:7]
    assert [row.count("??") for row in rows] == [1, 0, 1, 1]


def test_oldest_hands_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_screen, "KEPT", 2)
    walk = walk_through(write_hosted(tmp_path / "a.journal"))
    walk.press(DOWN * 3 + UP * 5)
    there = shown(walk)
    walk.press(DOWN)
    assert shown(walk) != there
    walk.press(UP * 2)
    assert shown(walk) == there


@pytest.mark.parametrize(
    ("show_left", "told"),
    [(600.0, "0:10:00"), (59.2, "0:01:00"), (3661.0, "1:01:01"), (-4.0, "0:00:00"), (None, "-:--:--")],
)
def test_time_left_is_that_of_the_show_if_there_is_one(show_left: float | None, told: str) -> None:
    progress = Progress()
    task = progress.add_task("hands", total=200, show_left=show_left)
    assert TimeLeft().render(progress.tasks[task]).plain == told


def test_hint_says_what_the_space_bar_does_now() -> None:
    assert hint(paused=False) == "space pauses, ? lists the keys"
    assert hint(paused=True) == "space goes on, ? lists the keys"


async def test_page_stays_up_when_enter_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["\n", "\n", None]  # the last one is the end of standard input

    async def read_line() -> str | None:
        return lines.pop(0)

    monkeypatch.setattr(progress_module, "read_line", read_line)
    said: list[str] = []
    await stay_until_told(said.append)
    assert not lines
    assert said == ["The page stays up; Ctrl-C ends it."]


def test_escapes_and_marks_of_direction_are_replaced_and_an_emoji_of_several_stays_one() -> None:
    replaced = "\N{REPLACEMENT CHARACTER}"
    assert harmless("\x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}gone") == f"{replaced}[2J{replaced}gone"
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    assert harmless(f"no cards for {family}") == f"no cards for {family}"
