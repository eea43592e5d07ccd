"""Blockhead by the compiled kernel, for the strategies that have one.

The kernel shuffles with a generator of its own, since a deck from HMAC-SHA256 takes longer than a whole hand; so
its games are not those that a dealer deals from the same seed.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any

from bots.simulation.plan import Plan
from bots.simulation.tally import Played

#: Hands in a game: the cards of a whole block are dealt at once, and must fit in memory.
MOST_HANDS = 10_000


def obstacle(plan: Plan) -> str | None:
    """Why the kernel cannot play this plan, in words; None if it can."""
    if len(plan.bots) != 2:
        return f"the kernel plays games of 2, not of {len(plan.bots)}"
    if plan.game.facts["ranks"] != "blockhead":
        return "the kernel knows no poker hands"
    if plan.game.hands > MOST_HANDS:
        return f"the kernel plays games of at most {MOST_HANDS:,} hands, not of {plan.game.hands:,}"
    kernel = _load()
    if kernel is None:
        return "the kernel needs numba: pip install '.[sim]' in the folder of Casino Day"
    missing = [bot for bot in plan.bots if bot not in kernel.KINDS]
    return f"{missing[0]} has no kernel" if missing else None


def play_deals(plan: Plan, block: int) -> Iterator[Sequence[Played]]:
    """The deals of one block, each played in every seating."""
    kernel = _load()
    kinds = [kernel.KINDS[bot] for bot in plan.bots]
    digest = sha256(f"{plan.seed}/{block}".encode()).digest()
    cards = kernel.deal_cards(len(plan.deals_of(block)), plan.game.hands, int.from_bytes(digest[:8], "big"))
    # The numbers that mix moves come from other bytes than the cards, so that no move can depend on hidden cards.
    chance = int.from_bytes(digest[8:16], "big")
    policy = _load_policy() if kernel.BALANCE in kinds else kernel.NO_POLICY
    seatings = []
    for turn in range(plan.seatings):
        ends = kernel.play_games(kinds[turn], kinds[1 - turn], cards, chance + turn, policy)
        columns = [ends[:, column].tolist() for column in (kernel.GAIN, kernel.FOLDS_0, kernel.FOLDS_1, kernel.POTS)]
        seatings.append(_played(turn, *columns))
    yield from zip(*seatings, strict=True)


def _played(opener: int, gains: list[int], folds0: list[int], folds1: list[int], pots: list[int]) -> list[Played]:
    """Games whose seat 0, which opened them, was the player ``opener``."""
    games = zip(gains, folds0, folds1, pots, strict=True)
    if opener == 0:
        return [Played((gain, -gain), 0, (own, other), pot) for gain, own, other, pot in games]
    return [Played((-gain, gain), 1, (other, own), pot) for gain, own, other, pot in games]


@cache
def _load() -> Any:
    """The kernel's module, which takes a second to import; None without numba."""
    try:
        return import_module("protocol.games.kernels.blockhead")
    except ImportError:
        return None


@cache
def _load_policy() -> Any:
    return import_module("bots.strategies.blockhead.policy").balance_policy()
