"""The transcript of each player: what passed between the dealer and its program, in the order in which it passed.

Messages are as the wire had them, and comments begin with ``--``; those name a player by its label, so that an
anonymous report holds no id. A program of the ACPC is told each state of every hand that it is dealt into, and answers
with the state that it was told last, a colon and its action. Everything else that the dealer says to it is left out or
is a comment.

A journal records hands when they are over, but players who leave, lose their connection or log in again at once. So
``Connections`` knows who is connected, and keeps the lines of a login back until the hand in progress is recorded.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from dealer.audit.hands import ReplayedHand, Step, with_hands_after
from dealer.faults import ANSWERED_A_QUESTION, FaultKind
from dealer.journal import records
from dealer.ledger.ledger import Ledger
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.report.folder import ReportFolder
from dealer.report.journal_pass import Watcher
from dealer.report.labels import Label
from dealer.telling.phrases import OUT
from protocol import events
from protocol.games.base import FOLD, Hand
from protocol.games.game import Game
from protocol.wire.acpc import HandText
from protocol.wire.codec import encode, encode_action
from protocol.wire.messages import Command, Done, GameInfo
from protocol.wire.text import load_text

#: Above a transcript.
HEADING = """\
What passed between the dealer and this program{}, as far as the journal tells.

dealer:  what the program was sent; you: what it replied, with the milliseconds from the last byte of the question to
the last byte of the reply. Lines that begin with -- explain. A journal holds no time of day for a hand, no text of a
reply that could not be read except where the reason quotes it, and nothing of a hand that was voided.
"""

#: What a correction says that a program asked for: a fold, or a raise, in no-limit with its size. A number of very many
#: digits is told in words.
_ASKED = re.compile(r"raise(?: to (?P<total>.+))?")


class Connections:
    """Which players are connected at a point of the journal, and lines kept back during the hand in progress.

    Attributes:
        away: players without a connection.
        lost: players who lost it during the hand in progress, over a question.
        before_turn: lines of players who logged in again before their turn came.
        after_hand: lines of players who logged in again after the hand went on without them.
    """

    def __init__(self) -> None:
        self.away: set[Player] = set()
        self.lost: set[Player] = set()
        self.before_turn: dict[Player, list[str]] = defaultdict(list)
        self.after_hand: dict[Player, list[str]] = defaultdict(list)

    def present(self, player: Player) -> bool:
        """True if a player is in the tournament and connected."""
        return player.left is None and player not in self.away

    def keep_back(self, player: Player, lines: Iterable[str]) -> None:
        """Hold the lines of a login during a hand until that hand is recorded."""
        # A player whose turn had passed was folded; its login comes after everything in the hand.
        (self.after_hand if player in self.lost else self.before_turn)[player] += lines

    def take_before_turn(self, player: Player) -> list[str]:
        """The lines to be written before a question to the player."""
        return self.before_turn.pop(player, [])

    def take(self, player: Player) -> list[str]:
        """All lines held for the player."""
        return self.take_before_turn(player) + self.after_hand.pop(player, [])

    @property
    def waiting(self) -> list[Player]:
        """Players for whom lines are held."""
        return [*self.before_turn, *(player for player in self.after_hand if player not in self.before_turn)]


class AcpcLines:
    """One hand, told action by action.

    Args:
        game: what is played, which has a text for programs of the ACPC.
        hand: that is told.
    """

    def __init__(self, game: Game, hand: ReplayedHand) -> None:
        text = load_text(game.name).acpc
        assert text is not None, f"{game.name} has no text for programs of the ACPC"
        self._text = HandText(text, text.sized(game), hand.dealt, hand.number - 1, len(hand.match.stacks))
        self._shown = [seat for seat, _ in hand.settlement.shown]

    def state(self, seat: int) -> str:
        """The match state that a seat is sent before the next action."""
        return f"dealer:  {self._text.shown(seat).line}"

    def end(self, seat: int) -> str:
        """The match state that a seat is sent when the hand is over."""
        return f"dealer:  {self._text.shown_at_end(seat, self._shown).line}"

    def act(self, step: Step, after: Hand) -> list[str]:
        """Add an action; the lines of the program whose turn it was, after the state that it was told."""
        told, before = self._text.shown(step.seat).line, self._text.betting
        self._text.act(step.seat, step.action or FOLD, after)
        if step.action is None or step.seconds is None:
            return []
        taken = self._text.betting[len(before) :].rstrip("/")
        sent = taken if step.asked is None else _sent(step.asked)
        lines = [f"you:     {told}:{sent} {step.seconds * 1000:.3f} ms"]
        return lines if step.asked is None else [*lines, f"-- corrected: {taken} was taken instead"]


class Transcripts(Watcher):
    """Writes the transcripts of all players while the journal is read.

    Args:
        ledger: which follows the journal, from its start record on; no imported one, whose hands no dealer dealt.
        labels: of the players.
        folder: of the report.
    """

    def __init__(self, ledger: Ledger, labels: Mapping[Player, Label], folder: ReportFolder) -> None:
        self._ledger = ledger
        self._labels = labels
        self._folder = folder
        self._connections = Connections()
        # tables of a resumed tournament that have not announced their game since
        self._to_announce: set[int] = set()
        # players who were let in again, and have not been told since which game is played
        self._newcomers: set[Player] = set()
        for player in ledger.players:
            heading = HEADING.format(" of the ACPC" if player.acpc else "")
            self._add(player, heading, *login_lines(player, labels[player]))

    def before(self, record: records.Record) -> None:
        """Tables of a resumed tournament announce their game before anything else."""
        if isinstance(record, records.FinishedHandRecord | events.GameBegun) and record.table in self._to_announce:
            self._announce_again(self._ledger.seating.tables[record.table])
        if isinstance(record, events.RoundBegun | records.EndRecord):
            for number in sorted(self._to_announce):
                self._announce_again(self._ledger.seating.tables[number])

    def after(self, record: records.Record, hand: ReplayedHand | None) -> None:  # noqa: PLR0912 - one for each type of record
        ledger = self._ledger
        match record:
            case events.GameBegun():
                self._announce(ledger.seating.tables[record.table])
            case events.RoundBegun():
                self._begin_round([ledger.players[number] for number in record.readmitted])
            case records.MoveRecord():
                self._add(ledger.players[record.player], f"-- moved to table {record.table}")
            case records.OutRecord():
                self._out(ledger.players[record.player], record)
            case records.AwayRecord():
                self._disconnected(ledger.players[record.player], record)
            case records.BackRecord():
                self._logged_in_again(ledger.players[record.player], record)
            case events.Readmitted():
                self._let_in(ledger.players[record.player], record)
            case records.ResumeRecord():
                self._resume()
            case events.Voided():
                self._void(ledger.seating.tables[record.table], record)
            case records.EndRecord():
                for standing in ledger.standings():
                    if self._connections.present(standing.player):
                        self._done(standing.player, ledger.closing_message(standing))
        if hand is not None:
            self._hand(hand)

    def _add(self, player: Player, *lines: str) -> None:
        self._folder.add(f"players/{self._labels[player].folder}/transcript.txt", *lines)

    def _begin_round(self, again: Collection[Player]) -> None:
        ledger = self._ledger
        for table in ledger.seating.round_tables:
            for player in table.players:
                if player in again:
                    line = "-- the host let the player in again"
                    self._add(player, "", line, *login_lines(player, self._labels[player]))
                begins = f"-- round {ledger.seating.round} begins: equal stacks for all, at table {table.number}"
                self._add(player, "", begins)

    def _announce_again(self, table: TableState) -> None:
        self._to_announce.discard(table.number)
        if table.game:
            self._announce(table)

    def _announce(self, table: TableState) -> None:
        self._newcomers.difference_update(table.seated)
        for player in table.seated:
            if self._connections.present(player):
                self._add(player, *self._announcement(player, table.seated.index(player), len(table.seated)))

    def _announcement(self, player: Player, seat: int, seats: int) -> list[str]:
        """The messages that tell the game; empty for programs of the ACPC."""
        game = self._ledger.settings.game
        return [from_dealer(GameInfo.about(game, seat, seats))] if game.announced and not player.acpc else []

    def _hand(self, hand: ReplayedHand) -> None:
        for seat, player in enumerate(hand.players):
            if player in self._newcomers:
                self._newcomers.remove(player)
                self._add(player, *self._announcement(player, seat, len(hand.players)))
            if self._took_part(hand, seat):
                settings = self._ledger.settings
                game = f", game {hand.game}" if settings.games > 1 else ""
                level = "" if settings.levels is None else f", level {hand.level}"
                self._add(player, "", f"-- hand {hand.number}, table {hand.table}, seat {seat}{game}{level}")
        self._steps(hand)
        for player, status in zip(hand.players, hand.settlement.statuses(), strict=True):
            self._add(player, *self._connections.take(player))
            if status is not None and self._connections.present(player) and not player.acpc:
                self._add(player, from_dealer(status))
        self._write_held_lines(hand.table)
        self._connections.lost -= set(hand.players)

    def _took_part(self, hand: ReplayedHand, seat: int) -> bool:
        """True if a seat was asked something, or heard how the hand ended."""
        player = hand.players[seat]
        asked = any(_was_asked(step) for step in hand.steps if step.seat == seat)
        return asked or player in self._connections.lost or self._connections.present(player)

    def _steps(self, hand: ReplayedHand) -> None:
        """All actions, each of which programs of the ACPC are told."""
        told = AcpcLines(self._ledger.settings.game, hand) if any(p.acpc for p in hand.players) else None
        following = {seat: player for seat, player in enumerate(hand.players) if self._follows(player, hand)}
        for step, after in with_hands_after(hand.steps, hand.last):
            player = hand.players[step.seat]
            if _was_asked(step) or player in self._connections.lost:  # otherwise the player was not back yet
                self._add(player, *self._connections.take_before_turn(player))
            answer: list[str] = []
            if told:
                for seat, follower in following.items():
                    self._add(follower, told.state(seat))
                answer = told.act(step, after)
            self._step(step, player, answer if player.acpc else reply_lines(step))
            over = step.by_dealer and (step.fault is None or _is_last_fault(step, player))
            if over and not self._connections.present(player):
                following.pop(step.seat, None)
            if step.by_dealer and step.fault is None:  # where the dealer checked, the seat has more turns
                self._connections.lost.discard(player)
        for seat, follower in following.items():
            if told and self._connections.present(follower):
                self._add(follower, told.end(seat))

    def _follows(self, player: Player, hand: ReplayedHand) -> bool:
        """True if a player is told the first state of a hand. One that leaves in the hand is told all up to that."""
        leaves = player in self._connections.lost or (player.left is not None and player.left_in == hand.number)
        return player.acpc and (leaves or self._connections.present(player))

    def _step(self, step: Step, player: Player, answer: Sequence[str]) -> None:
        """The turn of a program, with the lines of its answer; one of the ACPC was told the state before that."""
        if step.fault is not None:
            self._add(player, *fault_lines(step, player, self._labels[player]))
            if player.left is not None and _is_last_fault(step, player):
                self._done(player, player.left)
        elif not step.by_dealer:
            self._add(player, *answer)
        elif player in self._connections.lost:
            self._add(player, lost_connection_line(step, player))

    def _write_held_lines(self, table: int) -> None:
        """Write the lines of players at a table whose login was held back during the hand that is over now."""
        for player in self._connections.waiting:
            if self._ledger.seating.table_of(player).number == table:
                self._add(player, *self._connections.take(player))

    def _out(self, player: Player, record: records.OutRecord) -> None:
        """The end of a player's tournament, or of its round.

        A closing message because of a fault is not written here: it follows the fault, in the record of the hand.
        A player without connection hears nothing, nor does one who went broke and plays again in the next round.
        """
        if record.hand > self._ledger.seating.table_of(player).hand_number:
            return
        if player.left is None:
            self._add(player, f"-- out of this round: {record.reason.removeprefix(OUT)}")
        elif record.kind == FaultKind.GONE or player in self._connections.away:
            self._add(player, f"-- {record.reason}")
        else:
            self._done(player, record.reason)

    def _void(self, table: TableState, record: events.Voided) -> None:
        """A hand that the dealer did not finish."""
        self._write_held_lines(table.number)
        for player in table.players:
            left = player.left if player.left_in == record.hand else None
            if left is not None:
                reason = self._labels[player].hidden(left, player.id)
                self._add(player, f"-- in hand {record.hand}: {reason}")
            if self._ledger.seating.still_in(player) or left:
                self._add(player, f"-- hand {record.hand} does not count: every chip was returned")
        self._connections.lost -= set(table.players)

    def _done(self, player: Player, reason: str) -> None:
        message = Done(self._labels[player].hidden(reason, player.id))
        self._add(player, f"dealer:  # {message.comment}" if player.acpc else from_dealer(message))

    def _disconnected(self, player: Player, record: records.AwayRecord) -> None:
        self._connections.away.add(player)
        if record.hand > self._ledger.seating.table_of(player).hand_number:
            self._connections.lost.add(player)
        else:
            self._add(player, "-- the connection was lost; the player may log in again")

    def _logged_in_again(self, player: Player, record: records.BackRecord) -> None:
        self._connections.away.discard(player)
        table = self._ledger.seating.table_of(player)
        lines = ["-- logged in again", *login_lines(player, self._labels[player])]
        if player in table.seated:
            lines += self._announcement(player, table.seated.index(player), len(table.seated))
        if record.hand > table.hand_number:  # the record of the hand in progress is still to come
            self._connections.keep_back(player, lines)
        else:
            self._add(player, *lines)

    def _let_in(self, player: Player, record: events.Readmitted) -> None:
        self._connections.away.discard(player)
        line = f"-- the host let the player in again, at table {record.table}, with the chips it had"
        self._add(player, line, *login_lines(player, self._labels[player]))
        self._newcomers.add(player)

    def _resume(self) -> None:
        self._connections.away.clear()
        self._to_announce = {table.number for table in self._ledger.seating.round_tables}
        for player in self._ledger.players:
            if player.left is None:
                line = "-- the dealer was started again, and the players who came back had logged in again"
                self._add(player, line)


def _is_last_fault(step: Step, player: Player) -> bool:
    """True if the fault of a step in the hand just played is the last one of its player."""
    return step.fault is player.faults[-1]


def _was_asked(step: Step) -> bool:
    return step.seconds is not None or step.fault is not None


# The lines of a transcript


def from_dealer(message: Command) -> str:
    """A message to the program."""
    return f"dealer:  {encode(message)}"


def login_lines(player: Player, label: Label) -> list[str]:
    """The login of a program. The journal does not tell the whole version of one of the ACPC."""
    if player.acpc:
        return ["-- the program said its version, such as VERSION:2.0.0"]
    return ["dealer:  login", f"you:     {label.id or '(id)'}:{label.avatar}"]


def reply_lines(step: Step) -> list[str]:
    """A question and the reply to it; empty if the dealer acted."""
    if step.action is None or step.seconds is None:
        return []
    turn = step.before.view(step.seat)
    taken = encode_action(step.action, turn)
    replied = taken if step.asked is None else encode_action(FOLD, turn)  # nothing else is corrected
    lines = [from_dealer(turn), f"you:     {replied:<15} {step.seconds * 1000:.3f} ms"]
    return lines if step.asked is None else [*lines, f"-- corrected: {taken} was taken instead"]


def for_seat(step: Step) -> str:
    """The dealer's action for a seat without an acceptable reply."""
    return "the dealer checked" if step.checked else "the hand was folded"


def lost_connection_line(step: Step, player: Player) -> str:
    """The comment on a question, or on a state, over which the connection was lost."""
    if player.acpc:
        return f"-- the connection was lost over this state, and {for_seat(step)}"
    due = encode(step.before.view(step.seat))
    return f"-- the connection was lost over this question, and {for_seat(step)}: {due}"


def fault_lines(step: Step, player: Player, label: Label) -> list[str]:
    """The fault that was found instead of a good reply; before it the question, which for the ACPC is the last state.

    The journal does not say whether that was sent before a fault of some kinds was found.
    """
    assert step.fault is not None
    line = f"-- {step.fault.kind.value}: {label.hidden(step.fault.reason, player.id)}; {for_seat(step)}"
    answered = step.fault.kind in ANSWERED_A_QUESTION
    if player.acpc:
        return [line] if answered else ["-- the last state may not have been sent any more", line]
    question = step.before.view(step.seat)
    if answered:
        return [from_dealer(question), line]
    return [f"-- due was this question, which may not have been sent any more: {encode(question)}", line]


def _sent(asked: str) -> str:
    """The action of a program, from what a correction says that it asked for."""
    found = _ASKED.fullmatch(asked)
    if found is None:
        return "f"
    total = found["total"] or ""
    return f"r{total}" if total.isdigit() or not total else f"r({total})"
