"""Hold'em by a level table: chips are conserved, and every hand is dealt with the stakes of its level."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dealer.audit.rebuild import LedgerRebuild
from dealer.settings import Settings
from protocol.games.holdem import HoldemGame, HoldemMatch
from protocol.games.level_table import LevelTable
from tests.dealer.support.altered_journals import verdict
from tests.dealer.support.holdem_journals import by_chance
from tests.dealer.support.recorded import facts, read_records, rebuilt
from tests.dealer.support.scribe import Scribe, players
from tests.protocol.games.test_holdem_match import level_tables


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
    scribe.play_round(by_chance(Random(seed)))
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
    scribe.play_round(by_chance(Random(1)))
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
