"""What one decision was worth: the hand is played on many times with other cards, once from each of two actions.

A *roll-out* keeps everything that the seat has seen in the hand and deals all other cards anew, each arrangement as
likely as the next. Then it plays the hand to its end twice with those same cards: from what the program did, and from
what the teacher would have done. From there on the teacher plays all seats, each as somebody who has just sat down.
The difference between what the seat wins in one and the other is the sample.

So three things are left out, and who reads the figures should know it. What rivals had done before says nothing about
their cards (calls look a little better than they are). They play on as the teacher would, not as they do. And chips
count, not places.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from dealer.practice.house import Maker, teacher
from protocol.cards import DECK, Card
from protocol.games.base import Action
from protocol.games.stud import StudHand


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision that the teacher would have taken otherwise.

    Attributes:
        hand: as it stood.
        seat: whose turn it was.
        did: what it did.
        better: what the teacher would have done.
        seen: every card that the seat had seen in the hand.
    """

    hand: StudHand
    seat: int
    did: Action
    better: Action
    seen: frozenset[Card]


class Effort(NamedTuple):
    """When to stop: after so many roll-outs, or, once there are ``least``, after so many decisions of the teacher.

    Those take the time, and their number depends on nothing but the cards.
    """

    least: int
    most: int
    decisions: int


class Task(NamedTuple):
    """A spot, what its chance is drawn from, and how much to do for it."""

    spot: Spot
    chance: str
    effort: Effort


def roll_out(task: Task) -> list[int]:
    """For each roll-out, how many chips more the teacher's action brought."""
    spot, maker, rng = task.spot, teacher(), Random(task.chance)
    gains: list[int] = []
    decisions = 0
    while len(gains) < task.effort.least or (len(gains) < task.effort.most and decisions < task.effort.decisions):
        gain, taken = compare(spot, redeal(spot, rng), maker)
        gains.append(gain)
        decisions += taken
    return gains


def redeal(spot: Spot, rng: Random) -> tuple[Card, ...]:
    """The deck with all cards that the seat had not seen in another order."""
    unseen = [card for card in DECK if card not in spot.seen]
    rng.shuffle(unseen)
    return with_unseen(spot, iter(unseen))


def with_unseen(spot: Spot, unseen: Iterator[Card]) -> tuple[Card, ...]:
    """The deck with other cards, in this order, where the seat had not seen any."""
    return tuple(card if card in spot.seen else next(unseen) for card in spot.hand.deck)


def compare(spot: Spot, deck: tuple[Card, ...], maker: Maker) -> tuple[int, int]:
    """With these cards: the chips that the teacher's action brings more, and how many decisions it took to know."""
    hand = spot.hand._replace(deck=deck)
    better, one = play_out(hand.apply(spot.better), spot.seat, maker)
    did, other = play_out(hand.apply(spot.did), spot.seat, maker)
    return better - did, one + other


def play_out(hand: StudHand, seat: int, maker: Maker) -> tuple[int, int]:
    """What ``seat`` has won when the hand is over, and how many decisions that took; no more of them once it is out."""
    players = [maker(Random(0)) for _ in hand.stacks]
    decisions = 0
    while hand.to_act is not None:
        if seat not in hand.street.live:
            return hand.stacks[seat] - hand.starting[seat], decisions
        hand = hand.apply(players[hand.to_act].decide(hand.view(hand.to_act)))
        decisions += 1
    return hand.settle().payoffs[seat], decisions
