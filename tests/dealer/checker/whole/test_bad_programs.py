"""Every mistake fails the line of the rubric that it belongs to, with its cause; no sound program is accused."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from tests.bad_bots import holdem_programs as programs
from tests.bad_bots.programs import PlaysOneHand
from tests.dealer.checker.checked import (
    LIMIT,
    MISTAKES,
    SILENT,
    WHERE,
    Mistake,
    all_at_once,
    examined,
    failed,
    judged_as,
    line,
    program,
)
from tests.dealer.checker.in_process import checked
from tests.dealer.checker.test_holdem_cases import FAULTY, HANDS, HOUSE, PRESETS, accused, found, house

JAVA = {
    "parses-up": Mistake("answers", "literal 'up'", lost=True),
    "int-length": Mistake("login", "four bytes, as writeInt", lost=True),
    "chars": Mistake("login", "as writeChars sends it", lost=True, flags=SILENT),
    "line": Mistake("login", "as println does", lost=True),
    "objects": Mistake("login", "ObjectOutputStream", lost=True),
    "prints": Mistake("answers", "prints its reply instead of sending it", lost=True, flags=SILENT),
    "stays-after-done": Mistake("closes", "goes on reading"),
}


async def found_as(mistake: Mistake, command: Sequence[str]) -> None:
    judged_as(await examined("stud", command, **dict(mistake.flags)), mistake)


@pytest.mark.long
async def test_mistake_fails_its_line_with_its_cause() -> None:
    real = {name: mistake for name, mistake in MISTAKES.items() if not mistake.in_process}
    await all_at_once({name: partial(found_as, real[name], program(name)) for name in real})


@pytest.mark.long
async def test_mistake_in_java_fails_its_line_with_its_cause(bad_java: Path) -> None:
    java = ["java", "-cp", str(bad_java), "BadPoker"]
    await all_at_once({name: partial(found_as, JAVA[name], [*java, name, *WHERE]) for name in JAVA})


@pytest.mark.long
async def test_late_reply_is_reported_with_its_time() -> None:
    results = await examined("stud", program("TooSlow", "5"), limit=3.0)
    assert failed(results) == {"clock"}
    finding = line(results, "clock").findings[0]
    assert re.fullmatch(r"the reply took \d\.\d{3} s", finding.what)
    assert finding.sent.startswith("bet2:")
    assert finding.came is not None
    assert finding.came[2:].startswith((b"bet:", b"fold"))


async def test_crash_shows_the_last_lines_of_output() -> None:
    results = await examined("stud", program("ParsesUp"), limit=LIMIT)
    (finding,) = line(results, "answers").findings
    assert finding.said[-1] == "ValueError: invalid literal for int() with base 10: 'u'"
    assert finding.sent.startswith("bet1:")


def test_end_after_a_hand_is_shown_on_the_status() -> None:
    results = checked(PlaysOneHand, "a").results
    findings = line(results, "news").findings
    assert len(findings) > 1
    assert all(finding.sent.startswith("status:") and finding.came is None for finding in findings)


async def test_received_bytes_are_reported() -> None:
    results = await examined("stud", program("IntLength"), limit=LIMIT)
    (finding,) = line(results, "login").findings
    assert finding.came == b"\0\0\0\x09bad-1:Bad"
    assert finding.sent == "login"


async def test_command_that_cannot_be_run_is_reported() -> None:
    results = await examined("stud", ["no-such-program", *WHERE])
    (finding,) = line(results, "connects").findings
    assert finding.what == "cannot run 'no-such-program': No such file or directory"


# All programs and seeds, some minutes: ``pytest -m heavy tests/dealer/checker/test_holdem_cases.py``.


@pytest.mark.parametrize("program", list(FAULTY)[::3], ids=lambda program: program.__name__)
def test_faulty_program_is_found(program: type[programs.Sound]) -> None:
    found(program, 0)


@pytest.mark.parametrize("bot", HOUSE[::3])
def test_house_bot_is_not_accused(bot: str) -> None:
    accused(house(bot), "house", 30)


@pytest.mark.parametrize("options", PRESETS, ids=str)
def test_sound_programs_are_not_accused_in_presets(options: dict[str, str]) -> None:
    for sound in (programs.Sound, programs.MostRaiser, programs.AnyReply, house("cornell"), house("simple")):
        accused(sound, "preset", 20, options)


def test_faulty_programs_are_found_in_presets() -> None:
    for options in PRESETS:
        results = checked(programs.ChecksABet, "preset", hands=HANDS, limit=0.5, game="holdem", options=options).results
        assert "legal" in failed(results)
