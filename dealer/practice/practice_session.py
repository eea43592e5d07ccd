"""Read a practice back from its journal: places, chips won by situation, and decisions the teacher would not take."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


def read_session(path: Path, program: str, practice: GamePractice, house: Mapping[str, str]) -> PracticeSession | None:
    """Read what the program with this name played; None if no hand was finished.

    Args:
        path: of the journal.
        program: its name.
        practice: what is known of the game.
        house: the bots of the other programs, by their names.

    Raises:
        OptionError: the teacher is not installed.
        JournalError: the journal cannot be read.
    """
    rebuild = LedgerRebuild(path)
    reader: _Reader | None = None
    for hand in rebuild.hands():
        reader = reader or _Reader(rebuild.ledger, program, practice, house)
        reader.add(hand)
    if reader is None:
        return None
    places = _places(rebuild.ledger, reader.session.player)
    # the others may have gone on for a while without a program that was put out: that place is not its own doing
    reader.session.places = places[: reader.session.tournament - 1] if reader.session.player.faults else places
    return reader.session


class _Reader:
    """Reads hand after hand. The teacher is asked every question of the program, and hears every result it hears."""

    def __init__(self, ledger: Ledger, program: str, practice: GamePractice, house: Mapping[str, str]) -> None:
        player = next(player for player in ledger.players if player.program == program)
        self.session = PracticeSession(player, Winnings(practice))
        self._practice = practice
        self._house = house
        self._ledger = ledger
        self._teacher = load_bot(practice.teacher)(Random(0))

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
        round_, game = self._ledger.seating.round, self._ledger.settings.game
        players = self._practice.players([self._house.get(player.program) for player in hand.players])
        for place, step in enumerate(hand.steps):
            if step.seat != seat:
                continue
            turn = step.before.view(seat)
            better = self._teacher.decide(turn)
            self.session.decisions += step.action is not None
            if step.action is None or step.action == better:
                yield turn, []
                continue
            shown = tuple(name for name, shows in self._practice.situations.items() if shows(turn))
            known = partial(_situation, game, hand, place)
            yield (
                turn,
                [Difference(round_, hand.table, hand.number, turn, shown, step.action, better, players, known)],
            )


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
