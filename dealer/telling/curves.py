"""The curves of a tournament: chips of every player over hands, in bounded memory, from the first hand on."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, NamedTuple, TypeVar

from dealer.ledger.ledger import Ledger
from dealer.lobby.player import Player

#: Points of each curve, at most; a projector has hardly more pixels to tell them apart.
POINTS = 240


#: Chips, or a mean of chips.
Chips = TypeVar("Chips", bound=float)


class Point(NamedTuple, Generic[Chips]):
    """Chips of every player after so many hands; None for a player who was already out at the point before."""

    hand: int
    chips: tuple[Chips | None, ...]


class Curves(Generic[Chips]):
    """Chips of every player over hands, in at most ``most`` points.

    When there are more, every other point is dropped and only every second hand is noted from then on. So the points
    stay evenly spread, however long the tournament is.
    """

    def __init__(self, most: int = POINTS) -> None:
        self._most = most
        self._points: list[Point[Chips]] = []
        self._last: Point[Chips] | None = None
        self._stride = 1
        self._gone: AbstractSet[int] = frozenset()

    @property
    def empty(self) -> bool:
        """True if nothing has been noted yet."""
        return self._last is None

    def due(self, hand: int) -> bool:
        """True if enough hands have been played since the last point for a new one at ``hand`` hands."""
        return not self._points or hand >= self._points[-1].hand + self._stride

    def note(self, hand: int, chips: Sequence[Chips | None], gone: AbstractSet[int] = frozenset()) -> None:
        """Note the chips after ``hand`` hands.

        Args:
            hand: finished hands; never fewer than at the call before.
            chips: of every player, in the order of their numbers.
            gone: the numbers of the players who are out; their curves end at this point.
        """
        before = self._gone
        self._last = point = Point(hand, tuple([None if at in before else own for at, own in enumerate(chips)]))
        if self.due(hand):
            self._points.append(point)
            self._gone = frozenset(gone)
        if len(self._points) > self._most:
            self._points = self._points[::2]
            self._stride *= 2

    @property
    def points(self) -> list[Point[Chips]]:
        """All points; the last one is always the latest that was noted."""
        if self._last is None:
            return []
        kept = self._points[:-1] if self._points[-1].hand == self._last.hand else self._points
        return [*kept, self._last]


class ChipCurves(Curves[int]):
    """The curves of a ledger, which are noted while it changes.

    Args:
        ledger: before its first hand.
    """

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger
        self.note(0, [0 if ledger.settings.duplicate else self._first_stack] * len(ledger.players))

    @property
    def _first_stack(self) -> int:
        return self._ledger.settings.game.start(2).stacks[0]

    def follow(self) -> None:
        """Add a point if one is due: fast tables play hundreds of hands in a second, too many to look at each."""
        if self.due(self._ledger.seating.hands_on):
            self.look()

    def look(self) -> None:
        """Note how things stand now."""
        seating, players = self._ledger.seating, self._ledger.players
        gone = {player.number for player in players if not seating.still_in(player)}
        self.note(seating.hands_on, self._chips(), gone)

    def _chips(self) -> list[int | None]:
        """Chips by the numbers of the players.

        Where they are averages over games, the game under way counts by the share of its hands that are played, so that
        a curve does not wait for the end of a game. A player who has played no hand has the chips with which a game
        begins.
        """
        ledger, chips = self._ledger, list[int | None]([None] * len(self._ledger.players))
        scores, standings = ledger.scores, ledger.standings()
        if scores is None or not (scores.games > 0 or ledger.format.measure == "points"):
            for standing in standings:
                chips[standing.player.number] = standing.chips
            return chips
        under_way = self._games_under_way()
        for standing in standings:
            finished = scores.by_player[standing.player].chips
            share, stack = under_way.get(standing.player, (0.0, 0))
            games = len(finished) + share
            average = round((sum(finished) + share * stack) / games) if games else self._first_stack
            chips[standing.player.number] = average
        return chips

    def _games_under_way(self) -> dict[Player, tuple[float, int]]:
        """The share of its hands that the game under way has played, and the chips, of each player who is in one."""
        return {
            player: (table.played / table.hands, stack)
            for table in self._ledger.seating.round_tables
            if table.scored < table.game
            for player, stack in table.stacks().items()
        }
