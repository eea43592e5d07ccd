"""Count a person's chances in a process of its own, so that no table waits for it.

In a thread it would hold the interpreter from the dealer's event loop for milliseconds at a time.
"""

import pickle
import sys
from random import Random

import trio

from bots.human.game_seat import load_seat
from bots.human.odds import Chances
from bots.human.updates import Spot


async def count(spot: Spot, processes: trio.CapacityLimiter) -> Chances | None:
    """The person's chances; None if the process failed, which its messages on standard error explain."""
    command = [sys.executable, "-m", "bots.human.web.counting"]
    async with processes:
        done = await trio.run_process(command, stdin=pickle.dumps(spot), capture_stdout=True, check=False)
    if done.returncode:
        return None
    chances: Chances = pickle.loads(done.stdout)
    return chances


def main() -> None:
    """Read a spot, count, and write the chances; both pickled."""
    spot: Spot = pickle.load(sys.stdin.buffer)
    pickle.dump(load_seat(spot.game.name).chances(spot, Random()), sys.stdout.buffer)


if __name__ == "__main__":
    main()
