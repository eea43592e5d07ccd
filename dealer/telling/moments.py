"""The rules by which the page, replays and the report choose hands that are worth seeing."""

from collections import Counter

from protocol.games.base import FOLDED

#: Hands after which a pot can be called the largest, and somebody a new leader; before that, each would be.
EARLY_HANDS = 20

#: A winning hand is rare if at most one pot in so many was won with its kind.
RARE = 50


class WinningKinds:
    """Counts the kinds of cards that main pots were won with."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def note(self, kind: str, hands: int) -> bool:
        """Count a hand; whether what its main pot was won with is rare among so many hands."""
        self._counts[kind] += 1
        return kind != FOLDED and self._counts[kind] * RARE <= hands

    def rarest(self, hands: int) -> tuple[str, int] | None:
        """The rarest kind among so many hands, and how often it won; None if no kind is rare."""
        rare = [(count, kind) for kind, count in self._counts.items() if kind != FOLDED and count * RARE <= hands]
        count, kind = min(rare, default=(0, ""))
        return (kind, count) if rare else None
