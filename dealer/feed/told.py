"""What a dealer and its pages say to each other: what pages are told, and what they ask beside orders and files."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from dealer.journal.records import FinishedHandRecord
from dealer.ledger.played_hand import Deal, HandRecord
from dealer.lobby.failed_logins import RefusalKind
from protocol.events import Acted, Dealt, Event, Figures, StreetDealt

#: The types of the first messages of a page in another process, which give the token as a host does: for what the page
#: shows (``page_stream.py``), and for the orders of the host who uses it.
PAGE, DESK = "page", "desk"


class Opened(Event, frozen=True, tag="opened"):
    """A tournament is shown from its lobby on; nothing that was told before belongs to it.

    Attributes:
        game: the name of the game.
        options: of the game, by name.
        duplicate: whether its cards are dealt again.
        open_cards: whether all may see hole cards during a hand.
        hands: that were played before.
    """

    game: str
    options: Mapping[str, Any]
    duplicate: bool
    open_cards: bool
    hands: int = 0


class Part(Event, frozen=True, tag="part"):
    """A part of the state, whole.

    Attributes:
        name: ``scene`` for facts that seldom change, ``lobby``, ``news`` or ``curves``.
        facts: values for JSON, as ``public_facts`` makes them.
    """

    name: str
    facts: Mapping[str, Any]


class Played(Event, frozen=True, tag="played"):
    """A finished hand, and all that it takes to play it again.

    Attributes:
        record: of the hand.
        match: the ``Match`` from which it was dealt; its fields by name, as it comes out of MessagePack.
        why: it is told: as ``news``; to a page that comes late as the ``last`` of its table, or one of the ``best``.
    """

    record: FinishedHandRecord
    match: Any
    why: Literal["news", "last", "best"]

    @property
    def hand(self) -> HandRecord:
        """The hand, which can be played again."""
        record = self.record
        deal = Deal(record.table, record.hand, record.level, tuple(record.players), self.match, record.deck)
        return HandRecord(deal, [*record.actions], [*record.faults], record.corrections)


#: What a page is told one by one: parts of the state, and hands.
One = Opened | Part | Figures | Dealt | StreetDealt | Acted | Played


class PageState(Event, frozen=True, tag="page"):
    """All that a page is told first, at once: it can show nothing as long as it knows only some of it."""

    told: Sequence[One]


#: What a page is told.
Told = One | PageState


class MisdirectedProgram(msgspec.Struct):
    """A program of a player that connected to a page; see ``Scene.note_misdirected``."""

    peer: Annotated[str, msgspec.Meta(pattern=r":[0-9]+\Z")]
    port: int
    kind: RefusalKind
    reason: str
    sent: bytes


class Look(msgspec.Struct):
    """Asks for all that a host sees."""


class Metrics(msgspec.Struct):
    """Asks for the figures for Prometheus, among which the page's viewers are counted."""

    viewers: int


class Health(msgspec.Struct):
    """Asks whether the dealer is well."""
