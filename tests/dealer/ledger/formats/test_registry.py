"""Formats by name, the flags that they take, and round robins."""

from itertools import combinations, groupby

import pytest

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
from dealer.ledger.formats.circle_draw import round_robin
from dealer.ledger.formats.registry import find_format
from dealer.settings import format_names


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


def test_a_round_robin_of_four() -> None:
    assert round_robin(4) == (((3, 0), (1, 2)), ((1, 3), (2, 0)), ((3, 2), (0, 1)))


def test_one_player_alone_has_no_round_robin() -> None:
    with pytest.raises(ValueError, match=r"a round robin has 2 players or more, not 1"):
        round_robin(1)
