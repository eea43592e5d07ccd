"""The messages of a session. What the seat to act is told (a game's Turn) and what it answers
(an Action) come from ``protocol.games``; the messages here are the same for every game.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import NamedTuple, Self

from protocol.games.base import Action, Legal, Status, Turn
from protocol.games.game import Game

ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,39}")
AVATAR_LENGTH = 32
SECRET_PATTERN = re.compile(r"[ -9;-~]{1,64}")
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,128}")
LARGEST_PORT = 65535
REASON_LENGTH = 1000


#: Characters of a bad message that an error repeats.
_SHOWN = 60


def quoted(text: str) -> str:
    """A message that cannot be read, as an error shows it: in quotes, and only its beginning if it is long."""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}... ({len(text)} characters)"


class ProtocolError(Exception):
    """Bytes or text that are no message of this protocol at this point: *malformed*, never merely forbidden.

    The text says what came and what was expected, for the student who has to mend the program.
    """


class QuitGame(ProtocolError):
    """The reply ``quit``: a person leaves, for good. No mistake, but no action either."""


@dataclass(frozen=True, slots=True)
class Login:
    """The dealer asks who is there; sent once per connection, answered with a Name."""


@dataclass(frozen=True, slots=True)
class SecretLogin:
    """A login whose answer must hold a secret. The bot sees no difference, it was told by its host."""


@dataclass(frozen=True, slots=True)
class Name:
    """Who a bot plays for.

    Attributes:
        id: known only to the instructor; 1-39 letters, digits, ``-`` or ``_``.
        avatar: shown to everybody; 1-32 printable characters.
        secret: known only to the player; 1-64 printable ASCII characters without a colon. None where none is asked for.

    Raises:
        ProtocolError: the id, the avatar or the secret is not of that form; the text does not repeat the secret.
    """

    id: str
    avatar: str
    secret: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not ID_PATTERN.fullmatch(self.id):
            raise ProtocolError(f"the id {self.id[:60]!r} is not 1 to 39 letters, digits, '-' or '_'")
        if self.avatar and self.avatar != self.avatar.strip():
            raise ProtocolError(f"the avatar {self.avatar[:60]!r} begins or ends with a blank; leave it out")
        if not 1 <= len(self.avatar) <= AVATAR_LENGTH:
            raise ProtocolError(f"the avatar has {len(self.avatar)} characters; it needs 1 to {AVATAR_LENGTH}")
        if not all(is_printable(char) for char in self.avatar):
            raise ProtocolError("the avatar holds a control character or another that cannot be printed")
        if self.secret is not None and not SECRET_PATTERN.fullmatch(self.secret):
            raise ProtocolError("the secret is not 1 to 64 ASCII characters without a colon")


#: How a page's statement begins. No login does: an id holds no blank.
PAGE_VERB = "page "


@dataclass(frozen=True, slots=True)
class BrowserOf:
    """A page states whose browser it speaks for, before the person's login. Only the port for people takes it.

    Attributes:
        token: of the host, which only a page of the host knows.
        host: the browser's IP address.
        port: of the browser.

    Raises:
        ProtocolError: a part is not allowed; the text does not repeat the token.
    """

    token: str = field(repr=False)
    host: str
    port: int

    def __post_init__(self) -> None:
        if not TOKEN_PATTERN.fullmatch(self.token):
            raise ProtocolError("the token is not 1 to 128 letters, digits, '-' or '_'")
        try:
            ip_address(self.host)
        except ValueError:
            raise ProtocolError("the browser's address is not an IP address") from None
        if not 0 <= self.port <= LARGEST_PORT:
            raise ProtocolError(f"the browser's port is not a number from 0 to {LARGEST_PORT}")


#: How a program asks for table news. No login is like it: it has no colon.
WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Watch:
    """A person's program asks, before its login, to be told what its player sees. Only the port for people takes it."""


class TableNews(NamedTuple):
    """What a person's program is told beside its questions; needs no reply.

    Attributes:
        text: an event as JSON, see ``protocol.person_events``.
    """

    text: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game begins: its name, and what is agreed about it. Sent before every game but stud; needs no reply.

    Attributes:
        name: the game's name.
        facts: keys and values, neither of which holds a colon; ``seat`` is the reader's own.
    """

    name: str
    facts: tuple[tuple[str, str], ...] = ()

    @classmethod
    def about(cls, game: Game, seat: int, players: int) -> Self:
        """What the player in ``seat`` of ``players`` is told before a game."""
        agreed = ((key, str(fact)) for key, fact in game.facts.items())
        return cls(game.name, (("seat", str(seat)), ("players", str(players)), *agreed))

    def __getitem__(self, key: str) -> str:
        return dict(self.facts)[key]


#: Makes one emoji of several; the only formatting character an avatar may hold.
_ZERO_WIDTH_JOINER = "\u200d"


def is_printable(char: str) -> bool:
    """Whether a character can be shown without harm. One too new for this Python's tables can."""
    return char.isprintable() or char == _ZERO_WIDTH_JOINER or unicodedata.category(char) == "Cn"


#: How the reason of a refusal begins that may pass by itself, at the port for people: whoever comes back in a moment,
#: perhaps gets the seat.
TRY_AGAIN = "try again; "

#: Colons of a reason, and what stands there instead: real clients show only what comes before the second colon of a
#: message. A bet is quoted without its colon, but other quoted text must not look like a correct message.
_COLONS = (
    (re.compile(r":(?=\s|$)"), ";"),
    (re.compile(r"(?<!['\w])bet:(?=\d)"), "bet "),
    (re.compile(":"), "(colon)"),
)

_UNSAFE_WORDS = re.compile("(log)(in)|(bet)([12])|(stat)(us)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Done:
    """The last message of a session; ``reason`` says why, in words for the student.

    Clients in use look for other commands anywhere in a message, or cut it at each colon. So the reason is taken in a
    form that has none of their words, no colon, no control characters and at least one character.

    Attributes:
        reason: in that form.
        comment: the same with its words and colons, for programs that hear a comment instead.
    """

    reason: str
    comment: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        printable = "".join(char if char.isprintable() else "?" for char in self.reason.strip()) or "the end"
        object.__setattr__(self, "comment", printable[:REASON_LENGTH])
        for colon, instead in _COLONS:
            printable = colon.sub(instead, printable)
        safe = _UNSAFE_WORDS.sub(lambda found: "-".join(part for part in found.groups() if part), printable)
        object.__setattr__(self, "reason", safe[:REASON_LENGTH])


@dataclass(frozen=True, slots=True)
class Version:
    """A program of the Annual Computer Poker Competition is there, which gives no name; see ``protocol.wire.acpc``."""


class Shown(NamedTuple):
    """What one program of that competition is told about a hand.

    Attributes:
        line: the match state, without the end of the line.
        spent: chips that its player has put in during this hand.
        sized: whether a raise must name its size.
    """

    line: str
    spent: int
    sized: bool


class Correction(NamedTuple):
    """What a program of that competition asked for although the rules forbid it, where the nearest action was taken.

    Attributes:
        asked: the action, as words behind "asked to": "fold", "raise", "raise to 40". Never text of the program.
        reason: what it did and why that is not allowed.
    """

    asked: str
    reason: str


class ShownTurn(NamedTuple):
    """One of those programs is to act: it answers the match state that it was told last.

    Attributes:
        legal: what the rules allow. No more is needed to read the answer, and a game's ``Turn`` takes longer to make.
    """

    legal: Legal


#: What the dealer says, as a bot hears it.
Command = Login | GameInfo | Turn | Status | TableNews | Done

#: What a bot answers.
Reply = Name | BrowserOf | Watch | Action | Version
