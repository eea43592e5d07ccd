"""Players who are expected back: their connection ended, or the dealer itself was started again."""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from math import inf

import trio

from dealer.lobby.changes import Changes
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from protocol.wire.messages import Name


class LoginRefused(Exception):
    """A login that gets no seat; the text is the reason its ``done:`` gives."""


def secret_proof(secret: str, id: str, salt: str) -> bytes:
    """What a journal keeps of a player's secret: enough to know it again, too slow to guess it back from (scrypt).

    Takes some 50 ms, so it does not belong in the dealer's own thread.
    """
    return hashlib.scrypt(secret.encode(), salt=f"{salt}/{id}".encode(), n=2**14, r=8, p=1)


class Reunion:
    """Finds the player that belongs to a login during a tournament, and keeps the time of those who are away.

    Args:
        players: of the tournament.
        seconds: how long each may stay away; None for ever.
        stranger: what a login hears that belongs to no player: how far the tournament is.

    Attributes:
        on_back: called with a player who has just come back.
        changes: announced when somebody leaves or comes back.
    """

    def __init__(self, players: Sequence[Player], seconds: float | None, stranger: Callable[[], str]) -> None:
        self.on_back: Callable[[Player], None] = lambda _: None
        self._players = {player.id: player for player in players}
        self._seconds = seconds
        self._stranger = stranger
        self._away: dict[Player, float] = {}
        self._over = False
        self.changes = Changes()

    @property
    def missing(self) -> list[Player]:
        """Who still plays but has no connection."""
        return [player for player in self._players.values() if player.left is None and player.seat is None]

    def wait_for(self, player: Player) -> None:
        """From now on the player is away, and its time runs."""
        player.seat = None
        if self._seconds is not None:
            self._away[player] = trio.current_time() + self._seconds
        self.changes.announce()

    def forget(self, player: Player) -> None:
        """The player is out, and nobody waits for it any more."""
        self._away.pop(player, None)

    def overdue(self, players: Sequence[Player]) -> list[Player]:
        """Who of ``players`` has been away too long; each is returned once."""
        if not self._away:
            return []
        now = trio.current_time()
        late = [player for player, until in self._away.items() if player in players and now >= until]
        for player in late:
            del self._away[player]
        return late

    def next_deadline(self, players: Sequence[Player]) -> float:
        """The trio time at which the first of ``players`` who are away is overdue; infinite if none is."""
        return min((self._away[player] for player in players if player in self._away), default=inf)

    def find(self, name: Name) -> Player:
        """The player of that name, who still plays.

        Raises:
            LoginRefused: the tournament is over, or there is no such player, or it is out.
        """
        if self._over:
            raise LoginRefused("the tournament is over")
        player = self._players.get(name.id)
        if player is None:
            raise LoginRefused(self._stranger())
        if player.left is not None:
            raise LoginRefused(f"the id {name.id!r} has left this tournament: {player.left}")
        return player

    def admit(self, name: Name, proof: bytes | None, seat: Seat) -> Player:
        """Give a player who comes back its place again.

        Raises:
            LoginRefused: see ``find``; or the player is still connected, or the secret is another.
        """
        player = self.find(name)
        if player.proof is not None and not hmac.compare_digest(player.proof, proof or b""):
            raise LoginRefused(f"this is not the secret that {name.id!r} gave first")
        if player.seat is not None:
            if not player.seat.hung_up:
                raise LoginRefused(f"the id {name.id!r} is already seated; is another copy of your program running?")
            player.seat.abort()
        player.seat = seat
        self._away.pop(player, None)
        self.on_back(player)
        self.changes.announce()
        return player

    def close(self) -> None:
        """From now on it is too late to come back."""
        self._over = True
