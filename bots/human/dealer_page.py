"""The page of the dealer at whose table a person sits: it knows names, which the messages of a game do not tell.

It is asked in a thread of its own, so that it delays no answer. Where there is no such page, seats keep their numbers.
"""

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from queue import Empty, SimpleQueue
from threading import Thread

from bots.human.seat_names import Around

#: Seconds that the page may take, for the connection and again for each piece of its answer.
PATIENCE = 1.0

#: Seconds between two looks.
LOOK_SECONDS = 2.0

#: Looks without an answer, one after another, after which there is no page.
FAILURES = 3

#: Bytes of the longest answer: hundreds of avatars.
LONGEST = 1 << 17


class NoPageError(Exception):
    """There is no page of a dealer at that port."""


class DealerPage:
    """The page, which finds the person by the connection at which it plays."""

    def __init__(self, sock: socket.socket, port: int) -> None:
        self._sock = sock
        self._port = port

    def look(self) -> Around:
        """Ask who is around.

        Raises:
            OSError: the page does not answer, or the connection to the dealer has ended.
            NoPageError: something else is at that port.
        """
        ours, theirs = self._sock.getsockname(), self._sock.getpeername()
        page = HTTPConnection(theirs[0], self._port, PATIENCE, source_address=(ours[0], 0))
        try:
            page.request("GET", f"/company?port={ours[1]}")
            answer = page.getresponse()
            if answer.status == 503:  # too many viewers
                raise OSError("the page takes nobody now")
            if answer.status != 200:
                raise NoPageError
            return Around.of(json.loads(answer.read(LONGEST)))
        except (HTTPException, ValueError, KeyError, TypeError):
            raise NoPageError from None
        finally:
            page.close()


@dataclass(frozen=True, slots=True)
class Seen:
    """What the page said.

    Attributes:
        number: of the question that was open when the page was asked; 0 before the first.
        around: who was there.
    """

    number: int
    around: Around


class PageWatch:
    """Asks the page every other second, and at once when it is told to.

    Args:
        page: to ask.
        post: takes what it says, from the thread of the watch, and does not wait.

    Attributes:
        thread: in which the page is asked; it holds up nothing at the end of the program.
    """

    def __init__(self, page: DealerPage, post: Callable[[Seen], object]) -> None:
        self._page = page
        self._post = post
        self._questions: SimpleQueue[int | None] = SimpleQueue()
        self._number = 0
        self.thread = Thread(target=self._run, name="dealer's page", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self.thread.start()

    def ask(self, number: int) -> None:
        """Ask now, and from now on for this open question."""
        self._questions.put(number)

    def stop(self) -> None:
        """Ask no more."""
        self._questions.put(None)

    def _run(self) -> None:
        failures = 0
        while failures < FAILURES:
            try:
                self._post(Seen(self._number, self._page.look()))
            except NoPageError:
                return
            except OSError:
                failures += 1
            else:
                failures = 0
            number = self._next()
            if number is None:
                return
            self._number = number

    def _next(self) -> int | None:
        """Wait for the next time to ask; the last question that was asked then, None to stop."""
        with suppress(Empty):
            return self._questions.get(timeout=LOOK_SECONDS)
        return self._number
