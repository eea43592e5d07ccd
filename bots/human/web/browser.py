"""One connection of a browser: reads its orders, and sends it the newest state, never an older one after a newer one.

A browser that does not read holds up nothing but the task that sends to it. No states wait for it: the next one is made
when the last one is sent.
"""

from collections import deque
from typing import Any

import msgspec
import trio
from starlette.websockets import WebSocket, WebSocketDisconnect

from bots.human.play_statistics import Rows
from bots.human.web.guests import Guests
from bots.human.web.orders import (
    Act,
    BrowserError,
    BrowserOrder,
    Hello,
    NextHand,
    SitDown,
    Wish,
    read_order,
)
from bots.human.web.room import RoomError
from bots.human.web.session import Known, Session

#: Seconds after which a browser hears something even if nothing has changed, so that each end notices a lost link.
HEARTBEAT_SECONDS = 10.0

#: Seconds that a browser has for its first message.
HELLO_SECONDS = 10.0

#: Messages that cannot be read, after which a connection is closed.
MISTAKES = 10

#: Messages that a browser may send within ``RATE_SECONDS``. A person does not come near that.
RATE, RATE_SECONDS = 60, 5.0

#: Why a connection is closed (RFC 6455, section 7.4.1).
GOING_AWAY, POLICY = 1001, 1008

#: The same session has been taken over by another connection (of the codes for applications).
TAKEN_OVER = 4000


class Browser:
    """A browser that is connected."""

    def __init__(self, socket: WebSocket, guests: Guests) -> None:
        self._socket = socket
        self._guests = guests
        self._session: Session | None = None
        self._known = Known()
        self._wanted = trio.Event()
        self._first_screen = False
        self._statistics: Rows | None = None
        self._trouble = ""
        self._bye: int | None = None
        self._came: deque[float] = deque(maxlen=RATE)
        self._mistakes = 0

    async def run(self) -> None:
        """Serve the browser until it goes or is closed."""
        self._guests.arrive()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read_all, nursery.cancel_scope)
                nursery.start_soon(self._close_with_page)
                await self._write()
                nursery.cancel_scope.cancel()
        finally:
            self._guests.depart()
            self._let_go()

    def wake(self) -> None:
        """Send what is new."""
        self._wanted.set()

    async def _close_with_page(self) -> None:
        await self._guests.closing.wait()
        self._close(GOING_AWAY)

    def _close(self, code: int) -> None:
        self._bye = self._bye or code
        self.wake()

    async def _write(self) -> None:
        """Send what is due, and a sign of life when nothing is, until the connection is to be closed."""
        while True:
            self._wanted = trio.Event()
            bye = self._bye  # before what is said last
            for message in self._due():
                await self._send(message)
            if bye is not None:
                await self._socket.close(bye)
                return
            with trio.move_on_after(HEARTBEAT_SECONDS) as heartbeat:
                await self._wanted.wait()
            if heartbeat.cancelled_caught:
                await self._send({"type": "alive"})

    async def _send(self, message: dict[str, Any]) -> None:
        await self._socket.send_text(msgspec.json.encode(message).decode())

    def _due(self) -> list[dict[str, Any]]:
        due: list[dict[str, Any]] = []
        if self._trouble:
            due.append({"type": "trouble", "text": self._trouble})
            self._trouble = ""
        if self._session is not None:
            due.append(self._session.state(self._known))
            self._known = self._session.known()
        elif self._first_screen:
            due.append({"type": "first", **self._guests.room.facts, "statistics": self._statistics})
        return due

    async def _read_all(self, scope: trio.CancelScope) -> None:
        try:
            with trio.move_on_after(HELLO_SECONDS) as patience:
                while not self._first_screen and self._session is None:
                    await self._read()
            if patience.cancelled_caught:
                self._close(POLICY)
            while True:
                await self._read()
        except WebSocketDisconnect:
            scope.cancel()

    async def _read(self) -> None:
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", GOING_AWAY))
        if self._bye is not None:
            return  # it is being closed
        now = trio.current_time()
        if len(self._came) == RATE and now - self._came[0] < RATE_SECONDS:
            self._say(f"more than {RATE} messages within {RATE_SECONDS:g} s")
            self._close(POLICY)
            return
        self._came.append(now)
        try:
            await self._obey(read_order(message.get("text")))
        except BrowserError as error:
            self._say(str(error))
            self._mistakes += 1
            if self._mistakes >= MISTAKES:
                self._close(POLICY)
        except RoomError as error:
            self._say(str(error))

    def _say(self, trouble: str) -> None:
        self._trouble = trouble
        self.wake()

    async def _obey(self, order: BrowserOrder) -> None:
        match order:
            case Hello(token):
                await self._greet(token)
            case SitDown():
                await self._sit_down(order)
            case Act() if self._session:
                if trouble := self._session.act(order):
                    raise BrowserError(trouble)
            case NextHand(number) if self._session:
                self._session.next_hand(number)
            case Wish(name) if self._session:
                await self._do(name, self._session)
            case _:
                raise BrowserError("there is no seat on this connection yet; the first message is a hello, then sit")

    async def _greet(self, token: str) -> None:
        """Go on at an old seat, or show the first screen, or sit down at once where nothing is to be chosen."""
        session = self._guests.find(token)
        if session is not None:
            self._take(session)
        elif (usual := self._guests.room.usual) is not None and self._session is None:
            await self._sit_down(SitDown(usual))
        else:
            await self._show_first_screen()

    async def _sit_down(self, order: SitDown) -> None:
        if self._session is not None:
            raise BrowserError("this browser has a seat already; leave it first")
        self._take(await self._guests.sit_down(order, self._peer))

    @property
    def _peer(self) -> tuple[str, int]:
        host, port, *_ = self._socket.client or ("127.0.0.1", 0)
        return str(host), int(port)

    def _take(self, session: Session) -> None:
        """Take the seat of a session; another browser that has it gives it up."""
        self._let_go()
        self._session, self._known = session, Known()
        session.viewer.attach(self.wake, lambda: self._close(TAKEN_OVER))
        self.wake()

    def _let_go(self) -> None:
        if self._session is not None:
            self._session.viewer.detach(self.wake)
            self._session = None

    async def _show_first_screen(self) -> None:
        self._let_go()
        self._statistics = await self._guests.room.statistics(self._peer[0])
        self._first_screen = True
        self.wake()

    async def _do(self, name: str, session: Session) -> None:
        match name:
            case "hurry":
                session.hurry()
            case "odds":
                session.assistance.count()
            case "coach":
                session.assistance.advise()
            case "calls":
                session.call_to_the_end()
            case "review":
                session.assistance.review(session.record.decisions)
            case "leave":
                session.leave()
            case "again":
                self._guests.play_again(session)
            case "lobby":
                await self._show_first_screen()
                self._guests.remove(session)
