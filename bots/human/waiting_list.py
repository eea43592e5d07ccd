"""The list of players who wait for the start, as large as there is room for."""

from rich.cells import cell_len, set_cell_size

from bots.human.seat_names import InLobby

#: Columns of a name, at most: those of the longest one in narrow letters.
WIDEST = 32

#: Columns between two names.
GAP = 2

#: Behind the person's own name.
YOURS = " (you)"

#: What stands above the list.
SEATED = "You have a seat. Play begins when the host starts it."


def waiting_lines(lobby: InLobby, width: int, height: int) -> list[str]:
    """The list in ``height`` lines of at most ``width`` columns: the person first, then the others as they came."""
    name = lobby.names[lobby.place]
    me = f"{_cut(name, min(cell_len(name), WIDEST - len(YOURS)))}{YOURS}"
    names = [me, *(name for place, name in enumerate(lobby.names) if place != lobby.place)]
    column = min(max(cell_len(name) for name in names), WIDEST, width)
    columns = max((width + GAP) // (column + GAP), 1)
    room = max(height - 3, 1) * columns  # without the lines above, and the line of those who are left out
    shown = [_cut(name, column) for name in names[:room]]
    rows = [(" " * GAP).join(shown[first : first + columns]) for first in range(0, len(shown), columns)]
    left = [f"and {len(names) - room} more"] if len(names) > room else []
    return [_cut(line, width).rstrip() for line in (SEATED, _count(lobby), *rows, *left)]


def _count(lobby: InLobby) -> str:
    here = len(lobby.names)
    if lobby.seats is not None:
        return f"{here} of {lobby.seats} players are here:"
    return "You are the first:" if here == 1 else f"{here} players are here:"


def _cut(text: str, width: int) -> str:
    """A text in exactly so many columns, with an ellipsis where it is too long."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(f"{set_cell_size(text, width - 1).rstrip()}…", width)
