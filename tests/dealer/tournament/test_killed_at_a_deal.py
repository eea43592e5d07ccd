"""A dealer killed at the first question of a hand voids it when it resumes, and never deals its cards again."""

from functools import partial
from pathlib import Path

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import TornError
from dealer.journal.batches import read_journal
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.played_hand import Deal
from dealer.ledger.table_state import TableState
from dealer.settings import Settings
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.dealer.support import inspected
from tests.dealer.support.inspected import LIMIT, InspectedLedger, Played, play_in_process
from tests.dealer.support.rig import SEED, Client, by_chance

#: What a dealer has in its memory when it deals to a table: level, hand, and who is dealt in.
Dealt = tuple[int, int, list[int]]


def as_a_resumed_dealer_sees_it(path: Path, table: int) -> Dealt | None:
    """What would be dealt at a table if the dealer died now and another one read its journal; None for no hand."""
    rebuild = LedgerRebuild(path)
    try:
        for record in read_journal(path):
            rebuild.take(record)
    except TornError:
        pass  # the thread of the journal is writing
    if rebuild.start is None:
        return None
    under_way = {state.number: state for state in rebuild.ledger.hands_under_way()}
    if table not in under_way:
        return None
    state = under_way[table]
    return rebuild.ledger.levels.level, state.hand_number + 1, [player.number for player in state.seated]


class KilledAtEachDeal(InspectedLedger):
    """Reads its journal at every deal, as a dealer would that resumes from it.

    Attributes:
        path: of the journal.
        again: the numbers of tables and hands that such a dealer would deal again.
    """

    path: Path

    def begin_inspection(self) -> None:
        super().begin_inspection()
        self.again: list[tuple[int, int]] = []

    def deal(self, table: TableState, places: bytes, level: int | None = None) -> Deal:
        deal = super().deal(table, places, level)
        if as_a_resumed_dealer_sees_it(self.path, table.number) != (self.levels.level, deal.number, list(deal.players)):
            self.again.append((table.number, deal.number))
        return deal


async def play(path: Path, agreed: Settings, count: int) -> Played:
    clients = [Client(Name(f"p-{number}", f"P {number}"), by_chance(number)) for number in range(count)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inspected, "InspectedLedger", KilledAtEachDeal)
        patch.setattr(KilledAtEachDeal, "path", path, raising=False)
        async with open_journal(AppendFile.create(path)) as journal:
            played = await play_in_process(agreed, clients, journal)
    assert isinstance(played.ledger, KilledAtEachDeal)
    assert played.ledger.again == []
    return played


@settings(max_examples=15)
@given(
    players=st.integers(4, 12),
    size=st.integers(2, 4),
    stack=st.integers(4, 20),
    levels=st.integers(1, 6),
    rounds=st.integers(1, 2),
)
def test_journal_knows_of_every_hand_before_it_is_dealt(
    players: int, size: int, stack: int, levels: int, rounds: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    agreed = Settings(SEED, StudGame(stack, 1), 10**6, limit=LIMIT, table_size=size, levels=levels, rounds=rounds)
    path = tmp_path_factory.mktemp("killed") / "a.journal"
    trio.run(partial(play, path, agreed, players))


async def test_table_that_was_sent_a_player_deals_when_the_move_is_on_the_disk(tmp_path: Path) -> None:
    """Antes rise, players go from table to table, and everybody sits down anew for a second round."""
    agreed = Settings(SEED, StudGame(12, 1), 10**6, limit=LIMIT, table_size=3, levels=4, rounds=2)
    played = await play(tmp_path / "a.journal", agreed, 9)
    assert played.ledger.moves > 2
