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
"""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

from dealer.errors import OptionError
from protocol.files import parse_toml, read_bytes

#: The most that a number of a rubric may be.
MOST = 1000

#: The sections of the file, and the field of ``Rubric`` that each key of them sets.
_SECTIONS: Mapping[str, Mapping[str, str]] = {
    "played": {"points": "played"},
    "place": {"first": "first", "last": "last"},
    "faults": {"points": "faultless", "each": "each"},
    "check": {"points": "check"},
}


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


def points_of(rubric: Rubric, place: int, players: int, faults: int, check: float | None) -> Points:
    """The points of a player who had a seat.

    Args:
        rubric: what counts.
        place: of the player, from 1.
        players: who had a seat.
        faults: of its program; what the host did, or the program was free to do, does not count.
        check: the share (0 to 1) of the points of a check; None without results of checks.
    """
    behind = (place - 1) / (players - 1) if players > 1 else 0
    return Points(
        rubric.played,
        round(rubric.first - (rubric.first - rubric.last) * behind, 2),
        max(0, rubric.faultless - rubric.each * faults),
        None if check is None else round(rubric.check * check, 2),
    )


def points_of_absent(rubric: Rubric, check: float | None) -> Points:
    """The points of a student whose program never had a seat: those of the check alone."""
    return Points(0, 0, 0, None if check is None else round(rubric.check * check, 2))


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
        raise OptionError(f"{path}: a rubric has no section [{unknown[0]}]{_instead(unknown[0], _SECTIONS)}")
    if not sections:
        raise OptionError(f"{path}: this rubric gives no points; it needs a section, {_or(_SECTIONS)}")
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
            raise OptionError(f"{path}: [{section}] has no key {key!r}{_instead(key, keys)}")
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


def _instead(wrong: str, known: Mapping[str, object]) -> str:
    near = get_close_matches(wrong, known, 1)
    return f"; did you mean {near[0]}?" if near else f"; it may have {_or(known)}"


def _or(known: Mapping[str, object]) -> str:
    *others, last = known
    return f"{', '.join(others)} or {last}" if others else last
