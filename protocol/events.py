"""All that can happen in a tournament, as types: what the dealer tells, and what everything that shows it reads.

Some records of the journal are such events. The others become events by the rules and the ledger
(``dealer.telling``), in the same way while a tournament is played and when its journal is read.

The host is told whole events, everybody else their ``public`` form: no ids, nothing that a program wrote, no card
before all may see it.

Players are called by their numbers: their places among the ``players`` of the start, from 0. Tables and seats count
from 0; hands, games, rounds, levels and streets from 1. Cards are text, see ``protocol.cards``.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct

from protocol.games.base import FOLDED as ALL_FOLDED

#: The largest number: those who read JSON or make charts may hold numbers as floats, which are exact up to here. Chips
#: and counts of real tournaments stay far below.
LARGEST = 2**53

#: Stands for a fold where an action has chips.
FOLD_CHIPS = -1

Index = Annotated[int, Meta(ge=0, le=LARGEST)]
Count = Annotated[int, Meta(ge=1, le=LARGEST)]
Number = Annotated[float, Meta(gt=-LARGEST, lt=LARGEST)]
#: A float that is the largest number may stand for a larger one that was rounded.
Seconds = Annotated[float, Meta(gt=0, lt=LARGEST)]

#: The seat, the chips that it put in (``FOLD_CHIPS`` for a fold), and microseconds until the reply; None instead of a
#: time if the dealer folded or checked for the seat.
Act = tuple[Index, Annotated[int, Meta(ge=FOLD_CHIPS, le=LARGEST)], Index | None]


class Event(Struct, frozen=True, tag_field="type"):
    """An event. Its ``type`` names its kind."""

    def public(self) -> Self:
        """The event as everybody may know it."""
        return self


def type_of(event: Struct | type[Struct]) -> str:
    """The ``type`` of an event or record, or of a class of them."""
    return str(event.__struct_config__.tag)


# The tournament


class Started(Event, frozen=True, tag="start"):
    """The tournament begins.

    Attributes:
        game: the name of the game.
        agreed: what is agreed before the first hand, without the seed.
        commitment: to the seed, in hex.
        players: their avatars.
        tables: the players of each table, by seat.
        games: that each table plays.
        rounds: how often all players sit down at new tables with equal stacks.
        ids: of the players; None if they are not told.
    """

    game: str
    agreed: Mapping[str, Any]
    commitment: str
    players: Sequence[str]
    tables: Sequence[Sequence[int]]
    games: int
    rounds: int
    ids: Sequence[str] | None = None

    def public(self) -> Self:
        return msgspec.structs.replace(self, ids=None)


class Resumed(Event, frozen=True, tag="resume"):
    """The dealer was started again, and an interrupted tournament goes on."""


class Stopped(Event, frozen=True, tag="stopped"):
    """The host suspended the tournament, and every table stopped after its hand."""


class Ended(Event, frozen=True, tag="end"):
    """The tournament is over.

    Attributes:
        standings: the facts of each player, the best first: its number, and the public columns of standings.
        seed: in hex, so that everybody may check the cards; None if others dealt the hands.
        seed_text: from which the host made the seed; None if there was none.
    """

    standings: Sequence[Mapping[str, Any]]
    seed: str | None
    seed_text: str | None


class RoundBegun(Event, frozen=True, omit_defaults=True, tag="round"):
    """All players who have not left sit down at new tables, with equal stacks.

    Attributes:
        round: its number.
        tables: the players of each table; the numbers of tables go on from those of the last round.
        readmitted: players who were out and are let in again.
    """

    round: Count
    tables: list[list[Index]]
    readmitted: tuple[Index, ...] = ()


class GameBegun(Event, frozen=True, tag="game"):
    """A game with equal stacks begins at a table with this hand."""

    table: Index
    game: Count
    hand: Count


class LevelBegun(Event, frozen=True, tag="level"):
    """The stakes have risen for every hand that is dealt from now on; ``stakes`` are chips by name."""

    level: int
    stakes: Mapping[str, int]


class Stalled(Event, frozen=True, tag="stall"):
    """The dealer itself did not run for so many seconds, which no player lost."""

    seconds: Seconds


class HostSaid(Event, frozen=True, tag="desk"):
    """The host gave an order.

    Attributes:
        command: ``pause``, ``resume``, ``step``, ``length``, ``pace``, ``message``, ``remove``, ``readmit``, ``level``,
            ``suspend``, ``stop`` or ``end``.
        player: whom it is about, if anybody.
        seconds: of a hand at least, for ``pace``; of the rest of the tournament, for ``length``; for each answer, for
            ``stop``.
        reason: of a removal, or the text of a message.
    """

    command: str
    player: Index | None
    seconds: Number | None
    reason: str | None


class PlayerFigures(Struct, frozen=True):
    """The figures of a player.

    Attributes:
        player: its number.
        place: among all, from 1.
        score: chips, or points where those decide the places.
        chips: of the player; an average where it plays several games.
        stack: before the hand under way; 0 if it has left the round.
        state: ``in``, ``away`` or ``out``.
        faults: its mistakes so far.
        won: hands, or games where a tournament has several.
        replies: that it has given.
        reply: milliseconds within which half of its replies came; None before the first.
        slowest: milliseconds within which 99 of 100 of its replies came; None before the first.
    """

    player: int
    place: int
    score: float
    chips: int
    stack: int
    state: str
    faults: int
    won: int
    replies: int
    reply: float | None
    slowest: float | None


class TableFigures(Struct, frozen=True, array_like=True):
    """A table that plays: hundreds of them are told in a second, so their facts have places instead of names.

    Attributes:
        table: its number.
        hand: under way, or the last one.
        pot: chips in the pot; 0 where there is only one table, whose hands tell it.
        seats: the number and the chips of each player, before the hand under way.
    """

    table: int
    hand: int
    pot: int
    seats: tuple[tuple[int, int], ...]


class Figures(Event, frozen=True, tag="figures"):
    """The figures of a tournament: its players, tables and speed. They are told about once a second.

    Attributes:
        round: under way.
        rounds: in all.
        hand: the number of the current hand at the table that has played most.
        hands: that each table of a round plays at most; None if stakes rise until one player is left.
        decisions: questions answered so far.
        hands_per_second: lately.
        decisions_per_second: lately.
        playing: players who are still in.
        paused: whether the host has paused the tournament.
        pace: seconds that a hand takes now, at least.
        show_left: seconds that are left of the show; None without one.
        trouble: whether the journal cannot be written.
        level: under way; None without levels.
        stakes: of every hand now, in chips by name.
        stage: the last in which players go out: ``final`` table, or ``heads-up``; None before.
        rows: the players, the best first.
        tables: that still play; at the end, those that played in the last round.
    """

    round: int
    rounds: int
    hand: int
    hands: int | None
    decisions: int
    hands_per_second: float
    decisions_per_second: float
    playing: int
    paused: bool
    pace: float
    show_left: int | None
    trouble: bool
    level: int | None
    stakes: Mapping[str, int]
    stage: str | None
    rows: tuple[PlayerFigures, ...]
    tables: tuple[TableFigures, ...]


# Players


class Moved(Event, frozen=True, tag="move"):
    """A player goes to another table with its chips.

    Attributes:
        player: who.
        origin: the table that it left.
        table: where it goes.
        broken: whether it was the last player at the table that it left.
    """

    player: int
    origin: int
    table: int
    broken: bool


class Readmitted(Event, frozen=True, tag="readmitted"):
    """A player whom the host let in again sits down at this table, with the chips it had."""

    player: Index
    table: Index


class BesideHand(Event, frozen=True):
    """An event of a player during a hand or after it. It may come before the end of that hand."""

    player: int
    table: int
    hand: int


class Left(BesideHand, frozen=True, tag="out"):
    """A player is out.

    Attributes:
        chips: before the hand.
        for_good: whether it leaves the tournament, and not only the round under way.
        kind: of the fault that put it out; ``removed`` if the host did, None if it ran out of chips.
        reason: what the player was told; None in the public form where it may quote a program.
    """

    chips: int
    for_good: bool
    kind: str | None
    reason: str | None

    def public(self) -> Self:
        # Any fault but a removal may quote what the program sent, and a confused one may have sent its login.
        return self if self.kind in (None, "removed") else msgspec.structs.replace(self, reason=None)


class Away(BesideHand, frozen=True, tag="away"):
    """A player's connection ended, and the player may come back."""


class Back(BesideHand, frozen=True, tag="back"):
    """A player logged in again."""


class Corrected(BesideHand, frozen=True, tag="corrected"):
    """A program of the ACPC wanted what the rules forbid, and the nearest allowed action was taken.

    Attributes:
        reason: what it wanted; None where that is not for all.
    """

    reason: str | None

    def public(self) -> Self:
        return msgspec.structs.replace(self, reason=None)


# A hand


class AtTable(Event, frozen=True):
    """An event of a hand."""

    table: int
    hand: int


class _DealtIn(AtTable, frozen=True):
    """The players who are dealt into a hand, by seat.

    Attributes:
        game: the number of the game it belongs to.
        level: at which it is dealt.
        players: who sits there.
        stacks: chips before the hand.
        antes: chips that each seat pays into the pot before the first choice.
        blinds: chips that each seat has to bet before the first choice.
        button: the seat with the button; None in games without one.
    """

    game: int
    level: int
    players: tuple[int, ...]
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    button: int | None


class Dealt(_DealtIn, frozen=True, tag="dealt"):
    """A hand begins; its first street follows.

    Attributes:
        holes: the hole cards of each seat; None where they are not for all.
    """

    holes: tuple[tuple[str, ...], ...] | None

    def public(self) -> Self:
        return msgspec.structs.replace(self, holes=None)


class UpCards(Struct, frozen=True):
    """The cards and chips in front of a seat.

    Attributes:
        seat: its number.
        cards: those that lie face up.
        hidden: how many lie face down.
        stack: its chips, without those in the pot.
        all_in: whether it is in with its last chip.
    """

    seat: int
    cards: tuple[str, ...]
    hidden: int
    stack: int
    all_in: bool = False


class StreetDealt(AtTable, frozen=True, tag="street"):
    """A street was dealt.

    Attributes:
        street: its number.
        pot: chips in the pot.
        board: the cards that belong to all seats.
        seats: those that have not folded.
        to_act: the seat whose turn it is; None where nobody can act any more.
        pots: main pot and side pots, as chips and the seats that can win them; empty where there is only one pot.
    """

    street: int
    pot: int
    board: tuple[str, ...]
    seats: tuple[UpCards, ...]
    to_act: int | None = None
    pots: tuple[tuple[int, tuple[int, ...]], ...] = ()


class Acted(AtTable, frozen=True, tag="acted"):
    """An action of a seat, or of the dealer for the seat.

    Attributes:
        street: its number.
        seat: whose turn it was.
        action: ``check``, ``call``, ``bet``, ``raise`` or ``fold``; ``given-up`` if the dealer folded because no good
            reply came, ``forced`` if the rules did because the seat owed more than its stack.
        chips: put in now.
        pot: chips before the action.
        owed: chips needed to stay; None for ``forced``.
        stack: chips of the seat before the action.
        microseconds: until the reply; None if the dealer acted.
        fault: its kind, if a fault is why the dealer folded or checked.
        reason: of the fault, in words; None where that is not for all. It may quote what a program sent.
        asked: what a program of the ACPC asked for although the rules forbid it, and what a raise counts as: "fold",
            "raise to 40, counted as 60". Chips are all that the seat puts in during the hand.
        to_act: the seat whose turn it is after the action; None when the hand or its betting is over.
        pots: after the action, as in ``StreetDealt``.
        all_in: whether the seat is in with its last chip.
    """

    street: int
    seat: int
    action: str
    chips: int
    pot: int
    owed: int | None
    stack: int
    microseconds: int | None = None
    fault: str | None = None
    reason: str | None = None
    asked: str | None = None
    to_act: int | None = None
    pots: tuple[tuple[int, tuple[int, ...]], ...] = ()
    all_in: bool = False

    def public(self) -> Self:
        return self if self.reason is None else msgspec.structs.replace(self, reason=None)


class WonPot(Struct, frozen=True):
    """A pot of a finished hand.

    Attributes:
        chips: in it.
        shares: the chips that each winner collects, as seat and chips.
        kind: what it was won with, in a few words that many hands share: "flush"; empty where that is not known or not
            for all.
        why: the same in words and cards; None where that is not for all.
    """

    chips: int
    shares: tuple[tuple[int, int], ...]
    kind: str
    why: str | None

    def hidden(self) -> Self:
        """The same without what cards won it."""
        return self if self.kind == ALL_FOLDED else msgspec.structs.replace(self, kind="", why=None)


class HandOver(_DealtIn, frozen=True, tag="hand"):
    """A hand is over: all of it, for those who were not told its actions one by one.

    Attributes:
        cards: of each seat, hole cards first: all that it would have had at the end of the last street, also those that
            were never turned up or dealt. None where others dealt the hand, of which not all cards are known, and for
            everybody but the host where the cards are dealt again.
        board: in the same way the cards that belong to all seats; None where ``cards`` is.
        actions: all of them, in order.
        faults: seat, kind, and the reason in words, which may quote what a program sent; None where it is not for all.
        pot: chips of all pots together.
        pots: who won them; the main pot first.
        carried: chips that stay in the pot for the next hand.
        payoffs: chips that each seat won, or lost if negative.
        dealt_again: whether the same cards are dealt again, as in a duplicate tournament.
    """

    cards: tuple[tuple[str, ...], ...] | None
    board: tuple[str, ...] | None
    actions: Sequence[Act]
    faults: tuple[tuple[int, str, str | None], ...]
    pot: int
    pots: tuple[WonPot, ...]
    carried: int
    payoffs: tuple[int, ...]
    dealt_again: bool = False

    def public(self) -> Self:
        faults = tuple([(seat, kind, None) for seat, kind, _ in self.faults])
        if not self.dealt_again:
            return msgspec.structs.replace(self, faults=faults) if faults else self
        pots = tuple([pot.hidden() for pot in self.pots])
        return msgspec.structs.replace(self, cards=None, board=None, faults=faults, pots=pots)


class Voided(Event, frozen=True, tag="void"):
    """A hand does not count, because the dealer was stopped during it."""

    table: Index
    hand: Count
