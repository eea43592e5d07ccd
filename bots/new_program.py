"""Make the folder of ``casino new``: a program to start from, in the language asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from protocol.wire.codec import FIRST_GAME


class NewFolderError(Exception):
    """The folder cannot be made, or holds one of the files already; the text says which."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A player of the protocol's first game to start from.

    Attributes:
        files: that are copied; the first is the player itself.
        build: what compiles it; empty where nothing has to.
        test: what runs its test.
        run: what starts it.
    """

    files: Sequence[str]
    build: str
    test: str
    run: str


#: By language.
STARTERS = {
    "python": Starter(
        ("poker.py", "test_poker.py", "Makefile", "README.md"),
        "",
        "python3 -m unittest",
        "python3 poker.py {host} {port}",
    ),
    "java": Starter(
        ("Poker.java", "PokerTest.java", "Makefile", "README.md"),
        "javac Poker.java PokerTest.java",
        "java PokerTest",
        "java Poker {host} {port}",
    ),
    "cpp": Starter(
        ("poker.cpp", "test_poker.cpp", "Makefile", "README.md"),
        "make",
        "make test",
        "./poker {host} {port}",
    ),
}


def copy_starter(folder: Path, language: str) -> str:
    """Make the folder, copy the player into it, and say in words what to do next.

    Raises:
        NewFolderError: one of the files is there already, or the folder cannot be written.
    """
    starter = STARTERS[language]
    if there := [name for name in starter.files if (folder / name).exists()]:
        raise NewFolderError(f"{folder / there[0]} exists already, and is not overwritten; name another folder")
    source = files("bots") / "starters" / language
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in starter.files:
            with (folder / name).open("xb") as file:
                file.write((source / name).read_bytes())
    except OSError as error:
        raise NewFolderError(f"cannot write {error.filename or folder}: {error.strerror}") from None
    return _what_next(folder, starter)


def _what_next(folder: Path, starter: Starter) -> str:
    steps = [
        (f"cd {folder}", ""),
        (starter.build, "compile it"),
        (starter.test, "run its test; it needs no dealer"),
        (f"casino check {FIRST_GAME} -- {starter.run}", "let it be asked everything a dealer may ask"),
        (f"casino practice {FIRST_GAME} -- {starter.run}", "play house bots, and learn from it"),
    ]
    lines = [f"  {command:<56}{'  # ' + why if why else ''}".rstrip() for command, why in steps if command]
    first = f"{folder / starter.files[0]}: put your id and avatar at its top, and your strategy into decide()."
    return "\n".join([first, "Then:", *lines])
