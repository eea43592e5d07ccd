"""Start a tournament, from the lobby or from the journal of an interrupted one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import trio

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, TornError
from dealer.journal.file import AppendFile
from dealer.journal.records import VERSION
from dealer.journal.writer import Journal
from dealer.ledger.ledger import Ledger
from dealer.lobby.lobby import Lobby
from dealer.lobby.player import Player
from dealer.lobby.reconnect import Reconnections
from dealer.settings import LeagueWords, OpenPorts, Settings
from dealer.telling.curves import ChipCurves
from dealer.tournament.show_plan import outlook_of, seconds_left
from dealer.tournament.tournament import Tournament
from protocol.shuffle import commitment

#: Players without whom there is no tournament.
MIN_PLAYERS = 2


class Opening:
    """The way a tournament begins: with a lobby, from which it takes its players.

    Attributes:
        settings: of the tournament.
        lobby: in which players wait for the start.
        message: of the host on the page when the tournament stopped; None if there was none.
        wanted: the players who can log in; None if all can.
        expected: whom the host waits for: the players of an interrupted tournament, or of the one before.
        former: the players of earlier tournaments of this dealer, in the order of their first coming.
        least: players whom the host needs to start; a resumed tournament may have one left.
    """

    settings: Settings
    lobby: Lobby
    message: str | None = None
    wanted: Sequence[Player] | None = None
    expected: Sequence[Player] = ()
    former: Sequence[Player] = ()
    least: int = MIN_PLAYERS

    def begin(self, journal: Journal, players: Sequence[Player], origin: LeagueWords | OpenPorts | None) -> Tournament:
        """Close the lobby, and return the tournament, ready to run.

        Args:
            journal: where it is recorded.
            players: those in the lobby, in the order in which they sit.
            origin: where they come from, which the journal keeps so that the tournament can be resumed.
        """
        raise NotImplementedError


class NewTournament(Opening):
    """A new tournament between the players who log in.

    Args:
        settings: of the tournament.
        capacity: how many players can log in.
        roster: see ``Lobby``.
        former: the players of earlier tournaments of this dealer, who get their names again.
    """

    def __init__(
        self,
        settings: Settings,
        capacity: int,
        roster: Mapping[str, str] | None = None,
        former: Sequence[Player] = (),
    ) -> None:
        self.settings = settings
        self.former = self.expected = former
        salt = commitment(settings.seed) if settings.secrets else None
        avatars = {player.id: player.avatar for player in former}
        self.lobby = Lobby(capacity, settings.lives, roster, salt=salt, avatars=avatars)

    def begin(self, journal: Journal, players: Sequence[Player], origin: LeagueWords | OpenPorts | None) -> Tournament:
        """Players of the tournament before sit in the order in which they sat, the others behind."""
        places = {player.id: place for place, player in enumerate(self.former)}
        seated = sorted(players, key=lambda player: places.get(player.id, len(places)))
        ledger = Ledger(replace(self.settings, origin=origin), seated)
        return _begin(self.lobby, ledger, journal)


class ResumedTournament(Opening):
    """A tournament that was interrupted, with the players it had then.

    Args:
        rebuild: of its journal.
        cut: bytes that were cut off the journal.
        curves: up to there.
    """

    wanted: Sequence[Player]
    least = 1

    def __init__(self, rebuild: LedgerRebuild, cut: int, curves: ChipCurves | None = None) -> None:
        self._ledger = rebuild.ledger
        self._removed, self._let_in = rebuild.removed, list(rebuild.let_in)
        self._cut, self._curves = cut, curves
        self._paused, self._pace, self._show = rebuild.paused, rebuild.pace, rebuild.show
        self.settings = self._ledger.settings
        self.message = rebuild.message
        players = self._ledger.players
        over = self._ledger.seating.over
        self.wanted = [] if over else [player for player in players if player.left is None or player in self._let_in]
        self.expected = self.wanted
        self.lobby = Lobby(len(players), salt=commitment(self.settings.seed) if self.settings.secrets else None)
        expected = Reconnections(players, None, lambda: "this tournament is played on by those who were in it")
        for player in self._let_in:
            expected.let_in(player)
        self.lobby.expect(expected)

    def begin(self, journal: Journal, players: Sequence[Player], origin: LeagueWords | OpenPorts | None) -> Tournament:
        """The players keep their seats, and the tournament its pace, show and pause."""
        tournament = _begin(self.lobby, self._ledger, journal, self._cut, self._removed, self._let_in, self._curves)
        tournament.tempo.paused, tournament.tempo.pace = self._paused, self._pace
        if self._show is not None:
            tournament.tempo.begin_show(seconds_left(*self._show, outlook_of(self._ledger)))
        return tournament


def _begin(
    lobby: Lobby,
    ledger: Ledger,
    journal: Journal,
    cut: int | None = None,
    removed: Mapping[Player, str] = MappingProxyType({}),
    let_in: Collection[Player] = (),
    curves: ChipCurves | None = None,
) -> Tournament:
    def latecomer() -> str:
        return latecomers_reason(tournament, started, played)

    rejoin = ledger.settings.rejoin
    reconnections = Reconnections(ledger.players, rejoin, latecomer, rejoin=rejoin is not None)
    tournament = Tournament(
        ledger,
        journal,
        reconnections,
        cut=cut,
        removed=removed,
        let_in=let_in,
        failed_logins=lobby.failed_logins,
        curves=curves,
    )
    started, played = trio.current_time(), tournament.hand_number
    lobby.close(latecomer, reconnections)
    return tournament


def latecomers_reason(tournament: Tournament, started: float, played: int = 0) -> str:
    """The reason that a program hears which connects during the tournament: how far it is, and when the next may start.

    Args:
        tournament: in progress.
        started: the trio time at which this dealer began to play it.
        played: hands that an earlier dealer had played before that.
    """
    if tournament.journal.trouble:
        return f"the tournament waits, because {tournament.journal.trouble}; come back for the next one"
    hand, hands = tournament.hand_number, tournament.hands_planned
    if hands is None or tournament.ledger.seating.rounds > 1:
        playing = f"with {tournament.playing} of {len(tournament.players)} players still in"
        return f"the tournament is at hand {hand}{_in_round(tournament.ledger)}, {playing}; come back for the next one"
    elapsed = trio.current_time() - started
    minutes, seconds = divmod(round(elapsed / max(hand - played, 1) * (hands - hand)), 60)
    left = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    return f"the tournament is at hand {hand} of {hands}; come back for the next one, in {left} at the latest"


def _in_round(ledger: Ledger) -> str:
    return f" of round {ledger.seating.round} of {ledger.seating.rounds}" if ledger.seating.rounds > 1 else ""


@dataclass(frozen=True, slots=True)
class ReopenedJournal:
    """The journal of an interrupted tournament, open for more records.

    Attributes:
        file: the journal, behind its last whole record.
        rebuild: the ledger that its records lead to.
        cut: bytes that were cut off its end.
        kept: where those are now; None if there were none.
        curves: of the hands in it; None if it holds no hand.
    """

    file: AppendFile
    rebuild: LedgerRebuild
    cut: int
    kept: Path | None
    curves: ChipCurves | None


def reopen_journal(path: Path) -> ReopenedJournal:
    """Check all records of a journal, cut off what follows the last whole one, and open it for more records.

    Raises:
        JournalError: it is damaged, wrong, over, or in use by another dealer; it is left as it was.
    """
    file = AppendFile.reopen(path)
    rebuild, cut, curves = LedgerRebuild(path), 0, None
    try:
        try:
            for _ in rebuild.hands():
                curves = curves or ChipCurves(rebuild.ledger)
                curves.follow()
        except TornError as torn:
            cut = torn.torn
        _check_open(rebuild)
        kept = file.cut(rebuild.end)
    except JournalError:
        file.close()
        raise
    file.head = rebuild.head
    return ReopenedJournal(file, rebuild, cut, kept, curves)


def _check_open(rebuild: LedgerRebuild) -> None:
    if rebuild.version not in (None, VERSION):
        raise JournalError(
            f"{rebuild.path}: this journal is of version {rebuild.version}, and only one of version {VERSION} can be "
            "played on; report, replay and verify read it"
        )
    if rebuild.start is None:
        raise JournalError(
            f"{rebuild.path}: no tournament was started in it, so nobody has lost anything; start one anew"
        )
    if rebuild.ended:
        raise JournalError(
            f"{rebuild.path}: this tournament is over; `casino replay` shows how it ended, and `casino verify` its seed"
        )
