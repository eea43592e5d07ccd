"""A journal read again: every record through the rules, and the ledger it leads to.

The dealer's own ledger is the fold of what it did; this is the same fold over what it wrote down. Nothing is
believed that can be worked out: decks follow from the seed, actions must be legal, payoffs are settled anew.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dealer.faults import Fault, FaultKind
from dealer.journal.records import FOLDED, VERSION, JournalError, Record, read_journal
from dealer.ledger import Ledger, TableState
from dealer.played import PlayedHand
from dealer.player import Player
from dealer.settings import LeagueWords, OpenDoors, Settings
from protocol.games.base import FOLD, Action, Bet, Hand, IllegalAction, Settlement
from protocol.games.blockhead import BlockheadGame
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
        self._last_faults: dict[Player, Fault] = {}
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
            if self.ended:
                raise ValueError("a record behind the end of the tournament")
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
                    _expect("a resumed tournament", self._ledger is not None, True)
                case "void":
                    self._void(record)
                case "end":
                    self._end(record)
                case other:
                    raise ValueError(f"no record is of type {other!r}")
        return None

    @contextmanager
    def _naming(self, record: Record) -> Iterator[None]:
        """Whatever is wrong inside is told with the number of the record."""
        try:
            yield
        except (ValueError, IllegalAction) as error:
            raise RefoldError(f"{self.path}: {self._name(record)}: {error}") from None
        except (KeyError, TypeError, IndexError, AttributeError, OverflowError) as error:
            raise RefoldError(f"{self.path}: {self._name(record)}: cannot be understood ({error!r})") from None

    def _name(self, record: Record) -> str:
        if not isinstance(record, dict):
            return f"record {self.records}"
        place = f", hand {record['hand']} at table {record['table']}" if {"hand", "table"} <= record.keys() else ""
        return f"record {self.records} ({record.get('type')}{place})"

    def _start(self, record: Record) -> None:
        _expect("a single start", self._ledger, None)
        if record["version"] != VERSION:
            raise ValueError(f"this journal is of version {record['version']}, this program reads version {VERSION}")
        settings = settings_of(record)
        _expect("commitment", record["commitment"], commitment(settings.seed))
        if settings.seed_text is not None:
            _expect("seed", settings.seed, seed_from_text(settings.seed_text))
        self.start = record
        self._ledger = Ledger(settings, [_player(facts, settings.lives) for facts in record["players"]])

    def _table(self, record: Record) -> TableState:
        tables = self.ledger.tables
        if not 0 <= record["table"] < len(tables):
            raise ValueError(f"there is no table {record['table']}")
        return tables[record["table"]]

    def _player(self, record: Record) -> Player:
        players = self.ledger.players
        if not 0 <= record["player"] < len(players):
            raise ValueError(f"there is no player {record['player']}")
        return players[record["player"]]

    def _hands_around(self, player: Player) -> tuple[int, int]:
        """The numbers of the last hand at a player's table and of the one that may be under way."""
        last = self.ledger.table_of(player).hand_number
        return last, last + 1

    def _game(self, record: Record) -> None:
        ledger, table = self.ledger, self._table(record)
        _expect("game", record["game"], table.game + 1)
        _expect("first hand", record["hand"], table.hand_number + 1)
        _expect("an earlier game that is over", not table.game or ledger.game_over(table), True)
        _expect("another game to play", ledger.table_over(table), False)
        ledger.begin_game(table)

    def _hand(self, record: Record) -> RefoldedHand:
        ledger, table = self.ledger, self._table(record)
        _expect("a game under way", bool(table.game) and not ledger.game_over(table), True)
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
        _expect("a seat that is still to act", hand.to_act, None)
        _expect("faults that no hand was given up for", faults, {})
        settlement = hand.settle()
        _expect("payoffs", tuple(record["payoffs"]), settlement.payoffs)
        self._check_given_up(players, steps, table.hand_number)
        self._note(players, steps)
        ledger.finish(table, PlayedHand(players, [tuple(action) for action in record["actions"]], hand.pot, settlement))
        _expect("chips at the table", table.match.total, total)
        return RefoldedHand(
            self.records, table.number, table.hand_number, table.game, tuple(players), tuple(steps), hand, settlement
        )

    def _check_given_up(self, players: Sequence[Player], steps: Sequence[Step], hand: int) -> None:
        """The dealer gives up a hand for a fault, for who has left, and for who was away; for nobody else."""
        for step in steps:
            player = players[step.seat]
            excused = player.left is not None or player in self._away or self._seen_away.get(player) == hand
            if step.action is None and step.fault is None and not excused:
                raise ValueError(f"seat {step.seat} gave up its hand without a reply, a fault or an absence")

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
        _expect("a player who still plays", player.left, None)
        before, under_way = self._hands_around(player)
        _expect("hand", record["hand"] in (before, under_way), True)
        in_hand = record["hand"] == under_way
        stacks = table.match.stacks if in_hand else table.stacks_before
        _expect("chips", record["chips"], stacks[table.players.index(player)])
        self.ledger.leave(player, record["hand"], record["chips"], record["reason"])
        if record["kind"] is not None:
            self._last_faults[player] = Fault(FaultKind(record["kind"]), record["reason"])
        if not in_hand:
            self.ledger.tidy(table)

    def _presence(self, record: Record) -> None:
        player = self._player(record)
        _expect("hand", record["hand"] in self._hands_around(player), True)
        self._seen_away[player] = record["hand"]
        if record["type"] == "away":
            self._away.add(player)
        else:
            self._away.discard(player)

    def _void(self, record: Record) -> None:
        table = self._table(record)
        _expect("hand", record["hand"], table.hand_number + 1)
        self.ledger.void(table)
        for player in table.players:
            if player.left_in == table.hand_number and player in self._last_faults:
                player.faults.append(self._last_faults[player])  # its own record went with the hand

    def _end(self, record: Record) -> None:
        for told, standing in zip(record["standings"], self.ledger.standings(), strict=True):
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
            return StudGame(start["stack"], start["ante"])
        case BlockheadGame.name:
            return BlockheadGame(start["stack"], start["hands"], start["ranks"])
    raise ValueError(f"this program does not know the game {start['game']!r}")


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
