"""Round robins and Swiss tournaments share this: tables of two, whose games one of them wins, scores, and tie-breaks.

Tie-breaks between players with equal points are those of the FIDE Handbook (C.07).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.table import Table

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.columns import AVATAR, BOT, PLACE, Column, standings_table, table
from dealer.ledger.formats.format import Format, points_column
from dealer.ledger.formats.points import BYE, DRAW, LOSS, WIN, points_of_pair, shown
from dealer.ledger.formats.swiss_draw import Entrant, swiss_draw
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


#: The results of everybody that count.
Results = Mapping[Player, Sequence[Result]]


def total(results: Sequence[Result]) -> int:
    """Half points of these results together."""
    return sum(result.points for result in results)


def buchholz(results: Results) -> dict[Player, tuple[int, int]]:
    """The strength of the opponents: half points of all but the one that had least, and of all.

    An opponent that left counts as if it had drawn every round since. A round without an opponent counts as one against
    an opponent with as many points as the player itself.
    """
    rounds = max((len(of_player) for of_player in results.values()), default=0)
    worth = {
        player: total(of_player) + (0 if player.left is None else DRAW * (rounds - len(of_player)))
        for player, of_player in results.items()
    }
    found = {}
    for player, of_player in results.items():
        met = [worth[r.opponent] if r.opponent is not None and r.played else total(of_player) for r in of_player]
        found[player] = sum(met) - min(met, default=0), sum(met)
    return found


def sonneborn_berger(results: Results) -> dict[Player, int]:
    """The points of everybody one has beaten, and half of those of everybody one has drawn with; in quarter points."""
    points = {player: total(of_player) for player, of_player in results.items()}
    return {
        player: sum(result.points * points[result.opponent] for result in of_player if result.opponent is not None)
        for player, of_player in results.items()
    }


def direct_encounters(keys: Mapping[Player, Hashable], results: Results) -> dict[Player, int]:
    """Half points that players with equal keys took from each other; 0 for all of them unless each met each."""
    equals: dict[Hashable, list[Player]] = defaultdict(list)
    for player, key in keys.items():
        equals[key].append(player)
    return {player: points for group in equals.values() for player, points in _among(group, results).items()}


def _among(group: Sequence[Player], results: Results) -> dict[Player, int]:
    inner = {player: [result for result in results[player] if result.opponent in group] for player in group}
    all_met = all(len({result.opponent for result in of_player}) == len(group) - 1 for of_player in inner.values())
    return {player: total(of_player) if all_met else 0 for player, of_player in inner.items()}


class Pairings(Format):
    """Tables of two players. A pairing is won by who wins more games; a player who left loses those it misses.

    Attributes:
        swiss: whether players are paired by their points; else everybody meets everybody.
        scores: of all pairings.
    """

    eliminates = False
    fewest = 1  # a player who waits for one that has left gets a point for it, as often as that happens
    scores_games = True
    swiss: bool = False

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.scores = PairingScores(players, self.swiss)

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
                self.scores.end_pairing(one, two, points_of_pair(*self._won(pairing)), chips)
        self.count_unplayed()

    def count_unplayed(self) -> None:
        """Count what players without an opponent in this round get."""
        raise NotImplementedError

    def _won(self, table: TableState) -> tuple[int, int]:
        """Half points of games: those played, and those for which one of the two was not there."""
        unplayed = 2 * (self.settings.games - table.scored)
        gone = [player.left is not None for player in table.players]
        one, two = (points + unplayed * other for points, other in zip(table.points, reversed(gone), strict=True))
        return one, two

    def points(self) -> Mapping[Player, int]:
        return self.scores.points()

    def merits(self) -> Mapping[Player, tuple[int, ...]] | None:
        return self.scores.rank_keys()

    def columns(self) -> Sequence[Column]:
        """Points."""
        return (points_column(self.scores.points()),)

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """The results of pairings, then the standings."""
        yield pairings_table(standings, self.scores)
        yield standings_table(standings)

    def facts(self, player: Player) -> dict[str, Any]:
        return {**super().facts(player), "pairings": self.scores.facts()[player]}


class PairingScores:
    """The results of all players, kept while a tournament of pairings runs.

    Places go by points; then, in a Swiss tournament, by Buchholz cut 1 and Buchholz, in a round robin by
    Sonneborn-Berger; then by the points that equals took from each other, if all of them have met; then by chips won.

    In a round robin the results of who left before half of its pairings were played count for nobody, so that it does
    not matter who met it before; they are still shown. From half of them on they count, and who meets
    nobody then gets a point (FIDE General Regulations for Competitions, on withdrawals). In a Swiss tournament all
    results count.

    Args:
        players: in the order of the tournament, by which a Swiss tournament numbers them.
        swiss: whether it is one; else a round robin.

    Attributes:
        results: of each player, in the order of rounds.
    """

    def __init__(self, players: Sequence[Player], swiss: bool) -> None:
        self.players = tuple(players)
        self.swiss = swiss
        self.results: dict[Player, list[Result]] = {player: [] for player in players}
        self._numbers = {player: number for number, player in enumerate(self.players)}

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

    def forfeit(self, present: Player, absent: Player) -> None:
        """Count a pairing that could not be played since one of the two has left."""
        self.results[present].append(Result(absent, WIN))
        self.results[absent].append(Result(present, LOSS))

    def bye(self, player: Player) -> None:
        """Count a round of a Swiss tournament in which a player has no opponent."""
        self.results[player].append(Result(None, BYE))

    def draw(self, players: Iterable[Player]) -> tuple[list[tuple[Player, Player]], Player | None]:
        """The pairs of the next round of a Swiss tournament, and who has a bye; see ``swiss_draw``."""
        pairs, bye = swiss_draw(self._entrant(self._numbers[player]) for player in players)
        named = [(self.players[one], self.players[two]) for one, two in pairs]
        return named, None if bye is None else self.players[bye]

    def _entrant(self, number: int) -> Entrant:
        results = self.results[self.players[number]]
        played = [result for result in results if result.played]
        return Entrant(
            number,
            total(results),
            tuple(self._numbers[result.opponent] for result in played if result.opponent is not None),
            sum(not result.played and result.points == BYE for result in results),
            tuple(bool(result.first) for result in played),
        )

    def counting(self) -> dict[Player, list[Result]]:
        if self.swiss:
            return self.results
        gone = {player for player in self.players if self._left_early(player)}
        return {
            player: [] if player in gone else [result for result in results if result.opponent not in gone]
            for player, results in self.results.items()
        }

    def _left_early(self, player: Player) -> bool:
        played = sum(result.played for result in self.results[player])
        return player.left is not None and 2 * played < len(self.players) - 1

    def points(self) -> dict[Player, int]:
        """Half points."""
        return {player: total(results) for player, results in self.counting().items()}

    def tie_breaks(self) -> dict[Player, tuple[int, ...]]:
        """The tie-breaks of each player, most important first; named by ``tie_break_names``."""
        counting = self.counting()
        if self.swiss:
            return dict(buchholz(counting))
        return {player: (value,) for player, value in sonneborn_berger(counting).items()}

    @property
    def tie_break_names(self) -> dict[str, int]:
        """The names of tie-breaks, and in how many parts of a point they are counted."""
        return {"buchholz_cut_1": 2, "buchholz": 2} if self.swiss else {"sonneborn_berger": 4}

    def rank_keys(self) -> dict[Player, tuple[int, ...]]:
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
        return {player: sum(result.opponent is None for result in self.results[player]) for player in self.players}

    def facts(self) -> dict[Player, dict[str, Any]]:
        """The facts of each player for JSON, in points and chips."""
        points, breaks, tally, keys = self.points(), self.tie_breaks(), self.tally(), self.rank_keys()
        byes = self.byes()
        return {
            player: {
                "points": points[player] / 2,
                **dict(zip(("won", "drawn", "lost"), tally[player], strict=True)),
                "byes": byes[player],
                **{
                    name: value / parts
                    for (name, parts), value in zip(self.tie_break_names.items(), breaks[player], strict=True)
                },
                "direct_encounter": keys[player][-2] / 2,
                "chips_won": keys[player][-1],
                "results": [_result_facts(result) for result in self.results[player]],
            }
            for player in self.players
        }


def _result_facts(result: Result) -> dict[str, Any]:
    return {
        "opponent": None if result.opponent is None else result.opponent.id,
        "points": result.points / 2,
        "chips": result.chips,
        "played": result.played,
    }


#: Characters in a line of the terminal.
LINE = 80

#: Characters that each of two names needs, or it takes too many lines.
NAME = 8

_BREAKS = {"buchholz_cut_1": "Buchh.\ncut 1", "buchholz": "Buch-\nholz", "sonneborn_berger": "Sonn.-\nBerger"}


def pairings_table(standings: Sequence[Standing], scores: PairingScores) -> Table:
    """Places and scores of a round robin, with the result of each pairing if that fits, or of a Swiss tournament.

    In a column of results the number is the opponent's place in the table from the top: 1, ½ or 0 points, ``+`` and
    ``-`` for a pairing that was not played.
    """
    results = [] if scores.swiss else _cross_columns(standings, scores)
    if not results or not _fits(standings, results):
        results = _tally_columns(scores)
    columns = (PLACE, AVATAR, BOT, *results, points_column(scores.points()), *_break_columns(scores))
    return table("Swiss tournament" if scores.swiss else "Round robin", standings, columns)


def _tally_columns(scores: PairingScores) -> list[Column]:
    """Pairings won, drawn and lost, and byes if there were any, each of which is worth as much as a win."""
    tally, byes = scores.tally(), scores.byes()

    def column(index: int, heading: str) -> Column:
        return Column(heading.lower(), lambda one: tally[one.player][index], heading)

    columns = [column(index, heading) for index, heading in enumerate(("Won", "Drawn", "Lost"))]
    return [*columns, Column("byes", lambda one: byes[one.player], "Byes")] if any(byes.values()) else columns


def _break_columns(scores: PairingScores) -> list[Column]:
    """The columns of tie-breaks, in points."""
    breaks = scores.tie_breaks()

    def column(index: int, key: str, parts: int) -> Column:
        return Column(key, lambda one: f"{breaks[one.player][index] / parts:.{parts // 2}f}", _BREAKS[key])

    return [column(index, key, parts) for index, (key, parts) in enumerate(scores.tie_break_names.items())]


def _cross_columns(standings: Sequence[Standing], scores: PairingScores) -> list[Column]:
    """The results against each player, in the order of the standings."""

    def column(number: int, other: Player) -> Column:
        return Column(
            str(number), lambda one: _cell(scores.results[one.player], other, one.player is other), str(number)
        )

    return [column(number, standing.player) for number, standing in enumerate(standings, 1)]


def _cell(results: Sequence[Result], other: Player, self: bool) -> str:
    against = [result for result in results if result.opponent is other]
    if self:
        return "\N{MIDDLE DOT}"
    return "".join(shown(result.points) if result.played else "+" if result.points else "-" for result in against)


def _fits(standings: Sequence[Standing], results: Sequence[Column]) -> bool:
    """True if so many columns leave enough for both names beside place, points and Sonneborn-Berger."""
    others = len("Place") + len("Points") + len("Berger")
    widths = [
        max(len(column.key), *(cell_len(column.shown(standing, str)) for standing in standings)) for column in results
    ]
    return others + sum(widths) + len(widths) + 5 + 2 * NAME <= LINE
