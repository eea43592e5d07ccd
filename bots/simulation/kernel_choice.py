"""Choose what plays: a game's compiled kernel where there is one that can, else the arena."""

from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from bots.simulation.plan import Engine, Plan, SimulationError


@cache
def load_kernel(game: str) -> Any:
    """The module in ``bots/simulation/kernels`` for a game; None if the game has none.

    It offers ``obstacle(plan)``, which says in words why the kernel cannot play a plan, or None if it can, and
    ``play_deals(plan, block)``, which plays one block and yields the games of each deal.
    """
    name = f"bots.simulation.kernels.{game}"
    return import_module(name) if game.isidentifier() and find_spec(name) else None


def kernel_obstacle(plan: Plan) -> str | None:
    """Why no kernel can play this plan, in words; None if one can."""
    kernel = load_kernel(plan.game.name)
    if kernel is None:
        return f"there is no kernel for {plan.game.name}; leave out --engine kernel"
    obstacle: str | None = kernel.obstacle(plan)
    return obstacle


def pick_engine(plan: Plan, wanted: Engine | None) -> Plan:
    """The plan with the engine that will play it.

    Args:
        plan: what is to be played.
        wanted: the engine that was asked for; None takes the kernel if it can play.

    Raises:
        SimulationError: the kernel was asked for and cannot play this; the text says why.
    """
    if wanted == "arena":
        return replace(plan, engine="arena")
    obstacle = kernel_obstacle(plan)
    if wanted == "kernel" and obstacle:
        raise SimulationError(obstacle)
    return replace(plan, engine="arena" if obstacle else "kernel")
