"""A finished hand as a viewer saw it: one of its seats, or the host, who sees every card.

A seat was shown its own hole cards, ``Hand.public`` and its ``Status``, and nothing else goes into the hand that it
sees again. So an event cannot hold a card that the viewer could not see. Ids, and the reasons of faults, which quote
what a program sent, are for the host and for the player itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import structs

from dealer.audit.hands import ReplayedHand
from dealer.audit.win_chances import run_outs, win_chances
from dealer.telling.hand_events import HandEvents, texts
from protocol.cards import UNKNOWN, Piece
from protocol.events import Acted, StreetDealt
from protocol.games.game import Game
from protocol.games.run_out import RunOut


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat and its player.

    Attributes:
        seat: its number, from 0.
        id: of the player; None if the viewer is another.
        avatar: the name that the player chose for all to see.
        hole: its hole cards; None if the viewer could not see them.
        before: chips before the hand.
        after: chips when its pot had been divided.
    """

    seat: int
    id: str | None
    avatar: str
    hole: tuple[str, ...] | None
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class SeatChance:
    """The cards and the chance of a seat, before the rest of the board is dealt.

    Attributes:
        seat: its number.
        cards: its hole cards.
        win: its chance to win the main pot (0 to 1); a tie counts as a share.
    """

    seat: int
    cards: tuple[str, ...]
    win: float


@dataclass(frozen=True, slots=True)
class ChancesShown:
    """Nobody can act any more: the cards of all who are in were shown before the rest of the board.

    Attributes:
        street: from 1.
        seats: those that have not folded.
    """

    street: int
    seats: tuple[SeatChance, ...]


#: What happens in a hand.
SeenEvent = StreetDealt | Acted | ChancesShown


@dataclass(frozen=True, slots=True)
class CardsTold:
    """The whole cards of a seat that the viewer knows at the end, hole cards first, and what they are worth."""

    seat: int
    cards: tuple[str, ...]
    worth: str


@dataclass(frozen=True, slots=True)
class Collected:
    """The chips that a seat collected from all pots, and what it won them with."""

    seat: int
    chips: int
    why: str


#: The viewer without a seat, who sees what all seats see.
RAIL = -1

#: What is said of a winner whose cards the viewer may not know.
NOT_SHOWN = "cards that were not shown"


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A finished hand as a viewer saw it.

    Attributes:
        table: from 0.
        hand: its number at the table, from 1.
        game: the number of the game it belongs to, from 1.
        level: at which it was dealt, from 1.
        viewer: the seat that sees it, or ``RAIL``; None for the host.
        seats: all seats that were dealt in.
        events: from the deal to the last action.
        told: the cards that the viewer knows at the end, by seat.
        pot: chips of all pots together.
        carried: chips that stay in the pot for the next hand.
        collected: where the other chips went.
    """

    table: int
    hand: int
    game: int
    level: int
    viewer: int | None
    seats: tuple[SeatShown, ...]
    events: tuple[SeenEvent, ...]
    told: tuple[CardsTold, ...]
    pot: int
    carried: int
    collected: tuple[Collected, ...]


def seen_hand(hand: ReplayedHand, game: Game, viewer: int | None = None, *, end_only: bool = False) -> SeenHand:
    """A hand as ``viewer`` saw it, a seat that was dealt in or ``RAIL``; with all cards for None.

    Args:
        hand: the hand.
        game: that was played.
        viewer: see above.
        end_only: whether to leave out the events, which take most of the time, above all chances to win.
    """
    holes = _holes(hand, viewer)
    told = _told(hand, holes, game)
    return SeenHand(
        hand.table,
        hand.number,
        hand.game,
        hand.level,
        viewer,
        tuple(_seats(hand, holes, viewer)),
        () if end_only else _with_run_out(_seen_events(hand, viewer), hand, game),
        tuple(told.values()),
        hand.last.pot,
        hand.settlement.carried,
        tuple(_collected(hand, told, viewer)),
    )


def _holes(hand: ReplayedHand, viewer: int | None) -> dict[int, tuple[Piece, ...]]:
    """The hole cards that the viewer may see, as they were when the seat was last in."""
    holes = {}
    for moment in (*(step.before for step in hand.steps), hand.last):
        for seat in moment.live:
            if viewer in (None, seat):
                holes[seat] = moment.hole(seat)
    return holes


def _seats(hand: ReplayedHand, holes: Mapping[int, tuple[Piece, ...]], viewer: int | None) -> Iterator[SeatShown]:
    facts = zip(hand.players, hand.last.starting, hand.settlement.payoffs, strict=True)
    for seat, (player, before, payoff) in enumerate(facts):
        hole = texts(holes[seat]) if seat in holes else None
        yield SeatShown(
            seat, player.id if viewer in (None, seat) else None, player.avatar, hole, before, before + payoff
        )


def _told(hand: ReplayedHand, holes: Mapping[int, tuple[Piece, ...]], game: Game) -> dict[int, CardsTold]:
    """The whole cards that the viewer knows at the end, by seat.

    They are those of the status and those whose hole cards the viewer knows. After a hand that was won by folds there
    are none: nobody turned cards up, and the status of stud has cards in it that were never dealt.
    """
    live, public, settlement = hand.last.live, hand.last.public(), hand.settlement
    if len(live) == 1:
        return {}
    up = {seat: public.seats[seat].up for seat in live}
    known = {**holes, **dict(settlement.shown)}
    whole = {seat: (*known[seat], *cards) for seat, cards in up.items() if seat in known}
    for seat in live:
        # A status does not say whose cards the winning ones are; their owner's up cards are among them.
        winning = settlement.cards
        if settlement.shares[seat] and len(winning) > len(up[seat]) and set(up[seat]) <= set(winning):
            whole.setdefault(seat, winning)
            break
    return {
        # The winning cards of a status may include the board, and no card counts twice.
        seat: CardsTold(seat, texts(cards), game.describe(tuple(dict.fromkeys((*cards, *public.board)))))
        for seat, cards in sorted(whole.items())
        if UNKNOWN not in (*cards, *public.board)
    }


def _collected(hand: ReplayedHand, told: Mapping[int, CardsTold], viewer: int | None) -> Iterator[Collected]:
    """The chips that each seat collected, and why as far as the viewer may know."""
    live, settlement = hand.last.live, hand.settlement
    knows_all = viewer is None or len(live) == 1 or told.keys() >= set(live)
    for seat, share in enumerate(settlement.shares):
        if share:
            own = told.get(viewer) if seat == viewer else None
            says_it = knows_all or (own is not None and own.cards != texts(settlement.cards))
            yield Collected(seat, share, settlement.why(seat) if says_it else _worth_shown(told, seat))


def _worth_shown(told: Mapping[int, CardsTold], seat: int) -> str:
    """The known strength of a seat that collected chips.

    A viewer who does not know all cards is not told why: the reason says whether a winner was alone, or which of two
    pots it won, and that depends on cards that were never shown. Only a seat that collected chips although others were
    shown as the winner knows its own reason.
    """
    return told[seat].worth if seat in told else NOT_SHOWN


def _seen_events(hand: ReplayedHand, viewer: int | None) -> Iterator[StreetDealt | Acted]:
    """The streets and actions, with the reasons of faults that the viewer may read."""
    for event in HandEvents.of(hand).steps(hand.steps, hand.last):
        if isinstance(event, Acted):
            yield event if viewer in (None, event.seat) else event.public()
        elif isinstance(event, StreetDealt):
            yield event


def shown_run_outs(hand: ReplayedHand, game: Game) -> Sequence[RunOut]:
    """The streets that were dealt when nobody could act any more, if the cards of all who were in were shown."""
    all_shown = set(hand.last.live) == {seat for seat, _ in hand.settlement.shown}
    return run_outs(hand.steps, hand.last, game) if all_shown else ()


def _with_run_out(events: Iterable[SeenEvent], hand: ReplayedHand, game: Game) -> tuple[SeenEvent, ...]:
    """The events with every street that was dealt when nobody could act any more, and the chances before each."""
    streets = shown_run_outs(hand, game)
    if not streets:
        return tuple(events)
    *before, last = events
    assert isinstance(last, StreetDealt)
    for number, street in enumerate(streets):
        chances = win_chances(street, len(hand.players))
        if number or not before:
            before.append(structs.replace(last, street=street.street, board=texts(street.board)))
        seats = [SeatChance(seat, texts(hand.last.hole(seat)), round(chances.wins[seat], 4)) for seat in street.live]
        before.append(ChancesShown(street.street, tuple(seats)))
    return (*before, last)
