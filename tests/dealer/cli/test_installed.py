"""Objects that packages install are loaded by name, or a sentence says why they cannot be."""

from importlib.metadata import EntryPoint, EntryPoints

import pytest

from dealer.cli.installed import load_installed
from dealer.errors import OptionError
from protocol import installed
from protocol.installed import installed_names

GROUP = "casino.examples"
POINTS = EntryPoints(
    [
        EntryPoint("pi", "math:pi", GROUP),
        EntryPoint("broken", "math:no_such_name", GROUP),
        EntryPoint("absent", "no_such_package:x", GROUP),
        EntryPoint("other", "math:pi", "casino.others"),
    ]
)


@pytest.fixture(autouse=True)
def _points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "entry_points", POINTS.select)


def test_objects_of_a_group_are_loaded_by_name() -> None:
    assert installed_names(GROUP) == ["absent", "broken", "pi"]
    assert load_installed(GROUP, "pi", "the number", float) == pytest.approx(3.14159, abs=1e-5)
    assert load_installed(GROUP, "other", "the number", float) is None, "it is in another group"


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("broken", float, r"the number \(math:no_such_name\) cannot be loaded: .*no_such_name"),
        ("absent", float, r"the number \(no_such_package:x\) cannot be loaded: No module named"),
        ("pi", str, r"the number \(math:pi\) cannot be loaded: it is no str"),
    ],
)
def test_object_that_cannot_be_loaded(name: str, kind: type, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        load_installed(GROUP, name, "the number", kind)
