"""What is kept of a bulk tournament, so that it can go on if it is interrupted: finished tournaments, and failures.

The memory of compiled AIs cannot be saved: it may hold addresses, and lies where only they know. But all of it follows
from the seed. So a tournament that was interrupted is played again from its start, without the calls that are known to
fail, and gives the same figures. What a checkpoint saves is the time of the tournaments that are finished.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import convert, to_builtins

from bots.bulk.failures import Failure
from bots.bulk.plan import BulkError, Entrant, Kind, Plan
from bots.bulk.played import Played
from bots.workers.kept_file import replace_file
from protocol.files import parse_json, read_bytes

#: Bytes of a checkpoint: a long series of many players has hundreds of megabytes.
MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the file holds.

    Attributes:
        plan: a digest of all on which the figures depend.
        players: name, kind, file and command of each.
        finished: tournaments, without the actions that were counted in them.
        failures: by tournament.
    """

    plan: str
    players: list[tuple[str, Kind, str | None, str]]
    rounds: int
    series: int
    seed: str
    finished: list[Played]
    failures: dict[int, list[Failure]]


class Checkpoint:
    """The file of a checkpoint.

    Attributes:
        finished: tournaments of the series, by number.
    """

    def __init__(self, path: Path | None, plan: Plan | None) -> None:
        self._path = path
        self._plan = plan
        self._digest = "" if plan is None else _digest(plan)
        self.finished: dict[int, Played] = {}
        self._failures: dict[int, dict[int, Failure]] = {}

    @classmethod
    def nowhere(cls) -> "Checkpoint":
        """A checkpoint that is written to no file."""
        return cls(None, None)

    @classmethod
    def open(cls, path: Path, plan: Plan) -> "Checkpoint":
        """The checkpoint in a file, or a new one if there is none.

        Raises:
            BulkError: the file is no checkpoint, or that of another tournament, or nothing can be written there.
        """
        checkpoint = cls(path, plan)
        if not path.exists():
            checkpoint._save()
            return checkpoint
        try:
            kept = _read(path)
        except (OSError, ValueError) as error:
            raise BulkError(f"{path} is no checkpoint of a bulk tournament ({error}); name another file") from None
        if kept.plan != checkpoint._digest:
            raise BulkError(
                f"{path} is the checkpoint of another tournament: the players, a file of theirs, --rounds, --series or "
                "--seed differ; type what you typed then, or name another file"
            )
        checkpoint.finished = {played.number: played for played in kept.finished}
        checkpoint._failures = {
            number: {failure.player: failure for failure in failures} for number, failures in kept.failures.items()
        }
        return checkpoint

    def failures_of(self, number: int) -> dict[int, Failure]:
        """The known failures in a tournament of the series, by player."""
        return dict(self._failures.get(number, {}))

    def finish(self, played: Played) -> None:
        """Keep a tournament that was played to its end.

        Raises:
            BulkError: the file cannot be written.
        """
        self.finished[played.number] = played
        self._save()

    def fail(self, number: int, failures: Mapping[int, Failure]) -> None:
        """Keep the failures in a tournament that goes on.

        Raises:
            BulkError: the file cannot be written.
        """
        self._failures[number] = dict(failures)
        self._save()

    def _save(self) -> None:
        """Replace the file at once, so that there is a whole one at any time."""
        if self._path is None or self._plan is None:
            return
        kept = _Kept(
            self._digest,
            [
                (one.name, one.kind, str(one.source.absolute()) if one.source else None, one.command)
                for one in self._plan.entrants
            ],
            self._plan.rounds,
            self._plan.series,
            self._plan.seed,
            [replace(played, actions=b"") for played in self.finished.values()],
            {number: list(failures.values()) for number, failures in self._failures.items()},
        )
        try:
            replace_file(self._path, json.dumps(to_builtins(kept, str_keys=True)))
        except OSError as error:
            raise BulkError(f"cannot write the checkpoint {self._path}: {error.strerror}") from None


def planned(path: Path) -> Plan:
    """What is played in the tournament of a checkpoint.

    Raises:
        BulkError: the file is no checkpoint, or a file of a player has changed since or is gone.
    """
    try:
        kept = _read(path)
    except OSError as error:
        raise BulkError(f"cannot read the checkpoint {path}: {error.strerror}") from None
    except ValueError:
        raise BulkError(f"{path} is no checkpoint of `casino round-robin dice` that says what was played") from None
    entrants = tuple(
        Entrant(name, kind, None if source is None else Path(source), command)
        for name, kind, source, command in kept.players
    )
    plan = Plan(entrants, kept.rounds, kept.series, kept.seed)
    gone = [str(one.source) for one in entrants if one.source and not one.source.is_file()]
    if gone:
        raise BulkError(f"{path} names files of players that are not there any more: {', '.join(gone)}")
    if kept.plan != _digest(plan):
        raise BulkError(f"{path}: a file of a player has changed since the tournament was played")
    return plan


def _read(path: Path) -> _Kept:
    """What a file holds.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no checkpoint.
    """
    return convert(parse_json(read_bytes(path, MOST_BYTES)), _Kept, str_keys=True)


def _digest(plan: Plan) -> str:
    """A number for all on which the figures depend."""
    sources = [(one.name, one.kind, one.command or _content(one.file)) for one in plan.entrants]
    return hashlib.sha256(json.dumps([sources, plan.rounds, plan.series, plan.seed]).encode()).hexdigest()


def _content(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()
