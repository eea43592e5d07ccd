"""Play the hands of a journal again, checking every action against the rules."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from dealer.faults import Fault
from dealer.journal.records import FaultNote
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.lobby.player import Player
from protocol.events import FOLD_CHIPS, Act
from protocol.games.base import FOLD, Action, Bet, Hand, Settlement
from protocol.games.match import Match


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a hand.

    Attributes:
        before: the hand before the action.
        seat: that acted.
        action: None if the dealer folded for the seat.
        seconds: until the reply; None if the dealer acted for the seat, or others dealt the hand.
        fault: for which the dealer acted; None if there was none.
        asked: what a program of the ACPC asked for, if the rules forbid that and the action was taken instead; see
            ``Correction.asked``.
        checked: whether the dealer checked for the seat, as it does instead of a fold with nothing owed where programs
            of the ACPC can take part.
    """

    before: Hand
    seat: int
    action: Action | None
    seconds: float | None
    fault: Fault | None
    asked: str | None = None
    checked: bool = False

    @property
    def by_dealer(self) -> bool:
        """Whether the dealer acted for the seat."""
        return self.action is None or self.checked


@dataclass(frozen=True, slots=True)
class ReplayedHand:
    """A finished hand of a journal, with every step of it.

    Attributes:
        record: the number of its record in the journal, from 1.
        table: the number of its table, from 0.
        number: of the hand at that table, from 1.
        game: the number of the game it belongs to, from 1.
        level: at which it was dealt, from 1.
        players: who were dealt in, by seat.
        steps: every action.
        last: the hand after the last action.
        settlement: how the pot was divided.
        match: stacks and stakes with which the hand was dealt.
    """

    record: int
    table: int
    number: int
    game: int
    level: int
    players: tuple[Player, ...]
    steps: tuple[Step, ...]
    last: Hand
    settlement: Settlement
    match: Match

    @property
    def dealt(self) -> Hand:
        """The hand before its first action."""
        return self.steps[0].before if self.steps else self.last

    @classmethod
    def of(
        cls, played: PlayedHand, steps: Sequence[Step], players: Sequence[Player], *, record: int = 0, game: int = 1
    ) -> Self:
        """The hand that was played in these steps; ``players`` are those of the tournament, by number."""
        deal = played.deal
        seated = tuple([players[number] for number in deal.players])
        return cls(
            record,
            deal.table,
            deal.number,
            game,
            deal.level,
            seated,
            tuple(steps),
            played.last,
            played.settlement,
            deal.match,
        )


def play_again(hand: Hand, record: HandRecord) -> tuple[list[Step], Hand]:
    """All steps of a finished hand, and the hand after the last action.

    Args:
        hand: before the first action.
        record: what the journal says about it.

    Raises:
        ValueError: it is not the turn of a seat, the hand is not over, a fault did not cost a hand, or a correction
            belongs to no answer.
        IllegalAction: the rules forbid an action.
    """
    faults = _faults(record.faults)
    steps, hand = _steps(hand, record, faults)
    require(hand.to_act is None, f"the hand is not over: seat {hand.to_act} has to act")
    expect("faults for which no hand was given up", faults, {})
    for place, _ in record.corrections:
        answered = place < len(steps) and isinstance(steps[place].action, Bet) and not steps[place].checked
        require(answered, f"corrections: action {place} is no check, call or raise of a program")
    return steps, hand


def play_so_far(hand: Hand, record: HandRecord) -> tuple[list[Step], Hand]:
    """The steps so far of a hand, and the hand as it stands; see ``play_again``.

    Faults and corrections of the record that belong to later actions change nothing.
    """
    return _steps(hand, record, _faults(record.faults))


def with_hands_after(steps: Sequence[Step], last: Hand) -> Iterator[tuple[Step, Hand]]:
    """Each step with the hand after it; nothing of a hand in which nobody had a choice."""
    return ((step, steps[place].before if place < len(steps) else last) for place, step in enumerate(steps, 1))


def _steps(hand: Hand, record: HandRecord, faults: dict[int, list[Fault]]) -> tuple[list[Step], Hand]:
    steps, imported = [], record.deal.match.imported
    for seat, chips, microseconds in record.actions:
        expect("the seat to act", seat, hand.to_act)
        if imported:
            action: Action = FOLD if chips == FOLD_CHIPS else Bet(chips)
            step, hand = Step(hand, seat, action, None, None), hand.apply(action)  # its reply times are not known
        else:
            step, hand = _step(hand, seat, chips, microseconds, faults)
        steps.append(step)
    for place, asked in record.corrections:
        if place < len(steps):
            steps[place] = replace(steps[place], asked=asked)
    return steps, hand


def _step(
    hand: Hand, seat: int, chips: int, microseconds: int | None, faults: dict[int, list[Fault]]
) -> tuple[Step, Hand]:
    """One step, and the hand after it; a fault that explains it is taken out of ``faults``."""
    fault = None
    if microseconds is None:
        fault = faults[seat].pop(0) if faults.get(seat) else None
        if not faults.get(seat):
            faults.pop(seat, None)
        if chips:
            expect("chips of a hand that was given up", chips, FOLD_CHIPS)
    step = step_of(hand, (seat, chips, microseconds), fault)
    return step, hand.concede() if step.action is None else hand.apply(step.action)


def step_of(before: Hand, act: Act, fault: Fault | None, asked: str | None = None) -> Step:
    """The step that an action of a record tells; ``fault`` and ``asked`` are those of ``Step``."""
    seat, chips, microseconds = act
    by_dealer = microseconds is None
    action = Bet(chips) if chips != FOLD_CHIPS else None if by_dealer else FOLD
    seconds = None if microseconds is None else microseconds / 1e6
    return Step(before, seat, action, seconds, fault, asked, checked=by_dealer and chips == 0)


def expect(what: str, got: Any, expected: Any) -> None:
    """Compare what a record says with what follows from the records before it.

    Raises:
        ValueError: they differ, or one is a truth value or a fraction and the other a whole number; the text begins
            with ``what``.
    """
    if type(got) is not type(expected) or got != expected:
        raise ValueError(f"{what}: expected {expected!r}, got {got!r}")


def require(condition: bool, what: str) -> None:
    """Check a rule of tournaments.

    Raises:
        ValueError: the condition does not hold; ``what`` is the text.
    """
    if not condition:
        raise ValueError(what)


def _faults(told: Iterable[FaultNote]) -> dict[int, list[Fault]]:
    """The faults of a hand by seat, in order."""
    faults: dict[int, list[Fault]] = {}
    for seat, kind, reason in told:
        faults.setdefault(seat, []).append(Fault(kind, reason))
    return faults
