"""Hands to be played by the rules: who sits where, and what the other players do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from protocol.cards import DECK, Card, Rank
from protocol.games.base import FOLD, Action, Bet, Hand, Settlement, Turn
from protocol.games.blockhead import BlockheadGame, BlockheadHand
from protocol.games.stud import DEFAULT_ANTE, SEATS, StudHand, deal
from protocol.wire.messages import GameInfo

MOST_RAISES = 4
"""That the other players make on one street: a hand of 17 who raise at will would take hundreds of questions."""

TableHand = StudHand | BlockheadHand
Others = Callable[[Hand], Action]
"""What the player to act does, for everybody but the program."""


def _ignore(_: object, *more: object) -> None:
    pass


@dataclass(slots=True)
class Deal:
    """One hand.

    Attributes:
        hand: before the first action.
        seat: the program's.
        others: see ``Others``.
        before: what the program is told first.
        watch: is told every question, and the legal reply to it or None.
        over: is told how the hand ended.
        stop_after: questions after which the session ends in the middle of the hand; None if it does not.
    """

    hand: TableHand
    seat: int
    others: Others
    before: GameInfo | None = None
    watch: Callable[[Turn, Action | None], None] = field(default=_ignore)
    over: Callable[[Settlement], None] = field(default=_ignore)
    stop_after: int | None = None


def call(hand: Hand) -> Action:
    """Put in what is owed."""
    return Bet(hand.legal().to_call)


def shuffled(rng: Random) -> list[Card]:
    """A whole deck in any order."""
    return rng.sample(DECK, len(DECK))


@dataclass(slots=True)
class Chance:
    """Players who act by chance, each within the rules.

    Args:
        rng: the only chance they use.
        folds: how often one of them folds when it owes something.
        raises: how often one of them raises, until there are enough raises on the street.
    """

    rng: Random
    folds: float
    raises: float
    made: dict[int, int] = field(default_factory=dict)

    def __call__(self, hand: Hand) -> Action:
        """The action of the seat to act."""
        legal, street = hand.legal(), hand.number
        if legal.to_call and legal.fold and self.rng.random() < self.folds:
            return FOLD
        if legal.raises and self.made.get(street, 0) < MOST_RAISES and self.rng.random() < self.raises:
            self.made[street] = self.made.get(street, 0) + 1
            return Bet(self.rng.choice(legal.raises))
        return Bet(legal.to_call)


TEMPERS = ((0.0, 0.05), (0.1, 0.15), (0.3, 0.3), (0.05, 0.5))
"""How often the others fold and raise: from hands nobody bets in to hands that are raised again and again."""

STACKS = (500, 60, 208, 12, 25, 5, 500, 100)
"""Chips of the program before the ante, in turn; with few of them a raise is cut, or a bet cannot be paid."""


def stud_deals(rng: Random, number: int) -> Iterator[Deal]:
    """Hands of stud with all that can happen: 2 to 17 seats, few and many chips, quiet and wild players."""
    seats = list(SEATS)
    for index in range(number):
        if index % len(seats) == 0:
            rng.shuffle(seats)
        players = seats[index % len(seats)]
        seat = rng.randrange(players)
        stacks = [rng.randint(DEFAULT_ANTE, 600) for _ in range(players)]
        stacks[seat] = STACKS[rng.randrange(len(STACKS))]
        yield Deal(deal(shuffled(rng), stacks), seat, Chance(rng, *TEMPERS[index % len(TEMPERS)]))


def quiet_stud_deals(rng: Random, number: int) -> Iterator[Deal]:
    """A small table where little happens, without tens: a program that fails here fails at the simplest there is."""
    for index in range(number):
        tens = [card for card in DECK if card.rank is Rank.TEN]
        deck = rng.sample([card for card in DECK if card not in tens], len(DECK) - len(tens)) + tens
        yield Deal(deal(deck, [500, 500, 500]), index % 3, Chance(rng, 0.0, 0.2))


def news_deals(rng: Random) -> Iterator[Deal]:
    """Hands without any question, whose statuses show every card of the deck; then one that ends in the middle."""
    low, middle, high = (rng.sample(DECK[first : first + 17], 17) for first in (0, 17, 34))
    for up, last, hole in zip(low, middle, high, strict=True):  # a low card up, since who shows the highest opens
        yield _everybody_folds(rng, [hole, up, last])
    yield _everybody_folds(rng, [DECK[-1], *low[:2]])
    for _ in range(6):
        yield _too_dear(rng)
    yield Deal(deal(shuffled(rng), [500] * 4), 2, call, stop_after=1)


def _everybody_folds(rng: Random, own: list[Card]) -> Deal:
    """The program acts last, and wins because nobody is left when its turn comes."""
    rest = [card for card in DECK if card not in own]
    while True:
        players = rng.randint(SEATS[0], SEATS[-1])
        seat = rng.randrange(players)
        deck = rng.sample(rest, len(rest))
        deck[3 * seat : 3 * seat] = own
        hand = deal(deck, [rng.randint(20, 500) for _ in range(players)])
        if hand.to_act == (seat + 1) % players:
            return Deal(hand, seat, lambda _: FOLD)


def _too_dear(rng: Random) -> Deal:
    """The opener raises by more than the program has; "a player may be forced to fold"."""
    while True:
        players = rng.randint(SEATS[0], SEATS[-1])
        seat = rng.randrange(players)
        stacks = [100] * players
        stacks[seat] = DEFAULT_ANTE + rng.randint(1, 9)
        hand = deal(shuffled(rng), stacks)
        if hand.to_act != seat:
            return Deal(hand, seat, lambda hand: Bet(10) if hand.legal().to_call == 0 else FOLD)


def blockhead_deals(rng: Random, games: int, hands: int) -> Iterator[Deal]:
    """Whole games of Blockhead between 2 to 6 players, with stacks that go up and down as they do."""
    for number in range(games):
        players = 2 if number % 2 == 0 else rng.randint(3, 6)
        game = BlockheadGame(hands=hands)
        match, seat = game.start(players), rng.randrange(players)
        info: GameInfo | None = GameInfo.about(game, seat, players)
        while not match.over:
            results: list[Settlement] = []
            others = Chance(rng, *TEMPERS[match.played % len(TEMPERS)])
            yield Deal(match.deal(shuffled(rng)), seat, others, info, over=results.append)
            if not results:  # the connection was lost; the next one begins with another game
                break
            match, info = match.record(results[0]), None
