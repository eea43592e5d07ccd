"""A hand as a row of plain events, as somebody saw it: one of its seats, or the host, who sees every card.

The only doors out of a hand are those its players have: ``Hand.view`` and ``Status``. So an event cannot hold
a card that the viewer could not see. Chips lie on the table, for everybody. What is between a player and the
host (ids, and the reasons of faults, which quote what a program sent) is not for another seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from dealer.audit.hands import ReplayedHand, Step
from dealer.lobby.player import Player
from dealer.replay.words import reasons, worth
from protocol.cards import Card
from protocol.games.base import Bet, Hand, Status
from protocol.games.registry import Game


@dataclass(frozen=True, slots=True)
class SeatShown:
    """Who sits in a seat.

    Attributes:
        seat: its number, from 0.
        id: of the player; None if the viewer is another.
        avatar: what everybody calls the player; a stranger's text.
        hole: the card in the hole; None if the viewer could not see it.
        before: chips before the hand.
        after: chips when its pot had been divided.
    """

    seat: int
    id: str | None
    avatar: str
    hole: str | None
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class UpCards:
    """What lies on the table in front of a seat: its cards that everybody sees, and its chips."""

    seat: int
    cards: tuple[str, ...]
    stack: int


@dataclass(frozen=True, slots=True)
class StreetOpened:
    """Cards were dealt. ``seats`` are those still in."""

    street: int
    pot: int
    seats: tuple[UpCards, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat did something, or the dealer did it for the seat.

    Attributes:
        street: from 1.
        seat: whose turn it was.
        action: ``check``, ``call``, ``bet``, ``raise`` or ``fold``; ``given-up`` if the dealer folded because no good
            answer came, ``forced`` if the rules did because what was owed was more than the stack.
        chips: put in now.
        pot: chips before the action.
        owed: chips needed to stay; None for ``forced``.
        stack: chips of the seat before the action.
        microseconds: until the reply; None if the dealer acted.
        fault: the kind of it, if that is why the hand was given up.
        reason: what was wrong, in words; None for another seat's viewer. A stranger's text may be quoted in it.
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


@dataclass(frozen=True, slots=True)
class CardsTold:
    """A seat's cards, hole card first, which the viewer knows at the end, and what they are worth."""

    seat: int
    cards: tuple[str, ...]
    worth: str


@dataclass(frozen=True, slots=True)
class Collected:
    """A seat's part of the pot, and what it got that for."""

    seat: int
    chips: int
    why: str


@dataclass(frozen=True, slots=True)
class Script:
    """One finished hand.

    Attributes:
        table: from 0.
        hand: its number at the table, from 1.
        game: the number of the game it belongs to, from 1.
        level: at which it was dealt, from 1.
        viewer: the seat through whose eyes it is seen; None for all cards.
        seats: everybody who was dealt in.
        events: from the deal to the last action.
        told: cards that the viewer knows at the end, in seat order.
        pot: all chips of it.
        carried: chips of it that wait for the next hand.
        collected: where the others went.
    """

    table: int
    hand: int
    game: int
    level: int
    viewer: int | None
    seats: tuple[SeatShown, ...]
    events: tuple[StreetOpened | Acted, ...]
    told: tuple[CardsTold, ...]
    pot: int
    carried: int
    collected: tuple[Collected, ...]


def script_of(hand: ReplayedHand, game: Game, viewer: int | None = None) -> Script:
    """A hand as ``viewer`` saw it, a seat that was dealt in; or with all cards."""
    opening = hand.steps[0].before if hand.steps else hand.last
    holes = {seat: opening.view(seat).hole for seat in opening.live if viewer in (None, seat)}
    status = hand.settlement.statuses()[viewer or 0]
    told = _told(hand.last, holes, status)
    why = reasons(game, hand.last.live, hand.settlement.shares, told, _owner(hand.last, status))
    return Script(
        hand.table,
        hand.number,
        hand.game,
        hand.level,
        viewer,
        tuple(_seats(hand, holes, viewer)),
        events_of(hand.steps, hand.last, viewer),
        tuple(CardsTold(seat, _texts(cards), worth(game, cards)) for seat, cards in sorted(told.items())),
        hand.last.pot,
        hand.settlement.carried,
        tuple(Collected(seat, share, why[seat]) for seat, share in enumerate(hand.settlement.shares) if share),
    )


def _seats(hand: ReplayedHand, holes: Mapping[int, Card], viewer: int | None) -> Iterator[SeatShown]:
    facts = zip(hand.players, hand.last.starting, hand.settlement.payoffs, strict=True)
    for seat, (player, before, payoff) in enumerate(facts):
        hole = holes[seat].text if seat in holes else None
        yield SeatShown(seat, _id(player, viewer in (None, seat)), player.avatar, hole, before, before + payoff)


def _id(player: Player, allowed: bool) -> str | None:
    return player.id if allowed else None


def events_of(steps: Sequence[Step], last: Hand, viewer: int | None = None) -> tuple[StreetOpened | Acted, ...]:
    """From the deal to the last action so far; no event holds a card that lies in the hole.

    Args:
        steps: decisions so far.
        last: the hand behind them.
        viewer: see ``script_of``.
    """
    after = [*(step.before for step in steps[1:]), last]
    opening = steps[0].before if steps else last
    return (_street(opening), *chain.from_iterable(map(partial(_events, viewer=viewer), steps, after)))


def _events(step: Step, after: Hand, viewer: int | None) -> Iterator[StreetOpened | Acted]:
    """What a step led to: the action, folds that nobody was asked about, and the next street."""
    acted = _acted(step)
    yield acted if viewer in (None, step.seat) else replace(acted, reason=None)
    for seat in step.before.live:
        if seat not in after.live and seat != step.seat:
            yield Acted(step.before.number, seat, "forced", 0, after.pot, None, after.stacks[seat])
    if after.number > step.before.number:
        yield _street(after)


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
        turn.stack,
        None if step.seconds is None else round(step.seconds * 1e6),
        step.fault.kind.value if step.fault else None,
        step.fault.reason if step.fault else None,
    )


def _word(step: Step, owed: int) -> str:
    match step.action:
        case None:
            return "given-up"
        case Bet(amount) if amount > owed:
            return "raise" if owed else "bet"
        case Bet():
            return "call" if owed else "check"
    return "fold"


def _street(hand: Hand) -> StreetOpened:
    seats = (UpCards(seat, _texts(hand.view(seat).up), hand.stacks[seat]) for seat in hand.live)
    return StreetOpened(hand.number, hand.pot, tuple(seats))


def _owner(last: Hand, status: Status) -> int:
    """The seat whose cards a status tells: its up cards are among them."""
    return next(seat for seat in last.live if set(last.view(seat).up) <= set(status.cards))


def _told(last: Hand, holes: Mapping[int, Card], status: Status) -> dict[int, tuple[Card, ...]]:
    """Whole hands that are known at the end: those the status names, and at a showdown those whose hole card is."""
    up = {seat: last.view(seat).up for seat in last.live}
    known = {**holes, **dict(status.shown)} if len(last.live) > 1 else {}
    told = {seat: (known[seat], *cards) for seat, cards in up.items() if seat in known}
    owner = _owner(last, status)
    if len(status.cards) > len(up[owner]):
        told[owner] = status.cards
    return told


def _texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)
