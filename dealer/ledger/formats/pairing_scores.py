"""The scores of a tournament of pairings: a round robin, or a Swiss tournament."""

from collections.abc import Iterable, Sequence
from typing import Any

from dealer.ledger.formats.points import BYE, DRAW, LOSS, WIN
from dealer.ledger.formats.swiss_draw import Entrant, swiss_draw
from dealer.ledger.formats.tie_breaks import Result, buchholz, direct_encounters, sonneborn_berger, total
from dealer.lobby.player import Player


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
