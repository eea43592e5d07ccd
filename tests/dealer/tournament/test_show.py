"""A show by the clock: as long as planned, with actions that can be seen, and the same results at any pace."""

from pathlib import Path
from typing import Any

import trio

from dealer.faults import FaultKind
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.settings import Settings
from dealer.tournament.opening import ResumedTournament
from dealer.tournament.show_plan import Outlook
from dealer.tournament.tempo import Tempo
from protocol.games.stud import StudGame
from tests.dealer.support.recorded import read_records, rebuilt
from tests.dealer.support.rig import SEED, by_chance, good_clients, open_rig


def settings(hands: int, **options: Any) -> Settings:
    return Settings(SEED, StudGame(500, 1), hands=hands, **options)


async def played(path: Path, hands: int, length: float | None) -> tuple[float, list[Any]]:
    """A tournament of three players who play by chance: its seconds, and its records of hands without times."""
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings(hands), journal=journal) as rig:
        clients = good_clients(3)
        for number, client in enumerate(clients):
            client.decide = by_chance(number)
        await rig.admit(*clients)
        tournament = rig.begin()
        if length is not None:
            tournament.begin_with = lambda: tournament.set_length(length)
        began = trio.current_time()
        await tournament.run()
        seconds = trio.current_time() - began
        assert not any(player.faults for player in tournament.players)
    facts = ("hand", "players", "deck", "stacks", "pot", "payoffs", "faults")
    records = [record for record in read_records(path) if record["type"] == "hand"]
    acts = [[action[:2] for action in record["actions"]] for record in records]
    return seconds, [[record[fact] for fact in facts] for record in records] + acts


async def test_a_show_lasts_as_planned_and_changes_no_result(tmp_path: Path, tcp_clock: object) -> None:
    seconds, shown = await played(tmp_path / "slow.journal", 12, 30.0)
    assert 0.85 * 30 <= seconds <= 1.15 * 30
    fast, same = await played(tmp_path / "fast.journal", 12, None)
    assert fast < 5
    assert shown == same


async def test_no_program_is_late_for_what_the_show_waits(tcp_clock: object) -> None:
    """Actions are seconds apart; programs have a fraction of that for their replies."""
    async with open_rig(settings(2, limit=0.3)) as rig:
        await rig.admit(*good_clients(2))
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(600)
        await tournament.run()
    assert FaultKind.LATE not in {fault.kind for player in tournament.players for fault in player.faults}
    assert tournament.hands_finished == 2


async def test_the_actions_of_a_slow_hand_are_apart(tcp_clock: object) -> None:
    async with open_rig(settings(2)) as rig, trio.open_nursery() as nursery:
        await rig.admit(*good_clients(2))
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(600)
        nursery.start_soon(tournament.run)
        await trio.sleep(0.3)
        (run,) = tournament.runs.values()
        assert run.in_play is not None
        assert not run.in_play.actions, "nobody is asked before the cards were seen"
        tournament.stop_after_hand()
        while not tournament.ended:
            await trio.sleep(0.05)
        assert trio.current_time() < 3, "a tournament that ends does not wait for viewers"


async def test_a_resumed_dealer_goes_on_with_the_show(tmp_path: Path, tcp_clock: object) -> None:
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings(12), journal=journal) as rig:
        await rig.admit(*good_clients(3))
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(40)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            while tournament.hands_finished < 6:
                await trio.sleep(0.05)
            tournament.suspend()
        assert tournament.suspended
    rebuild = rebuilt(path)
    assert rebuild.show == (40, 0)
    async with open_journal(None) as journal:
        left = ResumedTournament(rebuild, 0).begin(journal, (), None).tempo.show_left
    played = tournament.hands_finished
    assert left is not None
    assert abs(left - 40 * (12 - played) / 12) < 0.1


def test_a_pause_does_not_shorten_the_show() -> None:
    now = 0.0
    tempo = Tempo(lambda: Outlook(0, 10), clock=lambda: now)
    tempo.begin_show(60)
    now = 10.0
    tempo.paused = True
    now = 1000.0
    assert tempo.show_left == 50
    tempo.paused = False
    assert tempo.show_left == 50
    now = 1060.0
    assert tempo.show_left == -10
    assert tempo.due(1060.0) == 1060.0, "an overdue show does not wait"


def test_a_single_step_in_a_pause_is_slow_too() -> None:
    now = 0.0
    tempo = Tempo(clock=lambda: now)
    assert not tempo.may_wait
    assert tempo.action_wait(dealt=0.0, acted=0) == 0
    tempo.paused = True
    tempo.step()
    assert tempo.may_wait
    assert tempo.action_wait(dealt=0.0, acted=0) > 0
    tempo.paused = False
    assert not tempo.may_wait
    tempo.begin_show(600)
    assert tempo.may_wait
