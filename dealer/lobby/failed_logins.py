"""Logins that failed: who tried, from where, with which bytes, and why it got no seat.

A student whose program is refused stands before the host and says "it does not work". So the host's terminal, the desk
and the journal tell what the dealer saw. A flood of connections must not become a flood of lines: each place has its
own limit.
"""

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from logging import INFO, WARNING
from typing import Any

import trio

from dealer.faults import FaultKind
from dealer.journal.records import Record, RefusedRecord
from dealer.net.admission import shared_address
from dealer.net.throttled_log import ThrottledLog
from protocol.wire.messages import ID_PATTERN, PAGE_VERB
from protocol.wire.wrong_port import Speech, recognise

#: Failed logins that the desk shows, and that wait for the start of the journal.
LATEST = 50

#: Records of failed logins that a journal takes in a second, and in all; a whole school fits, an attack does not.
RECORDS_PER_SECOND = 50
RECORDS = 2000

#: The same of one address at one port, so that an attack from there leaves room for others.
OWN_RECORDS_PER_SECOND = 10
OWN_RECORDS = 100

#: Records that are kept for those who have fewer than ``FIRST_RECORDS``.
RESERVED_RECORDS = 500
FIRST_RECORDS = 3

#: The statement of a page, with or without the two bytes of a frame.
_PAGE = re.compile(rb"(..)?" + PAGE_VERB.encode(), re.DOTALL)

#: An address, for IPv6 a network, and a port of the dealer.
Source = tuple[str, int]


class RefusalKind(StrEnum):
    """Why a connection got no seat although its program answered as it should; see ``FaultKind`` for the others."""

    #: All seats are taken.
    FULL = "full"
    #: A player with this id is here already.
    DUPLICATE = "duplicate"
    #: The id is not on the roster.
    UNKNOWN = "unknown"
    #: The tournament has started, or is over, and no player of it has that id.
    CLOSED = "closed"
    #: The player with this id has left the tournament.
    OUT = "out"
    #: The secret is not the one that the player gave first.
    SECRET = "secret"
    #: A browser's address was stated with another token than the host's.
    TOKEN = "token"
    #: Too many connections, of this address or in all.
    CROWD = "crowd"
    #: The program speaks what another port expects.
    WRONG_PORT = "wrong port"


#: Refusals that may pass by themselves: others close their connections, and one that broke is not open for long.
PASSING = frozenset({RefusalKind.CROWD, RefusalKind.DUPLICATE})

#: Kinds of failure that come after a login which could be read.
AFTER_LOGIN = frozenset(
    kind for kind in RefusalKind if kind not in (RefusalKind.TOKEN, RefusalKind.CROWD, RefusalKind.WRONG_PORT)
)


# Not a CasinoError: no command ends because of it, and it is read by the program that logs in, not by the host.
class LoginRefused(Exception):
    """A login that gets no seat; the text is the reason in its ``done:`` message."""

    def __init__(self, kind: RefusalKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class FailedLogin:
    """A connection that got no seat.

    Attributes:
        time: when, in seconds since 1970.
        address: where it came from, with its port.
        port: of the dealer.
        kind: why, in a word: of ``RefusalKind`` or ``FaultKind``.
        reason: what the program was told.
        id: the player's, as far as the bytes tell it.
        sent: the first bytes that came, without what may be a secret.
        program: the program that a league has started for this port; None elsewhere.
        times: how often the same came in succession.
    """

    time: float
    address: str
    port: int
    kind: str
    reason: str
    id: str | None = None
    sent: bytes = b""
    program: str | None = None
    times: int = 1

    @property
    def host(self) -> str:
        """The address without its port."""
        return self.address.rpartition(":")[0]

    @property
    def source(self) -> Source:
        """Where it came from, and to which port."""
        return shared_address(self.host), self.port

    @property
    def silent(self) -> bool:
        """Whether the peer sent nothing, as port scanners and health checks do."""
        return self.kind == FaultKind.GONE and not self.sent

    def same_as(self, other: "FailedLogin") -> bool:
        """Whether the same program failed in the same way."""
        return (self.host, self.port, self.kind, self.id) == (other.host, other.port, other.kind, other.id)

    def as_json(self) -> dict[str, Any]:
        """The facts for the desk; bytes as Python writes them."""
        facts = {name: getattr(self, name) for name in ("time", "address", "port", "kind", "reason", "id", "times")}
        return {**facts, "sent": readable(self.sent)}


class FailedLogins:
    """All failed logins of a dealer.

    Attributes:
        latest: the last ones, the newest last; equal ones in succession are one. Where there are too many, the oldest
            one of the source that has most of them goes.
        by_program: the last one of each program that a league has started.
        changed: called after each.
    """

    def __init__(self) -> None:
        self.latest: list[FailedLogin] = []
        self._sources: list[Source] = []  # of the latest
        self.by_program: dict[str, FailedLogin] = {}
        self.changed: Callable[[], None] = lambda: None
        self._record: Callable[[Record], None] | None = None
        self._log = ThrottledLog()
        self._second = 0.0
        self._in_second: Counter[Source] = Counter()
        self._recorded: Counter[Source] = Counter()

    def note(self, failed: FailedLogin, *, logged: bool = True) -> None:
        """Tell the host of a failed login.

        Args:
            failed: what happened.
            logged: whether it goes to the log, too.
        """
        if logged:
            self._write(failed)
        last = self.latest[-1] if self.latest else None
        if last is not None and failed.same_as(last):
            self.latest[-1] = replace(failed, times=last.times + 1)
        else:
            self.latest.append(failed)
            self._sources.append(failed.source)
            self._forget_one_too_many()
        if failed.program is not None:
            self.by_program[failed.program] = failed
        if self._record is not None and not failed.silent:
            self._keep(failed)
        self.changed()

    def record_with(self, record: Callable[[Record], None]) -> None:
        """From now on record failed logins, and first those that came before there was a journal."""
        self._record = record
        for failed in self.latest:
            if not failed.silent:
                self._write_record(failed)

    def stop_recording(self) -> None:
        """Record no more: the journal is about to end."""
        self._record = None

    def flush(self) -> None:
        """Log how many were only counted."""
        self._log.flush()

    def flush_when_due(self) -> None:
        """Log how many were only counted, if their second is over."""
        self._log.flush_when_due()

    def _write(self, failed: FailedLogin) -> None:
        facts: dict[str, object] = {"peer": failed.address, "port": failed.port, "reason": failed.reason}
        if failed.id is not None:
            facts["player"] = failed.id
        if failed.sent:
            facts["sent"] = readable(failed.sent)
        # The address alone decides what shares a line, but a class may sit behind one: each kind has a line of its own.
        self._log.write(INFO if failed.silent else WARNING, f"login failed: {failed.kind}", failed.host, **facts)

    def _forget_one_too_many(self) -> None:
        if len(self.latest) > LATEST:
            ((most, _),) = Counter(self._sources).most_common(1)
            oldest = self._sources.index(most)
            del self.latest[oldest], self._sources[oldest]

    def _keep(self, failed: FailedLogin) -> None:
        """Record a failed login, unless there are too many."""
        now, source = trio.current_time(), failed.source
        if now - self._second >= 1.0:
            self._second = now
            self._in_second.clear()
        if self._in_second[source] >= OWN_RECORDS_PER_SECOND or self._in_second.total() >= RECORDS_PER_SECOND:
            return
        most = RECORDS if self._recorded[source] < FIRST_RECORDS else RECORDS - RESERVED_RECORDS
        if self._recorded[source] < OWN_RECORDS and self._recorded.total() < most:
            self._in_second[source] += 1
            self._write_record(failed)

    def _write_record(self, failed: FailedLogin) -> None:
        if self._record is None:
            return
        self._recorded[failed.source] += 1
        self._record(
            RefusedRecord(failed.time, failed.address, failed.port, failed.kind, failed.reason, failed.id, failed.sent)
        )


def failed_login(
    address: str, port: int, kind: str, reason: str, sent: bytes, *, program: str | None, secrets: bool
) -> FailedLogin:
    """A failed login that happens now.

    Args:
        address: where it came from, with its port.
        port: of the dealer.
        kind: see ``FailedLogin``.
        reason: what the program is told.
        sent: the first bytes that came.
        program: the program that a league has started for this port; None elsewhere.
        secrets: whether logins hold secrets, so that what follows an id must not be kept.
    """
    head, colon, rest = sent.partition(b":")
    kept = head + colon + b"..." if secrets and rest else sent
    if page := _PAGE.match(sent):  # what follows may be the host's token
        kept, colon = page[0] + b"...", b""
    # The first line of a program of the ACPC has a colon, but no id.
    id = _id_in(head) if colon and recognise(sent) is not Speech.ACPC else None
    return FailedLogin(time.time(), address, port, kind, reason, id, kept, program)


def _id_in(head: bytes) -> str | None:
    """The id before the first colon of a login, with or without the two bytes of a frame; None if there is none."""
    text = (head[2:] if head[:1] <= b"\1" else head).decode("latin-1").strip()
    return text if ID_PATTERN.fullmatch(text) else None


def readable(sent: bytes) -> str:
    r"""Bytes as Python writes them: ``\x00\x08ks:Steph``."""
    return repr(sent)[2:-1]
