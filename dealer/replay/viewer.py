"""The viewer of a replay: a seat by number, or a player at whatever table it sits."""

from collections.abc import Sequence
from dataclasses import dataclass

from dealer.audit.hands import ReplayedHand
from dealer.errors import OptionError
from dealer.lobby.player import Player


@dataclass(frozen=True, slots=True)
class Viewer:
    """One seat or one player, whose cards and reasons a replay shows.

    Attributes:
        name: as the user wrote it.
        seat: a number, from 0; None for a player.
        player: that player; None for a seat.
    """

    name: str
    seat: int | None = None
    player: Player | None = None

    def seat_in(self, hand: ReplayedHand) -> int | None:
        """The viewer's seat in a hand; None if it was not dealt in."""
        if self.player is not None:
            return hand.players.index(self.player) if self.player in hand.players else None
        return self.seat if self.seat in range(len(hand.players)) else None

    def may_know(self, player: Player) -> bool:
        """True if this viewer may read the id of a player, and reasons that quote its program."""
        return player is self.player


def find_viewer(name: str, players: Sequence[Player], seats: int) -> Viewer:
    """The viewer called ``name``: the number of one of the ``seats``, the id of a player, or an avatar only one has.

    Players choose their avatars, so an id comes before an avatar. A number that is both a seat and a player's name
    would show one player the cards of another: it is refused.

    Raises:
        OptionError: no player is called so, or more than one.
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
