"""The duplicate format: every deal is played with the players rotated through all seats, so that luck cancels.

A *deal* is the cards of one game: one hand, or all hands of a game that is played in games. A table of ``R`` players
plays all its deals in a first rotation, then all of them in a second, and so on to the ``R``-th, in which everybody
has sat in every seat of each deal once. So a player's result of a deal is the mean of ``R`` games, and cards that
are good in one seat are good for everybody in turn. Players keep their neighbours: these are not all seatings.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.table import Table

from dealer.ledger.columns import AVATAR, BOT, DECISIONS, FAULTS, PLACE, REPLY_P99, Column, signed, table, with_interval
from dealer.ledger.formats.format import Format, deal_out
from dealer.ledger.standings import Departure, Standing, rank
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.estimates.intervals import mean


class Duplicate(Format):
    """Tables that play the same deals once for each of their players.

    A player who is thrown out keeps its place, pays antes and folds, so that chips won in a deal always add up to zero.

    Attributes:
        by_player: the games of each player.
    """

    eliminates = False
    keeps_seats = True  # else the others' deals would not stay whole
    scores_games = False  # games of one deal depend on each other, and must not be counted one by one
    measure = "won"
    chips_title = "Chips won"

    def __init__(self, settings: Settings, players: Sequence[Player]) -> None:
        super().__init__(settings, players)
        self.by_player = {
            player: DealScore(settings.games, len(seated), array("q"))
            for seated in deal_out(self.players, settings.table_size)
            for player in seated
        }

    @classmethod
    def one_table(cls, settings: Settings) -> bool:
        """Everybody plays every deal with everybody."""
        return True

    def games(self, players: int) -> int:
        """Each deal once for every player."""
        return self.settings.games * players

    def rotation(self, table: TableState) -> int:
        """All deals are played in one rotation before the next begins: no program meets a deal twice in a row."""
        return (table.game - 1) // self.settings.games

    def deck_number(self, table: TableState) -> int:
        """The same in each rotation."""
        return (table.game - 1) % self.settings.games * self.settings.hands + table.played + 1

    def seat(self, number: int, here: Sequence[Player]) -> list[list[Player]]:
        """The tables whose deals the scores expect; there is one round."""
        return deal_out(self.players, self.settings.table_size)

    def end_game(self, table: TableState) -> None:
        """Count one rotation of a deal."""
        before = self.settings.game.start(len(table.players)).stacks
        for player, start, end in zip(table.players, before, table.match.stacks, strict=True):
            self.by_player[player].won.append(end - start)

    def standings(self, stacks: Mapping[Player, int], departures: Mapping[Player, Departure]) -> list[Standing]:
        """Places by chips won in all complete deals together."""
        return rank({player: score.total for player, score in self.by_player.items()}, departures)

    def columns(self) -> Sequence[Column]:
        """Chips a deal, with their interval."""

        def result(standing: Standing) -> DealResult:
            return self.by_player[standing.player].result

        average = Column(
            "chips_per_deal",
            lambda standing: result(standing).chips_per_deal,
            "Chips\na deal",
            "Chips a deal",
            "chips_per_deal",
            text="{:+.2f}".format,
            page=signed,
        )
        return (
            Column("deals", lambda standing: result(standing).deals, title="Deals", sheet="deals"),
            *with_interval(average, lambda standing: result(standing).interval),
        )

    def tables(self, standings: Sequence[Standing]) -> Iterator[Table]:
        """Places and chips a deal. Reply times leave out the median: the intervals need its place."""
        yield table(
            "Duplicate standings", standings, (PLACE, AVATAR, BOT, *self.columns(), DECISIONS, FAULTS, REPLY_P99)
        )

    def notes(self) -> Iterator[str]:
        """Notes on the deals that count, and on players who folded in some of them."""
        facts = self.progress()
        yield f"{facts['complete']} of {facts['deals']} deals were played in all {facts['rotations']} rotations"
        for player in self.players:
            if player.left is not None:
                yield f"{player.avatar} is out since hand {player.left_in} and folded from then on: that counts"

    def facts(self, player: Player) -> dict[str, Any]:
        out = player.left_in if player.left is not None else None
        return {"score": {**asdict(self.by_player[player].result), "out_since_hand": out}}

    def progress(self) -> dict[str, int]:
        """Deals that are planned and complete, and the rotations of each, at the table that is furthest on."""
        furthest = max(self.by_player.values(), key=lambda score: score.complete)
        return {"deals": furthest.deals, "complete": furthest.complete, "rotations": furthest.rotations}

    def closing_words(self, standing: Standing, rounds: int) -> str:
        return f"; you won {standing.chips} chips in {self.progress()['complete']} complete deals"


@dataclass(frozen=True, slots=True)
class DealResult:
    """The chips that one player won in the deals that were played in all rotations.

    Attributes:
        deals: how many those are.
        chips_per_deal: chips won in a game of such a deal, on average; None without deals.
        interval: the 95 % confidence interval of that, from the means of the deals: deals are independent of each
            other, the rotations of one are not. None for one deal, and for deals that all brought the same.
    """

    deals: int
    chips_per_deal: float | None
    interval: tuple[float, float] | None


@dataclass(slots=True)
class DealScore:
    """One player's games.

    Attributes:
        deals: that are planned.
        rotations: in which each of them is played.
        won: chips won in each finished game, as they are played: all deals in the first rotation, then in the next.
    """

    deals: int
    rotations: int
    won: "array[int]"

    @property
    def complete(self) -> int:
        """Deals that were played in all rotations."""
        return max(0, len(self.won) - (self.rotations - 1) * self.deals)

    def of_deal(self, deal: int) -> Sequence[int]:
        """Chips won in each rotation of a deal, which is counted from 0."""
        return self.won[deal :: self.deals]

    @property
    def total(self) -> int:
        """Chips won in all games of complete deals together: a whole number, so that equal means compare equal."""
        return sum(sum(self.of_deal(deal)) for deal in range(self.complete))

    @property
    def result(self) -> DealResult:
        """The statistics of complete deals."""
        complete, rotations = self.complete, self.rotations
        sums = [sum(self.of_deal(deal)) for deal in range(complete)]
        estimate = mean([total / rotations for total in sums])
        if estimate is None:
            return DealResult(0, None, None)
        return DealResult(complete, estimate.value, estimate.interval)
