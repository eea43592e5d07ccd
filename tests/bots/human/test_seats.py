"""Seats for a person: what a game adds to them, and their names at a dealer's table."""

from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from bots.human import game_seat
from bots.human.game_seat import ENTRY_POINTS, load_seat
from bots.human.games.stud import SEAT
from bots.human.seat_names import NO_NAMES, Company, seat_names
from bots.human.updates import Scene, SeatView
from protocol import installed


def offer(monkeypatch: pytest.MonkeyPatch, **seats: str) -> None:
    """Let installed packages offer these seats."""
    points = EntryPoints(EntryPoint(name, value, ENTRY_POINTS) for name, value in seats.items())
    for module in (game_seat, installed):
        monkeypatch.setattr(module, "entry_points", points.select)


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
    assert game_seat.seat_names() == ["blockhead", "dice", "guest", "holdem", "stud"]


def test_seat_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, guest="no_such_module:SEAT")
    with pytest.raises(LookupError, match=r"the seat for guest \(no_such_module:SEAT\) cannot be loaded: No module"):
        load_seat("guest")


SCENE = Scene((SeatView("seat 0"), SeatView("you"), SeatView("seat 2")), me=1, hand=3, street=1, pot=3, cards=3)


def test_names_replace_numbers_in_scenes_and_lines_of_their_hand() -> None:
    names = seat_names(SCENE, Company(["Ada", "Me", "Bo\\1"], 1))
    assert [view.name for view in names.in_scene(SCENE).seats] == ["Ada", "you", "Bo\\1"]
    over = replace(SCENE, headline="seat 2 wins 60. The best cards: A♥ A♣.")
    assert names.in_scene(over).headline == "Bo\\1 wins 60. The best cards: A♥ A♣."
    assert names.in_line("seat 2 has folded.") == "Bo\\1 has folded."
    assert names.in_line("Hand 3: seat 0 wins 5, seat 7 wins 1.") == "Hand 3: Ada wins 5, seat 7 wins 1."


def test_another_hand_keeps_its_numbers() -> None:
    names = seat_names(SCENE, Company(["Ada", "Me", "Bo"], 1))
    assert names.in_line("Hand 4: seat 0 wins 5.") == "Hand 4: seat 0 wins 5."
    later = Scene(SCENE.seats, 1, 4, 1, 3, 3)
    assert names.in_scene(later) is later


def test_numbers_stay_where_seats_do_not_agree() -> None:
    for company in (None, Company(["Ada", "Me"], 1), Company(["Ada", "Bo", "Me"], 2)):
        names = seat_names(SCENE, company)
        assert names.in_scene(SCENE) is SCENE
        assert names.in_line("seat 0 has folded.") == "seat 0 has folded."
    assert NO_NAMES.in_line("seat 0 has folded.") == "seat 0 has folded."
