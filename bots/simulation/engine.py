"""Which engine plays: the compiled kernel where it can, else the arena."""

from dataclasses import replace

from bots.simulation.kernel import kernel_obstacle
from bots.simulation.plan import Engine, Plan
from bots.simulation.simulation_errors import SimulationError


def pick_engine(plan: Plan, wanted: Engine | None) -> Plan:
    """The plan with the engine that will play it; ``wanted`` is what was asked for, if anything.

    Raises:
        SimulationError: the kernel was asked for and cannot play this; the text says why.
    """
    if wanted == "arena":
        return replace(plan, engine="arena")
    obstacle = kernel_obstacle(plan)
    if wanted == "kernel" and obstacle:
        raise SimulationError(obstacle)
    return replace(plan, engine="arena" if obstacle else "kernel")
