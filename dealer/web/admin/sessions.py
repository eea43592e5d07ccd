"""Sessions of the host's page: the token is given once, then a cookie stands for it that no script can read.

The cookie travels by itself, so every request that carries it must come from the host's page: it is a POST, to which
browsers add the origin of the page that makes it, and this origin must be the address that the request goes to.
``SameSite`` alone would not do, because pages at other ports of the same address are of the same site.
"""

import secrets
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.requests import Request

from dealer.web.admin.guard import Guard, RequestRefused, check_origin

#: Browsers that may be logged in at once; one more ends the oldest session.
SESSIONS = 32


class Sessions:
    """The browsers in which the host has given the token."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._known: dict[bytes, None] = {}  # by hash, so that no comparison takes a time that tells a part of one

    def log_in(self, request: Request, token: str) -> str:
        """Begin a session and return the header that sets its cookie.

        Raises:
            RequestRefused: the token is wrong, or the request does not come from the host's page.
        """
        check_host_page(request)
        self._guard.check_token(request, token)
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
        check_host_page(request)
        if not self.is_open(request):
            raise RequestRefused(401, "give the token that the dealer's terminal shows")

    def is_open(self, request: Request) -> bool:
        """True if the session that a request belongs to has begun, and has not ended since."""
        return _hash(_secret(request)) in self._known

    def log_out(self, request: Request) -> str:
        """End the session of a request and return the header that removes its cookie."""
        self._known.pop(_hash(_secret(request)), None)
        return f"{_cookie(request, '')}; Max-Age=0"


def check_host_page(request: Request) -> None:
    """Let a request pass if a browser says that the page at the same address made it.

    Raises:
        RequestRefused: another page made it, or it does not tell.
    """
    check_origin(request)
    origin = urlsplit(request.headers.get("origin", ""))
    if origin.scheme not in ("http", "https") or origin.netloc != request.headers.get("host"):
        raise RequestRefused(403, "only the dealer's own page can give orders")


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
