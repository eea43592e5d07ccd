"""Find out how the dealer may make a memory cgroup, the kernel's bound on all memory of a sandbox.

It counts what no limit of a process does: buffers of sockets and pipes, files in memory, and tables of the kernel.
systemd makes such a group for everybody who has a session. Without systemd, the host names a group that is meant for
this in ``CASINO_CGROUP``. The dealer looks for none by itself: root may write to all groups, also to those of others.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from typing import Any

from dealer.errors import OptionError
from dealer.sandbox.outside import group_below, join_words

#: Names a cgroup, of either version, below which ``outside.py`` makes one for each sandbox.
VARIABLE = "CASINO_CGROUP"

#: Seconds that an empty command may take in a group.
TRIAL_SECONDS = 10

#: Prints the bound of its own group (version 2).
_TELL = """cat "/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/memory.max" """


def memory_cgroup(memory: int) -> dict[str, Any]:
    """How ``outside.py`` gets a memory cgroup: the words of ``scope``, or a group below ``parent``; empty for neither.

    Args:
        memory: the bound, in bytes.

    Raises:
        OptionError: no group can be made below the one that the host has named.
    """
    if named := os.environ.get(VARIABLE):
        _try_group(named)
        return {"parent": named}
    words = ["systemd-run", *(() if os.geteuid() == 0 else ("--user",)), "--scope", "--quiet", "--collect"]
    words += ["-p", f"MemoryMax={memory}", "-p", "MemorySwapMax=0", "--"]
    return {"scope": words} if _prints((*words, "/bin/sh", "-c", _TELL), f"{memory}\n") else {}


@cache
def _try_group(parent: str) -> None:
    try:
        with group_below(parent, 1 << 26) as group:
            if group is not None and not _prints((*join_words(group), "echo", "in"), "in\n"):
                raise OptionError(f"{VARIABLE}: no process can be moved to a group below {parent}")
    except OSError as error:
        raise OptionError(
            f"{VARIABLE}: no memory cgroup can be made below {parent}: {error.strerror}; name a folder such as "
            f"/sys/fs/cgroup/casino that this user may write to, or unset {VARIABLE}"
        ) from None


@cache
def _prints(words: tuple[str, ...], expected: str) -> bool:
    if shutil.which(words[0]) is None:
        return False
    with suppress(OSError, subprocess.TimeoutExpired):
        said = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TRIAL_SECONDS, check=False
        )
        return said.stdout == expected
    return False
