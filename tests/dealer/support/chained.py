"""The bytes of a journal made by a test: batches of any records, each chained to the one before it."""

from collections.abc import Iterable

from dealer.journal.records import NO_HEAD, pack_batch


def chained(batches: Iterable[bytes]) -> list[bytes]:
    """The bytes of each batch, from the bytes of its records."""
    head, packed = NO_HEAD, []
    for records in batches:
        batch, head = pack_batch(records, head)
        packed.append(batch)
    return packed
