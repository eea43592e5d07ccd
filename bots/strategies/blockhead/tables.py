"""Load the tables that beta, gamma and balance play from: one file of msgpack, compressed by xz."""

import lzma
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgpack

FILE = Path(__file__).with_name("tables.msgpack.xz")


@lru_cache(maxsize=1)
def load() -> dict[str, Any]:
    """What ``python -m bots.train.make_tables`` wrote; see there for the layout. Takes about 0.1 s, once."""
    tables: dict[str, Any] = msgpack.unpackb(lzma.decompress(FILE.read_bytes()), use_list=False)
    return tables
