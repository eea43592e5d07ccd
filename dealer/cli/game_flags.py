"""The flags that games bring, one for each option of each installed game, and the game that they make."""

from collections.abc import Collection, Mapping
from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.flag_types import Count, Switch
from dealer.cli.help import GAME
from dealer.errors import OptionError
from protocol.games.game import Game, Option
from protocol.games.registry import UnknownGameError, flag_facts, game_names, installed_games, load_game, shared_options


def _annotation(entries: list[tuple[type[Game], Option]]) -> Any:
    """The type of a flag, from the option of every game that has it."""
    facts = flag_facts(entries)
    if facts.switch:
        return Annotated[Switch | None, Parameter(help=facts.help)]
    if facts.choices:
        return Annotated[Literal[facts.choices] | None, Parameter(help=facts.help)]
    return Annotated[int | None, Parameter(help=facts.help, validator=Number(gte=facts.least, lte=facts.most))]


def _hands() -> Any:
    """The type of --hands, which every game has: how long a tournament or a game of it is."""
    usual = ", ".join(f"{game.name}: {game().hands}" for game in installed_games())
    text = f"Hands to play, unless one player has won before ({usual}). With levels as many as it takes."
    return Annotated[Count | None, Parameter(help=text)]


def make_flags(name: str, own: Mapping[str, Any], without: Collection[str]) -> Any:
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
    GameFlags = make_flags("GameFlags", {"hands": _hands()}, ("hands",))
    CheckedGameFlags = make_flags("CheckedGameFlags", {}, ("hands",))
    PractisedGameFlags = make_flags("PractisedGameFlags", {}, ("hands", "stack"))


def game_with(name: str, options: Mapping[str, Any]) -> Game:
    """The game of that name with these options; ``hands`` may be among them in any game.

    Raises:
        OptionError: it is not installed, an option is another game's, or a value does not fit.
    """
    try:
        game = load_game(name)
    except UnknownGameError as error:
        raise OptionError(str(error)) from None
    own = {entry.name for entry in game.options()}
    for option in options.keys() - own - {"hands"}:
        owners = " and ".join(owner.name for owner, _ in shared_options()[option])
        raise OptionError(f"--{option.replace('_', '-')} is for {owners}; {name} has no such option")
    try:
        return game.from_facts(options)
    except ValueError as error:
        raise OptionError(str(error)) from None
