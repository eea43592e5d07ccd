"""``casino report`` as a whole: the page, the grades, and journals that are not as they should be."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from trio.testing import MockClock

from dealer.errors import ReportError
from dealer.faults import FaultKind
from dealer.report.write import ReportOptions, write_report
from dealer.settings import Settings
from protocol.games.blockhead import BlockheadGame
from protocol.games.stud import StudGame
from protocol.wire.messages import Name
from tests.bad_bots import manners, replies
from tests.bad_bots.peer import Peer
from tests.dealer.ledger.test_duplicate import deal_scores
from tests.dealer.support.altered_journals import play_with_a_host
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import clients_by_chance, play_recorded, read_records, write_records
from tests.dealer.support.reported import charts, cut_journal, report, rows
from tests.dealer.support.rig import SEED, BadBot, Client, by_chance

AVATARS = [
    "<img src=x onerror=alert(1)>",
    "\u05e9\u05dc\u05d5\u05dd",
    '=HYPERLINK("http://x","y")',
    "</script><script>alert(2)//",
    "Steph & <b>Co</b>",
]
IDS = [f"secret-id-{number}" for number in range(len(AVATARS))]


class Tags(HTMLParser):
    """The tags of a page, with their attributes, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


async def says_its_name(peer: Peer) -> None:
    await peer.log_in("secret-bad:Bad")
    await peer.hear_question()
    await peer.say("secret-bad:Bad")
    await peer.hear_out()


async def play_strangers(path: Path, settings: Settings) -> None:
    players = [
        Client(Name(id, avatar), by_chance(number))
        for number, (id, avatar) in enumerate(zip(IDS, AVATARS, strict=True))
    ]
    await play_recorded(path, [*players, says_its_name], settings)


def parsed(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


def written(out: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in out.rglob("*") if path.is_file())


def assert_links_stay_inside(tags: Tags, out: Path) -> None:
    """All links lead to a section of the page, or to a file of the report."""
    links = [(tag, attrs["href"] or "") for tag, attrs in tags.tags if "href" in attrs]
    ids = {attrs.get("id") for _, attrs in tags.tags}
    assert {tag for tag, _ in links} == {"a"}
    for _, address in links:
        file, _, place = address.partition("#")
        assert (out / file).is_file() if file else place in ids, address


async def test_page_has_all_sections_shows_names_as_text_and_loads_nothing(tmp_path: Path) -> None:
    await play_strangers(tmp_path / "journal", Settings(SEED, StudGame(300), 40, table_size=3))
    report(tmp_path / "journal", tmp_path / "out")
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    tags = parsed(page)
    names = [tag for tag, _ in tags.tags]
    assert not {"img", "b", "iframe", "link", "object"} & set(names)
    assert not [attrs for _, attrs in tags.tags if {"src", "onerror", "onload"} & set(attrs)]
    assert_links_stay_inside(tags, tmp_path / "out")
    for avatar in AVATARS:
        assert avatar in tags.text
    assert not [avatar for avatar in AVATARS if "<" in avatar and avatar in page]
    assert '"\\u003cimg src=x' in page  # in the data of charts
    assert names.count("script") == page.count("</script>")
    assert "<bdi" in page
    assert SEED.hex() in page
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings[:3] == ["Highlights", "Standings", "Faults and departures"]
    assert page.index('class="story"') < page.index('class="pictures"') < page.index("<h2>")
    for wanted in ("Chips", "Places", "Hands won", "Reply times", "Head to head"):
        assert wanted in headings
    assert page.count('class="matrix"') == 1  # players of both tables may have met
    assert charts(page).keys() == {"picture", "chips", "places", "ways", "replies"}
    assert len(page) < 100_000
    assert "2 tables; players move between them" in page
    assert "expected &#39;fold&#39;" in page
    assert "prefers-color-scheme: dark" in page


async def test_anonymous_report_has_no_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await play_strangers(tmp_path / "journal", Settings(SEED, StudGame(300), 40))
    (tmp_path / "class.csv").write_text("id,name\nsecret-id-0,Secret Name\nsecret-absent,Secret Too\n")
    report(tmp_path / "journal", tmp_path / "out")  # files of this one must not stay
    capsys.readouterr()
    order = ReportOptions(tmp_path / "journal", tmp_path / "out", tmp_path / "class.csv", anonymous=True, json=True)
    assert write_report(order) == 0
    said = capsys.readouterr().out
    everything = written(tmp_path / "out").casefold() + said.casefold()
    assert "secret-" not in everything
    assert "secret name" not in everything
    assert "secret too" not in everything
    folders = sorted(path.name for path in (tmp_path / "out/players").iterdir())
    assert folders == [f"player-{number}" for number in range(1, 7)]
    grades = rows(tmp_path / "out/grades.csv")
    assert [row["number"] for row in grades] == ["1", "2", "3", "4", "5", "6", "7"]
    assert grades[6]["logged_in"] == "no"
    assert json.loads(said)["standings"][0]["avatar"] in AVATARS


async def test_grades_of_the_whole_roster(tmp_path: Path, tcp_clock: MockClock) -> None:
    players = [Client(Name("amit", "Amit"), by_chance(1)), Client(Name("brian", "=1+1"), by_chance(2))]
    settings = Settings(SEED, StudGame(500), 30, lives=2)
    played = await play_recorded(tmp_path / "journal", [*players, replies.malformed], settings)
    (tmp_path / "class.csv").write_text("id,name\nbrian,Brian B.\ncarlos,@Carlos\namit\n")
    report(tmp_path / "journal", tmp_path / "out", roster=tmp_path / "class.csv")
    grades = rows(tmp_path / "out/grades.csv")
    assert [(row["id"], row["name"], row["logged_in"]) for row in grades] == [
        ("brian", "Brian B.", "yes"),
        ("carlos", "'@Carlos", "no"),
        ("amit", "amit", "yes"),
        ("bad", "", "yes"),
    ]
    assert grades[0]["avatar"] == "'=1+1"
    assert (grades[1]["connected"], grades[1]["place"], grades[1]["decisions"]) == ("no", "", "")
    by_id = {standing.player.id: standing for standing in played.standings}
    for row in grades:
        if row["id"] in by_id:
            standing = by_id[row["id"]]
            assert int(row["place"]) == standing.place
            assert int(row["decisions"]) == standing.player.decisions
            assert int(row["hands_survived"]) == standing.player.hands_survived
            for kind in set(FaultKind) - {FaultKind.REMOVED}:
                assert int(row[kind]) == sum(fault.kind is kind for fault in standing.player.faults)
            assert row["removed"] == ""
    assert int(grades[3]["malformed"]) == 1
    assert float(grades[3]["legal_share"]) < 1
    assert float(grades[0]["legal_share"]) == 1
    assert float(grades[0]["reply_p50_ms"]) <= float(grades[0]["reply_p99_ms"]) <= float(grades[0]["reply_max_ms"])


async def test_grades_tell_how_far_each_program_got(tmp_path: Path, tcp_clock: MockClock) -> None:
    players = [Client(Name(id, id), by_chance(1)) for id in ("amit", "brian")]
    await play_recorded(tmp_path / "journal", players, Settings(SEED, StudGame(500), 3))
    start, *others = read_records(tmp_path / "journal")
    facts = {"type": "refused", "time": 0.0, "address": "10.0.0.1:99", "port": 4000, "reason": "x", "sent": b""}
    tried = [
        ("carlos", "malformed"),
        ("denise", "malformed"),
        ("denise", "full"),
        ("amit", "duplicate"),
        (None, "late"),
    ]
    write_records(tmp_path / "told", [start, *({**facts, "id": id, "kind": kind} for id, kind in tried), *others])
    (tmp_path / "class.csv").write_text("id\namit\ncarlos\ndenise\neve\n")
    report(tmp_path / "told", tmp_path / "out", roster=tmp_path / "class.csv")
    grades = rows(tmp_path / "out/grades.csv")
    assert [(row["id"], row["connected"], row["logged_in"], row["seated"]) for row in grades] == [
        ("amit", "yes", "yes", "yes"),
        ("carlos", "yes", "no", "no"),
        ("denise", "yes", "yes", "no"),
        ("eve", "no", "no", "no"),
        ("brian", "yes", "yes", "yes"),
    ]


@pytest.mark.parametrize(
    ("bot", "closed"),
    [(manners.stays_after_done, "no"), (replies.malformed, "yes"), (manners.leaves_when_asked, "")],
)
async def test_grades_tell_whether_a_program_closed_its_connection(
    bot: BadBot, closed: str, tmp_path: Path, tcp_clock: MockClock
) -> None:
    players: list[Client | BadBot] = [Client(Name("amit", "Amit"), by_chance(1)), bot]
    await play_recorded(tmp_path / "journal", players, Settings(SEED, StudGame(500), 30))
    report(tmp_path / "journal", tmp_path / "out")
    grades = {row["id"]: row["closed_after_done"] for row in rows(tmp_path / "out/grades.csv")}
    assert grades == {"amit": "yes", "bad": closed}


async def test_removal_by_the_host_is_no_fault(
    tmp_path: Path, tcp_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    await play_with_a_host(tmp_path / "journal")
    capsys.readouterr()
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out", json=True)) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["rounds"] == 2
    (removed,) = (row for row in rows(tmp_path / "out/grades.csv") if row["removed"])
    assert (removed["id"], removed["removed"]) == ("chance-3", "asked to go home")
    assert float(removed["legal_share"]) == 1
    assert sum(int(removed[kind]) for kind in set(FaultKind) - {FaultKind.REMOVED}) == 0
    assert removed["logged_in"] == "yes"
    assert removed["place"] in ("7", "8")  # others may have been the first to go broke in both rounds
    assert len(facts["standings"]) == 8
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings[3:6] == ["Places round by round", "Chips in round 2", "Places in round 2"]
    assert re.search(r"<article>.*chance-3.*Removed by the host after hand \d+ at table \d", page)
    assert "made no mistake and ran out of chips" in page


async def test_standings_equal_those_of_the_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(SEED, BlockheadGame(hands=5), 5, 6, table_size=6)
    played = await play_recorded(tmp_path / "journal", clients_by_chance(4), settings)
    capsys.readouterr()
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out", json=True)) == 0
    facts = json.loads(capsys.readouterr().out)
    expected = [(one.place, one.player.id, one.chips) for one in played.standings]
    assert [(one["place"], one["id"], one["chips"]) for one in facts["standings"]] == expected
    sheet = rows(tmp_path / "out/standings.csv")
    assert [(int(row["place"]), row["id"], int(row["chips"])) for row in sheet] == expected
    scores = played.tournament.scores
    assert scores is not None
    for row, standing in zip(sheet, played.standings, strict=True):
        assert int(row["won"]) == scores.by_player[standing.player].won
    assert set(facts["files"]) == {
        path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*") if path.is_file()
    } - {".casino-report"}


async def test_duplicate_league_says_which_deals_count(tmp_path: Path) -> None:
    played = await play_recorded(
        tmp_path / "journal", clients_by_chance(3), Settings(SEED, StudGame(100), 1, 8, duplicate=True)
    )
    report(tmp_path / "journal", tmp_path / "out")
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "8 of 8 deals were played in all 3 rotations" in page
    scores = deal_scores(played.tournament.ledger)
    for row, standing in zip(rows(tmp_path / "out/standings.csv"), played.standings, strict=True):
        result = scores.by_player[standing.player].result
        assert float(row["chips_per_deal"]) == pytest.approx(result.chips_per_deal)


async def test_pots_have_a_replay_command(tmp_path: Path) -> None:
    journal = tmp_path / "my friday.journal"
    await play_recorded(journal, clients_by_chance(4), Settings(SEED, StudGame(300), 30))
    report(journal, tmp_path / "out")
    text = (tmp_path / "out/players/chance-2/summary.txt").read_text(encoding="utf-8")
    assert "Largest pots won" in text
    assert re.search(r"casino replay 'my friday\.journal' --hand \d+ --table 0 --seat \d", text)
    assert str(tmp_path) not in written(tmp_path / "out")


async def test_unfinished_report_needs_a_flag_and_hides_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await play_recorded(tmp_path / "whole", clients_by_chance(3), Settings(SEED, StudGame(300), 30, seed_text=None))
    cut_journal(tmp_path / "whole", tmp_path / "journal", 12)
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out")) == 1
    complaint = capsys.readouterr().err
    assert "has not ended" in complaint
    assert "--unfinished" in complaint
    assert complaint.count("\n") == 1
    assert not (tmp_path / "out").exists()
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out", unfinished=True)) == 0
    assert SEED.hex() not in written(tmp_path / "out") + capsys.readouterr().out
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "This tournament has not ended" in page


async def test_torn_journal_is_reported_up_to_the_tear(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await play_recorded(tmp_path / "whole", clients_by_chance(3), Settings(SEED, StudGame(300), 30))
    cut_journal(tmp_path / "whole", tmp_path / "journal", 12)
    whole = (tmp_path / "journal").read_bytes()
    (tmp_path / "journal").write_bytes(whole[:-5])
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out", unfinished=True)) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("the report holds the 11 records before it")
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    hands = [record["type"] for record in read_raw(tmp_path / "whole")][:11].count("hand")
    assert f"3 players, {hands} hands" in page
    assert "The end of the journal is torn" in page


async def test_altered_journal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await play_recorded(tmp_path / "journal", clients_by_chance(2), Settings(SEED, StudGame(300), 30))
    data = (tmp_path / "journal").read_bytes()
    (tmp_path / "journal").write_bytes(data[:400] + bytes([data[400] ^ 1]) + data[401:])
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out")) == 1
    assert "damaged" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_missing_empty_or_foreign_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write_report(ReportOptions(tmp_path / "none", tmp_path / "out")) == 2
    (tmp_path / "empty").touch()
    assert write_report(ReportOptions(tmp_path / "empty", tmp_path / "out")) == 1
    (tmp_path / "text").write_text("dear diary, today we played cards")
    assert write_report(ReportOptions(tmp_path / "text", tmp_path / "out")) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "cannot read the journal" in lines[0]
    assert "no tournament was started" in lines[1]
    assert "is no journal" in lines[2]
    assert len(lines) == 3
    assert not (tmp_path / "out").exists()


async def test_unusable_roster_and_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await play_recorded(tmp_path / "journal", clients_by_chance(2), Settings(SEED, StudGame(300), 3))
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out", tmp_path / "no.csv")) == 2
    assert "cannot read the roster" in capsys.readouterr().err
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path)) == 2
    assert "is not empty" in capsys.readouterr().err


def test_missing_library_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out")) == 1
    assert (
        capsys.readouterr().err
        == "casino: a report needs jinja2: pip install '.[report]' in the folder of Casino Day\n"
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, ReportError("the disk is full")])
async def test_interrupted_report_is_deleted(
    error: type[KeyboardInterrupt] | ReportError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise error

    await play_recorded(tmp_path / "journal", clients_by_chance(2), Settings(SEED, StudGame(300), 3))
    monkeypatch.setattr("dealer.report.write.page", fail)
    if isinstance(error, ReportError):
        assert write_report(ReportOptions(tmp_path / "journal", tmp_path / "out")) == 1
    else:
        with pytest.raises(KeyboardInterrupt):
            write_report(ReportOptions(tmp_path / "journal", tmp_path / "out"))
    assert list((tmp_path / "out").iterdir()) == []
