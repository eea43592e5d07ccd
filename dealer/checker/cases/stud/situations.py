"""Test situations of stud, and what a sensible player does: "plays correctly in given test situations"."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from dealer.checker.cases.judged import Situation, seldom_odd
from dealer.checker.cases.stud.cards import PLAIN, Cards, junk, others, ranked, seated, spade, three_of_a_kind, unpaired
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


#: The cards of the program and those of its opponents, or None where what was drawn does not fit.
Dealt = tuple[Cards, Sequence[Cards]] | None


def _situation(
    name: str,
    reason: str,
    cards: Callable[[Random], Dealt],
    raised: Sequence[int],
    sensible: Sensible,
    *,
    street: int = 2,
    stack: int = CHIPS,
) -> Situation:
    """A position with one question.

    Args:
        name: what the position is, and what is expected.
        reason: why this is sensible.
        cards: draws cards of this kind.
        raised: chips of the raises before the question.
        sensible: whether a reply is sensible.
        street: of the question.
        stack: chips of every player before the ante.
    """

    def deal(rng: Random, _: int) -> list[Scene]:
        def make() -> Scene | None:
            dealt = cards(rng)
            return dealt and Scene(*seated(rng, *dealt), stack, raised, street)

        return [search(make, Scene.is_asked)]

    return Situation(PLAY, name, reason, VARIANTS, deal, seldom_odd(sensible))


def _trips(rng: Random) -> Dealt:
    own = three_of_a_kind(rng)
    return own, others(rng, own, rng.randint(2, 4))


def _high_pair(highest: Rank, rng: Random) -> Dealt:
    """A pair of queens or better; no opponent shows a pair or a card above ``highest``."""
    rank = rng.choice([Rank.QUEEN, Rank.KING, Rank.ACE])
    hole, up = rng.sample([card for card in DECK if card.rank == rank], 2)
    own = (hole, up, rng.choice(ranked(Rank.TWO, Rank.NINE)))
    return _unless_paired(own, others(rng, own, rng.randint(2, 3), ranked(Rank.TWO, highest)))


def _unless_paired(own: Cards, rivals: Sequence[Cards]) -> Dealt:
    return None if any(first.rank is second.rank for _, first, second in rivals) else (own, rivals)


def _late_pair(ranks: Sequence[Rank], highest: Rank, rng: Random, *, face_up: bool | None = None) -> Dealt:
    """A pair that the third card makes, and nothing before; no opponent shows a pair or a card above ``highest``.

    Args:
        ranks: of the pair.
        highest: card that an opponent shows.
        rng: the only source of chance.
        face_up: whether the pair is that of the up cards; drawn by chance if None.
    """
    rank = rng.choice(ranks)
    first, third = rng.sample([card for card in PLAIN if card.rank is rank], 2)
    odd = rng.choice([card for card in PLAIN if card.rank < Rank.TEN and card.rank is not first.rank])
    up_pair = rng.random() < 1 / 2 if face_up is None else face_up
    own = (odd, first, third) if up_pair else (first, odd, third)
    return _unless_paired(own, others(rng, own, rng.randint(2, 3), ranked(Rank.TWO, highest)))


def _unpaired(rng: Random) -> Dealt:
    """An ace in the hole, which the third card does not pair; an opponent shows a pair."""
    (hole,), (up,), (last,) = (
        unpaired(rng, PLAIN, range(low, high), 1)
        for low, high in ((Rank.ACE, Rank.ACE + 1), (Rank.NINE, Rank.JACK), (Rank.TWO, Rank.NINE))
    )
    rank = rng.choice(range(Rank.JACK, Rank.ACE))
    pair = rng.sample([card for card in PLAIN if card.rank == rank], 2)
    (first, *_), *rest = others(rng, (hole, up, last, *pair), rng.randint(2, 3), ranked(Rank.TWO, Rank.EIGHT))
    return (hole, up, last), [(first, pair[0], pair[1]), *rest]


def _spade_made_safe(rng: Random) -> Dealt:
    """The queen of spades in the hole: the third card is the king, and an opponent shows the ace."""
    up = rng.choice([card for card in ranked(Rank.TWO, Rank.EIGHT) if card.suit is not Suit.SPADES])
    own, ace = (spade(Rank.QUEEN), up, spade(Rank.KING)), spade(Rank.ACE)
    (hole, first, _), *rest = others(rng, (*own, ace), rng.randint(2, 4), ranked(Rank.TWO, Rank.KING))
    return own, [(hole, first, ace), *rest]


def _junk(rng: Random) -> Dealt:
    own = junk(rng)
    return own, others(rng, own, rng.randint(2, 4), ranked(Rank.NINE, Rank.ACE))


def _spade(rank: Rank, seen: Sequence[Rank], rng: Random) -> Dealt:
    """A spade in the hole and no pair; the spades of ``seen`` lie face up before opponents."""
    first, second, third = junk(rng)
    own = (spade(rank), second, third)
    higher = [spade(other) for other in seen]
    plain = [card for card in ranked(Rank.FOUR, Rank.KING) if card.suit is not Suit.SPADES and card != first]
    rivals = others(rng, (*own, *higher), 4, plain)
    return own, [
        (hole, higher[place] if place < len(higher) else up, last) for place, (hole, up, last) in enumerate(rivals)
    ]


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
    _situation("three of a kind, nothing owed: raise", _THREE, _trips, (), raises),
    _situation("three of a kind, a bet to pay: raise", _THREE, _trips, (5,), raises),
    _situation("three of a kind, raised twice: stay", _THREE, _trips, (10, 10), stays),
    _situation(
        "a high pair, few chips left: raise by some of them",
        _PAIR + "; a raise can be smaller than 10",
        partial(_high_pair, Rank.JACK),
        (),
        raises,
        street=1,
        stack=7,
    ),
    _situation(
        "the third card makes a pair of queens or better, lower cards on the table: raise",
        _PAIR,
        partial(_late_pair, _HIGH, Rank.JACK),
        (),
        raises,
    ),
    _situation(
        "the third card makes a pair of queens or better, raised twice: stay",
        _PAIR,
        partial(_late_pair, _HIGH, Rank.ACE),
        (10, 10),
        stays,
    ),
    _situation(
        "the third card makes a high pair, few chips left: raise by some of them",
        _PAIR + "; a raise can be smaller than 10",
        partial(_late_pair, _HIGH, Rank.JACK),
        (),
        raises,
        stack=7,
    ),
    _situation(
        "the third card makes a pair of eights to jacks, lower cards on the table: raise",
        _PAIR,
        partial(_late_pair, _MIDDLE, Rank.SEVEN),
        (),
        raises,
    ),
    _situation(
        "the third card makes a pair of eights to jacks, a bet to pay: stay",
        _PAIR,
        partial(_late_pair, _MIDDLE, Rank.JACK),
        (10,),
        stays,
    ),
    _situation(
        "the third card makes a low pair, no pair on the table: raise",
        _PAIR,
        partial(_late_pair, _LOW, Rank.ACE),
        (),
        raises,
    ),
    _situation(
        "the third card makes a low pair, a bet to pay, no pair on the table: stay",
        _PAIR,
        partial(_late_pair, _LOW, Rank.TEN),
        (10,),
        stays,
    ),
    _situation(
        "the two up cards are a high pair, lower cards on the table: raise",
        _PAIR,
        partial(_late_pair, _HIGH, Rank.JACK, face_up=True),
        (),
        raises,
    ),
    _situation(
        "the two up cards are a pair of eights to jacks, a bet to pay, no other pair on the table: stay",
        _PAIR,
        partial(_late_pair, _MIDDLE, Rank.ACE, face_up=True),
        (10,),
        stays,
    ),
    _situation(
        "the queen of spades in the hole, the third card is the king, the ace lies face up, a bet to pay: stay",
        _SPADE + ": both higher spades are seen, so half of the pot is yours for certain",
        _spade_made_safe,
        (10,),
        stays,
    ),
    _situation(
        "an ace in the hole that the third card does not pair, a pair on the table, raised twice: fold",
        _NOTHING,
        _unpaired,
        (10, 10),
        folds,
    ),
    _situation(
        "an ace in the hole that the third card does not pair, a pair on the table: check",
        _CHECK,
        _unpaired,
        (),
        checks,
    ),
    _situation("a high pair, a bet to pay: stay", _PAIR, partial(_high_pair, Rank.ACE), (10,), stays, street=1),
    _situation("three low cards, raised twice: fold", _NOTHING, _junk, (10, 10), folds, street=1),
    _situation("three low cards, raised three times: fold", _NOTHING, _junk, (10, 10, 10), folds),
    _situation(
        "three low cards, a bet of almost all chips: fold",
        "the assignment: 'The object of the game is to keep playing as long as possible'",
        _junk,
        (10, 10),
        folds,
        street=1,
        stack=25,
    ),
    _situation("two low cards, a bet to pay: do not raise", _NOTHING, _junk, (5,), calls_at_most, street=1),
    _situation("two low cards, nothing owed: check or fold", _NOTHING, _junk, (), calls_at_most, street=1),
    _situation("three low cards, nothing owed: check", _CHECK, _junk, (), checks),
    _situation(
        "the ace of spades in the hole, a bet to pay: stay",
        _SPADE + ": half of the pot is yours for certain",
        partial(_spade, Rank.ACE, ()),
        (10,),
        stays,
        street=1,
    ),
    _situation(
        "the ace of spades in the hole, nothing owed: raise",
        "the assignment: 'If you have a high spade in the hole, you should bet high'",
        partial(_spade, Rank.ACE, ()),
        (),
        raises,
        street=1,
    ),
    _situation(
        "the queen of spades in the hole, ace and king of spades seen: stay",
        'the assignment: \'If you see high spades among the "up" cards, that helps confirm that other players do not '
        'have those cards as their "hole" cards\'',
        partial(_spade, Rank.QUEEN, (Rank.ACE, Rank.KING)),
        (10,),
        stays,
        street=1,
    ),
)
