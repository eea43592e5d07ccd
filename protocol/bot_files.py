"""Bots that lie in files, such as what a learner has learned: who reads them, and what they are called."""

from importlib.metadata import EntryPoint
from pathlib import Path

from protocol.installed import entry_points

#: The group of those who read bots from files: the name is the ending of a file's name, the value is called with it.
FILE_READERS = "casino.bot_files"


def file_reader(name: str) -> EntryPoint | None:
    """Who reads bots from files with the ending that ``name`` has; None if it is no name of such a file."""
    return next(iter(entry_points(group=FILE_READERS, name=Path(name).suffix.removeprefix("."))), None)


def title_of(name: str) -> str:
    """What a bot is called if nobody says: its name, or that of its file without folder and ending."""
    return name if file_reader(name) is None else Path(name).stem
