"""What is played in a check: its parts, one connection after the other, and hands of any game for them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from random import Random
from typing import Any

from dealer.checker.scoring.findings import Findings
from protocol.cards import DECK, Card
from protocol.games.base import FOLD, Action, Bet, Hand, Settlement, Turn
from protocol.games.game import Game
from protocol.shuffle import SEED_BYTES
from protocol.wire.messages import GameInfo

#: Raises that the other players make on one street, at most. A hand of 17 players who raise at will would take
#: hundreds of questions.
MOST_RAISES = 4

#: Hands of one match, at most.
MATCH_HANDS = 20

#: The usual stack is divided by this where the players shall have few chips.
SHORT = 20

#: What the player to act does, for all seats but the program's.
Others = Callable[[Hand], Action]

#: Draws what chance decides in one hand, such as a shuffled deck.
Draw = Callable[[Random], Any]


def _ignore(_: object, *more: object) -> None:
    pass


@dataclass(slots=True)
class Deal:
    """One hand that is played with the program.

    Attributes:
        hand: before the first action.
        seat: the program's.
        others: what the other players do.
        before: the ``game:`` message that is sent before the hand; None if there is none.
        watch: called with every question, and with the legal reply to it or None.
        over: called with the settlement at the end of the hand.
        stop_after: number of questions after which the connection ends in the middle of the hand; None if it does not.
    """

    hand: Hand
    seat: int
    others: Others
    before: GameInfo | None = None
    watch: Callable[[Turn, Action | None], None] = field(default=_ignore)
    over: Callable[[Settlement], None] = field(default=_ignore)
    stop_after: int | None = None


def call(hand: Hand) -> Action:
    """Put in what is owed."""
    return Bet(hand.legal().to_call)


@dataclass(slots=True)
class RandomPlayers:
    """Players who act by chance, within the rules.

    Attributes:
        rng: the only source of chance.
        folds: the probability that one of them folds when it owes chips.
        raises: the probability that one of them raises, until there are enough raises on the street.
        made: raises made so far, by street.
    """

    rng: Random
    folds: float
    raises: float
    made: dict[int, int] = field(default_factory=dict)

    def __call__(self, hand: Hand) -> Action:
        """The action of the seat to act."""
        legal, street = hand.legal(), hand.number
        # Both draws come in this order and only where they decide something: the same seed gives the same hands.
        if legal.to_call and legal.fold and self.rng.random() < self.folds:
            return FOLD
        if legal.raises and self.made.get(street, 0) < MOST_RAISES and self.rng.random() < self.raises:
            self.made[street] = self.made.get(street, 0) + 1
            return Bet(self.rng.choice(legal.raises))
        # in some games a short stack may not call; the first legal action is then the most careful one
        return Bet(legal.to_call) if legal.call else next(iter(legal))


#: Probabilities that the others fold and raise, in turn: from hands without a bet to hands with many raises.
TEMPERS = ((0.0, 0.05), (0.1, 0.15), (0.3, 0.3), (0.05, 0.5))


def shuffled(rng: Random) -> list[Card]:
    """A deck in an order drawn by chance."""
    return rng.sample(DECK, len(DECK))


def draw_by_seed(game: Game) -> Draw:
    """Draws what chance decides in a hand of ``game``, as a dealer would with a seed of its own for every hand."""
    return lambda rng: game.chance.outcome(game.chance.draw(rng.randbytes(SEED_BYTES), 0, 1))


def deals_of(game: Game, rng: Random, hands: int, draw: Draw) -> Iterator[Deal]:
    """Hands of any game, from matches in which the stacks change as they do at a table.

    Every second match is between as few players as the game allows, the others are larger by chance. In a game that
    ends when one player is left, every second pair of matches begins with few chips, so that short stacks come up too.

    Args:
        game: whose rules are applied.
        rng: the only source of chance.
        hands: how many, at most.
        draw: what chance decides in each hand.
    """
    for number in count():
        seats = game.table_seats
        players = seats[0] if number % 2 == 0 else rng.choice(seats[1:] or seats)
        short = number % 4 >= 2 and not game.in_games
        for deal in islice(_match(_short_of_chips(game, players) if short else game, rng, players, draw), MATCH_HANDS):
            yield deal
            hands -= 1
            if not hands:
                return


def _short_of_chips(game: Game, players: int) -> Game:
    """The same game with fewer chips at the start; the game itself if its rules do not allow so few."""
    try:
        short = game.from_facts({**game.facts, "stack": game.stack // SHORT})
    except ValueError:
        return game
    return game if short.start(players).over else short


def _match(game: Game, rng: Random, players: int, draw: Draw) -> Iterator[Deal]:
    """The hands of one match that the program is dealt into; it ends early if the connection is lost."""
    match, seat = game.start(players), rng.randrange(players)
    info = GameInfo.about(game, seat, players) if game.announced else None
    for played in count():
        if match.over or seat not in match.seated:
            return
        results: list[Settlement] = []
        others = RandomPlayers(rng, *TEMPERS[played % len(TEMPERS)])
        yield Deal(match.deal(draw(rng)), match.seated.index(seat), others, info, over=results.append)
        if not results:  # the connection was lost in this hand; the next one begins with another match
            return
        match, info = match.record(results[0]), None


#: Hands of the first part, in which the checker listens for a moment after every message.
FIRST_HANDS = 2

#: How the seat of a player who logs in twice is refused; a program may be sent ``done`` at once.
REFUSED = "the id is already seated at another table"


@dataclass(slots=True)
class Part:
    """One connection of a check, or several if the program is lost on the way.

    Attributes:
        name: in words.
        deals: what is played on it.
        hands: how many that are, at most.
        goodbye: the reason that ``done:`` gives at the end.
        careful: whether the checker listens for unasked replies after every message.
        over: called with the findings when the part is over, to add how situations were played.
    """

    name: str
    deals: Iterator[Deal]
    hands: int
    goodbye: str
    careful: bool = False
    over: Callable[[Findings], None] = field(default=_ignore)


def chance_of(seed: str, part: str) -> Random:
    """The source of chance of one part: the same seed deals the same cards, whatever the program did before."""
    return Random(f"{seed}/{part}")


def compliance_parts(
    game: Game, seed: str, hands: int, *, quiet: Game | None = None, draw: Draw | None = None
) -> list[Part]:
    """Parts that any game can be checked with: the rules of the game deal, and the others play by chance.

    Args:
        game: whose rules are applied.
        seed: decides all cards.
        hands: of the longest part.
        quiet: the same game with other options, for the first hands; as agreed in ``game`` if None.
        draw: what chance decides in a hand; as ``game.chance`` says if None.
    """
    quiet, draw = quiet or game, draw or draw_by_seed(game)
    first = deals_of(quiet, chance_of(seed, "quiet"), FIRST_HANDS, draw)
    return [
        Part("how it talks", first, FIRST_HANDS, "the tournament is over", careful=True),
        Part("refused after login", iter(()), 0, REFUSED),
        Part("hands of all kinds", deals_of(game, chance_of(seed, "hands"), hands, draw), hands, "the end"),
    ]
