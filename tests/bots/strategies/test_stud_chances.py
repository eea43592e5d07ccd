"""The chances and qualities of cards in stud against brute force: whole cards, dealt out and compared."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from random import Random
from typing import NamedTuple

import pytest

from bots.strategies.stud_chances import EVERY, KINDS, Holding, kind_of, likely_raisers, outcomes, staying, unseen_kinds
from bots.strategies.stud_quality import qualities
from protocol.cards import DECK, Card, Suit, parse_cards

ONE_PERCENT = 0.01

#: With 17 seats one card or none is left over, and taking rivals one after the other is at its worst.
FULL_TABLE = 0.02


def tolerance(seats: int) -> float:
    return FULL_TABLE if seats == 17 else ONE_PERCENT


class Situation(NamedTuple):
    own: tuple[Card, ...]
    ups: tuple[tuple[Card, ...], ...]
    gone: tuple[Card, ...]

    @property
    def unseen(self) -> list[Card]:
        seen = {*self.own, *self.gone, *(card for up in self.ups for card in up)}
        return [card for card in DECK if card not in seen]


def situation(rng: Random, street: int, seats: int, gone: int) -> Situation:
    cards = rng.sample(DECK, 52)
    ups = tuple(tuple(cards.pop() for _ in range(street)) for _ in range(seats - 1))
    return Situation(tuple(cards[: street + 1]), ups, tuple(cards[street + 1 : street + 1 + gone]))


def value(cards: Iterable[Card]) -> list[tuple[int, int]]:
    """How often each rank comes and the rank, the most frequent first."""
    return value_of_ranks(tuple(card.rank for card in cards))


@cache  # three ranks: 2197 values, asked for millions of times
def value_of_ranks(ranks: tuple[int, ...]) -> list[tuple[int, int]]:
    return sorted(((times, rank) for rank, times in Counter(ranks).items()), reverse=True)


def halves(own: tuple[Card, ...], rivals: list[tuple[Card, ...]]) -> tuple[float, float]:
    """What we get of the high half and of the spade half when these cards, holes first, are shown down."""
    mine, theirs = value(own), [value(cards) for cards in rivals]
    high = 0.0 if max(theirs) > mine else 1 / (1 + theirs.count(mine))
    spades = [hole.rank for hole, *_ in [own, *rivals] if hole.suit is Suit.SPADES]
    if not spades:
        return high, high
    return high, float(own[0].suit is Suit.SPADES and own[0].rank == max(spades))


def showdown(given: Situation, hidden: Iterable[Card]) -> tuple[float, float]:
    drawn = iter(hidden)
    missing = 3 - len(given.own)
    own = given.own + tuple(next(drawn) for _ in range(missing))
    rivals = [(next(drawn), *up, *(next(drawn) for _ in range(missing))) for up in given.ups]
    return halves(own, rivals)


def average(results: Iterator[tuple[float, float]]) -> tuple[float, float]:
    high = spade = count = 0.0
    for one, other in results:
        high, spade, count = high + one, spade + other, count + 1
    return high / count, spade / count


def hidden_cards(given: Situation) -> int:
    missing = 3 - len(given.own)
    return missing + len(given.ups) * (1 + missing)


def enumerated(given: Situation) -> tuple[float, float]:
    return average(showdown(given, hidden) for hidden in permutations(given.unseen, hidden_cards(given)))


def sampled(given: Situation, rng: Random, deals: int) -> tuple[float, float]:
    unseen, number = given.unseen, hidden_cards(given)
    return average(showdown(given, rng.sample(unseen, number)) for _ in range(deals))


def computed(given: Situation) -> tuple[float, float]:
    seen = [*given.own, *given.gone, *(card for up in given.ups for card in up)]
    rivals = [Holding(tuple(card.rank for card in up)) for up in given.ups]
    ways = outcomes(given.own, rivals, unseen_kinds(seen))
    assert sum(way.chance for way in ways) == pytest.approx(1)
    return sum(way.chance * way.high for way in ways), sum(way.chance * way.spade for way in ways)


def exact_situations(street: int, seats: int, gone: range, number: int) -> list[Situation]:
    rng = Random(1000 * street + seats)
    return [situation(rng, street, seats, rng.choice(gone)) for _ in range(number)]


@pytest.mark.parametrize(
    ("given", "tolerance"),
    [
        *((given, 1e-9) for given in exact_situations(2, 2, range(10), 40)),
        *((given, ONE_PERCENT) for given in exact_situations(2, 3, range(10), 30)),
        *((given, ONE_PERCENT) for given in exact_situations(1, 2, range(16, 28), 24)),
    ],
    ids=str,
)
def test_few_rivals_against_all_deals(given: Situation, tolerance: float) -> None:
    """One rival on street 2 is exact."""
    assert computed(given) == pytest.approx(enumerated(given), abs=tolerance)


def test_weights_of_a_rival_count() -> None:
    """Enumerated again, each hole card weighed by how likely it is held and stayed with."""
    given = Situation(parse_cards("9D KC 4H"), (parse_cards("QH 7D"),), parse_cards("2C 3C"))
    rng = Random(7)
    held, stays = [rng.random() for _ in range(KINDS)], [rng.random() for _ in range(KINDS)]
    weight = high = spade = there = 0.0
    for hole in given.unseen:
        card, stay = held[kind_of(hole)], stays[kind_of(hole)]
        one, other = showdown(given, [hole])
        weight += card
        there += card * stay
        high += card * (stay * one + 1 - stay)
        spade += card * (stay * other + 1 - stay)
    rival = Holding((12, 7), held, stays)
    unseen = unseen_kinds([*given.own, *given.gone, *given.ups[0]])
    (way,) = outcomes(given.own, [rival], unseen)
    assert (way.high, way.spade) == pytest.approx((high / weight, spade / weight))
    assert staying(rival, unseen) == pytest.approx(there / weight)


def test_rival_that_never_stays_wins_nothing() -> None:
    own = parse_cards("2C 3D")
    ways = outcomes(own, [Holding((14,), EVERY, [0.0] * KINDS)], unseen_kinds([*own, *parse_cards("AS")]))
    assert all(way.share == pytest.approx(1) for way in ways)


def test_a_tie_is_worth_a_part() -> None:
    """Both seats show a king and a nine, and have a three in the hole that is no spade."""
    own = parse_cards("3D KC 9H")
    (way,) = outcomes(own, [Holding((13, 9), [float(kind == 1) for kind in range(KINDS)])], unseen_kinds(own))
    assert (way.high, way.spade) == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize("raises", [0, 1, 2, 3, 5])
def test_the_likely_raisers_add_up_to_the_raises(raises: int) -> None:
    likely = likely_raisers([0.05, 0.1, 0.8], raises)
    assert sum(likely) == pytest.approx(min(raises, 3))
    assert likely == sorted(likely)


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
