"""Make the folder of ``casino new``: a program to start from, in the language asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from dealer.errors import UsageError
from protocol.suggestions import instead
from protocol.wire.codec import FIRST_GAME


class NewFolderError(UsageError):
    """There is no such starter, or its folder cannot be made or holds a file already; the text says which."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A player to start from.

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

#: Games that have starters beside the protocol's first one: each a folder of its own with the same files.
GAMES = ("blockhead", "dice", "holdem")

#: What to say beside, by game.
BESIDE = {
    "dice": (
        "For millions of rounds make a function instead of a program:",
        "  casino new FOLDER --lang cpp --native",
    )
}


def copy_starter(folder: Path, language: str, game: str = FIRST_GAME) -> str:
    """Make the folder, copy the player into it, and say in words what to do next.

    Raises:
        NewFolderError: no starter plays the game, one of the files is there already, or the folder cannot be
            written.
    """
    starter = STARTERS[language]
    if game not in (FIRST_GAME, *GAMES):
        raise NewFolderError(f"no starter plays {game}; games with a starter: {', '.join((FIRST_GAME, *GAMES))}")
    source = files("bots") / "starters" / language
    if game != FIRST_GAME:
        source /= game
    _copy({name: source / name for name in starter.files}, folder)
    return _what_next(folder, starter, game)


def copy_native(folder: Path, like: str | None = None) -> str:
    """Make the folder with an AI for a bulk tournament of dice, and say in words what to do next.

    Args:
        folder: a new one, or one that holds none of the files.
        like: a house bot to copy; None for a small AI to start from.

    Raises:
        NewFolderError: there is no such house bot, one of the files is there already, or the folder cannot be written.
    """
    starter, bulk = files("bots") / "starters" / "cpp" / "native", files("bots") / "bulk" / "cpp"
    sources = {"ai.cpp": starter / "ai.cpp", "tournament.h": bulk / "tournament.h", "README.md": starter / "README.md"}
    if like is not None:
        house = {path.name.removesuffix(".cpp"): path for path in (bulk / "house").iterdir()}
        names = sorted(name for name in house if not name.endswith(".h"))
        if like not in names:
            told = instead(like, names, "those that are:")
            raise NewFolderError(f"no house bot {like!r} is written in C++; {told}")
        sources |= {"ai.cpp": house[like]}
        # those that play an equilibrium need its table
        sources |= {
            header: house[header]
            for header in house
            if header.endswith(".h") and f'"{header}"' in house[like].read_text()
        }
    _copy(sources, folder)
    path = folder / "ai.cpp"
    return "\n".join(
        [
            f"{path}: put your name at its bottom, and your strategy into decide().",
            "Then:",
            f"  casino round-robin dice dice-four dice-memory --native {path} --rounds 1M",
        ]
    )


def _copy(sources: Mapping[str, Traversable], folder: Path) -> None:
    """Copy files, by their new names, into a folder, which is made if need be.

    Raises:
        NewFolderError: one of the files is there already, or the folder cannot be written.
    """
    if there := [name for name in sources if (folder / name).exists()]:
        raise NewFolderError(f"{folder / there[0]} exists already, and is not overwritten; name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, source in sources.items():
            with (folder / name).open("xb") as file:
                file.write(source.read_bytes())
    except OSError as error:
        raise NewFolderError(f"cannot write {error.filename or folder}: {error.strerror}") from None


def _what_next(folder: Path, starter: Starter, game: str) -> str:
    steps = [
        (f"cd {folder}", ""),
        (starter.build, "compile it"),
        (starter.test, "run its test; it needs no dealer"),
        (f"casino check {game} -- {starter.run}", "let it be asked everything a dealer may ask"),
    ]
    if game == FIRST_GAME:
        steps.append((f"casino practice {game} -- {starter.run}", "play house bots, and learn from it"))
    lines = [f"  {command:<56}{'  # ' + why if why else ''}".rstrip() for command, why in steps if command]
    first = f"{folder / starter.files[0]}: put your id and avatar at its top, and your strategy into decide()."
    return "\n".join([first, "Then:", *lines, *BESIDE.get(game, ())])
