"""The page of a report with hostile text in every place where a player, a roster or the host can put text."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.base import FOLD, Bet
from protocol.games.stud import StudGame, StudTurn
from tests.dealer.support.reported import report
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Scribe
from tests.dealer.support.scribe import players as some_players

#: Would be a tag where a name is not escaped, and "49" where it is taken for a template.
HOSTILE = "<script>{{ 7*7 }}</script>"
COUNT = 14

#: What is left of it in a figure, where names are short.
CUT = HOSTILE[:11]


class Places(HTMLParser):
    """The text of a page by the element that holds it, and every tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        classes = dict(attrs).get("class")
        self._open.append(f"{tag}.{classes}" if classes else tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop().partition(".")[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._open[-1] if self._open else "", []).append(data)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fourteen players at a table: one sends nonsense, one is removed, one loses all its chips."""
    avatars = [f"{HOSTILE} {number}" for number in range(COUNT)]
    scribe = Scribe(Settings(SEED, StudGame(20, 1), hands=2, table_size=17), some_players(*avatars))
    nonsense = Fault(FaultKind.MALFORMED, f"expected 'fold' or 'bet:<chips>', got {HOSTILE!r}")

    def answers(player: Player, turn: StudTurn) -> Answer:
        if player is scribe.players[3]:
            return nonsense
        return Bet(min(turn.owed + 10, turn.stack)) if player in scribe.players[:2] else FOLD

    scribe.game()
    scribe.hand(answers)
    scribe.remove(scribe.players[5], f"asked to go home {HOSTILE}")
    scribe.hand(lambda player, turn: Bet(turn.owed))
    scribe.end()
    return scribe.write(tmp_path_factory.mktemp("hostile") / "journal")


def page_of(journal: Path, out: Path, *, anonymous: bool = False) -> str:
    roster = journal.with_name("roster.csv")
    roster.write_text("id,name\n" + "".join(f"p{number},Name {HOSTILE}\n" for number in range(COUNT)))
    report(journal, out, anonymous=anonymous, roster=roster)
    return (out / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(journal: Path) -> str:
    return page_of(journal, journal.with_name("out"))


@pytest.mark.parametrize(
    ("element", "count"),
    [
        ("bdi.avatar", COUNT),  # standings, and again for a player who left
        ("bdi.id", COUNT),
        ("bdi", 2 * COUNT),  # the matrix: columns and rows
        ("li", 1),  # the fault
        ("p", 2),  # the reasons of leaving
    ],
)
def test_hostile_text_is_text_in_every_place(element: str, count: int, page: str) -> None:
    found = [text for text in Places(page).texts[element] if HOSTILE in text]
    assert len(found) >= count


def test_hostile_name_is_text_in_the_list_of_curves(page: str) -> None:
    """Figures of chips and of places show twelve curves at once, and list the others."""
    assert sum(text.startswith(CUT) for text in Places(page).texts["option"]) == 2 * (COUNT - 12)


def test_hostile_text_opens_no_tag_and_is_no_template(page: str) -> None:
    assert Places(page).tags.count("script") == page.count("</script>") == len(re.findall("<script", page))
    assert HOSTILE not in page
    assert not re.search(r"&lt;script&gt;49", page)


def test_hostile_text_is_escaped_in_figures(page: str) -> None:
    """Plotly shows some HTML that stands in a name, so the name in its data is escaped as well."""
    figures = re.findall(r'Plotly\.newPlot\(\s*"(\w+)",\s*(\[.*?\]),\s*\{"template"', page, re.DOTALL)
    traces = {name: json.loads(data) for name, data in figures}
    for figure in ("chips", "places"):
        names = {trace["name"] for trace in traces[figure]}
        assert len(names) == COUNT
        assert all(name.startswith(CUT.replace("<", "&lt;").replace(">", "&gt;")) for name in names)


def test_anonymous_page_escapes_avatars_too(journal: Path, tmp_path: Path) -> None:
    page = page_of(journal, tmp_path / "out", anonymous=True)
    places = Places(page).texts
    assert len([text for text in places["bdi.avatar"] if HOSTILE in text]) >= COUNT
    assert "no. 1" in places["bdi.id"]
    assert not [text for text in places["bdi.id"] if HOSTILE in text]
    assert HOSTILE not in page
