"""A hand for a table to play, as a value: it can be sent to a table in another process."""

from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass, replace
from typing import Any, NamedTuple, Self

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

    def to_plain(self) -> dict[str, Any]:
        """The deal as numbers, lists and maps that MessagePack carries."""
        # Not used while tables play in this process: a deal is passed on as it is, which costs nothing.
        return {**self._asdict(), "match": asdict(self.match)}

    @classmethod
    def from_plain(cls, facts: Mapping[str, Any], game: Game) -> Self:
        """The deal of ``game`` that ``to_plain`` made these facts of.

        Raises:
            KeyError: a fact is missing.
        """
        match = _filled(game.start(len(facts["match"]["stacks"])), facts["match"])
        return cls(**{**facts, "players": tuple(facts["players"]), "match": match})


def _filled(example: Any, facts: Mapping[str, Any]) -> Any:
    """A value of the same class as ``example``, with these facts in its fields."""
    values = {field.name: _typed(getattr(example, field.name), facts[field.name]) for field in fields(example)}
    return replace(example, **values)


def _typed(example: Any, value: Any) -> Any:
    """A value as the class of a match wants it: MessagePack makes lists of tuples, ``asdict`` makes maps of values."""
    if is_dataclass(example):
        return _filled(example, value)
    return tuple(value) if isinstance(value, list) else value
