"""Names of seats at a dealer's table, where questions tell numbers only."""

from dataclasses import replace

from bots.human.seat_names import NO_NAMES, Company, seat_names
from bots.human.updates import Scene, SeatView

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
