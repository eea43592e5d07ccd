"""What an installation of the project holds, and its source archive."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from configparser import ConfigParser
from importlib import import_module
from pathlib import Path

import pytest

from bots.new_program import GAMES, STARTERS
from bots.workers.build import build_name

ROOT = Path(__file__).parents[2]
PACKAGES = ("protocol", "dealer", "bots")
MADE_BY_TOOLS = {".class", ".journal"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def build(folder: Path, *targets: str, into: Path) -> None:
    """Build as ``pip`` does, but with the build backend that is installed here."""
    flags = [flag for target in targets for flag in ("-t", target)]
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(into), *flags]
    subprocess.run(command, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, "wheel", "sdist", into=folder)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


def installed(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_the_three_packages_and_nothing_else(wheel: Path) -> None:
    source = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file()
        and path.name != "Dockerfile"
        and "train" not in path.parts  # training is done in a clone
        # Tests beside this one compile modules; what they write has other names until it is whole.
        and "__pycache__" not in path.parts
        and path.suffix not in MADE_BY_TOOLS
    }
    assert installed(wheel) == source


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_says_that_it_is_typed(wheel: Path, package: str) -> None:
    assert f"{package}/py.typed" in installed(wheel)


def test_the_wheel_brings_what_a_student_copies_and_reads(wheel: Path) -> None:
    names = installed(wheel)
    for language, starter in STARTERS.items():
        for folder in (language, *[f"{language}/{game}" for game in GAMES]):
            assert {f"bots/starters/{folder}/{name}" for name in starter.files} <= names
    assert {f"{package}/README.md" for package in PACKAGES} <= names
    assert {path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/docs/*.md")} <= names
    assert {"dealer/docs/commands.md", "bots/docs/tutorial.md", "protocol/docs/wire.md"} <= names


def test_the_wheel_brings_the_license(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/LICENSE")]
        assert archive.read(name) == (ROOT / "LICENSE").read_bytes()


#: Entry point groups that offer values; all others offer functions and classes.
VALUES = {"casino.wire", "casino.seats", "casino.checks", "casino.practice", "casino.histories"}

#: Groups of entry points: more than these nobody outside needs.
MOST_GROUPS = 11


def test_every_group_of_entry_points_says_what_others_bring() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    comments = re.findall(r"^# (.+)\n\[project\.entry-points\.", text, re.MULTILINE)
    assert len({*comments}) == len(comments) == len(PROJECT["entry-points"]) <= MOST_GROUPS


def test_every_entry_point_leads_to_something(wheel: Path) -> None:
    points = ConfigParser(delimiters="=")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/entry_points.txt")]
        points.read_string(archive.read(name).decode())
    assert set(points.sections()) >= {"console_scripts", "casino.bots", "casino.commands"}
    for group in points.sections():
        for target in points[group].values():
            module, attribute = target.split(":")
            offered = getattr(import_module(module), attribute)
            assert callable(offered) != (group in VALUES), target


def test_the_source_archive_builds_the_same_wheel(built: Path, wheel: Path, tmp_path: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    (source,) = tmp_path.iterdir()
    for needed in (
        "tests/conftest.py",
        "docker-compose.yml",
        ".dockerignore",
        ".ci/run",
        ".github/map.svg",
        "README.md",
    ):
        assert (source / needed).is_file()
    build(source, "wheel", into=tmp_path / "again")
    (again,) = (tmp_path / "again").glob("*.whl")
    assert installed(again) == installed(wheel)


def test_a_base_install_stays_light() -> None:
    heavy = {"numpy", "scipy", "numba", "eval7", "textual", "jinja2", "sqlalchemy", "distributed"}
    assert not [need for need in PROJECT["dependencies"] if need.lower().startswith(tuple(heavy))]


def test_an_installed_wheel_is_the_same_build_as_a_clone(wheel: Path, tmp_path: Path) -> None:
    """Workers of a cluster know each other by it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    script = "import bots; from bots.workers.build import build_name; print(bots.__path__[0], build_name())"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    told = subprocess.check_output([sys.executable, "-c", script], cwd=tmp_path, env=environment, text=True)
    assert told.split() == [str(tmp_path / "bots"), build_name()]
