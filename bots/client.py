"""Connect a strategy to a dealer: log in, and answer its questions until ``done:``.

Plain blocking sockets: a bot has one thing to do at a time. To write a bot in another language, read this
file, or the smaller ones in ``starters/``.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import cast

from bots.strategy import Strategy, StrategyError, answer, tell
from protocol.games.base import IllegalAction, Turn
from protocol.wire.acpc import COMMENT_MARKS, LINE_BYTES, is_comment
from protocol.wire.acpc_program import VERSION, GameDefinition, MatchState, read_state
from protocol.wire.connection import BotConnection, State
from protocol.wire.framing import Framing, LineFraming
from protocol.wire.messages import Done, GameInfo, Login, Name, ProtocolError

RETRY_SECONDS = 0.25
#: How long one attempt to connect may take, however patient the bot is.
ATTEMPT_SECONDS = 60.0

#: Bytes of an unreadable greeting that an error repeats.
SHOWN_BYTES = 40


class ClientError(Exception):
    """The dealer cannot be reached, or the session with it failed; the text says why."""


class ConnectionLostError(ClientError):
    """The connection ended before ``done:``; the dealer may let the player log in again."""


def connect(host: str, port: int, patience: float, say: Callable[[str], None]) -> socket.socket:
    """Connect, trying again for ``patience`` seconds while the dealer is not up yet.

    Raises:
        ClientError: no dealer answered in that time, or the address cannot be used.
    """
    give_up = time.monotonic() + patience
    told = False
    while True:
        left = give_up - time.monotonic()
        try:
            sock = socket.create_connection((host, port), timeout=min(max(left, 1.0), ATTEMPT_SECONDS))
        except UnicodeError:
            raise ClientError(f"{host!r} is no address: write it like 192.168.1.20 or casino.example.org") from None
        except OSError as error:
            why = error.strerror or error
            if time.monotonic() + RETRY_SECONDS > give_up:
                raise ClientError(f"no dealer at {host}:{port}: {why}") from None
            if not told:
                say(f"no dealer at {host}:{port} yet ({why}); trying for {patience:g} s")
                told = True
            time.sleep(RETRY_SECONDS)
        else:
            sock.settimeout(None)
            # Small messages one way at a time: waiting to fill a packet would cost 40 ms a reply.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock


def play(sock: socket.socket, framing: Framing, name: Name, strategy: Strategy) -> str:
    """Play until the dealer says ``done:``; returns its reason.

    Raises:
        ConnectionLostError: the connection ended before that.
        ClientError: a message of the dealer is not one of this protocol.
        StrategyError: the strategy failed.
    """
    connection = BotConnection(framing)
    greeting = b""
    while True:
        try:
            while (command := connection.next_command()) is None:
                data = _received(sock)
                greeting = greeting or data
                if not data:
                    raise _closed(connection.state, greeting)
                connection.receive(data)
        except ProtocolError as error:
            raise ClientError(f"the dealer does not speak this protocol: {error}") from None
        match command:
            case Login():
                _send(sock, connection.send(name))
            case Done(reason):
                return reason
            case turn if connection.state is State.ASKED:
                _send(sock, connection.send(answer(strategy, cast("Turn", turn))))
            case news:
                tell(strategy, news)


def play_acpc(sock: socket.socket, definition: GameDefinition, strategy: Strategy) -> str:
    """Play as a program of the Annual Computer Poker Competition until the dealer closes the connection.

    Returns:
        How the match ended: the last comment of the dealer, or how many hands were played.

    Raises:
        ConnectionLostError: the connection ended before the first hand, or during one.
        ClientError: a line of the dealer is not one of this protocol, or tells a hand of another game.
        StrategyError: the strategy failed.
    """
    tell(strategy, GameInfo.about(definition.game, 0, definition.players))
    _send(sock, f"{VERSION}\r\n".encode())
    state: MatchState | None = None
    hands, slowest, comment = 0, 0.0, ""
    for line in _lines(sock):
        if is_comment(line):
            comment = line.lstrip("".join(COMMENT_MARKS)).strip() or comment
            continue
        asked = time.monotonic()
        try:
            state = read_state(line, definition)
            status = state.status
        except ProtocolError as error:
            raise ClientError(f"the dealer does not play the game of the definition: {error}") from None
        if status is not None:
            hands += 1
            tell(strategy, status)
        elif (turn := state.turn) is not None:
            _send(sock, f"{_acpc_answer(state, strategy, turn)}\r\n".encode())
            slowest = max(slowest, time.monotonic() - asked)
    if state is None:
        raise ConnectionLostError(comment or "the dealer closed the connection before the first hand")
    if state.hand.to_act is not None:
        told = comment or "perhaps a player left, or an answer came too late"
        raise ConnectionLostError(
            f"the dealer closed the connection during hand {state.number}: {told}; "
            f"the slowest answer here took {slowest:.1f} s"
        )
    return comment or f"the match is over after {hands} hands"


def _acpc_answer(state: MatchState, strategy: Strategy, turn: Turn) -> str:
    """The line with the strategy's action.

    Raises:
        StrategyError: it failed, or the rules forbid its action.
    """
    try:
        return state.answer(answer(strategy, turn))
    except IllegalAction as error:
        raise StrategyError(f"decide gave an action that is not allowed: {error}; it was asked {turn}") from None


def _lines(sock: socket.socket) -> Iterator[str]:
    """The lines of the dealer, until it closes the connection.

    Raises:
        ConnectionLostError: the connection broke.
        ClientError: a line is too long, or is no text.
    """
    framing, buffer = LineFraming(LINE_BYTES), b""
    while data := _received(sock):
        buffer += data
        try:
            while True:
                body, buffer = framing.split(buffer)
                if body is None:
                    break
                yield framing.decode(body)
        except ProtocolError as error:
            raise ClientError(f"the dealer does not speak this protocol: {error}") from None


def _send(sock: socket.socket, data: bytes) -> None:
    """Send a reply. If the dealer has closed meanwhile, its last messages can still be read."""
    with suppress(ConnectionError):
        sock.sendall(data)


def _received(sock: socket.socket) -> bytes:
    try:
        return sock.recv(65536)
    except OSError as error:
        raise ConnectionLostError(f"the connection to the dealer broke: {error.strerror or error}") from None


def _closed(state: State, greeting: bytes) -> ClientError:
    """The error for a connection that ended without ``done:``."""
    if state is State.CONNECTED and greeting:
        shown = greeting[:SHOWN_BYTES]
        return ClientError(f"the dealer's greeting {shown!r} makes no sense here: another port, or --lines?")
    return ConnectionLostError("the dealer closed the connection without saying why")
