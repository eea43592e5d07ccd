"""A journal that is read again leads to the very ledger that its dealer had."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import JournalError, RebuildError, TornError
from dealer.faults import FaultKind
from dealer.ledger.ledger import Ledger
from dealer.settings import FormatName, LeagueWords, OpenPorts, Settings
from dealer.tournament.opening import reopen_journal
from protocol.games.blockhead import BlockheadGame
from protocol.games.game import Game
from protocol.games.stud import StudGame, StudTurn
from tests.bad_bots import manners, replies
from tests.dealer.support.raw_records import play_of
from tests.dealer.support.recorded import (
    batch_ends,
    clients_by_chance,
    erratic,
    facts,
    play_on,
    play_recorded,
    read_records,
    rebuilt,
    run_at_once,
    write_records,
)
from tests.dealer.support.rig import SEED, BadBot, Client

STUD = Settings(SEED, hands=60, game=StudGame(40, 2), table_size=3)
BLOCKHEAD = Settings(SEED, BlockheadGame(200, 4), hands=4, games=5, table_size=3, lives=2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.journal"


@pytest.mark.parametrize(
    ("settings_", "bot", "faults"),
    [
        pytest.param(STUD, None, [], id="stud at three tables"),
        pytest.param(STUD, replies.bets_too_much, ["illegal"], id="an illegal bet"),
        pytest.param(replace(STUD, lives=3), replies.late, ["late"] * 3, id="too late"),
        pytest.param(replace(STUD, lives=3), manners.flood, ["unasked"] * 3, id="three lives"),
        pytest.param(STUD, manners.leaves_when_asked, ["gone"], id="a lost connection"),
        pytest.param(STUD, replies.quits, ["quit"], id="a player who quits"),
        pytest.param(STUD, replies.oversized, ["oversized"], id="an oversized reply"),
        pytest.param(replace(STUD, rejoin=5.0), manners.leaves_when_asked, [], id="never back"),
        pytest.param(replace(STUD, rejoin=5.0, lives=2), replies.malformed, ["malformed", "late"], id="lives"),
        pytest.param(BLOCKHEAD, None, [], id="games of blockhead"),
        pytest.param(BLOCKHEAD, manners.flood, ["unasked"] * 2, id="faults in games"),
        pytest.param(replace(BLOCKHEAD, table_size=6), manners.leaves_when_asked, ["gone"], id="six at a table"),
        pytest.param(replace(BLOCKHEAD, game=BlockheadGame(90, 4, "poker")), None, [], id="real poker hands"),
        pytest.param(replace(BLOCKHEAD, games=2, duplicate=True), None, [], id="duplicate games"),
        pytest.param(
            replace(STUD, hands=1, games=3, duplicate=True), replies.malformed, ["malformed"], id="duplicate hands"
        ),
    ],
)
async def test_rebuilt_ledger_equals_the_live_one(
    settings_: Settings, bot: BadBot | None, faults: list[str], path: Path, tcp_clock: MockClock
) -> None:
    bots = [bot] if bot else []
    played = await play_recorded(path, [*clients_by_chance(6 - len(bots)), *bots], settings_)
    rebuild = rebuilt(path)
    assert rebuild.ended
    assert facts(rebuild.ledger) == facts(played.tournament.ledger)
    if bot:
        assert played.faults("bad") == faults
        assert played.peers[0].done is not None or not faults or faults == ["gone"]


async def test_every_decision_of_the_live_players_is_a_step(path: Path, tcp_clock: MockClock) -> None:
    clients = clients_by_chance(4)
    await play_recorded(path, [*clients, replies.bets_too_much], replace(STUD, table_size=5))
    rebuild = LedgerRebuild(path)
    hands = list(rebuild.hands())
    asked = {client.name.id: [turn for turn in client.heard if isinstance(turn, StudTurn)] for client in clients}
    views: dict[str, list[object]] = {id_: [] for id_ in [*asked, "bad"]}
    for hand in hands:
        for step, after in zip(hand.steps, [*(step.before for step in hand.steps[1:]), hand.last], strict=True):
            views[hand.players[step.seat].id].append(step.before.view(step.seat))
            taken = step.before.concede() if step.action is None else step.before.apply(step.action)
            assert taken == after
        assert hand.last.settle() == hand.settlement
    assert {id_: views[id_] for id_ in asked} == asked
    ((wrong, seconds, fault),) = [
        (step.action, step.seconds, step.fault) for hand in hands for step in hand.steps if step.action is None
    ]
    assert (wrong, seconds) == (None, None)
    assert fault is not None
    assert fault.kind is FaultKind.ILLEGAL
    assert "more than 10 above" in fault.reason
    assert [hand.record for hand in hands] == [
        number for number, told in enumerate(read_records(path), 1) if told["type"] == "hand"
    ]


async def test_journal_at_its_limit_ends_whole_after_a_hand(path: Path, tcp_clock: MockClock) -> None:
    played = await play_recorded(path, clients_by_chance(3), STUD, journal_limit=1000)
    rebuild = rebuilt(path)
    assert rebuild.ended
    assert 1 <= played.tournament.hands_finished < 60
    assert facts(rebuild.ledger) == facts(played.tournament.ledger)


async def test_fault_in_a_void_hand_counts_on_resume_and_verify(path: Path, tcp_clock: MockClock) -> None:
    """The dealer dies when the player is out, and the others still play the hand."""
    await play_recorded(path, [*clients_by_chance(3), replies.bets_too_much], replace(STUD, table_size=4))
    records = play_of(path)
    out = next(number for number, told in enumerate(records) if told["type"] == "out")
    assert (records[out]["hand"], records[out + 1]["type"]) == (1, "hand")
    write_records(path, records[: out + 1])
    played = await play_on(path)
    rebuild = rebuilt(path)
    assert facts(rebuild.ledger) == facts(played.tournament.ledger)
    assert played.faults("bad") == ["illegal"]
    assert "void" in [told["type"] for told in read_records(path)]


GAMES = st.one_of(
    st.builds(StudGame, st.integers(5, 60), st.integers(1, 5)),
    st.builds(BlockheadGame, st.integers(1, 100), st.integers(1, 4), st.sampled_from(["blockhead", "poker"])),
)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[Settings, list[Client | BadBot]]:
    """Any small tournament, and who plays it."""
    game: Game = draw(GAMES)
    blockhead = isinstance(game, BlockheadGame)
    format_ = draw(st.sampled_from(get_args(FormatName)))
    freezeout = format_ == "freezeout"
    levels = draw(st.none() | st.integers(1, 3)) if freezeout and not blockhead else None
    agreed = Settings(
        draw(st.binary(min_size=32, max_size=32)),
        game,
        hands=game.hands if isinstance(game, BlockheadGame) else draw(st.integers(1, 12)),
        games=draw(st.integers(1, 3)) if blockhead or not freezeout else 1,
        lives=draw(st.integers(1, 3)),
        table_size=draw(st.integers(2, 4)),
        rejoin=draw(st.none() | st.just(3.0)),
        duplicate=blockhead and freezeout and draw(st.booleans()),
        levels=levels,
        format=format_,
        rounds=draw(st.none() | st.integers(1, 3)) if format_ != "round-robin" else None,
        origin=draw(
            st.none()
            | st.builds(LeagueWords, st.just(("stud",)), st.just(("java {port}",)), st.booleans())
            | st.just(OpenPorts("::", {"port": 4000, "people_port": 4002}))
        ),
    )
    bots: list[BadBot] = [
        erratic(seed, game.name) for seed in draw(st.lists(st.integers(0, 10**6), max_size=4, unique=True))
    ]
    return agreed, [*clients_by_chance(draw(st.integers(2, 3))), *bots]


by_sockets = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@by_sockets
@given(tournament=tournaments())
def test_any_tournament_is_rebuilt(
    tournament: tuple[Settings, list[Client | BadBot]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("played") / "a.journal"
    played = run_at_once(partial(play_recorded, path, tournament[1], tournament[0]))
    rebuild = rebuilt(path)
    assert facts(rebuild.ledger) == facts(played.tournament.ledger)
    assert rebuild.ended


#: Which batch is the last whole one, how much of the next is torn, and who does not come back; all modulo.
CRASHES = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.sets(st.integers(0, 6), max_size=2))


@by_sockets
@given(tournament=tournaments(), crashes=st.lists(CRASHES, min_size=1, max_size=3))
def test_tournament_resumes_and_rebuilds_after_any_crash(
    tournament: tuple[Settings, list[Client | BadBot]],
    crashes: list[tuple[int, int, set[int]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The file is cut off behind any batch, and any part of the next is torn; more than once."""
    path = tmp_path_factory.mktemp("crashed") / "a.journal"
    run_at_once(partial(play_recorded, path, tournament[1], tournament[0]))
    for last, more, missing in crashes:
        start, *ends = batch_ends(path)
        whole, behind = choice(list(pairwise([start, *ends])), last)
        torn = more % (behind - whole)
        path.write_bytes(path.read_bytes()[: whole + torn])
        players = refold_torn(path).players
        absent = {players[number].id for number in missing if number < len(players)}
        played = run_at_once(partial(play_on, path, absent))
        rebuild = rebuilt(path)
        assert facts(rebuild.ledger) == facts(played.tournament.ledger)
        assert rebuild.ended


def choice(values: list[tuple[int, int]], number: int) -> tuple[int, int]:
    return values[number % len(values)]


def refold_torn(path: Path) -> Ledger:
    """What a journal tells whose end may be torn."""
    rebuild = LedgerRebuild(path)
    with suppress(TornError):
        for _ in rebuild.hands():
            pass
    return rebuild.ledger


async def resumed_with_old_decks(path: Path) -> None:
    """Played and resumed by a dealer of version 6, which shuffles decks after a resumption as before."""

    def resume(ledger: Ledger) -> None:
        ledger.stopped = False

    await play_recorded(path, clients_by_chance(4), STUD)
    records = read_records(path)
    third = [told["type"] for told in records].index("hand") + 3
    write_records(path, records[:third])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ledger, "resume", resume)
        await play_on(path)


async def test_journal_of_version_6_is_read_but_not_played_on(path: Path, tcp_clock: MockClock) -> None:
    await resumed_with_old_decks(path)
    start, *rest = read_records(path)
    assert [told["type"] for told in rest].count("hand") > 3
    with pytest.raises(RebuildError, match=r"hand.*: deck: expected"):
        rebuilt(path)  # a dealer of version 7 may not deal like this
    write_records(path, [{**start, "version": 6}, *rest])
    assert rebuilt(path).ended
    with pytest.raises(JournalError, match="this journal is of version 6, and only one of version 7 can be played on"):
        reopen_journal(path)


def test_record_of_a_later_version_is_named(path: Path) -> None:
    write_records(path, [{"type": "events", "events": []}])
    with pytest.raises(RebuildError, match=r"record 1: .*'events', which this program does not know; a newer one may"):
        rebuilt(path)
