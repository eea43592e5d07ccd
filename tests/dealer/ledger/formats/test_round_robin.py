"""Round robins: everybody meets everybody once, and sits first as often as second."""

from itertools import combinations, groupby

import pytest

from dealer.ledger.formats.circle_draw import round_robin

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


def test_a_round_robin_of_four() -> None:
    assert round_robin(4) == (((3, 0), (1, 2)), ((1, 3), (2, 0)), ((3, 2), (0, 1)))


def test_one_player_alone_has_no_round_robin() -> None:
    with pytest.raises(ValueError, match=r"a round robin has 2 players or more, not 1"):
        round_robin(1)
