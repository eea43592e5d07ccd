"""Shows and levels by the clock: their plans, actions that can be seen, and the same results at any pace."""

from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import trio
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dealer.faults import FaultKind
from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.ledger.ledger import Ledger
from dealer.net.stalls import Stalls
from dealer.settings import Settings
from dealer.tournament.between_hands import LevelClock
from dealer.tournament.opening import ResumedTournament
from dealer.tournament.show_plan import SLOW_SECONDS, Outlook, ShowPlan, seconds_left
from dealer.tournament.tempo import Tempo
from protocol.games.level_table import LevelTable
from protocol.games.stud import StudGame
from tests.dealer.support.recorded import clients_by_chance, read_records, rebuilt
from tests.dealer.support.rig import SEED, good_clients, open_rig
from tests.dealer.support.scribe import players

#: Seconds that the hand itself takes.
OWN_SECONDS = 0.002

#: Whole tournaments are simulated; more of them take seconds.
FEW = settings(max_examples=20)

MINUTES = st.floats(1, 60)
FACTORS = st.floats(0.1, 10)


@dataclass(frozen=True)
class Simulated:
    """A tournament whose players go out by chance, as a show paced it.

    Attributes:
        seconds: its length.
        hands: the time of each hand.
    """

    seconds: float
    hands: list[float]


def simulate(length: float, players: int, tables: int, hands: int | None, chance: float, seed: int) -> Simulated:
    """Play until one is left or the hands are played.

    Args:
        length: of the show, in seconds.
        players: who begin.
        tables: at which they begin.
        hands: at most; None for a tournament that ends with its last player.
        chance: that a player goes out in a hand of a table; 0 for a tournament in which nobody does.
        seed: of chance.
    """
    random, plan, size = Random(seed), ShowPlan(length), -(-players // tables)
    playing, seconds, times = players, 0.0, list[float]()
    while playing > 1 and (hands is None or len(times) < hands):
        played, open_tables = len(times), -(-playing // size)
        left = None if hands is None else hands - played
        outlook = Outlook(
            played,
            left,
            in_round=played,
            players=players,
            playing=playing,
            tables=tables,
            open_tables=open_tables,
            eliminates=chance > 0,
        )
        times.append(plan.hand_seconds(length - seconds, outlook))
        seconds += times[-1] + OWN_SECONDS
        for _ in range(open_tables):
            playing -= playing > 1 and random.random() < chance
    return Simulated(seconds, times)


@FEW
@given(MINUTES, st.integers(2, 200), st.integers(60, 1500), st.randoms())
def test_a_show_of_agreed_hands_is_as_long_as_planned(minutes: float, players: int, hands: int, random: Random) -> None:
    length = min(60 * minutes, hands * SLOW_SECONDS)
    shown = simulate(length, players, random.randint(1, max(1, min(20, players // 2))), hands, 0.0, 0)
    assert abs(shown.seconds - length) <= 0.15 * length


@FEW
@given(MINUTES, st.integers(3, 20), st.integers(8, 10), st.floats(0.004, 0.1), st.integers(0, 10**6))
@example(10.0, 20, 10, 0.1, 1)
def test_a_show_with_knock_outs_at_many_tables_is_as_long_as_planned(
    minutes: float, tables: int, seats: int, chance: float, seed: int
) -> None:
    shown = simulate(60 * minutes, tables * seats, tables, None, chance, seed)
    slow_enough = len(shown.hands) * SLOW_SECONDS >= 1.2 * 60 * minutes
    assert shown.seconds <= 1.15 * 60 * minutes
    assert shown.seconds >= 0.85 * 60 * minutes or not slow_enough


@FEW
@given(MINUTES, st.integers(2, 10), st.sampled_from([None, 200, 1000]), st.floats(0.004, 0.3), st.integers(0, 10**6))
def test_a_show_at_one_table_never_lasts_longer_than_planned(
    minutes: float, players: int, hands: int | None, chance: float, seed: int
) -> None:
    """It may end sooner: nobody can foresee when the last of a few players goes out."""
    assert simulate(60 * minutes, players, 1, hands, chance, seed).seconds <= 1.15 * 60 * minutes


@given(st.integers(2, 200), st.integers(2, 1000), st.floats(0, 0.1), st.integers(0, 10**6))
def test_the_first_hands_take_four_to_six_seconds(players: int, hands: int, chance: float, seed: int) -> None:
    shown = simulate(600, players, -(-players // 10), hands, chance, seed)
    assert all(4 <= seconds <= 6 for seconds in shown.hands[:18])


@st.composite
def outlooks(draw: st.DrawFn) -> Outlook:
    players = draw(st.integers(2, 200))
    tables = draw(st.integers(1, 20))
    return Outlook(
        hands=draw(st.integers(0, 1000)),
        hands_left=draw(st.integers(0, 1000)),
        stakes_left=draw(st.none() | st.integers(0, 1000)),
        later=draw(st.integers(0, 100)),
        in_round=draw(st.integers(0, 1000)),
        players=players,
        playing=draw(st.integers(1, players)),
        tables=tables,
        open_tables=draw(st.integers(1, tables)),
        eliminates=draw(st.booleans()),
    )


@given(MINUTES, FACTORS, outlooks(), st.floats(-1000, 0))
def test_an_overdue_show_never_waits(minutes: float, factor: float, outlook: Outlook, left: float) -> None:
    assert ShowPlan(60 * minutes, factor).hand_seconds(left, outlook) == 0


@given(MINUTES, FACTORS, outlooks(), st.floats(0.01, 3600))
def test_a_hand_takes_no_more_than_is_left(minutes: float, factor: float, outlook: Outlook, left: float) -> None:
    assert 0 <= ShowPlan(60 * minutes, factor).hand_seconds(left, outlook) <= min(left, 6 * factor)


def test_the_middle_is_faster_than_the_first_and_the_last_hands() -> None:
    hands = simulate(600, 6, 1, 200, 0.0, 0).hands
    assert max(hands[30:170]) < 3
    assert min(hands[:15]) >= 4
    assert min(hands[-10:]) >= 4


def test_the_last_table_and_two_last_players_are_slow() -> None:
    plan = ShowPlan(600)
    middle = Outlook(150, 300, in_round=150, players=6, playing=4, eliminates=True)
    assert plan.hand_seconds(150, middle) < 2
    assert plan.hand_seconds(150, replace(middle, playing=2)) >= 4
    middle = Outlook(100, None, in_round=100, players=24, playing=12, tables=3, open_tables=2, eliminates=True)
    assert plan.hand_seconds(200, middle) < 4
    assert plan.hand_seconds(200, replace(middle, playing=8, open_tables=1)) >= 4


def test_a_dealer_started_again_has_its_share_of_the_show_left() -> None:
    assert seconds_left(600, 100, Outlook(150, 50, finished=250, tables=1)) == 600 * 50 / 200
    assert seconds_left(600, 0, Outlook(0, 100)) == 600


def by_levels(*levels: dict[str, int], **options: Any) -> Settings:
    table = LevelTable.from_facts(levels)
    return Settings(SEED, StudGame(500, 1), levels=table, **options)


class Watch:
    """A clock set by hand, and the level clock that reads it."""

    def __init__(self, *levels: dict[str, int]) -> None:
        self.ledger = Ledger(by_levels(*levels, hands=9, rounds=2), players("A", "B"))
        self.tempo = Tempo(clock=lambda: self.seconds)
        self.level_clock = LevelClock(self.ledger, self.tempo)
        self.level_clock.clock = lambda: self.seconds
        self.seconds = 1000.0
        assert not self.level_clock.due()

    def due_after(self, seconds: float) -> bool:
        """Whether the level is over so much later."""
        self.seconds += seconds
        return self.level_clock.due()


def test_a_level_is_over_after_its_minutes() -> None:
    watch = Watch({"minutes": 2, "ante": 1}, {"minutes": 1, "ante": 2}, {"ante": 3})
    assert [watch.due_after(40) for _ in range(3)] == [False, False, True]
    watch.ledger.levels.begin_next()
    assert [watch.due_after(40) for _ in range(3)] == [False, False, True]
    watch.ledger.levels.begin_next()
    assert not watch.due_after(10**6), "the last level stays"


def test_hands_and_minutes_may_take_turns() -> None:
    watch = Watch({"hands": 5, "ante": 1}, {"minutes": 1, "ante": 2}, {"ante": 3})
    assert not watch.due_after(10**6)
    watch.ledger.levels.begin_next()
    assert [watch.due_after(30) for _ in range(3)] == [False, False, True]


def test_a_pause_does_not_count() -> None:
    watch = Watch({"minutes": 1, "ante": 1}, {"ante": 2})
    watch.tempo.paused = True
    assert not watch.due_after(50), "the hand under way counts"
    assert not watch.due_after(3600)
    watch.tempo.paused = False
    assert not watch.due_after(3600), "the pause ended now"
    assert not watch.due_after(9)
    assert watch.due_after(1)


def test_a_round_begins_anew() -> None:
    watch = Watch({"minutes": 1, "ante": 1}, {"ante": 2})
    assert not watch.due_after(50)
    watch.ledger.begin_round()
    assert not watch.due_after(50)
    assert not watch.due_after(50)
    assert watch.due_after(10)


async def test_the_hands_of_a_tournament_go_by_the_clock(tmp_path: Path, autojump_clock: object) -> None:
    """A hand takes 20 seconds, so that three of them take a minute."""
    settings = by_levels({"minutes": 1, "ante": 1}, {"minutes": 2, "ante": 2}, {"ante": 4}, hands=12)
    path = tmp_path / "a.journal"
    async with open_journal(AppendFile.create(path)) as journal, open_rig(settings, journal=journal) as rig:
        await rig.admit(*good_clients(2))
        tournament = rig.begin()
        clock = SimpleNamespace(clock=lambda: 20.0 * tournament.hands_finished, listen=lambda listener: None)
        tournament.heed_stalls(cast(Stalls, clock))
        await tournament.run()
    hands = [record for record in read_records(path) if record["type"] == "hand"]
    assert [record["level"] for record in hands] == [1] * 3 + [2] * 6 + [3] * 3
    assert all(record["pot"] >= 2 * 4 for record in hands[9:])
    assert rebuilt(path).ledger.levels.level == 3


def show_settings(hands: int, **options: Any) -> Settings:
    return Settings(SEED, StudGame(500, 1), hands=hands, **options)


async def played(path: Path, hands: int, length: float | None) -> tuple[float, list[Any]]:
    """A tournament of three players who play by chance: its seconds, and its records of hands without times."""
    async with open_journal(AppendFile.create(path)) as journal, open_rig(show_settings(hands), journal=journal) as rig:
        await rig.admit(*clients_by_chance(3))
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
    async with open_rig(show_settings(2, limit=0.3)) as rig:
        await rig.admit(*good_clients(2))
        tournament = rig.begin()
        tournament.begin_with = lambda: tournament.set_length(600)
        await tournament.run()
    assert FaultKind.LATE not in {fault.kind for player in tournament.players for fault in player.faults}
    assert tournament.hands_finished == 2


async def test_the_actions_of_a_slow_hand_are_apart(tcp_clock: object) -> None:
    async with open_rig(show_settings(2)) as rig, trio.open_nursery() as nursery:
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
    async with open_journal(AppendFile.create(path)) as journal, open_rig(show_settings(12), journal=journal) as rig:
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
