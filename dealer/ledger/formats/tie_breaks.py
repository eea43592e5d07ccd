"""Tie-breaks between players with equal points in a tournament of pairings (FIDE Handbook C.07)."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from dealer.ledger.formats.points import DRAW
from dealer.lobby.player import Player


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
