"""The formats that tournaments can have, by name."""

from collections.abc import Sequence

from dealer.ledger.formats.duplicate import Duplicate
from dealer.ledger.formats.format import Format
from dealer.ledger.formats.freezeout import Freezeout
from dealer.ledger.formats.pairings import Pairings
from dealer.lobby.player import Player
from dealer.settings import Settings


def format_of(settings: Settings, players: Sequence[Player]) -> Format:
    """The format of a tournament that begins."""
    if settings.duplicate:
        return Duplicate(settings, players)
    return (Freezeout if settings.format == "freezeout" else Pairings)(settings, players)
