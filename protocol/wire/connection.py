"""Who may say what when: the session between a dealer and a bot, as one table. Sans-IO.

Theory of operation. The dealer speaks first, always, and at most one of its questions is open. Each end
holds a connection and drives it with what it sends and with the bytes it receives; nothing here opens a
socket or looks at a clock.

No message has an id, so an answer that comes too late would answer the next question. When the dealer
stops waiting it says so with ``give_up``: the reply still owed is swallowed when it comes. For the same
reason a reply that nobody asked for is an error and never kept for later.

How much a bot may send is counted here, and judged by the second; the owner of the clock calls ``refill``.
"""

import re
import sys
from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import cache
from typing import Any

from protocol.games.base import Action, Bet, Fold
from protocol.wire.codec import (
    FIRST_GAME,
    USUAL_ACTIONS,
    decode_action,
    decode_browser,
    decode_command,
    decode_name,
    decode_secret_name,
    encode,
    encode_action,
)
from protocol.wire.framing import Framing
from protocol.wire.messages import (
    PAGE_VERB,
    WATCH,
    BrowserOf,
    Command,
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
from protocol.wire.text import find_action_text, is_status, is_turn
from protocol.wire.wrong_port import (
    Speech,
    as_comment,
    expected,
    in_the_other_framing,
    recognise,
    with_length_in_ascii,
)


class State(Enum):
    """Where a session is; both ends are in the same state when nothing is on its way."""

    #: The connection is open, and nothing was said.
    CONNECTED = auto()
    #: The dealer has asked who is there.
    NAMING = auto()
    #: The same, and the answer must hold a secret.
    NAMING_SECRETLY = auto()
    #: The player is known, and nothing is asked.
    SEATED = auto()
    #: A turn was sent, and its answer is owed.
    ASKED = auto()
    #: The dealer has said done.
    CLOSED = auto()

    __hash__ = object.__hash__  # by identity: Enum's own hash is a Python call on every message


#: What may be said in each state, and the state after it. Anything else is an error. The turns and statuses of a game
#: are learnt when the first of them is sent or read: a turn leads from SEATED to ASKED, a status back to SEATED.
TRANSITIONS: dict[tuple[State, type], State] = {
    # The dealer says ...
    (State.CONNECTED, Login): State.NAMING,
    (State.CONNECTED, SecretLogin): State.NAMING_SECRETLY,
    (State.SEATED, GameInfo): State.SEATED,
    **{(state, Done): State.CLOSED for state in State if state is not State.CLOSED},
    # ... and the bot answers.
    (State.NAMING, Name): State.SEATED,
    (State.NAMING_SECRETLY, Name): State.SEATED,
    # At the port for people, a page says first whom it speaks for, and a person's program that it wants to be told what
    # happens at its table. Both are asked for the login once more.
    (State.NAMING, BrowserOf): State.CONNECTED,
    (State.NAMING_SECRETLY, BrowserOf): State.CONNECTED,
    (State.NAMING, Watch): State.CONNECTED,
    (State.NAMING_SECRETLY, Watch): State.CONNECTED,
    (State.ASKED, Bet): State.SEATED,
    (State.ASKED, Fold): State.SEATED,
}


def _learn(state: State, message: type) -> State:
    """The state after the first turn or status of a game, which is in the table from now on.

    Raises:
        KeyError: the message may not be said in this state.
    """
    if state is not State.SEATED or not (is_turn(message) or is_status(message)):
        raise KeyError(state, message)
    after = State.ASKED if is_turn(message) else State.SEATED
    TRANSITIONS[state, message] = after
    return after


#: States in which the first message of a bot is awaited.
_NAMING = frozenset({State.NAMING, State.NAMING_SECRETLY})

#: Looked up here, because an enum takes longer to find a member than a dictionary to find an action.
_SEATED, _ASKED = State.SEATED, State.ASKED

#: How news begin, in either framing.
_NEWS = b"event:"

#: What a page says for a person who leaves, as a frame has it.
_QUIT = b"quit"

_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")

_READ_NAME: dict[State, Callable[[str], Reply]] = {
    State.NAMING: decode_name,
    State.NAMING_SECRETLY: decode_secret_name,
}

#: States in which news may come.
_PLAYING = frozenset({State.SEATED, State.ASKED})

#: States in which a reply is due.
REPLY_DUE = frozenset({*_READ_NAME, State.ASKED})


class UnaskedReply(ProtocolError):
    """A bot spoke although no question was open."""


class WrongFraming(ProtocolError):
    """A login in the other framing; the end of a message would perhaps never come."""


class Flood(ProtocolError):
    """A bot sent more within a second than it may."""


class HungUp(ProtocolError):
    """A bot has said, in the words of its protocol, that it closes the connection."""

    def __init__(self) -> None:
        super().__init__("the program closed the connection")


class DealerConnection:
    """The dealer's end.

    Args:
        framing: how messages travel.
        max_bytes: that may come between one ``refill`` and the next; as many as come, if not given.
        max_frames: likewise.

    Attributes:
        follows: whether the program is told every action at its table, and not only its turns.
        watches: whether it is a person's program, which is told what its player sees.
        correction: what the last reply asked for against the rules, if it was taken for something allowed; else None.
        greeted: whether the program has said what it says before it is asked; only where such a greeting is due.
        owed: bytes that the protocol itself answers, which wait to be sent.
    """

    greeted = False
    owed = b""
    follows = False
    watches = False
    correction: Correction | None = None

    def __init__(self, framing: Framing, max_bytes: int = sys.maxsize, max_frames: int = sys.maxsize) -> None:
        self._framing = framing
        self._usual_replies = _usual_replies(framing)
        self._buffer = b""
        self._late_replies = 0
        self._max_bytes = max_bytes
        self._max_frames = max_frames
        self._said: Any = None  # the last message; the open question, while one is
        self.state = State.CONNECTED
        self.refill()

    def refill(self) -> None:
        """Begin another second."""
        self._bytes_left = self._max_bytes
        self._frames_left = self._max_frames

    def send(self, message: Command | SecretLogin | Shown | ShownTurn) -> bytes:
        """The bytes of a message.

        Raises:
            KeyError: the message may not be said now, which is a mistake of the dealer's.
        """
        sort = type(message)
        try:
            self.state = TRANSITIONS[self.state, sort]
        except KeyError:
            self.state = _learn(self.state, sort)
        self._said = message
        return self._framing.encode(encode(message))

    def take_owed(self) -> bytes:
        """The bytes that the protocol itself answers, which are no longer owed."""
        owed, self.owed = self.owed, b""
        return owed

    def heard(self, raw: bytes) -> bytes:
        """What a bot said, to be told if it is a fault, of the bytes that came."""
        return raw

    def send_news(self, news: TableNews) -> bytes:
        """The bytes of news for a person's program, which may come while a question is open and change nothing."""
        return self._framing.encode(encode(news))

    def send_done(self, done: Done, *, in_both_framings: bool = False) -> bytes:
        """The bytes of the last message.

        Args:
            done: the message.
            in_both_framings: whether the bot may read the other framing, so that it is told in that one as well. Only
                for a bot that has not logged in.
        """
        heard = b"" if self.state is State.CONNECTED else self._framing.encode(encode(Login()))
        if not in_both_framings:
            return self.send(done)
        # The two framings write these characters differently, and one reader may see both ways in one message.
        done = Done(_BEYOND_BMP.sub("?", done.reason))
        self.send(done)
        message = with_length_in_ascii(encode(done))
        data = self._framing.encode(message)
        return data + in_the_other_framing(self._framing, heard + data, message)

    def send_comment(self, done: Done) -> bytes:
        """The bytes of the last message to a program of the ACPC."""
        self.state = State.CLOSED
        return as_comment(self._framing, done.comment)

    def give_up(self) -> None:
        """Stop waiting for the open question; its reply is swallowed when it comes."""
        self._late_replies += 1
        self.state = State.SEATED

    def receive(self, data: bytes) -> Reply | None:
        """The reply to the open question, or None while it is not complete.

        Raises:
            FrameTooLong: nothing more can be read from this peer.
            Flood: nothing more is to be read from this peer.
            UnaskedReply: a reply came that no question asked for.
            WrongFraming: the login comes in the other framing.
            ProtocolError: the reply cannot be decoded. Like any other it is used up, and ends the question.
        """
        left = self._bytes_left = self._bytes_left - len(data)
        if left < 0:
            raise Flood(flood(self._max_bytes - left, "bytes", self._max_bytes))
        if self.state is _ASKED and not self._buffer and not self._late_replies and self._frames_left > 0:
            usual = self._usual_replies.get(data)
            sort: type = type(self._said)
            if usual is not None and find_action_text(sort) is None:
                self._frames_left -= 1
                self.state = _SEATED
                return usual
        reply, error = self._read_all(data)
        buffer = self._buffer
        # A part of a frame after the reply, or with no question open, begins a message nobody asked for. It is an error
        # now: completed later it would pass for the answer to the next question.
        if buffer and self.state not in REPLY_DUE and not self._late_replies:
            self._late_replies = 1
            error = error or UnaskedReply("part of a reply came although nothing was asked")
        if buffer and self.state in _NAMING:
            error = error or _wrong_framing(buffer, self._framing)
        if error:
            raise error
        return reply

    def _read_all(self, data: bytes) -> tuple[Reply | None, ProtocolError | None]:
        """Read all messages that are whole with ``data``: the last reply among them, and the first mistake."""
        buffer = self._buffer = self._buffer + data
        reply: Reply | None = None
        error: ProtocolError | None = None
        while buffer:
            body, buffer = self._framing.split(buffer)
            if body is None:
                break  # the rest of this frame is still on its way
            left = self._frames_left = self._frames_left - 1
            if left < 0:
                raise Flood(flood(self._max_frames - left, "messages", self._max_frames))
            try:
                answer = self._read(body)
                reply = reply if answer is None else answer
            except ProtocolError as wrong:
                error = error or wrong
        self._buffer = buffer
        return reply, error

    def _read(self, body: bytes) -> Reply | None:
        if self._late_replies:
            self._late_replies -= 1
            return None
        state = self.state
        if state not in REPLY_DUE:
            raise UnaskedReply("a reply came although nothing was asked; send one reply to each question")
        self.state = _SEATED
        text = self._framing.decode(body)
        if state is _ASKED:
            return decode_action(text, self._said)
        # As a line, the first one of a program of the ACPC would pass for a name.
        if recognise(body) is Speech.ACPC:
            raise WrongFraming(f"{Speech.ACPC} came; this port expects {expected(self._framing)}")
        return _READ_NAME[state](text)


class PeopleConnection(DealerConnection):
    """The dealer's end at the port for people, where a page may speak for a browser, and programs may watch.

    Such a page says ``quit`` also when nothing is asked: a person leaves by a button at any time, and a connection that
    only ends is one that broke.
    """

    def __init__(self, framing: Framing, max_bytes: int = sys.maxsize, max_frames: int = sys.maxsize) -> None:
        super().__init__(framing, max_bytes, max_frames)
        self._page = False

    def _read(self, body: bytes) -> Reply | None:
        if self.state in _NAMING and not self._page:
            text = self._framing.decode(body)
            if text.startswith(PAGE_VERB):
                browser = decode_browser(text)
                self._page = self.watches = True
                self.state = TRANSITIONS[self.state, BrowserOf]
                return browser
            if text == WATCH and not self.watches:
                self.watches = True
                self.state = TRANSITIONS[self.state, Watch]
                return Watch()
        elif self._page and self.state is _SEATED and body == _QUIT:
            raise QuitGame("you quit")
        return super()._read(body)


@cache
def _usual_replies(framing: Framing) -> Mapping[bytes, Action]:
    """Nearly every answer to a turn, as it comes: one look-up is less than a quarter of the time of taking it apart."""
    framed = {framing.encode(text): (text, action) for text, action in USUAL_ACTIONS.items()}
    return {data: action for data, (text, action) in framed.items() if len(text) <= framing.limit}


def _wrong_framing(begun: bytes, framing: Framing) -> WrongFraming | None:
    """The error for the beginning of a login that is not in this framing; None if it may be."""
    spoken = recognise(begun)
    if spoken in (None, expected(framing)):
        return None
    return WrongFraming(f"{spoken} came; this port expects {expected(framing)}")


def flood(came: int, what: str, limit: int) -> str:
    """Say how much came from a program that may send less within a second."""
    return f"{came} {what} came within a second, more than the {limit} accepted"


class BotConnection:
    """The bot's end."""

    def __init__(self, framing: Framing) -> None:
        self._framing = framing
        self._buffer = b""
        self._game = FIRST_GAME
        self._heard: Command | None = None  # the last command; the open question, while one is
        self.state = State.CONNECTED

    def send(self, reply: Reply) -> bytes:
        """The bytes of a reply.

        Raises:
            KeyError: nothing was asked that this answers.
        """
        self.state = TRANSITIONS[self.state, type(reply)]
        text = encode_action(reply, self._heard) if isinstance(reply, Bet | Fold) else encode(reply)
        return self._framing.encode(text)

    def receive(self, data: bytes) -> None:
        """Take in bytes that the dealer sent."""
        self._buffer += data

    @property
    def moved_on(self) -> bool:
        """Whether the dealer has sent something else than news, and so waits no more for the open answer."""
        body = self._framing.split(self._buffer)[0] if self.state is State.ASKED else None
        return body is not None and not body.startswith(_NEWS)

    def next_command(self) -> Command | None:
        """The next command, or None until more bytes come.

        Answer a question before taking the next command but news: a dealer that has stopped waiting for a slow bot goes
        on without its reply, and swallows it later.

        Raises:
            ProtocolError: the dealer sent what cannot be decoded, or what may not be said now.
        """
        body, self._buffer = self._framing.split(self._buffer)
        if body is None:
            return None
        command = decode_command(self._framing.decode(body), self._game)
        if isinstance(command, TableNews) and self.state in _PLAYING:
            return command
        try:
            known = TRANSITIONS.get((self.state, type(command)))
            self.state = known or _learn(self.state, type(command))
        except KeyError:
            told = encode(command)
            raise ProtocolError(f"the dealer sent {told!r} when the session was {self.state.name}") from None
        if isinstance(command, GameInfo):
            self._game = command.name
        self._heard = command
        return command
