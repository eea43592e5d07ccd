"""The events of a hand: how it is dealt, each action and street, and its end.

A table that is watched tells them while it plays, and a journal that is read gives the same ones.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self

from dealer.audit.hands import ReplayedHand, Step, step_of, with_hands_after
from dealer.faults import Fault
from dealer.journal.records import FinishedHandRecord
from dealer.ledger.played_hand import Deal, HandRecord
from dealer.settings import Settings
from protocol.cards import Piece
from protocol.events import Acted, AtTable, Dealt, HandOver, StreetDealt, UpCards, WonPot
from protocol.games.base import Bet, Hand, Settlement

#: Is told the events of hands while they are played. It must neither wait nor raise.
Listener = Callable[[AtTable], None]


@dataclass(frozen=True, slots=True)
class HandEvents:
    """Makes the events of one hand.

    Attributes:
        table: its number.
        number: of the hand.
        game: the number of the game it belongs to.
        level: at which it is dealt.
        players: their numbers, by seat.
    """

    table: int
    number: int
    game: int
    level: int
    players: tuple[int, ...]

    @classmethod
    def of(cls, hand: ReplayedHand) -> Self:
        """Of a hand that a journal tells."""
        players = tuple([player.number for player in hand.players])
        return cls(hand.table, hand.number, hand.game, hand.level, players)

    @classmethod
    def of_deal(cls, deal: Deal, game: int = 1) -> Self:
        """Of a hand that a table is dealt, in the game of that number."""
        return cls(deal.table, deal.number, game, deal.level, deal.players)

    def begin(self, dealt: Hand) -> tuple[Dealt, StreetDealt]:
        """The deal, and the first street."""
        holes = tuple([texts(dealt.hole(seat)) for seat in range(len(self.players))])
        antes, blinds = _posted(dealt)
        told = Dealt(
            self.table, self.number, self.game, self.level, self.players, dealt.starting, antes, blinds,
            dealt.public().button, holes,
        )  # fmt: skip
        return told, self.street(dealt)

    def street(self, hand: Hand) -> StreetDealt:
        """The street of a hand as it was dealt: pot, board and up cards."""
        public = hand.public()
        seats = ((seat, public.seats[seat]) for seat in hand.live)
        return StreetDealt(
            self.table,
            self.number,
            public.street,
            public.pot,
            texts(public.board),
            tuple([UpCards(seat, texts(seen.up), seen.hidden, seen.stack, seen.all_in) for seat, seen in seats]),
            public.to_act,
            tuple(public.side_pots()),
        )

    def step(self, step: Step, after: Hand) -> Iterator[Acted | StreetDealt]:
        """The events of a step: the action, folds that the rules forced, and the next street."""
        yield self._acted(step, after)
        public = after.public()
        # seats that are out without a step of their own: the rules folded them, because they owed more than they had
        for seat in step.before.live:
            if seat not in after.live and seat != step.seat:
                yield Acted(
                    self.table, self.number, step.before.number, seat, "forced", 0, after.pot, None, after.stacks[seat],
                    to_act=public.to_act, pots=tuple(public.side_pots()),
                )  # fmt: skip
        if after.number > step.before.number:
            yield self.street(after)

    def steps(self, steps: Sequence[Step], last: Hand) -> Iterator[Dealt | StreetDealt | Acted]:
        """The events from the deal to the last action."""
        told = [self.step(step, after) for step, after in with_hands_after(steps, last)]
        return chain(self.begin(steps[0].before if steps else last), chain.from_iterable(told))

    def _acted(self, step: Step, after: Hand) -> Acted:
        turn, public = step.before.view(step.seat), after.public()
        return Acted(
            self.table,
            self.number,
            step.before.number,
            step.seat,
            _word(step, turn.owed),
            step.action.amount if isinstance(step.action, Bet) else 0,
            turn.pot,
            turn.owed,
            step.before.stacks[step.seat],
            None if step.seconds is None else round(step.seconds * 1e6),
            step.fault.kind.value if step.fault else None,
            step.fault.reason if step.fault else None,
            _asked(step, turn.owed),
            public.to_act,
            tuple(public.side_pots()),
            public.seats[step.seat].all_in,
        )

    def end(self, record: FinishedHandRecord, settings: Settings, dealt: Hand, settlement: Settlement) -> HandOver:
        """The end of the hand, which tells all of it.

        Args:
            record: of the hand.
            settings: of the tournament.
            dealt: the hand before its first action.
            settlement: who won what.
        """
        layout = None
        if record.recorded is None:
            layout = settings.game.layout(settings.game.chance.outcome(record.deck), len(self.players))
        antes, blinds = _posted(dealt)
        return HandOver(
            self.table, self.number, self.game, self.level, self.players, record.stacks, antes, blinds,
            dealt.public().button,
            None if layout is None else tuple([texts(owned) for owned in layout.seats]),
            None if layout is None else texts(layout.board),
            record.actions,
            tuple([(seat, kind.value, reason) for seat, kind, reason in record.faults]),
            record.pot,
            won_pots(settlement),
            settlement.carried,
            record.payoffs,
            settings.duplicate,
        )  # fmt: skip


class LiveHand:
    """A hand that is told while it is played.

    Args:
        events: makes its events.
        record: of the hand, which grows with it.
        listeners: are called with each event.
    """

    def __init__(self, events: HandEvents, record: HandRecord, listeners: Sequence[Listener]) -> None:
        self._events = events
        self._record = record
        self._listeners = listeners
        self._faults = 0

    def begin(self, dealt: Hand) -> None:
        """Tell the deal."""
        self._tell(self._events.begin(dealt))

    def acted(self, before: Hand, after: Hand) -> None:
        """Tell what a seat did, or the dealer for it: the last action of the record."""
        self._tell(self._events.step(self._last_step(before), after))

    def _tell(self, events: Iterable[AtTable]) -> None:
        for event in events:
            for listener in self._listeners:
                listener(event)

    def _last_step(self, before: Hand) -> Step:
        record, fault = self._record, None
        if len(record.faults) > self._faults:
            _, kind, reason = record.faults[-1]
            fault, self._faults = Fault(kind, reason), len(record.faults)
        return step_of(before, record.actions[-1], fault, dict(record.corrections).get(len(record.actions) - 1))


def _posted(dealt: Hand) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The antes and the blinds of each seat."""
    blinds = tuple([seat.put for seat in dealt.public().seats])
    paid = zip(dealt.starting, dealt.stacks, blinds, strict=True)
    return tuple([before - left - blind for before, left, blind in paid]), blinds


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


def won_pots(settlement: Settlement) -> tuple[WonPot, ...]:
    """The pots of a finished hand as events have them."""
    return tuple([WonPot(pot.chips, pot.shares, pot.kind, pot.why) for pot in settlement.pots])


def texts(cards: Sequence[Piece]) -> tuple[str, ...]:
    """Cards as events have them."""
    return tuple([card.text for card in cards])
