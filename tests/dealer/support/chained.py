"""The bytes of a journal made by a test: batches of any records, each chained to the one before it.

Each batch was forced before the next was written, and says so.
"""

from collections.abc import Iterable

from dealer.journal.batches import NO_HEAD, pack_batch, pack_forced


def chained(batches: Iterable[bytes]) -> list[bytes]:
    """The bytes of each batch, from the bytes of its records."""
    head, packed, size = NO_HEAD, [], 0
    for records in batches:
        batch, head = pack_batch((pack_forced(size) if size else b"") + records, head)
        packed.append(batch)
        size += len(batch)
    return packed
