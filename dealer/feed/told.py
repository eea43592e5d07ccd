"""What a dealer and its pages say to each other: what pages are told, and what they ask beside orders and files."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

import msgspec

from dealer.faults import FaultKind
from dealer.journal.records import CorrectionNote
from dealer.ledger.played_hand import Deal, HandRecord, PlayedHand
from dealer.lobby.failed_logins import RefusalKind
from dealer.telling.hand_events import won_pots
from protocol import events

#: The types of the first messages of a page in another process, which give the token as a host does: for what the page
#: shows (``page_stream.py``), and for the orders of the host who uses it.
PAGE, DESK = "page", "desk"


class Opened(events.Event, frozen=True, tag="opened"):
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


class Part(events.Event, frozen=True, tag="part"):
    """A part of the state, whole.

    Attributes:
        name: ``scene`` for facts that seldom change, ``lobby``, ``news`` or ``curves``.
        facts: values for JSON, as ``public_facts`` makes them.
    """

    name: str
    facts: Mapping[str, Any]


class Played(events.HandOver, frozen=True, tag="played"):
    """A finished hand with all that it takes to play it again, from which follow the cards, antes, blinds and button.

    Those are left out, because to look for them takes a dealer longer than all the rest of it.

    Attributes:
        match: the ``Match`` from which it was dealt; its fields by name, as it comes out of MessagePack.
        deck: see ``Deal``.
        corrections: see ``HandRecord``.
        why: it is told: as ``news``; to a page that comes late as the ``last`` of its table, or one of the ``best``.
    """

    match: Any = None
    deck: bytes = b""
    corrections: Sequence[CorrectionNote] = ()
    why: Literal["news", "last", "best"] = "news"

    @classmethod
    def of(cls, played: PlayedHand, why: Literal["news", "last"]) -> Self:
        """A hand as its table has it."""
        (deal, actions, faults, corrections), last, ended = played
        return cls(
            deal.table, deal.number, 1, deal.level, deal.players, last.starting, (), (), None, None, None, actions,
            tuple([(seat, kind.value, reason) for seat, kind, reason in faults]), last.pot, won_pots(ended),
            ended.carried, ended.payoffs, match=deal.match, deck=deal.deck, corrections=corrections, why=why,
        )  # fmt: skip

    @property
    def record(self) -> HandRecord:
        """The hand, which can be played again."""
        deal = Deal(self.table, self.hand, self.level, self.players, self.match, self.deck)
        faults = [(seat, FaultKind(kind), reason or "") for seat, kind, reason in self.faults]
        return HandRecord(deal, [*self.actions], faults, self.corrections)


#: What a page is told one by one: parts of the state, hands, and who is out or there again.
One = (
    Opened
    | Part
    | events.Figures
    | events.Dealt
    | events.StreetDealt
    | events.Acted
    | Played
    | events.Left
    | events.Readmitted
    | events.RoundBegun
)


class PageState(events.Event, frozen=True, tag="page"):
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
