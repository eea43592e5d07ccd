"""The three pictures at the head of the report's page, as values: chips by hand, one hand with its cards, who fell.

They are drawn by the templates alone, without a script, so that they are there at once and on paper.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from rich.cells import cell_len, chop_cells

from dealer.audit.hands import ReplayedHand
from dealer.faults import FaultKind
from dealer.lobby.player import Player
from dealer.report.contents import Contents, at_table
from dealer.report.course import Fall
from dealer.report.head_to_head import HeadToHead
from dealer.report.labels import HandLink, Label, PageLinks
from dealer.report.story import pot_won, winners_of
from protocol.cards import SUIT_TEXT, Piece, Suit, parse_card

#: Players in a picture; the best ones, where there are more.
SHOWN = 6

#: Rows of a list that stands beside the other pictures.
ROWS = 7

#: Points of a curve.
POINTS = 120

#: The picture of curves in units of its own: the plane, and the margin on the right for names.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 400, 240, 44, 116, 8, 24

#: The height of a name beside a curve.
LINE = 15

#: The widest name beside a curve, in the columns of a terminal.
NAME_CELLS = 14

_SYMBOLS = {Suit.SPADES: "\u2660", Suit.HEARTS: "\u2665", Suit.DIAMONDS: "\u2666", Suit.CLUBS: "\u2663"}


@dataclass(frozen=True, slots=True)
class Tick:
    """A number on an axis, and where it stands."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's curve: its points as in SVG, and where its name stands."""

    name: str
    color: str
    points: str
    x: float
    y: float
    name_y: float


@dataclass(frozen=True, slots=True)
class CurvePicture:
    """Curves with their axes."""

    title: str
    alt: str
    curves: Sequence[Curve]
    x_ticks: Sequence[Tick]
    y_ticks: Sequence[Tick]


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


@dataclass(frozen=True, slots=True)
class FallsPicture:
    """The falls, the last one first; ``more`` came before those."""

    rows: Sequence[FallRow]
    more: int


@dataclass(frozen=True, slots=True)
class DuelCell:
    """The chips that one player won from another for each hand, and their tone."""

    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class DuelsPicture:
    """Chips won for each hand dealt to both, of the best players against each other."""

    names: Sequence[str]
    rows: Sequence[tuple[str, Sequence[DuelCell]]]


def curve_picture(contents: Contents) -> CurvePicture:
    """Places by round where points decide, else chips by hand in the last round."""
    if contents.rebuild.ledger.seating.rounds > 1 and contents.standings[0].points is not None:
        return _places_by_round(contents)
    return _chips_by_hand(contents)


def _chips_by_hand(contents: Contents) -> CurvePicture:
    curves, settings = contents.curves.round, contents.rebuild.ledger.settings
    several = settings.duplicate or settings.games > 1
    base = 0 if several else settings.game.start(2).stacks[0]
    playing = set(curves.players)
    shown = [player for player in contents.order if player in playing][:SHOWN]
    lines = {}
    for player in shown:
        chips = curves.chips(player)
        kept = [
            point
            for point in range(len(curves.hands))
            if settings.duplicate or not point or not curves.out(player, curves.hands[point - 1])
        ]
        lines[player] = [(curves.hands[point], base + chips[point]) for point in _thinned(kept)]
    title = "Chips won, hand by hand" if several else "Chips, hand by hand"
    if len(contents.labels) > SHOWN:
        title += f", of the best {SHOWN}"
    return _picture(contents, title, lines, upside_down=False)


def _places_by_round(contents: Contents) -> CurvePicture:
    rounds = contents.curves.places
    lines = {
        player: [(number, places[player]) for number, places in enumerate(rounds, 1) if player in places]
        for player in contents.order[:SHOWN]
    }
    return _picture(contents, "Places, round by round", lines, upside_down=True)


def _thinned(points: Sequence[int]) -> list[int]:
    stride = -(-len(points) // POINTS) or 1
    return [*points[: len(points) - 1 : stride], points[-1]]


def _picture(
    contents: Contents, title: str, lines: Mapping[Player, Sequence[tuple[int, int]]], *, upside_down: bool
) -> CurvePicture:
    values = [value for line in lines.values() for _, value in line] or [0]
    hands = [at for line in lines.values() for at, _ in line] or [0]
    left, right = min(hands), max(*hands, min(hands) + 1)
    low, high = (max(values), 1) if upside_down else (min(0, *values), max(values))
    if low == high:
        low, high = (low + 1, high) if upside_down else (low, high + 1)

    def x_of(at: float) -> float:
        return round(LEFT + (at - left) / (right - left) * (WIDTH - LEFT - RIGHT), 1)

    def y_of(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    ends = {player: y_of(line[-1][1]) for player, line in lines.items() if line}
    apart = spread(list(ends.values()))
    curves = [
        Curve(
            fitted(contents.styles[player].name),
            contents.styles[player].color,
            " ".join(f"{x_of(at):g},{y_of(value):g}" for at, value in lines[player]),
            x_of(lines[player][-1][0]),
            end,
            name_y,
        )
        for (player, end), name_y in zip(ends.items(), apart, strict=True)
    ]
    marked = range(1, low + 1) if upside_down and low <= 2 * SHOWN else ticks(min(low, high), max(low, high))
    y_ticks = [Tick(y_of(value), short(value)) for value in marked]
    x_ticks = [Tick(x_of(at), f"{at:,}") for at in (left, right)]
    return CurvePicture(title, f"{title}: {', '.join(curve.name for curve in curves)}", curves, x_ticks, y_ticks)


def fitted(name: str) -> str:
    """A name with room beside a curve; letters of some scripts are twice as wide as others."""
    return name if cell_len(name) <= NAME_CELLS else f"{chop_cells(name, NAME_CELLS - 1)[0]}\u2026"


def spread(ends: Sequence[float]) -> list[float]:
    """The heights of names, in the order of ``ends``: near those, at least ``LINE`` apart, inside the plane."""
    order = sorted(range(len(ends)), key=lambda place: ends[place])
    heights = [0.0] * len(ends)
    lowest = float(TOP)
    for rank, place in enumerate(order):
        room = HEIGHT - BOTTOM - LINE * (len(order) - 1 - rank)
        heights[place] = lowest = min(max(ends[place], lowest), max(room, lowest))
        lowest += LINE
    return heights


def ticks(low: float, high: float) -> list[int]:
    """Round numbers from ``low`` to ``high``, about four."""
    step = max(1, 10 ** floor(log10(max(high - low, 1))))
    for finer in (5, 2):
        if (high - low) / step < 3 and step % finer == 0:
            step //= finer
    while (high - low) / step > 5:
        step *= 2
    return list(range(ceil(low / step) * step, floor(high) + 1, step))


def short(value: int) -> str:
    """A number of chips on an axis: "800", "12k", "3.5M"."""
    text = str(value)
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if abs(value) >= size:
            text = f"{value / (1000 if letter == 'k' else size):.3g}{letter}"
            break
    return text.replace("-", "\N{MINUS SIGN}")


def hand_picture(contents: Contents, links: PageLinks) -> HandPicture | None:
    """The hand with the largest pot; None before the first."""
    if not contents.course.largest:
        return None
    hand = contents.course.largest[0]
    settlement, last = hand.settlement, hand.last
    order = sorted(last.live, key=lambda seat: -settlement.payoffs[seat])[:SHOWN]
    public, winners = last.public(), winners_of(hand)
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
        how(contents, hand),
    )


def how(contents: Contents, hand: ReplayedHand) -> str:
    """A sentence that says who won a hand, and with what."""
    words = pot_won(hand, lambda player: isolated(contents.labels[player].short))
    return f"{words[0].upper()}{words[1:]}."


def isolated(name: str) -> str:
    """A name in a sentence of the page: the direction of its letters stays its own (Unicode's first strong isolate)."""
    return f"\u2068{name}\u2069"


def face(piece: Piece) -> Face:
    """A card with its symbol; a die or a number, or a card that is not known, as its text."""
    try:
        card = parse_card(piece.text)
    except ValueError:
        return Face(piece.text)
    return Face(card.text[:-1], SUIT_TEXT[card.suit], _SYMBOLS[card.suit])


def falls_picture(contents: Contents, links: PageLinks) -> FallsPicture | None:
    """The picture of players who fell; None if nobody did, and in several rounds, in which all begin anew."""
    falls = contents.course.falls
    if not falls or contents.rebuild.ledger.seating.rounds > 1:
        return None
    return FallsPicture(
        [fall_row(contents, fall, links) for fall in falls[: -ROWS - 1 : -1]], max(0, len(falls) - ROWS)
    )


def fall_row(contents: Contents, fall: Fall, links: PageLinks) -> FallRow:
    """One fall in words."""
    by = None if fall.by is None else contents.labels[fall.by]
    if fall.fault is FaultKind.REMOVED:
        why = "was removed by the host"
    elif fall.fault is not None:
        why = f"left for a fault: {fall.fault.value}"
    else:
        why = "" if by is not None else "had too few chips"
    return FallRow(links.hand(fall.table, fall.hand), contents.labels[fall.player], by, why)


def duels_picture(contents: Contents) -> DuelsPicture:
    """The best players against each other."""
    players = contents.order[:SHOWN]
    names = [contents.styles[player].name for player in players]
    rows = [
        (contents.styles[player].name, [_duel(contents.pairs, player, other) for other in players])
        for player in players
    ]
    return DuelsPicture(names, rows)


def _duel(pairs: HeadToHead, player: Player, other: Player) -> DuelCell:
    won = None if player is other else pairs.won(player, other)
    if won is None:
        return DuelCell("\u00b7", "self")
    text = f"{won.per_hand:+.1f}".replace("-", "\N{MINUS SIGN}")
    if text[1:] == "0.0":
        return DuelCell("0.0", "open")
    return DuelCell(text, "gain" if won.per_hand > 0 else "loss")
