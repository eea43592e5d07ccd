"""A journal read back: where the program came in, in which situations it won or lost, and where it played otherwise

than the house's best player would have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.ledger.formats.freezeout import Freezeout
from dealer.ledger.formats.series import SeriesScores
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import rank
from dealer.lobby.player import Player
from dealer.practice import house
from dealer.practice.rollouts import Spot
from dealer.practice.situations import Situations
from protocol.cards import Card
from protocol.games.stud import StudHand, StudTurn


@dataclass(frozen=True, slots=True)
class Difference:
    """A decision that the house's best player would have taken otherwise.

    Attributes:
        tournament: its number, from 1.
        table: of the journal, from 0.
        hand: its number at that table, from 1.
        turn: what the program was asked.
        spot: the same for roll-outs.
    """

    tournament: int
    table: int
    hand: int
    turn: StudTurn
    spot: Spot


@dataclass(slots=True)
class Session:
    """All that was played.

    Attributes:
        player: that the program was.
        tournament: the last one that it was dealt into, from 1.
        places: of each tournament that it finished; equals share the mean of theirs.
        hands: it was dealt into.
        decisions: it was asked for and took.
        situations: chips won in each.
        differences: decisions that would have been others.
    """

    player: Player
    tournament: int = 0
    places: Sequence[float] = ()
    hands: int = 0
    decisions: int = 0
    situations: Situations = field(default_factory=Situations)
    differences: list[Difference] = field(default_factory=list)


def read_session(path: Path, program: str, maker: house.Maker) -> Session | None:
    """What the journal tells of the program with that name; None if it never played.

    Raises:
        JournalError: the journal cannot be read.
    """
    rebuild = LedgerRebuild(path)
    reader: _Reader | None = None
    for hand in rebuild.hands():
        reader = reader or _Reader(rebuild.ledger, program, maker)
        reader.add(hand)
    if reader is None:
        return None
    places = _places(rebuild.ledger, reader.session.player)
    # the others may have gone on for a while without a program that was put out: that place is not its own doing
    reader.session.places = places[: reader.session.tournament - 1] if reader.session.player.faults else places
    return reader.session


class _Reader:
    """Takes hand after hand; the house's player sits behind the program all the while, and sees what it sees."""

    def __init__(self, ledger: Ledger, program: str, maker: house.Maker) -> None:
        self.session = Session(next(player for player in ledger.players if player.program == program))
        self._ledger = ledger
        self._teacher = maker(Random(0))

    def add(self, hand: ReplayedHand) -> None:
        """Take a hand; it is of the round under way."""
        if self.session.player not in hand.players:
            return
        seat = hand.players.index(self.session.player)
        self.session.hands += 1
        self.session.tournament = self._ledger.seating.round
        turns = []
        for turn, difference in self._decisions(hand, seat):
            turns.append(turn)
            self.session.differences += difference
        self.session.situations.add(turns, hand.settlement.payoffs[seat])
        self._teacher.hand_over(hand.settlement.statuses()[seat])

    def _decisions(self, hand: ReplayedHand, seat: int) -> Iterator[tuple[StudTurn, list[Difference]]]:
        """What the program was asked, with the difference if there was one."""
        seen: frozenset[Card] = frozenset()
        for step in hand.steps:
            if step.seat != seat:
                continue
            before = step.before
            assert isinstance(before, StudHand)
            turn = before.view(seat)
            seen |= {turn.hole, *turn.up, *chain.from_iterable(turn.shown)}
            better = self._teacher.decide(turn)
            self.session.decisions += step.action is not None
            if step.action in (None, better):
                yield turn, []
            else:
                spot = Spot(before, seat, step.action, better, seen)
                yield turn, [Difference(self._ledger.seating.round, hand.table, hand.number, turn, spot)]


def _places(ledger: Ledger, player: Player) -> Sequence[float]:
    """Of the tournaments that were played to their end."""
    assert isinstance(ledger.format, Freezeout)
    series = ledger.format.series
    if series is None:  # a single tournament counts its places nowhere else
        series = SeriesScores(ledger.players)
        if ledger.seating.round_over:
            series.end_round({standing.player: standing.place for standing in rank(ledger.stacks(), ledger.departures)})
    return tuple(series.by_player[player].places)
