"""Scores over many games: who won how many, and how much a hand, with its uncertainty."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from rich.table import Table
from rich.text import Text

from dealer.cli.tables import new_table
from dealer.ledger.columns import Column, signed
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


_HEADINGS = (
    "Games\nwon",
    "\ndrawn",
    "\nlost",
    "Average\nchips",
    "Chips a\nhand",
    "95 %\nfrom",
    "\nto",
    "Folds",
    "Average\npot",
)


def scores_table(scores: Scores) -> Table:
    """The scores as a terminal of 80 columns shows them, most games won first."""
    table = new_table("Scores", narrow=True)
    table.add_column("Avatar", overflow="fold")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for player, score in sorted(scores.by_player.items(), key=lambda item: -item[1].won):
        low, high = score.interval or (None, None)
        numbers = (fmean(score.chips) if score.chips else None, fmean(score.gains) if score.gains else None, low, high)
        table.add_row(
            Text(player.avatar),
            str(score.won),
            str(score.drawn),
            str(score.lost),
            *(_rounded(number) for number in numbers),
            str(score.folds),
            _rounded(score.pots / score.hands if score.hands else None),
        )
    return table


def _rounded(number: float | None) -> str:
    return "-" if number is None else f"{number:.1f}"


def game_columns(scores: Scores) -> Sequence[Column]:
    """The columns of games, for the report's page and CSV file."""

    def fact(key: str, title: str | None = None) -> Column:
        return Column(key, lambda one: scores.by_player[one.player].as_dict()[key], title=title, sheet=key)

    def end(standing: Standing, index: int) -> float | None:
        interval = scores.by_player[standing.player].interval
        return interval and interval[index]

    def margin(standing: Standing) -> str:
        interval = scores.by_player[standing.player].interval
        return "" if interval is None else f"{(interval[1] - interval[0]) / 2:.2f}"

    return (
        fact("games"),
        fact("won", "Games won"),
        fact("drawn", "drawn"),
        fact("lost", "lost"),
        fact("average_chips"),
        replace(fact("chips_per_hand", "Chips a hand"), page=signed, margin=margin),
        Column("interval_from", lambda one: end(one, 0), sheet="interval_from"),
        Column("interval_to", lambda one: end(one, 1), sheet="interval_to"),
    )
