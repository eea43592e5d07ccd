"""Compile the functions of kernels with numba, keeping their types for mypy and what was compiled on disk.

All imports of numba go through here: it would take settings from a ``.numba_config.yaml`` in the current folder, which
a student may have written. With ``cache_dir`` in it, numba unpickles files of the student, and so runs their code.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Let nobody find a package in this block, neither a new one nor one that was imported before."""
    before = sys.modules.pop(name, None)
    sys.modules[name] = cast("Any", None)
    try:
        yield
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before


# Without a parser of YAML, numba never reads such a file. It looks for SciPy's linear algebra as soon as it compiles or
# loads anything, which takes an eighth of a second of each process; no kernel multiplies matrices.
with _without("yaml"), _without("scipy"), warnings.catch_warnings():
    warnings.filterwarnings("ignore", "A Numba config file is found")
    import numba
    import numba.np.arraymath
    from numba.core import config

config._config_fname = ""  # for which numba looks again, and warns, whenever it compiles

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile ``function`` when it is first called, and keep nothing on disk: an edit in another file counts at once.

    Self-recursive functions must be compiled so; they crash when numba loads them from its cache.
    """
    return cast("F", numba.njit(function))


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
