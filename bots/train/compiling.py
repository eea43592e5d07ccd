"""Compiling for the solvers: with types that survive it, and nothing kept on disk.

Numba's cache does not notice edits in other files, and self-recursive functions crash when they are loaded from it.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile when it is first called."""
    return cast("F", njit(function))


def jit_as(signature: str) -> Callable[[F], F]:
    """Compile now, for one signature, as a function that calls itself needs it."""
    return cast("Callable[[F], F]", njit(signature))
