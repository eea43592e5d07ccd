"""Scores over many games: who won how many, and how much a hand, with its uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from rich.table import Table

from dealer.ledger.columns import AVATAR, Column, signed, table, with_interval
from dealer.ledger.played_hand import PlayedHand
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from protocol.estimates.intervals import mean
from protocol.events import FOLD_CHIPS


@dataclass(slots=True)
class Score:
    """The results of one player in all games.

    Attributes:
        chips: at the end of each game.
        gains: chips won a hand in each game.
        won, drawn: games; "the winner of the game is the player with the most chips".
        hands, folds: dealt in, and given up.
        pots: chips in all pots of those hands together.
    """

    chips: list[int] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    won: int = 0
    drawn: int = 0
    hands: int = 0
    folds: int = 0
    pots: int = 0
    _hands_before: int = 0
    _gain: int = 0

    @property
    def lost(self) -> int:
        """Games in which another player had more chips."""
        return len(self.chips) - self.won - self.drawn

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the chips won a hand, games being independent.

        None for one game, and for games that all brought the same.
        """
        estimate = mean(self.gains)
        return estimate and estimate.interval

    def add_hand(self, payoff: int, pot: int, folded: bool) -> None:
        self.hands += 1
        self.folds += folded
        self.pots += pot
        self._gain += payoff

    def end_game(self, stack: int, best: bool, shared: bool) -> None:
        """Count one game; ``best`` if nobody had more chips, ``shared`` if another had as many."""
        self.chips.append(stack)
        self.won += best and not shared
        self.drawn += best and shared
        played = self.hands - self._hands_before
        self.gains.append(self._gain / played if played else 0.0)
        self._hands_before, self._gain = self.hands, 0

    def as_dict(self) -> dict[str, Any]:
        """The facts; averages are over games, chips and pots in chips."""
        return {
            "games": len(self.chips),
            "average_chips": fmean(self.chips) if self.chips else None,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "chips_per_hand": fmean(self.gains) if self.gains else None,
            "interval": self.interval,
            "hands": self.hands,
            "folds": self.folds,
            "average_pot": self.pots / self.hands if self.hands else None,
        }


class Scores:
    """The scores of all players, kept while a tournament runs."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.by_player = {player: Score() for player in players}

    @property
    def games(self) -> int:
        """Games finished."""
        return max(len(score.chips) for score in self.by_player.values())

    def games_won(self) -> dict[Player, int]:
        return {player: score.won for player, score in self.by_player.items()}

    def average_chips(self) -> dict[Player, int]:
        """Chips at the end of a game, on average and rounded."""
        return {player: round(fmean(score.chips or [0])) for player, score in self.by_player.items()}

    def add(self, players: Sequence[Player], hand: PlayedHand) -> None:
        """Count a hand for the players who were dealt in, by seat."""
        folded = {seat for seat, chips, _ in hand.record.actions if chips == FOLD_CHIPS}
        for seat, player in enumerate(players):
            self.by_player[player].add_hand(hand.settlement.payoffs[seat], hand.pot, seat in folded)

    def end_game(self, players: Sequence[Player], stacks: Sequence[int]) -> None:
        """Count a game that ended with these stacks. Who has left cannot win it."""
        best = max((stack for player, stack in zip(players, stacks, strict=True) if player.left is None), default=None)
        winners = [p for p, stack in zip(players, stacks, strict=True) if p.left is None and stack == best]
        for player, stack in zip(players, stacks, strict=True):
            self.by_player[player].end_game(stack, player in winners, len(winners) > 1)


#: An average as the terminal shows it.
_rounded = "{:.1f}".format


def scores_table(standings: Sequence[Standing], scores: Scores) -> Table:
    """The scores as a terminal of 80 columns shows them, most games won first."""
    most_won = sorted(standings, key=lambda standing: -scores.by_player[standing.player].won)
    return table("Scores", most_won, (AVATAR, *game_columns(scores)))


def game_columns(scores: Scores) -> Sequence[Column]:
    """The columns of games, of which the terminal, the report's page and its CSV file show what they have room for."""

    def fact(key: str, heading: str | None = None, title: str | None = None, sheet: str | None = None) -> Column:
        return Column(key, lambda one: scores.by_player[one.player].as_dict()[key], heading, title, sheet)

    per_hand = fact("chips_per_hand", "Chips a\nhand", "Chips a hand", "chips_per_hand")
    return (
        fact("games", sheet="games"),
        fact("won", "Games\nwon", "Games won", "won"),
        fact("drawn", "\ndrawn", "drawn", "drawn"),
        fact("lost", "\nlost", "lost", "lost"),
        replace(fact("average_chips", "Average\nchips", sheet="average_chips"), text=_rounded),
        *with_interval(
            replace(per_hand, text=_rounded, page=signed), lambda one: scores.by_player[one.player].interval
        ),
        fact("folds", "Folds"),
        replace(fact("average_pot", "Average\npot"), text=_rounded),
    )
