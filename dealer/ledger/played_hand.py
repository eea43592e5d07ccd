"""A hand as values: what a table is dealt, the record of its actions and faults, and how it ended."""

from collections.abc import Sequence
from typing import NamedTuple

from dealer.journal.records import CorrectionNote, FaultNote, FinishedHandRecord
from protocol.events import Act
from protocol.games.base import Hand, Settlement
from protocol.games.game import Game
from protocol.games.match import Match


class Deal(NamedTuple):
    """All that a table needs to know to play one hand.

    Attributes:
        table: the number of the table, from 0.
        number: of the hand at that table, from 1.
        level: at which it is dealt, from 1.
        players: the numbers of the players who are dealt in, by seat.
        match: stacks and stakes, and what earlier hands left for this one.
        deck: what chance decided, as the journal keeps it; for a deck the order of its cards, one byte a card.
    """

    table: int
    number: int
    level: int
    players: tuple[int, ...]
    match: Match
    deck: bytes

    def begin(self, game: Game) -> Hand:
        """The hand of ``game`` before its first action.

        Raises:
            ValueError: it is imported, and its deck holds what is no card.
        """
        if self.match.imported:
            return game.recorded_hand(self.match, self.deck)
        return game.number_players(self.match.deal(game.chance.outcome(self.deck)), self.players)

    def settle(self, game: Game, hand: Hand) -> tuple[Hand, Settlement]:
        """The hand at its end, and who won what; of an imported hand as far as it can be known.

        Raises:
            ValueError: it is imported, and cards or chips are not as they can be.
        """
        return game.settle_recorded(self.match, hand) if self.match.imported else (hand, hand.settle())


class HandRecord(NamedTuple):
    """A hand under way or over: what was dealt, and what every seat did.

    All of the hand follows from it by the rules, so it is what pages are shown.
    """

    deal: Deal
    actions: list[Act]
    faults: list[FaultNote]
    corrections: Sequence[CorrectionNote] = ()

    @property
    def decisions(self) -> int:
        """Questions that were answered."""
        return sum(microseconds is not None for _, _, microseconds in self.actions)


class PlayedHand(NamedTuple):
    """A finished hand."""

    record: HandRecord
    last: Hand
    settlement: Settlement

    @property
    def pot(self) -> int:
        """Chips in the pot at its end."""
        return self.last.pot

    @property
    def deal(self) -> Deal:
        """The deal, from which the hand can be played again."""
        return self.record.deal

    @property
    def told(self) -> FinishedHandRecord:
        """The hand as the journal tells it."""
        deal, actions, faults, corrections = self.record
        return FinishedHandRecord(
            table=deal.table,
            hand=deal.number,
            level=deal.level,
            players=deal.players,
            stacks=self.last.starting,
            deck=deal.deck,
            actions=actions,
            faults=faults,
            pot=self.pot,
            payoffs=self.settlement.payoffs,
            corrections=corrections,
        )
