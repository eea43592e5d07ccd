"""Whether a program looks at the other players' up cards: the same own cards and the same price on two boards.

"More complicated strategies will consider the 'up' cards from the other players." Programs do that in different ways:
some compare the highest cards, some look for pairs or for spades; some fold, and some bet less. So there are contrasts
of many kinds, and a few of them are enough. In each, a program must risk less on some of the boards that are worse for
it, and not more on others. Each pair differs in cards of others only.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from dealer.checker.cases.judged import Seen, Situation
from dealer.checker.cases.stud.cards import PLAIN, Cards, junk, others, ranked, seated, spade, unpaired
from dealer.checker.cases.stud.scenes import Scene, boldness, search
from dealer.checker.cases.stud.situations import CHIPS
from protocol.cards import DECK, Card, Rank

#: The id of the line of the rubric.
BOARDS = "boards"

#: How many pairs of boards each contrast is dealt in.
PAIRS = 10

#: The play must differ in so many pairs at least.
NOTICED = 2

#: In all pairs but one, since a program may bluff: it may risk more on one worse board.
NOTICED_BUT_ONE = PAIRS - 2

#: Contrasts that must be noticed for all points. Nobody looks at everything.
ENOUGH = 3

#: Spades in the hole. With a high one some programs look at the spades above it, and others bet anyway.
SPADES_TRIED = (Rank.SIX, Rank.JACK, Rank.FIVE)

#: High cards in the hole. Programs draw the line between cards that are worth a bet and others at different ranks.
HIGH_TRIED = (Rank.QUEEN, Rank.JACK, Rank.KING, Rank.TEN)

#: The better board for the program, and the worse one.
Two = tuple[Scene, Scene]


def _contrast(name: str, reason: str, make: Callable[[Random, int], Two]) -> Situation:
    """Two kinds of boards, on which a program that looks at up cards plays differently.

    Args:
        name: what differs, and what is expected.
        reason: why this is sensible.
        make: deals the pair of boards with a number; their questions may turn out to differ in more than up cards.
    """

    def deal(rng: Random, number: int) -> Two:
        return search(partial(make, rng, number), _differ_in_up_cards)

    return Situation(BOARDS, name, reason, PAIRS, deal, _verdict, questions=2)


def _differ_in_up_cards(boards: Two) -> bool:
    """Whether two positions differ in up cards of others only, and come to the question."""
    better, worse = (scene.question() for scene in boards)
    alike = better and worse and better._replace(shown=()) == worse._replace(shown=())
    return bool(alike) and boards[0].is_asked()


def _verdict(met: Sequence[Sequence[Seen]]) -> tuple[bool, tuple[str, ...]]:
    """Whether the boards made a difference; examples are pairs in which the program risked more on the worse one."""
    gaps = [_gap(better, worse) for better, worse in met]
    if is_noticed(gaps):
        return True, ()
    odd = [pair for pair, gap in zip(met, gaps, strict=True) if gap < 0] or met
    return False, tuple([f"better board: {better.text}; worse: {worse.text}" for better, worse in odd])


def is_noticed(gaps: Sequence[int]) -> bool:
    """Whether a program looks at the boards.

    One that plays by chance passes in 1 of 100 cases: the chance of 10 gaps without a negative one is 0.3 %, and of one
    negative with at least 8 positive ones 1 %, if 45 % of them are positive and as many negative.

    Args:
        gaps: how much more it risked on the better board of each pair.
    """
    less, more = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return (less >= NOTICED and not more) or (less >= NOTICED_BUT_ONE and more == 1)


def _gap(better: Seen, worse: Seen) -> int:
    """How much more the program risked on the better board; 0 where a reply was not legal."""
    if better.action is None or worse.action is None:
        return 0
    return boldness(better.turn, better.action) - boldness(worse.turn, worse.action)


def _two_boards(rng: Random, own: Cards, low: range, high: range) -> Two:
    """Boards of three opponents with the same first up cards, followed by low cards on one and by pairs on the other.

    The first up cards are high, so that the same seat opens on both boards.
    """
    plain = [card for card in PLAIN if card not in own]
    firsts = unpaired(rng, plain, high, 3)
    firsts.sort(reverse=True)
    free = [card for card in plain if card not in firsts]
    weak = unpaired(rng, free, low, 3)
    strong = [next(card for card in free if card.rank == first.rank) for first in firsts]
    shown = [list(zip(firsts, seconds, strict=True)) for seconds in (weak, strong)]
    return _dealt(rng, own, shown, [10], 2)


def _dealt(
    rng: Random, own: Cards, shown: Sequence[Sequence[tuple[Card, Card]]], raised: Sequence[int], street: int
) -> Two:
    """Two boards with the same cards in every hole; ``shown`` are the up cards of the others on each of them."""
    up = {card for board in shown for cards in board for card in cards}
    number = len(shown[0])
    holes = rng.sample([card for card in DECK if card not in up and card not in own], number)
    order, seat = rng.sample(range(number), number), rng.randrange(number + 1)
    tables = [[(hole, *board[place]) for hole, place in zip(holes, order, strict=True)] for board in shown]
    better, worse = [Scene((*table[:seat], own, *table[seat:]), seat, CHIPS, raised, street) for table in tables]
    return better, worse


def _high_against_higher(street: int, owed: int) -> Callable[[Random, int], Two]:
    """A ten to king in the hole: the highest card on one board; on the other the others show an ace and a king."""

    def make(rng: Random, number: int) -> Two:
        hole = rng.choice([card for card in PLAIN if card.rank == HIGH_TRIED[number % len(HIGH_TRIED)]])
        up, last = unpaired(rng, PLAIN, range(Rank.SIX, Rank.EIGHT), 2)
        fives = rng.sample([card for card in PLAIN if card.rank is Rank.FIVE], 3)
        # where there is a bet to pay, an opponent with a higher up card makes it
        opener = rng.choice(ranked(Rank.EIGHT, Rank.NINE)) if owed else fives[0]
        ace, king = (rng.choice([card for card in PLAIN if card.rank is rank]) for rank in (Rank.ACE, Rank.KING))
        lasts = unpaired(rng, PLAIN, range(Rank.TWO, Rank.FIVE), 3)
        firsts = ([opener, *fives[1:]], [ace, king if king != hole else fives[1], fives[2]])
        boards = [list(zip(board, lasts, strict=True)) for board in firsts]
        return _dealt(rng, (hole, up, last), boards, [owed] if owed else [], street)

    return make


def _pair_against_higher(rng: Random, _: int) -> Two:
    """A pair of sevens or eights on street 1, nothing owed: the others show lower cards, or higher ones."""
    rank = rng.choice((Rank.SEVEN, Rank.EIGHT))
    hole, up = rng.sample([card for card in PLAIN if card.rank == rank], 2)
    lasts = unpaired(rng, PLAIN, range(Rank.NINE, Rank.QUEEN), 3)
    low, high = unpaired(rng, PLAIN, range(3, 7), 3), unpaired(rng, PLAIN, range(Rank.QUEEN, Rank.ACE + 1), 3)
    boards = [list(zip(firsts, lasts, strict=True)) for firsts in (low, high)]
    return _dealt(rng, (hole, up, rng.choice(ranked(Rank.TWO, Rank.TWO))), boards, [], 1)


def _pair_of(ranks: range, last: tuple[Rank, Rank], low: range, high: range) -> Callable[[Random, int], Two]:
    """A pair in the hole and the first up card; the others show low cards, or pairs of high ones."""

    def make(rng: Random, _: int) -> Two:
        rank = rng.choice(ranks)
        hole, up = rng.sample([card for card in PLAIN if card.rank == rank], 2)
        return _two_boards(rng, (hole, up, rng.choice(ranked(*last))), low, high)

    return make


def _ace_in_the_hole(rng: Random, _: int) -> Two:
    hole = rng.choice([card for card in PLAIN if card.rank == Rank.ACE])
    up, last = unpaired(rng, PLAIN, range(Rank.SIX, Rank.TEN), 2)
    return _two_boards(rng, (hole, up, last), range(Rank.TWO, Rank.SIX), range(Rank.TEN, Rank.ACE))


def _spades_seen(rng: Random, number: int) -> Two:
    """A spade in the hole: the spades above it lie face up, or others of the same values do."""
    rank = SPADES_TRIED[number % len(SPADES_TRIED)]
    _, up, last = junk(rng)
    own = (spade(rank), up, last)
    values = [value for value in Rank if value > rank]
    spades = [spade(value) for value in values]
    plain = [next(card for card in PLAIN if card.rank == value and card not in own) for value in values]
    low = [card for card in PLAIN if card.rank <= Rank.NINE]
    hands, seat = seated(rng, own, others(rng, (*own, *spades, *plain), len(values), low))
    better, worse = [_showing(hands, seat, higher) for higher in (spades, plain)]
    return better, worse


def _showing(hands: tuple[Cards, ...], seat: int, ups: Sequence[Card]) -> Scene:
    """All players but ``seat`` show these first up cards, and one of them has bet."""
    others_up = iter(ups)
    table = [cards if place == seat else (cards[0], next(others_up), cards[2]) for place, cards in enumerate(hands)]
    return Scene(tuple(table), seat, CHIPS, [10], 1)


_UP = "the assignment: 'consider the \"up\" cards from the other players to try to figure out the probability'"

_OVER = "less against an ace and a king on the table than against low cards"

CONTRASTS = (
    _contrast(f"two cards, nothing owed: {_OVER}", _UP, _high_against_higher(1, 0)),
    _contrast(f"two cards, a bet to pay: {_OVER}", _UP, _high_against_higher(1, 5)),
    _contrast(f"three cards, nothing owed: {_OVER}", _UP, _high_against_higher(2, 0)),
    _contrast(f"three cards, a bet to pay: {_OVER}", _UP, _high_against_higher(2, 5)),
    _contrast(
        "a pair in two cards: less against higher cards on the table than against lower ones",
        _UP,
        _pair_against_higher,
    ),
    _contrast(
        "a middle pair: less against higher pairs on the table than against none",
        _UP,
        _pair_of(
            range(Rank.SIX, Rank.NINE),
            (Rank.TWO, Rank.FIVE),
            low=range(Rank.TWO, Rank.SIX),
            high=range(Rank.TEN, Rank.ACE + 1),
        ),
    ),
    _contrast(
        "a low pair: less against high pairs on the table than against none",
        _UP,
        _pair_of(
            range(Rank.TWO, Rank.FIVE),
            (Rank.FIVE, Rank.SEVEN),
            low=range(Rank.FIVE, Rank.NINE),
            high=range(Rank.JACK, Rank.ACE + 1),
        ),
    ),
    _contrast("an ace in the hole: less against pairs on the table than against none", _UP, _ace_in_the_hole),
    _contrast(
        "a spade in the hole: more if every higher spade lies face up",
        'the assignment: \'If you see high spades among the "up" cards, that helps confirm that other players do not '
        'have those cards as their "hole" cards\'',
        _spades_seen,
    ),
)
