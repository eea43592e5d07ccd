"""The rubric of a tournament: how many points ``grades.csv`` gives for what, as the host has set it in a TOML file.

[played]
points = 10   # got a seat

[place]
first = 30    # the best place; places between get points in proportion
last = 10     # the last place

[faults]
points = 20   # without a fault
each = 5      # lost for each fault, until none of these points are left

[check]
points = 40   # times the share of the points that ``casino check`` gave

Results of checks are files: what ``casino check --json`` printed, one file a student.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from dealer.errors import OptionError
from protocol.files import parse_json, parse_toml, read_bytes
from protocol.suggestions import instead
from protocol.wire.messages import ID_PATTERN

#: The most that a number of a rubric may be.
MOST = 1000

#: The sections of the file, and the field of ``Rubric`` that each key of them sets.
_SECTIONS: Mapping[str, Mapping[str, str]] = {
    "played": {"points": "played"},
    "place": {"first": "first", "last": "last"},
    "faults": {"points": "faultless", "each": "each"},
    "check": {"points": "check"},
}

#: What is said of the names that there are, where no name is like the one that was given.
_MAY = "it may have"


@dataclass(frozen=True, slots=True)
class Rubric:
    """The points that can be had.

    Attributes:
        played: for a seat in the tournament.
        first: for the best place.
        last: for the last place; at most ``first``.
        faultless: for a program without a fault.
        each: of these, lost for each fault.
        check: for all points of ``casino check``.
    """

    played: float = 10
    first: float = 30
    last: float = 10
    faultless: float = 20
    each: float = 5
    check: float = 40


#: The rubric of a report without one of its own: 100 points, of which a check gives 40.
DEFAULT = Rubric()


@dataclass(frozen=True, slots=True)
class Points:
    """The points of one player by a rubric; ``check`` is None where no results of checks were given."""

    played: float
    place: float
    faults: float
    check: float | None

    @property
    def total(self) -> float:
        """All of them together."""
        return round(self.played + self.place + self.faults + (self.check or 0), 2)


def points_of(rubric: Rubric, place: int | None, players: int, faults: int, check: float | None) -> Points:
    """The points of a student.

    Args:
        rubric: what counts.
        place: of its program, from 1; None if that never had a seat, so that only the check counts.
        players: who had a seat.
        faults: of its program; what the host did, or the program was free to do, does not count.
        check: the share (0 to 1) of the points of a check; None without results of checks.
    """
    checked = None if check is None else round(rubric.check * check, 2)
    if place is None:
        return Points(0, 0, 0, checked)
    behind = (place - 1) / (players - 1) if players > 1 else 0
    by_place = round(rubric.first - (rubric.first - rubric.last) * behind, 2)
    return Points(rubric.played, by_place, max(0, rubric.faultless - rubric.each * faults), checked)


def most_points(rubric: Rubric, checked: bool) -> float:
    """The most points that a player can have; ``checked`` says whether results of checks were given."""
    return rubric.played + rubric.first + rubric.faultless + (rubric.check if checked else 0)


def read_rubric(path: Path) -> Rubric:
    """Read a rubric. A section that is left out gives no points; a key left out of a section has its default.

    Raises:
        OptionError: the file cannot be read, is no TOML, names something that no rubric has, or a number out of bounds.
    """
    sections = _toml(path)
    unknown = [name for name in sections if name not in _SECTIONS]
    if unknown:
        raise OptionError(f"{path}: a rubric has no section [{unknown[0]}]; {instead(unknown[0], _SECTIONS, _MAY)}")
    if not sections:
        raise OptionError(f"{path}: this rubric gives no points; it needs a section: {', '.join(_SECTIONS)}")
    numbers: dict[str, float] = {}
    for section, keys in _SECTIONS.items():
        if section in sections:
            numbers |= _numbers(path, section, sections[section])
        else:
            numbers |= dict.fromkeys(keys.values(), 0)
    rubric = Rubric(**numbers)
    if rubric.last > rubric.first:
        raise OptionError(f"{path}: [place] last = {rubric.last:g} is more than first = {rubric.first:g}")
    return rubric


def _numbers(path: Path, section: str, told: Any) -> dict[str, float]:
    """The numbers of one section, by field of ``Rubric``."""
    keys = _SECTIONS[section]
    if not isinstance(told, dict):
        raise OptionError(f"{path}: {section} must be a section: write [{section}] on a line of its own")
    for key, value in told.items():
        if key not in keys:
            raise OptionError(f"{path}: [{section}] has no key {key!r}; {instead(key, keys, _MAY)}")
        is_number = type(value) in (int, float) and isfinite(value)
        if not is_number or not 0 <= value <= MOST:
            raise OptionError(f"{path}: [{section}] {key} must be a number from 0 to {MOST}, got {_shown(value)}")
    return {keys[key]: value for key, value in told.items()}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(read_bytes(path))
    except OSError as error:
        raise OptionError(f"cannot read the rubric {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise OptionError(f"cannot read the rubric {path}: byte {error.start + 1} is no UTF-8 text") from None
    except ValueError as error:
        raise OptionError(f"cannot read the rubric {path}: it is no TOML: {error}") from None


def _shown(value: object) -> str:
    return repr(value) if not isinstance(value, bool) else str(value).lower()


#: The name of a result in a student's folder.
RESULTS = "results.json"

_EXPECTED = f"ID.json, or {RESULTS} in a folder ID, as `casino check ... --json > ID.json` writes them"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The points of one check.

    Attributes:
        path: the file that tells them.
        game: whose rules were checked.
        points: that the program got.
        of: the most that it could get.
    """

    path: Path
    game: str
    points: float
    of: float

    @property
    def share(self) -> float:
        """The share of the points, from 0 to 1."""
        return self.points / self.of


def read_check_results(path: Path) -> dict[str, CheckResult]:
    """The results of checks by id, which the name of the file gives, or of the folder that it lies in.

    Args:
        path: a folder of results, or the result of one student.

    Raises:
        OptionError: something cannot be read, is no result, or belongs to no id.
    """
    results: dict[str, CheckResult] = {}
    for id_, file in _files(path):
        if not ID_PATTERN.fullmatch(id_):
            raise OptionError(
                f"{file}: {id_!r} is not an id (1 to 39 letters, digits, '-' or '_'); expected {_EXPECTED}"
            )
        if id_ in results:
            raise OptionError(f"{file}: {results[id_].path} has a result of {id_!r}, too; leave one of them out")
        results[id_] = _read(file)
    if not results:
        raise OptionError(f"the folder {path} holds no result of a check; expected {_EXPECTED}")
    return results


def check_same_game(results: Mapping[str, CheckResult], game: str) -> None:
    """Make sure that all checks were of the game that the tournament played.

    Raises:
        OptionError: one was not.
    """
    for result in results.values():
        if result.game != game:
            raise OptionError(f"{result.path} is a check of {result.game}, but this tournament played {game}")


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    try:
        if not path.is_dir():
            yield path.stem, path
            return
        for entry in sorted(path.iterdir()):
            if entry.is_dir() and (entry / RESULTS).is_file():
                yield entry.name, entry / RESULTS
            elif entry.suffix == ".json":
                yield entry.stem, entry
    except OSError as error:
        raise OptionError(f"cannot read the results of checks in {path}: {error.strerror}") from None


def _read(file: Path) -> CheckResult:
    try:
        told = parse_json(read_bytes(file))
    except OSError as error:
        raise OptionError(f"cannot read the result of a check {file}: {error.strerror}") from None
    except ValueError:
        raise OptionError(f"{file} is no JSON; expected what `casino check ... --json` prints") from None
    facts = told if isinstance(told, dict) else {}
    game, points, of = facts.get("game"), _number(facts.get("points")), _number(facts.get("of"))
    if not isinstance(game, str) or points is None or not of or not 0 <= points <= of:
        raise OptionError(f"{file} is no result of a check: it needs a game, and points from 0 to those of 'of'")
    return CheckResult(file, game, points, of)


def _number(value: object) -> float | None:
    """A finite number; None for anything else."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) else None
