"""Boards and several hole cards, which the games of this project do not have all at once."""

import json
from io import BytesIO, TextIOWrapper

from rich.console import Console

from dealer.replay.export import json_line
from dealer.replay.hand_screen import CardStyle, HandScreen
from dealer.replay.seen_hand import Acted, Collected, SeatShown, SeenHand, StreetOpened, UpCards


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


def printed(seen: SeenHand, encoding: str) -> str:
    style = CardStyle(Console(file=TextIOWrapper(BytesIO(), encoding)))
    return "\n".join(line.plain for line in HandScreen(seen, (), style).printed(80))


def test_cards_as_the_terminal_can_show_them() -> None:
    assert "(K♦ 7♣)" in printed(hand_with_a_board(None), "utf-8")
    plain = printed(hand_with_a_board(None), "ascii")
    assert "(KD 7C)" in plain
    assert "Street 2 is dealt: 3C 10H QS" in plain
    assert plain.isascii()


def test_a_seat_sees_the_backs_of_others_cards() -> None:
    text = printed(hand_with_a_board(0), "ascii")
    assert text.count("(KD 7C)") == text.count("(?? ??)") == 1


def test_board_and_hole_cards_are_in_the_json() -> None:
    facts = json.loads(json_line(hand_with_a_board(1)))
    assert [seat["hole"] for seat in facts["seats"]] == [None, ["AS", "2H"]]
    assert [event["board"] for event in facts["events"] if event["event"] == "street"] == [[], ["3C", "10H", "QS"]]
