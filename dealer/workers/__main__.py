"""The program of a worker process, which ends with the dealer from its first moment on; see ``worker.py``."""

import ctypes
import signal
import sys

#: The option of Linux that ends a process with its parent (``PR_SET_PDEATHSIG`` of ``prctl``).
_END_WITH_PARENT = 1


def end_with_parent() -> None:
    """Let the system kill this process when its parent dies, even while it is stopped; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)


if __name__ == "__main__":
    end_with_parent()
    # Not before: the imports take longer than all that the dealer needs to lend the first seats.
    from dealer.workers.worker import main

    main()
