"""Results of ``casino check`` as files: what ``--json`` printed, one file a student."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from dealer.errors import OptionError
from protocol.files import parse_json, read_bytes
from protocol.wire.messages import ID_PATTERN

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
