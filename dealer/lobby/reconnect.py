"""Players whose connection was lost and who may reconnect, and players who are let in again after they had left."""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from math import inf

import trio

from dealer.lobby.failed_logins import LoginRefused, RefusalKind
from dealer.lobby.player import Player
from dealer.net.seat import Seat
from protocol.wire.messages import Name


def already_seated(name: Name) -> str:
    """Why a second connection with an id is refused."""
    return f"the id {name.id!r} is already seated; is another copy of your program running?"


def secret_proof(secret: str, id: str, salt: str) -> bytes:
    """The hash of a player's secret that the journal keeps: it recognizes the secret and is too slow to guess from.

    Takes about 50 ms of processor time (scrypt), so call it in a thread.
    """
    return hashlib.scrypt(secret.encode(), salt=f"{salt}/{id}".encode(), n=2**14, r=8, p=1)


def comes_back_through_page(player: Player, seat: Seat | None) -> bool:
    """Whether a connection through a page may be of a player who is here through a page, or whose place is kept.

    ``take_seat`` refuses it as long as the other connection is open: perhaps that broke, and nobody has noticed yet.
    """
    here = player.seat
    if seat is None or seat.browser is None or here is None or here.browser is None:
        return False
    return here.keeps_place() or here.broke_at == inf


def take_seat(player: Player, name: Name, proof: bytes | None, seat: Seat) -> None:
    """Let a player go on with a new connection.

    Raises:
        LoginRefused: the player is still connected, or the secret is a different one.
    """
    # Compared in constant time: how long a wrong proof takes must not tell how much of it is right.
    if player.proof is not None and not hmac.compare_digest(player.proof, proof or b""):
        raise LoginRefused(RefusalKind.SECRET, f"this is not the secret that {name.id!r} gave first")
    if player.seat is not None:
        # A program that crashed and was started again may be back before the dealer has noticed the end of the first
        # connection. Only while that one is really open is a second login refused.
        if not player.seat.hung_up:
            raise LoginRefused(RefusalKind.DUPLICATE, already_seated(name))
        player.seat.abort()
        if player.seat.hastened:
            seat.hasten(player.seat.limit)
    player.seat, player.watches = seat, seat.watches


class Changes:
    """An event that wakes all waiting tables, which then check their own condition.

    Between two hands a table may wait for a player to come back, for another table, or for the host. A new
    ``trio.Event`` takes the place of the old one at each change, because a trio event cannot be reset.
    """

    def __init__(self) -> None:
        self._changed = trio.Event()

    async def changed(self) -> None:
        """Wait until the next change. Check the condition before waiting: earlier changes are not remembered."""
        await self._changed.wait()

    def announce(self) -> None:
        """Wake all tasks that wait."""
        self._changed.set()
        self._changed = trio.Event()


class Reconnections:
    """Finds the player that a login belongs to, and keeps a deadline for each player who is away.

    Args:
        players: of the tournament.
        seconds: how long each may stay away; None for any time.
        stranger: returns the reason that a login hears which belongs to no player: how far the tournament is.
        rejoin: whether players who are still in may come back; else only those who are let in again.

    Attributes:
        on_back: called with a player who has just reconnected.
        clock: returns seconds; one that leaves out the time in which the dealer stood still gives it back to players.
        changes: announced when a player goes away or comes back.
    """

    def __init__(
        self, players: Sequence[Player], seconds: float | None, stranger: Callable[[], str], *, rejoin: bool = True
    ) -> None:
        self.on_back: Callable[[Player], None] = lambda _: None
        self.clock: Callable[[], float] = trio.current_time
        self._players = {player.id: player for player in players}
        self._seconds = seconds
        self._stranger = stranger
        self._rejoin = rejoin
        self._let_in: dict[Player, None] = {}
        self._away: dict[Player, float] = {}
        self._over = False
        self.changes = Changes()

    def wait_for(self, player: Player) -> None:
        """From now on the time of a player to come back runs, whose connection was given up."""
        if self._seconds is not None:
            self._away[player] = self.clock() + self._seconds
        self.changes.announce()

    def forget(self, player: Player) -> None:
        """Stop waiting for a player, who is out."""
        self._away.pop(player, None)

    # Players who are let in again

    @property
    def expects(self) -> bool:
        """Whether any player may log in."""
        return self._rejoin or bool(self._let_in)

    def let_in(self, player: Player) -> None:
        """Let a player who has left log in again. It is not in the tournament before it sits down."""
        self._let_in[player] = None

    def is_let_in(self, player: Player) -> bool:
        """Whether a player who has left may log in, or has done so and waits for its seat."""
        return player in self._let_in

    def waiting(self) -> list[Player]:
        """Players who are let in, have logged in, and have no seat at a table yet."""
        if not self._let_in:  # nearly always: this is asked before every hand
            return []
        for player in self._let_in:
            if player.seat is not None and player.seat.hung_up:
                player.seat.abort()
                player.seat = None
        return [player for player in self._let_in if player.seat is not None]

    def sat_down(self, player: Player) -> None:
        """Note that a player who was let in is in the tournament again."""
        del self._let_in[player]

    # Logins

    def overdue(self, players: Sequence[Player]) -> list[Player]:
        """Those of ``players`` who have been away too long. Each player is returned only once."""
        if not self._away:  # nearly always: this is asked before every hand
            return []
        now = self.clock()
        late = [player for player, until in self._away.items() if player in players and now >= until]
        for player in late:
            del self._away[player]
        return late

    def next_deadline(self, players: Sequence[Player]) -> float:
        """The trio time at which the first of ``players`` is overdue; infinite if none is away."""
        first = min((self._away[player] for player in players if player in self._away), default=inf)
        return first - self.clock() + trio.current_time() if self._away else inf

    def find(self, name: Name, seat: Seat | None = None) -> Player:
        """The player of that name who is still in the tournament.

        Args:
            name: of the player.
            seat: its new connection; None if it is known to come through no page.

        Raises:
            LoginRefused: the tournament is over, or there is no such player, or the player is out.
        """
        if self._over:
            raise LoginRefused(RefusalKind.CLOSED, "the tournament is over")
        player = self._players.get(name.id)
        if player in self._let_in:
            return player
        if player is not None and player.left is None and comes_back_through_page(player, seat):
            return player
        if player is None or not self._rejoin:
            raise LoginRefused(RefusalKind.CLOSED, self._stranger())
        if player.left is not None:
            raise LoginRefused(RefusalKind.OUT, f"the id {name.id!r} has left this tournament: {player.left}")
        return player

    def misses(self, name: Name) -> bool:
        """Whether the player of that name, who is in the tournament, is not connected."""
        seat = self.find(name).seat
        return seat is None or seat.hung_up

    def admit(self, name: Name, proof: bytes | None, seat: Seat) -> Player:
        """Give a player who reconnects its place at the table again.

        Raises:
            LoginRefused: see ``find``; or the player is still connected, or the secret is a different one.
        """
        player = self.find(name, seat)
        take_seat(player, name, proof, seat)
        self._away.pop(player, None)
        if player not in self._let_in:
            self.on_back(player)
        self.changes.announce()
        return player

    def close(self) -> None:
        """Refuse all logins from now on, because the tournament is over."""
        self._over = True
