"""The people who play in a browser: their sessions, and the nursery in which these play."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf

import trio

from bots.human.play_statistics import rows_in
from bots.human.web.assistance import Workshop
from bots.human.web.orders import SitDown
from bots.human.web.room import Room, RoomError
from bots.human.web.session import Session
from protocol.wire.messages import Name

#: Seconds without a browser after which a game at a table in this process ends. A dealer's clock ends the others.
ABSENT_SECONDS = 900.0

#: Seconds for which a session that has ended is kept for a browser that comes back.
KEPT_SECONDS = 120.0

#: Seconds between two looks for sessions that nobody comes back to.
LOOK_SECONDS = 10.0

#: Seconds that browsers have to read the last state when the page closes.
GOODBYE_SECONDS = 0.4

#: Processes that compute chances and advice at the same time.
PROCESSES = 1

#: Processes that review decisions at the same time, beside those. A long session takes many seconds.
REVIEWS = 1


class Guests:
    """Keeps a session for each person.

    Args:
        most: how many may play at once.

    Attributes:
        closing: set when the page closes.
    """

    def __init__(self, room: Room, most: int, nursery: trio.Nursery) -> None:
        self.room = room
        self._most = most
        self._nursery = nursery
        processes, reviews = trio.CapacityLimiter(PROCESSES), trio.CapacityLimiter(REVIEWS)
        self._workshop = Workshop(nursery, processes, reviews, secrets.token_hex(8))
        self._sessions: dict[str, Session] = {}
        self._sitting = 0
        self._browsers = 0
        self._deserted = trio.Event()
        self.closing = trio.Event()

    def find(self, token: str) -> Session | None:
        """The session of this token; None if there is none any more."""
        return self._sessions.get(token)

    async def sit_down(self, order: SitDown, peer: tuple[str, int]) -> Session:
        """Begin a session, or go on with the one that this person's browser has left behind.

        A tab that is closed as soon as it sat down may not have told another one the token of its session.

        Raises:
            RoomError: there is no such table, or too many people play already.
        """
        name = self.room.name(order.wishes)
        if (left_behind := self._left_behind_by(name, peer[0])) is not None:
            return left_behind
        if len(self._sessions) + self._sitting >= self._most:
            self._forget_ended()
        if len(self._sessions) + self._sitting >= self._most:
            raise RoomError(f"{self._most} people play here already, as many as there may be; try again later")
        self._sitting += 1
        try:
            table = await self.room.table(order.wishes, name, peer)
        finally:
            self._sitting -= 1
        session = Session(secrets.token_urlsafe(16), table, self._workshop, peer[0])
        self._sessions[session.token] = session
        self._nursery.start_soon(self._play, session)
        return session

    def _left_behind_by(self, name: Name | None, host: str) -> Session | None:
        """The session of a player with that id and secret which no browser shows.

        An id is often no secret. So without a secret it must have begun at the same address.
        """
        for session in self._sessions.values():
            its, absent = session.table.name, session.viewer.absent_since is not None
            goes_on = absent and session.ended is None and not session.left
            if name and its and goes_on and (its.id, its.secret) == (name.id, name.secret):
                return session if name.secret is not None or session.host == host else None
        return None

    async def _play(self, session: Session) -> None:
        """Play one game, and then read what the person has won so far."""
        await session.run()
        if (counting := session.table.counting) is not None:
            session.show_statistics(await trio.to_thread.run_sync(rows_in, counting.path, counting.game))

    def play_again(self, session: Session) -> None:
        """Begin another game between the same players, if the last one is over and that is possible."""
        if session.ended is not None and session.ended.again:
            self._nursery.start_soon(self._play, session)

    def remove(self, session: Session) -> None:
        """Let a person leave, and forget the seat."""
        session.leave()
        session.assistance.stop_review()
        self._sessions.pop(session.token, None)

    def end_all(self) -> None:
        """End all games. At a dealer's table people keep their seats for a while, and may come back by another page."""
        for session in [*self._sessions.values()]:
            session.close()

    def _forget_ended(self) -> None:
        """Forget sessions that have ended, and that no browser looks at."""
        for session in [*self._sessions.values()]:
            if session.ended is not None and session.viewer.absent_since is not None:
                self.remove(session)

    async def forget_absent(self) -> None:
        """Forget sessions to which no browser comes back, until cancelled."""
        while True:
            await trio.sleep(LOOK_SECONDS)
            now = trio.current_time()
            for session in [*self._sessions.values()]:
                if session.viewer.absent_since is None:
                    continue
                kept = KEPT_SECONDS if session.ended else inf if session.table.elsewhere else ABSENT_SECONDS
                if now - session.viewer.absent_since > kept:
                    self.remove(session)

    def arrive(self) -> None:
        """Count a browser that has connected."""
        self._browsers += 1
        self._deserted = trio.Event()

    def depart(self) -> None:
        """Count a browser as gone."""
        self._browsers -= 1
        if not self._browsers:
            self._deserted.set()

    async def close(self) -> None:
        """Tell all browsers that the page closes, and give them a moment to read that and what came before."""
        self.closing.set()
        with trio.move_on_after(GOODBYE_SECONDS, shield=True):
            if self._browsers:
                await self._deserted.wait()


@asynccontextmanager
async def open_guests(room: Room, most: int) -> AsyncIterator[Guests]:
    """Keep sessions while the block runs; at its end all games end."""
    async with trio.open_nursery() as nursery:
        guests = Guests(room, most, nursery)
        nursery.start_soon(guests.forget_absent)
        try:
            yield guests
        finally:
            guests.end_all()
            nursery.cancel_scope.cancel()
