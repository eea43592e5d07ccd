"""The flags that games bring: one for each option of each installed game, made when the program starts."""

from collections.abc import Collection, Mapping
from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.help import GAME
from protocol.games.game import MOST, Game, Option
from protocol.games.registry import flag_facts, game_names, installed_games, shared_options


def _annotation(entries: list[tuple[type[Game], Option]]) -> Any:
    """The type of a flag, from the option of every game that has it."""
    facts = flag_facts(entries)
    if facts.switch:
        return Annotated[bool | None, Parameter(help=facts.help, negative=())]
    if facts.choices:
        return Annotated[Literal[facts.choices] | None, Parameter(help=facts.help)]
    return Annotated[int | None, Parameter(help=facts.help, validator=Number(gte=facts.least, lte=facts.most))]


def _hands() -> Any:
    """The type of --hands, which every game has: how long a tournament or a game of it is."""
    usual = ", ".join(f"{game.name}: {game().hands}" for game in installed_games())
    text = f"Hands to play, unless one player has won before ({usual}). With levels as many as it takes."
    return Annotated[int | None, Parameter(help=text, validator=Number(gte=1, lte=MOST))]


def _make_flags(name: str, own: Mapping[str, Any], without: Collection[str]) -> Any:
    """A class of flags: those in ``own``, by name, and one for each option of the games that is not in ``without``."""
    options = {name: _annotation(entries) for name, entries in shared_options().items() if name not in without}
    fields = [(name, kind, field(default=None)) for name, kind in {**own, **options}.items()]
    # Without a module of its own the command line library takes the class for one of Python's own types.
    named = {"__module__": __name__}
    return Parameter(name="*", group=GAME)(make_dataclass(name, fields, frozen=True, namespace=named))


if TYPE_CHECKING:
    GameName = str

    class GameFlags:
        """What is agreed about the game; None where nothing is given."""

    class CheckedGameFlags:
        """The same for `casino check`, whose --hands is another one."""

    class PractisedGameFlags:
        """The same for `casino practice`, which has a --stack of its own and no --hands."""

else:
    #: The names of the installed games, for the command line.
    GameName = Literal[game_names()]
    GameFlags = _make_flags("GameFlags", {"hands": _hands()}, ("hands",))
    CheckedGameFlags = _make_flags("CheckedGameFlags", {}, ("hands",))
    PractisedGameFlags = _make_flags("PractisedGameFlags", {}, ("hands", "stack"))
