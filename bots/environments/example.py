"""Learn to beat ``caller`` on the CPU, and write a bot: ``python -m bots.environments.example stud.npz``.

Plays about a million hands at compiled tables, measures what was learned by the rules themselves, and saves it. Then
``casino bot stud.npz HOST PORT`` sits down at a dealer's table.
"""

import argparse
import sys
import time
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import track
from threadpoolctl import threadpool_limits

from bots.arena import play_hand
from bots.environments.learned import load_learned, save_learned
from bots.environments.learning import Learner
from bots.environments.vector import GAMES
from bots.strategies.caller import Caller
from bots.strategy import Strategy, tell
from protocol.estimates.intervals import Estimate, mean
from protocol.games.registry import load_game
from protocol.shuffle import seed_from_text
from protocol.wire.messages import GameInfo

STEPS = 1000
DEALS = 5000


def learn(file: Path, game: str, steps: int, seed: int, show: bool) -> None:
    """Learn by so many steps at all tables, and save what was learned."""
    learner = Learner(game, seed)
    learning = track(
        learner.learn(steps), "learning", steps, console=Console(stderr=True), transient=True, disable=not show
    )
    # Products of matrices this small gain nothing from more threads, which wait for each other on a busy machine.
    with threadpool_limits(1):
        for _ in learning:
            pass
    save_learned(file, game, 2, learner.network)


def measure(file: Path, game: str, deals: int, seed: str, show: bool) -> Estimate:
    """Chips a hand that the bot in ``file`` wins from ``caller``, by the rules: each deal is played in both seats.

    Args:
        show: whether a bar shows the progress.
    """
    agreed = load_game(game)()
    bots: list[Strategy] = [load_learned(str(file))(Random(0)), Caller(Random(0))]
    match = agreed.start(2)
    won = []
    console = Console(stderr=True)
    for deal in track(range(1, deals + 1), "measuring", console=console, transient=True, disable=not show):
        chips = 0
        for seat in range(2):
            if agreed.announced:
                for bot, place in zip(bots, (seat, 1 - seat), strict=True):
                    tell(bot, GameInfo.about(agreed, place, 2))
            seats = bots if seat == 0 else bots[::-1]
            chips += play_hand(agreed, match, seats, seed_from_text(seed), deal).settlement.payoffs[seat]
        won.append(chips / 2)
    found = mean(won)
    assert found is not None
    return found


def main() -> None:
    """Learn, save, measure, and print the result."""
    parser = argparse.ArgumentParser(prog="python -m bots.environments.example", description=__doc__)
    parser.add_argument("file", type=Path, help="where to save the bot; its name ends in .npz")
    parser.add_argument("--game", choices=GAMES, default="stud")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"steps at all tables ({STEPS})")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"deals to measure, each in both seats ({DEALS})")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    given = parser.parse_args()
    if given.file.suffix != ".npz":
        parser.error(f"the name of the file ends in .npz, got {given.file}")
    if not given.file.parent.is_dir():
        parser.error(f"there is no folder {given.file.parent}")
    if min(given.steps, given.deals - 1) < 1:
        parser.error("expected at least one step and two deals")
    show = sys.stderr.isatty()
    started = time.perf_counter()
    try:
        learn(given.file, given.game, given.steps, given.seed, show)
    except OSError as error:
        parser.error(f"{given.file} cannot be written: {error.strerror}")
    seconds = time.perf_counter() - started
    won = measure(given.file, given.game, given.deals, f"measured {given.seed}", show)
    print(f"{given.file}: learned {given.game} in {seconds:.0f} s")
    print(f"wins {won.value:.2f} chips a hand from caller (95 %: {won.low:.2f} to {won.high:.2f}, {given.deals} deals)")


if __name__ == "__main__":
    main()
