"""The contract of a game: what is agreed before the first hand, and what begins from it.

A game is a frozen dataclass whose fields are its options. From them the command line, the journal's start record, the
``game:`` message and the documentation are made, and read back:

    @dataclass(frozen=True, slots=True)
    class StudGame(Game):
        stack: int = option(500, "Chips everybody starts with.")
        ante: int = option(1, "Chips everybody puts in before each hand.")
        name: ClassVar = "stud"
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Protocol, Self

from protocol.cards import Piece, Suit
from protocol.games.base import Hand, Settlement
from protocol.games.match import Match
from protocol.games.run_out import RunOut
from protocol.games.stakes import Stakes
from protocol.shuffle import Deck

#: The largest number an option may have: nine digits are the most that a bet can name.
MOST = 10**9

#: The unit of results, where a game has none of its own; see ``Game.unit``.
CHIPS_A_HAND = ("chips a hand", 1.0)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be agreed about a game before its first hand: a number, or one of a few words.

    Attributes:
        name: of the field, the flag and the key on the wire.
        default: what holds if nothing else is agreed.
        help: a sentence for people, which ends with a full stop.
        least, most: bounds of a number, both included.
        choices: the words to choose from; empty for a number.
        switch: whether it is on (1) or off (0), so that a flag without a value turns it on.
    """

    name: str
    default: int | str
    help: str
    least: int = 1
    most: int = MOST
    choices: tuple[str, ...] = ()
    switch: bool = False

    def check(self, value: object) -> None:
        """Make sure that ``value`` is one this option may have.

        Raises:
            ValueError: it is not; the text says what was expected.
        """
        if self.choices:
            if value not in self.choices:
                raise ValueError(f"{self.name}: expected one of {', '.join(self.choices)}, got {value!r}")
        elif type(value) is not int or not self.least <= value <= self.most:
            raise ValueError(f"{self.name}: expected a whole number from {self.least}, got {value!r}")


def option(default: int | str, help: str, *, least: int = 1, most: int = MOST, choices: tuple[str, ...] = ()) -> Any:
    """A field of a game that is one of its options; see ``Option``."""
    return field(default=default, metadata={"option": Option("", default, help, least, most, choices)})


def switch(help: str) -> Any:
    """A field of a game that is an option to be turned on: 1, or 0 as usual."""
    return field(default=0, metadata={"option": Option("", 0, help, 0, 1, switch=True)})


@dataclass(frozen=True, slots=True)
class Layout:
    """Whose card is whose in a hand that is played to its end.

    Attributes:
        seats: the cards of each seat, hole cards first, then up cards in the order they are dealt.
        board: the cards that belong to all seats, in the order they are dealt.
    """

    seats: tuple[tuple[Piece, ...], ...]
    board: tuple[Piece, ...] = ()


class Chance(Protocol):
    """What chance decides in one hand: a shuffled deck, or dice. Drawn from the seed, so that it can be checked."""

    def draw(self, seed: bytes, table: int, hand: int, resumption: int = 0) -> bytes:
        """The outcome for hand number ``hand`` (from 1) at ``table`` (from 0), as the journal keeps it.

        For ``resumption`` see ``protocol.shuffle.drawn_number``.
        """

    def outcome(self, drawn: bytes) -> Any:
        """What ``Match.deal`` takes: the cards or dice that ``drawn`` stands for.

        Raises:
            ValueError: ``drawn`` is no outcome of this chance.
        """

    def unseen(self, seen: Collection[Any]) -> Sequence[Piece]:
        """What may lie where a player cannot see, after it has seen ``seen``: each as likely, and each once."""


@dataclass(frozen=True, slots=True)
class Game(ABC):
    """A game with all that is agreed before its first hand.

    Attributes:
        stack: chips everybody starts with; every game has this option, with a default of its own.
    """

    stack: int = option(500, "Chips everybody starts with.")

    #: The word that names it on the command line and on the wire.
    name: ClassVar[str]
    #: What people call it.
    title: ClassVar[str]
    #: How many can play at one table.
    seats: ClassVar[range]
    #: Whether players are sent a ``game:`` message before the first hand; all games but stud do.
    announced: ClassVar[bool] = True
    #: Whether it is played in games, of which each has its winner; else until one player is left.
    in_games: ClassVar[bool] = False
    #: What chance gives to a seat: one of it, all of it together, and where it lies while nobody else sees it.
    piece: ClassVar[str] = "card"
    pieces: ClassVar[str] = "cards"
    hidden: ClassVar[str] = "in the hole"
    #: What people call the streets, the first one first; empty where they are only counted.
    streets: ClassVar[tuple[str, ...]] = ()
    #: What chance decides in one hand.
    chance: ClassVar[Chance] = Deck()
    #: What is the same in every game of this sort, and told to players with the options.
    constants: ClassVar[Mapping[str, int | str]] = {}
    #: Everything a pot can be won with (``Pot.kind``), in the order in which figures show it.
    kinds: ClassVar[tuple[str, ...]]

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """What can be agreed, in the order of the fields."""
        return tuple(
            _named(entry.name, entry.metadata["option"]) for entry in fields(cls) if "option" in entry.metadata
        )

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """The game with the options that ``facts`` names, such as flags or a start record; defaults for the others.

        Raises:
            ValueError: an option has a value that it may not have, or two do not fit together.
        """
        chosen = {entry.name: facts[entry.name] for entry in cls.options() if entry.name in facts}
        game = cls(**chosen)
        game.check()
        return game

    def check(self) -> None:
        """Make sure that every option has a value it may have, and that they fit together.

        Raises:
            ValueError: one has not, or two of them do not fit.
        """
        for entry in self.options():
            entry.check(getattr(self, entry.name))

    @property
    def facts(self) -> dict[str, int | str]:
        """What is agreed, by name, and what is always so: for journals, reports and players."""
        return {**{entry.name: getattr(self, entry.name) for entry in self.options()}, **self.constants}

    @property
    def hands(self) -> int:
        """How many hands a tournament or a game has, if its host does not say."""
        return 200

    @property
    def stakes(self) -> Stakes | None:
        """What is asked before each hand at the first level; None where nothing can rise."""
        return None

    @property
    def unit(self) -> tuple[str, float]:
        """What results are told in, and how many of it one chip a hand is."""
        return CHIPS_A_HAND

    @property
    def table_seats(self) -> range:
        """How many can play at one table with these options, which may allow fewer than ``seats``."""
        return self.seats

    @property
    def suits(self) -> Mapping[Suit, str]:
        """What people call the suits in this game; empty where they have their usual names. The wire has letters."""
        return {}

    def street_name(self, street: int) -> str:
        """A street, counted from 1, as people call it: ``flop``, or ``street 2`` where it has no name."""
        return self.streets[street - 1] if self.streets else f"street {street}"

    @property
    @abstractmethod
    def fee(self) -> str:
        """What a player pays before each hand, in words: "the ante of 1"."""

    @abstractmethod
    def start(self, players: int) -> Match:
        """All players seated, before the first hand."""

    @abstractmethod
    def layout(self, outcome: Any, seats: int) -> Layout:
        """Whose card is whose when ``outcome`` of ``chance`` is dealt to so many seats; nobody's fold moves a card."""

    def number_players(self, hand: Any, numbers: Sequence[int]) -> Hand:
        """A hand before its first action whose players are told each other's numbers, in games that tell them.

        Args:
            hand: as ``Match.deal`` gives it.
            numbers: of the players in the tournament, by seat; each keeps its number from the first hand to the last.
        """
        dealt: Hand = hand
        return dealt

    def run_out(self, hand: Hand, street: int) -> RunOut | None:
        """A finished hand on ``street``, after whose last action nobody could act any more; cards are shown then.

        Returns:
            None in games in which the betting never ends before the last street, and where only one seat is in.
        """
        return None

    def recorded_match(
        self, match: Match, seated: Sequence[int], stacks: Sequence[int], facts: Mapping[str, Any]
    ) -> Match:
        """The match with which a hand begins that others dealt, and that a journal holds as an imported one.

        Args:
            match: before it.
            seated: the players dealt in, by seat.
            stacks: their chips before the hand.
            facts: what else the record of the hand tells of the deal.

        Raises:
            ValueError: a fact is wrong, or this game has no imported hands.
        """
        raise ValueError(f"{self.title} has no imported hands")

    def recorded_hand(self, match: Match, deck: bytes) -> Hand:
        """Such a hand before its first action, from its cards as the journal keeps them; some may not be known.

        Raises:
            ValueError: there is no such card, or this game has no imported hands.
        """
        raise ValueError(f"{self.title} has no imported hands")

    def settle_recorded(self, match: Match, hand: Hand) -> tuple[Hand, Settlement]:
        """An imported hand at its end, and who won what as far as it can be known.

        Raises:
            ValueError: it cannot be known, or cards or chips are not as they can be.
        """
        raise ValueError(f"{self.title} has no imported hands")

    @abstractmethod
    def describe(self, cards: Sequence[Any]) -> str:
        """What a player's whole cards are worth at a showdown, in words: "a pair of fives"."""


def _named(name: str, entry: Option) -> Option:
    return replace(entry, name=name)
