"""Load the tables that beta, gamma and balance play from: one file of msgpack, compressed by xz."""

import lzma
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgpack

FILE = Path(__file__).with_name("tables.msgpack.xz")


@lru_cache(maxsize=1)
def load() -> dict[str, Any]:
    """What ``python -m bots.train.make_tables`` wrote; see there for the layout. Takes about 0.1 s, once."""
    tables: dict[str, Any] = msgpack.unpackb(lzma.decompress(FILE.read_bytes()), use_list=False)
    return tables


@cache
def equilibrium(game: int) -> tuple[bytes, ...]:
    """The near-equilibrium for hands that begin with ``load()["buy_ins"][game]``, by street.

    Each is unpacked when it is first asked for: most hands need the first one alone. Takes 0.05 s and 8 MB.
    """
    streets: tuple[bytes, ...] = msgpack.unpackb(lzma.decompress(load()["equilibrium"][game]), use_list=False)
    return streets
