"""The checker finds every mistake whatever cards it deals, and accuses no sound program: measured at fifty seeds.

``pytest -m heavy -rP tests/dealer/checker/whole/test_power.py`` prints how often each program was found; it takes 15
minutes of one core. The programs run in process, so that a whole check takes a quarter of a second.
"""

from collections.abc import Iterable

import pytest

from dealer.checker.output.check_report import Results
from dealer.checker.scoring.rubric import LineId
from tests.bad_bots import programs
from tests.dealer.checker.checked import failed, line, missed
from tests.dealer.checker.in_process import checked
from tests.dealer.checker.mistakes import MISTAKES, NEVER, RARE, SOUND, judged_as, never_named

#: Seeds of the measurement.
SEEDS = range(50)

#: What ``MuchTooSlow`` and ``TooSlow`` take for an argument: the limit, and a time over it.
ARGUMENTS = {"MuchTooSlow": ("1.0",), "TooSlow": ("1.5",)}

BAD = {**MISTAKES, **RARE}


def check(name: str, seed: str, hands: int = 200) -> Results:
    return checked(getattr(programs, name), seed, *ARGUMENTS.get(name, ()), hands=hands).results


def found(name: str, seeds: Iterable[int], hands: int = 200) -> None:
    for seed in seeds:
        results = check(name, str(seed), hands)
        judged_as(results, BAD[name])
        never_named(results, name)


def innocent(name: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        results = check(name, str(seed))
        assert missed(results) == set(), (name, seed)
        assert not results.findings.kept, (name, seed)


def test_every_program_is_judged() -> None:
    kinds = {
        name for name, kind in vars(programs).items() if isinstance(kind, type) and issubclass(kind, programs.Good)
    }
    loud = {"PrintsALot", "PrintsWithoutEnd"}  # their output is megabytes; real processes check them
    assert kinds - loud == {*BAD, *SOUND, "TooSlow"}
    assert NEVER.keys() <= BAD.keys()


def test_mistake_is_found_in_few_hands() -> None:
    for name in MISTAKES:
        found(name, [0], hands=40)


@pytest.mark.parametrize("name", RARE)
def test_rare_mistake_is_found(name: str) -> None:
    found(name, [0])


@pytest.mark.parametrize("name", SOUND)
def test_sound_program_is_not_accused(name: str) -> None:
    innocent(name, [0])


@pytest.mark.heavy
@pytest.mark.parametrize("name", BAD)
def test_every_mistake_is_found_at_every_seed(name: str) -> None:
    found(name, SEEDS)
    print(f"{name}: found at {len(SEEDS)} of {len(SEEDS)} seeds, and only its own mistake")


@pytest.mark.heavy
def test_late_reply_is_found_at_every_seed() -> None:
    assert all(failed(check("TooSlow", str(seed))) == {LineId.CLOCK} for seed in SEEDS)


@pytest.mark.heavy
@pytest.mark.parametrize("name", SOUND)
def test_sound_program_is_not_accused_at_any_seed(name: str) -> None:
    innocent(name, SEEDS)
    print(f"{name}: accused at 0 of {len(SEEDS)} seeds")


def points(name: str, id: str, seed: str = "0") -> float:
    return line(check(name, seed), id).points


def test_program_that_always_raises_gets_less_for_situations_than_the_starter() -> None:
    starter = checked(Starter, "0").results
    assert line(starter, "situations").points == pytest.approx(40 * 22 / 26)
    assert points("Maniac", "situations") < 30


class Starter(programs.Good):
    """Plays as the starters do: a pair raises, anything else checks or folds."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        if programs.strength(own) > 1:
            return min(owed + 10, stack)
        return 0 if owed == 0 else None


class ForgetsTheThirdCard(programs.Tight):
    """Plays as on the first street, whatever the third card is."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        return super().amount(stack, owed, own[:2])


def test_program_that_forgets_its_third_card_loses_a_third_of_the_situations() -> None:
    for seed in map(str, range(3)):
        verdict = line(checked(ForgetsTheThirdCard, seed).results, "situations")
        bad = [one.name for one in verdict.played if not one.good]
        assert 3 * len(bad) >= len(verdict.played)
        assert len([one for one in line(check("Tight", seed), "situations").played if not one.good]) * 3 < len(bad)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("LooksAtTheHighestCard", 20, 20),
        ("ComparesHighCards", 20, 20),
        ("Tight", 0, 0),
        ("AlwaysCalls", 0, 0),
        ("FoldsOften", 0, 0),
        ("FoldsAlways", 0, 0),
        ("Maniac", 0, 0),
    ],
)
def test_points_for_boards(name: str, least: float, most: float) -> None:
    assert least <= points(name, "boards") <= most


def test_program_that_folds_before_the_street_is_not_judged_on_it() -> None:
    results = check("FoldsAlways", "0")
    for played in line(results, "situations").played:
        early = played.name.startswith(("three of a kind", "the third card makes", "three low cards, raised three"))
        assert played.good is None or not early
        assert played.good is not None or played.seen[0].startswith("it came to this question in 0 of 15 hands")


def test_program_that_folds_often_is_dealt_hands_in_which_it_does_not_fold() -> None:
    results = check("FoldsOften", "0")
    played = {one.name: one.good for one in line(results, "situations").played}
    assert played["three of a kind, nothing owed: raise"] is True
    assert played["three low cards, raised three times: fold"] is None  # it never holds them so long
