"""The guard of the desk: lets in requests that have the token and do not come from a foreign page."""

import secrets
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from dealer.desk.token import HostToken, WrongToken
from dealer.net.admission import shared_address


# Not a CasinoError: no command of the dealer ends because of it, it is the answer to an HTTP request.
class RequestRefused(Exception):
    """An HTTP request that the desk does not take."""

    def __init__(self, status: int, reason: str, **headers: str) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class OwnPageOnly:
    """Middleware for a page on which people act: foreign pages get none of its files, and no WebSocket.

    Links from other pages may lead here, so a request without an origin passes.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] in ("http", "websocket"):
            try:
                _check_headers(HTTPConnection(scope))
            except RequestRefused as error:
                if scope["type"] == "websocket":
                    await WebSocketClose()(scope, receive, send)
                else:
                    await PlainTextResponse(f"{error}\n", error.status)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def check_origin(request: Request, *, needs_page: bool = False) -> None:
    """Let a request pass if it comes from the dealer's own page, or from no page at all.

    A foreign page does not know the token, but a browser must not even carry its guesses.

    Args:
        request: the request.
        needs_page: whether a browser has to say that the page at the same address made it.

    Raises:
        RequestRefused: it comes from another page, or through a name, or does not say from where.
    """
    _check_headers(request)
    origin = urlsplit(request.headers.get("origin", ""))
    from_page = origin.scheme in ("http", "https") and origin.netloc == request.headers.get("host")
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin" or (needs_page and not from_page):
        raise RequestRefused(403, "only the dealer's own page can give orders")


def _check_headers(request: HTTPConnection) -> None:
    """Let a request pass that names the dealer by its address, and whose origin is the same if it has one.

    The owner of a name can make it lead here (DNS rebinding), and then a page of that owner would count as the
    dealer's own. An address cannot be made to lead elsewhere.

    Raises:
        RequestRefused: it comes from another page, or through a name.
    """
    host = request.headers.get("host", "")
    if not _is_address(host):
        raise RequestRefused(403, "open the dealer's page by its address, such as http://192.168.1.20:8080")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != host:
        raise RequestRefused(403, "only the dealer's own page can give orders")


def _is_address(host: str) -> bool:
    """True if a ``Host`` header is an address, or ``localhost``."""
    try:
        name = urlsplit(f"//{host}").hostname
        return name == "localhost" or bool(name and ip_address(name))
    except ValueError:
        return False


#: Browsers that may be logged in at once; one more ends the oldest session.
SESSIONS = 32


class Guard:
    """Lets requests of the host pass: those with the token, and those of browsers in which the host has given it once.

    For such a browser a cookie stands for the token, which no script can read. It travels by itself, so every request
    that carries it must come from the host's page: it is a POST, to which browsers add the origin of the page that
    makes it, and this origin must be the address that the request goes to. ``SameSite`` alone would not do, because
    pages at other ports of the same address are of the same site.
    """

    def __init__(self, token: HostToken) -> None:
        self._token = token
        self._known: dict[bytes, None] = {}  # by hash, so that no comparison takes a time that tells a part of one

    def check_token(self, request: Request) -> None:
        """Let a request pass that has the token.

        Raises:
            RequestRefused: it has not, or comes from a page that is not the dealer's.
        """
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        self._check_given(request, given.strip() if scheme.lower() == "bearer" else "")

    def _check_given(self, request: Request, given: str) -> None:
        check_origin(request)
        try:
            self._token.check(given, shared_address(request.client.host) if request.client else "unknown")
        except WrongToken as wrong:
            if wrong.wait is None:
                raise RequestRefused(401, str(wrong), WWW_Authenticate="Bearer") from None
            raise RequestRefused(429, str(wrong), Retry_After=str(wrong.wait)) from None

    def log_in(self, request: Request, token: str) -> str:
        """Begin the session of a browser and return the header that sets its cookie.

        Raises:
            RequestRefused: the token is wrong, or the request does not come from the host's page.
        """
        check_origin(request, needs_page=True)
        self._check_given(request, token)
        secret = secrets.token_urlsafe()
        self._known[_hash(secret)] = None
        if len(self._known) > SESSIONS:
            del self._known[next(iter(self._known))]
        return _cookie(request, secret)

    def check(self, request: Request) -> None:
        """Let a request pass if it comes from the host's page in a browser that is logged in.

        Raises:
            RequestRefused: it does not.
        """
        check_origin(request, needs_page=True)
        if not self.is_open(request):
            raise RequestRefused(401, "give the token that the dealer's terminal shows")

    def is_open(self, request: Request) -> bool:
        """True if the session that a request belongs to has begun, and has not ended since."""
        return _hash(_secret(request)) in self._known

    def log_out(self, request: Request) -> str:
        """End the session of a request and return the header that removes its cookie."""
        self._known.pop(_hash(_secret(request)), None)
        return f"{_cookie(request, '')}; Max-Age=0"


def _name(request: Request) -> str:
    """The name of the cookie. Cookies do not tell ports apart, and two dealers of a machine must not share one."""
    server = request.scope.get("server") or ("", 0)
    return f"casino-host-{server[1]}"


def _cookie(request: Request, value: str) -> str:
    # Not "Secure": the dealer speaks no TLS, and a browser would not send the cookie back.
    return f"{_name(request)}={value}; Path=/host; HttpOnly; SameSite=Strict"


def _secret(request: Request) -> str:
    try:
        found = SimpleCookie(request.headers.get("cookie", "")).get(_name(request))
    except CookieError:
        return ""
    return "" if found is None else found.value


def _hash(secret: str) -> bytes:
    return sha256(secret.encode(errors="replace")).digest()
