"""The Swiss format: in every round, players meet others with about as many points."""

from collections.abc import Mapping, Sequence

from dealer.ledger.formats.pairings import Pairings, Result, Results, total
from dealer.ledger.formats.points import BYE, DRAW
from dealer.ledger.formats.swiss_draw import Entrant, swiss_draw, swiss_rounds
from dealer.lobby.player import Player
from dealer.settings import Settings


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


class Swiss(Pairings):
    """Pairs with about equal points; of an odd number of players, one has a bye. All results count."""

    rounds_from = "rounds"
    title = "Swiss tournament"
    breaks = (("buchholz_cut_1", 2, "Buchh.\ncut 1"), ("buchholz", 2, "Buch-\nholz"))

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.rounds = settings.rounds or swiss_rounds(len(players))
        self._numbers = {player: number for number, player in enumerate(players)}
        self._bye: Player | None = None

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The pairs of a round; a player with a bye sits alone."""
        pairs, bye = swiss_draw(self._entrant(player) for player in here)
        self._bye = None if bye is None else self.players[bye]
        return [
            *([self.players[one], self.players[two]] for one, two in pairs),
            *([] if self._bye is None else [[self._bye]]),
        ]

    def _entrant(self, player: Player) -> Entrant:
        results = self.results[player]
        played = [result for result in results if result.played]
        return Entrant(
            self._numbers[player],
            total(results),
            tuple(self._numbers[result.opponent] for result in played if result.opponent is not None),
            sum(not result.played and result.points == BYE for result in results),
            tuple(bool(result.first) for result in played),
        )

    def count_unplayed(self) -> None:
        """Give the player with a bye its point."""
        if self._bye is not None:
            self.results[self._bye].append(Result(None, BYE))

    def tie_breaks(self) -> Mapping[Player, tuple[int, ...]]:
        return buchholz(self.results)


FORMAT = Swiss
