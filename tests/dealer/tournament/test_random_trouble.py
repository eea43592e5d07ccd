"""Many tables and rounds in trouble, and a dealer killed at a deal: nothing is forgotten or dealt again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.errors import TornError
from dealer.journal.batches import read_journal
from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.ledger.formats.pairings import Pairings
from dealer.ledger.formats.points import WIN
from dealer.ledger.played_hand import Deal
from dealer.ledger.readmission import refusal
from dealer.ledger.table_state import TableState
from dealer.lobby.player import Player
from dealer.settings import FormatName, Settings
from dealer.tournament.opening import NewTournament, Opening, ResumedTournament, reopen_journal
from dealer.tournament.tournament import Tournament
from protocol.games.blockhead import BlockheadTurn
from protocol.games.stud import StudGame, StudTurn
from protocol.wire.codec import decode_command, encode
from protocol.wire.messages import Name
from tests.bad_bots.peer import Peer
from tests.dealer.support import inspected
from tests.dealer.support.inspected import LIMIT, InspectedLedger, Played, inspect, play_in_process
from tests.dealer.support.raw_records import play_of
from tests.dealer.support.recorded import (
    batch_ends,
    clients_by_chance,
    facts,
    play_on,
    play_recorded,
    read_records,
    rebuilt,
    run_at_once,
    write_records,
)
from tests.dealer.support.rig import SEED, Client, Decide, Rig, by_chance, open_rig

#: Commands of the host in a tournament, at most.
ORDERS = 6

#: Turns of the event loop between two commands, at most.
STEPS = 400


@dataclass(frozen=True)
class Trouble:
    """How much goes wrong.

    Attributes:
        seed: of all that happens by chance.
        hangs_up: how often a program hangs up and comes back, per reply; 0 where players cannot come back.
        errs: how often it makes a mistake that may put it out.
        orders: whether the host gives commands.
    """

    seed: int
    hangs_up: float
    errs: float
    orders: bool


async def play_with_trouble(path: Path, agreed: Settings, players: int, trouble: Trouble) -> Tournament:
    """A new tournament with a journal, to its end."""
    async with open_journal(AppendFile.create(path)) as journal:
        return await _play(NewTournament(agreed, players), journal, [f"p{n}" for n in range(players)], trouble)


async def resume_with_trouble(path: Path, trouble: Trouble, absent: int) -> Tournament:
    """Resume a tournament without some of its players."""
    reopened = reopen_journal(path)
    opening = ResumedTournament(reopened.rebuild, reopened.cut)
    back = [player.id for player in opening.wanted][absent:]
    async with open_journal(reopened.file) as journal:
        return await _play(opening, journal, back, trouble)


async def _play(opening: Opening, journal: Journal, ids: Sequence[str], trouble: Trouble) -> Tournament:
    async with open_rig(opening.settings, journal=journal, opening=opening) as rig:
        for number, id_ in enumerate(ids):
            expected = len(rig.lobby.players) + 1
            rig.nursery.start_soon(_play_erratically, rig, id_, trouble, Random(f"{trouble.seed}/{number}"))
            while len(rig.lobby.players) < expected:
                await rig.lobby.changed()
        tournament = rig.begin()
        inspect(tournament.ledger)
        if trouble.orders:
            rig.nursery.start_soon(_give_orders, rig, tournament, trouble)
        elif tournament.tempo.paused:
            tournament.resume()  # it was paused when the dealer died
        await tournament.run()
    return tournament


async def _play_erratically(rig: Rig, id_: str, trouble: Trouble, rng: Random) -> None:
    """A program that comes back until it is told that it is done."""
    decide = by_chance(rng.randrange(10**6))
    for _ in range(20):
        peer = Peer(await rig.connect())
        async with peer.stream:
            try:
                if not await _session(peer, rig.opening.settings.game.name, id_, decide, trouble, rng):
                    return
            except trio.BrokenResourceError:
                pass
        await trio.sleep(rng.choice([0, 0, 0.5, 2, 4]))


async def _session(peer: Peer, game: str, id_: str, decide: Decide, trouble: Trouble, rng: Random) -> bool:
    """Whether it wants to come back."""
    await peer.log_in(f"{id_}:{id_.upper()}")
    while (text := await peer.hear()) is not None:
        if text.startswith("done"):
            return False
        turn = decode_command(text, game)
        if not isinstance(turn, StudTurn | BlockheadTurn):
            continue
        if rng.random() < trouble.hangs_up:
            return True
        if rng.random() < trouble.errs:
            await peer.say(rng.choice(["nonsense", "quit", "bet:99999999"]))
        else:
            await peer.say(encode(decide(turn)))
    return True


async def _give_orders(rig: Rig, tournament: Tournament, trouble: Trouble) -> None:
    """Orders of a host, between any two steps of the dealer; a pause does not last."""
    rng = Random(trouble.seed)
    for _ in range(rng.randrange(ORDERS)):
        for _ in range(rng.randrange(STEPS)):
            await trio.lowlevel.checkpoint()
        if rng.random() < 0.2:
            await trio.sleep(rng.choice([0.5, 3.5]))
        if tournament.over or tournament.stopping or tournament.ledger.seating.over:
            break
        _order(tournament, rng)
        for player in _let_in(tournament, rng):
            rig.nursery.start_soon(_play_erratically, rig, player.id, trouble, Random(rng.random()))
    if tournament.tempo.paused and not tournament.over and not tournament.stopping:
        tournament.resume()  # another round may follow


def _let_in(tournament: Tournament, rng: Random) -> list[Player]:
    """Let some of those in again who were put out; not all of their programs are started again."""
    can_return = [player for player in tournament.players if refusal(tournament.ledger, player) is None]
    chosen = [player for player in can_return if rng.random() < 0.4 and not tournament.is_let_in(player)]
    for player in chosen:
        tournament.let_in(player)
    return [player for player in chosen if rng.random() < 0.8]


def _order(tournament: Tournament, rng: Random) -> None:
    here = [p for p in tournament.players if p.left is None and p not in tournament.removed]
    match rng.randrange(12):
        case 0:
            tournament.end()
        case 1 | 2:
            tournament.resume() if tournament.tempo.paused else tournament.pause()
        case 3 if tournament.settings.levels is not None:
            tournament.next_level()
        case 4:
            tournament.set_pace(rng.choice([0.0, 0.1]))
        case _ if here:
            tournament.remove(rng.choice(here), "by chance")


UNTIL_ONE_IS_LEFT = 10**6
FREEZEOUT = Settings(SEED, StudGame(40, 1), UNTIL_ONE_IS_LEFT, table_size=3, levels=3)

AGREED = st.one_of(
    st.builds(
        partial(replace, FREEZEOUT),
        game=st.builds(StudGame, st.sampled_from([6, 40, 200]), st.sampled_from([1, 5])),
        hands=st.sampled_from([10, UNTIL_ONE_IS_LEFT]),
        table_size=st.integers(2, 4),
        levels=st.integers(1, 6),
        rounds=st.sampled_from([None, 2, 3]),
        rejoin=st.sampled_from([None, 3.0]),
        lives=st.integers(1, 2),
    ),
    st.builds(
        partial(replace, FREEZEOUT, levels=None),
        hands=st.integers(1, 5),
        games=st.integers(1, 2),
        format=st.sampled_from(["round-robin", "swiss"]),
        rejoin=st.sampled_from([None, 3.0]),
    ),
)
TROUBLES = st.builds(
    Trouble, st.integers(0, 10**9), st.sampled_from([0, 0.02, 0.1]), st.sampled_from([0, 0.01, 0.05]), st.booleans()
)


def check(tournament: Tournament, path: Path) -> None:
    """The journal tells the same, and no chip of a freezeout is lost or made."""
    rebuild, ledger = rebuilt(path), tournament.ledger
    assert rebuild.ended
    assert facts(rebuild.ledger) == facts(ledger)
    if ledger.seating.sends_players:
        seated = sum(len(table.players) for table in ledger.seating.round_tables)
        assert (
            sum(table.match.total for table in ledger.seating.round_tables)
            == seated * ledger.settings.game.start(1).total
        )


#: Which batch is the last one on the disk, modulo their number; and how many do not come back.
DEATHS = st.tuples(st.integers(0, 10**6), st.integers(0, 2))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    agreed=AGREED,
    players=st.integers(2, 11),
    troubles=st.lists(TROUBLES, min_size=1, max_size=3),
    deaths=st.lists(DEATHS, min_size=2, max_size=2),
)
def test_no_player_is_lost_in_random_trouble(
    agreed: Settings,
    players: int,
    troubles: list[Trouble],
    deaths: list[tuple[int, int]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Every deal is inspected, nothing waits for ever, and so again after the dealer has died."""
    path = tmp_path_factory.mktemp("trouble") / "a.journal"
    check(run_at_once(partial(play_with_trouble, path, agreed, players, troubles[0])), path)
    for trouble, (last, absent) in zip(troubles[1:], deaths, strict=False):
        *ends, _ = batch_ends(path)
        path.write_bytes(path.read_bytes()[: ends[last % len(ends)]])
        check(run_at_once(partial(resume_with_trouble, path, trouble, absent)), path)


async def test_removal_recorded_before_a_crash_is_carried_out(tmp_path: Path, tcp_clock: MockClock) -> None:
    path = tmp_path / "a.journal"
    await play_recorded(path, clients_by_chance(3), replace(FREEZEOUT, game=StudGame(5000), levels=None, hands=20))
    records = read_records(path)
    third = [told["type"] for told in records].index("hand") + 3
    order = {"type": "desk", "command": "remove", "player": 1, "seconds": None, "reason": "two programs"}
    write_records(path, [*records[:third], order])
    played = await play_on(path)
    assert played.tournament.players[1].left == "you are out: two programs"
    assert played.standings[-1].player.id == "chance-1"
    check(played.tournament, path)


@pytest.mark.parametrize("agreed", [replace(FREEZEOUT, levels=None, hands=20), FREEZEOUT], ids=["hands", "levels"])
async def test_absent_player_keeps_its_place_after_its_last_hand(
    agreed: Settings, tmp_path: Path, tcp_clock: MockClock
) -> None:
    """The dealer dies between the last hand and the end."""
    path = tmp_path / "a.journal"
    await play_recorded(path, clients_by_chance(5), replace(agreed, game=StudGame(500)))
    *records, end = play_of(path)
    write_records(path, records)
    played = await play_on(path)
    assert [(standing.place, standing.player.left) for standing in played.standings] == [
        (standing["place"], standing["left"]) for standing in end["standings"]
    ]
    assert played.chips == {standing["id"]: standing["chips"] for standing in end["standings"]}
    check(played.tournament, path)


@pytest.mark.parametrize("format_", ["round-robin", "swiss"])
async def test_last_player_gets_a_point_for_each_remaining_round(
    format_: FormatName, tmp_path: Path, tcp_clock: MockClock
) -> None:
    path = tmp_path / "a.journal"
    agreed = replace(FREEZEOUT, levels=None, hands=5, format=format_)

    async def quits(peer: Peer, name: str) -> None:
        await peer.log_in(f"{name}:{name}")
        await peer.hear_question()
        await peer.say("quit")

    bots = [partial(quits, name=f"quits-{number}") for number in range(3)]
    played = await play_recorded(path, [*clients_by_chance(1), *bots], agreed)
    ledger = played.tournament.ledger
    assert isinstance(ledger.format, Pairings)
    results = ledger.format.results[ledger.players[0]]
    assert [result.points for result in results] == [WIN] * ledger.seating.rounds
    assert played.standings[0].player.id == "chance-0"
    check(played.tournament, path)


async def test_the_last_word_counts_the_rounds_that_were_played(tmp_path: Path, tcp_clock: MockClock) -> None:
    """Of a series in which all but one have left, the rest is not played."""

    async def quits_in_the_second(peer: Peer) -> None:
        await peer.log_in("quits:quits")
        while (fields := await peer.hear_question()) is not None:
            rounds = sum(record["type"] == "round" for record in read_records(tmp_path / "a.journal"))
            await peer.say("quit" if rounds else f"bet:{fields[3]}")

    clients = clients_by_chance(1)
    await play_recorded(tmp_path / "a.journal", [*clients, quits_in_the_second], replace(FREEZEOUT, rounds=5))
    assert clients[0].done is not None
    assert clients[0].done.endswith("points after 2 rounds")


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
