"""``casino report`` as a whole: the page, the grades, and journals that are not as they should be."""

from pathlib import Path

import pytest

from dealer.settings import Settings
from protocol.games.base import FOLD
from protocol.games.stud import StudGame
from tests.dealer.report.test_report import AVATARS, assert_links_stay_inside, parsed
from tests.dealer.support.reported import charts, report, rows
from tests.dealer.support.rig import SEED, by_chance
from tests.dealer.support.scribe import Scribe
from tests.dealer.support.scribe import players as some_players

CROWD = 200


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of 200 players at 25 tables, with hostile names."""
    folder = tmp_path_factory.mktemp("crowded")
    settings = Settings(SEED, StudGame(60, 1), hands=120, table_size=8, levels=20)
    scribe = Scribe(settings, some_players(*[f"{AVATARS[number % 5]} {number}" for number in range(CROWD)]))
    decide = by_chance(1)
    scribe.play_round(lambda player, turn: FOLD if turn.owed > 3 else decide(turn))
    scribe.end()
    report(scribe.write(folder / "journal"), folder / "out")
    return folder / "out"


@pytest.mark.long
def test_page_of_200_players_is_small(crowded: Path) -> None:
    page = (crowded / "index.html").read_text(encoding="utf-8")
    assert len(page) < 750_000
    assert len(rows(crowded / "standings.csv")) == len(list((crowded / "players").iterdir())) == CROWD
    drawn = charts(page)
    for name in ("chips", "places"):
        assert len(drawn[name]["series"]) == CROWD
        assert drawn[name]["shown"] == drawn[name]["listed"] == 12  # the reader chooses others from a list
        assert max(len(one["at"]) for one in drawn[name]["series"][12:]) <= 101
    best = [row["id"] for row in rows(crowded / "standings.csv")][:12]
    numbers = [int(id.removeprefix("p")) for id in best]
    for number, one in zip(numbers, drawn["chips"]["series"], strict=False):
        assert one["values"][0] == 60
        assert one["values"][-1] == int(rows(crowded / "standings.csv")[numbers.index(number)]["chips"])
    assert {len(one["values"]) for one in drawn["ways"]["series"]} == {16}
    tags = parsed(page)
    assert not {"img", "b"} & {tag for tag, _ in tags.tags}
    assert_links_stay_inside(tags, crowded)
