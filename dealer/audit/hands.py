"""A finished hand as a journal tells it, played again through the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dealer.faults import Fault, FaultKind
from dealer.journal.records import FOLDED
from dealer.ledger.played_hand import HandRecord
from dealer.lobby.player import Player
from protocol.games.base import FOLD, Action, Bet, Hand, Settlement


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a hand.

    Attributes:
        before: the hand in which it was taken.
        seat: who took it.
        action: what was done; None if the dealer gave the hand up for the seat.
        seconds: until the reply; None likewise.
        fault: why the hand was given up, if that was a fault.
    """

    before: Hand
    seat: int
    action: Action | None
    seconds: float | None
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class ReplayedHand:
    """A finished hand.

    Attributes:
        record: the number of its record in the journal, from 1.
        table: the number of its table, from 0.
        number: of the hand at that table, from 1.
        game: the number of the game it belongs to, from 1.
        level: at which it was dealt, from 1.
        players: who was dealt in, by seat.
        steps: every decision.
        last: the hand behind the last step.
        settlement: how the pot was divided.
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


def play_again(hand: Hand, record: HandRecord) -> tuple[list[Step], Hand]:
    """Every decision of a hand that has just been dealt, and the hand behind the last one.

    Raises:
        ValueError: it is not the turn of a seat, the hand is not over, or a fault did not cost a hand.
        IllegalAction: the rules forbid an action.
    """
    faults = _faults(record.faults)
    steps, hand = _steps(hand, record.actions, faults)
    require(hand.to_act is None, f"the hand is not over: seat {hand.to_act} has to act")
    expect("faults for which no hand was given up", faults, {})
    return steps, hand


def play_so_far(hand: Hand, record: HandRecord) -> tuple[list[Step], Hand]:
    """Every decision so far of a hand that is under way, from the hand as it was dealt, and the hand as it stands."""
    return _steps(hand, record.actions, _faults(record.faults))


def _steps(
    hand: Hand, actions: Iterable[tuple[int, int, int | None]], faults: dict[int, list[Fault]]
) -> tuple[list[Step], Hand]:
    steps = []
    for seat, chips, microseconds in actions:
        step, hand = _step(hand, seat, chips, microseconds, faults)
        steps.append(step)
    return steps, hand


def _step(
    hand: Hand, seat: int, chips: int, microseconds: int | None, faults: dict[int, list[Fault]]
) -> tuple[Step, Hand]:
    """One action, and the hand after it; the fault it came of is taken out of ``faults``."""
    expect("the seat to act", seat, hand.to_act)
    if microseconds is None:
        expect("chips of a hand that was given up", chips, FOLDED)
        fault = faults[seat].pop(0) if faults.get(seat) else None
        if not faults.get(seat):
            faults.pop(seat, None)
        return Step(hand, seat, None, None, fault), hand.concede()
    action: Action = FOLD if chips == FOLDED else Bet(chips)
    return Step(hand, seat, action, microseconds / 1e6, None), hand.apply(action)


def expect(what: str, got: Any, expected: Any) -> None:
    """Hold what a record says against what follows from those before it.

    Raises:
        ValueError: they differ.
    """
    if got != expected:
        raise ValueError(f"{what}: expected {expected!r}, got {got!r}")


def require(condition: bool, what: str) -> None:
    """Hold a record against the rules of a tournament; ``what`` says what is wrong if the condition does not hold.

    Raises:
        ValueError: it does not.
    """
    if not condition:
        raise ValueError(what)


def note(players: Sequence[Player], steps: Sequence[Step]) -> None:
    """Count faults, and the lives that they cost, for the players who were dealt in, by seat."""
    for step in steps:
        player = players[step.seat]
        if step.fault is not None:
            player.faults.append(step.fault)
            player.lives -= 1


def _faults(told: Iterable[tuple[int, str, str]]) -> dict[int, list[Fault]]:
    """The faults of a hand by seat."""
    faults: dict[int, list[Fault]] = {}
    for seat, kind, reason in told:
        faults.setdefault(seat, []).append(Fault(FaultKind(kind), reason))
    return faults
