"""Points, tie-breaks and places of round robins and Swiss tournaments."""

from random import Random

import pytest

from dealer.ledger.formats.circle_draw import round_robin
from dealer.ledger.formats.pairings import PairingScores
from dealer.ledger.formats.points import points_of_pair, points_of_places, shown
from dealer.ledger.formats.tie_breaks import Result, buchholz, direct_encounters
from dealer.lobby.player import Player


def players(count: int) -> list[Player]:
    return [Player(f"p{number}", f"Player {number}", "bot") for number in range(count)]


def round_robin_of(table: list[str]) -> tuple[list[Player], PairingScores]:
    """Everybody against everybody: a row for each player, with 1, = or 0 against each."""
    crowd = players(len(table))
    scores = PairingScores(crowd, swiss=False)
    for pairs in round_robin(len(table)):
        for one, two in pairs:
            won = "0=1".index(table[one][two])
            scores.end_pairing(crowd[one], crowd[two], (won, 2 - won), (10 * (won - 1), 10 * (1 - won)))
    return crowd, scores


def test_a_draw_is_half_a_point_for_both() -> None:
    assert [points_of_pair(*chips) for chips in ((5, 3), (3, 5), (4, 4))] == [(2, 0), (0, 2), (1, 1)]
    assert [shown(points) for points in (0, 1, 2, 7)] == ["0", "½", "1", "3½"]


def test_place_is_worth_players_beaten_and_half_of_equals() -> None:
    assert points_of_places({"a": 1, "b": 2, "c": 2, "d": 4}) == {"a": 6, "b": 3, "c": 3, "d": 0}


def test_sonneborn_berger_counts_beaten_and_half_of_drawn() -> None:
    crowd, scores = round_robin_of([".1=0", "0.11", "=0.1", "100."])
    assert [scores.points()[player] for player in crowd] == [3, 4, 3, 2]
    # 0 beat 1 (2 points) and drew with 2 (1½); 1 beat 2 (1½) and 3 (1); 2 beat 3 (1) and drew with 0 (1½); 3 beat 0
    assert [scores.tie_breaks()[player] for player in crowd] == [(11,), (10,), (7,), (6,)]
    assert scores.facts()[crowd[0]]["sonneborn_berger"] == 2.75
    assert scores.tally()[crowd[0]] == (1, 1, 1)


def test_ties_are_broken_by_direct_results_then_chips() -> None:
    crowd = players(3)
    scores = PairingScores(crowd, swiss=False)
    scores.end_pairing(crowd[0], crowd[1], (1, 1), (0, 0))
    scores.end_pairing(crowd[0], crowd[2], (2, 0), (5, -5))
    scores.end_pairing(crowd[1], crowd[2], (2, 0), (9, -9))
    keys = scores.rank_keys()
    assert keys[crowd[0]][:-1] == keys[crowd[1]][:-1] == (3, 3, 1)
    assert keys[crowd[1]] > keys[crowd[0]] > keys[crowd[2]]


def test_who_met_is_told_apart_by_that_in_a_swiss_tournament() -> None:
    crowd = players(4)
    scores = PairingScores(crowd, swiss=True)
    for one, two, won in ((0, 1, 2), (2, 3, 2), (1, 3, 2), (0, 2, 0)):
        scores.end_pairing(crowd[one], crowd[two], (won, 2 - won))
    keys = scores.rank_keys()
    assert scores.tie_breaks()[crowd[0]] == (4, 6)  # opponents have 1 and 2 points: the first is cut
    assert scores.tie_breaks()[crowd[1]] == (2, 2)
    assert [keys[player][-2] for player in crowd] == [0, 0, 0, 0]
    equals = PairingScores(crowd[:2], swiss=True)
    equals.end_pairing(crowd[1], crowd[0], (2, 0))
    equals.end_pairing(crowd[1], crowd[0], (0, 2))
    assert [equals.rank_keys()[player][-2] for player in crowd[:2]] == [2, 2]


def test_bye_and_leaver_count_as_virtual_opponents() -> None:
    crowd = players(3)
    scores = PairingScores(crowd, swiss=True)
    scores.end_pairing(crowd[0], crowd[1], (2, 0))
    scores.bye(crowd[2])
    crowd[1].left = "you are out: late"
    scores.end_pairing(crowd[0], crowd[2], (0, 2))
    assert [scores.points()[player] for player in crowd] == [2, 0, 4]
    found = buchholz(scores.results)
    assert found[crowd[0]] == (4, 5)  # 1 has 0 points and missed a round, so half a point; 2 has two points
    assert found[crowd[2]] == (4, 6)  # a bye with two points of its own, and 0 with one
    assert scores.facts()[crowd[2]]["byes"] == 1


def test_leaver_before_half_a_round_robin_counts_for_nobody() -> None:
    crowd = players(5)
    scores = PairingScores(crowd, swiss=False)
    leaver, before, after = crowd[0], crowd[1], crowd[2]
    scores.end_pairing(leaver, before, (0, 2), (-7, 7))
    leaver.left = "you are out: late"
    scores.forfeit(after, leaver)
    assert [scores.points()[player] for player in (leaver, before, after)] == [0, 0, 0]
    assert scores.rank_keys()[before][-1] == 0
    assert len(scores.facts()[before]["results"]) == 1


def test_leaver_after_half_a_round_robin_loses_the_rest() -> None:
    crowd = players(5)
    scores = PairingScores(crowd, swiss=False)
    leaver = crowd[0]
    scores.end_pairing(leaver, crowd[1], (0, 2))
    scores.end_pairing(crowd[2], leaver, (0, 2))
    leaver.left = "you are out: late"
    scores.forfeit(crowd[3], leaver)
    assert [scores.points()[player] for player in crowd] == [2, 2, 0, 2, 0]


@pytest.mark.parametrize("count", [7, 8])
def test_a_swiss_tournament_is_drawn_from_its_own_results(count: int) -> None:
    random, crowd = Random(count), players(count)
    scores = PairingScores(crowd, swiss=True)
    for _ in range(4):
        pairs, bye = scores.draw(crowd)
        for one, two in pairs:
            assert two not in [result.opponent for result in scores.results[one]]
            scores.end_pairing(one, two, points_of_pair(random.randint(0, 5), random.randint(0, 5)))
        if bye is not None:
            assert not any(result.opponent is None for result in scores.results[bye])
            scores.bye(bye)
    assert {len(results) for results in scores.results.values()} == {4}
    assert sum(scores.points().values()) == 4 * 2 * ((count + 1) // 2)


def test_who_won_against_nobody_has_no_bye_as_well() -> None:
    crowd = players(3)
    scores = PairingScores(crowd, swiss=True)
    scores.forfeit(crowd[2], crowd[1])
    scores.forfeit(crowd[2], crowd[1])
    assert scores.draw(crowd) == ([(crowd[2], crowd[0])], crowd[1])


def test_meetings_among_equals_count_only_if_each_met_each() -> None:
    one, two, three = crowd = players(3)
    results = {one: [Result(two, 2)], two: [Result(one, 0), Result(three, 2)], three: [Result(two, 0)]}
    assert direct_encounters(dict.fromkeys(crowd, 4), results) == dict.fromkeys(crowd, 0)
    assert direct_encounters({one: 4, two: 4, three: 3}, results) == {one: 2, two: 0, three: 0}
