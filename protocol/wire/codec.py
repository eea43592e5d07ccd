"""Messages as colon text. A reply is read by what was asked: ``KS:Steph`` answers a login, ``bet:20`` a turn."""

from typing import Any

from protocol.games.base import FOLD, Action, Bet, Fold
from protocol.wire.messages import (
    PAGE_VERB,
    WATCH,
    BrowserOf,
    Command,
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
    quoted,
)
from protocol.wire.text import Encoder, find_action_text, find_encoder, game_texts, load_text

_AMOUNT_DIGITS = 9
_PORT_DIGITS = 5

#: Nearly every reply is one of these, and a value that cannot change need not be made again.
USUAL_ACTIONS: dict[str, Action] = {"fold": FOLD, **{f"bet:{amount}": Bet(amount) for amount in range(100)}}


def _encode_game_info(info: GameInfo) -> str:
    return ":".join(["game", info.name, *[f"{key}={value}" for key, value in info.facts]])


_ENCODERS: dict[type, Encoder] = {
    Bet: lambda bet: f"bet:{bet.amount}",
    Fold: lambda _fold: "fold",
    Login: lambda _login: "login",
    SecretLogin: lambda _login: "login",
    Name: lambda name: f"{name.id}:{name.avatar}" + (f":{name.secret}" if name.secret is not None else ""),
    BrowserOf: lambda browser: f"{PAGE_VERB}{browser.token} {browser.port} {browser.host}",
    Watch: lambda _watch: WATCH,
    TableNews: lambda news: f"event:{news.text}",
    Done: lambda done: f"done:{done.reason}",
    GameInfo: _encode_game_info,
}

#: The game of a session in which the dealer has not named one: the protocol of its source has no ``game:`` message.
FIRST_GAME = "stud"


def encode(message: Command | SecretLogin | Shown | ShownTurn | Reply) -> str:
    """The text of any message."""
    sort = type(message)
    try:
        encoder = _ENCODERS[sort]
    except KeyError:
        # Types that belong to a game are looked for when one is first sent, so that a process that plays one game need
        # not load the others. A dict with __missing__ would make every message slower.
        encoder = _ENCODERS[sort] = find_encoder(sort)
    return encoder(message)


def decode_name(text: str) -> Name:
    """The answer to a login: ``<id>:<avatar>``, split at the first colon, blanks around either dropped.

    Raises:
        ProtocolError: no colon, or an id or avatar that is not allowed.
    """
    _refuse_people(text)
    id_, colon, avatar = text.partition(":")
    if not colon:
        raise ProtocolError(f"expected '<id>:<avatar>', got {quoted(text)}")
    return Name(id_.strip(), avatar.strip())


def decode_secret_name(text: str) -> Name:
    """The answer to a login that asks for a secret: ``<id>:<avatar>:<secret>``, split at the first and last colon.

    Raises:
        ProtocolError: a colon is missing, or a part is not allowed; the text does not repeat what may be the secret.
    """
    _refuse_people(text)
    id_, _, rest = text.partition(":")
    avatar, colon, secret = rest.rpartition(":")
    if not colon:
        raise ProtocolError("expected '<id>:<avatar>:<secret>': this dealer asks for a secret of your own choice")
    return Name(id_.strip(), avatar.strip(), secret.strip())


def decode_browser(text: str) -> BrowserOf:
    """The statement of a page: ``page <token> <port> <address>``.

    Raises:
        ProtocolError: it is none; the text does not repeat what may be the token.
    """
    token, _, rest = text.removeprefix(PAGE_VERB).partition(" ")
    port, _, host = rest.partition(" ")
    if not (port.isdecimal() and port.isascii() and len(port) <= _PORT_DIGITS):
        raise ProtocolError("expected 'page <token> <port> <address>'")
    return BrowserOf(token, host, int(port))


def _refuse_people(text: str) -> None:
    """Refuse what only the port for people takes. An error about a login may repeat it, with the token of a page.

    Raises:
        ProtocolError: the text is for that port alone.
    """
    if text == WATCH:
        raise ProtocolError(
            "expected a login; watch is said once, and at the port for people alone, which casino serve opens with "
            "--people; a person connects to that port"
        )
    if text.startswith(PAGE_VERB):
        raise ProtocolError(
            "expected a login; only a page states a browser's address, once before the login, at the port for people"
        )


def encode_action(action: Action, turn: Any) -> str:
    """The text of the answer to ``turn``, as its game writes answers."""
    sort: type = type(turn)
    special = find_action_text(sort)
    return encode(action) if special is None else special.write(action)


def decode_action(text: str, turn: Any = None) -> Action:
    """The answer to ``turn``: ``fold`` or ``bet:<chips put in now>``, or as its game writes answers.

    Raises:
        QuitGame: ``quit``.
        ProtocolError: anything else.
    """
    sort: type = type(turn)
    special = find_action_text(sort)
    if special is not None:
        return special.read(text, turn)
    usual = USUAL_ACTIONS.get(text)
    if usual is not None:
        return usual
    amount = text[4:]
    if text.startswith("bet:") and amount.isdecimal() and amount.isascii() and len(amount) <= _AMOUNT_DIGITS:
        return Bet(int(amount))
    if text == "quit":
        raise QuitGame("you quit")
    raise ProtocolError(f"expected 'fold' or 'bet:<chips>', got {quoted(text)}")


def decode_command(text: str, game: str = FIRST_GAME) -> Command:
    """What the dealer says, read by a bot that plays ``game``.

    Raises:
        ProtocolError: no command, or one whose fields cannot be read.
    """
    verb, _, rest = text.partition(":")
    match verb:
        case "login":
            return Login()
        case "done":
            return Done(rest)
        case "game":
            return _decode_game_info(rest)
        case "event":
            return TableNews(rest)
    decoders = load_text(game).commands
    if verb not in decoders:
        raise ProtocolError(f"expected login, game, {', '.join(decoders)} or done, got {quoted(text)}")
    command: Command = decoders[verb](rest)
    return command


def _decode_game_info(text: str) -> GameInfo:
    name, *fields = text.split(":")
    try:
        load_text(name)
    except LookupError:
        fields = [""]  # told below, with the games that are installed
    if not all("=" in field for field in fields):
        known = ", ".join(game_texts())
        raise ProtocolError(f"game needs one of {known} and key=value fields, got {quoted(text)}")
    return GameInfo(name, tuple((key, value) for key, _, value in (field.partition("=") for field in fields)))
