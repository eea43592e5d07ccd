"""Programs at a table that answer at once: honest ones, traitors until they turn, and some that babble."""

import socket

from protocol.wire.framing import Framing, LineFraming
from tests.drills.frames import mutated
from tests.drills.seed import chance
from tests.drills.traitors import Misdeed

#: How often a chip is put in that nobody asked for.
RAISES = 0.1


class Player:
    """One connection of an honest bot, or of a traitor before it turns."""

    def __init__(self, sock: socket.socket, framing: Framing, id_: str, misdeed: Misdeed | None) -> None:
        self.sock = sock
        self.id = id_
        self.framing = framing
        self.misdeed = misdeed
        self.turns_at = float("inf")
        self.replied: float | None = None
        self.done: str | None = None
        self._buffer = b""
        self._rng = chance(id_)

    def messages(self) -> list[str] | None:
        """What has come; None when nothing more will."""
        try:
            data = self.sock.recv(65536)
        except ConnectionError:
            return None
        self._buffer += data
        found: list[str] = []
        while True:
            body, self._buffer = self.framing.split(self._buffer)
            if body is None:
                return found if data or found else None
            found.append(self.framing.decode(body))

    def answer(self, question: str) -> bytes:
        """A legal reply: what is owed, or sometimes a chip more."""
        owed = int(question.split(":", 4)[3])
        return self.framing.encode(f"bet:{owed + (self._rng.random() < RAISES)}")


class Babbler(Player):
    """Answers every question at once, but nearly never with what it should."""

    def answer(self, question: str) -> bytes:
        """A reply that was right before something happened to it, in a frame or line that is complete."""
        body = mutated(self.framing.split(super().answer(question))[0] or b"", self._rng)
        return body + b"\n" if isinstance(self.framing, LineFraming) else len(body).to_bytes(2, "big") + body
