"""What one decision was worth: the hand is played on many times with other cards, once from each of two actions.

A *roll-out* keeps all cards that the seat has seen in the hand and deals the others anew, each order as likely as the
next. Then it plays the hand to its end twice with the same cards: from the program's action, and from the teacher's.
After that the teacher plays all seats, each as a player who has just sat down. The sample is the difference between
what the seat wins in the two.

Three things are left out, which limits what the figures mean. What opponents did before says nothing about their
cards, so calls look a little better than they are. Opponents play on as the teacher would, not as they do. And chips
count, not places.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, Protocol

from dealer.cli.house_bots import load_bot
from dealer.practice.game_practice import GamePractice, find_practice
from protocol.cards import Piece
from protocol.games.base import Action, Hand


class BotPlayer(Protocol):
    """A bot's strategy, as far as practice needs it."""

    def decide(self, turn: Any) -> Action:
        """The answer to a question of the game that the bot plays."""

    def hand_over(self, status: Any) -> None:
        """Take note of the end of a hand that the bot was dealt into."""


#: Makes a player from its own source of chance.
BotMaker = Callable[[Random], BotPlayer]


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision that the teacher would have taken differently.

    Attributes:
        hand: before the decision.
        seat: that was to act.
        did: the program's action.
        better: the teacher's action.
        seen: every card that the seat had seen in the hand.
    """

    hand: Hand
    seat: int
    did: Action
    better: Action
    seen: frozenset[Piece]


class Effort(NamedTuple):
    """When to stop: after ``most`` roll-outs; or after ``least``, once the teacher has taken ``decisions``.

    Decisions take the time, and their number depends on the cards alone. So the same seed always stops at the same
    point, on a fast machine and on a slow one.
    """

    least: int
    most: int
    decisions: int


class Task(NamedTuple):
    """Roll-outs for one spot, as a worker process is told.

    Attributes:
        game: its name.
        spot: to be measured.
        chance: the text from which all cards are drawn.
        effort: when to stop.
    """

    game: str
    spot: Spot
    chance: str
    effort: Effort


class RollOut(NamedTuple):
    """One way to play the hand on.

    Attributes:
        better: chips that the seat won in the hand after the teacher's action.
        did: the same after the program's action.
    """

    better: int
    did: int

    @property
    def gain(self) -> int:
        """How many chips more the teacher's action won."""
        return self.better - self.did


def roll_out(task: Task) -> list[RollOut]:
    """Play the hand on until the effort is made.

    Raises:
        OptionError: practice does not know the game, or its teacher is not installed.
    """
    practice = find_practice(task.game)
    spot, maker, rng = task.spot, load_bot(practice.teacher), Random(task.chance)
    found: list[RollOut] = []
    decisions = 0
    while len(found) < task.effort.least or (len(found) < task.effort.most and decisions < task.effort.decisions):
        result, taken = compare(spot, redeal(practice, spot, rng), maker)
        found.append(result)
        decisions += taken
    return found


def redeal(practice: GamePractice, spot: Spot, rng: Random) -> Hand:
    """The hand with what the seat had not seen drawn anew."""
    return practice.redeal(spot.hand, spot.seat, spot.seen, rng)


def compare(spot: Spot, hand: Hand, maker: BotMaker) -> tuple[RollOut, int]:
    """Play both actions from ``hand``, the spot's hand with other cards.

    Returns:
        What each of the two won, and the number of decisions it took to find out.
    """
    better, one = play_out(hand.apply(spot.better), spot.seat, maker)
    did, other = play_out(hand.apply(spot.did), spot.seat, maker)
    return RollOut(better, did), one + other


def play_out(hand: Hand, seat: int, maker: BotMaker) -> tuple[int, int]:
    """Play a hand to its end, or until ``seat`` has folded.

    Returns:
        The chips that ``seat`` has won, and the number of decisions taken.
    """
    players = [maker(Random(0)) for _ in hand.stacks]
    decisions = 0
    while hand.to_act is not None:
        if seat not in hand.live:
            return hand.stacks[seat] - hand.starting[seat], decisions
        hand = hand.apply(players[hand.to_act].decide(hand.view(hand.to_act)))
        decisions += 1
    return hand.settle().payoffs[seat], decisions
