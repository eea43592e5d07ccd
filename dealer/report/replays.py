"""``replay.html`` of the host and of each player: the tournament in a browser, with the cards that each may see."""

from collections.abc import Mapping

from dealer.audit.hands import ReplayedHand
from dealer.audit.rebuild import LedgerRebuild
from dealer.journal.records import Record
from dealer.lobby.player import Player
from dealer.replay.journal_reader import Choice
from dealer.replay.viewer import Viewer
from dealer.replayer.document import document
from dealer.replayer.recording import Names, Recording, SharedHands
from dealer.replayer.story import Story
from dealer.report.folder import ReportFolder
from dealer.report.journal_pass import Watcher
from dealer.report.labels import Label


class Replays(Watcher):
    """Records all replays while the journal is read.

    Args:
        rebuild: of the journal.
        labels: of the players; filled once the journal's start was read.
    """

    def __init__(self, rebuild: LedgerRebuild, labels: Mapping[Player, Label]) -> None:
        self._rebuild = rebuild
        self._labels = labels
        self._story = Story()
        self._recordings: dict[Player | None, Recording] = {}

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        ledger = self._rebuild.ledger
        if not self._recordings:
            names, shared = self._names(), SharedHands()
            for player in (None, *ledger.players):
                viewer = None if player is None else Viewer(player.id, player=player)
                self._recordings[player] = Recording(ledger, Choice(), viewer, names, shared)
        for recording in self._recordings.values():
            recording.take(record, hand)
        self._story.take(record, hand, ledger)

    def write(self, folder: ReportFolder) -> None:
        """Write the file of the host, and one into the folder of each player."""
        for player, recording in self._recordings.items():
            label = None if player is None else self._labels[player]
            title = "Replay" if label is None else f"Replay as {label.short} saw it"
            name = "replay.html" if label is None else f"players/{label.folder}/replay.html"
            folder.append(name, document(title, recording.finish(self._story)))

    def _names(self) -> Names:
        ids = {player.id: label for player, label in self._labels.items()}
        short = [self._labels[player].short for player in self._rebuild.ledger.players]
        return Names(self._rebuild.path.name, short, lambda name, reason: ids[name].hidden(reason, name))
