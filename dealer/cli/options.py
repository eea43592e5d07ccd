"""Values of options that several commands share: seeds, folders, addresses."""

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


def seed_or_chance(seed: str | None) -> str:
    """The seed that was given, or 128 random bits from the operating system."""
    return secrets.token_hex(16) if seed is None else seed


def default_journal(game: str) -> Path:
    """The path of a new journal where the user names none: in the user's data folder, named by date and time.

    Raises:
        OptionError: the folder cannot be made or used.
    """
    return new_journal(data_path("journals"), game, "name a file with --journal, or do without one: --no-journal")


def data_path(name: str) -> Path:
    """The path of a file or folder in the user's data folder; it may not exist yet."""
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


def addresses_of(host: str) -> list[str]:
    """The addresses under which others find what listens at a local address, as URLs write them."""
    if host in ("", "0.0.0.0", "::"):
        return lan_addresses()
    return [f"[{host}]" if ":" in host else host]


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
