"""A tournament shown again from its journal: every hand, action by action, at the host's tempo."""

from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, NotStartedError, OptionError
from dealer.replay.phh.command import import_files
from dealer.tournament.opening import NewTournament
from dealer.tournament.replayed_tournament import ReplayedTournament
from dealer.tournament.scene import Scene
from protocol.games.holdem import HoldemGame
from tests.dealer.replay.test_phh_import import DWAN_IVEY, toml
from tests.dealer.support.holdem_journals import write_league
from tests.dealer.support.recorded import read_records
from tests.dealer.support.stage import NearBoard
from tests.dealer.web.test_page_secrets import parts

#: Seconds between two looks at a replay; every action is shown for longer in a slow one.
LOOK = 0.02

#: Nobody goes out, so all hands are played.
GAME = HoldemGame.from_facts({"reset_stacks": 1})

#: What was seen of a table: the number of the hand, and its actions so far.
Sight = tuple[int, int]


async def watch(tournament: ReplayedTournament, seconds: float = 60.0) -> dict[int, list[Sight]]:
    """Let a replay run as a show of so many seconds; what was seen at each table, without repetitions."""
    seen: dict[int, list[Sight]] = defaultdict(list)
    tournament.tempo.begin_show(seconds)

    async def look() -> None:
        while True:
            for number, table in tournament.runs.items():
                if table.in_play is None:
                    continue
                sight = table.in_play.deal.number, len(table.in_play.actions)
                if seen[number][-1:] != [sight]:
                    seen[number].append(sight)
                stacks = tournament.ledger.stacks()
                before = [stacks[tournament.players[player]] for player in table.in_play.deal.players]
                assert before == list(table.in_play.deal.match.stacks), "nobody sees how the hand will end"
            await trio.sleep(LOOK)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        await tournament.run()
        nursery.cancel_scope.cancel()
    return seen


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Six hands at one table."""
    return write_league(tmp_path / "a.journal", Random(3), GAME, hands=6, one_table=True)


def hands(path: Path) -> list[dict[str, Any]]:
    return [record for record in read_records(path) if record["type"] == "hand"]


async def test_every_action_of_every_hand_is_shown_in_order(journal: Path, autojump_clock: MockClock) -> None:
    tournament = ReplayedTournament(journal)
    seen = await watch(tournament)
    expected = [(hand["hand"], count) for hand in hands(journal) for count in range(len(hand["actions"]) + 1)]
    assert seen == {0: expected}
    rebuild = LedgerRebuild(journal)
    assert len(list(rebuild.hands())) == tournament.hands_finished
    assert [(place.player.id, place.chips) for place in tournament.standings()] == [
        (place.player.id, place.chips) for place in rebuild.ledger.standings()
    ]
    assert tournament.over
    assert tournament.ended == rebuild.ended


async def test_pause_step_and_end(journal: Path, autojump_clock: MockClock) -> None:
    tournament = ReplayedTournament(journal)
    tournament.pause()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tournament.run)
        await trio.sleep(100)
        assert tournament.hands_finished == 0
        tournament.step()
        await trio.sleep(100)
        assert tournament.hands_finished == 1
        tournament.resume()
        tournament.set_pace(5.0)
        await trio.sleep(7)
        assert 1 < tournament.hands_finished < 6
        tournament.stop_after_hand()
    assert tournament.hands_finished < 6


async def test_replay_begins_with_a_hand(journal: Path, autojump_clock: MockClock) -> None:
    seen = await watch(ReplayedTournament(journal, 4))
    assert {hand for hand, _ in seen[0]} == {4, 5, 6}
    last = len(hands(journal))
    with pytest.raises(OptionError, match=f"there is no hand 99 in .*: hands count from 1 to {last}"):
        await ReplayedTournament(journal, 99).run()


async def test_tables_are_shown_side_by_side(tmp_path: Path, autojump_clock: MockClock) -> None:
    path = write_league(tmp_path / "a.journal", Random(2), GAME, hands=4)
    tables = {hand["table"] for hand in hands(path)}
    assert len(tables) == 2
    together = 0
    tournament = ReplayedTournament(path)
    tournament.tempo.begin_show(60)
    async with trio.open_nursery() as nursery:

        async def run() -> None:
            await tournament.run()
            nursery.cancel_scope.cancel()

        nursery.start_soon(run)
        while True:
            together += sum(table.in_play is not None for table in tournament.runs.values()) == 2
            await trio.sleep(LOOK)
    assert together
    assert tournament.hands_finished == len(hands(path))


async def test_imported_hands_are_shown_without_a_seed(tmp_path: Path, autojump_clock: MockClock) -> None:
    file, path = tmp_path / "a.phhs", tmp_path / "a.journal"
    file.write_text(toml(DWAN_IVEY), "utf-8")
    assert import_files([file], as_json=True, journal=path) == 0
    tournament = ReplayedTournament(path)
    assert tournament.imported
    scene = Scene(NewTournament(tournament.settings, len(tournament.players)), tournament=tournament)
    board = NearBoard(scene)
    with board.watched(None, "127.0.0.1"):
        seen = await watch(tournament)
        board.look()
        told = parts(board.since(0, None))
    assert [count for _, count in seen[0]] == list(range(len(hands(path)[0]["actions"]) + 1))
    assert told["scene"]["phase"] == "over"
    assert told["scene"]["replay"] == "a.journal"
    assert told["scene"]["seed"] is None
    assert told["table"]["over"]
    assert not {row["state"] for row in told["board"]["rows"]} & {"away"}
    assert [0, "bets 90000", None] in told["table"]["log"]


async def test_damaged_journal_is_shown_up_to_the_damage(journal: Path, autojump_clock: MockClock) -> None:
    data = journal.read_bytes()
    journal.write_bytes(data[: len(data) * 2 // 3])
    tournament = ReplayedTournament(journal)
    with pytest.raises(JournalError):
        await tournament.run()
    assert 0 < tournament.hands_finished < 6
    journal.write_bytes(b"")
    with pytest.raises(NotStartedError):
        ReplayedTournament(journal)
