"""The check of hold'em programs: every faulty program is found with every seed, and no sound one is accused.

All programs and seeds, some minutes: ``pytest -m heavy tests/dealer/checker/test_holdem_cases.py``.
"""

import pytest

from tests.bad_bots import holdem_programs as programs
from tests.dealer.checker.checked import failed
from tests.dealer.checker.in_process import checked
from tests.dealer.checker.test_holdem_cases import FAULTY, HANDS, HOUSE, PRESETS, accused, found, house


@pytest.mark.parametrize("program", list(FAULTY)[::3], ids=lambda program: program.__name__)
def test_faulty_program_is_found(program: type[programs.Sound]) -> None:
    found(program, 0)


@pytest.mark.parametrize("bot", HOUSE[::3])
def test_house_bot_is_not_accused(bot: str) -> None:
    accused(house(bot), "house", 30)


@pytest.mark.parametrize("options", PRESETS, ids=str)
def test_sound_programs_are_not_accused_in_presets(options: dict[str, str]) -> None:
    for program in (programs.Sound, programs.MostRaiser, programs.AnyReply, house("cornell"), house("simple")):
        accused(program, "preset", 20, options)


def test_faulty_programs_are_found_in_presets() -> None:
    for options in PRESETS:
        results = checked(programs.ChecksABet, "preset", hands=HANDS, limit=0.5, game="holdem", options=options).results
        assert "legal" in failed(results)
