"""What a tournament comes to, without sockets: chips, games, voids, who leaves when, and the stakes of levels."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dealer.audit.rebuild import LedgerRebuild
from dealer.faults import Fault, FaultKind
from dealer.ledger.ledger import DRAWN_TOGETHER, Ledger
from dealer.ledger.played_hand import HandRecord, PlayedHand
from dealer.ledger.table_state import TableState
from dealer.settings import Settings
from protocol.cards import DECK
from protocol.games.base import Bet, Hand
from protocol.games.blockhead import BlockheadGame
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.level_table import LevelTable
from protocol.games.stud import StudGame
from protocol.shuffle import shuffled_places
from tests.dealer.ledger.test_duplicate import play_hand, start
from tests.dealer.support import holdem_journals
from tests.dealer.support.altered_journals import verdict
from tests.dealer.support.recorded import facts, read_records, rebuilt
from tests.dealer.support.rig import SEED, by_chance
from tests.dealer.support.scribe import Scribe, players
from tests.protocol.games.test_holdem_match import level_tables

STUD = Settings(SEED, StudGame(30, 2), hands=50)
BLOCKHEAD = Settings(SEED, BlockheadGame(100, 3), hands=3, games=3)
FAULT = Fault(FaultKind.LATE, "no reply")


def ledger_of(players: int, settings: Settings = STUD) -> Ledger:
    return start(settings, players)


def play(ledger: Ledger, table: TableState, seed: int = 0) -> None:
    """One hand; who has left gives it up."""
    play_hand(ledger, table, [by_chance(seed)] * len(table.players), {})


def begun(players: int, settings: Settings = STUD) -> tuple[Ledger, TableState]:
    """A ledger with one table, whose first game has begun."""
    ledger = ledger_of(players, settings)
    (table,) = ledger.seating.tables
    ledger.begin_game(table)
    return ledger, table


@given(players=st.integers(2, 40), size=st.integers(2, 17))
def test_tables_are_few_and_balanced(players: int, size: int) -> None:
    ledger = ledger_of(players, replace(STUD, table_size=size))
    sizes = [len(table.players) for table in ledger.seating.tables]
    assert len(sizes) == -(-players // size)
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1
    assert sorted(player.id for table in ledger.seating.tables for player in table.players) == sorted(
        player.id for player in ledger.players
    )
    assert all(ledger.seating.table_of(player) is table for table in ledger.seating.tables for player in table.players)


GAMES = st.sampled_from([STUD, BLOCKHEAD, replace(BLOCKHEAD, duplicate=True), replace(BLOCKHEAD, games=1)])

CHANCES = st.integers(0, 10**6).map(Random)


@given(settings=GAMES, players=st.integers(2, 5), seed=st.integers(0, 99), leaver=st.integers(0, 4), chance=CHANCES)
def test_chips_are_conserved_with_leavers_and_void_hands(
    settings: Settings, players: int, seed: int, leaver: int, chance: Random
) -> None:
    """Until the table is over, which it must be some day."""
    ledger, table = begun(players, settings)
    total = settings.game.start(players).total
    dealt = set()
    hands = 0
    while not ledger.seating.table_over(table):
        if table.game_over:
            ledger.begin_game(table)
            continue
        dealt.add(table.hand_number + 1)
        what = chance.randrange(10)
        if what == 0:
            ledger.void(table)
        else:
            if what == 1 and leaver < players and ledger.players[leaver].left is None:
                number = table.hand_number + 1
                ledger.leave(ledger.players[leaver], number, table.match.stacks[leaver], "gone")
            play(ledger, table, seed + hands)
            hands += 1
        assert table.match.total == total
        assert table.hand_number == hands + table.voided
        assert table.finished == hands
    assert dealt == set(range(1, table.hand_number + 1))
    assert table.game <= table.games
    if ledger.scores is None and not settings.duplicate:
        assert sum(standing.chips for standing in ledger.standings()) == total


def test_the_cards_of_a_void_hand_are_never_dealt_again() -> None:
    ledger, table = begun(3)
    decks = []
    for number in range(1, 9):
        decks.append(ledger.next_deck(table))
        assert decks[-1] == shuffled_places(SEED, 0, number)
        if number % 2:
            ledger.void(table)
        else:
            play(ledger, table)
    assert len(set(decks)) == 8
    assert all(sorted(deck) == list(range(len(DECK))) for deck in decks)
    assert (table.voided, table.finished, table.hand_number) == (4, 4, 8)


def test_deck_follows_from_its_number_where_several_are_drawn_in_one_go() -> None:
    ledger, table = begun(3)
    for number in (1, 2, 3 * DRAWN_TOGETHER - 1, 3 * DRAWN_TOGETHER, DRAWN_TOGETHER, 2):
        for other in (table, replace(table, number=1)):
            other.hand_number = number - 1
            assert ledger.next_deck(other) == shuffled_places(SEED, other.number, number)


def test_decks_after_each_resumption_are_others() -> None:
    """A power cut can take hands whose cards were seen, and their numbers are given once more.

    Only the deals of a duplicate set stay the same.
    """
    ledger, table = begun(3)
    decks = []
    for resumption in range(4):
        for number in (1, 2):
            table.hand_number = number - 1
            decks.append(ledger.next_deck(table))
            assert decks[-1] == shuffled_places(SEED, 0, number, resumption=resumption)
        ledger.resume()
    assert len(set(decks)) == 8
    ledger, table = begun(3, replace(STUD, duplicate=True, hands=2))
    deck = ledger.next_deck(table)
    ledger.resume()
    assert ledger.next_deck(table) == deck == shuffled_places(SEED, 0, 1)


def test_a_void_hand_moves_no_chip_and_is_no_hand_of_its_game() -> None:
    ledger, table = begun(2, BLOCKHEAD)
    play(ledger, table)
    before = table.match
    for _ in range(5):
        ledger.void(table)
    assert (table.match, table.played, table.stacks_before) == (before, 1, before.stacks)
    assert not table.game_over
    assert [player.hands_survived for player in ledger.players] == [1, 1]
    play(ledger, table)
    play(ledger, table)
    assert table.game_over


def test_who_leaves_in_a_hand_that_is_void_is_out_all_the_same() -> None:
    ledger, table = begun(3)
    leaver = ledger.players[1]
    ledger.leave(leaver, 1, 30, "you are out: no reply", FAULT)
    assert leaver in table.seated  # its cards lie on the table
    ledger.void(table)
    assert [player.id for player in table.seated] == ["p0", "p2"]
    assert leaver.faults == [FAULT]
    assert (leaver.left, leaver.left_in) == ("you are out: no reply", 1)
    assert ledger.departures[leaver].chips == 30
    assert ledger.broke(table) == []
    ledger.void(table)
    assert leaver.faults == [FAULT]
    assert [standing.player.id for standing in ledger.standings()][-1] == "p1"


def test_fault_of_a_leaver_comes_from_the_counted_hand() -> None:
    ledger, table = begun(3)
    leaver = ledger.players[1]
    ledger.leave(leaver, 1, 30, "you are out: no reply", FAULT)
    play(ledger, table)
    ledger.void(table)
    assert leaver.faults == []
    assert leaver not in table.seated
    assert (leaver.hands_survived, ledger.players[0].hands_survived) == (0, 1)


def test_table_is_over_when_one_player_is_left() -> None:
    ledger, table = begun(2)
    ledger.leave(ledger.players[0], 0, 30, "gone")
    ledger.tidy(table)
    assert ledger.seating.table_over(table)
    assert table.game_over
    assert table.seated == [ledger.players[1]]


def test_who_cannot_pay_is_broke_until_it_has_left() -> None:
    ledger, table = begun(3, replace(STUD, game=StudGame(2, 2)))
    play(ledger, table)  # the ante is all they have
    broke = ledger.broke(table)
    assert 1 <= len(broke) <= 2
    assert all(table.match.stacks[table.players.index(player)] < 2 for player in broke)
    for player in broke:
        ledger.leave(player, table.hand_number, 2, "broke")
    assert ledger.broke(table) == []


def test_game_is_scored_once() -> None:
    ledger, table = begun(2, BLOCKHEAD)
    assert ledger.scores is not None
    for game in range(1, 4):
        for _ in range(3):
            assert ledger.scores.games == game - 1
            play(ledger, table, game)
        for _ in range(3):
            ledger.tidy(table)
        assert ledger.scores.games == game
        assert table.scored == game
        if game < 3:
            ledger.begin_game(table)
    assert ledger.seating.table_over(table)
    for player, score in ledger.scores.by_player.items():
        assert (len(score.chips), score.hands) == (3, 9)
        assert score.won + score.drawn + score.lost == 3
        assert player.hands_survived == 9


def test_game_begins_with_equal_stacks() -> None:
    ledger, table = begun(3, BLOCKHEAD)
    ledger.leave(ledger.players[2], 0, 100, "gone")
    ledger.tidy(table)
    while not table.game_over:
        play(ledger, table)
    ledger.begin_game(table)
    assert table.match.stacks == (100, 100, 100)
    assert [player.id for player in table.seated] == ["p0", "p1"]
    assert table.hand_number == 3


def test_duplicate_deals_every_hand_in_each_seat_order() -> None:
    ledger, table = begun(3, replace(BLOCKHEAD, games=2, duplicate=True))
    assert (begun(3, replace(BLOCKHEAD, games=2))[1].games, table.games) == (2, 2 * 3)
    dealt: dict[bytes, list[list[str]]] = {}
    while True:
        if table.game_over:
            if ledger.seating.table_over(table):
                break
            ledger.begin_game(table)
        dealt.setdefault(ledger.next_deck(table), []).append([player.id for player in table.seated])
        play(ledger, table)
    assert len(dealt) == 2 * 3
    for seatings in dealt.values():
        assert [sorted(seat) for seat in zip(*seatings, strict=True)] == [["p0", "p1", "p2"]] * 3


def test_standings_order_players_then_leavers() -> None:
    ledger, table = begun(5)
    p0, p1, p2, p3, p4 = ledger.players
    table.match = replace(table.match, stacks=(40, 50, 20, 20, 20))
    ledger.leave(p0, 3, 40, "first")
    ledger.leave(p1, 5, 10, "later, and poor")
    ledger.leave(p2, 5, 20, "later, and rich")
    order = [(standing.place, standing.player) for standing in ledger.standings()]
    assert order == [(1, p3), (1, p4), (3, p2), (4, p1), (5, p0)]


def test_ante_is_capped_at_the_second_largest_stack() -> None:
    """Also behind a hand that asked for more."""
    ledger, table = begun(4, replace(STUD, game=StudGame(500, 40), levels=10))
    table.match = replace(table.match, stacks=(1000, 70, 60, 60))
    deal = ledger.deal(table, ledger.next_deck(table))
    hand: Hand = deal.begin(ledger.settings.game)
    while (seat := hand.to_act) is not None:
        hand = hand.concede() if seat else hand.apply(Bet(0))
    ledger.finish(table, PlayedHand(HandRecord(deal, [], []), hand, hand.settle()))
    assert table.match.stacks == (1120, 30, 20, 20)
    assert ledger.broke(table) == table.players[2:]
    assert ledger.levels.fee(table) == "the ante of 30"


def test_table_that_waits_for_a_player_may_have_dealt_when_the_dealer_died() -> None:
    """Another table sends it one, and it deals at once."""
    ledger = ledger_of(6, replace(STUD, table_size=3))
    waiting, sending = ledger.seating.tables
    for table in (waiting, sending):
        ledger.begin_game(table)
    for player in waiting.players[:2]:
        ledger.leave(player, waiting.hand_number, 30, "gone")
    ledger.tidy(waiting)
    assert len(waiting.seated) == 1
    assert ledger.hands_under_way() == [waiting, sending]
    for player in sending.players[:2]:
        ledger.leave(player, sending.hand_number, 30, "gone")
    ledger.tidy(sending)
    assert ledger.hands_under_way() == [waiting, sending]
    ledger.leave(sending.players[2], sending.hand_number, 30, "gone")
    ledger.tidy(sending)
    assert ledger.hands_under_way() == []


def test_a_table_is_the_same_whether_a_player_set_out_before_or_after_its_last_opponent_left() -> None:
    """The journal tells the move after the hand, but a table that waits for the disk counts the hand after the move."""
    states = []
    for moves_first in (True, False):
        ledger = ledger_of(4, replace(STUD, table_size=2))
        first, second = ledger.seating.tables
        for table in (first, second):
            ledger.begin_game(table)
        ledger.leave(first.players[1], 1, first.match.stacks[1], "gone")
        if moves_first:
            ledger.seating.move(second.players[1], first)
        play(ledger, first)
        if not moves_first:
            ledger.seating.move(second.players[1], first)
            ledger.tidy(first)
        states.append((first.scored, first.match, [player.id for player in first.players]))
    assert states[0] == states[1]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    levels=level_tables(),
    betting=st.sampled_from(["no-limit", "pot-limit", "fixed-limit"]),
    count=st.integers(2, 9),
    size=st.integers(2, 5),
    seed=st.binary(min_size=32, max_size=32),
)
def test_chips_are_conserved_over_levels_and_tables(
    levels: list[dict[str, int]],
    betting: str,
    count: int,
    size: int,
    seed: bytes,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    game = HoldemGame(betting=betting, stack=300)  # type: ignore[arg-type]
    table = LevelTable.from_facts(levels)
    agreed = Settings(seed, table.games(game)[0], 40, table_size=size, levels=table)
    scribe = Scribe(agreed, players(*[f"P {number}" for number in range(count)]))
    scribe.play_round(holdem_journals.by_chance(Random(seed)))
    scribe.end()
    path = scribe.write(tmp_path_factory.mktemp("levels") / "a.journal")
    assert sum(state.match.total for state in scribe.ledger.seating.round_tables) == 300 * count
    rebuild = rebuilt(path)
    assert rebuild.ledger.settings == agreed
    assert facts(rebuild.ledger) == facts(scribe.ledger)
    stakes = table.stakes(game)
    for hand in LedgerRebuild(path).hands():
        assert isinstance(hand.match, HoldemMatch)
        assert hand.match.blinds == stakes[hand.level - 1]
        assert hand.match.betting.small_bet == stakes[hand.level - 1].facts["big_blind"]
    if len(levels) > 1 and max(state.finished for state in scribe.ledger.seating.tables) > levels[0]["hands"]:
        assert scribe.ledger.levels.level > 1


def journal(path: Path) -> Path:
    """A tournament with the second of two levels under way."""
    table = LevelTable.from_facts(
        [{"hands": 1, "small_blind": 5, "big_blind": 10}, {"small_blind": 9, "big_blind": 20}]
    )
    agreed = Settings(bytes(32), table.games(HoldemGame())[0], 3, table_size=2, levels=table)
    scribe = Scribe(agreed, players("A", "B"))
    scribe.play_round(holdem_journals.by_chance(Random(1)))
    scribe.end()
    return scribe.write(path)


@pytest.mark.parametrize(
    ("levels", "complaint"),
    [
        ([], "expected at least one level, got none"),
        ([{"hands": 1}], "level 1: small_blind is missing or 0"),
        ([{"hands": 1, "small_blind": 20, "big_blind": 10}], "level 1: small_blind: expected at most"),
        ([{"hands": 1, "small_blind": 5, "big_blind": 10}], "no table has played all hands of the level"),
        ([{"hands": 2, "small_blind": 5, "big_blind": 10}] * 2, "no table has played all hands of the level"),
        ([{"speed": 1}], "level 1: unknown key 'speed'"),
        ([3], "levels"),
        ("x", "levels"),
    ],
)
def test_a_journal_with_another_table_is_refused(levels: Any, complaint: str, tmp_path: Path) -> None:
    records = read_records(journal(tmp_path / "a.journal"))
    assert [record["type"] for record in records].count("level") == 1
    assert verdict(tmp_path, records) is None
    found = verdict(tmp_path, [{**records[0], "levels": levels}, *records[1:]])
    assert found is not None
    assert complaint in found


def test_a_level_of_minutes_may_end_at_any_hand(tmp_path: Path) -> None:
    """A journal does not tell how many minutes a level has lasted."""
    records = read_records(journal(tmp_path / "a.journal"))
    blinds = [{"small_blind": 5, "big_blind": 10}, {"small_blind": 9, "big_blind": 20}]
    table = [{"minutes": 30, **blinds[0]}, blinds[1]]
    assert verdict(tmp_path, [{**records[0], "levels": table}, *records[1:]]) is None
