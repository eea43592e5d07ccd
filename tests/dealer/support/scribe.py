"""Journals written without a dealer: the same bytes each time, reply times included."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dealer.faults import Fault
from dealer.journal.batches import NO_HEAD, pack_batch
from dealer.journal.records import VERSION, pack_record
from dealer.ledger.columns import facts_of
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import Settings
from dealer.tournament.between_hands import broke_text
from protocol.events import FOLD_CHIPS
from protocol.games.base import Action, Bet
from protocol.shuffle import commitment
from tests.dealer.support.raw_records import pack_raw

#: What came of a question: an action, a fault, or nobody who could have answered.
Answer = Action | Fault | None

#: What came of a player's turn.
Answers = Callable[[Player, Any], Answer]


def players(*avatars: str) -> list[Player]:
    """Players ``p0``, ``p1`` and so on with these avatars."""
    return [Player(f"p{number}", avatar, "a program") for number, avatar in enumerate(avatars)]


@dataclass
class Scribe:
    """Plays through a ledger, and keeps the record a dealer would have written of every step."""

    settings: Settings
    players: Sequence[Player]
    batches: list[bytes] = field(default_factory=list)
    _head: bytes = NO_HEAD
    _replies: int = 0

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.settings, self.players)
        facts = {
            "version": VERSION,
            "started": 0.0,
            "game": self.settings.game.name,
            "hands": self.settings.hands,
            **self.settings.game.facts,
            "commitment": commitment(self.settings.seed),
            "players": [{"id": p.id, "avatar": p.avatar, "program": p.program, "proof": p.proof} for p in self.players],
            "origin": None,
            "acpc_terms": self.settings.acpc and asdict(self.settings.acpc),
        }
        agreed = asdict(self.settings) | {"levels": self.settings.levels_record}
        others = ("game", "hands", "origin", "acpc")
        same = [name for name in agreed if name not in others]
        self.record("start", **facts, **{name: agreed[name] for name in same})

    def record(self, type_: str, **facts: Any) -> None:
        """One record, in a batch of its own."""
        self._write(pack_raw(type_, facts))

    def _write(self, packed: bytes) -> None:
        batch, self._head = pack_batch(packed, self._head)
        self.batches.append(batch)

    def game(self, table: int = 0) -> None:
        state = self.ledger.seating.tables[table]
        self.ledger.begin_game(state)
        self.record("game", table=table, game=state.game, hand=state.hand_number + 1)

    def hand(self, answers: Answers, table: int = 0) -> None:
        """The next hand of a table. Who is at fault is out, as with one life."""
        ledger, state = self.ledger, self.ledger.seating.tables[table]
        state.settle()
        seated, deck = state.seated, ledger.next_deck(state)
        deal = ledger.deal(state, deck)
        hand, notes = deal.begin(self.settings.game), HandRecord(deal, [], [])
        while (seat := hand.to_act) is not None:
            player = seated[seat]
            answer = answers(player, hand.view(seat)) if player.left is None else None
            if answer is None or isinstance(answer, Fault):
                checks = self.settings.acpc is not None and not hand.legal().to_call
                notes.actions.append((seat, 0 if checks else FOLD_CHIPS, None))
                if answer is not None:
                    notes.faults.append((seat, answer.kind, answer.reason))
                    player.faults.append(answer)
                    player.lives -= 1
                    self.out(player, f"you are out: {answer.reason}", answer.kind.value)
                hand = hand.apply(Bet(0)) if checks else hand.concede()
            else:
                self._replies += 1
                microseconds = 37_129 * self._replies % 1_300_000
                notes.actions.append((seat, answer.amount if isinstance(answer, Bet) else FOLD_CHIPS, microseconds))
                hand = hand.apply(answer)
        played = PlayedHand(notes, hand, hand.settle())
        self._write(pack_record(played.told))
        ledger.finish(state, played)
        self._part_with_broke(state)

    def _part_with_broke(self, state: TableState) -> None:
        ledger = self.ledger
        for player in ledger.broke(state):
            stack = state.match.stacks[state.players.index(player)]
            self.out(player, f"you are out: {broke_text(stack, ledger.levels.fee(state))}")
        ledger.tidy(state)

    def between_hands(self) -> None:
        """Do what happens between two hands, at all tables: antes rise, players move."""
        ledger = self.ledger
        if any(ledger.levels.due(table) for table in ledger.seating.round_tables):
            self.level()
        for state in ledger.seating.round_tables:
            state.settle()
            self._part_with_broke(state)
            while (move := ledger.seating.next_move(state)) is not None:
                self.move(*move)

    def play_round(self, answers: Answers) -> None:
        """All hands of a round, the tables in turn."""
        ledger = self.ledger
        for state in ledger.seating.round_tables:
            self.game(state.number)
        while not ledger.seating.round_over:
            self.between_hands()
            for state in ledger.seating.round_tables:
                state.settle()
                self._part_with_broke(state)
                if not ledger.seating.table_over(state) and ledger.seating.may_deal(state) and not state.game_over:
                    self.hand(answers, state.number)

    def move(self, player: Player, to: TableState) -> None:
        self.ledger.seating.move(player, to)
        self.record("move", player=player.number, table=to.number)

    def level(self) -> None:
        self.ledger.levels.begin_next()
        self.record("level", level=self.ledger.levels.level)
        for state in self.ledger.seating.round_tables:
            state.settle()
            self._part_with_broke(state)

    def round(self) -> None:
        """Everybody sits down anew."""
        ledger = self.ledger
        ledger.end_round()
        ledger.begin_round()
        seats = [[player.number for player in table.players] for table in ledger.seating.round_tables]
        self.record("round", round=ledger.seating.round, tables=seats)

    def desk(self, command: str, **facts: Any) -> None:
        self.record("desk", **{"command": command, "player": None, "seconds": None, "reason": None, **facts})

    def remove(self, player: Player, reason: str) -> None:
        """The host puts a player out between two hands."""
        self.desk("remove", player=player.number, reason=reason)
        self.out(player, f"you are out: {reason}", "removed")
        self.ledger.tidy(self.ledger.seating.table_of(player))

    def out(self, player: Player, reason: str, kind: str | None = None) -> None:
        """A player leaves, in the hand under way or after the last one."""
        state = self.ledger.seating.table_of(player)
        chips = state.chips_before(player)
        for_good = kind is not None or self.ledger.seating.round >= self.ledger.seating.rounds
        self.ledger.leave(player, state.hand_number, chips, reason, for_good=for_good)
        self._about(player, "out", chips=chips, kind=kind, reason=reason)

    def away(self, player: Player) -> None:
        self._about(player, "away")

    def back(self, player: Player) -> None:
        self._about(player, "back")

    def _about(self, player: Player, type_: str, **facts: Any) -> None:
        hand = self.ledger.seating.table_of(player).hand_number
        self.record(type_, player=list(self.players).index(player), hand=hand, **facts)

    def resume(self, table: int = 0) -> None:
        """The dealer is started again; the hand under way at a table is void."""
        state = self.ledger.seating.tables[table]
        self.record("resume", started=0.0, cut=0)
        self.ledger.resume()
        self.ledger.void(state)
        self.record("void", table=table, hand=state.hand_number)

    def end(self) -> None:
        self.record("end", standings=[facts_of(standing) for standing in self.ledger.standings()])

    def write(self, path: Path) -> Path:
        path.write_bytes(b"".join(self.batches))
        return path
