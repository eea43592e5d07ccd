"""The lines of the history of a game, of which a browser is told those that it does not have."""

from collections import deque
from collections.abc import Sequence

from bots.human.seat_names import NO_NAMES, SeatNames

#: Lines that are kept.
HISTORY_LINES = 500


class History:
    """The history of the game under way.

    Attributes:
        said: how many lines there have been, those of earlier games included.
        first: what ``said`` was when this game began.
        names: of the seats, as the lines have them.
    """

    def __init__(self) -> None:
        self.said = 0
        self.clear()

    def clear(self) -> None:
        """Begin that of the next game."""
        self._lines: deque[str] = deque(maxlen=HISTORY_LINES)
        self._held: list[str] = []
        self.said += 1  # a browser that has the lines of the last game is told those of the next from its first on
        self.first = self.said
        self.names: SeatNames = NO_NAMES

    def say(self, line: str) -> None:
        self._lines.append(line)
        self.said += 1

    def hold(self, line: str) -> None:
        """Keep a line until the next scene: with the scene it is known which names the seats have."""
        self._held.append(line)

    def tell_held(self) -> None:
        """Add the lines that were kept."""
        for line in self._held:
            self.say(self.names.in_line(line))
        self._held.clear()

    def since(self, known: int) -> Sequence[str]:
        """The lines behind the first ``known`` ones, as far as they are kept."""
        return list(self._lines)[max(len(self._lines) - (self.said - known), 0) :]
