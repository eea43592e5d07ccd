"""A version of a player as it is typed: the name of a house bot, or the command line of a program."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dealer.cli.house_bots import check_bots
from dealer.hosting.programs import Program, guest_bots, in_sandboxes
from protocol.bot_files import file_reader


@dataclass(frozen=True, slots=True)
class Version:
    """Who plays.

    Attributes:
        name: as it was typed.
        program: to be started; None for a house bot.
    """

    name: str
    program: Program | None = None


def version_of(text: str) -> Version:
    """The version that a text names. Several words, or a place for the port, are a command line, if not a file's name.

    Raises:
        OptionError: the command line cannot be used.
    """
    if "{" not in text and (len(text.split()) == 1 or file_reader(text) is not None):
        return Version(text)
    (program,) = guest_bots([text])
    return Version(text, program)


def check_plays(version: Version, game: str) -> None:
    """Make sure that a house bot plays a game; what a program plays only shows when it is asked.

    Raises:
        OptionError: the bot is not installed, or plays other games.
    """
    if version.program is None:
        check_bots([version.name], game)


def in_own_sandboxes(versions: Sequence[Version], journal: Path | None, pythons: Sequence[Path]) -> list[Version]:
    """The same versions, their programs in sandboxes that hide the journal and the other programs.

    Raises:
        OptionError: there can be no sandbox here, or a program cannot run without seeing what is hidden from it.
    """
    started = [version.program for version in versions if version.program]
    programs = iter(in_sandboxes(started, journal, pythons))
    return [replace(version, program=next(programs)) if version.program else version for version in versions]
