"""Keep modules of the current folder from worker processes, as ``python -P`` does."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

#: What Python reads when it starts.
_VARIABLE = "PYTHONSAFEPATH"


@contextmanager
def safe_path() -> Iterator[None]:
    """Let Python processes that are started in the block import nothing from the current folder.

    A process of ``multiprocessing`` looks there first, and a student's folder may have a ``random.py``. It takes no
    flags, only the environment; so start no programs of others in the block, which may need the modules beside them.
    """
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before
