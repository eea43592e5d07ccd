"""Can everybody be paired? Maximum matchings of a graph whose edges are the pairs that are allowed.

Edmonds' algorithm (Paths, trees, and flowers, Canadian Journal of Mathematics 17, 1965), in the form that searches
breadth first from one unmatched vertex and remembers for every vertex the base of the odd cycle that it has shrunk
into.
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping

#: The neighbours of each vertex. Those that are not ``vertices`` of a matching are taken no notice of.
Graph = Mapping[int, Collection[int]]


class Matching:
    """As many pairs of neighbours as there can be, no vertex in two of them."""

    def __init__(self, graph: Graph, vertices: Iterable[int]) -> None:
        self._graph = graph
        self._mates: dict[int, int | None] = dict.fromkeys(vertices)
        for vertex in list(self._mates):
            self._match(vertex)

    @property
    def unmatched(self) -> int:
        """Vertices in no pair: no other matching has fewer."""
        return sum(mate is None for mate in self._mates.values())

    def without(self, *vertices: int) -> "Matching":
        """A maximum matching of all other vertices.

        They are taken out one by one: an augmenting path can then only end at the mate of the one that went. If two
        mates were free at once they might take each other, although each could have taken another vertex.
        """
        rest = Matching(self._graph, ())
        rest._mates = self._mates.copy()
        for vertex in vertices:
            mate = rest._mates.pop(vertex)
            if mate is not None:
                rest._mates[mate] = None
                rest._match(mate)
        return rest

    def _match(self, root: int) -> None:
        """Match a vertex that has no mate, if that can be done without leaving another alone."""
        if self._mates[root] is None:
            search = _Search(self._graph, self._mates, root)
            end = search.run()
            while end is not None:
                before = search.parents[end]
                following = self._mates[before]
                self._mates[end], self._mates[before] = before, end
                end = following


class _Search:
    """A search for an augmenting path from ``root``, which has no mate.

    Attributes:
        parents: from whom a vertex at an odd distance was reached; inside a shrunk cycle, both ways around.
    """

    def __init__(self, graph: Graph, mates: Mapping[int, int | None], root: int) -> None:
        self._graph = graph
        self._mates = mates
        self._bases: dict[int, int] = {}
        self._even = {root}
        self._queue = deque([root])
        self.parents: dict[int, int] = {}

    def run(self) -> int | None:
        """The other end of the path; None if there is none."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._graph[vertex]:
                if other in self._mates and self._is_news(vertex, other) and self._reach(vertex, other):
                    return other
        return None

    def _base(self, vertex: int) -> int:
        return self._bases.get(vertex, vertex)

    def _is_news(self, vertex: int, other: int) -> bool:
        return self._base(vertex) != self._base(other) and self._mates[vertex] != other

    def _reach(self, vertex: int, other: int) -> bool:
        """Follow an edge; whether it leads to a vertex without a mate."""
        if other in self._even:
            self._shrink(vertex, other)
        elif other not in self.parents:
            self.parents[other] = vertex
            mate = self._mates[other]
            if mate is None:
                return True
            self._visit(mate)
        return False

    def _visit(self, vertex: int) -> None:
        if vertex not in self._even:
            self._even.add(vertex)
            self._queue.append(vertex)

    def _shrink(self, one: int, two: int) -> None:
        """Make one vertex of the odd cycle that the edge between these two closes."""
        base = self._common_base(one, two)
        cycle = self._mark_path(one, base, two) | self._mark_path(two, base, one)
        for vertex in (*self._even, *self.parents):
            if self._base(vertex) in cycle:
                self._bases[vertex] = base
        for vertex in sorted(vertex for vertex in self.parents if self._base(vertex) == base):
            self._visit(vertex)

    def _common_base(self, one: int, two: int) -> int:
        """The base at which the ways back to the root come together."""
        seen = set()
        step: int | None = one
        while step is not None:
            base = self._base(step)
            seen.add(base)
            mate = self._mates[base]
            step = None if mate is None else self.parents[mate]
        while self._base(two) not in seen:
            mate = self._mates[self._base(two)]
            assert mate is not None
            two = self.parents[mate]
        return self._base(two)

    def _mark_path(self, vertex: int, base: int, child: int) -> set[int]:
        """The bases from a vertex back to ``base``, through which a path may now run the other way too."""
        marked = set()
        while self._base(vertex) != base:
            mate = self._mates[vertex]
            assert mate is not None
            marked |= {self._base(vertex), self._base(mate)}
            self.parents[vertex] = child
            child, vertex = mate, self.parents[mate]
        return marked
