"""Results of checks and rubrics, the grades that come of them, and the reasons of faults that hosts read."""

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.checker.output.check_report import Results, as_json
from dealer.checker.scoring.findings import Findings
from dealer.errors import OptionError
from dealer.faults import Fault, FaultKind
from dealer.lobby.player import Player
from dealer.report.labels import told_to_host
from dealer.report.rubric import (
    DEFAULT,
    MOST,
    Rubric,
    most_points,
    points_of,
    read_check_results,
    read_rubric,
)
from dealer.report.write import ReportOptions, write_report
from dealer.settings import Settings
from protocol.games.base import FOLD, Action, Bet, Hand, IllegalAction
from protocol.games.game import Game
from protocol.games.registry import installed_games
from protocol.games.stud import StudGame, StudTurn
from protocol.wire.codec import decode_action
from protocol.wire.messages import ProtocolError
from tests.dealer.support.reported import rows
from tests.dealer.support.rig import SEED
from tests.dealer.support.scribe import Answer, Scribe
from tests.dealer.support.scribe import players as some_players


def result(points: float, of: float = 80, game: str = "stud") -> str:
    return json.dumps({"game": game, "points": points, "of": of, "lines": []})


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Three players; the second breaks a rule in the second hand and is out."""
    scribe = Scribe(Settings(SEED, StudGame(100, 1), hands=3), some_players("Ada", "Ben", "Cem"))

    def answers(player: Player, turn: StudTurn) -> Answer:
        if player is scribe.players[1] and scribe.ledger.seating.tables[0].hand_number == 2:
            return Fault(FaultKind.ILLEGAL, "you bet 900 but have only 20: bet 5 to call, or fold")
        return Bet(turn.owed)

    scribe.game()
    for _ in range(3):
        scribe.hand(answers)
    scribe.end()
    return scribe.write(tmp_path / "journal")


def test_results_lie_in_files_or_in_folders(tmp_path: Path) -> None:
    (tmp_path / "p0.json").write_text(result(60))
    (tmp_path / "p1").mkdir()
    (tmp_path / "p1/results.json").write_text(result(20))
    (tmp_path / "p2").mkdir()
    (tmp_path / "readme.txt").write_text("not a result")
    found = read_check_results(tmp_path)
    assert {id_: one.share for id_, one in found.items()} == {"p0": 0.75, "p1": 0.25}
    assert read_check_results(tmp_path / "p0.json").keys() == {"p0"}


def test_results_are_those_that_the_check_prints(tmp_path: Path) -> None:
    printed = as_json(Results("stud", "java Poker", "seed", 60, Findings(), ()))
    (tmp_path / "p0.json").write_text(printed.replace('"of": 0', '"of": 10'))
    assert read_check_results(tmp_path)["p0"].game == "stud"


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("p0.json", "", r"p0\.json is no JSON; expected what `casino check \.\.\. --json` prints"),
        ("p0.json", "[1, 2]", r"is no result of a check: it needs a game, and points"),
        ("p0.json", result(-1), r"is no result of a check"),
        ("p0.json", result(81), r"is no result of a check"),
        ("p0.json", result(0, 0), r"is no result of a check"),
        ("p0.json", result(float("nan")), r"is no result of a check"),
        ("p0.json", '{"game": "stud", "points": true, "of": 80}', r"is no result of a check"),
        (
            "Ada Lovelace.json",
            result(1),
            r"'Ada Lovelace' is not an id .*; expected ID\.json, or results\.json in a folder",
        ),
        ("readme.txt", "nothing", r"holds no result of a check; expected ID\.json"),
    ],
)
def test_wrong_results_are_told(name: str, text: str, error: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OptionError, match=error):
        read_check_results(tmp_path)


def test_two_results_of_one_student_are_told(tmp_path: Path) -> None:
    (tmp_path / "p0.json").write_text(result(1))
    (tmp_path / "p0").mkdir()
    (tmp_path / "p0/results.json").write_text(result(2))
    with pytest.raises(OptionError, match=r"has a result of 'p0', too; leave one of them out"):
        read_check_results(tmp_path)
    with pytest.raises(OptionError, match=r"cannot read the result of a check .*: No such file"):
        read_check_results(tmp_path / "absent")


def test_grades_hold_points_by_the_rubric(journal: Path, tmp_path: Path) -> None:
    checks = tmp_path / "checks"
    checks.mkdir()
    (checks / "p0.json").write_text(result(60))
    (checks / "p9.json").write_text(result(80))
    (tmp_path / "rubric.toml").write_text("[place]\nfirst = 40\nlast = 20\n[faults]\n[check]\npoints = 20\n")
    options = ReportOptions(journal, tmp_path / "out", rubric=tmp_path / "rubric.toml", checks=checks)
    assert write_report(options) == 0
    grades = {row["id"]: row for row in rows(tmp_path / "out/grades.csv")}
    assert set(grades) == {"p0", "p1", "p2", "p9"}
    places = {id_: int(row["place"]) for id_, row in grades.items() if row["place"]}
    assert places["p1"] == 3
    told = ("broke_rules", "faults", "fell", "fell_in_hand", "fell_why", "reason")
    fell = [grades["p1"][name] for name in told]
    assert fell == ["yes", "1", "yes", "2", "illegal", "Ben bet 900 but has only 20: bet 5 to call, or fold"]
    assert [grades["p0"][name] for name in told] == ["no", "0", "no", "", "", ""]
    assert [grades["p1"][name] for name in ("points_played", "points_place", "points_faults")] == ["0", "20", "15"]
    assert [grades["p1"][name] for name in ("check_percent", "points_check", "points", "points_of")] == [
        "",
        "0",
        "35",
        "80",
    ]
    assert [grades["p0"][name] for name in ("check_percent", "points_check")] == ["75", "15"]
    assert float(grades["p0"]["points"]) == 15 + 20 + (40 if places["p0"] == 1 else 30)
    assert [grades["p9"][name] for name in ("seated", "points_place", "points_check", "points")] == [
        "no",
        "0",
        "20",
        "20",
    ]
    wins = sum(int(row["hands_won"]) for row in grades.values() if row["hands_won"])
    assert wins >= 3


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"rubric": "rubric.toml"}, "cannot read the rubric"),
        ({"checks": "checks"}, "cannot read the result of a check"),
        ({"checks": "holdem.json"}, r"holdem\.json is a check of holdem, but this tournament played stud"),
    ],
)
def test_mistakes_are_told_before_an_earlier_report_is_replaced(
    files: dict[str, str], error: str, journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "holdem.json").write_text(result(1, game="holdem"))
    out = tmp_path / "out"
    assert write_report(ReportOptions(journal, out)) == 0
    earlier = (out / "grades.csv").read_bytes()
    options = replace(ReportOptions(journal, out), **{name: tmp_path / file for name, file in files.items()})  # type: ignore[arg-type]
    assert write_report(options) == 2
    assert error.replace("\\", "") in capsys.readouterr().err.replace("\n", " ")
    assert (out / "grades.csv").read_bytes() == earlier


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rubric.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_sections_left_out_give_no_points_and_keys_left_out_have_their_default(tmp_path: Path) -> None:
    """With all sections and a check there are 100 points."""
    rubric = read_rubric(written(tmp_path, "[place]\nfirst = 50\n[faults]\neach = 2.5\n"))
    assert rubric == Rubric(played=0, first=50, last=10, faultless=20, each=2.5, check=0)
    assert read_rubric(written(tmp_path, "[played]\n[place]\n[faults]\n[check]\n")) == DEFAULT
    assert (most_points(DEFAULT, True), most_points(DEFAULT, False)) == (100, 60)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", r"gives no points; it needs a section: played, place, faults, check"),
        ("[plase]\n", r"no section \[plase\]; did you mean 'place'\?"),
        ("[wins]\n", r"no section \[wins\]; it may have played, place, faults, check"),
        ("[place]\nfrist = 3\n", r"\[place\] has no key 'frist'; did you mean 'first'\?"),
        ("place = 3\n", r"place must be a section: write \[place\] on a line of its own"),
        ("[place]\nfirst = '30'\n", r"\[place\] first must be a number from 0 to 1000, got '30'"),
        ("[place]\nfirst = true\n", r"first must be a number from 0 to 1000, got true"),
        ("[check]\npoints = -1\n", r"\[check\] points must be a number from 0 to 1000, got -1"),
        (f"[check]\npoints = {MOST + 1}\n", r"from 0 to 1000, got 1001"),
        ("[faults]\neach = nan\n", r"each must be a number from 0 to 1000, got nan"),
        ("[place]\nfirst = 5\n", r"\[place\] last = 10 is more than first = 5"),
        ("[place\n", r"it is no TOML: .*line 1"),
    ],
)
def test_mistakes_in_a_rubric_are_told(text: str, error: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=error) as caught:
        read_rubric(written(tmp_path, text))
    assert "rubric.toml" in str(caught.value)


def test_rubrics_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot read the rubric .*absent\.toml: No such file"):
        read_rubric(tmp_path / "absent.toml")
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(OptionError, match="byte 6 is no UTF-8 text"):
        read_rubric(tmp_path / "latin.toml")


def test_points_of_places_fall_evenly_and_those_of_faults_by_each() -> None:
    assert [points_of(DEFAULT, place, 5, 0, None).place for place in range(1, 6)] == [30, 25, 20, 15, 10]
    assert points_of(DEFAULT, 1, 1, 0, None).place == 30
    assert [points_of(DEFAULT, 1, 2, faults, None).faults for faults in (0, 1, 4, 5)] == [20, 15, 0, 0]
    assert points_of(DEFAULT, 1, 2, 0, 0.755).check == 30.2
    assert points_of(DEFAULT, 2, 2, 1, 0.5).total == 10 + 10 + 15 + 20
    assert points_of(DEFAULT, None, 2, 0, 1.0).total == 40
    assert points_of(DEFAULT, None, 2, 0, None).total == 0


NUMBERS = st.floats(0, MOST)


@given(st.builds(Rubric, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS), st.data())
def test_nobody_gets_more_than_the_most_or_less_than_nothing(rubric: Rubric, data: st.DataObject) -> None:
    if rubric.last > rubric.first:
        return
    players = data.draw(st.integers(1, 200))
    place, faults = data.draw(st.integers(1, players)), data.draw(st.integers(0, 1000))
    check = data.draw(st.none() | st.floats(0, 1))
    points = points_of(rubric, place, players, faults, check)
    assert 0 <= points.total <= most_points(rubric, check is not None) + 0.02


SECOND_PERSON = re.compile(r"\b(you|your|yours)\b", re.IGNORECASE)


def dealt(game: Game, number: int) -> Hand:
    match = game.start(max(game.table_seats[0], 2))
    hand: Hand = match.deal(game.chance.outcome(game.chance.draw(SEED, 0, number)))
    return hand


def reasons(game: Game, hands: int) -> set[str]:
    """Why actions of random hands were not allowed."""
    rng, found = Random(game.name), set()
    for number in range(1, hands + 1):
        hand = dealt(game, number)
        while (seat := hand.to_act) is not None:
            legal = hand.legal()
            tried: list[Action] = [FOLD, *(Bet(amount) for amount in (0, 1, 2, 7, 40, legal.to_call + 1, 10**6))]
            for action in tried:
                if action not in legal:
                    try:
                        hand.apply(action)
                    except IllegalAction as error:
                        found.add(str(error))
            del seat
            hand = hand.apply(rng.choice([one for one, _ in zip(legal, range(6), strict=False)]))
    return found


@pytest.mark.parametrize("game", installed_games(), ids=lambda game: game.name)
def test_no_reason_of_the_rules_speaks_to_the_host(game: type[Game]) -> None:
    found = reasons(game(), 12)
    assert found
    for reason in found:
        told = told_to_host(reason, "Steph")
        assert not SECOND_PERSON.search(told), told
        assert told.startswith("Steph ") or not SECOND_PERSON.search(reason)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (
            "you bet 900 but have only 20 chips: bet 5 to call",
            "Steph bet 900 but has only 20 chips: bet 5 to call",
        ),
        (
            "you folded although you owe nothing: bet 0 to check",
            "Steph folded although it owes nothing: bet 0 to check",
        ),
        ("you quit", "Steph quit"),
        (
            "you are out: you bet 9, more than 3 above the 5 you owe: bet 5",
            "Steph bet 9, more than 3 above the 5 it owes: bet 5",
        ),
        (
            "you are out: your connection ended, and you were not back within 5 s",
            "its connection ended, and it was not back within 5 s",
        ),
        ("you are out: you did not come back when the dealer did", "Steph did not come back when the dealer did"),
        ("you are out: broke", "broke"),
        ("no complete reply to bet1 came in 1.00 s", "no complete reply to bet1 came in 1.00 s"),
    ],
)
def test_reasons_of_the_dealer(reason: str, told: str) -> None:
    assert told_to_host(reason, "Steph") == told


def test_what_was_sent_stays_as_it_was() -> None:
    with pytest.raises(ProtocolError) as caught:
        decode_action("your bet, got 'x' but owe you", "stud")
    told = told_to_host(f"you are out: {caught.value}", "Steph")
    assert told == """Steph sent "your bet, got 'x' but owe you"; expected 'fold' or 'bet:<chips>'"""
