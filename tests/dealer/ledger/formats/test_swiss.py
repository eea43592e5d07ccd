"""Swiss tournaments, and maximum matchings, held against all matchings there are."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.ledger.formats.matching import Matching
from dealer.ledger.formats.swiss_draw import Draw, Entrant, swiss_draw, swiss_rounds


def after(entrants: dict[int, Entrant], draw: Draw, points: Callable[[int, int], int]) -> dict[int, Entrant]:
    """Everybody after a round, in which the first of each pair got ``points`` of its two half points."""
    new = dict(entrants)
    for one, two in draw.pairs:
        won = points(one, two)
        for player, other, half_points, first in ((one, two, won, True), (two, one, 2 - won, False)):
            old = entrants[player]
            new[player] = replace(
                old, points=old.points + half_points, met=(*old.met, other), firsts=(*old.firsts, first)
            )
    if draw.bye is not None:
        old = entrants[draw.bye]
        new[draw.bye] = replace(old, points=old.points + 2, byes=old.byes + 1)
    return new


def fewest_rematches(entrants: dict[int, Entrant], players: Collection[int]) -> int:
    @cache
    def search(left: frozenset[int]) -> int:
        if not left:
            return 0
        first, *others = sorted(left)
        return min((other in entrants[first].met) + search(left - {first, other}) for other in others)

    return search(frozenset(players))


def rematches(entrants: dict[int, Entrant], draw: Draw) -> int:
    return sum(two in entrants[one].met for one, two in draw.pairs)


@given(st.integers(1, 9), st.integers(1, 12), st.randoms(use_true_random=False))
def test_small_fields_repeat_pairings_and_byes_rarely(players: int, rounds: int, random: Random) -> None:
    entrants = {number: Entrant(number) for number in range(players)}
    for _ in range(rounds):
        draw = swiss_draw(entrants.values())
        check_complete(entrants, draw)
        if draw.bye is None:
            assert rematches(entrants, draw) == fewest_rematches(entrants, entrants)
        else:
            check_bye(entrants, draw)
        entrants = after(entrants, draw, lambda one, two: random.choice([0, 1, 2]))
        if len(entrants) > 1 and random.random() < 0.2:
            del entrants[random.choice(sorted(entrants))]


def check_complete(entrants: dict[int, Entrant], draw: Draw) -> None:
    named = [player for pair in draw.pairs for player in pair]
    assert sorted(named + ([] if draw.bye is None else [draw.bye])) == sorted(entrants)
    assert (draw.bye is None) == (len(entrants) % 2 == 0)


def check_bye(entrants: dict[int, Entrant], draw: Draw) -> None:
    """Of those with the fewest byes, the lowest without whom the fewest meet again."""
    fewest = min(entrant.byes for entrant in entrants.values())
    cost = {
        number: fewest_rematches(entrants, entrants.keys() - {number})
        for number, entrant in entrants.items()
        if entrant.byes == fewest
    }
    best = min(cost.values())
    lowest = max(
        (number for number in cost if cost[number] == best), key=lambda number: (-entrants[number].points, number)
    )
    assert draw.bye == lowest
    assert rematches(entrants, draw) == best


@given(st.integers(2, 30), st.integers(0, 8), st.randoms(use_true_random=False))
def test_the_order_of_entrants_does_not_matter(players: int, rounds: int, random: Random) -> None:
    entrants = {number: Entrant(number) for number in range(players)}
    for _ in range(rounds):
        entrants = after(entrants, swiss_draw(entrants.values()), lambda one, two: random.choice([0, 1, 2]))
    shuffled = list(entrants.values())
    random.shuffle(shuffled)
    assert swiss_draw(shuffled) == swiss_draw(entrants.values())


@pytest.mark.parametrize("players", [101, *(pytest.param(n, marks=pytest.mark.heavy) for n in (200, 201))])
def test_many_players_and_nine_rounds(players: int) -> None:
    random = Random(players)
    entrants = {number: Entrant(number) for number in range(players)}
    for _ in range(9):
        draw = swiss_draw(entrants.values())
        check_complete(entrants, draw)
        assert rematches(entrants, draw) == 0
        groups = Counter(entrant.points for entrant in entrants.values())
        apart = [abs(entrants[one].points - entrants[two].points) for one, two in draw.pairs]
        assert sum(map(bool, apart)) <= len(groups)  # one floater a group, and one for the bye
        entrants = after(entrants, draw, lambda one, two: random.choices([0, 1, 2], [9, 2, 9])[0])
    assert max(entrant.byes for entrant in entrants.values()) <= 1
    assert max(abs(entrant.balance) for entrant in entrants.values()) <= 3
    too_often = [entrant for entrant in entrants.values() if abs(entrant.balance) > 2]
    assert len(too_often) <= 2


def test_first_round_pairs_top_half_with_bottom_half() -> None:
    assert swiss_draw(map(Entrant, range(8))).pairs == ((0, 4), (5, 1), (2, 6), (7, 3))
    assert swiss_draw(map(Entrant, range(5))) == (((0, 2), (3, 1)), 4)


@pytest.mark.parametrize(
    ("points", "met", "pairs"),
    [
        # 1 has met 4 and 5 of the bottom half (4, 5, 6): so 1-6, and 2 has its first choice among the others.
        ([0] * 6, {1: (4, 5), 4: (1,), 5: (1,)}, [[1, 6], [2, 4], [3, 5]]),
        # Pairs stay in their score group: 1-3 would leave 2-4, who have met, and then both would float.
        ([2] * 4 + [0] * 4, {2: (4,), 4: (2,)}, [[1, 4], [2, 3], [5, 7], [6, 8]]),
        # The lowest of an odd group floats down.
        ([4] * 3 + [2] * 5, {}, [[1, 2], [3, 4], [5, 7], [6, 8]]),
        # 3 has met everybody else, so it is 2 who floats; and 1 does not take 2, which would leave 3 nobody.
        ([2] * 3 + [0] * 3, {3: (4, 5, 6), 4: (3,), 5: (3,), 6: (3,)}, [[1, 3], [2, 4], [5, 6]]),
        # A floater does not fall two groups to save others one: with 2 or 6, 3 would leave the last two, who have met,
        # to each other; with 4 it makes 2 and 6 float.
        (
            [0, 2, 4, 2, 0, 2],
            {1: (3, 4, 5), 2: (6,), 3: (1,), 4: (1, 5), 5: (1, 4), 6: (2,)},
            [[1, 2], [3, 4], [5, 6]],
        ),
        # When all have met, equals meet again.
        ([6, 6, 2, 2], {1: (2, 3, 4), 2: (1, 3, 4), 3: (1, 2, 4), 4: (1, 2, 3)}, [[1, 2], [3, 4]]),
    ],
)
def test_pairs_by_points_and_earlier_rounds(
    points: list[int], met: dict[int, tuple[int, ...]], pairs: list[list[int]]
) -> None:
    draw = swiss_draw(Entrant(number, won, met.get(number, ())) for number, won in enumerate(points, 1))
    assert sorted(map(sorted, draw.pairs)) == pairs


def test_player_first_twice_is_second_next() -> None:
    often = (True, True)
    entrants = [Entrant(0, firsts=often), Entrant(1), Entrant(2, firsts=often), Entrant(3)]
    assert swiss_draw(entrants).pairs == ((3, 0), (1, 2))


def test_first_seat_follows_the_last_difference() -> None:
    one, two = Entrant(0, firsts=(True, False, False, True)), Entrant(1, firsts=(False, True, False, True))
    assert swiss_draw([one, two]).pairs == ((0, 1),)  # before two equal rounds, 1 was first and 0 was second


@pytest.mark.parametrize(
    ("players", "rounds"), [(2, 1), (3, 3), (4, 3), (5, 5), (8, 5), (9, 6), (16, 6), (17, 7), (30, 7), (200, 10)]
)
def test_rounds_if_nobody_says(players: int, rounds: int) -> None:
    assert swiss_rounds(players) == rounds


VERTICES = 9
EDGES = list(combinations(range(VERTICES), 2))
EDGE_SETS = st.frozensets(st.sampled_from(EDGES), max_size=16)


def graph(edges: frozenset[tuple[int, int]]) -> dict[int, list[int]]:
    return {v: [one if two == v else two for one, two in sorted(edges) if v in (one, two)] for v in range(VERTICES)}


def fewest_unmatched(vertices: frozenset[int], edges: frozenset[tuple[int, int]]) -> int:
    @cache
    def search(left: frozenset[int]) -> int:
        if not left:
            return 0
        first, *others = sorted(left)
        mates = [other for other in others if (first, other) in edges]
        return min([1 + search(left - {first}), *(search(left - {first, mate}) for mate in mates)])

    return search(vertices)


@given(EDGE_SETS, st.lists(st.lists(st.integers(0, VERTICES - 1), min_size=1, max_size=2, unique=True), max_size=4))
def test_no_other_matching_leaves_fewer_alone(edges: frozenset[tuple[int, int]], gone: list[list[int]]) -> None:
    left = frozenset(range(VERTICES))
    matching = Matching(graph(edges), range(VERTICES))
    assert matching.unmatched == fewest_unmatched(left, edges)
    for drawn in gone:
        vertices = [vertex for vertex in drawn if vertex in left]
        left -= set(vertices)
        before = matching.unmatched
        rest = matching.without(*vertices)
        assert rest.unmatched == fewest_unmatched(left, edges)
        assert matching.unmatched == before
        matching = rest


def test_matchings_that_are_found_around_others() -> None:
    edges = frozenset({(0, 1), (1, 2), (2, 3), (3, 4), (2, 4), (4, 5)})  # 2-3-4 is the cycle between 0-1 and 5
    assert Matching(graph(edges), range(6)).unmatched == 0
    matching = Matching(graph(frozenset({(0, 1), (0, 2), (0, 3), (2, 4), (2, 5)})), range(6))
    assert matching.without(1, 4).unmatched == 0  # 0 with 3 and 2 with 5, not 0 with 2, who are neighbours
