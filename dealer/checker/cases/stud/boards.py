"""Whether a program looks at the other players' up cards: the same own cards and the same price on two boards.

"More complicated strategies will consider the 'up' cards from the other players." A program passes if it never risks
more on the board that is worse for it, and risks less on some of them. Each pair differs in cards of others only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from dealer.checker.cases.stud.scenes import TRIES, Cards, Scene, Seen, boldness, seated
from dealer.checker.cases.stud.situations import CHIPS, junk, others, ranked, spade
from dealer.checker.scoring.findings import Findings, Played
from protocol.cards import DECK, Card, Rank, Suit

#: The id of the line of the rubric.
BOARDS = "boards"

#: How many pairs of boards each contrast is dealt in.
PAIRS = 6

#: The play must differ in so many pairs at least.
NOTICED = 2

#: Spades in the hole. With a high one some programs look at the spades above it, and others bet anyway.
SPADES_TRIED = (Rank.SIX, Rank.JACK, Rank.FIVE)

#: The better board for the program, and the worse one.
Two = tuple[Scene, Scene]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two kinds of boards, on which a program that looks at up cards plays differently.

    Attributes:
        name: what differs, and what is expected.
        reason: why this is sensible.
        make: deals the pair of boards with a number; their questions may turn out to differ in more than up cards.
    """

    name: str
    reason: str
    make: Callable[[Random, int], Two]

    def scenes(self, rng: Random, number: int) -> Two:
        """Deal two positions that differ in up cards of others only.

        Raises:
            LookupError: none were found in many tries: the contrast is written wrongly.
        """
        for _ in range(TRIES):
            better, worse = self.make(rng, number)
            one, other = better.question(), worse.question()
            if one and other and one._replace(shown=()) == other._replace(shown=()) and one.owed:
                return better, worse
        raise LookupError("no two deals lead to the same question")


@dataclass(slots=True)
class Compared:
    """A contrast with what the program did on the better and on the worse boards, by the number of the pair."""

    contrast: Contrast
    better: dict[int, Seen] = field(default_factory=dict)
    worse: dict[int, Seen] = field(default_factory=dict)

    def write_down(self, findings: Findings) -> None:
        """Add whether the boards made a difference, if the program met both often enough."""
        if min(len(self.better), len(self.worse)) < PAIRS:
            return
        pairs = [(self.better[number], self.worse[number]) for number in self.better]
        gaps = [_gap(*pair) for pair in pairs]
        good = sum(gap > 0 for gap in gaps) >= NOTICED and not any(gap < 0 for gap in gaps)
        odd = [pair for pair, gap in zip(pairs, gaps, strict=True) if gap < 0] or pairs
        examples = () if good else tuple(f"better board: {one.text}; worse: {other.text}" for one, other in odd)
        findings.played.append(Played(BOARDS, self.contrast.name, good, self.contrast.reason, examples))


def _gap(better: Seen, worse: Seen) -> int:
    """How much more the program risked on the better board; 0 where a reply was not legal."""
    if better.action is None or worse.action is None:
        return 0
    return boldness(better.turn, better.action) - boldness(worse.turn, worse.action)


def _unpaired(rng: Random, free: Sequence[Card], ranks: range, number: int) -> list[Card]:
    """``number`` cards of different values."""
    values = rng.sample(ranks, number)
    return [rng.choice([card for card in free if card.rank == value]) for value in values]


def _two_boards(rng: Random, own: Cards, low: range, high: range) -> Two:
    """Boards of three opponents with the same first up cards, followed by low cards on one and by pairs on the other.

    The first up cards are high, so that the same seat opens on both boards.
    """
    plain = [card for card in DECK if card not in own and card.suit is not Suit.SPADES]
    firsts = _unpaired(rng, plain, high, 3)
    firsts.sort(reverse=True)
    free = [card for card in plain if card not in firsts]
    weak = _unpaired(rng, free, low, 3)
    strong = [next(card for card in free if card.rank == first.rank) for first in firsts]
    holes = rng.sample([card for card in DECK if card not in (*own, *firsts, *weak, *strong)], 3)
    boards = [
        [(hole, first, second) for hole, first, second in zip(holes, firsts, seconds, strict=True)]
        for seconds in (weak, strong)
    ]
    order, seat = rng.sample(range(3), 3), rng.randrange(4)
    tables = [[board[place] for place in order] for board in boards]
    better, worse = [Scene((*table[:seat], own, *table[seat:]), seat, CHIPS, {2: [10]}, 2) for table in tables]
    return better, worse


def _middle_pair(rng: Random, _: int) -> Two:
    rank = rng.choice(range(Rank.SIX, Rank.NINE))
    hole, up = rng.sample([card for card in DECK if card.rank == rank and card.suit is not Suit.SPADES], 2)
    last = rng.choice(ranked(Rank.TWO, Rank.FIVE))
    return _two_boards(rng, (hole, up, last), range(Rank.TWO, Rank.SIX), range(Rank.TEN, Rank.ACE + 1))


def _high_card(rng: Random, _: int) -> Two:
    hole = rng.choice([card for card in DECK if card.rank == Rank.ACE and card.suit is not Suit.SPADES])
    plain = [card for card in DECK if card.suit is not Suit.SPADES]
    up, last = _unpaired(rng, plain, range(Rank.SIX, Rank.TEN), 2)
    return _two_boards(rng, (hole, up, last), range(Rank.TWO, Rank.SIX), range(Rank.TEN, Rank.ACE))


def _low_pair(rng: Random, _: int) -> Two:
    rank = rng.choice(range(Rank.TWO, Rank.FIVE))
    hole, up = rng.sample([card for card in DECK if card.rank == rank and card.suit is not Suit.SPADES], 2)
    last = rng.choice(ranked(Rank.FIVE, Rank.SEVEN))
    return _two_boards(rng, (hole, up, last), range(Rank.FIVE, Rank.NINE), range(Rank.JACK, Rank.ACE + 1))


def _spades_seen(rng: Random, number: int) -> Two:
    """A spade in the hole: the spades above it lie face up, or others of the same values do."""
    rank = SPADES_TRIED[number % len(SPADES_TRIED)]
    _, up, last = junk(rng)
    own = (spade(rank), up, last)
    values = [value for value in Rank if value > rank]
    spades = [spade(value) for value in values]
    plain = [_plain(value, own) for value in values]
    low = [card for card in ranked(Rank.TWO, Rank.NINE) if card.suit is not Suit.SPADES]
    hands, seat = seated(rng, own, others(rng, (*own, *spades, *plain), len(values), low))
    better, worse = [_showing(hands, seat, higher) for higher in (spades, plain)]
    return better, worse


def _plain(rank: Rank, own: Cards) -> Card:
    return next(card for card in DECK if card.rank == rank and card not in own and card.suit is not Suit.SPADES)


def _showing(hands: tuple[Cards, ...], seat: int, ups: Sequence[Card]) -> Scene:
    """All players but ``seat`` show these first up cards, and one of them has bet."""
    others_up = iter(ups)
    table = [cards if place == seat else (cards[0], next(others_up), cards[2]) for place, cards in enumerate(hands)]
    return Scene(tuple(table), seat, CHIPS, {1: [10]}, 1)


_UP = "the assignment: 'consider the \"up\" cards from the other players to try to figure out the probability'"

CONTRASTS = (
    Contrast("a middle pair: less against higher pairs on the table than against none", _UP, _middle_pair),
    Contrast("a low pair: less against high pairs on the table than against none", _UP, _low_pair),
    Contrast("an ace in the hole: less against pairs on the table than against none", _UP, _high_card),
    Contrast(
        "a spade in the hole: more if every higher spade lies face up",
        'the assignment: \'If you see high spades among the "up" cards, that helps confirm that other players do not '
        'have those cards as their "hole" cards\'',
        _spades_seen,
    ),
)
