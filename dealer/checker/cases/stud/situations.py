"""Test situations of stud, and what a sensible player does: "plays correctly in given test situations"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from dealer.checker.cases.judged import Judged, seldom_odd
from dealer.checker.cases.stud.cards import junk, others, ranked, seated, spade, three_of_a_kind, unpaired
from dealer.checker.cases.stud.scenes import Scene, boldness, search
from protocol.cards import DECK, Rank, Suit
from protocol.games.base import Action
from protocol.games.stud import StudTurn

#: The id of the line of the rubric.
PLAY = "situations"

#: The stack of every player, unless the situation is about few chips.
CHIPS = 300

#: How often each situation is dealt.
VARIANTS = 5

#: Whether a reply to a question is sensible.
Sensible = Callable[[StudTurn, Action], bool]


def raises(turn: StudTurn, action: Action) -> bool:
    """Whether the action is a raise."""
    return boldness(turn, action) > 0


def stays(turn: StudTurn, action: Action) -> bool:
    """Whether the action is anything but a fold."""
    return boldness(turn, action) >= 0


def calls_at_most(turn: StudTurn, action: Action) -> bool:
    """Whether the action is no raise."""
    return boldness(turn, action) <= 0


def checks(turn: StudTurn, action: Action) -> bool:
    """Whether the action is a call, which is a check where nothing is owed."""
    return boldness(turn, action) == 0


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
        return search(partial(self.make, rng), self._is_as_wanted)

    def _is_as_wanted(self, scene: Scene) -> bool:
        question = scene.question()
        return question is not None and question.owed in self.owed

    def judged(self, seed: str) -> Judged:
        """The situation as it is dealt in a check."""
        verdict = seldom_odd(self.sensible)
        return Judged(PLAY, self.name, self.reason, seed, VARIANTS, lambda rng, _: [self.scene(rng).to_play], verdict)


def _trips(raised: dict[int, list[int]]) -> Callable[[Random], Scene]:
    def make(rng: Random) -> Scene:
        own = three_of_a_kind(rng)
        return Scene(*seated(rng, own, others(rng, own, rng.randint(2, 4))), CHIPS, raised, 2)

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
        return Scene(*seated(rng, own, rivals), stack, raised, street)

    return make


def _late_pair(
    ranks: Sequence[Rank],
    raised: dict[int, list[int]],
    highest: Rank = Rank.ACE,
    stack: int = CHIPS,
    *,
    face_up: bool | None = None,
) -> Callable[[Random], Scene | None]:
    """A pair that the third card makes, and nothing before; no opponent shows a pair or a card above ``highest``.

    Args:
        ranks: of the pair.
        raised: chips of the raises, by street.
        highest: card that an opponent shows.
        stack: chips of every player before the ante.
        face_up: whether the pair is that of the up cards; drawn by chance if None.
    """

    def make(rng: Random) -> Scene | None:
        plain = [card for card in DECK if card.suit is not Suit.SPADES]
        rank = rng.choice(ranks)
        first, third = rng.sample([card for card in plain if card.rank is rank], 2)
        odd = rng.choice([card for card in plain if card.rank < Rank.TEN and card.rank is not first.rank])
        up_pair = rng.random() < 1 / 2 if face_up is None else face_up
        own = (odd, first, third) if up_pair else (first, odd, third)
        rivals = others(rng, own, rng.randint(2, 3), ranked(Rank.TWO, highest))
        if any(up.rank is last.rank for _, up, last in rivals):
            return None
        return Scene(*seated(rng, own, rivals), stack, raised, 2)

    return make


def _unpaired(raised: dict[int, list[int]]) -> Callable[[Random], Scene]:
    """An ace in the hole, which the third card does not pair; an opponent shows a pair."""

    def make(rng: Random) -> Scene:
        plain = [card for card in DECK if card.suit is not Suit.SPADES]
        (hole,), (up,), (last,) = (
            unpaired(rng, plain, range(low, high), 1)
            for low, high in ((Rank.ACE, Rank.ACE + 1), (Rank.NINE, Rank.JACK), (Rank.TWO, Rank.NINE))
        )
        rank = rng.choice(range(Rank.JACK, Rank.ACE))
        pair = rng.sample([card for card in plain if card.rank == rank], 2)
        (first, *_), *rest = others(rng, (hole, up, last, *pair), rng.randint(2, 3), ranked(Rank.TWO, Rank.EIGHT))
        return Scene(*seated(rng, (hole, up, last), [(first, pair[0], pair[1]), *rest]), CHIPS, raised, 2)

    return make


def _spade_made_safe(raised: dict[int, list[int]]) -> Callable[[Random], Scene]:
    """The queen of spades in the hole: the third card is the king, and an opponent shows the ace."""

    def make(rng: Random) -> Scene:
        up = rng.choice([card for card in ranked(Rank.TWO, Rank.EIGHT) if card.suit is not Suit.SPADES])
        own, ace = (spade(Rank.QUEEN), up, spade(Rank.KING)), spade(Rank.ACE)
        (hole, first, _), *rest = others(rng, (*own, ace), rng.randint(2, 4), ranked(Rank.TWO, Rank.KING))
        return Scene(*seated(rng, own, [(hole, first, ace), *rest]), CHIPS, raised, 2)

    return make


def _junk(raised: dict[int, list[int]], street: int, stack: int = CHIPS) -> Callable[[Random], Scene]:
    def make(rng: Random) -> Scene:
        own = junk(rng)
        rivals = others(rng, own, rng.randint(2, 4), ranked(Rank.NINE, Rank.ACE))
        return Scene(*seated(rng, own, rivals), stack, raised, street)

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
        return Scene(*seated(rng, own, shown), CHIPS, raised, 1)

    return make


#: The ranks of a pair.
_LOW = [rank for rank in Rank if rank <= Rank.FIVE]
_MIDDLE = [rank for rank in Rank if Rank.EIGHT <= rank <= Rank.JACK]
_HIGH = [rank for rank in Rank if rank >= Rank.QUEEN]

_PAIR = "the assignment: 'you also can bet big if you have a pair'"
_THREE = "the assignment: 'if you have three-of-a-kind, you should bet as much as possible'"
_NOTHING = "the assignment: 'bet $0 or fold if you do not have a pair or better'"
_CHECK = (
    "the assignment: 'A player may bet zero chips [...]. This is a wise bet if the player's hand is not very strong'"
)
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
        "the third card makes a pair of queens or better, lower cards on the table: raise",
        _PAIR,
        _late_pair(_HIGH, {}, Rank.JACK),
        range(1),
        raises,
    ),
    Situation(
        "the third card makes a pair of queens or better, raised twice: stay",
        _PAIR,
        _late_pair(_HIGH, {2: [10, 10]}),
        range(20, 21),
        stays,
    ),
    Situation(
        "the third card makes a high pair, few chips left: raise by some of them",
        _PAIR + "; a raise can be smaller than 10",
        _late_pair(_HIGH, {}, Rank.JACK, stack=7),
        range(1),
        raises,
    ),
    Situation(
        "the third card makes a pair of eights to jacks, lower cards on the table: raise",
        _PAIR,
        _late_pair(_MIDDLE, {}, Rank.SEVEN),
        range(1),
        raises,
    ),
    Situation(
        "the third card makes a pair of eights to jacks, a bet to pay: stay",
        _PAIR,
        _late_pair(_MIDDLE, {2: [10]}, Rank.JACK),
        range(10, 11),
        stays,
    ),
    Situation(
        "the third card makes a low pair, no pair on the table: raise",
        _PAIR,
        _late_pair(_LOW, {}),
        range(1),
        raises,
    ),
    Situation(
        "the third card makes a low pair, a bet to pay, no pair on the table: stay",
        _PAIR,
        _late_pair(_LOW, {2: [10]}, Rank.TEN),
        range(10, 11),
        stays,
    ),
    Situation(
        "the two up cards are a high pair, lower cards on the table: raise",
        _PAIR,
        _late_pair(_HIGH, {}, Rank.JACK, face_up=True),
        range(1),
        raises,
    ),
    Situation(
        "the two up cards are a pair of eights to jacks, a bet to pay, no other pair on the table: stay",
        _PAIR,
        _late_pair(_MIDDLE, {2: [10]}, face_up=True),
        range(10, 11),
        stays,
    ),
    Situation(
        "the queen of spades in the hole, the third card is the king, the ace lies face up, a bet to pay: stay",
        _SPADE + ": both higher spades are seen, so half of the pot is yours for certain",
        _spade_made_safe({2: [10]}),
        range(10, 11),
        stays,
    ),
    Situation(
        "an ace in the hole that the third card does not pair, a pair on the table, raised twice: fold",
        _NOTHING,
        _unpaired({2: [10, 10]}),
        range(20, 21),
        folds,
    ),
    Situation(
        "an ace in the hole that the third card does not pair, a pair on the table: check",
        _CHECK,
        _unpaired({}),
        range(1),
        checks,
    ),
    Situation("a high pair, a bet to pay: stay", _PAIR, _high_pair({1: [10]}, 1, Rank.ACE), range(10, 11), stays),
    Situation("three low cards, raised twice: fold", _NOTHING, _junk({1: [10, 10]}, 1), range(20, 21), folds),
    Situation("three low cards, raised three times: fold", _NOTHING, _junk({2: [10, 10, 10]}, 2), range(30, 31), folds),
    Situation(
        "three low cards, a bet of almost all chips: fold",
        "the assignment: 'The object of the game is to keep playing as long as possible'",
        _junk({1: [10, 10]}, 1, stack=25),
        range(20, 21),
        folds,
    ),
    Situation("two low cards, a bet to pay: do not raise", _NOTHING, _junk({1: [5]}, 1), range(5, 6), calls_at_most),
    Situation("two low cards, nothing owed: check or fold", _NOTHING, _junk({}, 1), range(1), calls_at_most),
    Situation("three low cards, nothing owed: check", _CHECK, _junk({}, 2), range(1), checks),
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
