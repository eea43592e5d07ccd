"""Rubrics that hosts write, their mistakes, and the points that follow."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.errors import OptionError
from dealer.report.rubric import DEFAULT, MOST, Rubric, most_points, points_of, points_of_absent, read_rubric


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "rubric.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_sections_left_out_give_no_points_and_keys_left_out_have_their_default(tmp_path: Path) -> None:
    rubric = read_rubric(written(tmp_path, "[place]\nfirst = 50\n[faults]\neach = 2.5\n"))
    assert rubric == Rubric(played=0, first=50, last=10, faultless=20, each=2.5, check=0)


def test_default_rubric_gives_100_points_with_a_check(tmp_path: Path) -> None:
    sections = "[played]\n[place]\n[faults]\n[check]\n"
    assert read_rubric(written(tmp_path, sections)) == DEFAULT
    assert most_points(DEFAULT, True) == 100
    assert most_points(DEFAULT, False) == 60


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", r"gives no points; it needs a section, played, place, faults or check"),
        ("[plase]\n", r"no section \[plase\]; did you mean place\?"),
        ("[wins]\n", r"no section \[wins\]; it may have played, place, faults or check"),
        ("[place]\nfrist = 3\n", r"\[place\] has no key 'frist'; did you mean first\?"),
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


def test_points_of_places_fall_evenly() -> None:
    assert [points_of(DEFAULT, place, 5, 0, None).place for place in range(1, 6)] == [30, 25, 20, 15, 10]
    assert points_of(DEFAULT, 1, 1, 0, None).place == 30


def test_points_of_faults_and_checks() -> None:
    assert [points_of(DEFAULT, 1, 2, faults, None).faults for faults in (0, 1, 4, 5)] == [20, 15, 0, 0]
    assert points_of(DEFAULT, 1, 2, 0, 0.755).check == 30.2
    assert points_of(DEFAULT, 2, 2, 1, 0.5).total == 10 + 10 + 15 + 20
    assert points_of_absent(DEFAULT, 1.0).total == 40
    assert points_of_absent(DEFAULT, None).total == 0


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
