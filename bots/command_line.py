"""What the commands of bots share: exit codes, sorts of flags, and a flag for each option of the installed games."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from bots.strategy import bot_names
from protocol.games.game import MOST, Game, Option
from protocol.games.registry import flag_facts, game_names, load_game, named_options, shared_options

#: Exit codes: it could not be done; a flag, argument or file cannot be used.
FAILED = 1
BAD_USAGE = 2


def fail(text: str, code: int) -> int:
    """Say in a line what is wrong; the exit code."""
    print(f"casino: {text}", file=sys.stderr)
    return code


Count = Annotated[int, Parameter(validator=Number(gte=1, lte=MOST))]
#: A port to connect to; 0, which lets a program that listens take a free one, cannot be connected to.
DealerPort = Annotated[int, Parameter(validator=Number(gte=1, lte=65535))]
#: Hands of a simulation: more than a game may have.
ManyHands = Annotated[int, Parameter(validator=Number(gte=1, lte=10**10))]
#: For the name of a house bot, which a shell can complete.
A_BOT = Parameter(completer=lambda _: bot_names())
BotName = Annotated[str, A_BOT]
Switch = Annotated[bool, Parameter(negative=())]

#: The option that says how long a game is. The commands have this flag in any case, for games without it too.
HANDS = "hands"
#: The option of games that begin every hand with equal stacks; `casino simulate` can do that with other games too.
RESET_STACKS = "reset_stacks"
#: Options that commands have as flags of their own, since they can do the same with every game.
OWN_FLAGS = (HANDS, RESET_STACKS)
#: Options that need equal stacks in every hand, which `casino play` does not have.
NEED_RESET_STACKS = ("acpc",)


def _annotation(entries: list[tuple[type[Game], Option]]) -> Any:
    """The type of a flag, from the option of every game that has it."""
    facts = flag_facts(entries)
    if facts.switch:
        return Annotated[bool | None, Parameter(help=facts.help, negative=())]
    if facts.choices:
        return Annotated[Literal[facts.choices] | None, Parameter(help=facts.help)]
    return Annotated[int | None, Parameter(help=facts.help, validator=Number(gte=facts.least, lte=facts.most))]


def _make_flags(class_name: str, left_out: Sequence[str]) -> Any:
    kinds = {name: _annotation(entries) for name, entries in shared_options().items() if name not in left_out}
    fields = [(name, kind, field(default=None)) for name, kind in kinds.items()]
    # cyclopts takes a class of the standard library, such as one made in its `types`, for a single value.
    named = {"__module__": __name__}
    return Parameter(name="*", group="The game")(make_dataclass(class_name, fields, frozen=True, namespace=named))


def hands_text(others: str) -> str:
    """The help of ``--hands``: the number of hands in each game that has this option, and what ``others`` do."""
    own = [f"{game.name}: {entry.default} in each game" for game, entry in shared_options().get(HANDS, [])]
    return f"Hands to play ({', '.join([*own, others])})."


if TYPE_CHECKING:
    GameName = str

    class OptionFlags:
        """What is agreed about the game; None where nothing is given."""

    class TableOptionFlags(OptionFlags):
        """The same at a table where a person plays."""

else:
    #: The names of the installed games, for the command line.
    GameName = Literal[game_names()]
    #: One flag for each option of an installed game, made when the program starts.
    OptionFlags = _make_flags("OptionFlags", OWN_FLAGS)
    #: The same at a table where a person plays.
    TableOptionFlags = _make_flags("TableOptionFlags", (*OWN_FLAGS, *NEED_RESET_STACKS))


def chosen_options(game: str, flags: OptionFlags, hands: int | None) -> dict[str, Any]:
    """The options of ``game`` that the command line names, ``--hands`` among them if the game has that option.

    Raises:
        LookupError: there is no such game.
        ValueError: an option belongs to other games; the text names them.
    """
    options = named_options(flags)
    own = {entry.name for entry in load_game(game).options()}
    if hands is not None and HANDS in own:
        options[HANDS] = hands
    for name in options:
        if name not in own:
            others = " and ".join(other.name for other, _ in shared_options()[name])
            raise ValueError(f"--{name.replace('_', '-')} is for {others} only")
    return options


def agreed_game(game: str, options: Mapping[str, Any]) -> Game:
    """The game with these options.

    Raises:
        LookupError: there is no such game.
        ValueError: an option has a value that it may not have, or two do not fit together.
    """
    return load_game(game).from_facts(options)
