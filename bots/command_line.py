"""What the commands of bots take from the command line beside what they share with the dealer's."""

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number

from dealer.cli.game_flags import game_with, make_flags
from protocol.games.registry import named_options, shared_options

#: A port to connect to; 0, which lets a program that listens take a free one, cannot be connected to.
DealerPort = Annotated[int, Parameter(validator=Number(gte=1, lte=65535))]

#: The option that says how long a game is. `casino play` has this flag in any case, for games without it too.
HANDS = "hands"
#: The option of games that can begin every hand with equal stacks. `casino simulate` does so in all games, and
#: `casino play` in none.
RESET_STACKS = "reset_stacks"
#: Options that need equal stacks in every hand.
NEED_RESET_STACKS = ("acpc",)


def hands_text(others: str) -> str:
    """The help of ``--hands``: the number of hands in each game that has this option, and what ``others`` do."""
    own = [f"{game.name}: {entry.default} in each game" for game, entry in shared_options().get(HANDS, [])]
    return f"Hands to play ({', '.join([*own, others])})."


if TYPE_CHECKING:

    class OptionFlags:
        """What is agreed about the game; None where nothing is given."""

    class TableOptionFlags(OptionFlags):
        """The same at a table where a person plays."""

else:
    OptionFlags = make_flags("OptionFlags", {}, (RESET_STACKS,))
    TableOptionFlags = make_flags("TableOptionFlags", {}, (HANDS, RESET_STACKS, *NEED_RESET_STACKS))


def chosen_options(game: str, flags: OptionFlags, **own: int | None) -> dict[str, Any]:
    """The options that the command line names: those of ``flags``, and those of ``own`` that ``game`` has.

    Raises:
        OptionError: there is no such game.
    """
    has = {entry.name for entry in game_with(game, {}).options()}
    return named_options(flags) | {name: value for name, value in own.items() if name in has and value is not None}
