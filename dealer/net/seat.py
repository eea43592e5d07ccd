"""A seat: one bot's socket. ``ask`` the bot a question, ``tell`` it something, or learn that the seat is lost.

Theory of operation. A seat has at most one question under way, because messages carry no id: the next message
is the reply. Everything below follows from that.

- A reply that came *before* its question would pass for the answer, so ``ask`` first reads all waiting input. A
  complete message among it is an unasked reply, and a fault.
- A late reply would answer the *next* question. So a question that timed out is never simply asked again: the protocol
  object is told to ``give_up``, and swallows the one overdue reply when it comes.
- A program that does not read must not stop the table. Sending never takes longer than the limit of a reply; what the
  socket does not take at once waits in ``_outgoing``, and the watchdog tries again.

Deadlines. ``ask`` only writes a number, ``deadline``. The ``Watchdog`` compares it every 50 ms and wakes an overdue
seat with ``notify_closing``, which lets ``wait_readable`` raise ``ClosedResourceError`` although the socket stays open.
A reply that comes between the deadline and that sweep is late by its own time, which ``ask`` checks at its end.

Stalls. Nobody is late because the dealer itself stood still (see ``net/stalls.py``). ``give_back`` moves a pending
question to later by the time of the stall, so a reply that lies in the socket after it was in time. A seat looks for a
stall before it calls a reply late, and a sweep looks at the socket before it wakes a seat.

Speed. This is the dealer's hot path, so it goes around trio's streams: a raw non-blocking socket and
``trio.lowlevel.wait_readable``, with no cancel scope, nursery or channel for each question. That takes a third of the
time of ``SocketStream`` with ``move_on_after``. A program on the same core is woken by its question, and has mostly
answered by the time ``send`` returns. Then ``ask`` need not wait at all, which is most of the time that is left.
"""

import select
import socket
import sys

if sys.platform == "linux":
    import fcntl
    import termios

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import NamedTuple, overload

import trio

from dealer.faults import FaultKind, SeatLost
from dealer.net.limits import USUAL, Limits
from dealer.net.stalls import STALL_SECONDS, SWEEP_SECONDS, Stall
from protocol.games.base import Action, Status, Turn
from protocol.person_events import AnswerDue, person_text
from protocol.wire.acpc import ForbiddenAnswer
from protocol.wire.codec import encode
from protocol.wire.connection import DealerConnection, Flood, HungUp, UnaskedReply, WrongFraming
from protocol.wire.framing import FrameTooLong, Framing
from protocol.wire.messages import (
    BrowserOf,
    Correction,
    Done,
    GameInfo,
    Login,
    Name,
    ProtocolError,
    QuitGame,
    Reply,
    SecretLogin,
    Shown,
    ShownTurn,
    TableNews,
    Watch,
)

#: Seconds for which a person keeps the seat whose page died, or whose page's connection broke.
KEPT_SECONDS = 60.0

#: When a machine that has been silent is asked whether it is there, how often, and after how many questions it is not:
#: seconds, seconds, questions.
_KEEPALIVE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}

#: Bytes read at once; far more than a reply has.
READ_BYTES = 4096

#: Bytes of a reply that are kept, to tell the host what came if it is a fault.
HEARD_BYTES = 64

#: Bytes of news for a person's program, or of answers to pings, that wait for a program which does not read, at most.
MOST_NEWS_BYTES = 200_000

#: Seconds a peer may take to read its ``done:`` and close its own end.
CLOSING_SECONDS = 1.0

#: Reads whose bytes are dropped from a peer that talks on after its ``done:``; more would keep the dealer busy.
CLOSING_READS = 16

#: What a bot must answer.
Question = Login | SecretLogin | Turn | ShownTurn

#: Makes the dealer's end of a protocol: of the framing, and of the bytes and messages that may come within a second.
Connect = Callable[[Framing, int, int], DealerConnection]

#: What may go wrong while a bot is asked; ``_lost`` says what each means.
_FAILURES = (ProtocolError, trio.ClosedResourceError, OSError)

#: What each protocol error is called, and whether the session can go on after it. The first type that fits counts, so
#: the base class comes last. After an oversized frame or a flood nobody knows where the next message begins.
_MEANINGS: tuple[tuple[type[ProtocolError], FaultKind, bool], ...] = (
    (FrameTooLong, FaultKind.OVERSIZED, False),
    (WrongFraming, FaultKind.MALFORMED, False),
    (Flood, FaultKind.FLOOD, False),
    (UnaskedReply, FaultKind.UNASKED, True),
    (QuitGame, FaultKind.QUIT, False),
    (HungUp, FaultKind.GONE, False),
    (ForbiddenAnswer, FaultKind.ILLEGAL, True),
    (ProtocolError, FaultKind.MALFORMED, True),
)


class TimeLeft(NamedTuple):
    """What a program has left of the time that all its answers together may take.

    Attributes:
        seconds: left; none or less than that if the time is used up.
        rule: how much it was in all, in words behind "left of".
    """

    seconds: float
    rule: str


class Seat:
    """A connected bot. The ``Watchdog`` that made the seat owns its socket.

    Attributes:
        limit: seconds within which each reply is due.
        deadline: the trio time at which the pending question is lost, or a closing connection is closed; infinite
            otherwise.
        reply_seconds: seconds the last reply took, from the last byte sent to the last byte received.
        time_left: of the time for all answers together, before the next one; None if only each one is limited.
        browser: address and port of the browser for which a page of the host speaks; None if there is no page between.
        broke_at: the trio time at which the connection to a page was found to be broken; infinite before that.
        unused: seconds that the last question still had when it was lost; infinite if it was not even asked.
        hastened: whether the time for a reply was shortened during play, because the dealer stops.
    """

    def __init__(
        self,
        sock: socket.socket,
        framing: Framing,
        limit: float,
        limits: Limits = USUAL,
        look_for_stall: Callable[[], None] = lambda: None,
        connect: Connect = DealerConnection,
    ) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._descriptor = sock.fileno()  # trio takes it as it is; a socket it would have to ask for it
        self._connection = connect(framing, limits.bytes_per_second, limits.frames_per_second)
        self._gone = trio.Event()
        self._now = trio.lowlevel.current_clock().current_time  # trio.current_time() would look the clock up each time
        self._outgoing = b""
        self._has_input = _input_probe(sock)
        self._look_for_stall = look_for_stall
        self._closing: trio.CancelScope | None = None
        self._asked = -inf
        self._misses = self._waits = 0  # see _reply_at_once
        self.limit = limit
        self.deadline = inf
        self.reply_seconds = 0.0
        self._heard = b""
        self.time_left: TimeLeft | None = None
        self.browser: str | None = None
        self.broke_at = self.unused = self._stops_at = self._within = inf
        self.hastened = False

    @overload
    async def ask(self, question: Login | SecretLogin) -> Name | BrowserOf | Watch: ...

    @overload
    async def ask(self, question: Turn | ShownTurn, *, at_once: bool = False, within: float = inf) -> Action: ...

    async def ask(self, question: Question, *, at_once: bool = False, within: float = inf) -> Reply:
        """Send a question and wait for its reply.

        The reply is well-formed; whether the rules allow the action is for the caller to check.

        Args:
            question: what the bot must answer.
            at_once: whether to take a reply that is there already without letting other tasks run first. A table must
                not ask all its questions like that, or other tasks would never run.
            within: seconds that the reply may take, where that is less than usual.

        Raises:
            SeatLost: the reply is late or unreadable, or the bot spoke unasked, stopped reading or left.
        """
        self._heard = b""
        try:
            # A poll with a zero timeout finds a reply that was sent too early; without it that reply would pass for
            # the answer to this question. It costs 0.25 us, a read that finds nothing costs more.
            while self._has_input():
                self._receive()
            self._outgoing += self._connection.send(question)
            limit, self._within = min(self.limit, within), within
            if self.watches and not isinstance(question, Login | SecretLogin):
                self._outgoing += self._connection.send_news(self._due(limit))
            if not self._send_some():  # almost never: the socket's buffer holds hundreds of questions
                await self._send_rest()
            asked = self._asked = self._now()  # the clock of a reply starts when the whole question is on its way
            if self.time_left is not None:
                limit = min(limit, self.time_left.seconds)
            self.deadline = asked + limit
            reply = self._reply_at_once() if at_once else None
            while reply is None:
                await trio.lowlevel.wait_readable(self._descriptor)
                reply = self._receive()
            self.reply_seconds = self._now() - asked
            if self.reply_seconds > STALL_SECONDS:  # seldom: a program replies within milliseconds
                self.reply_seconds = self._own_seconds()
        except SeatLost as lost:
            raise self._noted(lost) from None
        except _FAILURES as error:
            raise self._noted(self._lost(error, question)) from None
        finally:
            self.deadline = inf
        # The watchdog looks only now and then, so a reply may come after its deadline and before the next sweep.
        if self.reply_seconds > limit:
            reason = f"the reply{_to(question)} took {self.reply_seconds:.3f} s; {self._rule}"
            raise SeatLost(FaultKind.LATE, reason, connected=not self._out_of_time)
        return reply

    @property
    def greeted(self) -> bool:
        """Whether the program has said what it says before it is asked; only where such a greeting is due."""
        return self._connection.greeted

    async def hear_greeting(self) -> None:
        """Wait for what a program says before it is asked, as one of the ACPC does.

        Raises:
            SeatLost: it did not come as it should, or not in time.
        """
        self._start_clock(self.limit)
        try:
            while not self.greeted:
                await trio.lowlevel.wait_readable(self._descriptor)
                self._receive()
        except _FAILURES as error:
            raise self._lost(error) from None
        finally:
            self.deadline = inf

    @property
    def watches(self) -> bool:
        """Whether a person plays, whose program is told what happens at the table."""
        return self._connection.watches

    @property
    def follows(self) -> bool:
        """Whether the program is told every action at its table, and not only its turns."""
        return self._connection.follows

    @property
    def correction(self) -> Correction | None:
        """What the last reply asked for against the rules, if it was taken for something allowed; else None."""
        return self._connection.correction

    def tell_news(self, text: str) -> bool:
        """Send news to a person's program, and queue what it does not take now.

        Returns:
            Whether they are sent or queued. Of a program that reads nothing, only so many are kept.
        """
        if len(self._outgoing) >= MOST_NEWS_BYTES:
            return False
        self._outgoing += self._connection.send_news(TableNews(text))
        with suppress(OSError):  # the next question meets the same error, and its caller can act on it
            self._send_some()
        return True

    def tell(self, message: Status | GameInfo | Shown) -> None:
        """Queue a message that needs no reply; it is sent with the next question, or by a sweep if none comes soon.

        One system call for a status and the question after it is cheaper than two.
        """
        self._outgoing += self._connection.send(message)

    def begin_play(self, limit: float) -> None:
        """The bot has logged in: from now on replies are due within ``limit`` seconds, and its login is forgotten."""
        self.limit = limit
        self._heard = b""

    def hasten(self, seconds: float) -> None:
        """Let the pending question and all later ones be due within ``seconds``, if they have more time than that."""
        if seconds < self.limit:
            self.limit, self.hastened = seconds, True
            self._stops_at = self._now() + seconds
            if self.deadline < inf:
                self.deadline = min(self.deadline, self._stops_at)
                if self.watches and self._closing is None:
                    self.tell_news(self._due(self.deadline - self._now()).text)

    def speak_for(self, browser: str) -> None:
        """Note that a page of the host is at the other end, which speaks for the browser at this address and port.

        A person may think for minutes, in which nothing is sent. So the system asks now and then whether the page's
        machine is still there, and finds the connection broken after half a minute if it is not.
        """
        self.browser = browser
        with suppress(OSError):  # some systems refuse where the other end has reset the connection, which is read next
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in _KEEPALIVE.items():
                if hasattr(socket, option):  # names differ between systems
                    self._sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)

    def keeps_place(self) -> bool:
        """Whether the connection to a person's page broke, and the person's place is still kept.

        A person who leaves by the page's button says so (see ``PeopleConnection``), which does not pass for a break.
        """
        self._look_for_break()
        return self.broke_at < inf and self._now() < self.kept_until

    @property
    def kept_until(self) -> float:
        """The trio time until which a person's place is kept, once the page's connection broke."""
        return min(self.broke_at + KEPT_SECONDS, self._stops_at)

    def excuses(self, lost: SeatLost) -> bool:
        """Whether the missing answer is nobody's fault, because the dealer stops and gave less time than usual.

        That is so for a late answer, and for a person whose page had less than ``KEPT_SECONDS`` to come back.
        """
        if lost.fault.kind is FaultKind.LATE and lost.connected:
            return self.hastened
        return lost.may_come_back and self._stops_at < self.broke_at + KEPT_SECONDS < inf

    def hang_up(self) -> None:
        """End a connection that broke, without a word. The page behind it, if it lives, notices and comes again."""
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)

    def _look_for_break(self) -> None:
        """Note it if the page's connection broke while no question was open."""
        if self.browser is not None and self.broke_at == inf and self.deadline == inf and self.hung_up:
            self.broke_at = self._now()

    async def wait_gone(self) -> SeatLost:
        """Wait, while no question is pending, until the bot leaves or speaks out of turn; return which it was."""
        try:
            while True:
                await trio.lowlevel.wait_readable(self._sock)
                self._receive()
        except SeatLost as lost:
            return self._noted(lost)
        except _FAILURES as error:
            return self._noted(self._lost(error))

    async def close(self, reason: str, *, in_both_framings: bool = False, as_comment: bool = False) -> bool:
        """Send ``done:`` with the reason, half-close, give the bot a moment to close its end, then close.

        Takes at most ``CLOSING_SECONDS``. A peer that has already left is no error.

        Args:
            reason: in words for the student.
            in_both_framings: see ``DealerConnection.send_done``.
            as_comment: whether it is a program of the ACPC at another port than its own, which hears a comment instead.

        Returns:
            Whether the bot closed its end in that time.
        """
        self._start_clock(CLOSING_SECONDS)
        with trio.CancelScope() as self._closing, suppress(OSError, trio.ClosedResourceError):
            connection, done = self._connection, Done(reason)
            if as_comment:
                self._outgoing += connection.send_comment(done)
            else:
                self._outgoing += connection.send_done(done, in_both_framings=in_both_framings)
            while not self._send_some():
                await trio.lowlevel.wait_writable(self._sock)
            self._sock.shutdown(socket.SHUT_WR)
            # Closing a socket with unread input sends a reset instead of an end, and a reset lets the other system
            # throw away what its program has not read yet: the reason would be lost. So read until the peer's end.
            for _ in range(CLOSING_READS):
                if not await self._discard_input():
                    break
            else:
                # The peer talks on without end. Read no more, but wait out the time: it may still read the reason.
                await trio.sleep_forever()
        in_time = not self._closing.cancelled_caught
        self.abort()
        return in_time

    def abort(self) -> None:
        """Close the socket now, without a message. Closing twice is no error."""
        if not self.closed:
            trio.lowlevel.notify_closing(self._sock)  # a task that waits for the socket wakes up and finds it closed
            self._sock.close()
            self._gone.set()

    async def wait_closed(self) -> None:
        """Wait until the socket is closed."""
        await self._gone.wait()

    @property
    def hung_up(self) -> bool:
        """Whether the bot has ended the connection, as far as this machine knows without asking.

        Looks at the next byte without taking it: an empty result is the end of the stream.
        """
        if self.closed:
            return True
        try:
            return self._sock.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    @property
    def closed(self) -> bool:
        """Whether the socket is closed."""
        return self._sock.fileno() < 0

    @property
    def address(self) -> str | None:
        """Address and port of the bot; None if it has none any more."""
        try:
            peer = self._sock.getpeername()
        except OSError:
            return None
        return self.browser or f"{peer[0]}:{peer[1]}"

    @property
    def thinking(self) -> float | None:
        """Seconds that the pending question has been open; None if no question is pending."""
        return None if self.deadline == inf else max(self._now() - self._asked, 0.0)

    @property
    def silent(self) -> float | None:
        """Seconds since the last question was answered or lost; None while one is pending, and before the first."""
        if self.deadline < inf or self._asked == -inf:
            return None
        return max(self._now() - self._asked - self.reply_seconds, 0.0)

    def sweep(self, now: float) -> None:
        """Wake the pending question if its deadline has passed, else send what waits.

        Called by the ``Watchdog`` every 50 ms. Never blocks.

        Args:
            now: trio time in seconds.
        """
        self._look_for_break()
        if now <= self.deadline:
            # A seat that was asked since the last sweep plays fast: its status still leaves with the next question.
            # (A suspension of the machine moves that moment into the future.)
            idle = self.deadline == inf and not 0 <= now - self._asked <= SWEEP_SECONDS
            # News for a person may come while a question is open.
            if self._outgoing and (idle or (self.watches and self._closing is None)):
                with suppress(OSError):  # the next question meets the same error, and its caller can act on it
                    self._send_some()
        elif self._closing is not None:
            self._closing.cancel()
        # What lies in the socket is read first, and ``ask`` decides by the time of reading. But a peer that sends byte
        # after byte must not stay for that.
        elif now > self.deadline + STALL_SECONDS or not self._has_input():
            trio.lowlevel.notify_closing(self._sock)

    def give_back(self, stall: Stall) -> None:
        """Give the pending question, or the closing of the connection, the time of a stall back."""
        lost = stall.given_back(self._asked)
        if self.deadline < inf:
            self._asked += lost
            self.deadline += lost
        self.broke_at += stall.given_back(self.broke_at)

    def refill(self) -> None:
        """Begin a new second, for which bytes and frames are counted. Called by the ``Watchdog``."""
        self._connection.refill()

    def _noted(self, lost: SeatLost) -> SeatLost:
        """Note when the connection to a page broke, if it did, and how much time the question had left."""
        if lost.may_come_back and self.browser is not None:
            now = self._now()
            self.broke_at = min(self.broke_at, now)
            self.unused = max(self.deadline - now, 0.0)
        return lost

    def _lost(self, error: Exception, question: Question | None = None) -> SeatLost:
        """Say what a failure means for the seat of a bot that was asked ``question``; None if it was asked nothing."""
        if isinstance(error, trio.ClosedResourceError):  # notify_closing: a deadline, or our own close
            return self._late(question)
        for type_, kind, connected in _MEANINGS:
            if isinstance(error, type_):
                return SeatLost(kind, str(error), connected)
        return SeatLost(FaultKind.GONE, f"the connection broke: {error}", connected=False)

    def _late(self, question: Question | None) -> SeatLost:
        """Say why a seat was woken before its reply came; names the question and for how long it was open."""
        if self.closed:  # by us, because its player has come back on another connection
            return SeatLost(FaultKind.GONE, "the connection was given up", connected=False)
        if self._outgoing:
            # Half a question may be sent. No later message could be understood, so the session is over.
            stopped = f"the program stopped reading{_before(question)}; {self._rule}"
            return SeatLost(FaultKind.LATE, stopped, connected=False)
        self._connection.give_up()
        reached = not _unacknowledged(self._sock)
        reason = f"no complete reply{_to(question)} came in {self._now() - self._asked:.2f} s; {self._rule}"
        return SeatLost(FaultKind.LATE, reason, connected=not self._out_of_time, reached=reached)

    def _receive(self) -> Reply | None:
        """Read what there is, without waiting, and answer what the protocol itself answers, such as a ping.

        Returns:
            The reply to the open question; None while it is not complete.

        Raises:
            SeatLost: the bot has closed its end.
            ProtocolError: see ``DealerConnection.receive``.
        """
        try:
            data = self._sock.recv(READ_BYTES)
        except BlockingIOError:  # waking up is a hint, not a promise
            return None
        if not data:
            raise SeatLost(FaultKind.GONE, "the program closed the connection", connected=False)
        self._heard = (self._heard + data)[:HEARD_BYTES]  # no copy is made of a short reply that came at once
        reply = self._connection.receive(data)
        if self._connection.owed:
            owed = self._connection.take_owed()
            if len(self._outgoing) < MOST_NEWS_BYTES:
                self._outgoing += owed
                self._send_some()
        return reply

    @property
    def heard(self) -> bytes:
        """The first of what came since the last question, to tell the host what came if it is a fault.

        A login is forgotten at ``begin_play``.
        """
        return self._connection.heard(self._heard)

    async def _discard_input(self) -> bool:
        """Wait for input and drop it; False at the end of the stream."""
        await trio.lowlevel.wait_readable(self._sock)
        return bool(self._sock.recv(READ_BYTES))

    async def _send_rest(self) -> None:
        """Send everything that waits to a peer whose buffers are full, within the time of a reply."""
        self._start_clock(self.limit)
        while not self._send_some():
            await trio.lowlevel.wait_writable(self._sock)

    def _reply_at_once(self) -> Reply | None:
        """The reply, if it is there as soon as its question is sent.

        After each reply in succession that was not there, one question more goes by before the next look.
        """
        if self._waits:
            self._waits -= 1
            return None
        reply = self._receive()
        self._waits = self._misses = 0 if reply is not None else self._misses + 1
        return reply

    def _due(self, seconds: float) -> TableNews:
        return TableNews(person_text(AnswerDue(max(seconds, 0.0), self.hastened)))

    def _start_clock(self, seconds: float) -> None:
        self._asked = self._now()
        self.deadline = self._asked + seconds

    def _own_seconds(self) -> float:
        """Seconds that the reply just read took, without those of a stall. The stall may not be noticed yet."""
        now = self._now()
        self._look_for_stall()
        return max(now - self._asked, 0.0)

    def _send_some(self) -> bool:
        """Send what the socket takes now; True if that was everything."""
        try:
            sent = self._sock.send(self._outgoing)
        except BlockingIOError:
            return False
        self._outgoing = self._outgoing[sent:]
        return not self._outgoing

    @property
    def _out_of_time(self) -> bool:
        """Whether a late reply used up the time for all answers, so that none could be in time any more."""
        return self.time_left is not None and self.time_left.seconds < self.limit

    @property
    def _rule(self) -> str:
        if self.time_left is not None and self._out_of_time:
            return f"only {max(self.time_left.seconds, 0):.2f} s were left of {self.time_left.rule}"
        if self._within < self.limit:
            return f"{self._within:.2f} s were left for it when you came back"
        return f"every reply is due within {self.limit:g} s"


def _to(question: Question | None) -> str:
    return _with_verb(" to", question)


def _before(question: Question | None) -> str:
    return _with_verb(" before the end of", question)


def _with_verb(words: str, question: Question | None) -> str:
    """Words and the verb of a question on the wire, such as bet1; nothing for a question that has no text.

    What follows the verb may be hidden from others.
    """
    if question is None or isinstance(question, ShownTurn):
        return ""
    return f"{words} {encode(question).partition(':')[0]}"


def _unacknowledged(sock: socket.socket) -> int:
    """Bytes sent that the other machine has not acknowledged; 0 on systems that do not say (only Linux does).

    Tells a slow program from a pulled cable: the system of a slow program still acknowledges bytes for it, so nothing
    stays unacknowledged. It decides whose fault a late reply is.
    """
    if sys.platform != "linux":
        return 0
    queued = fcntl.ioctl(sock, termios.TIOCOUTQ, bytes(4))
    return int.from_bytes(queued, sys.byteorder)


def _input_probe(sock: socket.socket) -> Callable[[], object]:
    """Make a function that says, without waiting, whether there is input to read.

    The poll object is made once for each socket; registering it anew would cost more than the poll itself.
    """
    if sys.platform == "win32":
        return lambda: select.select([sock], [], [], 0)[0]
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return partial(poll.poll, 0)
