"""Programs of players that connect to the page's port: recognise them, and tell them where players connect.

Both ports stand on the same blackboard, so a student swaps them easily. A program of a player mostly says nothing at
first, since the dealer speaks first. A browser mostly speaks at once, but it opens some connections in advance, which
stay silent until it needs them.
"""

import re

from dealer.lobby.failed_logins import RefusalKind, failed_login
from dealer.tournament.scene import Scene
from protocol.wire.connection import DealerConnection
from protocol.wire.framing import Framing, LineFraming, UtfFraming
from protocol.wire.messages import Done
from protocol.wire.wrong_port import Speech, recognise

#: The beginning of a login as a line. No request begins like that: a space follows the method of HTTP.
_LOGIN_LINE = re.compile(rb"[A-Za-z0-9_-]{1,39}:")


def spoken_by_program(sent: bytes) -> Speech | None:
    """The speech of a program of a player; None if the first bytes of a connection are not those of one."""
    if _LOGIN_LINE.match(sent):
        return Speech.LINES
    return Speech.FRAMES if recognise(sent) is Speech.FRAMES else None


class Misdirected:
    """Tells programs of players at the page's port where to connect, and tells the host of them.

    Args:
        scene: has the ports for players and the page, and the lobby that keeps failed logins.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def note(self, peer: str, sent: bytes) -> None:
        """Tell the host of a program at the page's port.

        Args:
            peer: its address and port.
            sent: its first bytes.
        """
        lobby, port = self._scene.lobby, self._scene.page_port or 0
        secrets = lobby.salt is not None
        kind, reason = RefusalKind.WRONG_PORT, self.reason
        lobby.failed_logins.note(failed_login(peer, port, kind, reason, sent, program=None, secrets=secrets))

    def directions(self, spoken: Speech | None) -> bytes:
        """The bytes that tell a program where to connect; in both framings if it has not spoken yet."""
        framing: Framing = LineFraming() if spoken is Speech.LINES else UtfFraming()
        return DealerConnection(framing).send_done(Done(self.reason), in_both_framings=spoken is None)

    @property
    def reason(self) -> str:
        """Where programs connect, as the text of a ``done:``."""
        scene, here = self._scene, "this is the port of the page for browsers"
        if scene.port is None:
            return f"{here}; the programs of a league connect to the port that each was started with"
        lines = "" if scene.line_port is None else f", those that use {Speech.LINES} to port {scene.line_port}"
        return f"{here}; programs that use {Speech.FRAMES} connect to port {scene.port}{lines}"
