"""Boards and several hole cards, which the games of this project do not have all at once."""

import json
from io import BytesIO, TextIOWrapper

from rich.console import Console

from dealer.replay.export import json_line
from dealer.replay.seen_hand import Acted, Collected, SeatShown, SeenHand, StreetOpened, UpCards
from dealer.replay.terminal import ReplayLines


def hand_with_a_board(viewer: int | None) -> SeenHand:
    """Two seats with two hole cards each; one is dealt in, and three cards of the board lie on the table."""
    holes = [("KD", "7C"), ("AS", "2H")]
    seats = tuple(
        SeatShown(seat, f"p{seat}", f"Player {seat}", hole if viewer in (None, seat) else None, 100, 100 + gain)
        for seat, hole, gain in zip((0, 1), holes, (5, -5), strict=True)
    )
    on_table = (UpCards(0, (), 2, 95), UpCards(1, (), 2, 95))
    return SeenHand(
        0, 1, 1, 1, viewer, seats,
        (
            StreetOpened(1, 10, (), on_table),
            Acted(1, 0, "check", 0, 10, 0, 95, 1000),
            StreetOpened(2, 10, ("3C", "10H", "QS"), on_table),
            Acted(2, 1, "fold", 0, 10, 0, 95, 1000),
        ),
        (), 10, 0, (Collected(0, 10, "all others folded"),),
    )  # fmt: skip


def on_screen(seen: SeenHand, encoding: str, *, wire: bool = False) -> str:
    console = Console(file=TextIOWrapper(BytesIO(), encoding), width=80)
    return "\n".join(line.plain.rstrip() for line, _ in ReplayLines(console, wire=wire).lines(seen))


def test_every_hole_card_has_a_box() -> None:
    text = on_screen(hand_with_a_board(None), "utf-8")
    assert "┊K♦ ┊┊7♣ ┊" in text
    assert "┊A♠ ┊┊2♥ ┊" in text


def test_cards_as_in_messages() -> None:
    text = on_screen(hand_with_a_board(None), "utf-8", wire=True)
    assert "(KD) (7C)" in text
    assert "3C 10H QS" in text
    assert text.isascii()


def test_a_seat_sees_the_backs_of_others_cards() -> None:
    assert on_screen(hand_with_a_board(0), "utf-8").count("┊░░░┊┊░░░┊") == 2  # once a street
    assert on_screen(hand_with_a_board(0), "ascii").count("(KD) (7C)") == 2
    assert on_screen(hand_with_a_board(0), "ascii").count("(??) (??)") == 2


def test_board_is_drawn_from_the_street_on_which_it_is_dealt() -> None:
    before, after = on_screen(hand_with_a_board(0), "ascii").split("Street 2")
    assert "3C 10H QS" not in before
    assert after.count("3C 10H QS") == 1


def test_board_and_hole_cards_are_in_the_json() -> None:
    facts = json.loads(json_line(hand_with_a_board(1)))
    assert [seat["hole"] for seat in facts["seats"]] == [None, ["AS", "2H"]]
    assert [event["board"] for event in facts["events"] if event["event"] == "street"] == [[], ["3C", "10H", "QS"]]
