"""Through whose eyes a tournament is watched: a seat by number, or a player wherever that one sits."""

from collections.abc import Sequence
from dataclasses import dataclass

from dealer.audit.hands import ReplayedHand
from dealer.errors import OptionError
from dealer.lobby.player import Player


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody at the table.

    Attributes:
        name: as it was asked for.
        seat: a number, from 0; None for a player.
        player: that player; None for a seat.
    """

    name: str
    seat: int | None = None
    player: Player | None = None

    def seat_in(self, hand: ReplayedHand) -> int | None:
        """The seat this viewer has in a hand; None if it was not dealt in."""
        if self.player is not None:
            return hand.players.index(self.player) if self.player in hand.players else None
        return self.seat if self.seat in range(len(hand.players)) else None

    def may_know(self, player: Player) -> bool:
        """Whether what is between a player and the host is this viewer's to know."""
        return player is self.player


def find_viewer(name: str, players: Sequence[Player], seats: int) -> Viewer:
    """Who is meant by ``name``: the number of one of the ``seats``, the id of a player, or an avatar only one has.

    An avatar is what a stranger likes to be called, so an id comes before it. A number that is both a seat and
    somebody's name would show one player the cards of another: it is refused.

    Raises:
        OptionError: nobody is meant, or more than one.
    """
    seat = int(name) if name.isascii() and name.isdecimal() and int(name) < seats else None
    found = [player for player in players if player.id == name] or [p for p in players if p.avatar == name]
    if seat is not None and found:
        raise OptionError(f"--seat {name} is a seat, and a player is called {name} too; name the player in another way")
    if seat is not None:
        return Viewer(name, seat=seat)
    if not found:
        raise OptionError(f"there is no player {name!r}; --seat takes a seat from 0 to {seats - 1}, an id or an avatar")
    if len(found) > 1:
        raise OptionError(f"{len(found)} players have the avatar {name!r}; name one by its id")
    return Viewer(name, player=found[0])
