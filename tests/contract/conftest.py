"""Leduc hold'em as it comes to a machine: built as a wheel, unpacked, and put on the path."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol import installed
from protocol.games.game import Game
from protocol.games.registry import load_game
from tests.dealer.conftest import fast_disk, tcp_clock, waiting_clocks, watch  # noqa: F401 - fixtures

PACKAGE = Path(__file__).parents[1] / "leduc_package"


@pytest.fixture(scope="session")
def leduc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package, for ``PYTHONPATH``."""
    folder = tmp_path_factory.mktemp("leduc")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=PACKAGE, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")  # not for the session: other tests count the installed games
def _leduc_on_path(leduc: Path) -> Iterator[None]:
    sys.path.append(str(leduc))
    _read_installed_again()
    yield
    sys.path.remove(str(leduc))
    _read_installed_again()


def _read_installed_again() -> None:
    """Forget what was read of the installed packages, which in a process of ``casino`` cannot change."""
    installed.entry_points.cache_clear()
    installed._all_entry_points.cache_clear()


@pytest.fixture(scope="module", params=["blockhead", "dice", "holdem", "leduc", "stud"])
def game(request: pytest.FixtureRequest, _leduc_on_path: None) -> Game:
    """Every game in turn, with its usual options."""
    return load_game(request.param)()
