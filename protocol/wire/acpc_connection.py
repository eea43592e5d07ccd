"""The dealer's end of a connection to a program of the Annual Computer Poker Competition. Sans-IO.

It differs from a ``DealerConnection`` in three things: the program speaks first, it is told every action of everybody,
and an answer repeats the match state that it answers. So a late answer is recognised by its text and ignored.
"""

import sys
from collections.abc import Callable

from protocol.games.base import Action, Legal
from protocol.wire.acpc import LINE_BYTES, Answer, decode_version, is_comment, read_action, read_answer, skip_answer
from protocol.wire.codec import encode
from protocol.wire.connection import DealerConnection, Flood, State, flood
from protocol.wire.framing import Framing, LineFraming
from protocol.wire.messages import Command, Done, ProtocolError, Reply, SecretLogin, Shown, ShownTurn, Version
from protocol.wire.wrong_port import in_the_other_framing, with_length_in_ascii

#: Looked up here, because an enum takes longer to find a member.
_NAMING, _SEATED, _ASKED = State.NAMING, State.SEATED, State.ASKED

#: What follows a match state in nearly every answer to it, and the action that this is.
_USUAL_ENDS = {b":c\r\n": "c", b":f\r\n": "f", b":r\r\n": "r"}


class AcpcConnection(DealerConnection):
    """The dealer's end.

    Args:
        framing: ignored but for its limit; the competition's lines may be as long as ``LINE_BYTES``.
        max_bytes: see ``DealerConnection``.
        max_frames: likewise.
        strict: whether an action that the rules forbid is an error; else it is corrected.
    """

    follows = True

    def __init__(
        self,
        framing: Framing,
        max_bytes: int = sys.maxsize,
        max_frames: int = sys.maxsize,
        *,
        strict: bool = False,
    ) -> None:
        super().__init__(LineFraming(max(framing.limit, LINE_BYTES)), max_bytes, max_frames)
        self.state = _NAMING
        self._strict = strict
        self._shown: Shown | None = None
        self._told = b""  # its line
        self._legal: Legal | None = None

    def send(self, message: Command | SecretLogin | Shown | ShownTurn) -> bytes:
        """The bytes of a message; none for what a match state tells already.

        A ``ShownTurn`` has no text of its own: it asks for an answer to the match state shown last.

        Raises:
            KeyError: a question that programs of the competition are not asked.
        """
        if isinstance(message, Shown):
            self._shown, self._told = message, message.line.encode()
            return self._told + b"\r\n"
        if isinstance(message, Done):
            return self.send_comment(message)
        if isinstance(message, ShownTurn):
            self.state, self._legal = _ASKED, message.legal
        return b""

    def send_done(self, done: Done, *, in_both_framings: bool = False) -> bytes:
        """The bytes of the last message: a comment, which programs skip and people can read."""
        data = self.send(done)
        if not in_both_framings:
            return data
        return data + in_the_other_framing(self._framing, data, with_length_in_ascii(encode(done)))

    def give_up(self) -> None:
        """Stop waiting for the open question; its answer will be to an older match state."""
        self.state = _SEATED

    def receive(self, data: bytes) -> Reply | None:
        """Nothing that comes unasked is an error if it answers an older match state."""
        left = self._bytes_left = self._bytes_left - len(data)
        if left < 0:
            raise Flood(flood(self._max_bytes - left, "bytes", self._max_bytes))
        if self.state is _ASKED and not self._buffer and self._frames_left > 0 and data.startswith(self._told):
            # Nearly every answer comes whole, alone, and to the last match state: no more of it need be looked at.
            usual = _USUAL_ENDS.get(data[len(self._told) :])
            if usual is not None:
                self._frames_left -= 1
                return self._take_answer(read_action, usual)
        reply, error = self._read_all(data)
        if error:
            raise error
        return reply

    def _read(self, body: bytes) -> Reply | None:
        line = self._framing.decode(body)
        if self.state is _NAMING:
            return None if is_comment(line) else self._read_version(line)
        if self.state is not _ASKED:
            skip_answer(line, self._shown)
            return None
        return self._take_answer(read_answer, line)

    def _take_answer(self, read: Callable[..., Answer | None], text: str) -> Action | None:
        """What a program wants that was asked, as ``read`` finds it in ``text``; None if that is no answer to it."""
        assert self._shown is not None
        assert self._legal is not None
        try:
            answer = read(text, self._shown, self._legal, strict=self._strict)
        except ProtocolError:
            self.state = _SEATED  # the question is used up
            raise
        if answer is None:
            return None
        self.state = _SEATED
        self.correction = answer.correction
        return answer.action

    def _read_version(self, line: str) -> Version:
        version = decode_version(line)
        self.state, self.greeted = _SEATED, True
        return version
