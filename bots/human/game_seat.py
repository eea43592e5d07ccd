"""What the seat for a person knows of each game beyond the contract of all games, found by the game's name.

It comes as an entry point of the group ``casino.seats``: the name is that of the game, the value a ``GameSeat``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bots.human.odds import Chances, Spot
from dealer.audit.decision_value.situation import Situation
from protocol.cards import Piece, parse_card
from protocol.games.base import Action
from protocol.installed import installed_names, load_installed

ENTRY_POINTS = "casino.seats"


def always_call(_turn: Any) -> str:
    """The word for paying what is owed in most games."""
    return "call"


def nobody(_seats: int) -> tuple[str, ...]:
    """The bots of a game whose chips are computed exactly."""
    return ()


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
        rules: the rules for the help page, in a few lines of at most 60 characters.
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
    chances: Callable[[Spot, Random], Chances]
    read_piece: Callable[[str], Piece] = parse_card
    asks_once: bool = False
    pay_word: Callable[[Any], str] = always_call
    raises: bool = True
    coach: CoachPlan | None = None


def load_seat(game: str) -> GameSeat:
    """What the seat for people knows of a game.

    Raises:
        LookupError: it does not know that game, or what an installed package offers cannot be loaded.
    """
    seat: GameSeat | None = load_installed(ENTRY_POINTS, game, f"the seat for {game}", GameSeat)
    if seat is None:
        known = ", ".join(installed_names(ENTRY_POINTS))
        raise LookupError(f"the seat for people does not know {game} yet; it knows {known}")
    return seat
