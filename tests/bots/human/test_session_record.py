"""How a person's game went, in words."""

from bots.human.session_record import SessionRecord


def test_chips_at_the_end_count_among_the_most_and_the_least() -> None:
    record = SessionRecord("Stud against caller", chips=[500, 501, 500, 500], hand=4, stack=490)
    assert record.words == [
        "Stud against caller",
        "4 hands: 500 chips at first, 490 at the end (-10), 501 at the most, 490 at the least.",
    ]
