"""What is to be played in a bulk tournament: the players, the rounds, the seed; and the errors that end it."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bots.bulk.shared_page import MAX_PLAYERS
from dealer.errors import CasinoError, UsageError
from protocol.wire.messages import AVATAR_LENGTH

#: Parts of a tournament in which chips are counted apart, for intervals.
BLOCKS = 32

#: Players of a tournament at least.
LEAST_PLAYERS = 2

#: Rounds of a tournament at most: deals are numbered in 64 bits.
MAX_ROUNDS = 10**12

#: Rounds in which every call is timed are so many rounds apart, in a long tournament.
TIMED_EVERY = 4096

#: Bytes of memory for each player, summed over all of them; a tournament's process may have no more.
MEMORY_EACH = 256 << 20

#: What stands for the dealer's address in a command line.
_ADDRESS = re.compile(r"\{(host|port)\}")

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}

#: Characters of a command line in the standings at most: as many as a program's own name may have.
COMMAND_LENGTH = AVATAR_LENGTH

#: A house bot by name, a C++ or C file, a Python file, or a program over TCP.
Kind = Literal["house", "native", "python", "program"]


class BulkError(UsageError):
    """A tournament that cannot be played; the text says what to change."""


class MistakeError(CasinoError):
    """A mistake that a sanitizer found in an author's file; the text says what and where."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player.

    Attributes:
        name: as the command line names it, with a number after repeated ones.
        source: its file; None for a program.
        command: that starts a program; empty for other players.
    """

    name: str
    kind: Kind
    source: Path | None
    command: str = ""

    @property
    def title(self) -> str:
        """Its name in the standings if it told no other: of a command, the words without folders and the address."""
        if not self.command:
            return self.name
        short = " ".join(Path(word).name for word in shlex.split(self.command) if not _ADDRESS.search(word))
        return short if len(short) <= COMMAND_LENGTH else f"{short[: COMMAND_LENGTH - 1]}…"

    @property
    def file(self) -> Path:
        """The file of a player that is no program."""
        assert self.source is not None
        return self.source


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is counted or changed beside, when a tournament is played again for a closer look.

    Attributes:
        parts: of the tournament in which actions are counted apart, at most as many as blocks.
        replaced: the id of a player whose first decisions against each opponent are those of a coin; None for nobody.
        decisions: so many.
        coin: the seed of the coin.
    """

    parts: int
    replaced: int | None = None
    decisions: int = 0
    coin: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played.

    Attributes:
        entrants: the players; their places here are the ids by which AIs know each other.
        rounds: in each tournament; in a round every two players play one deal.
        series: tournaments, each with dice of its own and with AIs that remember nothing of the others.
        seed: any text.
        inspection: what is counted or changed beside; None for a tournament as it is.
    """

    entrants: tuple[Entrant, ...]
    rounds: int
    series: int
    seed: str
    inspection: Inspection | None = None

    @property
    def blocks(self) -> int:
        """Parts of a tournament in which chips are counted apart."""
        return min(BLOCKS, self.rounds)

    @property
    def deals_in_round(self) -> int:
        """Pairs of players."""
        return len(self.entrants) * (len(self.entrants) - 1) // 2

    @property
    def programs(self) -> list[int]:
        """The ids of the programs over TCP."""
        return [player for player, entrant in enumerate(self.entrants) if entrant.kind == "program"]

    @property
    def timed_every(self) -> int:
        """In each of so many rounds every call is timed."""
        return max(1, min(TIMED_EVERY, self.rounds // 64))


def most_memory(players: int) -> int:
    """Bytes that a worker may allocate, for each of its players and for itself."""
    return MEMORY_EACH * (players + 2)


def check_count(players: int) -> None:
    """Make sure that so many players can play a tournament.

    Raises:
        BulkError: they are too few or too many.
    """
    if not LEAST_PLAYERS <= players <= MAX_PLAYERS:
        raise BulkError(f"a tournament is for {LEAST_PLAYERS} to {MAX_PLAYERS} players, got {players}")


def parse_rounds(text: str) -> int:
    """A number of rounds such as ``300k``, ``5M`` or ``20_000``.

    Raises:
        ValueError: it is no such number, or too large; the text says what was expected.
    """
    found = re.fullmatch(r"([0-9][0-9_,]*(?:\.[0-9]+)?)([kmg]?)", text.strip().lower())
    count = float(re.sub("[_,]", "", found[1])) * _UNITS[found[2]] if found else 0.0
    if not 1 <= count <= MAX_ROUNDS or count != int(count):
        raise ValueError(f"expected a number of rounds such as 300k or 5M, up to 10^12, got {text!r}")
    return int(count)
