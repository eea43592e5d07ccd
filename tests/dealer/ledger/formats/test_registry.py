"""Formats by name, their flags, points, tie-breaks and places, series, and tables in 80 columns."""

from io import StringIO
from itertools import combinations, groupby
from random import Random

import pytest
from rich.console import Console
from rich.table import Table

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.formats.named.freezeout import Freezeout
from dealer.ledger.formats.named.round_robin import RoundRobin, round_robin
from dealer.ledger.formats.named.swiss import Swiss, buchholz
from dealer.ledger.formats.pairings import Pairings, Result, direct_encounters
from dealer.ledger.formats.points import BYE, LOSS, WIN, points_of_pair, points_of_places, shown
from dealer.ledger.formats.registry import find_format
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.settings import Settings, format_names
from protocol.games.dice import DiceGame
from protocol.games.stud import StudGame


@pytest.mark.parametrize("name", format_names())
def test_every_format_has_a_file(name: str) -> None:
    found = find_format(name)
    assert found.__module__.endswith(name.replace("-", "_"))
    found.check(TournamentFlags(format=name))


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (TournamentFlags(rounds=3), "--rounds is for --format swiss"),
        (TournamentFlags(format="round-robin", rounds=3), "--rounds is for --format swiss"),
        (TournamentFlags(format="swiss", series=3), "--series plays freezeouts; leave it or --format swiss out"),
        (TournamentFlags(format="swiss", rounds=3, series=3), "--series plays freezeouts"),
        (TournamentFlags(format="round-robin", levels=5), "leave out --levels, --level-table and --table-size"),
        (TournamentFlags(format="swiss", table_size=2), "leave out --levels, --level-table and --table-size"),
    ],
)
def test_flags_of_another_format_are_refused(flags: TournamentFlags, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        find_format(flags.format or "freezeout").check(flags)


def test_rounds_that_flags_ask_for() -> None:
    assert find_format("freezeout").rounds_asked(TournamentFlags(series=4)) == 4
    assert find_format("swiss").rounds_asked(TournamentFlags(format="swiss", rounds=5)) == 5
    assert find_format("swiss").rounds_asked(TournamentFlags(format="swiss")) is None
    assert find_format("round-robin").rounds_asked(TournamentFlags(format="round-robin")) is None


SIZES = range(2, 61)


def test_everybody_meets_everybody_once_and_plays_once_a_round() -> None:
    for players in SIZES:
        rounds = round_robin(players)
        assert len(rounds) == (players if players % 2 else players - 1)
        met = [tuple(sorted(pair)) for pairs in rounds for pair in pairs]
        assert sorted(met) == list(combinations(range(players), 2)), players
        for pairs in rounds:
            named = [player for pair in pairs for player in pair]
            assert len(set(named)) == len(named) == players - players % 2


def test_first_seats_are_balanced() -> None:
    for players, player in ((size, player) for size in SIZES for player in range(size)):
        firsts = [pair[0] == player for pairs in round_robin(players) for pair in pairs if player in pair]
        assert abs(2 * sum(firsts) - len(firsts)) == (players - 1) % 2, players
        assert max(len(list(run)) for _, run in groupby(firsts)) <= 2, players


def test_a_round_robin_of_four_and_of_one() -> None:
    assert round_robin(4) == (((3, 0), (1, 2)), ((1, 3), (2, 0)), ((3, 2), (0, 1)))
    with pytest.raises(ValueError, match=r"a round robin has 2 players or more, not 1"):
        round_robin(1)


SETTINGS = Settings(bytes(32), DiceGame())
SERIES = Settings(bytes(32), StudGame(), rounds=2)


def players(count: int) -> list[Player]:
    return [Player(f"p{number}", f"Player {number}", "bot") for number in range(count)]


def test_points_places_and_first_places() -> None:
    one, two, three = crowd = players(3)
    scores = Freezeout(SERIES, crowd)
    scores.end_round((), {one: 1, two: 2, three: 2})
    scores.end_round((), {one: 1, two: 1, three: 3})
    assert [scores.series[player].merit for player in crowd] == [(7, 1, 1), (4, 0, 1), (1, 0, 0)]
    assert [scores.series[player].average_place for player in crowd] == [1.25, 2, 2.75]
    assert [len(scores.series[player].points) for player in crowd] == [2] * 3
    assert scores.facts(one)["series"]["points_by_tournament"] == [2, 1.5]


def test_who_does_not_play_is_left_behind() -> None:
    one, two, three = crowd = players(3)
    scores = Freezeout(SERIES, crowd)
    scores.end_round((), {one: 2, two: 1})
    assert [scores.series[player].total for player in crowd] == [2, 4, 0]
    assert scores.series[three].average_place is None
    assert scores.series[two].average_place == 1
    assert scores.facts(three)["series"]["tournaments"] == 0


def test_only_the_order_of_places_counts() -> None:
    one, two = crowd = players(2)
    near, far = Freezeout(SERIES, crowd), Freezeout(SERIES, crowd)
    near.end_round((), {one: 1, two: 2})
    far.end_round((), {one: 3, two: 9})
    assert [near.facts(player) for player in crowd] == [far.facts(player) for player in crowd]


def long_named(count: int) -> list[Player]:
    return [Player(f"p{n}", f"A player with a long name {n}", f"java -cp build Poker{n}") for n in range(count)]


def printed(table: Table) -> list[str]:
    out = StringIO()
    Console(file=out, width=80).print(table)
    return out.getvalue().splitlines()


def words(table: Table, player: str) -> list[str]:
    return next(line for line in printed(table) if f" {player} " in f" {line} ").split()


def in_order(crowd: list[Player]) -> list[Standing]:
    return [Standing(place, 0, player) for place, player in enumerate(crowd, 1)]


def played(count: int, swiss: bool = False) -> tuple[list[Standing], Pairings]:
    crowd = long_named(count)
    scores = (Swiss if swiss else RoundRobin)(SETTINGS, crowd)
    for pairs in round_robin(count):
        for one, two in pairs:
            scores.end_pairing(crowd[one], crowd[two], (2, 0) if one < two else (0, 2))
    return in_order(crowd), scores


def test_a_series() -> None:
    one, two = Player("1", "Ann", "tight"), Player("2", "Bob", "stud")
    scores = Freezeout(SERIES, [one, two])
    scores.end_round((), {one: 1, two: 2})
    scores.end_round((), {one: 1, two: 1})
    assert words(next(scores.tables(in_order([one, two]))), "Ann")[:7] == ["1", "Ann", "tight", "1½", "1", "1", "1.25"]


def test_a_small_round_robin_shows_every_result() -> None:
    ann, bob, eve = crowd = [Player(name, name, "bot") for name in ("Ann", "Bob", "Eve")]
    scores = RoundRobin(SETTINGS, crowd)
    scores.end_pairing(ann, bob, (1, 1))
    scores.end_pairing(eve, ann, (0, 2))
    eve.left = "you are out: late"
    scores.forfeit(bob, eve)
    table = next(scores.tables(in_order(crowd)))
    rows = [words(table, name)[:8] for name in ("Ann", "Bob", "Eve")]
    assert rows == [
        ["1", "Ann", "bot", "·", "½", "1", "1½", "0.75"],
        ["2", "Bob", "bot", "½", "·", "+", "1½", "0.75"],
        ["3", "Eve", "bot", "0", "-", "·", "0", "0.00"],
    ]


def test_byes_of_a_swiss_tournament_are_shown() -> None:
    ann, bob, eve = crowd = [Player(name, name, "bot") for name in ("Ann", "Bob", "Eve")]
    scores = Swiss(SETTINGS, crowd)
    scores.end_pairing(ann, bob, (2, 0))
    assert not any("Byes" in line for line in printed(next(scores.tables(in_order(crowd)))))
    scores.results[eve].append(Result(None, BYE))
    table = next(scores.tables(in_order(crowd)))
    assert words(table, "Ann")[3:8] == ["1", "0", "0", "0", "1"]
    assert words(table, "Eve")[3:8] == ["0", "0", "0", "1", "1"]
    assert any("Won" in line and "Byes" in line for line in printed(table))


@pytest.mark.parametrize(("count", "crossed"), [(2, True), (8, True), (17, True), (18, False), (40, False)])
def test_a_large_round_robin_is_a_list(count: int, crossed: bool) -> None:
    standings, scores = played(count)
    table = next(scores.tables(standings))
    assert ("·" in "".join(printed(table))) == crossed
    assert any("Won" in line for line in printed(table)) == (not crossed)


@pytest.mark.parametrize("count", [3, 10, 30])
@pytest.mark.parametrize("swiss", [False, True])
def test_every_word_of_long_names_is_there_in_80_columns(count: int, swiss: bool) -> None:
    standings, scores = played(count, swiss)
    lines = printed(next(scores.tables(standings)))
    assert max(map(len, lines)) <= 80
    assert "".join("".join(lines).split()).count("…") == 0
    assert sum(line[:5].strip().isdecimal() for line in lines) == count


def round_robin_of(table: list[str]) -> tuple[list[Player], Pairings]:
    """Everybody against everybody: a row for each player, with 1, = or 0 against each."""
    crowd = players(len(table))
    scores = RoundRobin(SETTINGS, crowd)
    for pairs in round_robin(len(table)):
        for one, two in pairs:
            won = "0=1".index(table[one][two])
            scores.end_pairing(crowd[one], crowd[two], (won, 2 - won), (10 * (won - 1), 10 * (1 - won)))
    return crowd, scores


def test_a_draw_is_half_a_point_for_both_and_a_place_worth_those_behind_and_half_of_equals() -> None:
    assert [points_of_pair(*chips) for chips in ((5, 3), (3, 5), (4, 4))] == [(2, 0), (0, 2), (1, 1)]
    assert [shown(points) for points in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]
    assert points_of_places({"a": 1, "b": 2, "c": 2, "d": 4}) == {"a": 6, "b": 3, "c": 3, "d": 0}


def test_sonneborn_berger_counts_beaten_and_half_of_drawn() -> None:
    crowd, scores = round_robin_of([".1=0", "0.11", "=0.1", "100."])
    assert [scores.points()[player] for player in crowd] == [3, 4, 3, 2]
    # 0 beat 1 (2 points) and drew with 2 (1½); 1 beat 2 (1½) and 3 (1); 2 beat 3 (1) and drew with 0 (1½); 3 beat 0
    assert [scores.tie_breaks()[player] for player in crowd] == [(11,), (10,), (7,), (6,)]
    assert scores.facts(crowd[0])["pairings"]["sonneborn_berger"] == 2.75
    assert scores.tally()[crowd[0]] == (1, 1, 1)


def test_ties_are_broken_by_direct_results_then_chips() -> None:
    crowd = players(3)
    scores = RoundRobin(SETTINGS, crowd)
    scores.end_pairing(crowd[0], crowd[1], (1, 1), (0, 0))
    scores.end_pairing(crowd[0], crowd[2], (2, 0), (5, -5))
    scores.end_pairing(crowd[1], crowd[2], (2, 0), (9, -9))
    keys = scores.merits()
    assert keys[crowd[0]][:-1] == keys[crowd[1]][:-1] == (3, 3, 1)
    assert keys[crowd[1]] > keys[crowd[0]] > keys[crowd[2]]


def test_who_met_is_told_apart_by_that_in_a_swiss_tournament() -> None:
    crowd = players(4)
    scores = Swiss(SETTINGS, crowd)
    for one, two, won in ((0, 1, 2), (2, 3, 2), (1, 3, 2), (0, 2, 0)):
        scores.end_pairing(crowd[one], crowd[two], (won, 2 - won))
    keys = scores.merits()
    assert scores.tie_breaks()[crowd[0]] == (4, 6)  # opponents have 1 and 2 points: the first is cut
    assert scores.tie_breaks()[crowd[1]] == (2, 2)
    assert [keys[player][-2] for player in crowd] == [0, 0, 0, 0]
    equals = Swiss(SETTINGS, crowd[:2])
    equals.end_pairing(crowd[1], crowd[0], (2, 0))
    equals.end_pairing(crowd[1], crowd[0], (0, 2))
    assert [equals.merits()[player][-2] for player in crowd[:2]] == [2, 2]


def test_bye_and_leaver_count_as_virtual_opponents() -> None:
    crowd = players(3)
    scores = Swiss(SETTINGS, crowd)
    scores.end_pairing(crowd[0], crowd[1], (2, 0))
    scores.results[crowd[2]].append(Result(None, BYE))
    crowd[1].left = "you are out: late"
    scores.end_pairing(crowd[0], crowd[2], (0, 2))
    assert [scores.points()[player] for player in crowd] == [2, 0, 4]
    found = buchholz(scores.results)
    assert found[crowd[0]] == (4, 5)  # 1 has 0 points and missed a round, so half a point; 2 has two points
    assert found[crowd[2]] == (4, 6)  # a bye with two points of its own, and 0 with one
    assert scores.facts(crowd[2])["pairings"]["byes"] == 1


def test_leaver_of_a_round_robin_counts_for_nobody_before_half_and_loses_the_rest_after_it() -> None:
    crowd = players(5)
    leaver, before, after, last, _ = crowd
    scores = RoundRobin(SETTINGS, crowd)
    scores.end_pairing(leaver, before, (0, 2), (-7, 7))
    leaver.left = "you are out: late"
    scores.forfeit(after, leaver)
    assert [scores.points()[player] for player in crowd] == [0] * 5
    assert scores.merits()[before][-1] == 0
    assert len(scores.facts(before)["pairings"]["results"]) == 1
    leaver.left = None
    scores = RoundRobin(SETTINGS, crowd)
    scores.end_pairing(leaver, before, (0, 2))
    scores.end_pairing(after, leaver, (0, 2))
    leaver.left = "you are out: late"
    scores.forfeit(last, leaver)
    assert [scores.points()[player] for player in crowd] == [2, 2, 0, 2, 0]


@pytest.mark.parametrize("count", [7, 8])
def test_a_swiss_tournament_is_drawn_from_its_own_results(count: int) -> None:
    random, crowd = Random(count), players(count)
    scores = Swiss(SETTINGS, crowd)
    for _ in range(4):
        pairs = scores.seat(1, crowd)
        bye = pairs.pop()[0] if count % 2 else None
        for one, two in pairs:
            assert two not in [result.opponent for result in scores.results[one]]
            scores.end_pairing(one, two, points_of_pair(random.randint(0, 5), random.randint(0, 5)))
        if bye is not None:
            assert not any(result.opponent is None for result in scores.results[bye])
        scores.count_unplayed()
    assert {len(results) for results in scores.results.values()} == {4}
    assert sum(scores.points().values()) == 4 * 2 * ((count + 1) // 2)


def test_who_won_against_nobody_has_no_bye_as_well() -> None:
    crowd = players(3)
    scores = Swiss(SETTINGS, crowd)
    for _ in range(2):
        scores.results[crowd[2]].append(Result(crowd[1], WIN))
        scores.results[crowd[1]].append(Result(crowd[2], LOSS))
    assert scores.seat(1, crowd) == [[crowd[2], crowd[0]], [crowd[1]]]


def test_meetings_among_equals_count_only_if_each_met_each() -> None:
    one, two, three = crowd = players(3)
    results = {one: [Result(two, 2)], two: [Result(one, 0), Result(three, 2)], three: [Result(two, 0)]}
    assert direct_encounters(dict.fromkeys(crowd, 4), results) == dict.fromkeys(crowd, 0)
    assert direct_encounters({one: 4, two: 4, three: 3}, results) == {one: 2, two: 0, three: 0}
