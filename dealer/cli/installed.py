"""What a game adds to a command of the dealer, from an installed package; a mistake in it ends the command."""

from typing import TypeVar

from dealer.errors import OptionError
from protocol import installed

Loaded = TypeVar("Loaded")


def load_installed(group: str, name: str, what: str, kind: type[Loaded]) -> Loaded | None:
    """Load as ``protocol.installed.load_installed`` does; None if nothing is installed under this name.

    Raises:
        OptionError: in place of LookupError.
    """
    try:
        loaded: Loaded | None = installed.load_installed(group, name, what, kind)
    except LookupError as error:
        raise OptionError(str(error)) from None
    return loaded
