"""Listeners: ports on which players connect, log in and enter the lobby."""

import hmac
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
import trio

from dealer.errors import PortError
from dealer.faults import FaultKind, SeatLost
from dealer.lobby.failed_logins import PASSING, LoginRefused, RefusalKind, failed_login
from dealer.lobby.lobby import Lobby
from dealer.lobby.reconnect import secret_proof
from dealer.net.acceptor import accept_in_bursts, drop, port_trouble
from dealer.net.admission import UNDECLARED, Admission, Entry
from dealer.net.limits import REPLY_BYTES, USUAL
from dealer.net.ports import FRAMES, PortKind
from dealer.net.seat import Connect, Seat
from dealer.net.throttled_log import THROTTLE_SECONDS
from dealer.net.watchdog import Watchdog
from dealer.settings import AcpcTerms
from protocol.wire.framing import Framing
from protocol.wire.messages import TRY_AGAIN, BrowserOf, Login, Name, SecretLogin, Watch
from protocol.wire.wrong_port import Speech, recognise

log = structlog.get_logger()

#: Connections accepted without a pause. That makes 2000 a second, accepted or refused: more than a class needs, and few
#: enough that the tables hardly notice a flood.
BURST = 50


@dataclass(frozen=True, slots=True)
class PlayerListener:
    """An open port for players. ``accept_players`` closes its sockets.

    Attributes:
        sockets: bound and listening, one for each address family.
        port: the number they are bound to.
        limit: seconds within which each reply of a player on this port is due.
        kind: who connects, and how they speak.
        connect: makes the dealer's end of the protocol of this port.
        framing: how messages are cut out of the stream on this port.
        program: the program that connects here, if only one does; None if any may.
        acpc: how programs of the ACPC take part, if this port is for them.
        token: by which a page is known that may speak for browsers; None where no page may.
        elsewhere: tells where a program belongs that speaks so and is wrong here; see ``directions``.
    """

    sockets: list[trio.SocketListener]
    port: int
    limit: float
    kind: PortKind
    connect: Connect
    framing: Framing
    program: str | None = None
    acpc: AcpcTerms | None = None
    token: str | None = field(default=None, repr=False)
    elsewhere: Callable[[Speech | None], str] = lambda _: ""

    @property
    def expects(self) -> str:
        """What programs speak on this port, in words."""
        return self.kind.expects or self.kind.takes[0]


async def open_listener(
    host: str,
    port: int,
    limit: float,
    kind: PortKind = FRAMES,
    *,
    acpc: AcpcTerms | None = None,
    program: str | None = None,
    flag: str | None = None,
) -> PlayerListener:
    """Listen for players on a port of this machine.

    Args:
        host: a local address.
        port: 0 takes any free one.
        limit: seconds within which each reply is due.
        kind: who connects, and how they speak.
        acpc: how programs of the ACPC take part, if the port is for them.
        program: the program that will connect, if it is known.
        flag: of the command line, that chooses the port.

    Raises:
        PortError: the port is taken, forbidden, or not of this machine.
    """
    try:
        sockets = await trio.open_tcp_listeners(port, host=host)
    except OSError as error:
        raise PortError(f"cannot listen on port {port} of {host}: {port_trouble(error, port, flag)}") from None
    except UnicodeError:  # a host name that IDNA cannot encode, which is no OSError
        raise PortError(f"cannot listen on port {port} of {host}: this is no address") from None
    number, framing = sockets[0].socket.getsockname()[1], kind.framing(REPLY_BYTES)
    return PlayerListener(sockets, number, limit, kind, kind.connect(acpc), framing, program, acpc)


async def accept_players(
    listener: PlayerListener, lobby: Lobby, watchdog: Watchdog, admission: Admission | None = None
) -> None:
    """Accept connections, log their programs in and bring them to the lobby, until cancelled.

    Args:
        listener: where programs connect; its sockets are closed at the end.
        lobby: takes the players who have logged in.
        watchdog: owns the sockets of the players.
        admission: counts connections; None counts those of this listener alone, with the usual limits.
    """
    admission = admission or Admission(USUAL)
    try:
        async with trio.open_nursery() as nursery:
            reception = _Reception(listener, lobby, watchdog, admission, nursery)
            nursery.start_soon(_tell_what_was_counted, admission, lobby)
            for sock in listener.sockets:
                nursery.start_soon(accept_in_bursts, sock, BURST, reception.take, admission)
    finally:
        admission.log.flush()
        lobby.failed_logins.flush()


async def _tell_what_was_counted(admission: Admission, lobby: Lobby) -> None:
    """Log each second what was only counted in the last one: the next failed login may be an hour away."""
    while True:
        await trio.sleep(THROTTLE_SECONDS)
        admission.log.flush_when_due()
        lobby.failed_logins.flush_when_due()


@dataclass(slots=True)
class _Arrival:
    """A connection that is not logged in yet. A page may state another address for it than it came from.

    Attributes:
        host: the address.
        port: that belongs to it.
        entry: of the connection, as it is counted.
    """

    seat: Seat
    host: str
    port: int
    entry: Entry

    @property
    def peer(self) -> str:
        """The address with its port."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class _Reception:
    """What happens to connections on one port. Each is a task that ends when its socket is closed."""

    listener: PlayerListener
    lobby: Lobby
    watchdog: Watchdog
    admission: Admission
    nursery: trio.Nursery

    def take(self, stream: trio.SocketStream) -> None:
        """Count a connection, and start its task or drop it."""
        # The seat works on a plain socket (see net/seat.py), so trio's stream gives up its own.
        sock = socket.socket(fileno=stream.socket.detach())
        try:
            # Messages are small and each waits for its answer; Nagle's algorithm would hold them back for up to 40 ms.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            host, port, *_ = sock.getpeername()
            from_here = host == sock.getsockname()[0]
        except OSError:  # the peer has gone already
            sock.close()
            return
        entry = self.admission.enter(UNDECLARED if from_here and self.listener.token is not None else host)
        if entry is None:
            drop(sock)
        else:
            self.nursery.start_soon(self._welcome, sock, host, port, entry)

    async def _welcome(self, sock: socket.socket, host: str, port: int, entry: Entry) -> None:
        """Log a program in, or tell it why it is refused; returns when its socket is closed."""
        limits = self.admission.limits
        limit = limits.login_limit or self.listener.limit
        seat = self.watchdog.seat(sock, self.listener.framing, limit, limits, self.listener.connect)
        arrival = _Arrival(seat, host, port, entry)
        try:
            await self._log_in(arrival)
        finally:
            self.admission.leave(arrival.entry)

    async def _log_in(self, arrival: _Arrival) -> None:
        """Ask for the name, and admit the player to the lobby or say why not."""
        seat, heard = arrival.seat, b""
        try:
            _check_admitted(arrival)
            if self.listener.kind.greets:  # else it is in no state to hear why it is refused
                await seat.hear_greeting()
            if self.listener.token is None:  # else a page has yet to state for whom it comes: perhaps somebody is back
                self.lobby.check_open()  # before the question, so that a full lobby costs a stranger nothing
            name = await self._name_of(arrival)
            heard = seat.heard
            seat.begin_play(self.listener.limit)
            # The proof of a secret takes 50 ms of a core, so hopeless logins are refused first.
            self.lobby.check_expected(name, seat)
            player = self.lobby.admit(name, await self._proof(name), seat, self.listener.program or name.id)
        except LoginRefused as refused:
            # Admission has logged a crowd.
            self._note(arrival.peer, refused.kind, str(refused), heard, logged=refused.kind is not RefusalKind.CROWD)
            passes = self.listener.token is not None and refused.kind in PASSING
            await seat.close(f"{TRY_AGAIN if passes else ''}{refused}")
        except SeatLost as lost:
            await self._fail(seat, arrival.peer, lost)
        else:
            log.info("login", peer=arrival.peer, player=name.id, avatar=name.avatar)
            await self.lobby.wait_with(player)
            await seat.wait_closed()

    async def _name_of(self, arrival: _Arrival) -> Name:
        """The name that a program gives, or is given if it has none.

        Raises:
            LoginRefused: it has none, and no name is free; what it states about a browser is refused; or it is one
                program too many of this machine.
            SeatLost: it did not speak as it should.
        """
        seat = arrival.seat
        if self.listener.acpc is not None:
            return self.lobby.free_name(self.listener.acpc.names)
        while True:
            reply = await seat.ask(Login() if self.lobby.salt is None else SecretLogin())
            if isinstance(reply, Watch):
                continue
            if isinstance(reply, Name):
                if arrival.entry.address == UNDECLARED:
                    self._count_for_host(arrival)
                return reply
            self._speak_for(reply, arrival)

    def _speak_for(self, browser: BrowserOf, arrival: _Arrival) -> None:
        """Count a connection for the browser whose address its page states.

        Raises:
            LoginRefused: it is no page of the host, or the browser's address has too many connections.
        """
        # In constant time: how long a wrong token takes must not tell how much of it is right.
        if self.listener.token is None or not hmac.compare_digest(browser.token, self.listener.token):
            reason = "this is not the host's token, and only a page that has it may state a browser's address"
            raise LoginRefused(RefusalKind.TOKEN, reason)
        arrival.host, arrival.port = browser.host, browser.port
        arrival.seat.speak_for(arrival.peer)
        self._count_for_host(arrival)

    def _count_for_host(self, arrival: _Arrival) -> None:
        """Count a connection for the address that it is for, which is known now.

        Raises:
            LoginRefused: that address has too many connections.
        """
        arrival.entry = self.admission.move(arrival.entry, arrival.host)
        _check_admitted(arrival)

    async def _fail(self, seat: Seat, peer: str, lost: SeatLost) -> None:
        """Tell a program that gave no login why it gets no seat, in the framing that it seems to read."""
        kind, reason, listener = lost.fault.kind.value, lost.fault.reason, self.listener
        spoken = None if seat.greeted else recognise(seat.heard)
        foreign = None if spoken in listener.kind.takes else spoken
        belongs = listener.elsewhere(foreign)
        if foreign is not None:
            kind = RefusalKind.WRONG_PORT
            reason = f"this port expects {listener.expects}, and {foreign} came{belongs}"
        elif not seat.heard and not seat.greeted and lost.fault.kind is FaultKind.LATE:
            # A program that reads the other framing waits for a message that never ends, and so says nothing.
            reason += f"; this port expects {listener.expects}{belongs}"
        self._note(peer, kind, reason, seat.heard)
        in_both_framings = foreign is not None or not (seat.heard or seat.greeted)
        await seat.close(reason, in_both_framings=in_both_framings, as_comment=foreign is Speech.ACPC)

    def _note(self, peer: str, kind: str, reason: str, sent: bytes, *, logged: bool = True) -> None:
        """Tell the host of a login that failed."""
        listener, secrets = self.listener, self.lobby.salt is not None
        failed = failed_login(peer, listener.port, kind, reason, sent, program=listener.program, secrets=secrets)
        self.lobby.failed_logins.note(failed, logged=logged)

    async def _proof(self, name: Name) -> bytes | None:
        """The proof of the secret in a login; None where there is none. Computed in a thread, one at a time."""
        if name.secret is None or self.lobby.salt is None:
            return None
        return await trio.to_thread.run_sync(
            secret_proof, name.secret, name.id, self.lobby.salt, limiter=self.admission.secret_checks
        )


def _check_admitted(arrival: _Arrival) -> None:
    """Check that a connection is within the limits.

    Raises:
        LoginRefused: it is one too many.
    """
    if arrival.entry.refusal is not None:
        raise LoginRefused(RefusalKind.CROWD, arrival.entry.refusal)
