"""The attackers of a drill, in a process that leaves the processor to others.

``python -m tests.drills.attackers PLAN``, an ``AttackPlan`` as JSON; prints its ``Tally`` as JSON at the end.

On a machine of two cores, attackers with the same priority would measure how the system shares two cores among
three processes. So they have a lower one, and what is left is what they cost the dealer itself.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import trio

from tests.drills.attacks import ATTACKS
from tests.drills.foe import Foe, Tally
from tests.drills.frames import open_arsenals
from tests.drills.plan import Plan, Schedule, clock

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 30)]
"""Where attackers come from; honest bots come from 127.0.0.1, so that a limit on an address meets only attackers."""
CALM_SECONDS = 0.1
POLITENESS = 10
"""Of the system's 19 steps: a tenth of the processor time of a process that has not stepped back."""


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """What to attack, and when.

    Attributes:
        ports: of the doors for frames and for lines.
        recording: bytes of a real session.
        plan: the ``Plan`` of the drill, as facts.
        start: when its schedule starts; None attacks from now on for ``plan.lobby`` seconds.
        names: ids on the roster that attackers may use.
        seed: of every choice they make.
    """

    ports: Sequence[int]
    recording: str
    plan: dict[str, Any]
    start: float | None
    names: Sequence[str]
    seed: int = 0


async def attack(orders: AttackPlan) -> Tally:
    """Attack while the schedule says so, each kind in turn; then see every connection to its end."""
    plan = Plan(**orders.plan)
    schedule = _schedule(plan, orders.start)
    arsenals = open_arsenals(Path(orders.recording))
    rng, tally = Random(orders.seed), Tally()
    kinds = cycle(plan.kinds or ATTACKS)
    async with trio.open_nursery() as nursery:
        while not schedule.over(clock()):
            if not schedule.attacking(clock()):
                await trio.sleep(CALM_SECONDS)
                continue
            door = rng.randrange(2)
            kind = next(kinds)

            async def one(door: int = door, kind: str = kind, seed: int = rng.getrandbits(64)) -> None:
                choices = Random(seed)
                try:
                    stream = await trio.open_tcp_stream(
                        "127.0.0.1", orders.ports[door], local_address=choices.choice(ADDRESSES)
                    )
                except OSError as error:
                    tally.ended(kind, f"no connection: {error}"[:60])
                    return
                async with stream:
                    tally.connections[kind] += 1
                    await ATTACKS[kind](Foe(stream, arsenals[door], choices, tally, kind, tuple(orders.names)))

            nursery.start_soon(one)
            await trio.sleep(1 / plan.rate)
    return tally


def _schedule(plan: Plan, start: float | None) -> Schedule:
    """That of the play; or, on the lobby, one whose calm is already over."""
    if start is not None:
        return Schedule(plan, start)
    return Schedule(Plan(2 * plan.lobby, plan.lobby, 0, 0, plan.limit, plan.rate), clock() - plan.lobby)


def command(orders: AttackPlan) -> list[str]:
    """The command line of this process."""
    return [sys.executable, "-m", "tests.drills.attackers", json.dumps(asdict(orders))]


if __name__ == "__main__":
    os.nice(POLITENESS)
    print(json.dumps(trio.run(attack, AttackPlan(**json.loads(sys.argv[1]))).facts()))
