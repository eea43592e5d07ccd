"""Formats by name, and the flags that they take."""

import pytest

from dealer.cli.flags import TournamentFlags
from dealer.errors import OptionError
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
