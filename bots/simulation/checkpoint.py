"""The file that keeps what a simulation has found so far, from which it goes on."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from msgspec import convert, to_builtins

from bots.simulation.plan import SimulationError
from bots.workers.build import build_name
from bots.workers.kept_file import replace_file
from protocol.files import parse_json, read_bytes
from protocol.plurals import listed

#: Seconds between two times at which the file is written, so that quick shards do not wait for the disk.
SAVE_SECONDS = 2.0

#: What is not given by a flag of its name, in words.
_WORDS = {"game": "the game", "bots": "the bots", "build": "the build of Casino Day"}

#: Where one of these differs, others differ because of it.
_DECIDING = ("game", "cross")


def _differences(names: Sequence[str]) -> str:
    """A clause that says what differs, such as ``the bots and --hands differ``."""
    words = [_WORDS.get(name, f"--{name.replace('_', '-')}") for name in names]
    return f"{listed(words)} {'differs' if len(names) == 1 and names != ['bots'] else 'differ'}"


class Checkpoint:
    """The file of a checkpoint.

    Attributes:
        done: how many shards are in it.
        kept: what was found in them, as values of JSON; None if there is nothing yet.
    """

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self.path = path
        self._about = about
        self.done = 0
        self.kept: Any = None
        self._saved = -inf

    @classmethod
    def open(cls, path: Path, about: Mapping[str, Any]) -> "Checkpoint":
        """The checkpoint in a file, or a new one if there is none.

        Args:
            about: all on which the result depends, as values of JSON.

        Raises:
            SimulationError: the file is no checkpoint, or that of another simulation, or cannot be written.
        """
        made = cls(path, json.loads(json.dumps({**about, "build": build_name()})))
        if not path.exists():
            made._write()  # now it is known whether the place takes a file, and the first shard is kept at once
            return made
        try:
            found = parse_json(read_bytes(path))
            about, made.done, made.kept = dict(found["simulation"]), int(found["shards"]), found["sum"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SimulationError(f"{path} is no checkpoint of a simulation ({error}); name another file") from None
        made._check(about)
        return made

    def _check(self, about: Mapping[str, Any]) -> None:
        differing = [name for name in {**self._about, **about} if about.get(name) != self._about.get(name)]
        deciding = [name for name in _DECIDING if name in differing]
        if differing == ["build"]:
            raise SimulationError(
                f"{self.path} was written by another build of Casino Day ({about.get('build')}), whose games may "
                "differ; go on with that one, or name another file"
            )
        if differing:
            raise SimulationError(
                f"{self.path} is the checkpoint of another simulation: {_differences(deciding[:1] or differing)}; "
                "type what you typed then, or name another file"
            )

    def is_due(self) -> bool:
        """Whether the file is old enough to be written again."""
        return monotonic() >= self._saved + SAVE_SECONDS

    def keep(self, done: int, kept: Any) -> None:
        """Write the file anew.

        Raises:
            SimulationError: it cannot be written.
        """
        self.done, self.kept = done, kept
        self._write()
        self._saved = monotonic()

    def _write(self) -> None:
        try:
            replace_file(self.path, json.dumps({"simulation": self._about, "shards": self.done, "sum": self.kept}))
        except OSError as error:
            raise SimulationError(f"cannot write the checkpoint {self.path}: {error.strerror}") from None


Kept = TypeVar("Kept")


def to_json(tally: Any) -> Any:
    """A tally, or several, as values of JSON."""
    return to_builtins(tally, str_keys=True)


def from_json(kept: Any, kind: type[Kept]) -> Kept:
    """What such values hold.

    Raises:
        ValueError: it is something else.
    """
    return convert(kept, kind, str_keys=True, dec_hook=_counter)


def _counter(_kind: type, kept: Any) -> Counter[int]:
    """The one type in a tally that JSON does not know."""
    return Counter(convert(kept, dict[int, int], str_keys=True))
