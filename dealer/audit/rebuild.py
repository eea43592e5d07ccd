"""Rebuild a tournament's ledger from its journal, checking every record against the rules.

The dealer changes its ledger and records each change; here the records change a new ledger in the same way. Whatever
can be worked out is not believed: decks follow from the seed, actions must be legal, payoffs are settled again.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from dealer.audit.hands import ReplayedHand, Step, expect, play_again, require
from dealer.audit.presence import PresenceCheck
from dealer.errors import NotStartedError, RebuildError
from dealer.faults import Fault, FaultKind
from dealer.journal import records
from dealer.journal.batches import NO_HEAD, read_batches
from dealer.ledger.columns import COLUMNS
from dealer.ledger.formats.registry import find_format
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.readmission import let_in
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Services
from protocol import events
from protocol.games.base import IllegalAction
from protocol.games.match import MIN_PLAYERS
from protocol.shuffle import commitment, seed_from_text
from protocol.wire.text import load_text

Fact = TypeVar("Fact")


class LedgerRebuild:
    """A ledger that follows the records of a journal, one after the other.

    Attributes:
        path: of the journal.
        records: how many records were taken.
        start: the first record; None before it is taken.
        ended: whether there was an ``end``.
        closed: of each player whose connection the dealer closed for good, whether its program then hung up in time.
        services: what the last dealer opened; None if no record tells.
        paused: whether the host had paused the tournament, and not suspended it since.
        pace: seconds that a hand takes at least, as the host has set it.
        show: seconds that the rest of the tournament was to take, and the hands that tables had finished when the host
            said so; None without a show.
        message: of the host on the page; None if there is none.
        head: of the journal up to the last record taken from it; ``hands`` sets it.
        end: bytes of the journal up to there; ``hands`` sets it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = 0
        self.start: records.StartRecord | None = None
        self.ended = False
        self.closed: dict[Player, bool] = {}
        self.services: Services | None = None
        self.paused = False
        self.pace = 0.0
        self.show: tuple[float, int] | None = None
        self.message: str | None = None
        self.head = NO_HEAD
        self.end = 0
        self._ledger: Ledger | None = None
        self._to_void: set[int] = set()
        self._presence_check = PresenceCheck()
        self._level_asked = False
        self._suspended = False
        self._corrected_in: dict[Player, int] = {}
        self._to_close: Counter[Player] = Counter()

    @property
    def imported(self) -> bool:
        """Whether the hands were dealt by others, so that their decks follow from no seed."""
        return self.start is not None and self.start.imported

    @property
    def version(self) -> int | None:
        """Of the journal; None before its start is taken."""
        return None if self.start is None else self.start.version

    @property
    def ledger(self) -> Ledger:
        """The state of the tournament after the records so far.

        Raises:
            NotStartedError: the journal is empty.
        """
        if self._ledger is None:
            raise NotStartedError(self.path)
        return self._ledger

    @property
    def removed(self) -> dict[Player, str]:
        """Players the host removed, with the reason, who would have left after the hand in progress."""
        return self._presence_check.not_yet_gone

    @property
    def let_in(self) -> Collection[Player]:
        """Players the host has let in again, who have no seat yet."""
        return self._presence_check.let_in

    def is_away(self, player: Player) -> bool:
        """Whether a player had lost its connection and not come back."""
        return self._presence_check.is_away(player)

    def hands(self) -> Iterator[ReplayedHand]:
        """Take all records of the journal; every finished hand, in the order of the records.

        Raises:
            RebuildError: a record does not follow from those before it.
            JournalError: the file cannot be read; see ``read_batches``.
        """
        for batch in read_batches(self.path):
            for record in batch.records:
                hand = self.take(record)
                if hand is not None:
                    yield hand
            self.head, self.end = batch.head, batch.end

    def take(self, record: records.Record) -> ReplayedHand | None:
        """Apply the next record; return the hand of a ``hand`` record.

        Raises:
            RebuildError: it does not follow from those before it.
        """
        self.records += 1
        try:
            self._check_may_follow(record)
            return self._apply(record)
        except (ValueError, IllegalAction) as error:
            raise RebuildError(f"{self.path}: {self._name(record)}: {error}") from None

    def _check_may_follow(self, record: records.Record) -> None:
        closed, begins = isinstance(record, records.ClosedRecord), isinstance(record, records.StartRecord)
        require(not self.ended or closed, "the tournament is over, no such record may follow")
        require((self._ledger is None) == begins, "the first record is a start, and no other")
        stopped = self._ledger is not None and self._ledger.stopped
        goes_on = closed or isinstance(record, records.ResumeRecord)
        require(not stopped or goes_on, "all tables have stopped, and none plays on")

    def _apply(self, record: records.Record) -> ReplayedHand | None:  # noqa: PLR0912 - one for each type of record
        match record:
            case records.StartRecord():
                self._start(record)
            case events.RoundBegun():
                self._round(record)
            case events.GameBegun():
                self._game(record)
            case records.LevelRecord():
                self._level(record)
            case records.MoveRecord():
                self._move(record)
            case records.FinishedHandRecord():
                return self._imported_hand(record) if self.imported else self._hand(record)
            case records.OutRecord():
                self._out(record)
            case records.CorrectedRecord():
                self._corrected(record)
            case events.Readmitted():
                self._readmitted(record)
            case records.AwayRecord() | records.BackRecord():
                self._connection(record)
            case records.ClosedRecord():
                self._closed(record)
            case events.HostSaid():
                self._desk(record)
            case Services():
                self.services = record
            case records.ResumeRecord():
                self._resume()
            case events.Stopped():
                self._stop()
            case events.Voided():
                self._void(record)
            case records.EndRecord():
                self._end(record)
        return None

    def _name(self, record: records.Record) -> str:
        place = ""
        if isinstance(record, records.FinishedHandRecord | events.GameBegun | events.Voided):
            place = f", hand {record.hand} at table {record.table}"
        return f"record {self.records} ({events.type_of(record)}{place})"

    def _start(self, record: records.StartRecord) -> None:
        """Check that what the record says fits together, and begin a ledger with it."""
        settings, told = record.settings(), record.players
        for name, fact in settings.game.facts.items():
            expect(name, record.options.get(name), fact)
        expect("commitment", record.commitment, commitment(settings.seed))
        if settings.seed_text is not None:
            expect("seed", settings.seed, seed_from_text(settings.seed_text))
        if find_format(settings.format).rounds_from is None:
            expect("rounds", settings.rounds, None)
        if settings.acpc is not None:
            text = load_text(settings.game.name).acpc
            require(text is not None, f"programs of the ACPC do not play {settings.game.name}")
            for name, value in text.options.items() if text is not None else ():
                expect(name, getattr(settings.game, name), value)
        require(len(told) >= MIN_PLAYERS, f"a tournament has {MIN_PLAYERS} players or more")
        require(len({player.id for player in told}) == len(told), "no two players have the same id")
        may_play = settings.acpc is not None or not any(player.acpc for player in told)
        require(may_play, "no program of the ACPC could take part")
        players = [
            Player(one.id, one.avatar, one.program, lives=settings.lives, proof=one.proof, acpc=one.acpc)
            for one in told
        ]
        self.start = record
        self._ledger = Ledger(settings, players)

    def _table(self, number: int) -> TableState:
        tables = self.ledger.seating.tables
        require(number < len(tables), f"there is no table {number}")
        return tables[number]

    def _player(self, number: int) -> Player:
        players = self.ledger.players
        require(number < len(players), f"there is no player {number}")
        return players[number]

    def _game(self, record: events.GameBegun) -> None:
        ledger, table = self.ledger, self._table(record.table)
        expect("game", record.game, table.game + 1)
        expect("hand", record.hand, table.hand_number + 1)
        require(table.game_due, "a game begins when the one before it is over, as long as there are any")
        require(not ledger.seating.table_over(table), "this table has no more games to play")
        table.settle()
        ledger.begin_game(table)

    def _round(self, record: events.RoundBegun) -> None:
        ledger = self.ledger
        expect("round", record.round, ledger.seating.round + 1)
        ledger.end_round()
        again = [self._player(number) for number in record.readmitted]
        follows = ledger.seating.round_over and ledger.seating.another_round(len(again))
        require(follows, "a round begins when the one before it is over")
        for player in again:
            self._presence_check.sit_down(player)
            let_in(ledger, player, None)
        ledger.begin_round()
        seats = [[player.number for player in table.players] for table in ledger.seating.round_tables]
        expect("tables", record.tables, seats)

    def _level(self, record: records.LevelRecord) -> None:
        ledger = self.ledger
        expect("level", record.level, ledger.levels.level + 1)
        # A journal does not tell the minutes of a level, so one that minutes end may end at any hand.
        due = ledger.levels.minutes is not None or any(map(ledger.levels.due, ledger.seating.round_tables))
        require(due or self._level_asked, "no table has played all hands of the level, and the host did not ask for it")
        self._level_asked = False
        ledger.levels.begin_next()

    def _move(self, record: records.MoveRecord) -> None:
        ledger, player, to = self.ledger, self._player(record.player), self._table(record.table)
        table = ledger.seating.table_of(player)
        table.settle()
        require(ledger.seating.sends_players, "nobody moves between the tables of this tournament")
        require(ledger.seating.still_in(player) and to is not table, f"{player.id!r} cannot go to table {to.number}")
        ledger.seating.move(player, to)
        require(ledger.seating.size(to) <= ledger.settings.table_size, f"there is no free seat at table {to.number}")

    def _hand(self, record: records.FinishedHandRecord) -> ReplayedHand:
        ledger, table = self.ledger, self._table(record.table)
        # Players who were on the way when the hand was dealt sat down for it. Players who were sent here during it did
        # not.
        seated = [place for place, (player, _) in enumerate(table.arriving, 1) if player.number in record.players]
        table.settle(max(seated, default=0))
        self._check_dealt(table)
        # Only a record that leaves out a player who was on the way to the table gets here with fewer than two.
        require(not table.game_over, "a hand is played by two or more")
        require(table.level <= record.level <= ledger.levels.level, f"there was no level {record.level} at this table")
        ledger.levels.charge(table, record.level)
        expect("hand", record.hand, table.hand_number + 1)
        expect("players", record.players, tuple([player.number for player in table.seated]))
        expect("deck", record.deck, ledger.next_deck(table))
        players, deal = table.seated, ledger.deal(table, record.deck, record.level)
        told = HandRecord(deal, record.actions, record.faults, record.corrections)
        hand = deal.begin(ledger.settings.game)
        expect("stacks", record.stacks, tuple(hand.starting))
        steps, hand = play_again(hand, told)
        expect("pot", record.pot, hand.pot)
        settlement = hand.settle()
        expect("payoffs", record.payoffs, settlement.payoffs)
        for step in steps:
            if step.asked is not None and self._corrected_in.get(players[step.seat]) != table.hand_number:
                raise ValueError(f"corrections: no record tells that seat {step.seat} was corrected")
            if step.checked and ledger.settings.acpc is None:
                raise ValueError(f"the dealer checked for seat {step.seat}, and had to fold for it")
        self._presence_check.check_steps(players, steps, table.hand_number)
        for step in steps:
            if step.fault is not None:
                players[step.seat].faults.append(step.fault)
                players[step.seat].lives -= 1
        self._presence_check.check_left(players, table.hand_number)
        return self._finish(table, PlayedHand(told, hand, settlement), steps)

    def _imported_hand(self, record: records.FinishedHandRecord) -> ReplayedHand:
        """A hand that others dealt: its deck follows from nothing, and who is dealt in is as the record tells."""
        ledger, table = self.ledger, self._table(record.table)
        self._check_dealt(table)
        expect("hand", record.hand, table.hand_number + 1)
        expect("level", record.level, table.level)
        expect("faults", record.faults, [])
        numbers, game = record.players, ledger.settings.game
        if record.recorded is None:
            raise ValueError("recorded: expected a map of what is known of the deal")
        require(len(set(numbers)) == len(numbers), "no player has two seats")
        places = {player.number: place for place, player in enumerate(table.players)}
        require(set(numbers) <= places.keys(), "every player of a hand sits at its table")
        require(len(numbers) == len(record.stacks), "every player of a hand has a stack")
        seated = [places[number] for number in numbers]
        table.match = game.recorded_match(table.match, seated, record.stacks, record.recorded)
        deal = ledger.deal(table, record.deck)
        told = HandRecord(deal, record.actions, [])
        steps, last = play_again(deal.begin(game), told)
        expect("pot", record.pot, last.pot)
        last, settlement = deal.settle(game, last)
        expect("payoffs", record.payoffs, settlement.payoffs)
        return self._finish(table, PlayedHand(told, last, settlement), steps)

    def _finish(self, table: TableState, played: PlayedHand, steps: Sequence[Step]) -> ReplayedHand:
        total = table.match.total
        late = list(table.arriving)  # they sit down when the hand is over, with chips of their own
        self.ledger.finish(table, played)
        # No record can make this fail: it would be an error in the ledger or in the rules, which must lose no chip.
        expect("chips at the table", table.match.total - sum(stack for _, stack in late), total)
        return ReplayedHand.of(played, steps, self.ledger.players, record=self.records, game=table.game)

    def _readmitted(self, record: events.Readmitted) -> None:
        ledger, player, to = self.ledger, self._player(record.player), self._table(record.table)
        self._presence_check.sit_down(player)
        require(ledger.seating.sends_players, "nobody sits down in the middle of a round of this tournament")
        require(player in ledger.departures, f"{player.id!r} left in an earlier round, and waits for the next one")
        require(player.left_in <= ledger.seating.table_of(player).hand_number, f"the hand of {player.id!r} is not over")
        require(to in ledger.seating.round_tables, f"table {to.number} is not one of this round")
        let_in(ledger, player, to)
        require(ledger.seating.size(to) <= ledger.settings.table_size, f"there is no free seat at table {to.number}")

    def _corrected(self, record: records.CorrectedRecord) -> None:
        player = self._player(record.player)
        require(self.ledger.settings.acpc is not None, "no program of the ACPC could take part")
        expect("hand", record.hand, self.ledger.seating.table_of(player).hand_number + 1)
        player.faults.append(Fault(FaultKind.CORRECTED, record.reason))
        self._corrected_in[player] = record.hand

    def _check_dealt(self, table: TableState) -> None:
        """Check that a hand may be in progress; players on the way to the table may have sat down for it."""
        begun = bool(table.game) and table.played < self.ledger.settings.hands
        enough = len(table.match.seated) + len(table.arriving) >= MIN_PLAYERS
        require(begun and enough, "no game is under way at this table")
        require(
            table.number not in self._to_void, "the hand under way when the dealer was started again must be void first"
        )

    def _out(self, record: records.OutRecord) -> None:
        player = self._player(record.player)
        table = self.ledger.seating.table_of(player)
        require(player.left is None, f"{player.id!r} is out already")
        in_hand = self._is_under_way(record.hand, table)
        arrived = [other for other, _ in table.arriving]
        # A player who leaves during a hand was dealt in, so it had sat down, and so had those who arrived before it.
        table.settle(arrived.index(player) + 1 if in_hand and player in arrived else 0 if in_hand else None)
        expect("chips", record.chips, table.stacks()[player] if in_hand else table.chips_before(player))
        fault = None if record.kind is None else Fault(record.kind, record.reason)
        if in_hand:
            self._check_dealt(table)
            require(fault is not None and player in table.seated, f"{player.id!r} has no reason to leave a hand")
        else:
            self._presence_check.check_leaves_between_hands(player, fault, lambda: self.ledger.broke(table))
        for_good = fault is not None or self.ledger.seating.round >= self.ledger.seating.rounds
        self.ledger.leave(player, record.hand, record.chips, record.reason, fault, for_good=for_good)
        self._to_close[player] += for_good
        if not in_hand:
            self.ledger.tidy(table)

    def _closed(self, record: records.ClosedRecord) -> None:
        player = self._player(record.player)
        may = self._to_close[player] > 0
        require(may or player in self.closed, f"{player.id!r} is still in, so its connection was not closed")
        require(may, f"the connection of {player.id!r} was closed before")
        self._to_close[player] -= 1
        self.closed[player] = record.in_time

    @staticmethod
    def _is_under_way(hand: int, table: TableState) -> bool:
        """Whether a hand number is that of the hand that may be in progress, and not of the last one."""
        last = table.hand_number
        require(hand in (last, last + 1), f"hand: expected {last} or {last + 1}, got {hand}")
        return hand > last

    def _connection(self, record: records.AwayRecord | records.BackRecord) -> None:
        """A connection was lost, or is there again.

        A person whose page was gone for a moment comes back without having been away: the table has waited.
        """
        player = self._player(record.player)
        rejoin = self.ledger.settings.rejoin is not None
        require(rejoin or isinstance(record, records.BackRecord), "nobody can come back to this tournament")
        require(player.left is None, f"{player.id!r} is out already")
        self._is_under_way(record.hand, self.ledger.seating.table_of(player))
        if not rejoin:
            return  # it excuses nothing: the dealer may not have acted for this person
        note = self._presence_check.away if isinstance(record, records.AwayRecord) else self._presence_check.back
        note(player, record.hand)

    def _desk(self, record: events.HostSaid) -> None:
        match record.command:
            case "pause" | "resume" | "suspend":
                self.paused = record.command == "pause"
                self._suspended |= record.command == "suspend"
            case "level":
                self._level_asked = True
            case "pace":
                self.pace, self.show = _given(record.seconds, "a pace is told in seconds"), None
            case "length":
                seconds = _given(record.seconds, "a length is told in seconds")
                self.pace, self.show = 0.0, (seconds, self.ledger.seating.finished)
            case "message":
                self.message = _given(record.reason, "a message has a text, if only an empty one") or None
            case "stop":
                self._presence_check.hurry()
            case "readmit":
                player = self._player(_given(record.player, "an order to readmit names a player"))
                self._presence_check.expect_again(player)
            case "remove":
                player = self._player(_given(record.player, "an order to remove names a player"))
                self._presence_check.remove(player, _given(record.reason, "a player is removed for a reason"))

    def _resume(self) -> None:
        """All hands that were in progress must be voided next, and players who are away are recorded anew."""
        ledger = self.ledger
        require(not self._to_void, "a hand was under way when the dealer was started again before, and is not void")
        self._presence_check.resume()
        self._to_void = {table.number for table in ledger.hands_under_way()}
        self._suspended = False
        ledger.resume(new_decks=self.version == records.VERSION)

    def _stop(self) -> None:
        """No hand is under way, and none is dealt until the tournament is resumed."""
        require(self._suspended, "the host did not suspend the tournament")
        self._check_no_hand_under_way()
        self.ledger.stopped = True

    def _void(self, record: events.Voided) -> None:
        table = self._table(record.table)
        require(table.number in self._to_void, "no hand was under way at this table when the dealer was started again")
        expect("hand", record.hand, table.hand_number + 1)
        self._to_void.remove(table.number)
        self.ledger.void(table)

    def _end(self, record: records.EndRecord) -> None:
        self._check_no_hand_under_way()
        self.ledger.end_round()
        standings = self.ledger.standings()
        expect("number of standings", len(record.standings), len(standings))
        for told, standing in zip(record.standings, standings, strict=True):
            for column in COLUMNS:
                if column.exact:
                    name = f"{column.key} of {standing.player.id!r} in the standings"
                    require(column.key in told, f"{name} is missing")
                    expect(name, told[column.key], column.value(standing))
        self._to_close.update(player for player in self.ledger.players if player.left is None or player in self.let_in)
        self.ended = True

    def _check_no_hand_under_way(self) -> None:
        for table in self.ledger.seating.round_tables:
            require(table.number not in self._to_void, f"a hand is under way at table {table.number}")
            for player in table.players:
                require(player.left_in <= table.hand_number, f"{player.id!r} left in a hand that is not over")


def _given(fact: Fact | None, rule: str) -> Fact:
    """A fact that only some orders of the host need.

    Raises:
        ValueError: it is missing; ``rule`` is the text.
    """
    if fact is None:
        raise ValueError(rule)
    return fact
