"""Games of Blockhead in this process, for tests of its bots."""

from collections.abc import Sequence
from math import sqrt
from random import Random

from bots.arena import play_game
from bots.strategy import Maker, Strategy
from protocol.games.blockhead import BlockheadGame
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo

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


def interval(numbers: Sequence[float]) -> tuple[float, float]:
    """Of the mean, 95 %."""
    count = len(numbers)
    mean = sum(numbers) / count
    error = sqrt(sum([(number - mean) ** 2 for number in numbers]) / (count - 1) / count)
    return mean - 1.96 * error, mean + 1.96 * error


def chips_a_hand(gains: Sequence[int]) -> tuple[float, float]:
    """The interval of chips won a hand, games being independent."""
    low, high = interval(gains)
    return low / GAME.hands, high / GAME.hands


def share_won(gains: Sequence[int]) -> tuple[float, float]:
    """The interval of the share of games won."""
    return interval([gain > 0 for gain in gains])
