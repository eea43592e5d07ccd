"""The round-robin format: everybody meets everybody once, in rounds that are drawn by the circle method."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from dealer.ledger.columns import Column
from dealer.ledger.formats.pairings import Pairings, Result, Results
from dealer.ledger.formats.points import LOSS, WIN, shown
from dealer.ledger.formats.swiss_draw import Pair
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.settings import Settings

#: Characters in a line of the terminal.
LINE = 80

#: Characters that each of two names needs, or it takes too many lines.
NAME = 8


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
    """All pairs, drawn before the first round; a player whose opponent has left gets the point.

    The results of who left before half of its pairings were played count for nobody, so that it does not matter who met
    it before; they are still shown. From half of them on they count, and who meets nobody then gets a point (FIDE
    General Regulations for Competitions, on withdrawals).
    """

    title = "Round robin"
    breaks = (("sonneborn_berger", 4, "Sonn.-\nBerger"),)

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
            self.forfeit(present, absent)

    def forfeit(self, present: Player, absent: Player) -> None:
        """Count a pairing that could not be played since one of the two has left."""
        self.results[present].append(Result(absent, WIN))
        self.results[absent].append(Result(present, LOSS))

    def counting(self) -> Results:
        gone = {player for player in self.players if self._left_early(player)}
        return {
            player: [] if player in gone else [result for result in results if result.opponent not in gone]
            for player, results in self.results.items()
        }

    def _left_early(self, player: Player) -> bool:
        played = sum(result.played for result in self.results[player])
        return player.left is not None and 2 * played < len(self.players) - 1

    def tie_breaks(self) -> Mapping[Player, tuple[int, ...]]:
        """Sonneborn-Berger: the points of everybody one has beaten, and half of those of everybody drawn with."""
        counting, points = self.counting(), self.points()
        return {
            player: (sum(result.points * points[result.opponent] for result in results if result.opponent is not None),)
            for player, results in counting.items()
        }

    def result_columns(self, standings: Sequence[Standing]) -> list[Column]:
        """The result against each player, in the order of the standings, if that fits; else how many were won.

        The number above a column is the opponent's place in the table from the top: 1, ½ or 0 points, ``+`` and ``-``
        for a pairing that was not played.
        """

        def column(number: int, other: Player) -> Column:
            return Column(str(number), lambda one: self._against(one.player, other), str(number))

        columns = [column(number, standing.player) for number, standing in enumerate(standings, 1)]
        widths = [max(len(one.key), *(cell_len(one.shown(standing, str)) for standing in standings)) for one in columns]
        # beside both names there are place, points and Sonneborn-Berger
        others = len("Place") + len("Points") + len("Berger")
        fits = others + sum(widths) + len(widths) + 5 + 2 * NAME <= LINE
        return columns if columns and fits else super().result_columns(standings)

    def _against(self, player: Player, other: Player) -> str:
        if player is other:
            return "\N{MIDDLE DOT}"
        results = [result for result in self.results[player] if result.opponent is other]
        return "".join(shown(one.points) if one.played else "+" if one.points else "-" for one in results)


FORMAT = RoundRobin
