"""What installed packages offer is read once in a process."""

from functools import cache
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from protocol import installed


def test_packages_are_read_once_and_selected_by_group_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, other = (EntryPoint(*names) for names in (("a", "m:x", "g"), ("b", "m:y", "g"), ("a", "m:z", "h")))
    packages = iter([EntryPoints([first, second, other])])
    monkeypatch.setattr(installed, "_all_entry_points", cache(lambda: next(packages)))
    installed.entry_points.cache_clear()
    try:
        for _ in range(2):
            assert [*installed.entry_points(group="g")] == [first, second]
            assert [*installed.entry_points(group="g", name="b")] == [second]
            assert [*installed.entry_points(group="g", name="c")] == []
    finally:
        installed.entry_points.cache_clear()
