"""The figures of a tournament: how everybody stands and how fast it goes, for all who show it."""

from collections import deque
from collections.abc import Sequence

from dealer.audit.hands import play_so_far
from dealer.ledger.standings import Standing
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.tournament.show_plan import outlook_of
from dealer.tournament.table import WatchedTable
from dealer.tournament.tournament import Tournament
from protocol.events import Figures, PlayerFigures, TableFigures

#: Seconds over which a rate is measured; over a shorter time it jumps.
RATE_SECONDS = 3.0


class FiguresReader:
    """Reads the figures of one tournament again and again.

    Args:
        tournament: see above.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._hands, self._decisions = Rate(), Rate()

    def note(self, now: float) -> None:
        """Note how far the tournament is at a time in seconds, for the rates."""
        self._hands.note(now, self._tournament.hands_finished)
        self._decisions.note(now, self._tournament.decisions)

    def read(self, standings: Sequence[Standing]) -> Figures:
        """The figures now, with the standings that were read now."""
        tournament, ledger = self._tournament, self._tournament.ledger
        show_left, stacks = tournament.tempo.show_left, ledger.stacks()
        return Figures(
            round=ledger.seating.round,
            rounds=ledger.seating.rounds,
            hand=tournament.hand_number,
            hands=tournament.hands_planned,
            decisions=tournament.decisions,
            hands_per_second=_rounded(self._hands.per_second),
            decisions_per_second=_rounded(self._decisions.per_second),
            playing=tournament.playing,
            paused=tournament.tempo.paused,
            pace=round(tournament.tempo.seconds, 1),
            show_left=None if show_left is None else max(0, round(show_left)),
            trouble=tournament.journal.trouble is not None,
            level=None if tournament.settings.levels is None else ledger.levels.level,
            stakes=ledger.levels.facts,
            stage=stage_of(tournament),
            rows=tuple([_row(tournament, standing, stacks.get(standing.player, 0)) for standing in standings]),
            tables=tuple(tables_of(tournament)),
        )


def _rounded(rate: float) -> float:
    return round(rate, 1) if rate < 10 else round(rate)


def _row(tournament: Tournament, standing: Standing, stack: int) -> PlayerFigures:
    player, scores = standing.player, tournament.scores
    times = player.reply_times
    return PlayerFigures(
        player=player.number,
        place=standing.place,
        score=standing.chips if standing.points is None else standing.points / 2,
        chips=standing.chips,
        stack=stack,
        state=_state(tournament, player),
        faults=len(player.mistakes),
        won=scores.by_player[player].won if scores and tournament.settings.games > 1 else player.hands_won,
        replies=times.count,
        reply=_milliseconds(times.quantile(0.5)),
        slowest=_milliseconds(times.quantile(0.99)),
    )


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else float(f"{seconds * 1000:.2g}")


def _state(tournament: Tournament, player: Player) -> str:
    if not tournament.ledger.seating.still_in(player):
        return "out"
    return "in" if tournament.is_here(player) else "away"


def _open_tables(tournament: Tournament) -> list[TableState]:
    """The tables that still play; at the end, those that played in the last round."""
    ledger = tournament.ledger
    playing = [table for table in ledger.seating.round_tables if not ledger.seating.table_over(table)]
    return playing or [table for table in ledger.seating.round_tables if table.finished] or ledger.seating.round_tables


def tables_of(tournament: Tournament) -> list[TableFigures]:
    """The tables that still play; at the end, those that played in the last round."""
    tables = _open_tables(tournament)
    pots = len(tables) > 1
    return [
        TableFigures(
            table.number,
            table.hand_number,
            _pot(tournament, tournament.runs.get(table.number)) if pots else 0,
            tuple([(table.players[seat].number, table.match.stacks[seat]) for seat in table.match.seated]),
        )
        for table in tables
    ]


def _pot(tournament: Tournament, run: WatchedTable | None) -> int:
    """Chips in the pot of the hand under way, or of the last one; 0 before the first."""
    if run is None:
        return 0
    if run.in_play is not None:
        return play_so_far(run.in_play.deal.begin(tournament.settings.game), run.in_play)[1].pot
    return 0 if run.last is None else run.last.pot


def stage_of(tournament: Tournament) -> str | None:
    """The last stage of a tournament in which players go out: "final" table, or "heads-up"; None before."""
    outlook = outlook_of(tournament.ledger)
    if not outlook.eliminates or outlook.later or outlook.players <= 2:
        return None
    if outlook.playing == 2:
        return "heads-up"
    return "final" if outlook.tables > 1 and outlook.open_tables == 1 else None


class Rate:
    """The rate at which a count grows, measured over ``RATE_SECONDS``."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, int]] = deque()

    def note(self, now: float, count: int) -> None:
        """Note the count at a time in seconds."""
        self._notes.append((now, count))
        while len(self._notes) > 2 and self._notes[1][0] < now - RATE_SECONDS:
            self._notes.popleft()

    @property
    def per_second(self) -> float:
        """The growth in a second, lately."""
        if len(self._notes) < 2:
            return 0.0
        (then, few), (now, many) = self._notes[0], self._notes[-1]
        return max(0.0, (many - few) / (now - then)) if now > then else 0.0
