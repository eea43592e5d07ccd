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

from tests.drills.attacks import ATTACKS, Foe, Tally
from tests.drills.frames import Arsenal, open_arsenals
from tests.drills.plan import Plan, Schedule, chance, clock
from tests.patience import PATIENCE

#: Where attackers come from; honest bots come from 127.0.0.1, so that a limit on an address meets only attackers.
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 30)]
CALM_SECONDS = 0.1
HANGING = "LEFT HANGING"
#: Of the system's 19 steps: a tenth of the processor time of a process that has not stepped back.
POLITENESS = 10


@dataclass(frozen=True, slots=True)
class AttackPlan:
    """What to attack, and when.

    Attributes:
        ports: of the doors for frames and for lines.
        recording: a file with the bytes of a real session.
        made_up: a file with texts that hypothesis made.
        plan: the ``Plan`` of the drill, as facts.
        start: of the plan's schedule; None starts with an attack, as soon as everything is ready.
        names: ids on the roster that attackers may use.
    """

    ports: Sequence[int]
    recording: str
    made_up: str
    plan: dict[str, Any]
    start: float | None
    names: Sequence[str]


async def attack(orders: AttackPlan) -> Tally:
    """Attack while the schedule says so, each kind in turn; then see every connection to its end."""
    plan = Plan(**orders.plan)
    arsenals = open_arsenals(Path(orders.recording), Path(orders.made_up))
    schedule = Schedule(plan, clock() - plan.phase if orders.start is None else orders.start)
    rng, tally = chance("attackers"), Tally()
    kinds = cycle(plan.kinds or ATTACKS)
    async with trio.open_nursery() as nursery:
        # On a busy machine its time may be over before this process runs; then it attacks once.
        while not tally.connections or not schedule.over(clock()):
            if not schedule.attacking(clock()) and not schedule.over(clock()):
                await trio.sleep(CALM_SECONDS)
                continue
            kind, door = next(kinds), rng.randrange(2)
            tally.connections[kind] += 1
            nursery.start_soon(_attack_once, orders, kind, door, arsenals[door], Random(rng.getrandbits(64)), tally)
            await trio.sleep(1 / plan.rate)
    return tally


async def _attack_once(orders: AttackPlan, kind: str, door: int, arsenal: Arsenal, rng: Random, tally: Tally) -> None:
    address = rng.choice(ADDRESSES)
    with trio.move_on_after(PATIENCE) as patience:
        try:
            stream = await trio.open_tcp_stream("127.0.0.1", orders.ports[door], local_address=address)
        except OSError as error:
            tally.ended(kind, f"no connection: {error.strerror or error}")
            return
        async with stream:
            await ATTACKS[kind](Foe(stream, arsenal, rng, tally, kind, orders.names))
    if patience.cancelled_caught:
        tally.ended(kind, HANGING)


def command(orders: AttackPlan) -> list[str]:
    return [sys.executable, "-m", "tests.drills.attackers", json.dumps(asdict(orders))]


if __name__ == "__main__":
    os.nice(POLITENESS)
    print(json.dumps(trio.run(attack, AttackPlan(**json.loads(sys.argv[1]))).facts()))
