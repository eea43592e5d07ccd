"""A finished hand as a viewer saw it: one of its seats, or the host, who sees every card.

A seat was shown its own hole cards, ``Hand.public`` and its ``Status``, and nothing else goes into the hand that it
sees again. So an event cannot hold a card that the viewer could not see. Ids, and the reasons of faults, which quote
what a program sent, are for the host and for the player itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from dealer.audit.hands import ReplayedHand, Step, with_hands_after
from dealer.audit.win_chances import WinChances, run_outs, win_chances
from protocol.cards import UNKNOWN, Piece
from protocol.games.base import Bet, Hand, Settlement
from protocol.games.game import Game


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
class UpCards:
    """The cards and chips in front of a seat.

    Attributes:
        seat: its number.
        cards: those that lie face up.
        hidden: how many lie face down.
        stack: its chips, without those in the pot.
    """

    seat: int
    cards: tuple[str, ...]
    hidden: int
    stack: int


@dataclass(frozen=True, slots=True)
class StreetOpened:
    """A street was dealt.

    Attributes:
        street: its number, from 1.
        pot: chips in the pot.
        board: the cards that belong to all seats.
        seats: those that have not folded.
    """

    street: int
    pot: int
    board: tuple[str, ...]
    seats: tuple[UpCards, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """An action of a seat, or of the dealer for the seat.

    Attributes:
        street: from 1.
        seat: whose turn it was.
        action: ``check``, ``call``, ``bet``, ``raise`` or ``fold``; ``given-up`` if the dealer folded because no good
            reply came, ``forced`` if the rules did because the seat owed more than its stack.
        chips: put in now.
        pot: chips before the action.
        owed: chips needed to stay; None for ``forced``.
        stack: chips of the seat before the action.
        microseconds: until the reply; None if the dealer acted.
        fault: its kind, if a fault is why the dealer folded or checked.
        reason: of the fault, in words; None where another seat is the viewer. It may quote what a program sent.
        asked: what a program of the ACPC asked for although the rules forbid it, and what a raise counts as: "fold",
            "raise to 40, counted as 60". Chips are all that the seat puts in during the hand.
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
        exact: whether all boards that could follow were counted; else the chances come from a sample of them.
    """

    street: int
    seats: tuple[SeatChance, ...]
    exact: bool


#: What happens in a hand.
Event = StreetOpened | Acted | ChancesShown


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
    events: tuple[Event, ...]
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
        () if end_only else _with_run_out(events_of(hand.steps, hand.last, viewer), hand, game),
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
        hole = _texts(holes[seat]) if seat in holes else None
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
        seat: CardsTold(seat, _texts(cards), game.describe(tuple(dict.fromkeys((*cards, *public.board)))))
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
            says_it = knows_all or (own is not None and own.cards != _texts(settlement.cards))
            yield Collected(seat, share, _why(settlement, seat) if says_it else _worth_shown(told, seat))


def _why(settlement: Settlement, seat: int) -> str:
    """Why a seat collected chips, as the rules say it."""
    return " and ".join(dict.fromkeys(pot.why for pot in settlement.pots if seat in pot.winners))


def _worth_shown(told: Mapping[int, CardsTold], seat: int) -> str:
    """The known strength of a seat that collected chips.

    A viewer who does not know all cards is not told why: the reason says whether a winner was alone, or which of two
    pots it won, and that depends on cards that were never shown. Only a seat that collected chips although others were
    shown as the winner knows its own reason.
    """
    return told[seat].worth if seat in told else NOT_SHOWN


def events_of(steps: Sequence[Step], last: Hand, viewer: int | None = None) -> tuple[StreetOpened | Acted, ...]:
    """The streets and actions of a hand so far; no event holds a card that lies face down."""
    opening = steps[0].before if steps else last
    events = [step_events(step, after, viewer) for step, after in with_hands_after(steps, last)]
    return (street_opened(opening), *chain.from_iterable(events))


def _with_run_out(events: Sequence[Event], hand: ReplayedHand, game: Game) -> tuple[Event, ...]:
    """The events with every street that was dealt when nobody could act any more, and the chances before each."""
    streets = run_outs(hand.steps, hand.last, game)
    if not streets or set(hand.last.live) != {seat for seat, _ in hand.settlement.shown}:
        return tuple(events)
    *before, last = events
    assert isinstance(last, StreetOpened)
    for number, street in enumerate(streets):
        chances = win_chances(street, len(hand.players))
        if number or not before:
            before.append(replace(last, street=street.street, board=_texts(street.board)))
        before.append(_chances_shown(chances, hand.last))
    return (*before, last)


def _chances_shown(chances: WinChances, last: Hand) -> ChancesShown:
    seats = [SeatChance(seat, _texts(last.hole(seat)), round(chances.wins[seat], 4)) for seat in chances.live]
    return ChancesShown(chances.street, tuple(seats), chances.exact)


def step_events(step: Step, after: Hand, viewer: int | None) -> Iterator[StreetOpened | Acted]:
    """The events of a step: the action, folds that the rules forced, and the next street."""
    acted = _acted(step)
    yield acted if viewer in (None, step.seat) else replace(acted, reason=None)
    # seats that are out without a step of their own: the rules folded them, because they owed more than they had
    for seat in step.before.live:
        if seat not in after.live and seat != step.seat:
            yield Acted(step.before.number, seat, "forced", 0, after.pot, None, after.stacks[seat])
    if after.number > step.before.number:
        yield street_opened(after)


def _acted(step: Step) -> Acted:
    turn = step.before.view(step.seat)
    chips = step.action.amount if isinstance(step.action, Bet) else 0
    return Acted(
        step.before.number,
        step.seat,
        _word(step, turn.owed),
        chips,
        turn.pot,
        turn.owed,
        step.before.stacks[step.seat],
        None if step.seconds is None else round(step.seconds * 1e6),
        step.fault.kind.value if step.fault else None,
        step.fault.reason if step.fault else None,
        _asked(step, turn.owed),
    )


def _asked(step: Step, owed: int) -> str | None:
    """The action that was asked for before it was corrected; of a raise also the number that it counts as."""
    if step.asked is None or not isinstance(step.action, Bet) or step.action.amount <= owed:
        return step.asked
    total = step.before.starting[step.seat] - step.before.stacks[step.seat] + step.action.amount
    return f"{step.asked}, counted as {total}"


def _word(step: Step, owed: int) -> str:
    match step.action:
        case None:
            return "given-up"
        case Bet(amount) if amount > owed:
            return "raise" if owed else "bet"
        case Bet():
            return "call" if owed else "check"
    return "fold"


def street_opened(hand: Hand) -> StreetOpened:
    """The street of a hand as it was dealt: pot, board and up cards."""
    public = hand.public()
    seats = ((seat, public.seats[seat]) for seat in hand.live)
    return StreetOpened(
        public.street,
        public.pot,
        _texts(public.board),
        tuple(UpCards(seat, _texts(seen.up), seen.hidden, seen.stack) for seat, seen in seats),
    )


def _texts(cards: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)
