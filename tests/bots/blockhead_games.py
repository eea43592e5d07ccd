"""Games of Blockhead in this process, for tests of its bots."""

from collections.abc import Sequence
from random import Random

from bots.arena import play_game
from bots.strategy import Maker, Strategy
from protocol.estimates.intervals import Estimate
from protocol.games.blockhead import BlockheadGame
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo
from tests.bots.helpers import estimate

GAME = BlockheadGame()


def begins(game: BlockheadGame = GAME, players: int = 2) -> GameInfo:
    """What a player is told before a game."""
    facts = {"seat": 0, "players": players, **game.facts}
    return GameInfo(game.name, tuple((key, str(fact)) for key, fact in facts.items()))


def play_games(pair: Sequence[Strategy], games: int, seed: str, game: BlockheadGame = GAME) -> list[int]:
    """Chips that the first wins in each game; the two change seats after each."""
    gains = []
    for number in range(games):
        seat = number % 2
        seated = pair if seat == 0 else pair[::-1]
        hands = play_game(game, seated, seed_from_text(seed), number * game.hands + 1)
        gains.append(sum([hand.settlement.payoffs[seat] for hand in hands]))
    return gains


def gains_of(maker: Maker, other: Maker, games: int, seed: str = "test") -> list[int]:
    """The same, for new strategies."""
    return play_games([maker(Random(f"{seed}/one")), other(Random(f"{seed}/other"))], games, seed)


def chips_a_hand(gains: Sequence[float]) -> Estimate:
    """Chips won a hand, games being independent."""
    return estimate(gains).scaled(1 / GAME.hands)


def share_won(gains: Sequence[int]) -> Estimate:
    """The share of games won."""
    return estimate([gain > 0 for gain in gains])
