"""A journal read again: every record through the rules, and the ledger it leads to.

The dealer's own ledger is the fold of what it did; this is the same fold over what it wrote down. Nothing is
believed that can be worked out: decks follow from the seed, actions must be legal, payoffs are settled anew.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from dealer.faults import Fault, FaultKind
from dealer.journal.records import FOLDED, JournalError, Record, read_journal
from dealer.journal.shapes import check_shape
from dealer.ledger import Ledger, TableState
from dealer.played import PlayedHand
from dealer.player import Player
from dealer.settings import LeagueWords, OpenDoors, Settings
from protocol.games.base import FOLD, Action, Bet, Hand, IllegalAction, Settlement
from protocol.games.blockhead import BlockheadGame, Ranks
from protocol.games.match import MIN_PLAYERS
from protocol.games.registry import Game
from protocol.games.stud import StudGame
from protocol.shuffle import commitment, seed_from_text


class RefoldError(JournalError):
    """A record that is whole but wrong; the text names it and says what was expected."""


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of a hand.

    Attributes:
        before: the hand in which it was taken.
        seat: who took it.
        action: what was done; None if the dealer gave the hand up for the seat.
        seconds: until the reply; None likewise.
        fault: why the hand was given up, if that was a fault.
    """

    before: Hand
    seat: int
    action: Action | None
    seconds: float | None
    fault: Fault | None


@dataclass(frozen=True, slots=True)
class RefoldedHand:
    """A finished hand.

    Attributes:
        record: the number of its record in the journal, from 1.
        table: the number of its table, from 0.
        number: of the hand at that table, from 1.
        game: the number of the game it belongs to, from 1.
        players: who was dealt in, by seat.
        steps: every decision.
        last: the hand behind the last step.
        settlement: how the pot was divided.
    """

    record: int
    table: int
    number: int
    game: int
    players: tuple[Player, ...]
    steps: tuple[Step, ...]
    last: Hand
    settlement: Settlement


class Refold:
    """Takes the records of a journal one after the other. Check ``ledger`` whenever you like.

    Attributes:
        path: of the journal, for error texts.
        records: how many were taken.
        start: the first record; None before it.
        ended: whether the tournament was played to its end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = 0
        self.start: Record | None = None
        self.ended = False
        self._ledger: Ledger | None = None
        self._resumed = False
        self._to_void: set[int] = set()
        self._away: set[Player] = set()
        self._seen_away: dict[Player, int] = {}

    @property
    def ledger(self) -> Ledger:
        """What the tournament has come to.

        Raises:
            JournalError: the journal is empty.
        """
        if self._ledger is None:
            raise JournalError(f"{self.path}: no tournament was started in this journal")
        return self._ledger

    def hands(self) -> Iterator[RefoldedHand]:
        """Every finished hand, in the order in which they were recorded.

        Raises:
            RefoldError: a record says what cannot have been.
            JournalError: the file cannot be read; see ``read_journal``.
        """
        for record in read_journal(self.path):
            hand = self.take(record)
            if hand is not None:
                yield hand

    def take(self, record: Record) -> RefoldedHand | None:
        """Apply one record; a finished hand if it tells of one.

        Raises:
            RefoldError: it says what cannot have been.
        """
        self.records += 1
        with self._naming(record):
            check_shape(record)
            _require(not self.ended, "the tournament is over, no record may follow")
            _require((self._ledger is None) == (record["type"] == "start"), "the first record is a start, and no other")
            match record["type"]:
                case "start":
                    self._start(record)
                case "game":
                    self._game(record)
                case "hand":
                    return self._hand(record)
                case "out":
                    self._out(record)
                case "away" | "back":
                    self._presence(record)
                case "resume":
                    self._resume()
                case "void":
                    self._void(record)
                case "end":
                    self._end(record)
        return None

    @contextmanager
    def _naming(self, record: Record) -> Iterator[None]:
        """Whatever is wrong inside is told with the number of the record."""
        try:
            yield
        except (ValueError, IllegalAction) as error:
            raise RefoldError(f"{self.path}: {self._name(record)}: {error}") from None

    def _name(self, record: Record) -> str:
        try:
            check_shape(record)
        except ValueError:  # then nothing it says can be shown
            return f"record {self.records}"
        place = f", hand {record['hand']} at table {record['table']}" if {"hand", "table"} <= record.keys() else ""
        return f"record {self.records} ({record['type']}{place})"

    def _start(self, record: Record) -> None:
        settings = settings_of(record)
        for name, fact in settings.game.facts.items():
            _expect(name, record.get(name), fact)
        _expect("commitment", record["commitment"], commitment(settings.seed))
        if settings.seed_text is not None:
            _expect("seed", settings.seed, seed_from_text(settings.seed_text))
        _require(len(record["players"]) >= MIN_PLAYERS, f"a tournament has {MIN_PLAYERS} players or more")
        ids = [facts["id"] for facts in record["players"]]
        _require(len(set(ids)) == len(ids), "no two players have the same id")
        self.start = record
        self._ledger = Ledger(settings, [_player(facts, settings.lives) for facts in record["players"]])

    def _table(self, record: Record) -> TableState:
        tables = self.ledger.tables
        _require(record["table"] < len(tables), f"there is no table {record['table']}")
        return tables[record["table"]]

    def _player(self, record: Record) -> Player:
        players = self.ledger.players
        _require(record["player"] < len(players), f"there is no player {record['player']}")
        return players[record["player"]]

    def _game(self, record: Record) -> None:
        ledger, table = self.ledger, self._table(record)
        _expect("game", record["game"], table.game + 1)
        _expect("hand", record["hand"], table.hand_number + 1)
        _require(not table.game or ledger.game_over(table), "a game begins when the one before it is over")
        _require(not ledger.table_over(table), "this table has no more games to play")
        ledger.begin_game(table)

    def _hand(self, record: Record) -> RefoldedHand:
        ledger, table = self.ledger, self._table(record)
        self._check_dealt(table)
        _expect("hand", record["hand"], table.hand_number + 1)
        _expect("players", tuple(record["players"]), table.match.seated)
        _expect("deck", record["deck"], ledger.next_deck(table))
        players, total = table.seated, table.match.total
        hand = ledger.deal(table, record["deck"])
        _expect("stacks", tuple(record["stacks"]), tuple(hand.starting))
        faults = _faults(record)
        steps = []
        for seat, chips, microseconds in record["actions"]:
            step, hand = self._step(hand, seat, chips, microseconds, faults)
            steps.append(step)
        _require(hand.to_act is None, f"the hand is not over: seat {hand.to_act} has to act")
        _expect("faults for which no hand was given up", faults, {})
        settlement = hand.settle()
        _expect("payoffs", tuple(record["payoffs"]), settlement.payoffs)
        self._check_presence(players, steps, table.hand_number)
        self._note(players, steps)
        self._check_left(players, table.hand_number)
        ledger.finish(table, PlayedHand(players, [tuple(action) for action in record["actions"]], hand.pot, settlement))
        _expect("chips at the table", table.match.total, total)
        return RefoldedHand(
            self.records, table.number, table.hand_number, table.game, tuple(players), tuple(steps), hand, settlement
        )

    def _check_dealt(self, table: TableState) -> None:
        """Whether a hand may be under way."""
        _require(bool(table.game) and not self.ledger.game_over(table), "no game is under way at this table")
        _require(
            table.number not in self._to_void, "the hand under way when the dealer was started again must be void first"
        )

    def _check_presence(self, players: Sequence[Player], steps: Sequence[Step], hand: int) -> None:
        """The dealer gives up a hand for a fault, for who has left before, and for who was away; for nobody else.

        And none of those answers.
        """
        for step in steps:
            player = players[step.seat]
            seen_away = self._seen_away.get(player) == hand  # and may have been there too, in the same hand
            absent = (player.left is not None and player.left_in < hand) or (player in self._away and not seen_away)
            if step.action is not None and absent:
                raise ValueError(f"seat {step.seat} answered, but its player was not there")
            if step.action is None and step.fault is None and not (absent or seen_away):
                raise ValueError(f"seat {step.seat} gave up its hand without a reply, a fault or an absence")

    @staticmethod
    def _check_left(players: Sequence[Player], hand: int) -> None:
        """Who left in this hand had the fault that it left for, and who has no lives left has left."""
        for player in players:
            if player.left_in == hand:
                fault = player.left_for
                told = [(fault.kind, f"you are out: {fault.reason}") for fault in player.faults[-1:]]
                _expect(f"last fault of {player.id!r}, who left", told, [(fault and fault.kind, player.left)])
            _require(player.lives > 0 or player.left is not None, f"{player.id!r} has no life left and plays on")

    @staticmethod
    def _step(
        hand: Hand, seat: int, chips: int, microseconds: int | None, faults: dict[int, list[Fault]]
    ) -> tuple[Step, Hand]:
        """One action, and the hand after it; the fault it came of is taken out of ``faults``."""
        _expect("the seat to act", seat, hand.to_act)
        if microseconds is None:
            _expect("chips of a hand that was given up", chips, FOLDED)
            fault = faults[seat].pop(0) if faults.get(seat) else None
            if not faults.get(seat):
                faults.pop(seat, None)
            return Step(hand, seat, None, None, fault), hand.concede()
        action: Action = FOLD if chips == FOLDED else Bet(chips)
        return Step(hand, seat, action, microseconds / 1e6, None), hand.apply(action)

    @staticmethod
    def _note(players: Sequence[Player], steps: Sequence[Step]) -> None:
        for step in steps:
            player = players[step.seat]
            if step.seconds is not None:
                player.reply_times.add(step.seconds)
            if step.fault is not None:
                player.faults.append(step.fault)
                player.lives -= 1

    def _out(self, record: Record) -> None:
        player = self._player(record)
        table = self.ledger.table_of(player)
        _require(player.left is None, f"{player.id!r} is out already")
        in_hand = self._is_under_way(record["hand"], table)
        stacks = table.match.stacks if in_hand else table.stacks_before
        _expect("chips", record["chips"], stacks[table.players.index(player)])
        fault = None if record["kind"] is None else Fault(FaultKind(record["kind"]), record["reason"])
        if in_hand:
            self._check_dealt(table)
            _require(fault is not None and player in table.seated, f"{player.id!r} has no reason to leave a hand")
        else:
            self._check_leaves_between_hands(player, table, fault)
        self.ledger.leave(player, record["hand"], record["chips"], record["reason"], fault)
        if not in_hand:
            self.ledger.tidy(table)

    def _check_leaves_between_hands(self, player: Player, table: TableState, fault: Fault | None) -> None:
        """Between two hands it is those who cannot pay who leave, and those who stayed away."""
        if fault is None:
            _require(player in self.ledger.broke(table), f"{player.id!r} can pay for the next hand, and does not leave")
        else:
            absent = fault.kind is FaultKind.GONE and (player in self._away or self._resumed)
            _require(absent, f"{player.id!r} was not away, and no hand was under way")

    @staticmethod
    def _is_under_way(hand: int, table: TableState) -> bool:
        """Whether it is the hand that may be under way, and not the last one."""
        last = table.hand_number
        _require(hand in (last, last + 1), f"hand: expected {last} or {last + 1}, got {hand}")
        return hand > last

    def _presence(self, record: Record) -> None:
        player = self._player(record)
        _require(self.ledger.settings.rejoin is not None, "nobody can come back to this tournament")
        _require(player.left is None, f"{player.id!r} is out already")
        self._is_under_way(record["hand"], self.ledger.table_of(player))
        self._seen_away[player] = record["hand"]
        if record["type"] == "away":
            _require(player not in self._away, f"{player.id!r} is away already")
            self._away.add(player)
        else:
            self._away.discard(player)

    def _resume(self) -> None:
        """Every hand that was under way will be void, and whoever is away will be told of once more."""
        ledger = self.ledger
        _require(not self._to_void, "a hand was under way when the dealer was started again before, and is not void")
        self._resumed = True
        self._away.clear()
        self._to_void = {
            table.number
            for table in ledger.tables
            if table.game and not ledger.game_over(table) and not ledger.table_over(table)
        }

    def _void(self, record: Record) -> None:
        table = self._table(record)
        _require(table.number in self._to_void, "no hand was under way at this table when the dealer was started again")
        _expect("hand", record["hand"], table.hand_number + 1)
        self._to_void.remove(table.number)
        self.ledger.void(table)

    def _end(self, record: Record) -> None:
        for table in self.ledger.tables:
            _require(table.number not in self._to_void, f"a hand is under way at table {table.number}")
            for player in table.players:
                _require(player.left_in <= table.hand_number, f"{player.id!r} left in a hand that is not over")
        standings = self.ledger.standings()
        _expect("number of standings", len(record["standings"]), len(standings))
        for told, standing in zip(record["standings"], standings, strict=True):
            for fact, expected in standing.as_dict().items():
                if not fact.startswith("reply_"):  # journals round those
                    _expect(f"{fact} of {standing.player.id!r} in the standings", told[fact], expected)
        self.ended = True


def refold(path: Path) -> Refold:
    """A whole journal through the rules.

    Raises:
        JournalError: see ``Refold.hands``.
    """
    fold = Refold(path)
    for _ in fold.hands():
        pass
    return fold


def settings_of(start: Record) -> Settings:
    """What was agreed, from the record of the start."""
    return Settings(
        start["seed"],
        _game(start),
        start["hands"],
        start["games"],
        start["limit"],
        start["lives"],
        start["table_size"],
        start["seed_text"],
        start["duplicate"],
        start["rejoin"],
        start["secrets"],
        _origin(start["origin"]),
    )


def _origin(facts: Record | None) -> LeagueWords | OpenDoors | None:
    if facts is None:
        return None
    if "bots" in facts:
        return LeagueWords(tuple(facts["bots"]), tuple(facts["commands"]))
    return OpenDoors(facts["host"], facts["port"], facts["line_port"])


def _game(start: Record) -> Game:
    match start["game"]:
        case StudGame.name:
            return StudGame(_count(start, "stack"), _count(start, "ante"))
        case BlockheadGame.name:
            return BlockheadGame(_count(start, "stack"), start["hands"], _ranks(start))
    raise ValueError(f"this program does not know the game {start['game']!r}")


def _count(start: Record, name: str) -> int:
    count = start.get(name)
    if type(count) is not int or count < 1:
        raise ValueError(f"{name}: expected a whole number from 1, got {count!r}")
    return count


def _ranks(start: Record) -> Ranks:
    for ranks in get_args(Ranks):
        if start.get("ranks") == ranks:
            return cast(Ranks, ranks)
    raise ValueError(f"ranks: expected one of {', '.join(get_args(Ranks))}, got {start.get('ranks')!r}")


def _player(facts: Record, lives: int) -> Player:
    return Player(facts["id"], facts["avatar"], facts["program"], lives=lives, proof=facts["proof"])


def _faults(record: Record) -> dict[int, list[Fault]]:
    """The faults of a hand by seat."""
    faults: dict[int, list[Fault]] = {}
    for seat, kind, reason in record["faults"]:
        faults.setdefault(seat, []).append(Fault(FaultKind(kind), reason))
    return faults


def _expect(what: str, got: Any, expected: Any) -> None:
    """Hold what a record says against what follows from those before it.

    Raises:
        ValueError: they differ.
    """
    if got != expected:
        raise ValueError(f"{what}: expected {expected!r}, got {got!r}")


def _require(condition: bool, what: str) -> None:
    """Hold a record against the rules of a tournament; ``what`` says what is wrong if the condition does not hold.

    Raises:
        ValueError: it does not.
    """
    if not condition:
        raise ValueError(what)
