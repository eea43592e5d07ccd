"""Test situations of stud, and what a sensible player does: "plays correctly in given test situations".

Each situation is dealt several times with other cards of its kind. A program may bluff, so one reply may be odd.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from dealer.checker.cases.stud.scenes import Cards, Scene, Seen, boldness, search, seated
from dealer.checker.scoring.findings import Findings, Played
from protocol.cards import DECK, Card, Rank, Suit
from protocol.games.base import Action
from protocol.games.stud import StudTurn

#: The id of the line of the rubric.
PLAY = "situations"

#: The stack of every player, unless the situation is about few chips.
CHIPS = 300

#: How often each situation is dealt.
VARIANTS = 5

#: How many variants of a situation may be played oddly.
ODD = 1

#: Whether a reply to a question is sensible.
Sensible = Callable[[StudTurn, Action], bool]


def raises(turn: StudTurn, action: Action) -> bool:
    """Whether the action is a raise."""
    return boldness(turn, action) > 0


def stays(turn: StudTurn, action: Action) -> bool:
    """Whether the action is anything but a fold."""
    return boldness(turn, action) >= 0


def folds(turn: StudTurn, action: Action) -> bool:
    """Whether the action is a fold."""
    return boldness(turn, action) < 0


@dataclass(frozen=True, slots=True)
class Situation:
    """One kind of position, and what to do in it.

    Attributes:
        name: what the position is, and what is expected.
        reason: why this is sensible; the assignment's words where it has some.
        make: deals a scene of this kind, or None where the cards did not fit.
        owed: chips owed in it.
        sensible: whether a reply is sensible.
    """

    name: str
    reason: str
    make: Callable[[Random], Scene | None]
    owed: range
    sensible: Sensible

    def scene(self, rng: Random) -> Scene:
        """Deal one position of this kind."""
        return search(rng, self.make, lambda turn: turn.owed in self.owed)


@dataclass(slots=True)
class Judged:
    """A situation with what the program did in each variant."""

    situation: Situation
    seen: list[Seen] = field(default_factory=list)

    def write_down(self, findings: Findings) -> None:
        """Add how the situation was played, if the program met it often enough."""
        if len(self.seen) < VARIANTS:
            return
        odd = [seen for seen in self.seen if not self._good(seen)]
        examples = tuple(seen.text for seen in odd)
        situation = self.situation
        findings.played.append(Played(PLAY, situation.name, len(odd) <= ODD, situation.reason, examples))

    def _good(self, seen: Seen) -> bool:
        return seen.action is not None and self.situation.sensible(seen.turn, seen.action)


def others(rng: Random, taken: Sequence[Card], number: int, up: Sequence[Card] = DECK) -> list[Cards]:
    """Cards of ``number`` other seats by chance: any card in the hole, and cards of ``up`` face up."""
    free = [card for card in up if card not in taken]
    shown = rng.sample(free, 2 * number)
    holes = rng.sample([card for card in DECK if card not in taken and card not in shown], number)
    return [(hole, *shown[2 * seat : 2 * seat + 2]) for seat, hole in enumerate(holes)]  # type: ignore[misc]


def ranked(low: Rank, high: Rank) -> list[Card]:
    """All cards from a value to another."""
    return [card for card in DECK if low <= card.rank <= high]


def three_of_a_kind(rng: Random, least: Rank = Rank.TWO) -> Cards:
    """Three cards of one value."""
    rank = rng.choice(range(least, Rank.ACE))
    first, second, third = rng.sample([card for card in DECK if card.rank == rank], 3)
    return first, second, third


def junk(rng: Random) -> Cards:
    """Three low cards without a pair, none of them a spade."""
    low = [card for card in ranked(Rank.TWO, Rank.EIGHT) if card.suit is not Suit.SPADES]
    while True:
        first, second, third = rng.sample(low, 3)
        if len({first.rank, second.rank, third.rank}) == 3:
            return first, second, third


def _trips(raised: dict[int, list[int]]) -> Callable[[Random], Scene]:
    def make(rng: Random) -> Scene:
        own = three_of_a_kind(rng)
        hands, seat = seated(rng, own, others(rng, own, rng.randint(2, 4)))
        return Scene(hands, seat, CHIPS, raised, 2)

    return make


def _high_pair(
    raised: dict[int, list[int]], street: int, highest: Rank, stack: int = CHIPS
) -> Callable[[Random], Scene | None]:
    """A pair of queens or better; no opponent shows a pair or a card above ``highest``."""

    def make(rng: Random) -> Scene | None:
        rank = rng.choice([Rank.QUEEN, Rank.KING, Rank.ACE])
        hole, up = rng.sample([card for card in DECK if card.rank == rank], 2)
        own = (hole, up, rng.choice(ranked(Rank.TWO, Rank.NINE)))
        rivals = others(rng, own, rng.randint(2, 3), ranked(Rank.TWO, highest))
        if any(first.rank == second.rank for _, first, second in rivals):
            return None
        hands, seat = seated(rng, own, rivals)
        return Scene(hands, seat, stack, raised, street)

    return make


def _junk(raised: dict[int, list[int]], street: int) -> Callable[[Random], Scene]:
    def make(rng: Random) -> Scene:
        own = junk(rng)
        rivals = others(rng, own, rng.randint(2, 4), ranked(Rank.NINE, Rank.ACE))
        hands, seat = seated(rng, own, rivals)
        return Scene(hands, seat, CHIPS, raised, street)

    return make


def _spade(rank: Rank, raised: dict[int, list[int]], seen: Sequence[Rank] = ()) -> Callable[[Random], Scene]:
    """A spade in the hole and no pair; the spades of ``seen`` lie face up before opponents."""

    def make(rng: Random) -> Scene:
        first, second, third = junk(rng)
        own = (spade(rank), second, third)
        higher = [spade(other) for other in seen]
        plain = [card for card in ranked(Rank.FOUR, Rank.KING) if card.suit is not Suit.SPADES and card != first]
        rivals = others(rng, (*own, *higher), 4, plain)
        shown = [
            (hole, higher[place] if place < len(higher) else up, last) for place, (hole, up, last) in enumerate(rivals)
        ]
        hands, seat = seated(rng, own, shown)
        return Scene(hands, seat, CHIPS, raised, 1)

    return make


def spade(rank: Rank) -> Card:
    """The spade of a value."""
    return next(card for card in DECK if card.rank == rank and card.suit is Suit.SPADES)


_PAIR = "the assignment: 'you also can bet big if you have a pair'"
_THREE = "the assignment: 'if you have three-of-a-kind, you should bet as much as possible'"
_NOTHING = "the assignment: 'bet $0 or fold if you do not have a pair or better'"
_SPADE = "the assignment: 'The \"high spade in the hole\" is just as valuable as a good poker hand'"

SITUATIONS = (
    Situation("three of a kind, nothing owed: raise", _THREE, _trips({}), range(1), raises),
    Situation("three of a kind, a bet to pay: raise", _THREE, _trips({2: [5]}), range(5, 6), raises),
    Situation("three of a kind, raised twice: stay", _THREE, _trips({2: [10, 10]}), range(20, 21), stays),
    Situation(
        "a high pair, few chips left: raise by some of them",
        _PAIR + "; a raise can be smaller than 10",
        _high_pair({}, 1, Rank.JACK, stack=7),
        range(1),
        raises,
    ),
    Situation(
        "a pair of queens or better, lower cards on the table: raise",
        _PAIR,
        _high_pair({}, 2, Rank.JACK),
        range(1),
        raises,
    ),
    Situation("a high pair, a bet to pay: stay", _PAIR, _high_pair({1: [10]}, 1, Rank.ACE), range(10, 11), stays),
    Situation("three low cards, raised twice: fold", _NOTHING, _junk({1: [10, 10]}, 1), range(20, 21), folds),
    Situation("three low cards, raised three times: fold", _NOTHING, _junk({2: [10, 10, 10]}, 2), range(30, 31), folds),
    Situation(
        "low cards, nothing owed: do not fold",
        "staying costs nothing: 'A player may bet zero chips on any opening bet. This is a wise bet if the player's "
        "hand is not very strong'",
        _junk({}, 1),
        range(1),
        stays,
    ),
    Situation(
        "the ace of spades in the hole, a bet to pay: stay",
        _SPADE + ": half of the pot is yours for certain",
        _spade(Rank.ACE, {1: [10]}),
        range(10, 11),
        stays,
    ),
    Situation(
        "the ace of spades in the hole, nothing owed: raise",
        "the assignment: 'If you have a high spade in the hole, you should bet high'",
        _spade(Rank.ACE, {}),
        range(1),
        raises,
    ),
    Situation(
        "the queen of spades in the hole, ace and king of spades seen: stay",
        'the assignment: \'If you see high spades among the "up" cards, that helps confirm that other players do not '
        'have those cards as their "hole" cards\'',
        _spade(Rank.QUEEN, {1: [10]}, (Rank.ACE, Rank.KING)),
        range(10, 11),
        stays,
    ),
)
