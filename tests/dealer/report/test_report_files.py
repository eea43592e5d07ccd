"""What a report writes and must not touch, with hostile text and forged numbers in every place."""

import re
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dealer.cli.output import safe_cell
from dealer.errors import JournalError, OptionError, ReportError
from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.report.folder import LIST, check_folder, open_folder
from dealer.report.labels import label_players
from dealer.report.sheets import to_csv
from dealer.report.write import ReportOptions, write_report
from dealer.settings import Settings
from protocol.games.base import FOLD, Bet
from protocol.games.stud import StudGame, StudTurn
from tests.dealer.support.altered_journals import Records
from tests.dealer.support.recorded import (
    clients_by_chance,
    play_recorded,
    read_records,
    rebuilt,
    run_at_once,
    write_records,
)
from tests.dealer.support.reported import charts, report
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Scribe
from tests.dealer.support.scribe import players as some_players


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_only_an_earlier_report_is_replaced(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    first = open_folder(out)
    first.append("index.html", "old")
    first.append("players/amit/transcript.txt", "old")
    first.append("players/brian/transcript.txt", "old")
    (out / "players/brian/notes.txt").write_text("mine")
    (out / "notes.txt").write_text("mine")
    second = open_folder(out)
    assert files(out) == {LIST, "notes.txt", "players/brian/notes.txt"}
    assert not (out / "players/amit").exists()
    second.append("index.html", "new ")
    second.append("index.html", "text")
    assert (out / "index.html").read_text() == "new text"
    assert second.files == ["index.html"]


def test_files_of_an_interrupted_report_are_replaced_and_those_of_a_discarded_one_deleted(tmp_path: Path) -> None:
    out = tmp_path / "out"
    open_folder(out).append("players/amit/transcript.txt", "half")
    folder = open_folder(out)
    assert files(out) == {LIST}
    folder.append("players/amit/transcript.txt", "half")
    folder.discard()
    assert list(out.iterdir()) == []


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(OptionError, match=r"is not empty, and what is in it is no earlier report"):
        open_folder(tmp_path)
    (tmp_path / LIST).write_text("thesis.txt\n")
    with pytest.raises(OptionError, match=r"is not empty"):
        check_folder(tmp_path)
    assert files(tmp_path) == {"thesis.txt", LIST}
    with pytest.raises(OptionError, match=r"is a file; --out needs a folder"):
        open_folder(tmp_path / "thesis.txt")


def test_foreign_file_is_never_overwritten(tmp_path: Path) -> None:
    open_folder(tmp_path / "out")
    (tmp_path / "out/grades.csv").write_text("mine")
    with pytest.raises(ReportError, match=r"grades\.csv is there, but no report wrote it"):
        open_folder(tmp_path / "out").append("grades.csv", "new")
    assert (tmp_path / "out/grades.csv").read_text() == "mine"


def test_forged_list_deletes_nothing_outside(tmp_path: Path) -> None:
    out = tmp_path / "out"
    open_folder(out)
    (tmp_path / "outside").mkdir()
    for name in ("outside/a.txt", "b.txt", "out/real.txt"):
        (tmp_path / name).write_text("mine")
    (out / "link").symlink_to(tmp_path / "outside")
    (out / "soft.txt").symlink_to(tmp_path / "b.txt")
    with (out / LIST).open("a") as listing:
        listing.write(f"../b.txt\nlink/a.txt\n{tmp_path}/b.txt\nsoft.txt\nplayers/../../b.txt\n..\n.\n\nreal.txt\n")
    open_folder(out)
    assert (tmp_path / "b.txt").exists()
    assert (tmp_path / "outside/a.txt").exists()
    assert (out / "soft.txt").is_symlink()
    assert not (out / "real.txt").exists()


def players(*ids: str) -> list[Player]:
    return [Player(id, "Same", "program") for id in ids]


def test_folders_differ_without_regard_to_case() -> None:
    ids = ["amit", "Amit", "AMIT", "amit_1", "con", "lpt1", "a-b_c", "brian"]
    folders = [label.folder for label in label_players(players(*ids), None, False).values()]
    assert len({folder.casefold() for folder in folders}) == len(ids)
    assert folders[3] == "amit_1"
    assert folders[6:] == ["a-b_c", "brian"]
    assert not {"con", "lpt1"} & set(folders)


def test_anonymous_label_has_only_the_avatar() -> None:
    labels = list(label_players(players("amit", "brian"), {"amit": "Amit K."}, True).values())
    assert [(label.id, label.name, label.folder) for label in labels] == [
        (None, None, "player-1"),
        (None, None, "player-2"),
    ]
    assert [label.short for label in labels] == ["Same (1)", "Same (2)"]
    assert labels[0].hidden("expected 'fold' or 'bet:<chips>', got 'amit:x'", "amit").endswith("got '(id):x'")


@pytest.mark.parametrize("id", ["..", "../x", "a/b", "", "a b", "x" * 40])
def test_journal_with_an_invalid_id_is_refused(id: str) -> None:
    with pytest.raises(JournalError, match=r"names a player that no dealer lets in"):
        label_players(players("amit", id), None, False)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('=HYPERLINK("http://x","y")', '\'=HYPERLINK("http://x","y")'),
        ("+1", "'+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\uff1d1", "'\uff1d1"),
        ("a;=1+1", "a;'=1+1"),
        ("a, =1", "a, '=1"),
        ("a-b = c", "a-b = c"),
        ("Steph", "Steph"),
    ],
)
def test_cells_cannot_be_formulas(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


def test_csv_numbers_and_empty_cells() -> None:
    assert to_csv([{"a": -5, "b": None}]) == "\ufeffa,b\r\n-5,\r\n"


HUGE: list[Any] = [2**63 - 1, 2**63, 2**64 - 1, -(2**63), 2**53 + 1, float("inf"), float("nan"), 1e308]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    """The journal of a tournament of three."""
    path = tmp_path_factory.mktemp("forged") / "a.journal"
    run_at_once(partial(play_recorded, path, clients_by_chance(3), Settings(SEED, StudGame(100), hands=4)))
    return read_records(path)


def number_of(records: Records, type_: str) -> int:
    return next(number for number, told in enumerate(records) if told["type"] == type_)


def forged(told: dict[str, Any], value: Any) -> list[dict[str, Any]]:
    """The record with this value in each of its fields, and in the last place of each list and map there."""
    return [{**told, name: into} for name, fact in told.items() for into in _with(fact, value)]


def _with(fact: Any, value: Any) -> list[Any]:
    deeper: list[Any] = []
    if isinstance(fact, list) and fact:
        deeper = [[*fact[:-1], into] for into in _with(fact[-1], value)]
    if isinstance(fact, dict):
        deeper = [{**fact, key: into} for key in fact for into in _with(fact[key], value)]
    return [value, *deeper]


@pytest.mark.parametrize("value", HUGE, ids=str)
@pytest.mark.parametrize("type_", ["start", "game", "hand"])
def test_huge_number_in_any_field_is_an_error(type_: str, value: Any, records: Records, tmp_path: Path) -> None:
    path, number = tmp_path / "a.journal", number_of(records, type_)
    for told in forged(records[number], value):
        write_records(path, [*records[:number], told, *records[number + 1 :]])
        with pytest.raises(JournalError):
            rebuilt(path)


@pytest.mark.parametrize(
    ("type_", "change"),
    [
        ("start", {"started": 2**63}),
        ("start", {"started": 1e15}),
        ("hand", {"table": []}),
        ("hand", {"actions": [[0, 0, 2**63]]}),
        ("hand", {"players": None}),
        ("end", {"standings": 2**63}),
    ],
)
def test_report_of_a_forged_journal_is_an_error(
    type_: str, change: dict[str, Any], records: Records, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = number_of(records, type_)
    path = tmp_path / "a.journal"
    write_records(path, [*records[:number], {**records[number], **change}, *records[number + 1 :]])
    assert write_report(ReportOptions(path, tmp_path / "out", None, False, False)) == 1
    assert capsys.readouterr().err.startswith(f"casino: {path}: record {number + 1}: ")


#: Would be a tag where a name is not escaped, and "49" where it is taken for a template.
HOSTILE = "<script>{{ 7*7 }}</script>"
COUNT = 14

#: What is left of it in a chart, where names are short.
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


def test_hostile_text_opens_no_tag_and_is_no_template(page: str) -> None:
    assert Places(page).tags.count("script") == page.count("</script>") == len(re.findall("<script", page))
    assert HOSTILE not in page
    assert not re.search(r"&lt;script&gt;49", page)


def test_hostile_text_is_data_in_charts(page: str) -> None:
    """Twelve curves are shown at once, and the reader may choose the others; the script makes text of every name."""
    for name in ("chips", "places"):
        names = {one["name"] for one in charts(page)[name]["series"]}
        assert len(names) == COUNT
        assert all(one.startswith(CUT) for one in names)


def test_anonymous_page_escapes_avatars_too(journal: Path, tmp_path: Path) -> None:
    page = page_of(journal, tmp_path / "out", anonymous=True)
    places = Places(page).texts
    assert len([text for text in places["bdi.avatar"] if HOSTILE in text]) >= COUNT
    assert "no. 1" in places["bdi.id"]
    assert not [text for text in places["bdi.id"] if HOSTILE in text]
    assert HOSTILE not in page
