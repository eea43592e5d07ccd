"""``casino report`` as a whole: the page, the grades, and journals that are not as they should be."""

import json
import re
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs

from dealer.settings import Settings
from protocol.games.base import FOLD
from protocol.games.stud import StudGame
from tests.dealer.report.test_report import AVATARS, assert_links_stay_inside, parsed
from tests.dealer.support.reported import report, rows
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
    assert len(page.replace(get_plotlyjs(), "")) < 750_000
    assert len(rows(crowded / "standings.csv")) == len(list((crowded / "players").iterdir())) == CROWD
    figures = re.findall(r'Plotly\.newPlot\(\s*"(\w+)",\s*(\[.*?\]),\s*\{"template"', page, re.DOTALL)
    traces = {name: json.loads(data) for name, data in figures}
    for name in ("chips", "places"):
        assert len(traces[name]) == CROWD
        assert sum(trace["visible"] for trace in traces[name]) == 12
        assert max(len(trace["x"]) for trace in traces[name][12:]) <= 101
        assert page.count(f'<select data-figure="{name}">') == 1
    best = [row["id"] for row in rows(crowded / "standings.csv")][:12]
    numbers = [int(id.removeprefix("p")) for id in best]
    for number, trace in zip(numbers, traces["chips"], strict=False):
        assert trace["y"][0] == 60
        assert trace["y"][-1] == int(rows(crowded / "standings.csv")[numbers.index(number)]["chips"])
    assert {len(trace["y"]) for trace in traces["ways"]} == {16}
    assert page.count("<option") == 2 * (CROWD - 12 + 1)
    tags = parsed(page)
    assert not {"img", "b"} & {tag for tag, _ in tags.tags}
    assert_links_stay_inside(tags, crowded)
