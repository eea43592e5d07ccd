"""The round-robin format: everybody meets everybody once, in rounds that are drawn by the circle method."""

from collections.abc import Sequence

from dealer.ledger.formats.pairings import Pairings
from dealer.ledger.formats.swiss_draw import Pair
from dealer.lobby.player import Player
from dealer.settings import Settings


def round_robin(players: int) -> tuple[tuple[Pair, ...], ...]:
    """The rounds of a round robin by the circle method, players being numbered from 0.

    An odd number of players has as many rounds, in each of which one is missing; an even number has one round less.
    Everybody is named first as often as second, or, of an even number, once more or less often; and no more than twice
    in a row, whichever it is.

    Raises:
        ValueError: there are fewer than two players.
    """
    if players < 2:
        raise ValueError(f"a round robin has 2 players or more, not {players}")
    return tuple(_round(number, players) for number in range(players - 1 + players % 2))


def _round(number: int, players: int) -> tuple[Pair, ...]:
    """One round: who sits on the circle meets who is across from it; of an even number the last sits in the middle.

    A step around the circle makes the distance to the next opponent one less or one more, so that going by whether it
    is odd, everybody takes turns in being first.
    """
    circle = players - 1 + players % 2
    pairs = []
    if circle < players:
        pairs.append((circle, number) if number % 2 == 0 else (number, circle))
    for distance in range(1, circle // 2 + 1):
        ahead, behind = (number + distance) % circle, (number - distance) % circle
        pairs.append((ahead, behind) if distance % 2 else (behind, ahead))
    return tuple(pairs)


class RoundRobin(Pairings):
    """All pairs, drawn before the first round; a player whose opponent has left gets the point."""

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self._draw = round_robin(len(players))
        self.rounds = len(self._draw)
        self._forfeits: list[tuple[Player, Player]] = []

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The pairs of a round in which both are here; a player without an opponent sits alone."""
        pairs = [(self.players[one], self.players[two]) for one, two in self._draw[number - 1]]
        self._forfeits = [
            (one, two) if one in here else (two, one) for one, two in pairs if (one in here) != (two in here)
        ]
        met = [[one, two] for one, two in pairs if one in here and two in here]
        return met + [[player] for player in here if not any(player in pair for pair in met)]

    def count_unplayed(self) -> None:
        """Give the points of pairings of which one player has left to the other."""
        for present, absent in self._forfeits:
            self.scores.forfeit(present, absent)


FORMAT = RoundRobin
