"""The file that replays: its frames, what it holds, hides, fetches and replaces, and journals that are not whole."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dealer.audit.hands import ReplayedHand
from dealer.audit.win_chances import run_outs, win_chances
from dealer.cli.flags import ReplayFileFlags
from dealer.errors import OptionError
from dealer.journal.records import FinishedHandRecord
from dealer.ledger.ledger import Ledger
from dealer.ledger.played_hand import Deal, HandRecord
from dealer.replay.journal_reader import Choice
from dealer.replayer import recording
from dealer.replayer.command import check_file_flags, write_replay
from dealer.replayer.document import bundle, document
from dealer.telling.hand_events import HandEvents
from dealer.web.table_view import LINES, CardVisibility, Shown, after_actions, table_facts
from tests.dealer.support.golden_replays import write_hosted, write_stud
from tests.dealer.support.replay_files import GAMES, data_of, frames_in, replayed, write_random
from tests.dealer.support.reported import report


def test_file_names_nothing_outside_itself_and_its_policy_allows_nothing() -> None:
    text = document("A <title>", "data")
    assert "<title>A &lt;title&gt;</title>" in text
    assert not re.findall(r'(?:src|href)="(?!#)|url\(|@import|https?://(?!www\.w3\.org/)', text)
    assert re.search(r"default-src 'none'; [^\"]*script-src 'sha256-[^ ]+' 'sha256-[^ ]+'\"", text)
    assert "<!-- " not in text.removeprefix("<!doctype html><!-- casino replay -->")


def test_script_has_every_module_once_and_after_those_it_needs() -> None:
    script = bundle("replayer.js")
    made = re.findall(r'^modules\["([\w.]+)"\] = ', script, re.MULTILINE)
    assert len(made) == len(set(made))
    assert made[-1] == "replayer.js"
    known: set[str] = set()
    for part in re.split(r'^modules\["', script, flags=re.MULTILINE)[1:]:
        assert set(re.findall(r'= modules\["([\w.]+)"\];', part)) <= known
        known.add(part.partition('"')[0])


def test_earlier_replay_is_replaced_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    journal = write_stud(tmp_path / "friday.journal")
    assert write_replay(journal, Choice(), None) == 0
    assert write_replay(journal, Choice(hand=2), None) == 0
    assert [hand["hand"] for hand in data_of(tmp_path / "friday.html")["hands"]] == [2]
    (tmp_path / "thesis.html").write_text("<p>years of work")
    assert write_replay(journal, Choice(), Path("thesis.html")) == 2
    assert "thesis.html is there, and is no replay in HTML; name another file with --out" in capsys.readouterr().err
    assert write_replay(journal, Choice(), tmp_path) == 2
    assert write_replay(journal, Choice(), Path("no/such/folder.html")) == 1
    assert write_replay(journal, Choice(seat="Zoe"), None) == 2
    assert write_replay(journal, Choice(hand=99), None) == 2
    assert write_replay(tmp_path / "none.journal", Choice(), None) == 2


def test_torn_journal_is_replayed_as_far_as_it_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = write_random(tmp_path / "a.journal", "stud")
    whole = journal.read_bytes()
    journal.write_bytes(whole[: len(whole) * 2 // 3])
    assert write_replay(journal, Choice(), tmp_path / "a.html") == 1
    assert 0 < len(data_of(tmp_path / "a.html")["hands"]) < 12
    assert "torn" in capsys.readouterr().err


def test_hands_that_are_too_many_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_HANDS", 3)
    write_replay(write_random(tmp_path / "a.journal", "holdem"), Choice(), tmp_path / "a.html")
    data = data_of(tmp_path / "a.html")
    assert (len(data["hands"]), data["leftOut"]) == (3, 9)
    assert {moment[1] for moment in data["moments"]} <= {0, 1, 2}


def test_what_happened_between_hands_is_told(tmp_path: Path) -> None:
    write_replay(write_hosted(tmp_path / "a.journal"), Choice(), tmp_path / "a.html")
    notes = data_of(tmp_path / "a.html")["notes"]
    told = [line for at in sorted(notes, key=int) for line in notes[at]]
    assert told[0].startswith("The host lets a hand take at least 1.5 s")
    assert "Denise is out (removed): plays for another student" in told
    assert "Level 2: ante 4 from now on." in told
    assert any(line.startswith("Round 2 begins") for line in told)


def test_moments_lead_to_hands(tmp_path: Path) -> None:
    write_replay(write_stud(tmp_path / "a.journal"), Choice(), tmp_path / "a.html")
    data = data_of(tmp_path / "a.html")
    pots = [moment for moment in data["moments"] if moment[0] == "pot"]
    assert [amount for *_, amount, _ in pots] == sorted((amount for *_, amount, _ in pots), reverse=True)
    ends = [frames_in(hand)[-1]["pot"] for hand in data["hands"]]
    assert pots[0][4] == max(ends)
    assert ends[pots[0][1]] == max(ends)
    out = next(moment for moment in data["moments"] if moment[0] == "out")
    assert data["hands"][out[1]]["hand"] == 1
    assert data["scene"]["players"][out[3]] == "[red]Carlos[/red]"


@pytest.mark.parametrize(
    ("flags", "other"), [(ReplayFileFlags(out=Path("a.html")), False), (ReplayFileFlags(True), True)]
)
def test_flags_that_do_not_fit(flags: ReplayFileFlags, other: bool) -> None:
    with pytest.raises(OptionError):
        check_file_flags(flags, other)


OPEN, CLOSED = CardVisibility(during=True, after=True), CardVisibility(during=False, after=False)


@pytest.mark.parametrize("name", GAMES)
def test_each_frame_is_what_the_page_showed(name: str, tmp_path: Path) -> None:
    journal, file = write_random(tmp_path / "a.journal", name), tmp_path / "a.html"
    ledger, hands = replayed(journal)
    assert write_replay(journal, Choice(), file) == 0
    for (record, hand), packed in zip(hands, data_of(file)["hands"], strict=True):
        frames, lines = frames_in(packed), packed["lines"] + packed["endLines"]
        told = [told_by_page(frame, lines, packed["holes"]) for frame in frames]
        assert told == shown_on_page(ledger, record, hand)


def told_by_page(frame: Any, lines: Any, holes: Any) -> Any:
    """A frame as the page is told it: with hole cards at the end, and the last lines."""
    facts = {**frame, "log": lines[: frame["told"]][-LINES:], "skipped": None}
    del facts["told"]
    if frame["over"] or frame.get("allIn"):
        facts["seats"] = [{**seat, "hole": holes[str(at)]} for at, seat in enumerate(frame["seats"])]
    return facts


def shown_on_page(ledger: Ledger, record: FinishedHandRecord, hand: ReplayedHand) -> list[Any]:
    """What the page shows of a hand, action by action, then street by street, and at last its end."""
    game = ledger.settings.game
    deal = Deal(hand.table, hand.number, hand.level, record.players, hand.match, record.deck)
    whole = HandRecord(deal, record.actions, record.faults)
    streets = tuple(run_outs(hand.steps, hand.last, game))
    actions = range(len(hand.steps) + (not streets))
    events = [*HandEvents.of(hand).steps(hand.steps, hand.last)]
    under_way = [Shown(hand.number, [*after_actions(events, count)]) for count in actions]
    facts = [table_facts(shown, game, CLOSED) for shown in under_way]
    for stage, street in enumerate(streets):
        chances = win_chances(street, len(hand.players))
        facts.append(table_facts(Shown(hand.number, (), whole, streets, stage), game, OPEN, chances))
    facts.append(table_facts(Shown(hand.number, (), whole, streets, len(streets)), game, OPEN))
    told: list[Any] = json.loads(json.dumps(facts))  # tuples are lists on the page
    return told


CARD = re.compile(r'"((?:10|[2-9JQKA])[SHDC])"|(?<!\w)((?:10|[2-9JQKA])[SHDC])(?!\w)')


@pytest.mark.parametrize("name", GAMES)
def test_no_hidden_card_of_others(name: str, tmp_path: Path) -> None:
    journal, out = write_random(tmp_path / "a.journal", name, hands=40), tmp_path / "out"
    report(journal, out)
    ledger, hands = replayed(journal)
    for number, player in enumerate(ledger.players):
        data = data_of(out / "players" / player.id / "replay.html")
        own = [hand for _, hand in hands if player in hand.players]
        assert [hand["hand"] for hand in data["hands"]] == [hand.number for hand in own]
        for packed, hand in zip(data["hands"], own, strict=True):
            check_hand(packed, hand, hand.players.index(player))
        others = [other.id for other in ledger.players if other is not player]
        text = json.dumps(data, ensure_ascii=False)
        assert data["scene"]["seenBy"] == f"Avatar {number}"
        assert not any(re.search(rf"\b{other}\b", text) for other in others)


def check_hand(packed: Any, hand: ReplayedHand, seat: int) -> None:
    """A hand of a player's file names only cards that the player had or that were shown."""
    shown = dict(hand.settlement.shown)
    hidden = {at: [card.text for card in hand.last.hole(at)] for at in range(len(hand.players))}
    assert packed["holes"] == {str(seat): hidden[seat]}
    may_know = {str(at) for at in shown} | {str(at) for at in range(len(hand.players)) if hand.settlement.shares[at]}
    assert set(packed.get("shown", {})) <= may_know - {str(seat)}
    seen = [*(step.before.public() for step in hand.steps), hand.last.public()]
    known = {
        card.text for public in seen for cards in (public.board, *(one.up for one in public.seats)) for card in cards
    }
    known |= {card.text for cards in shown.values() for card in cards} | set(hidden[seat])
    known |= {getattr(card, "text", "") for card in hand.settlement.cards}
    named = {first or second for first, second in CARD.findall(json.dumps(packed))}
    assert named <= known


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of hold'em, and its report in the folder ``out`` beside it."""
    folder = tmp_path_factory.mktemp("reported")
    report(write_random(folder / "a.journal", "holdem", hands=40), folder / "out")
    return folder


def test_host_has_all_cards_and_the_reasons_of_faults(reported: Path) -> None:
    _, hands = replayed(reported / "a.journal")
    data = data_of(reported / "out" / "replay.html")
    assert [len(hand["holes"]) for hand in data["hands"]] == [len(hand.players) for _, hand in hands]
    (reason,) = {reason for hand in data["hands"] for reason in hand.get("reasons", {}).values()}
    assert "got 'I am p" in reason
    told = [moment for moment in data["moments"] if moment[0] == "out" and reason in moment[-1]]
    assert len(told) == 1


def test_own_reason_is_told_and_that_of_others_is_not(reported: Path) -> None:
    sent = {}
    for folder in (reported / "out" / "players").iterdir():
        text = json.dumps(data_of(folder / "replay.html"))
        sent[folder.name] = re.findall(r"I am (p\d)", text)
    assert any(sent.values())
    assert all(set(ids) <= {own} for own, ids in sent.items())


def test_anonymous_report_tells_no_id(tmp_path: Path) -> None:
    journal, out = write_random(tmp_path / "a.journal", "holdem", hands=40), tmp_path / "out"
    report(journal, out, anonymous=True)
    assert not re.search(r"\bp\d\b", json.dumps(data_of(out / "replay.html")))
