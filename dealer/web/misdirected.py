"""Programs of players that connect to the page's port: recognise them, and tell them where players connect.

Both ports stand on the same blackboard, so a student swaps them easily. A program of a player mostly says nothing at
first, since the dealer speaks first. A browser mostly speaks at once, but it opens some connections in advance, which
stay silent until it needs them.
"""

import re
from collections.abc import Callable

from dealer.lobby.failed_logins import RefusalKind
from dealer.lobby.listener import acpc_directions
from dealer.web.board import Board
from protocol.wire.connection import DealerConnection
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done
from protocol.wire.wrong_port import Speech, recognise

#: The beginning of a login as a line. No request begins like that: a space follows the method of HTTP.
_LOGIN_LINE = re.compile(rb"[A-Za-z0-9_-]{1,39}:")


def spoken_by_program(sent: bytes) -> Speech | None:
    """The speech of a program of a player; None if the first bytes of a connection are not those of one."""
    spoken = recognise(sent)
    if spoken in (Speech.FRAMES, Speech.ACPC):
        return spoken
    return Speech.LINES if _LOGIN_LINE.match(sent) else None


#: Is told of a program of a player at a page's port: address and port, why it is refused, and its first bytes.
Note = Callable[[str, RefusalKind, str, bytes], None]


class Misdirected:
    """Tells programs of players at a page's port where to connect, and tells the host of them.

    Args:
        reason: makes the text of a ``done:`` for a program with this speech, as far as it is known.
        note: tells the host.
    """

    def __init__(self, reason: Callable[[Speech | None], str], note: Note = lambda *_: None) -> None:
        self._reason = reason
        self._note = note

    def note(self, peer: str, sent: bytes) -> None:
        """Tell the host of a program, by its address and port, and its first bytes."""
        self._note(peer, RefusalKind.WRONG_PORT, self._reason(spoken_by_program(sent)), sent)

    def directions(self, spoken: Speech | None) -> bytes:
        """The bytes that tell a program where to connect; in both framings if it has not spoken yet."""
        reason = Done(self._reason(spoken))
        if spoken is Speech.ACPC:
            return DealerConnection(LineFraming()).send_comment(reason)
        framing: Framing = LineFraming() if spoken is Speech.LINES else UtfFraming()
        return DealerConnection(framing).send_done(reason, in_both_framings=spoken is None)


def way_to_ports(board: Board, spoken: Speech | None, dealer: str | None = None) -> str:
    """Where a program with this speech connects, for one at the port of a dealer's page.

    Args:
        board: knows the ports for players.
        spoken: by the program, as far as it is known.
        dealer: the address of the dealer's machine; None if it is this one.
    """
    scene, here = board.scene, "this is the port of the page for browsers"
    if not scene or scene["port"] is None:
        return f"{here}; the programs of a league connect to the port that each was started with"
    if spoken is Speech.ACPC:
        return f"{here}{acpc_directions(scene['acpcPort'], scene['game'])}"
    line_port, of_dealer = scene["linePort"], "" if dealer is None else f" of {dealer}"
    lines = "" if line_port is None else f", those that use {Speech.LINES} to port {line_port}"
    return f"{here}; programs that use {Speech.FRAMES} connect to port {scene['port']}{lines}{of_dealer}"
