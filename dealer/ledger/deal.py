"""A hand for a table to play, as a value."""

from typing import NamedTuple

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
