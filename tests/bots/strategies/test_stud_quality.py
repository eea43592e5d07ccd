"""Qualities of hole cards against brute force written another way: whole cards, dealt out and compared."""

from itertools import permutations
from random import Random

import pytest

from bots.strategies.stud_chances import kind_of, unseen_kinds
from bots.strategies.stud_quality import qualities
from protocol.cards import DECK, Card
from tests.bots.strategies.test_stud_chances import halves


def quality(own: tuple[Card, ...], others: list[tuple[Card, ...]], unseen: list[Card]) -> float:
    """The average part of the pot with the hole card ``own[0]``, times the seats, over all cards not seen."""
    missing = 3 - len(own)
    total = deals = 0.0
    for drawn in permutations([card for card in unseen if card != own[0]], missing + len(others) * (1 + missing)):
        cards = iter(drawn)
        mine = own + tuple(next(cards) for _ in range(missing))
        theirs = [(next(cards), *up, *(next(cards) for _ in range(missing))) for up in others]
        total += sum(halves(mine, theirs)) / 2
        deals += 1
    return total / deals * (1 + len(others))


@pytest.mark.parametrize(("street", "seats"), [(1, 2), (2, 2), (2, 3)])
def test_quality_is_the_fair_part_of_the_pot(street: int, seats: int) -> None:
    rng = Random(10 * street + seats)
    for _ in range(3):
        cards = rng.sample(DECK, 52)
        ups = [tuple(cards.pop() for _ in range(street)) for _ in range(seats)]
        unseen = cards[:18]
        counted = qualities([tuple(card.rank for card in up) for up in ups], unseen_kinds(set(DECK) - set(unseen)))
        for hole in unseen[:3]:
            exact = quality((hole, *ups[0]), ups[1:], unseen)
            assert counted[0][kind_of(hole)] == pytest.approx(exact, abs=0.15 * seats / 2)


@pytest.mark.parametrize("street", [1, 2])
@pytest.mark.parametrize(("seats", "tolerance"), [(2, 0.12), (6, 0.12), (17, 0.3)])
def test_all_seats_together_have_the_whole_pot(street: int, seats: int, tolerance: float) -> None:
    """Weighed by the cards that are left, the qualities of all seats are 1 on average."""
    rng = Random(seats)
    for _ in range(5):
        cards = iter(rng.sample(DECK, 52))
        ups = [tuple(next(cards).rank for _ in range(street)) for _ in range(seats)]
        left = [next(cards) for _ in range(52 - street * seats)]
        unseen = unseen_kinds(set(DECK) - set(left))
        means = [
            sum(many * value for many, value in zip(unseen, row, strict=True)) / len(left)
            for row in qualities(ups, unseen)
        ]
        assert sum(means) / seats == pytest.approx(1, abs=tolerance)


def test_a_lock_on_both_halves_is_worth_all_seats() -> None:
    ups = [(14, 14), (2, 3), (2, 4), (2, 5)]
    row = qualities(ups, unseen_kinds([]))[0]
    assert row[25] == pytest.approx(4, abs=1e-6)
    assert max(qualities(ups, unseen_kinds([]))[1]) < 2.5
