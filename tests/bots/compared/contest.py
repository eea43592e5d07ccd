"""What is compared: each contestant plays one game by one library, in one of two ways."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeVar

Game = Literal["limit", "no-limit", "leduc", "roll-outs"]
#: How actions are chosen: always check or call; or by chance among a fold, if chips are owed, a check or call, and a
#: raise, which in no-limit is all in. Each is chosen only if the library says that it is legal.
Play = Literal["calls", "chance"]
PLAYS: tuple[Play, ...] = ("calls", "chance")

#: Blinds of hold'em, and chips of everybody before a hand of no-limit: those of RLCard, which cannot be changed.
SMALL, BIG, STACK = 1, 2, 100
#: Chips that no hand of limit hold'em costs; of Leduc likewise, where a library asks for a stack.
DEEP = 200
#: The two cards whose chances roll-outs estimate, against two cards of which nothing is known.
ROLLED_OUT = ("AS", "KH")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Contestant:
    """One part of a library that plays a game between two.

    Attributes:
        library: its name as a package.
        part: what of it plays.
        game: what it plays.
        play: how actions are chosen; roll-outs have none, and count as calls.
        run: plays so many hands, each with fresh cards and stacks, and returns how many decisions were made in them;
            None where the library does not say. Roll-outs deal the missing cards so many times.
    """

    library: str
    part: str
    game: Game
    play: Play
    run: Callable[[int], int | None]


def choose(play: Play, chance: Random, call: T, fold: T | None, raises: Sequence[T]) -> T:
    """Choose an action, in the same way for all libraries.

    Args:
        play: how.
        chance: of the contestant.
        call: the check or call.
        fold: None where nothing is owed.
        raises: no raise or one.
    """
    if play == "calls":
        return call
    choices = [call, *raises]
    if fold is not None:
        choices.append(fold)
    return choices[int(chance.random() * len(choices))]
