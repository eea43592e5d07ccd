"""Read a practice back from its journal: places, chips won by situation, and decisions the teacher would not take."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from dealer.audit.decision_value.situation import Situation
from dealer.audit.hands import ReplayedHand, with_hands_after
from dealer.audit.rebuild import LedgerRebuild
from dealer.cli.house_bots import load_bot
from dealer.ledger.formats.points import mean_places
from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player
from dealer.practice.game_practice import GamePractice
from protocol.estimates.intervals import Estimate, mean
from protocol.games.base import Action, Turn
from protocol.games.game import Game


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
        self._situations: Mapping[str, Callable[[Any], bool]] = {"all": lambda turn: True} | dict(practice.situations)
        self._won: dict[tuple[int, str], list[int]] = {
            (street, situation): [] for street in practice.streets for situation in self._situations
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
        situations: that the question showed, in words.
        did: the program's action.
        better: the teacher's action.
        players: the bots that play roll-outs, by seat.
        situation: gives what the program knew.
    """

    tournament: int
    table: int
    hand: int
    turn: Turn
    situations: tuple[str, ...]
    did: Action
    better: Action
    players: Sequence[Sequence[str]]
    situation: Callable[[], Situation]


class PracticeSession:
    """Everything that a program played in one practice, hand after hand.

    The teacher is asked every question of the program, and hears every result it hears.

    Args:
        ledger: which follows the journal.
        program: its name.
        practice: what is known of the game.
        house: the bots of the other programs, by their names.

    Attributes:
        player: the program's.
        winnings: chips won in each hand that it was dealt into, by situation.
        tournament: the last one that it was dealt into, from 1.
        places: in each tournament that it finished; players with equal places share their mean.
        decisions: number of questions that it answered.
        differences: decisions that the teacher would have taken differently.
    """

    def __init__(self, ledger: Ledger, program: str, practice: GamePractice, house: Mapping[str, str]) -> None:
        self.player = next(player for player in ledger.players if player.program == program)
        self.winnings = Winnings(practice)
        self.tournament = 0
        self.places: Sequence[float] = ()
        self.decisions = 0
        self.differences: list[Difference] = []
        self._practice = practice
        self._house = house
        self._ledger = ledger
        self._teacher = load_bot(practice.teacher)(Random(0))

    @property
    def hands(self) -> int:
        """Number of hands it was dealt into."""
        return len(self.winnings.payoffs)

    def add(self, hand: ReplayedHand) -> None:
        """Read a hand of the tournament under way."""
        if self.player not in hand.players:
            return
        seat = hand.players.index(self.player)
        self.tournament = self._ledger.seating.round
        players = self._practice.players([self._house.get(player.program) for player in hand.players])
        turns = []
        for place, step in enumerate(hand.steps):
            if step.seat == seat:
                turn = step.before.view(seat)
                turns.append(turn)
                better = self._teacher.decide(turn)
                self.decisions += step.action is not None
                if step.action is not None and step.action != better:
                    shown = tuple(name for name, shows in self._practice.situations.items() if shows(turn))
                    known = partial(_situation, self._ledger.settings.game, hand, place)
                    where = self.tournament, hand.table, hand.number
                    self.differences.append(Difference(*where, turn, shown, step.action, better, players, known))
        self.winnings.add(turns, hand.settlement.payoffs[seat])
        status = hand.settlement.statuses()[seat]
        if status is not None:
            self._teacher.hand_over(status)


def read_session(path: Path, program: str, practice: GamePractice, house: Mapping[str, str]) -> PracticeSession | None:
    """Read what the program with this name played; None if no hand was finished. See ``PracticeSession``.

    Raises:
        OptionError: the teacher is not installed.
        JournalError: the journal cannot be read.
    """
    rebuild = LedgerRebuild(path)
    session: PracticeSession | None = None
    for hand in rebuild.hands():
        session = session or PracticeSession(rebuild.ledger, program, practice, house)
        session.add(hand)
    if session is not None:
        places = _places(rebuild.ledger, session.player)
        # the others may have gone on for a while without a program that was put out: that place is not its own doing
        session.places = places[: session.tournament - 1] if session.player.faults else places
    return session


def _situation(game: Game, hand: ReplayedHand, place: int) -> Situation:
    """What the seat to act knew before the action at ``place``."""
    steps, last = hand.steps[:place], hand.steps[place]
    situation = Situation.begin(game, hand.match, hand.dealt, last.seat)
    for step, after in with_hands_after(steps, last.before):
        situation = situation.acted(step.action, after)
    return situation


def _places(ledger: Ledger, player: Player) -> Sequence[float]:
    """The places of ``player`` in the tournaments that were played to their end."""
    if ledger.seating.rounds > 1:
        return ledger.format.places(player)
    if not ledger.seating.round_over:
        return ()
    return (mean_places({standing.player: standing.place for standing in ledger.round_standings()})[player],)
