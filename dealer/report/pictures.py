"""The pictures beside the curves at the head of the report's page, as values: one hand with its cards, and who fell."""

from collections.abc import Sequence
from dataclasses import dataclass

from dealer.faults import FaultKind
from dealer.report.contents import Contents, at_table
from dealer.report.labels import HandLink, Label, PageLinks
from dealer.report.page_tables import Matrix, matrix
from dealer.report.story import pot_won, winners_of
from dealer.telling.moments import Fall
from protocol.cards import SUIT_SYMBOL, SUIT_TEXT, Piece, parse_card
from protocol.events import HandOver

#: Players in a picture; the best ones, where there are more.
SHOWN = 6


@dataclass(frozen=True, slots=True)
class Face:
    """A card, or what a game has instead of cards: its rank, its suit as a letter and as a symbol."""

    rank: str
    suit: str = ""
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """A seat of a drawn hand: who, its cards unless it folded, and chips won or lost."""

    label: Label
    faces: Sequence[Face]
    payoff: str
    won: bool


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A hand with its cards: the winners, then who else was in at the end; ``folded`` others are not shown."""

    title: str
    link: HandLink
    board: Sequence[Face]
    seats: Sequence[DrawnSeat]
    folded: int
    how: str


@dataclass(frozen=True, slots=True)
class FallRow:
    """A player who fell, in which hand, and by whom or why."""

    link: HandLink
    player: Label
    by: Label | None
    why: str


def hand_picture(contents: Contents, links: PageLinks) -> HandPicture | None:
    """The hand with the largest pot; None before the first."""
    hand = contents.course.largest
    if hand is None:
        return None
    settlement, last = hand.settlement, hand.last
    order = sorted(last.live, key=lambda seat: -settlement.payoffs[seat])[:SHOWN]
    told = contents.course.told.largest[0]
    public, winners = last.public(), winners_of(told)
    seats = [
        DrawnSeat(
            contents.labels[hand.players[seat]],
            [face(piece) for piece in (*last.hole(seat), *public.seats[seat].up)],
            f"{settlement.payoffs[seat]:+,}".replace("-", "\N{MINUS SIGN}"),
            seat in winners,
        )
        for seat in order
    ]
    where = at_table(contents.rebuild.ledger, hand.table)
    return HandPicture(
        f"The largest pot: {last.pot:,} in hand {hand.number:,}{where}",
        links.hand(hand.table, hand.number),
        [face(piece) for piece in public.board],
        seats,
        len(hand.players) - len(order),
        how(contents, told),
    )


def how(contents: Contents, hand: HandOver) -> str:
    """A sentence that says who won a hand, and with what."""
    words = pot_won(contents, hand, lambda player: isolated(contents.labels[player].short))
    return f"{words[0].upper()}{words[1:]}."


def isolated(name: str) -> str:
    """A name in a sentence of the page: the direction of its letters stays its own (Unicode's first strong isolate)."""
    return f"\u2068{name}\u2069"


def face(piece: Piece) -> Face:
    """A card with its symbol; a die or a number as its text."""
    try:
        card = parse_card(piece.text)
    except ValueError:
        return Face(piece.text)
    return Face(card.text[:-1], SUIT_TEXT[card.suit], SUIT_SYMBOL[card.suit])


def falls_picture(contents: Contents, links: PageLinks) -> list[FallRow]:
    """Players who fell, the last one first; none in several rounds, in which all begin anew."""
    falls = contents.course.told.falls if contents.rebuild.ledger.seating.rounds == 1 else []
    return [_fall_row(contents, fall, links) for fall in reversed(falls)]


def _fall_row(contents: Contents, fall: Fall, links: PageLinks) -> FallRow:
    """One fall in words."""
    left, by = fall.left, None if fall.by is None else contents.labels[contents.player(fall.by)]
    if left.kind == FaultKind.REMOVED:
        why = "was removed by the host"
    elif left.kind is not None:
        why = f"left for a fault: {left.kind}"
    else:
        why = "" if by is not None else "had too few chips"
    return FallRow(links.hand(left.table, left.hand), contents.labels[contents.player(left.player)], by, why)


def duels_picture(contents: Contents) -> Matrix:
    """The best players against each other."""
    return matrix(contents, contents.order[:SHOWN], brief=True)
