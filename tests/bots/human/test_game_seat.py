"""Finding what a game adds to the seat for a person."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from bots.human import game_seat
from bots.human.game_seat import ENTRY_POINTS, load_seat, seat_names
from bots.human.games.stud import SEAT


def offer(monkeypatch: pytest.MonkeyPatch, **seats: str) -> None:
    """Let installed packages offer these seats."""
    points = EntryPoints(EntryPoint(name, value, ENTRY_POINTS) for name, value in seats.items())
    monkeypatch.setattr(game_seat, "entry_points", points.select)


@pytest.mark.parametrize("game", ["blockhead", "dice", "holdem", "stud"])
def test_games_of_the_house_have_a_seat(game: str) -> None:
    seat = load_seat(game)
    assert max(map(len, seat.rules.splitlines())) <= 62
    assert seat.opponents >= 1


def test_unknown_game_is_a_sentence() -> None:
    with pytest.raises(
        LookupError, match=r"^the seat for people does not know leduc yet; it knows blockhead, dice, holdem, stud$"
    ):
        load_seat("leduc")


def test_seat_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, guest="bots.human.games.stud:SEAT")
    assert load_seat("guest") is SEAT
    assert seat_names() == ["blockhead", "dice", "guest", "holdem", "stud"]


def test_seat_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, guest="no_such_module:SEAT")
    with pytest.raises(LookupError, match=r"the seat for guest \(no_such_module:SEAT\) cannot be loaded: No module"):
        load_seat("guest")
