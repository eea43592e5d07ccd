"""Presets seat fewer players at a table than their game does."""

from typing import Any

import pytest

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.hosting.tournament_settings import agree, agree_on_duplicate, most_players


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
