"""Before the first hand: who may play, who is here, and who has left again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import structlog
import trio

from dealer.lobby.player import Player
from dealer.lobby.reconnect import LoginRefused, Reunion
from dealer.net.seat import Seat
from protocol.wire.messages import Name

log = structlog.get_logger()


class Lobby:
    """The players who wait for the start.

    Args:
        capacity: how many can play.
        lives: faults each player has.
        roster: the ids that may play and the names that go with them; None lets every id play.
        salt: of the secrets that a login must give; None asks for none.
    """

    def __init__(
        self, capacity: int, lives: int = 1, roster: Mapping[str, str] | None = None, *, salt: str | None = None
    ) -> None:
        self.capacity = capacity
        self.salt = salt
        self.roster = roster
        self._lives = lives
        self._players: list[Player] = []
        self._waiting: dict[Seat, trio.CancelScope] = {}
        self._sent_home: dict[Seat, str] = {}
        self._changed = trio.Event()
        self._reason: Callable[[], str] | None = None
        self._reunion: Reunion | None = None
        self._waits = True

    @property
    def players(self) -> tuple[Player, ...]:
        """Everybody here, in the order of arrival."""
        return tuple(self._players)

    def check_open(self) -> None:
        """Whether one more player can be taken.

        Raises:
            LoginRefused: the lobby is closed or full.
        """
        if self._reunion is not None:
            return  # who comes may be somebody who is expected back
        if self._reason is not None:
            raise LoginRefused(self._reason())
        if len(self._players) >= self.capacity:
            raise LoginRefused(f"all {self.capacity} seats are taken; come back for the next tournament")

    def check_expected(self, name: Name) -> None:
        """Whether somebody of that name can be admitted at all, before its secret is looked at, which takes long.

        Raises:
            LoginRefused: see ``admit``.
        """
        self.check_open()
        if self._reunion is not None:
            self._reunion.find(name)
            return
        if any(player.id == name.id for player in self._players):
            raise LoginRefused(f"the id {name.id!r} is already seated; is another copy of your program running?")
        if self.roster is not None and name.id not in self.roster:
            raise LoginRefused(f"the id {name.id!r} is not on the roster; ask the instructor which id is yours")

    def admit(self, name: Name, proof: bytes | None, seat: Seat, program: str) -> Player:
        """Take a player who has just said its name, and given a secret that ``proof`` will tell again.

        Raises:
            LoginRefused: the lobby is closed or full, the id is here already or not on the roster.
        """
        self.check_expected(name)
        if self._reunion is not None:
            return self._welcome_back(self._reunion.admit(name, proof, seat))
        player = Player(name.id, name.avatar, program, seat, self._lives, proof=proof)
        self._players.append(player)
        self._announce()
        return player

    def _welcome_back(self, player: Player) -> Player:
        if self._waits and player not in self._players:
            self._players.append(player)
            self._announce()
        return player

    async def wait_with(self, player: Player) -> None:
        """Stay with a player until play begins, or until it leaves and its place is free again."""
        seat = player.seat
        if seat is None or not self._waits:
            return
        lost = None
        with self._until_closed(seat):
            lost = await seat.wait_gone()
        reason = self._sent_home.pop(seat, None)
        if reason is not None:
            await seat.close(f"the host sent you home: {reason}")
            return
        if lost is None or not self._waits:  # once play has begun, that is the table's to find out
            return
        if player.seat is seat:  # and not on another connection meanwhile
            self._forget(player)
            log.info("left", player=player.id, kind=lost.fault.kind.value, reason=lost.fault.reason)
        await seat.close(lost.fault.reason)

    def send_home(self, player: Player, reason: str) -> None:
        """The host does not want a player who waits here; it hears the reason, and its place is free again."""
        assert player.seat is not None
        self._sent_home[player.seat] = reason
        self._waiting[player.seat].cancel()
        self._forget(player)
        log.info("sent home", player=player.id, reason=reason)

    def _forget(self, player: Player) -> None:
        player.seat = None
        self._players.remove(player)
        self._announce()

    async def changed(self) -> None:
        """Wait until somebody comes or leaves."""
        await self._changed.wait()

    def expect(self, reunion: Reunion) -> None:
        """Take nobody but the players of a tournament that will be played on: they wait here for that."""
        self._reunion = reunion

    def close(self, reason: Callable[[], str], reunion: Reunion | None = None) -> tuple[Player, ...]:
        """Take nobody any more; ``reason()`` tells latecomers why. The players here are the caller's from now on.

        With a ``reunion``, its players may still come back, straight to their tables.
        """
        self._reason = reason
        self._reunion = reunion
        self._waits = False
        for scope in self._waiting.values():
            scope.cancel()
        return self.players

    def _announce(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    @contextmanager
    def _until_closed(self, seat: Seat) -> Iterator[None]:
        with trio.CancelScope() as scope:
            self._waiting[seat] = scope
            try:
                yield
            finally:
                del self._waiting[seat]
