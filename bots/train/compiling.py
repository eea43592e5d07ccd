"""Compile the solvers' functions with numba, keeping their types for mypy and nothing on disk.

Numba's cache does not notice edits in other files, and self-recursive functions crash when they are loaded from it.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from protocol.games.kernels.compiling import njit

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile a function at its first call, so that an import alone costs nothing."""
    return cast("F", njit(function))
