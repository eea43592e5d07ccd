"""Formats by name: the file in ``named`` that has the format's name."""

from collections.abc import Sequence
from importlib import import_module

from dealer.ledger.formats.duplicate import Duplicate
from dealer.ledger.formats.format import Format
from dealer.lobby.player import Player
from dealer.settings import FormatName, Settings


def find_format(name: FormatName) -> type[Format]:
    """The format of that name."""
    module = import_module(f"{__package__}.named.{name.replace('-', '_')}")
    found: type[Format] = module.FORMAT
    return found


def format_class(settings: Settings) -> type[Format]:
    """The format of a tournament with these settings."""
    return Duplicate if settings.duplicate else find_format(settings.format)


def format_of(settings: Settings, players: Sequence[Player]) -> Format:
    """The format of a tournament that begins."""
    return format_class(settings)(settings, players)
