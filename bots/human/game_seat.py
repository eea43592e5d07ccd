"""What the seat for a person knows of each game beyond the contract of all games, found by the game's name.

It comes as an entry point of the group ``casino.seats``: the name is that of the game, the value a ``GameSeat``. A game
without one can be played, too, with what its rules say.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from textwrap import fill
from typing import Any, NamedTuple

from bots.human.odds import Chances, Spot
from dealer.audit.decision_value.situation import Situation
from protocol.cards import Piece, parse_card
from protocol.games.base import Action
from protocol.games.game import Game
from protocol.games.registry import load_game
from protocol.installed import load_installed

ENTRY_POINTS = "casino.seats"

#: Characters of a line of rules, at most.
RULES_WIDTH = 62


def always_call(_turn: Any) -> str:
    """The word for paying what is owed in most games."""
    return "call"


def nobody(_seats: int) -> tuple[str, ...]:
    """The bots of a game whose chips are computed exactly."""
    return ()


def not_counted(spot: Spot, _rng: Random) -> Chances:
    """The chances in a game in which nobody counts them, and is not asked to."""
    raise LookupError(f"chances are not counted in {spot.game.title}")


@dataclass(frozen=True, slots=True)
class CoachPlan:
    """How a game is coached.

    Attributes:
        best: the name of the house's best bot, which says what it would do.
        company: the names of the bots that play the hand to its end, by the number of seats in the hand. The first
            one also plays for the person after the action that is looked at. They must be quick.
        hands: how many hands one advice plays, over all actions and divided by the seats still in: what takes about
            half a second of processor time.
        depth: the big blinds that the person and the largest opponent play for, in a game in which seats can be all in;
            None in others, where no raise is too large.
        exact: the expected chips of each legal action, in a game in which they can be computed; None to deal and play.
    """

    best: str
    company: Callable[[int], tuple[str, ...]] = nobody
    hands: int = 3000
    depth: Callable[[Situation], float] | None = None
    exact: Callable[[Situation], Mapping[Action, float]] | None = None


@dataclass(frozen=True, slots=True)
class GameSeat:
    """What one game adds to the seat for a person.

    Attributes:
        rules: the rules for the help page, in a few lines of at most ``RULES_WIDTH`` characters.
        opponents: how many house bots sit down, if the person does not say.
        cards: how many cards a seat has at the end of a hand.
        in_words: what cards are worth, also before all are dealt: ``a pair of kings``. It is given the game, whose
            options may matter, and the cards, hole cards first.
        chances: counts the person's chances in a ``Spot``; it is given random numbers for what it cannot count.
        read_piece: makes a card, or what the game has instead, of its text.
        asks_once: whether a hand asks each player once at most.
        pay_word: what it is called to pay exactly what is owed, as a verb; it is given the question.
        raises: whether more than what is owed can ever be paid.
        coach: how the game is coached; None without a coach.
    """

    rules: str
    opponents: int
    cards: int
    in_words: Callable[[Any, Sequence[Any]], str]
    chances: Callable[[Spot, Random], Chances] = not_counted
    read_piece: Callable[[str], Piece] = parse_card
    asks_once: bool = False
    pay_word: Callable[[Any], str] = always_call
    raises: bool = True
    coach: CoachPlan | None = None

    @property
    def counts_chances(self) -> bool:
        """Whether the person's chances can be counted."""
        return self.chances is not not_counted


class NamedPiece(NamedTuple):
    """A die or another piece of a game without cards, of which only the text is known."""

    text: str


def read_any_piece(text: str) -> Piece:
    """A card, or else what is written."""
    try:
        return parse_card(text)
    except ValueError:
        return NamedPiece(text)


def load_seat(name: str) -> GameSeat:
    """The seat for people of a game; where no package offers one, with what the rules say.

    Raises:
        LookupError: there is no such game, or what an installed package offers cannot be loaded.
    """
    seat: GameSeat | None = load_installed(ENTRY_POINTS, name, f"the seat for {name}", GameSeat)
    return plain_seat(load_game(name)()) if seat is None else seat


def plain_seat(game: Game) -> GameSeat:
    """The seat for a game of which nothing but the rules is known: no chances are counted, and nobody coaches."""
    rules = fill(f"{game.title[0].upper()}{game.title[1:]}: the buttons offer what its rules allow.", RULES_WIDTH)
    return GameSeat(rules, max(game.seats[0] - 1, 1), 1, Game.describe, read_piece=read_any_piece)
