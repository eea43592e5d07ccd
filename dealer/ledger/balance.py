"""Which player moves to which table: as few tables as hold everybody, their sizes differing by one at most."""

from collections.abc import Mapping


def next_table(table: int, sizes: Mapping[int, int], table_size: int) -> int | None:
    """Where a table that is between two hands sends one of its players next; None if it keeps them.

    The smallest table is broken as soon as the others hold its players; of equals that with the highest number, and
    until that is done no other sends any. Else a table gives to the smallest one if that has two fewer.

    Args:
        table: that could send a player.
        sizes: players still in at each table that plays on, ``table`` among them.
        table_size: seats at a table.
    """
    others = {number: size for number, size in sizes.items() if number != table}
    if not others or not sizes[table]:
        return None
    smallest = min(others, key=lambda number: (others[number], number))
    if sum(sizes.values()) <= table_size * len(others):
        return smallest if table == min(sizes, key=lambda number: (sizes[number], -number)) else None
    return smallest if sizes[table] > sizes[smallest] + 1 else None


def balanced(sizes: Mapping[int, int]) -> bool:
    """Whether no table has two players more than another; else one of them will send some after its hand."""
    return not sizes or max(sizes.values()) - min(sizes.values()) <= 1
