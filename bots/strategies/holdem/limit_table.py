"""Load the table of fixed-limit hold'em: one file of msgpack, compressed by xz."""

import lzma
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgpack

FILE = Path(__file__).with_name("limit_table.msgpack.xz")
#: In how many equal steps the table tells how often to fold and to raise.
LEVELS = 15


@lru_cache(maxsize=1)
def load() -> dict[str, Any]:
    """The table that is shipped, see ``read``; it takes about 0.2 s, once."""
    return read(FILE)


def read(path: Path) -> dict[str, Any]:
    """What ``python -m bots.train.limit_equilibrium`` wrote.

    ``thresholds`` are those of ``limit_board.hole_buckets``. ``moves`` has a byte for each bucket of each node of
    ``tree`` before the river: how often to fold in its upper half and how often to raise in its lower one, in parts of
    ``LEVELS``.
    """
    table: dict[str, Any] = msgpack.unpackb(lzma.decompress(path.read_bytes()), use_list=False)
    return table
