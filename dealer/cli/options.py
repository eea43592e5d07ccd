"""Values of options that several commands share: rosters, seeds, folders, addresses."""

import csv
import errno
import os
import secrets
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

import psutil
from platformdirs import user_data_path

from dealer.errors import OptionError
from protocol.wire.messages import ID_PATTERN


def read_roster(path: Path) -> dict[str, str]:
    """Read who may play from a file with one id a line, or CSV lines ``id,name``. A heading ``id`` is skipped.

    Returns:
        The name for each id; the id itself where the file gives no name.

    Raises:
        OptionError: the file cannot be read, has no id, an id twice, or an id that no login could give.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [[cell.strip() for cell in row] for row in csv.reader(file)]
    except OSError as error:
        raise OptionError(f"cannot read the roster {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise OptionError(f"cannot read the roster {path}: {error}") from None
    roster: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        if not any(row) or (number == 1 and row[0].lower() == "id"):
            continue
        id_, name = row[0], row[1] if len(row) > 1 else row[0]
        if not ID_PATTERN.fullmatch(id_):
            raise OptionError(f"{path}, line {number}: {id_!r} is not an id (1 to 39 letters, digits, '-' or '_')")
        if id_ in roster:
            raise OptionError(f"{path}, line {number}: the id {id_!r} is listed twice")
        roster[id_] = name
    if not roster:
        raise OptionError(f"the roster {path} holds no id; write one on each line")
    return roster


def seed_or_chance(seed: str | None) -> str:
    """The seed that was given, or 128 random bits from the operating system."""
    return secrets.token_hex(16) if seed is None else seed


def default_journal(game: str) -> Path:
    """The path of a new journal where the user names none: in the user's data folder, named by date and time.

    Raises:
        OptionError: the folder cannot be made or used.
    """
    return new_journal(data_folder("journals"), game, "name a file with --journal, or do without one: --no-journal")


def data_folder(name: str) -> Path:
    """The path of a folder in the user's data folder; it may not exist yet."""
    return user_data_path("casino-day", appauthor=False) / name


def new_journal(folder: Path, game: str, remedy: str) -> Path:
    """The path of a new journal, named by date, time and game.

    Args:
        folder: made if it does not exist.
        game: the name of the game.
        remedy: what the user can do if the folder cannot be used.

    Raises:
        OptionError: the folder cannot be made or used.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise OptionError(f"cannot use the folder {folder} for journals ({error.strerror}): {remedy}") from None
    name = datetime.now().strftime(f"%Y-%m-%d-%H%M%S-{game}")
    return next(path for path in _names(folder / name) if not path.exists())


def _names(path: Path) -> Iterator[Path]:
    """The path with an ending, then with numbers: two tournaments may start in the same second."""
    yield path.with_name(f"{path.name}.journal")
    for number in count(2):
        yield path.with_name(f"{path.name}-{number}.journal")


def lan_addresses() -> list[str]:
    """The IPv4 addresses at which other machines may reach this one; the loopback address if there is no other."""
    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    found = [
        address.address
        for name, addresses in psutil.net_if_addrs().items()
        for address in addresses
        if name in up and address.family.name == "AF_INET"
    ]
    return [address for address in found if not address.startswith("127.")] or ["127.0.0.1"]
