"""The rooms of the dealer, as its imports draw them: no circle, few floors, few entries at the first level."""

from collections.abc import Callable, Mapping, Set
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import dealer

FOLDER = Path(dealer.__file__).parent

#: Floors of the drawing: rooms of which each imports from the next, from ``main`` down.
MOST_FLOORS = 13

#: Files and packages at the first level of ``dealer``; one look must be enough to find a room.
MOST_ROOMS = 25

Imports = Mapping[str, Set[str]]


@cache
def module_imports() -> Imports:
    """The modules of the dealer that each of its modules imports."""
    graph = grimp.build_graph("dealer", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def room(module: str) -> str:
    """The first-level file or package of the dealer that a module belongs to."""
    return ".".join(module.split(".")[:2])


def room_imports() -> Imports:
    """The rooms of the dealer that each room imports from."""
    rooms: dict[str, set[str]] = {}
    for module, imported in module_imports().items():
        rooms.setdefault(room(module), set()).update({room(name) for name in imported} - {room(module)})
    return rooms


def circle(imports: Imports) -> list[str] | None:
    """Modules that import each other in a circle; None if there are none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return None


def floors(imports: Imports) -> int:
    """The length of the longest chain of imports, which is how many floors a drawing of them needs."""
    height: dict[str, int] = {}
    for name in TopologicalSorter(imports).static_order():
        height[name] = 1 + max((height[imported] for imported in imports.get(name, ())), default=0)
    return max(height.values())


@pytest.mark.parametrize("imports", [module_imports, room_imports])
def test_no_import_circle(imports: Callable[[], Imports]) -> None:
    assert circle(imports()) is None


def test_few_floors() -> None:
    assert floors(room_imports()) <= MOST_FLOORS


def test_few_entries_at_the_first_level() -> None:
    entries = [path for path in FOLDER.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert len(entries) - 1 <= MOST_ROOMS  # without __init__.py


def test_all_rooms_are_drawn() -> None:
    files = {path.stem if path.suffix else path.name for path in FOLDER.iterdir()}
    assert {name.removeprefix("dealer.") for name in room_imports()} - {"dealer"} <= files
    assert {"dealer.net", "dealer.web", "dealer.main"} <= room_imports().keys()


def test_circle_and_floors_of_small_drawings() -> None:
    straight = {"a": {"b"}, "b": {"c"}, "c": set[str](), "d": {"c"}}
    assert (circle(straight), floors(straight)) == (None, 3)
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) or ()) == {"a", "b", "c"}
