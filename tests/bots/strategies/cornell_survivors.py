"""Who survives the preset ``cornell``: ``python -m tests.bots.strategies.cornell_survivors``. Minutes.

``holdem`` plays ``cornell`` bots, at 2, 4 and 8 seats, until one player is left. Each tournament has its own cards and
new players, who know nothing of each other, and the seat of ``holdem`` changes. Intervals are at 95 %.
"""

import sys
from hashlib import sha256
from random import Random

from bots.arena import play_hand
from bots.strategy import load_maker, tell
from protocol.estimates.intervals import share
from protocol.games.holdem import HoldemGame
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo

#: Seats, and how many tournaments are played with so many.
TOURNAMENTS = ((2, 80), (4, 60), (8, 60))


def survivor(seats: int, number: int) -> str | None:
    """The bot that is left after a tournament; None if there are several after the usual number of hands."""
    game = HoldemGame.from_facts({"preset": "cornell"})
    bots = ["holdem" if seat == -number % seats else "cornell" for seat in range(seats)]
    strategies = [
        load_maker(bot)(Random(sha256(f"{number}/{seat}".encode()).digest())) for seat, bot in enumerate(bots)
    ]
    for seat, strategy in enumerate(strategies):
        tell(strategy, GameInfo.about(game, seat, seats))
    match, seed = game.start(seats), seed_from_text(f"survivor {number}")
    for hand in range(1, game.hands + 1):
        match = match.record(play_hand(game, match, strategies, seed, hand).settlement)
        if match.over:
            return bots[match.seated[0]]
    return None


def main() -> None:
    """Play, and print how often ``holdem`` was left."""
    for seats, tournaments in TOURNAMENTS:
        won = 0
        for number in range(tournaments):
            won += survivor(seats, number) == "holdem"
            print(f"{seats} seats: {number + 1} of {tournaments} tournaments", end="\r", file=sys.stderr)
        left = share(won, tournaments)
        interval = f"{left.low:.1%} to {left.high:.1%}"
        print(f"{seats} seats: {won} of {tournaments}, {interval}; an equal share is {1 / seats:.1%}")


if __name__ == "__main__":
    main()
