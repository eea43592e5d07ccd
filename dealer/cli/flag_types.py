"""Types of flags that commands share. ``casino bot`` imports them too, so nothing here takes long to load."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from protocol.games.game import MOST
from protocol.installed_bots import bot_names

#: The port of a dealer's page where none is named.
PAGE_PORT = 8080

#: A flag without a value, and without another one that takes it back.
Switch = Annotated[bool, Parameter(negative=())]

#: Hands or chips, as many as an option of a game may be.
Count = Annotated[int, Parameter(validator=Number(gte=1, lte=MOST))]

Seconds = Annotated[float, Parameter(validator=Number(gt=0, lte=10**6))]

#: For the name of a house bot, which a shell can complete.
A_BOT = Parameter(completer=lambda _: bot_names())

#: A house bot, or a file with a bot.
BotName = Annotated[str, A_BOT]

#: Whether programs that are started here run in a sandbox.
Sandboxed = Annotated[
    bool,
    Parameter(
        negative=(),
        help="Run programs in a sandbox, where each sees its own folder and the dealer's port; needs bubblewrap, on "
        "Linux.",
    ),
]

#: The other Pythons that they may use there.
Pythons = Annotated[
    tuple[Path, ...],
    Parameter(
        help="The folder of another Python that programs may use in the sandbox, such as /opt/python3.13. May be given "
        "several times.",
    ),
]
