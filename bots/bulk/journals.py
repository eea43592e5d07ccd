"""Journals in ``casino collusion``, which itself belongs to ``bots``.

Reading journals is the dealer's work, but bots never import the dealer. So the dealer's package offers it as the entry
point ``journal`` of the group ``casino.collusion``.
"""

import sys
from importlib.metadata import entry_points
from pathlib import Path

from bots.command_line import FAILED

ENTRY_POINTS, NAME = "casino.collusion", "journal"


def examine_journal(path: Path, level: float, *, as_json: bool, live: bool) -> int:
    """Examine a journal and return the exit code of the command; see ``dealer.audit.collusion.examine``."""
    for point in entry_points(group=ENTRY_POINTS, name=NAME):
        code: int = point.load()(path, level, as_json, live)
        return code
    print("casino: journals are read by the dealer's package, which is not installed", file=sys.stderr)
    return FAILED
