"""Round robins and Swiss tournaments share this: tables of two, whose games one of them wins, and places by points."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.table import Table

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.columns import AVATAR, BOT, PLACE, Column, standings_table, table
from dealer.ledger.formats.format import Format, points_column
from dealer.ledger.formats.points import DRAW, LOSS, WIN, points_of_pair
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings


@dataclass(frozen=True, slots=True)
class Result:
    """One round of one player.

    Attributes:
        opponent: whom it met, or should have met; None for a bye.
        points: in half points.
        chips: that it won.
        first: whether it was named first; None if the pairing was not played.
    """

    opponent: Player | None
    points: int
    chips: int = 0
    first: bool | None = None

    @property
    def played(self) -> bool:
        """True if cards were dealt."""
        return self.first is not None

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for JSON, in points and chips."""
        opponent = None if self.opponent is None else self.opponent.id
        return {"opponent": opponent, "points": self.points / 2, "chips": self.chips, "played": self.played}


#: The results of everybody that count.
Results = Mapping[Player, Sequence[Result]]


def total(results: Sequence[Result]) -> int:
    """Half points of these results together."""
    return sum(result.points for result in results)


def direct_encounters(keys: Mapping[Player, Hashable], results: Results) -> dict[Player, int]:
    """Half points that players with equal keys took from each other; 0 for all of them unless each met each."""
    equals: dict[Hashable, list[Player]] = defaultdict(list)
    for player, key in keys.items():
        equals[key].append(player)
    found: dict[Player, int] = {}
    for group in equals.values():
        inner = {player: [result for result in results[player] if result.opponent in group] for player in group}
        all_met = all(len({result.opponent for result in own}) == len(group) - 1 for own in inner.values())
        found |= {player: total(own) if all_met else 0 for player, own in inner.items()}
    return found


class Pairings(Format):
    """Tables of two players. A pairing is won by who wins more games; a player who left loses those it misses.

    Places go by points; then by the tie-breaks of the format; then by the points that equals took from each other, if
    all of them have met; then by chips won.

    Attributes:
        title: of the table of results.
        breaks: the tie-breaks, the most important one first, as in the FIDE Handbook (C.07): the name of each in JSON,
            in how many parts of a point it is counted, and its heading in the terminal.
        results: of each player, in the order of rounds.
    """

    eliminates = False
    fewest = 1  # a player who waits for one that has left gets a point for it, as often as that happens
    scores_games = True
    title: ClassVar[str]
    breaks: ClassVar[Sequence[tuple[str, int, str]]]

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.results: dict[Player, list[Result]] = {player: [] for player in players}

    @classmethod
    def check(cls, flags: TournamentFlags) -> None:
        """There are pairs only, who play all their games."""
        super().check(flags)
        if flags.rising or flags.table_size is not None:
            raise OptionError(
                f"tables of {flags.format} have two seats, and stakes stay: "
                "leave out --levels, --level-table and --table-size"
            )

    def rotation(self, table: TableState) -> int:
        """The two take turns in the first seat."""
        return table.game - 1

    def end_game(self, table: TableState) -> None:
        """Count a game of a pairing; a player who has left cannot win it."""
        start = self.settings.game.start(len(table.players)).stacks
        table.won = [won + now - before for won, now, before in zip(table.won, table.match.stacks, start, strict=True)]
        stacks = [(player.left is None, stack) for player, stack in zip(table.players, table.match.stacks, strict=True)]
        order = sorted(set(stacks))
        gained = points_of_pair(order.index(stacks[0]), order.index(stacks[1]))
        table.points = [points + half for points, half in zip(table.points, gained, strict=True)]

    def end_round(self, tables: Sequence[TableState], places: Mapping[Player, int]) -> None:
        """Count the pairings of a round, and those that were not played."""
        for pairing in tables:
            if len(pairing.players) == 2:
                one, two = pairing.players
                chips = pairing.won[0], pairing.won[1]
                self.end_pairing(one, two, points_of_pair(*self._won(pairing)), chips)
        self.count_unplayed()

    def end_pairing(
        self, first: Player, second: Player, points: tuple[int, int], chips: tuple[int, int] = (0, 0)
    ) -> None:
        """Count a pairing that was played.

        Args:
            first: who was named first, and sat in seat 0 of the first game.
            second: its opponent.
            points: half points of each, see ``points_of_pair``.
            chips: that each won.
        """
        self.results[first].append(Result(second, points[0], chips[0], first=True))
        self.results[second].append(Result(first, points[1], chips[1], first=False))

    def count_unplayed(self) -> None:
        """Count what players without an opponent in this round get."""
        raise NotImplementedError

    def _won(self, table: TableState) -> tuple[int, int]:
        """Half points of games: those played, and those for which one of the two was not there."""
        unplayed = 2 * (self.settings.games - table.scored)
        gone = [player.left is not None for player in table.players]
        one, two = (points + unplayed * other for points, other in zip(table.points, reversed(gone), strict=True))
        return one, two

    # Places

    def counting(self) -> Results:
        """The results that count."""
        return self.results

    def tie_breaks(self) -> Mapping[Player, tuple[int, ...]]:
        """The tie-breaks of each player, in the order of ``breaks``."""
        raise NotImplementedError

    def points(self) -> Mapping[Player, int]:
        return {player: total(results) for player, results in self.counting().items()}

    def merits(self) -> Mapping[Player, tuple[int, ...]]:
        """Keys that order places, more being better: points, tie-breaks, points among equals, chips."""
        counting, breaks = self.counting(), self.tie_breaks()
        keys = {player: (total(results), *breaks[player]) for player, results in counting.items()}
        direct = direct_encounters(keys, counting)
        return {
            player: (*keys[player], direct[player], sum(result.chips for result in results))
            for player, results in counting.items()
        }

    def tally(self) -> dict[Player, tuple[int, int, int]]:
        """Pairings won, drawn and lost, without byes; a forfeit is won by who was there."""
        counting = self.counting().items()
        points = {player: [r.points for r in results if r.opponent is not None] for player, results in counting}
        return {player: (of.count(WIN), of.count(DRAW), of.count(LOSS)) for player, of in points.items()}

    def byes(self) -> dict[Player, int]:
        """Rounds in which each player had no opponent."""
        return {player: sum(result.opponent is None for result in own) for player, own in self.results.items()}

    # How it is shown

    def columns(self) -> Sequence[Column]:
        """Points."""
        return (points_column(self.points()),)

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """The results of pairings, then the standings."""
        columns = (
            PLACE,
            AVATAR,
            BOT,
            *self.result_columns(standings),
            points_column(self.points()),
            *self._break_columns(),
        )
        yield table(self.title, standings, columns)
        yield standings_table(standings)

    def result_columns(self, standings: Sequence[Standing]) -> list[Column]:
        """Pairings won, drawn and lost, and byes if there were any, each of which is worth as much as a win."""
        tally, byes = self.tally(), self.byes()

        def column(index: int, heading: str) -> Column:
            return Column(heading.lower(), lambda one: tally[one.player][index], heading)

        columns = [column(index, heading) for index, heading in enumerate(("Won", "Drawn", "Lost"))]
        return [*columns, Column("byes", lambda one: byes[one.player], "Byes")] if any(byes.values()) else columns

    def _break_columns(self) -> list[Column]:
        """The columns of tie-breaks, in points."""
        breaks = self.tie_breaks()

        def column(index: int, key: str, parts: int, heading: str) -> Column:
            return Column(key, lambda one: f"{breaks[one.player][index] / parts:.{parts // 2}f}", heading)

        return [column(index, *tie_break) for index, tie_break in enumerate(self.breaks)]

    def facts(self, player: Player) -> dict[str, Any]:
        points, *breaks, direct, chips = self.merits()[player]
        pairings = {
            "points": points / 2,
            **dict(zip(("won", "drawn", "lost"), self.tally()[player], strict=True)),
            "byes": self.byes()[player],
            **{name: value / parts for (name, parts, _), value in zip(self.breaks, breaks, strict=True)},
            "direct_encounter": direct / 2,
            "chips_won": chips,
            "results": [result.facts for result in self.results[player]],
        }
        return {**super().facts(player), "pairings": pairings}
