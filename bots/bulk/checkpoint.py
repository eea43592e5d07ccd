"""What is kept of a bulk tournament, so that it can go on if it is interrupted: finished tournaments, and failures.

The memory of compiled AIs cannot be saved: it may hold addresses, and lies where only they know. But all of it follows
from the seed. So a tournament that was interrupted is played again from its start, without the calls that are known to
fail, and gives the same figures. What a checkpoint saves is the time of the tournaments that are finished.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from bots.bulk.failures import Failure
from bots.bulk.plan import BulkError, Entrant, Plan
from bots.bulk.played import Played, PlayerMeasures
from bots.workers.kept_file import replace_file
from protocol.files import parse_json, read_bytes

#: Bytes of a checkpoint: a long series of many players has hundreds of megabytes.
MOST_BYTES = 1 << 30


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
            kept = parse_json(read_bytes(path, MOST_BYTES))
            checkpoint._read(kept)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BulkError(f"{path} is no checkpoint of a bulk tournament ({error}); name another file") from None
        if kept["plan"] != checkpoint._digest:
            raise BulkError(
                f"{path} is the checkpoint of another tournament: the players, a file of theirs, --rounds, --series or "
                "--seed differ; type what you typed then, or name another file"
            )
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

    def _read(self, kept: dict[str, object]) -> None:
        for one in kept["finished"]:  # type: ignore[attr-defined] # as `_save` wrote it
            measures = tuple(PlayerMeasures(**measure) for measure in one["measures"])
            failures = tuple(Failure(**failure) for failure in one["failures"])
            played = Played(one["number"], tuple(one["chips"]), measures, failures, one["play_seconds"])
            self.finished[played.number] = played
        for number, failures in kept["failures"].items():  # type: ignore[attr-defined]
            self._failures[int(number)] = {one["player"]: Failure(**one) for one in failures}

    def _save(self) -> None:
        """Replace the file at once, so that there is a whole one at any time."""
        if self._path is None or self._plan is None:
            return
        kept = {
            "plan": self._digest,
            "players": [
                [one.name, one.kind, str(one.source.absolute()) if one.source else None, one.command]
                for one in self._plan.entrants
            ],
            "rounds": self._plan.rounds,
            "series": self._plan.series,
            "seed": self._plan.seed,
            "finished": [_kept(played) for played in self.finished.values()],
            "failures": {
                number: [asdict(failure) for failure in failures.values()]
                for number, failures in self._failures.items()
            },
        }
        try:
            replace_file(self._path, json.dumps(kept))
        except OSError as error:
            raise BulkError(f"cannot write the checkpoint {self._path}: {error.strerror}") from None


def planned(path: Path) -> Plan:
    """What is played in the tournament of a checkpoint.

    Raises:
        BulkError: the file is no checkpoint, or a file of a player has changed since or is gone.
    """
    try:
        data = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise BulkError(f"cannot read the checkpoint {path}: {error.strerror}") from None
    try:
        kept = parse_json(data)
        entrants = tuple(
            Entrant(str(name), kind, source and Path(source), str(command))
            for name, kind, source, command in kept["players"]
        )
        plan = Plan(entrants, int(kept["rounds"]), int(kept["series"]), str(kept["seed"]))
        digest = kept["plan"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BulkError(f"{path} is no checkpoint of `casino round-robin dice` that says what was played") from None
    gone = [str(one.source) for one in entrants if one.source and not one.source.is_file()]
    if gone:
        raise BulkError(f"{path} names files of players that are not there any more: {', '.join(gone)}")
    if digest != _digest(plan):
        raise BulkError(f"{path}: a file of a player has changed since the tournament was played")
    return plan


def _kept(played: Played) -> dict[str, object]:
    """What is kept of a tournament: all but the actions, which no checkpoint needs."""
    facts = asdict(played)
    del facts["actions"]
    return facts


def _digest(plan: Plan) -> str:
    """A number for all on which the figures depend."""
    sources = [(one.name, one.kind, one.command or _content(one.file)) for one in plan.entrants]
    return hashlib.sha256(json.dumps([sources, plan.rounds, plan.series, plan.seed]).encode()).hexdigest()


def _content(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()
