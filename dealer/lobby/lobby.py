"""The lobby: players who have logged in and wait for the tournament to start.

A lobby goes through up to three states. *Open*: it admits new players. *Expecting* (after ``expect``): it admits only
the players of an interrupted tournament, who wait here until it is resumed. *Closed* (after ``close``): the tournament
plays, nobody waits here, and at most a player who lost its connection comes through, straight to its table.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from types import MappingProxyType

import structlog
import trio

from dealer.lobby.failed_logins import FailedLogins, LoginRefused, RefusalKind
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Changes, Reconnections, already_seated, comes_back_through_page, take_seat
from dealer.net.seat import KEPT_SECONDS, Seat
from protocol.person_events import InLobby, person_text
from protocol.wire.messages import AVATAR_LENGTH, Name

log = structlog.get_logger()

#: Players of a crowd in the lobby whose names people are told: a message has 65,535 bytes at most.
MOST_NAMED = 200

#: Programs without a name that are numbered, at most.
MOST_NUMBERED = 1000


def is_numbered(avatar: str, wanted: str) -> bool:
    """Whether ``distinct_avatar`` may have made an avatar of the one that was wanted."""
    numbered = re.fullmatch(r"(.*) \(\d+\)", avatar)
    return avatar == wanted or (numbered is not None and wanted.startswith(numbered[1]))


def distinct_avatar(wanted: str, taken: Iterable[str]) -> str:
    """The avatar, with a number behind it if another player has it already: "Steph (2)".

    Avatars that differ in capital letters only count as the same. The result is no longer than an avatar may be.
    """
    others = {avatar.casefold() for avatar in taken}
    avatar = wanted
    for number in count(2):
        if avatar.casefold() not in others:
            break
        mark = f" ({number})"
        avatar = wanted[: AVATAR_LENGTH - len(mark)].rstrip() + mark
    return avatar


class Lobby:
    """The players who wait for the start.

    Args:
        capacity: how many can play.
        lives: faults until a player is out.
        roster: the ids that may play, and the name of each; None lets every id play.
        salt: for the secrets that logins must give; None asks for no secrets.
        avatars: of the players of an earlier tournament, by id. They are kept for them.

    Attributes:
        seats: with how many players the tournament starts by itself; None if it does not.
    """

    def __init__(
        self,
        capacity: int,
        lives: int = 1,
        roster: Mapping[str, str] | None = None,
        *,
        salt: str | None = None,
        avatars: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.capacity = capacity
        self.seats: int | None = None
        self.salt = salt
        self.roster = roster
        self._lives = lives
        self._avatars = avatars
        self._players: list[Player] = []
        self._waiting: dict[Seat, trio.CancelScope] = {}
        self._sent_home: dict[Seat, str] = {}
        self._changes = Changes()
        self.failed_logins = FailedLogins()
        self.failed_logins.changed = self._changes.announce
        self._reason: Callable[[], str] | None = None
        self._reconnections: Reconnections | None = None
        self._waits = True

    @property
    def players(self) -> tuple[Player, ...]:
        """The players who wait, in the order of their logins."""
        return tuple(self._players)

    def check_open(self) -> None:
        """Check that one more player can be admitted.

        Raises:
            LoginRefused: the lobby is closed or full.
        """
        if self._reconnections is not None and self._reconnections.expects:
            return  # it may be a player who comes back; only its name will tell
        if self._reason is not None:
            raise LoginRefused(RefusalKind.CLOSED, self._reason())
        if len(self._players) >= self.capacity:
            full = f"all {self.capacity} seats are taken; come back for the next tournament"
            raise LoginRefused(RefusalKind.FULL, full)

    def check_expected(self, name: Name, seat: Seat | None = None) -> None:
        """Check that a player of that name can be admitted. Done before its secret is checked, which takes long.

        Args:
            name: of the player.
            seat: its connection; None if it is known to come through no page.

        Raises:
            LoginRefused: see ``admit``.
        """
        if self._reconnections is not None:
            self._reconnections.find(name, seat)
            return
        here = self._here(name)
        if here is not None and comes_back_through_page(here, seat):
            return
        self.check_open()
        if here is not None:
            raise LoginRefused(RefusalKind.DUPLICATE, already_seated(name))
        if self.roster is not None and name.id not in self.roster:
            unknown = f"the id {name.id!r} is not on the roster; ask the instructor which id is yours"
            raise LoginRefused(RefusalKind.UNKNOWN, unknown)

    def free_name(self, ids: Sequence[str]) -> Name:
        """A name for a program that gives none.

        Args:
            ids: to choose from, the first free one; empty for acpc-1, acpc-2 and so on.

        Raises:
            LoginRefused: there is no free name for it.
        """
        self.check_open()
        refused = LoginRefused(RefusalKind.FULL, "all names of programs that give none are taken")
        for id in ids or (f"acpc-{number}" for number in range(1, MOST_NUMBERED + 1)):
            name = Name(id, id)
            try:
                self.check_expected(name)
            except LoginRefused as error:
                # With names of its host's choice a program is told what is wrong with the last of them. That a name is
                # taken would not help it, because it gave none.
                if ids and error.kind is not RefusalKind.DUPLICATE:
                    refused = error
            else:
                if self._reconnections is None or self._reconnections.misses(name):
                    return name
        raise refused

    def admit(self, name: Name, proof: bytes | None, seat: Seat, program: str) -> Player:
        """Admit a player who has just logged in.

        Args:
            name: from its login.
            proof: of its secret; see ``secret_proof``. None where no secrets are asked for.
            seat: its connection.
            program: what plays, for the standings: a bot's name, a command, or the id if neither is known.

        Raises:
            LoginRefused: the lobby is closed or full, the id is here already or not on the roster.
        """
        self.check_expected(name, seat)
        if self._reconnections is not None:
            return self._welcome_back(self._reconnections.admit(name, proof, seat))
        here = self._here(name)
        if here is not None:
            take_seat(here, name, proof, seat)
            return self._welcome_back(here)
        player = Player(name.id, self._avatar_of(name), program, seat, self._lives, proof=proof, acpc=seat.follows)
        player.watches = seat.watches
        self._players.append(player)
        self._tell_change()
        return player

    def _avatar_of(self, name: Name) -> str:
        """The avatar that a new player gets: its own of an earlier tournament, or one that no other player has."""
        before = self._avatars.get(name.id)
        if before is not None and is_numbered(before, name.avatar):
            return before
        kept = [avatar for id, avatar in self._avatars.items() if id != name.id]
        return distinct_avatar(name.avatar, [*kept, *(player.avatar for player in self._players)])

    def _welcome_back(self, player: Player) -> Player:
        if self._waits and player not in self._players:
            self._players.append(player)
        self._tell_change()
        return player

    def _tell_change(self) -> None:
        """Announce that a player has come or left, and tell the people who wait who is here now."""
        self._changes.announce()
        if not self._waits:
            return
        names = tuple([player.avatar for player in self._players[:MOST_NAMED]])
        for place, player in enumerate(self._players):
            if player.watches and player.seat is not None:
                player.seat.tell_news(person_text(InLobby(names, place, len(self._players), self.seats)))

    def _here(self, name: Name) -> Player | None:
        """The player of that name who waits."""
        return next((player for player in self._players if player.id == name.id), None)

    async def wait_with(self, player: Player) -> None:
        """Watch a player's connection until play begins, or until it leaves and its place is free again.

        The place of a person whose page broke off is kept for a while.
        """
        seat = player.seat
        if seat is None or not self._waits:
            return
        lost = None
        with self._until_closed(seat):
            lost = await seat.wait_gone()
            if lost.may_come_back and seat.keeps_place():
                log.info("kept", player=player.id, seconds=KEPT_SECONDS, reason=lost.fault.reason)
                while player.seat is seat and seat.keeps_place():
                    with trio.move_on_at(seat.kept_until):
                        await self._changes.changed()
        reason = self._sent_home.pop(seat, None)
        if reason is not None:
            await seat.close(f"the host sent you home: {reason}")
            return
        if lost is None or not self._waits:  # play has begun: from now on the table deals with lost seats
            return
        if player.seat is seat:  # otherwise the player is back already, on another connection
            self._forget(player)
            log.info("left", player=player.id, kind=lost.fault.kind.value, reason=lost.fault.reason)
        await seat.close(lost.fault.reason)

    def send_home(self, player: Player, reason: str) -> None:
        """Remove a waiting player, at the host's order. It is told the reason and may log in again."""
        assert player.seat is not None
        self._sent_home[player.seat] = reason
        self._waiting[player.seat].cancel()
        self._forget(player)
        log.info("sent home", player=player.id, reason=reason)

    def _forget(self, player: Player) -> None:
        player.seat = None
        self._players.remove(player)
        self._tell_change()

    async def changed(self) -> None:
        """Wait until a player comes or leaves, or a login fails."""
        await self._changes.changed()

    def expect(self, reconnections: Reconnections) -> None:
        """From now on admit only the players of an interrupted tournament, who wait here until it is resumed."""
        self._reconnections = reconnections

    def close(self, reason: Callable[[], str], reconnections: Reconnections | None = None) -> tuple[Player, ...]:
        """Stop waiting and return the players, whose connections belong to the caller from now on.

        Args:
            reason: called for each latecomer; returns why it is refused.
            reconnections: its players may still come back, straight to their tables; None if nobody may.
        """
        self._reason = reason
        self._reconnections = reconnections
        self._waits = False
        for scope in self._waiting.values():
            scope.cancel()
        return self.players

    @contextmanager
    def _until_closed(self, seat: Seat) -> Iterator[None]:
        """A block that ends early when the lobby closes, or when the host sends the player of that seat home."""
        with trio.CancelScope() as scope:
            self._waiting[seat] = scope
            try:
                yield
            finally:
                del self._waiting[seat]
