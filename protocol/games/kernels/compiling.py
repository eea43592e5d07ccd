"""Compile the functions of kernels with numba, keeping their types for mypy and what was compiled on disk."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile ``function`` when it is first called, and keep that on disk if there is a place to write to."""
    return _compiled(function, fastmath=False)


def compiled_fast(function: F) -> F:
    """As ``compiled``, with sums in any order: the last bits of a result may differ between processors."""
    return _compiled(function, fastmath=True)


def _compiled(function: F, *, fastmath: bool) -> F:
    try:
        return cast("F", numba.njit(cache=True, fastmath=fastmath)(function))
    except RuntimeError:  # neither the folder of the function nor the home is writable, as in a container
        return cast("F", numba.njit(fastmath=fastmath)(function))
