"""What passed between the dealer and each program, as the wire had it and as far as a journal tells."""

from collections import defaultdict
from collections.abc import Mapping

from dealer.audit.hands import ReplayedHand, Step
from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import FaultKind
from dealer.journal.records import Record
from dealer.ledger.closing_message import closing_message
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.report.explain import ANSWERED_A_QUESTION
from dealer.report.folder import ReportFolder
from dealer.report.names import Label
from protocol.wire.codec import encode
from protocol.wire.messages import Done, GameInfo

FLUSH_LINES = 2000
"""Lines of one player that wait in memory; so few files need be open at a time, and few bytes are held."""

HEADING = """\
What passed between the dealer and this program, as far as the journal tells.

dealer:  what the program was sent, and you: what it replied; behind it the milliseconds from the last byte of the
question to the last byte of the reply. Lines that begin with -- explain. A journal has no time of day for a hand, no
words of a reply that could not be read but those in the reason, and nothing of a hand that was voided.
"""


class Transcripts:
    """Writes everybody's transcript while the journal is read.

    Args:
        fold: of the journal.
        labels: what players are called; filled once the start was read.
        folder: of the report.
    """

    def __init__(self, fold: LedgerRebuild, labels: Mapping[Player, Label], folder: ReportFolder) -> None:
        self._fold = fold
        self._labels = labels
        self._folder = folder
        self._lines: dict[Player, list[str]] = defaultdict(list)
        self._away: set[Player] = set()
        self._lost: set[Player] = set()
        self._sooner: dict[Player, list[str]] = defaultdict(list)
        self._later: dict[Player, list[str]] = defaultdict(list)
        self._reopened: set[int] = set()

    def before(self, record: Record) -> None:
        """See ``Watcher``. Tables of a tournament that is played on hear of their game before anything else."""
        if record["type"] in ("hand", "game") and record["table"] in self._reopened:
            self._reopen(self._fold.ledger.seating.tables[record["table"]])
        if record["type"] in ("round", "end"):
            for number in sorted(self._reopened):
                self._reopen(self._fold.ledger.seating.tables[number])

    def after(self, record: Record, hand: ReplayedHand | None) -> None:
        """See ``Watcher``."""
        ledger = self._fold.ledger
        match record["type"]:
            case "start":
                self._begin()
            case "game":
                self._announce_all(ledger.seating.tables[record["table"]])
            case "round":
                self._begin_round()
            case "move":
                self._say(ledger.players[record["player"]], f"-- moved to table {record['table']}")
            case "out":
                self._out(ledger.players[record["player"]], record)
            case "away":
                self._lose(ledger.players[record["player"]], record)
            case "back":
                self._back(ledger.players[record["player"]], record)
            case "resume":
                self._resume()
            case "void":
                self._void(ledger.seating.tables[record["table"]], record)
            case "end":
                self._end()
        if hand is not None:
            self._hand(hand)

    def finish(self) -> None:
        """Write what waits."""
        for player in self._lines:
            self._flush(player)

    def _begin(self) -> None:
        for player in self._fold.ledger.players:
            self._say(player, HEADING, *self._login(player))

    def _begin_round(self) -> None:
        ledger = self._fold.ledger
        for table in ledger.seating.round_tables:
            for player in table.players:
                self._say(
                    player, "", f"-- round {ledger.seating.round} begins: equal stacks for all, at table {table.number}"
                )

    def _present(self, player: Player) -> bool:
        return player.left is None and player not in self._away

    def _reopen(self, table: TableState) -> None:
        self._reopened.discard(table.number)
        if table.game:
            self._announce_all(table)

    def _announce_all(self, table: TableState) -> None:
        for player in table.seated:
            if self._present(player):
                self._say(player, *self._announcement(player, table))

    def _announcement(self, player: Player, table: TableState) -> list[str]:
        game, seated = self._fold.ledger.settings.game, table.seated
        if not game.announced:
            return []
        return [f"dealer:  {encode(GameInfo.about(game, seated.index(player), len(seated)))}"]

    def _login(self, player: Player) -> list[str]:
        label = self._labels[player]
        return ["dealer:  login", f"you:     {label.id or '(id)'}:{label.avatar}"]

    def _hand(self, hand: ReplayedHand) -> None:
        heading = self._heading(hand)
        for seat, player in enumerate(hand.players):
            if self._took_part(hand, seat):
                self._say(player, "", heading.format(seat))
        for step in hand.steps:
            self._step(step, hand.players[step.seat])
        for player, status in zip(hand.players, hand.settlement.statuses(), strict=True):
            self._say_waiting(player)
            if self._present(player):
                self._say(player, f"dealer:  {encode(status)}")
        self._say_all_waiting(hand.table)
        self._lost -= set(hand.players)

    def _heading(self, hand: ReplayedHand) -> str:
        """With braces in place of the seat."""
        ledger = self._fold.ledger
        game = f", game {hand.game}" if ledger.settings.games > 1 else ""
        level = "" if ledger.settings.levels is None else f", level {hand.level}"
        return f"-- hand {hand.number}, table {hand.table}, seat {{}}{game}{level}"

    def _say_all_waiting(self, table: int) -> None:
        """Who came to a table, and back to the tournament, while others played a hand there has waited for its end."""
        waiting = {*self._sooner, *self._later}
        for player in [player for player in waiting if self._fold.ledger.seating.table_of(player).number == table]:
            self._say_waiting(player)

    def _say_waiting(self, player: Player) -> None:
        self._say(player, *self._sooner.pop(player, ()), *self._later.pop(player, ()))

    def _took_part(self, hand: ReplayedHand, seat: int) -> bool:
        """Whether a seat was asked something, or told how the hand ended."""
        player = hand.players[seat]
        steps = [step for step in hand.steps if step.seat == seat]
        asked = any(step.seconds is not None or step.fault is not None for step in steps)
        return asked or player in self._lost or self._present(player)

    def _step(self, step: Step, player: Player) -> None:
        if step.seconds is not None or step.fault is not None or player in self._lost:  # else it was not yet back
            self._say(player, *self._sooner.pop(player, ()))
        if step.fault is not None:
            self._fault(step, player)
        elif step.action is not None and step.seconds is not None:
            asked, replied = encode(step.before.view(step.seat)), encode(step.action)
            self._say(player, f"dealer:  {asked}", f"you:     {replied:<15} {step.seconds * 1000:.3f} ms")
        elif player in self._lost:
            due = encode(step.before.view(step.seat))
            self._say(player, f"-- the connection was lost over this question, and the hand was folded: {due}")

    def _fault(self, step: Step, player: Player) -> None:
        assert step.fault is not None
        asked = encode(step.before.view(step.seat))
        if step.fault.kind in ANSWERED_A_QUESTION:
            self._say(player, f"dealer:  {asked}")
        else:
            self._say(player, f"-- due was this question, which may not have been sent any more: {asked}")
        reason = self._labels[player].hidden(step.fault.reason, player.id)
        self._say(player, f"-- {step.fault.kind.value}: {reason}; the hand was folded")
        if player.left is not None:
            self._done(player, player.left)

    def _out(self, player: Player, record: Record) -> None:
        """A goodbye over a fault follows that fault, in the record of its hand.

        Who is not connected hears none, and neither does who went broke and plays again in the next round.
        """
        if record["hand"] > self._fold.ledger.seating.table_of(player).hand_number:
            return
        if player.left is None:
            self._say(player, f"-- out of this round: {record['reason'].removeprefix('you are out: ')}")
        elif record["kind"] == FaultKind.GONE or player in self._away:
            self._say(player, f"-- {record['reason']}")
        else:
            self._done(player, record["reason"])

    def _void(self, table: TableState, record: Record) -> None:
        self._say_all_waiting(table.number)
        for player in table.players:
            if player.left is not None and player.left_in == record["hand"]:
                self._say(player, f"-- in hand {record['hand']}: {self._labels[player].hidden(player.left, player.id)}")
            if self._fold.ledger.seating.still_in(player) or (player.left and player.left_in == record["hand"]):
                self._say(player, f"-- hand {record['hand']} does not count: every chip was returned")
        self._lost -= set(table.players)

    def _done(self, player: Player, reason: str) -> None:
        reason = self._labels[player].hidden(reason, player.id)
        self._say(player, f"dealer:  {encode(Done(reason))}")

    def _lose(self, player: Player, record: Record) -> None:
        self._away.add(player)
        if record["hand"] > self._fold.ledger.seating.table_of(player).hand_number:
            self._lost.add(player)
        else:
            self._say(player, "-- the connection was lost; the player may log in again")

    def _back(self, player: Player, record: Record) -> None:
        self._away.discard(player)
        table = self._fold.ledger.seating.table_of(player)
        lines = ["-- logged in again", *self._login(player)]
        if player in table.seated:
            lines += self._announcement(player, table)
        if record["hand"] > table.hand_number:  # the record of the hand under way is still to come
            (self._later if player in self._lost else self._sooner)[player] += lines
        else:
            self._say(player, *lines)

    def _resume(self) -> None:
        self._away.clear()
        self._reopened = {table.number for table in self._fold.ledger.seating.round_tables}
        for player in self._fold.ledger.players:
            if player.left is None:
                self._say(player, "-- the dealer was started again, and everybody who came back had logged in again")

    def _end(self) -> None:
        for standing in self._fold.ledger.standings():
            if self._present(standing.player):
                self._done(standing.player, closing_message(self._fold.ledger, standing))

    def _say(self, player: Player, *lines: str) -> None:
        waiting = self._lines[player]
        waiting += lines
        if len(waiting) > FLUSH_LINES:
            self._flush(player)

    def _flush(self, player: Player) -> None:
        text = "".join([f"{line}\n" for line in self._lines[player]])
        self._folder.append(f"players/{self._labels[player].folder}/transcript.txt", text)
        self._lines[player].clear()
