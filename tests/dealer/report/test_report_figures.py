"""The figures of reports, against the same figures worked out the long way from the records of a journal."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from scipy.stats import t as student_distribution
from trio.testing import MockClock

from dealer.audit.rebuild import LedgerRebuild
from dealer.lobby.player import Player
from dealer.report.course import CourseWatcher
from dealer.report.head_to_head import Exchange, HeadToHead, transfers
from dealer.report.journal_pass import begin, follow, survey
from dealer.report.player_statistics import StatisticsCollector, winning_kinds
from dealer.settings import Settings
from dealer.telling.moments import LargestPots
from protocol.cards import DECK, Suit
from protocol.events import FOLD_CHIPS
from protocol.games.base import FOLDED as BY_FOLDS
from protocol.games.blockhead import SPLIT, BlockheadGame, cards_value
from protocol.games.ranks import three_card_strength
from protocol.games.stud import SPADE, StudGame
from tests.bad_bots import replies
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import clients_by_chance, play_recorded
from tests.dealer.support.rig import SEED, by_chance, fold, good_clients

STUD = Settings(SEED, StudGame(80), 60, table_size=4)
MOVES = Settings(SEED, StudGame(80, 2), 40, table_size=3)
ROUNDS = Settings(SEED, StudGame(80, 2), 40, table_size=3, levels=5, rounds=2)
BLOCKHEAD = Settings(SEED, BlockheadGame(hands=8), 8, 5, table_size=6)
DUPLICATE = Settings(SEED, StudGame(100), 1, 12, duplicate=True)


class Read:
    """A journal that was read by all watchers."""

    def __init__(self, path: Path) -> None:
        self.rebuild = begin(path)
        ledger = self.rebuild.ledger
        self.statistics, self.course, self.pairs = (
            StatisticsCollector(ledger),
            CourseWatcher(ledger),
            HeadToHead(ledger),
        )
        follow(self.rebuild, survey(path).records, [self.statistics, self.course, self.pairs])
        self.course.finish()

    @property
    def players(self) -> Sequence[Player]:
        return self.rebuild.ledger.players


async def read(path: Path, settings: Settings, count: int = 5) -> Read:
    await play_recorded(path, clients_by_chance(count), settings)
    return Read(path)


def hands(path: Path) -> list[Mapping[str, Any]]:
    return [record for record in read_raw(path) if record["type"] == "hand"]


@pytest.mark.parametrize("settings", [STUD, BLOCKHEAD, DUPLICATE], ids=["stud", "blockhead", "duplicate"])
async def test_head_to_head_adds_up_to_payoffs(settings: Settings, tmp_path: Path) -> None:
    found = await read(tmp_path / "journal", settings)
    payoffs: dict[int, int] = defaultdict(int)
    for hand in hands(tmp_path / "journal"):
        for index, chips in zip(hand["players"], hand["payoffs"], strict=True):
            payoffs[index] += chips
    for number, player in enumerate(found.players):
        won = [found.pairs.won(player, other) for other in found.players if other is not player]
        assert sum(one.per_hand * one.hands for one in won if one) == pytest.approx(payoffs[number])


@pytest.mark.parametrize(("settings", "units"), [(STUD, "hand"), (BLOCKHEAD, "game"), (DUPLICATE, "deal")])
async def test_head_to_head_equals_naive_sums(settings: Settings, units: str, tmp_path: Path) -> None:
    """Contributions from the actions, shares from the payoffs; every hand a row of its own."""
    found = await read(tmp_path / "journal", settings)
    players = found.players
    fee = 10 if units == "game" else 1
    moved: dict[tuple[int, int], dict[int, list[Fraction]]] = defaultdict(lambda: defaultdict(list))
    waiting: dict[int, int] = defaultdict(int)
    game = 0
    for number, record in enumerate(read_raw(tmp_path / "journal")):
        if record["type"] == "game":
            game, waiting = record["game"], defaultdict(int)
        if record["type"] != "hand":
            continue
        seated = record["players"]
        for player in seated:
            waiting[player] += fee
        for seat, chips, _ in record["actions"]:
            waiting[seated[seat]] += 0 if chips == FOLD_CHIPS else chips
        put_in = dict.fromkeys(seated, fee)
        for seat, chips, _ in record["actions"]:
            put_in[seated[seat]] += 0 if chips == FOLD_CHIPS else chips
        shares = {p: payoff + put_in[p] for p, payoff in zip(seated, record["payoffs"], strict=True)}
        carried = not any(shares.values())
        unit = {"hand": number, "game": game, "deal": (game - 1) % settings.games}[units]
        pot = sum(waiting[player] for player in seated)
        for one in seated:
            for two in seated:
                chips = Fraction(waiting[two] * shares[one] - waiting[one] * shares[two], pot)
                moved[one, two][unit].append(Fraction(0) if carried else chips)
        if not carried:
            waiting = defaultdict(int)
    for (one, two), by_unit in moved.items():
        if one == two:
            continue
        won = found.pairs.won(players[one], players[two])
        assert won is not None
        sums = [float(sum(rows)) for rows in by_unit.values()]
        counts = [len(rows) for rows in by_unit.values()]
        mean = sum(sums) / sum(counts)
        assert (won.hands, won.units) == (sum(counts), len(counts))
        assert won.per_hand == pytest.approx(mean, abs=1e-9)
        squares = sum((total - mean * count) ** 2 for total, count in zip(sums, counts, strict=True))
        if len(counts) < 2 or not squares:
            assert won.half_width is None
            continue
        error = sqrt(len(counts) / (len(counts) - 1) * squares) / won.hands
        assert won.half_width == pytest.approx(student_distribution.ppf(0.975, len(counts) - 1) * error, abs=1e-6)


def test_interval_of_single_hands_is_the_usual_one() -> None:
    chips = [3.0, -1.0, 0.0, 7.5, -2.0]
    exchange = Exchange()
    for one in chips:
        exchange.add(one, 1, None)
    assert exchange.per_hand == pytest.approx(fmean(chips))
    assert exchange.half_width == pytest.approx(2.776445 * stdev(chips) / sqrt(5))


def test_transfers_share_a_pot_in_proportion() -> None:
    a, b, c = (Player(id, id, "") for id in "abc")
    won = transfers({a: 10, b: 20, c: 30}, {a: 45, b: 15})
    assert won[a, b] == pytest.approx((20 * 45 - 10 * 15) / 60)
    assert won[a, c] == pytest.approx(30 * 45 / 60)
    assert won[b, c] == pytest.approx(30 * 15 / 60)


def test_nothing_is_transferred_where_all_checked_without_blinds() -> None:
    a, b = (Player(id, id, "") for id in "ab")
    assert transfers({a: 0, b: 0}, {a: 0}) == {(a, b): 0}


@pytest.mark.parametrize("settings", [STUD, MOVES, ROUNDS], ids=["two tables", "moves", "rounds"])
async def test_curves_end_at_the_standings(settings: Settings, tmp_path: Path) -> None:
    found = await read(tmp_path / "journal", settings, 9)
    ledger, curves = found.rebuild.ledger, found.course.round
    last = max(table.hand_number for table in ledger.seating.round_tables)
    assert curves.hands == [0, *range(1, last + 1)]
    stacks = ledger.stacks()
    assert {player: 80 + curves.chips(player)[-1] for player in curves.players} == stacks
    places = {one.player: one.place for one in ledger.round_standings() if ledger.seating.still_in(one.player)}
    assert curves.places(len(curves.hands) - 1) == places
    assert set(curves.places(0).values()) == {1}
    assert set(curves.gone) == set(ledger.departures)


async def test_player_with_a_fault_is_out_after_that_hand(tmp_path: Path, tcp_clock: MockClock) -> None:
    await play_recorded(tmp_path / "journal", [*clients_by_chance(5), replies.bets_too_much], MOVES)
    found = Read(tmp_path / "journal")
    bad = found.players[-1]
    assert found.course.round.gone[bad] == bad.left_in == 1
    assert bad not in found.course.round.places(1)
    assert set(found.course.round.gone) == set(found.rebuild.ledger.departures)


async def test_point_of_a_curve_counts_all_tables(tmp_path: Path) -> None:
    """Worked out from the hands of the journal, in the order in which they are there."""
    found = await read(tmp_path / "journal", MOVES, 9)
    curves, won, reached = found.course.round, [0] * 9, 0
    points = [tuple(won)]
    for hand in hands(tmp_path / "journal"):
        if hand["hand"] > reached > 0:
            points.append(tuple(won))
        reached = max(reached, hand["hand"])
        for number, payoff in zip(hand["players"], hand["payoffs"], strict=True):
            won[number] += payoff
    points.append(tuple(won))
    assert list(zip(*map(curves.chips, found.players), strict=True)) == points
    assert any(record["type"] == "move" for record in read_raw(tmp_path / "journal"))


async def test_curves_mark_levels_and_end_rounds(tmp_path: Path) -> None:
    found = await read(tmp_path / "journal", ROUNDS, 9)
    records = list(read_raw(tmp_path / "journal"))
    last = max(number for number, record in enumerate(records) if record["type"] == "round")
    levels, reached = {}, 0
    for record in records[last:]:
        reached = max(reached, record["hand"]) if record["type"] == "hand" else reached
        if record["type"] == "level":
            levels[record["level"]] = reached
    assert levels
    assert found.course.round.levels == levels
    assert len(found.course.places) == 2
    for places in found.course.places:
        assert sorted(places, key=lambda player: player.number) == list(found.players)
        assert min(places.values()) == 1
    (first,) = (player for player, place in found.course.places[0].items() if place == 1)
    outs = [record["player"] for record in records[:last] if record["type"] == "out"]
    assert first.number not in outs


async def test_long_curve_is_thinned_between_its_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.report.course.MOST_POINTS", 10)
    found = await read(tmp_path / "journal", Settings(SEED, StudGame(9000), 101), 2)
    curves = found.course.round
    assert curves.hands[0] == 0
    assert curves.hands[-1] == 101
    assert 5 <= len(curves.hands) <= 12
    points = list(zip(*map(curves.chips, found.players), strict=True))
    assert tuple(9000 + chips for chips in points[-1]) == found.rebuild.ledger.seating.tables[0].match.stacks
    payoffs = [hand["payoffs"] for hand in hands(tmp_path / "journal")]
    for number, point in zip(curves.hands, points, strict=True):
        assert point == tuple(sum(payoff[seat] for payoff in payoffs[:number]) for seat in range(2))


@pytest.mark.parametrize("settings", [STUD, BLOCKHEAD], ids=["stud", "blockhead"])
async def test_kinds_of_wins_add_up_to_hands_won(settings: Settings, tmp_path: Path) -> None:
    found = await read(tmp_path / "journal", settings)
    for player in found.players:
        ways = found.statistics.by_player[player].ways
        assert sum(count for way, count in ways.items() if way != SPLIT) == player.hands_won


async def test_kinds_of_wins_stud(tmp_path: Path) -> None:
    """By the cards of the deck alone."""
    await read(tmp_path / "journal", Settings(SEED, StudGame(9000), 60))
    seen = set()
    for hand, record in zip(LedgerRebuild(tmp_path / "journal").hands(), hands(tmp_path / "journal"), strict=True):
        cards = [DECK[place] for place in record["deck"]]
        folded = {seat for seat, chips, _ in record["actions"] if chips == FOLD_CHIPS}
        for seat, way in winning_kinds(hand.settlement).items():
            own = cards[3 * seat : 3 * seat + 3]
            equal = {2: "pair", 1: "three of a kind", 3: "high card"}[len({card.rank for card in own})]
            assert way in (equal, BY_FOLDS, SPADE)
            assert way != SPADE or own[0].suit is Suit.SPADES
            if way == equal:
                others = [cards[3 * other : 3 * other + 3] for other in hand.last.street.live]  # type: ignore[attr-defined]
                assert three_card_strength(own) == max(map(three_card_strength, others))
            if len(folded) == len(record["players"]) - 1:
                assert way == BY_FOLDS
            seen.add(way)
    assert {"high card", "pair", BY_FOLDS, SPADE} <= seen


async def test_kinds_of_wins_blockhead(tmp_path: Path) -> None:
    await read(tmp_path / "journal", BLOCKHEAD)
    for hand, record in zip(LedgerRebuild(tmp_path / "journal").hands(), hands(tmp_path / "journal"), strict=True):
        cards = [DECK[place] for place in record["deck"]]
        for seat, way in winning_kinds(hand.settlement).items():
            total = cards_value(cards[5 * seat : 5 * seat + 5])
            low, high = (int(way), int(way)) if way.isdigit() else (0, 34)
            if " to " in way and way[0].isdigit():
                low, high = map(int, way.split(" to "))
            assert way in (BY_FOLDS, SPLIT) or low <= total <= high


async def test_statistics_of_each_player(tmp_path: Path, tcp_clock: MockClock) -> None:
    settings = Settings(SEED, StudGame(200), 40, lives=4)
    players = good_clients(2)
    players[0].decide = by_chance(3)
    await play_recorded(tmp_path / "journal", [*players, replies.bets_too_little], settings)
    found = Read(tmp_path / "journal")
    recorded = hands(tmp_path / "journal")
    for number, player in enumerate(found.players):
        figures = found.statistics.by_player[player]
        actions = [action for hand in recorded for action in hand["actions"] if hand["players"][action[0]] == number]
        micros = sorted(action[2] for action in actions if action[2] is not None)
        assert sorted(figures.micros) == micros
        for share in (0.01, 0.5, 0.99, 1.0):
            (time,) = figures.milliseconds(share)
            enough = [one for one in micros if sum(other <= one for other in micros) >= share * len(micros)]
            assert time == enough[0] / 1000
        faults = [fault for hand in recorded for fault in hand["faults"] if hand["players"][fault[0]] == number]
        assert [fact.fault.kind.value for fact in figures.faults] == [kind for _, kind, _ in faults]
        assert figures.legal_share == pytest.approx(len(micros) / (len(micros) + len(faults)))
        won = sorted(
            (p for hand in recorded for q, p in zip(hand["players"], hand["payoffs"], strict=True) if q == number)
        )
        assert [pot.chips for pot in figures.lost.hands] == [chips for chips in won if chips < 0][:10]
        assert [pot.chips for pot in figures.won.hands] == [chips for chips in won[::-1] if chips > 0][:10]
    bad = found.statistics.by_player[found.players[2]]
    assert len(bad.faults) == 4
    assert bad.faults[0].question is not None
    assert bad.faults[0].question.startswith("bet")
    owed = bad.faults[0].question.split(":")[3]
    assert bad.faults[0].allowed is not None
    assert bad.faults[0].allowed.startswith(f"fold, bet:{owed} (a call), bet:")


async def test_folded_player_does_not_see_later_cards(tmp_path: Path) -> None:
    players = good_clients(3)
    players[0].decide = fold
    await play_recorded(tmp_path / "journal", players, Settings(SEED, StudGame(300), 12))
    found = Read(tmp_path / "journal")
    pots = found.statistics.by_player[found.players[0]].lost.hands
    assert [len(pot.own) for pot in pots] == [2] * 10
    assert {len(pot.own) for pot in found.statistics.by_player[found.players[1]].lost.hands} == {3}


def test_first_of_equal_pots_are_kept() -> None:
    largest: LargestPots[int] = LargestPots(10)
    for hand in range(30):
        largest.add(5 if hand % 2 else 3, hand)
    assert largest.hands == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19]
