"""Read a practice back from its journal: places, chips won by situation, and decisions the teacher would not take."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.house_bots import load_bot
from dealer.ledger.formats.points import mean_places
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.practice.game_practice import GamePractice
from dealer.practice.rollouts import BotPlayer, Spot
from protocol.cards import Piece
from protocol.estimates.intervals import Estimate, mean
from protocol.games.base import Turn


class Row(NamedTuple):
    """One situation on one street.

    Attributes:
        street: on which the program was asked in that situation.
        situation: in words.
        hands: in which that was so at least once.
        chips: won in such a hand as a whole, on average; None if there was none.
    """

    street: int
    situation: str
    hands: int
    chips: Estimate | None


class Winnings:
    """Chips won in each hand. A hand counts once in each situation that it brought.

    Attributes:
        payoffs: chips won in each hand, in order.
    """

    def __init__(self, practice: GamePractice) -> None:
        self.payoffs: list[int] = []
        self._situations = practice.situations
        self._won: dict[tuple[int, str], list[int]] = {
            (street, situation): [] for street in practice.streets for situation in practice.situations
        }

    def add(self, turns: Sequence[Turn], payoff: int) -> None:
        """Count a hand in which the program was asked ``turns`` and won ``payoff`` chips."""
        self.payoffs.append(payoff)
        for met in {(turn.street, name) for turn in turns for name, holds in self._situations.items() if holds(turn)}:
            self._won[met].append(payoff)

    def rows(self) -> Iterator[Row]:
        """All situations, street by street."""
        for (street, situation), won in self._won.items():
            yield Row(street, situation, len(won), mean(won))


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that the teacher would have taken differently.

    Attributes:
        tournament: its number, from 1.
        table: of the journal, from 0.
        hand: its number at that table, from 1.
        turn: what the program was asked.
        spot: the decision, for roll-outs.
    """

    tournament: int
    table: int
    hand: int
    turn: Turn
    spot: Spot


@dataclass(slots=True)
class PracticeSession:
    """Everything that a program played in one practice.

    Attributes:
        player: the program's.
        winnings: chips won in each hand, by situation.
        tournament: the last one that it was dealt into, from 1.
        places: in each tournament that it finished; players with equal places share their mean.
        hands: number of hands it was dealt into.
        decisions: number of questions that it answered.
        differences: decisions that the teacher would have taken differently.
    """

    player: Player
    winnings: Winnings
    tournament: int = 0
    places: Sequence[float] = ()
    hands: int = 0
    decisions: int = 0
    differences: list[Difference] = field(default_factory=list)


def read_session(path: Path, program: str, practice: GamePractice) -> PracticeSession | None:
    """Read what the program with this name played; None if no hand was finished.

    Raises:
        OptionError: the teacher is not installed.
        JournalError: the journal cannot be read.
    """
    rebuild = LedgerRebuild(path)
    reader: _Reader | None = None
    for hand in rebuild.hands():
        reader = reader or _Reader(rebuild.ledger, program, practice)
        reader.add(hand)
    if reader is None:
        return None
    places = _places(rebuild.ledger, reader.session.player)
    # the others may have gone on for a while without a program that was put out: that place is not its own doing
    reader.session.places = places[: reader.session.tournament - 1] if reader.session.player.faults else places
    return reader.session


class _Reader:
    """Reads hand after hand. The teacher is asked every question of the program, and hears every result it hears."""

    def __init__(self, ledger: Ledger, program: str, practice: GamePractice) -> None:
        player = next(player for player in ledger.players if player.program == program)
        self.session = PracticeSession(player, Winnings(practice))
        self._practice = practice
        self._ledger = ledger
        self._teacher: BotPlayer = load_bot(practice.teacher)(Random(0))

    def add(self, hand: ReplayedHand) -> None:
        """Read a hand of the tournament under way."""
        if self.session.player not in hand.players:
            return
        seat = hand.players.index(self.session.player)
        self.session.hands += 1
        self.session.tournament = self._ledger.seating.round
        turns = []
        for turn, difference in self._decisions(hand, seat):
            turns.append(turn)
            self.session.differences += difference
        self.session.winnings.add(turns, hand.settlement.payoffs[seat])
        status = hand.settlement.statuses()[seat]
        if status is not None:
            self._teacher.hand_over(status)

    def _decisions(self, hand: ReplayedHand, seat: int) -> Iterator[tuple[Turn, list[Difference]]]:
        """The questions of a hand to the program, each with the difference if there is one."""
        seen: frozenset[Piece] = frozenset()
        for step in hand.steps:
            if step.seat != seat:
                continue
            turn = step.before.view(seat)
            seen |= frozenset(self._practice.seen(turn))
            better = self._teacher.decide(turn)
            self.session.decisions += step.action is not None
            if step.action in (None, better):
                yield turn, []
            else:
                spot = Spot(step.before, seat, step.action, better, seen)
                yield turn, [Difference(self._ledger.seating.round, hand.table, hand.number, turn, spot)]


def _places(ledger: Ledger, player: Player) -> Sequence[float]:
    """The places of ``player`` in the tournaments that were played to their end."""
    if ledger.seating.rounds > 1:
        return ledger.format.places(player)
    if not ledger.seating.round_over:
        return ()
    return (mean_places({standing.player: standing.place for standing in ledger.round_standings()})[player],)
