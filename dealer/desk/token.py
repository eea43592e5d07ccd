"""The token: a secret that the dealer's terminal shows once, and by which a host is known wherever orders come in."""

import hmac
import secrets
from logging import WARNING

import trio

from dealer.net.throttled_log import ThrottledLog

#: Wrong tokens that an address may send within ``WINDOW_SECONDS``.
TRIES = 10

WINDOW_SECONDS = 60.0


# Not a CasinoError: no command of the dealer ends because of it, it is the answer to a stranger.
class WrongToken(Exception):
    """What was given is not the token; the text says so in one line.

    Attributes:
        wait: seconds after which the address may try again; None while it has tries left.
    """

    def __init__(self, reason: str, wait: int | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class HostToken:
    """The token, which is in no log and on no page, and the wrong ones that each address has given.

    Args:
        text: that of a dealer elsewhere; without one a new token is made.

    Attributes:
        text: random, of 256 bits; to be shown to the host once.
    """

    def __init__(self, text: str | None = None) -> None:
        self.text = secrets.token_urlsafe() if text is None else text
        self._log = ThrottledLog()
        self._since = 0.0
        self._wrong: dict[str, int] = {}

    def check(self, given: str, address: str) -> None:
        """Return if ``given`` is the token.

        The right token always passes, however many wrong ones came before. Nobody guesses 256 bits, and a limit that
        holds for the right token too would let everybody who shares the host's address lock the host out.

        Args:
            given: the text that came instead of the token, or the token.
            address: for which it counts, see ``shared_address``.

        Raises:
            WrongToken: it is not.
        """
        # Surrogates can come from JSON, and must not be an error of their own.
        if hmac.compare_digest(given.encode(errors="replace"), self.text.encode()):
            return
        now = trio.current_time()
        if now - self._since >= WINDOW_SECONDS:
            self._since, self._wrong = now, {}
        self._wrong[address] = self._wrong.get(address, 0) + 1
        self._log.write(WARNING, "desk refused", address, reason="wrong token")
        if self._wrong[address] > TRIES:
            wait = round(self._since + WINDOW_SECONDS - now) + 1
            raise WrongToken(f"too many wrong tokens; try again in {wait} s", wait)
        raise WrongToken("this is not the token that the dealer's terminal shows")
