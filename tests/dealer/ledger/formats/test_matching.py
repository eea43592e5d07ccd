"""Maximum matchings, held against all matchings there are."""

from functools import cache
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dealer.ledger.formats.matching import Matching

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


def test_a_path_around_an_odd_cycle_is_found() -> None:
    edges = frozenset({(0, 1), (1, 2), (2, 3), (3, 4), (2, 4), (4, 5)})  # 2-3-4 is the cycle between 0-1 and 5
    assert Matching(graph(edges), range(6)).unmatched == 0


def test_two_mates_who_are_neighbours_look_for_others() -> None:
    edges = frozenset({(0, 1), (0, 2), (0, 3), (2, 4), (2, 5)})
    matching = Matching(graph(edges), range(6))
    assert matching.without(1, 4).unmatched == 0  # 0 with 3 and 2 with 5, not 0 with 2
