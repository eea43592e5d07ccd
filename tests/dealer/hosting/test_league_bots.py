"""The bots of a league: the seeds on their command lines, and how many a preset seats at a table."""

import hashlib
import hmac
from itertools import product
from typing import Any

import pytest

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.hosting.programs import house_bots
from dealer.hosting.tournament_settings import agree, agree_on_duplicate, most_players
from protocol.shuffle import commitment, seed_from_text, shuffled_places

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


def test_bot_seed_is_a_keyed_hash() -> None:
    for program in house_bots(BOTS, TEXT):
        made = hmac.new(TEXT.encode(), flag(program.command, "--id").encode(), hashlib.sha256).hexdigest()
        assert flag(program.command, "--seed") == made


def test_each_bot_of_each_tournament_has_its_own_seed() -> None:
    """And the same one again for the same text: a league can be played twice."""
    seeds = [*bot_seeds(), *bot_seeds("casino day 2027"), *bot_seeds("")]
    assert len(set(seeds)) == len(seeds) == 15
    assert bot_seeds() == bot_seeds()


@pytest.mark.parametrize("text", ["", "x", "[red]x:pizza:", "é" * 200, "\0", "--seed"])
def test_any_text_makes_printable_bot_seeds(text: str) -> None:
    for seed in bot_seeds(text):
        assert len(seed) == 64
        assert seed.isalnum()


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
