"""A tournament of many tables with its page, in a process of its own: its players fold or call when a line is read.

Its first line of output is the port of the page. A line of input begins the tournament; the end of input ends it.
"""

import os
import sys

import trio

from dealer.cli.logs import configure_logs
from dealer.net.limits import Limits
from dealer.settings import Settings
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.dealer.support.rig import SEED, Client, by_chance
from tests.dealer.support.stage import open_stage

NAMES = ["Steph", "Amit", "Brian", "Carlos", "Denise"]


async def main(players: int, table_size: int, pace: float) -> None:
    """Play for ever, a hand a table in ``pace`` seconds."""
    configure_logs("error")
    settings = Settings(SEED, StudGame(2000), hands=10**6, table_size=table_size, limit=30.0)
    limits = Limits(per_address=players, connects=players)
    async with open_stage(settings, limits=limits) as stage:
        names = [NAMES[number % 5] + (f" {number // 5 + 1}" if number >= 5 else "") for number in range(players)]
        await stage.rig.admit(
            *(Client(Name(f"p{number}", name), by_chance(number)) for number, name in enumerate(names))
        )
        stage.begin()
        tournament = stage.scene.tournament
        assert tournament is not None
        tournament.tempo.pace = pace
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            print(stage.port, flush=True)
            await trio.to_thread.run_sync(os.read, 0, 1)
            tournament.stop_after_hand()


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
